//! What a help text tells of options.

/// One option of a help text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// Its spellings, with their dashes.
    pub(crate) spellings: Vec<String>,
    /// Whether it has a value.
    pub(crate) value: Value,
}

/// Whether an option has a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// None.
    None,
    /// It may be left out.
    Optional,
    /// It must be there.
    Required,
}

/// The options of a help text: lines that begin with an option, before two blanks.
pub(crate) fn told(help: &str) -> Vec<Told> {
    help.lines().filter_map(line).collect()
}

/// The column where `git SUBCOMMAND -h` begins to describe, one blank behind an option that reaches up to it.
const DESCRIPTION: usize = 26;

fn line(text: &str) -> Option<Told> {
    let indent = text.len() - text.trim_start().len();
    if indent == 0 || indent > 12 || !text.trim_start().starts_with('-') {
        return None;
    }
    let own = text.trim_start();
    let column = own.split("  ").next()?.split('\t').next()?.trim_end_matches(':');
    let column = match text.split_at_checked(DESCRIPTION) {
        Some((head, tail)) if indent == 4 && head.ends_with(' ') && !tail.starts_with(['<', '[', '(', '-', ' ']) => {
            head.trim()
        }
        _ => column,
    };
    let mut told = Told { spellings: Vec::new(), value: Value::None };
    for part in column.replace(" | ", ", ").replace(" or -", ", -").split(", ").flat_map(|part| {
        part.split(",-").enumerate().map(|(at, part)| if at == 0 { part.to_owned() } else { format!("-{part}") })
    }) {
        let part = part.trim().replace("[no-]", "");
        let end = part.find(['=', '[', '<', ' ', '(']).unwrap_or(part.len());
        let (spelling, rest) = part.split_at(end);
        // `-NUM` stands for digits.
        if !spelling.starts_with('-') || spelling.trim_matches('-').is_empty() || spelling == "-NUM" {
            continue;
        }
        if !spelling
            .trim_start_matches('-')
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '#' | '?' | ':' | '@'))
        {
            continue;
        }
        told.spellings.push(spelling.to_owned());
        // Behind a single blank a description may follow, which has more than one word.
        let value = match rest.trim_start() {
            rest if rest.starts_with('[') => Value::Optional,
            rest if rest.starts_with(['=', '<', '(']) => Value::Required,
            rest if rest.is_empty() || rest.contains(' ') => Value::None,
            _ => Value::Required,
        };
        if told.value == Value::None || value == Value::Optional {
            told.value = if told.value == Value::Required { Value::Required } else { value };
        }
    }
    (!told.spellings.is_empty()).then_some(told)
}

/// Whether the text has the spelling as a word of its own.
pub(crate) fn spelled(help: &str, spelling: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let negatable = help.replace("[no-]", "");
    [help, &negatable].iter().any(|text| {
        text.match_indices(spelling).any(|(at, _)| {
            let before = text.get(..at).and_then(|head| head.chars().next_back());
            let behind = text.get(at + spelling.len()..).and_then(|tail| tail.chars().next());
            !before.is_some_and(inner) && !behind.is_some_and(inner)
        })
    })
}

#[test]
fn lines_tell_options() {
    let option =
        |spellings: &[&str], value| Told { spellings: spellings.iter().map(|one| (*one).to_owned()).collect(), value };
    let cases = [
        (
            "  -b, --ignore-leading-blanks  ignore leading blanks",
            Some(option(&["-b", "--ignore-leading-blanks"], Value::None)),
        ),
        ("      --random-source=FILE    get random bytes", Some(option(&["--random-source"], Value::Required))),
        ("  -k, --key=KEYDEF          sort via a key", Some(option(&["-k", "--key"], Value::Required))),
        ("      --color[=WHEN]  colour", Some(option(&["--color"], Value::Optional))),
        (" -E, --cert <certificate[:password]> Client certificate", Some(option(&["-E", "--cert"], Value::Required))),
        ("    -q, --[no-]quiet      suppress summary", Some(option(&["-q", "--quiet"], Value::None))),
        ("    --[no-]ignore-missing check if files exist", Some(option(&["--ignore-missing"], Value::None))),
        ("    -u, --[no-]local-user <key-id>", Some(option(&["-u", "--local-user"], Value::Required))),
        ("  -a, --attach list          Attach", Some(option(&["-a", "--attach"], Value::Required))),
        ("  - a list item", None),
        ("no option", None),
        ("", None),
    ];
    for (text, expected) in cases {
        assert_eq!(line(text), expected, "{text}");
    }
}

#[test]
fn whole_spellings_are_found() {
    for (text, spelling, found) in [
        ("  -a, --all", "--all", true),
        ("  --all-of-it", "--all", false),
        ("--[no-]all", "--all", true),
        ("x-a", "-a", false),
    ] {
        assert_eq!(spelled(text, spelling), found, "{text} {spelling}");
    }
}
