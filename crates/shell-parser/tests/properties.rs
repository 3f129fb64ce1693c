//! What holds for the facts of every text.

mod rendering;

use proptest::prelude::*;
use rendering::{facts, rendered};
use shell_parser::{Analysis, Certainty, Span};

/// Pieces of shell text that mean something beside each other.
const PIECES: &[&str] = &[
    "rm",
    "x",
    "-rf",
    " ",
    " ",
    " ",
    ";",
    "&",
    "&&",
    "||",
    "|",
    "|&",
    "\n",
    "(",
    ")",
    "((",
    "))",
    "{",
    "}",
    "$(",
    "`",
    "${",
    "$((",
    "$x",
    "\"",
    "'",
    "$'",
    "\\",
    "\\\n",
    "<",
    ">",
    "<<E\n",
    "\nE\n",
    "<<<",
    "<(",
    ">(",
    "[[",
    "]]",
    "if",
    "then",
    "else",
    "fi",
    "for",
    "in",
    "do",
    "done",
    "while",
    "case",
    "esac",
    ";;",
    "f()",
    "x=",
    "a=(",
    "a[",
    "]",
    ":-",
    "#",
    "%",
    "//",
    "@",
    "*",
    "?",
    "~",
    "{a,b}",
    "eval ",
    "sh -c ",
    "bash ",
    "xargs ",
    "find . -exec ",
    "{} +",
    "\\;",
    "trap ",
    "EXIT",
    "cd ",
    "export ",
    "read ",
    "declare -n ",
    "printf -v ",
    "set -- ",
    "\"$@\"",
    "alias ",
    "sudo ",
    "env -S ",
    "curl u",
    "é",
    "\u{200b}",
    "\t",
    "\r",
];

fn shell_like() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..40).prop_map(|pieces| pieces.concat())
}

