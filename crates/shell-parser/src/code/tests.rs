//! Code and its facts, row by row.

use super::{Action, code_facts};
use crate::{Arena, Piece, Word};

/// The rows: language, effects, actions, text; a tabulator between them, `⏎` for a line's end.
const ROWS: &str = include_str!("tests/rows.tsv");

fn shown(word: Word<'_>) -> String {
    word.pieces()
        .map(|piece| match piece {
            Piece::Text(text) => text.replace('\n', "⏎"),
            Piece::Glob(_) | Piece::Unknown(_) => "…".to_owned(),
        })
        .collect()
}

fn action(action: &Action<'_>) -> String {
    let doubt = |certain: bool| if certain { "" } else { "?" };
    match *action {
        Action::Shell { text, certain } => format!("shell{} {}", doubt(certain), shown(text)),
        Action::Command { words, certain } => {
            let words: Vec<String> = words.iter().map(|word| shown(*word)).collect();
            format!("command{} {}", doubt(certain), words.join("·"))
        }
        Action::Access { kind, path, recursive, certain } => {
            let below = if recursive { "/**" } else { "" };
            format!("{}{}{} {}", kind.name(), below, doubt(certain), shown(path))
        }
        Action::Request { url, certain } => format!("request{} {}", doubt(certain), shown(url)),
        Action::Dynamic => "dynamic".to_owned(),
    }
}

fn facts(language: &str, text: &str) -> (String, String) {
    let arena = Arena::new();
    let facts = code_facts(&arena, language, text);
    let effects: Vec<&str> = facts.effects.iter().map(|effect| effect.name()).collect();
    let effects = if effects.is_empty() { "none".to_owned() } else { effects.join(" ") };
    let actions: Vec<String> = facts.actions.iter().map(action).collect();
    (effects, actions.join(" ; "))
}

#[test]
fn every_row_holds() {
    let (mut rows, mut none, mut wrong) = (0, 0, Vec::new());
    for line in ROWS.lines().filter(|line| !line.is_empty() && !line.starts_with("//")) {
        let columns: Vec<&str> = line.splitn(4, '\t').collect();
        let [language, effects, actions, text] = columns[..] else { panic!("no row: {line}") };
        rows += 1;
        none += usize::from(effects == "none");
        let found = facts(language, &text.replace('⏎', "\n"));
        if (found.0.as_str(), found.1.as_str()) != (effects, actions) {
            wrong.push(format!("{language}\t{}\t{}\t{text}\n    wanted: {effects} | {actions}", found.0, found.1));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rows >= 200 && none >= 40, "only {rows} rows, {none} of them without effects");
}

const LANGUAGES: [&str; 9] = ["python", "javascript", "perl", "ruby", "php", "awk", "sql", "powershell", "cmd"];

#[test]
fn hostile_text_takes_linear_time() {
    let units = [
        "'",
        "\"",
        "`",
        "{",
        "}",
        "(",
        ")",
        "[",
        "${",
        "#{",
        "\"${",
        "f\"{",
        "f'{",
        "\"#{",
        "`${",
        "@{[",
        "\"@{[ ",
        "/",
        "//",
        "/*",
        "\\",
        "<<A\n",
        "<<~A\n",
        "q{",
        "s/",
        "%w(",
        "$(",
        "a(",
        "f(f(",
        "a.b",
        "a=a+",
        "a=",
        "a,",
        "x[",
        "import a,",
        "print(",
        "system(",
        "if(",
        "a->b",
        "'a'+",
        "&",
        "|",
        "=",
        "a = a\n",
        "lambda:",
        "for a in ",
        "'''",
        "\n=",
        "::",
        "%",
        "-e",
        "eval ",
        "a||",
        "$x{",
        "\"$x[",
        "open F,",
        "unlink ",
        "from ",
        "print > ",
        ")/",
        "use ",
        "\"$x[$x[",
        "<<\"",
        "x=a.b.c;f(x);",
    ];
    for language in LANGUAGES {
        for unit in units {
            let time = |length: usize| {
                let text = unit.repeat(length / unit.len());
                let arena = Arena::new();
                let start = std::time::Instant::now();
                code_facts(&arena, language, &text);
                start.elapsed()
            };
            // Quotes and braces at full length; the others as long as a quadratic reader would show.
            let long = time(if unit.len() == 1 && language == "python" { 1 << 20 } else { 1 << 16 });
            assert!(long.as_secs_f64() < 3.0, "{language}: {unit:?} repeated took {long:?}");
        }
    }
}

proptest::proptest! {
    #[test]
    fn every_text_has_facts(language in 0..LANGUAGES.len(), text in "[-a-z0-9 \\n'\"`$@%#{}()\\[\\]<>|&;:,.=/\\\\*+?!~^é]{0,80}") {
        let arena = Arena::new();
        code_facts(&arena, LANGUAGES[language], &text);
    }

    #[test]
    fn mutated_rows_have_facts(row in 0_usize..300, at in 0_usize..200, insert in "['\"`{}()$#@/\\\\\\n]{1,3}") {
        let line = ROWS.lines().nth(row).unwrap_or("python\t\t\tx");
        let mut columns = line.splitn(4, '\t');
        let (language, text) = (columns.next().unwrap_or(""), columns.nth(2).unwrap_or(""));
        let cut = text.char_indices().map(|(index, _)| index).nth(at).unwrap_or(text.len());
        let (before, behind) = text.split_at(cut);
        let text = format!("{before}{insert}{behind}");
        let arena = Arena::new();
        code_facts(&arena, language, &text);
    }
}
