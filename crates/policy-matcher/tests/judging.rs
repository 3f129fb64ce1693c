//! Rules of every matcher, in both directions, against commands (`judging.txt`).
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests fail by panicking")]

use std::fmt::Write as _;

use policy_matcher::{Call, Context, Decision, Json, Policies, policy_from_toml};
use shell_parser::NoFiles;

const TABLE: &str = include_str!("judging.txt");

/// One block of the table.
struct Block {
    /// Rules and defaults, one a line.
    lines: Vec<&'static str>,
    /// Verdicts and commands.
    rows: Vec<(&'static str, &'static str)>,
}

fn blocks() -> Vec<Block> {
    let blocks = TABLE.split("\n\n").filter(|block| block.lines().any(|line| line == "--"));
    blocks
        .map(|block| {
            let (head, rows) = block.split_once("\n--").unwrap();
            let rows = rows.lines().filter(|row| !row.is_empty()).map(|row| {
                let (verdict, command) = row.split_once(' ').unwrap();
                (verdict, command.trim_start())
            });
            Block { lines: head.lines().filter(|line| !line.starts_with('#')).collect(), rows: rows.collect() }
        })
        .collect()
}

/// The policy of a block's lines, with more rules behind.
fn policies(lines: &[&str]) -> Policies {
    let defaults = lines.iter().filter(|line| line.contains(" = ") && !line.contains("where.") && is_default(line));
    let mut text = "version = 1\n[defaults]\n".to_owned();
    let mut no_rule = "no_rule = \"allow\"";
    for line in defaults {
        if line.starts_with("no_rule") {
            no_rule = line;
        } else {
            writeln!(text, "{line}").unwrap();
        }
    }
    writeln!(text, "{no_rule}\n[tools.bash]\nfields.command = {{ kind = \"shell\" }}").unwrap();
    for (index, line) in lines.iter().filter(|line| !is_default(line)).enumerate() {
        let (effect, conditions) = line.split_once(' ').unwrap();
        let conditions = conditions.replace(" ; ", "\n");
        writeln!(text, "[[{effect}]]\nid = \"r{index}\"\nreason = \"Because.\"\ntool = \"bash\"\n{conditions}")
            .unwrap();
    }
    match policy_from_toml("judging.toml", &text) {
        Ok(policy) => Policies::new(vec![policy]),
        Err(problems) => panic!("{text}\n{problems:#?}"),
    }
}

fn is_default(line: &str) -> bool {
    ["no_rule", "uncertain", "unsupported", "unparsable", "inert"].iter().any(|key| line.starts_with(key))
}

fn decision(policies: &Policies, command: &str) -> Decision {
    let context = Context {
        workspace: Some("/w".to_owned()),
        cwd: Some("/w".to_owned()),
        home: Some("/h".to_owned()),
        temporary: vec!["/tmp".to_owned()],
        ..Context::default()
    };
    let arguments = Json::Object(vec![("command".to_owned(), Json::String(command.to_owned()))]);
    let call = Call { id: None, tool: "bash".to_owned(), arguments, context: None };
    policies.decision(&call, &context, &NoFiles)
}

fn verdict(decision: &Decision) -> String {
    format!("{:?}", decision.decision).to_lowercase()
}

#[test]
fn rules_are_judged_as_written() {
    let (mut count, mut wrong) = (0, String::new());
    for block in blocks() {
        let policies = policies(&block.lines);
        for (expected, command) in &block.rows {
            count += 1;
            let decision = decision(&policies, command);
            if verdict(&decision) != *expected {
                let (is, reason) = (verdict(&decision), &decision.reason);
                writeln!(wrong, "{} | {command}: {is}, not {expected} ({reason})", block.lines.join(" | ")).unwrap();
            }
        }
    }
    assert!(count >= 120, "only {count} rows");
    assert!(wrong.is_empty(), "of {count}:\n{wrong}");
}