/// A simple command whose words are known, without anything that a wrapper would read.
fn plain() -> impl Strategy<Value = Vec<String>> {
    let program = prop::sample::select(&["rm", "mv", "chmod", "git", "kill", "mkfs", "frobnicate"][..]);
    let word = prop_oneof![
        "-[a-z]{1,3}",
        "--[a-z]{2,6}=[a-z0-9]{1,3}",
        "[a-z0-9./_:,+]{1,8}",
        "[a-z] [a-z]{1,2}",
        "[a-z$;|&<>()*?#~]{1,4}"
    ];
    (program, prop::collection::vec(word, 0..4))
        .prop_map(|(program, words)| std::iter::once(program.to_owned()).chain(words).collect())
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn written(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// What runs a command and nothing else with it.
const PREFIXES: &[&str] = &[
    "env ",
    "env A=1 ",
    "nice -n 3 ",
    "nohup ",
    "timeout 5 ",
    "stdbuf -oL ",
    "setsid ",
    "command ",
    "exec ",
    "sudo ",
    "sudo -u root ",
    "doas ",
    "busybox ",
    "xargs -r ",
    "builtin command ",
    "env -u A ",
    "ionice -c 3 ",
];

/// What may stand before a simple command.
const HEADS: &[&str] = &["", "! ", "time ", "A=1 ", ">o ", "2>&1 ", "A=1 <i ", "! time -p "];

/// What runs a text; `%` stands for it, quoted.
const TEXTS: &[&str] = &[
    "sh -c %",
    "bash -lc %",
    "eval %",
    "trap % EXIT",
    "sh <<< %",
    "printf '%%s\\n' % | sh",
    "{ x=%; eval \"$x\"; }",
    "bash -c 'eval \"$1\"' _ %",
    "sudo sh -c %",
    "env -i bash -c %",
    "{ printf '%%s\\n' % > s; sh s; }",
    ". <(printf '%%s\\n' %)",
    "{ f() { \"$@\"; }; f sh -c %; }",
    "{ a=(sh -c %); \"${a[@]}\"; }",
    "ssh h %",
    "su -c %",
    "find . -exec sh -c % ';'",
];

/// What holds a text as it is written.
const PLACES: &[&str] = &[
    "{ %; }",
    "( % )",
    "if %; then :; fi",
    "if :; then %; fi",
    "while %; do :; done",
    "for i in 1 2; do %; done",
    "case x in x) %;; esac",
    "{ f() { %; }; f; }",
    "f() { %; }",
    "echo \"$( % )\"",
    "echo `true` $( % )",
    "cat <(%)",
    "true && %",
    "false && %",
    "% | cat",
    "cat f | { %; }",
    "% &",
    "echo $((1 + $( % )))",
    "cat <<E\n$( % )\nE\n",
    "[[ -n $( % ) ]]",
    "x=$( % )",
    "coproc { %; }",
    "echo ${w:-$( % )}",
    "time %",
    "a[$( % )]=1",
    "% > o 2>&1",
];

#[derive(Clone, Debug)]
enum Wrapper {
    Text(&'static str),
    Place(&'static str),
}

fn wrapper() -> impl Strategy<Value = Wrapper> {
    prop_oneof![
        prop::sample::select(TEXTS).prop_map(Wrapper::Text),
        prop::sample::select(PLACES).prop_map(Wrapper::Place),
    ]
}

fn wrapped(command: &str, wrapper: &Wrapper) -> String {
    match wrapper {
        Wrapper::Text(form) => form.replace("%%", "\0").replace('%', &quoted(command)).replace('\0', "%"),
        Wrapper::Place(form) => form.replace('%', command),
    }
}

/// Whether these words are an invocation, certain or one of several; more may follow where its list is open.
fn runs(analysis: &Analysis<'_>, words: &[String]) -> bool {
    analysis.invocations.iter().any(|invocation| {
        let head = invocation.words.iter().take(words.len()).map(|word| word.known());
        invocation.certainty != Certainty::Possible
            && head.eq(words.iter().map(|word| Some(word.as_str())))
            && (invocation.open || invocation.words.len() == words.len())
    })
}

/// All spans of an analysis.
fn spans(analysis: &Analysis<'_>) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    for invocation in &analysis.invocations {
        spans.push(invocation.span);
        spans.extend(invocation.spans);
    }
    spans.extend(analysis.accesses.iter().map(|access| access.span));
    spans.extend(analysis.requests.iter().map(|request| request.span));
    spans.extend(analysis.assignments.iter().map(|assignment| assignment.span));
    spans.extend(analysis.code.iter().map(|code| code.span));
    spans.extend(analysis.findings.iter().map(|finding| finding.span));
    spans.extend(analysis.fault.map(|fault| fault.span));
    spans
}

fn check_total(text: &str) {
    facts(text, |analysis| {
        for span in spans(analysis) {
            assert!(span.start <= span.end && span.end as usize <= text.len(), "{span:?} of {text:?}");
        }
        for invocation in &analysis.invocations {
            assert!(!invocation.words.is_empty(), "no words in {text:?}");
            assert_eq!(invocation.words.len(), invocation.spans.len(), "spans of the words of {text:?}");
        }
    });
    assert_eq!(facts(text, rendered), facts(text, rendered), "two readings of {text:?}");
}

/// The facts of the second that the first does not have, each as often as it is missing.
fn added(first: &[String], second: &[String]) -> Result<Vec<String>, String> {
    let mut rest = second.to_vec();
    for fact in first {
        let Some(index) = rest.iter().position(|other| other == fact) else { return Err(fact.clone()) };
        rest.remove(index);
    }
    Ok(rest)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shell_like_text_is_read(text in shell_like()) {
        check_total(&text);
    }

    #[test]
    fn any_text_is_read(text in "\\PC{0,60}") {
        check_total(&text);
    }

    #[test]
    fn wrapping_loses_no_invocation(
        words in plain(),
        prefixes in prop::collection::vec(prop::sample::select(PREFIXES), 0..3),
        head in prop::sample::select(HEADS),
        wrappers in prop::collection::vec(wrapper(), 0..4),
    ) {
        let mut command = written(&words);
        for prefix in &prefixes {
            command = format!("{prefix}{command}");
        }
        command = format!("{head}{command}");
        // Behind a document's end the text cannot go on: it may only be the outermost.
        for (index, wrapper) in wrappers.iter().enumerate() {
            let document = matches!(wrapper, Wrapper::Place(form) if form.contains("<<E"));
            let background = matches!(wrapper, Wrapper::Place(form) if form.ends_with('&'));
            // A script that a running script of the same name writes is unknown code.
            let rewrites = matches!(wrapper, Wrapper::Text(form) if form.contains("> s;")) && command.contains("> s;");
            if rewrites || (document || background) && index + 1 < wrappers.len() {
                continue;
            }
            command = wrapped(&command, wrapper);
        }
        facts(&command, |analysis| {
            prop_assert!(analysis.fault.is_none() , "{command}: {:?}", analysis.fault);
            prop_assert!(runs(analysis, &words), "{command}\n{:#?}", rendered(analysis));
            Ok(())
        })?;
    }

    #[test]
    fn a_neighbour_changes_nothing(
        words in plain(),
        wrappers in prop::collection::vec(wrapper(), 0..3),
    ) {
        let mut command = written(&words);
        for wrapper in &wrappers {
            if !matches!(wrapper, Wrapper::Place(form) if form.contains("<<E") || form.ends_with('&')) {
                command = wrapped(&command, wrapper);
            }
        }
        let alone = facts(&command, rendered);
        for text in [format!("{command}; true"), format!("true; {command}")] {
            let more = added(&alone, &facts(&text, rendered));
            prop_assert!(matches!(more.as_deref(), Ok([one]) if one.starts_with("[true]")), "{text}: {more:?}");
        }
    }
}
