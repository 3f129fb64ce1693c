//! Trees of texts, as tables in `crates/shell-parser/tests/trees`.

mod bash;
mod hostile;
mod print;
mod properties;

use std::path::Path;

use crate::{Arena, SourceMap, parse};

/// The tree of `text` in one line.
fn tree(text: &str) -> String {
    let arena = Arena::new();
    print::line(&parse(&arena, text, SourceMap::Shifted(0)))
}

/// The rows `input ⇒ tree` of a table; `⏎` stands for a newline, `⇥` for a tab. Other lines are comments.
fn rows(table: &str) -> impl Iterator<Item = (String, &str)> {
    table.lines().filter(|line| !line.starts_with("## ")).filter_map(|line| {
        let (input, tree) = line.split_once(" ⇒")?;
        Some((input.replace('⏎', "\n").replace('⇥', "\t"), tree.trim_start_matches(' ')))
    })
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the tables are files")]
fn texts_have_the_trees_of_the_tables() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/trees");
    let mut count = 0;
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        for (input, expected) in rows(&std::fs::read_to_string(&path).unwrap()) {
            count += 1;
            let actual = tree(&input);
            if actual != expected {
                let input = input.replace('\n', "⏎").replace('\t', "⇥");
                wrong.push(format!("{}\n{input} ⇒ {actual}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} rows differ; what was read:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 150, "only {count} rows");
}
