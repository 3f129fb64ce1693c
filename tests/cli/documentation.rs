//! Every command that the documentation shows runs, and answers what the documentation says.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::{policyctl, repository, text};

/// Set to rewrite the documentation with the answers of today.
pub const UPDATE: &str = "UPDATE_DOCUMENTATION";

/// The blocks of a Markdown text that open with ```` ```LABEL REST ````, as `(REST, content)`.
fn blocks<'a>(markdown: &'a str, label: &str) -> Vec<(&'a str, String)> {
    let mut blocks = Vec::new();
    let mut lines = markdown.lines();
    while let Some(line) = lines.next() {
        if let Some(rest) = line.strip_prefix("```").and_then(|line| line.strip_prefix(label)) {
            let content: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((rest.trim(), content.join("\n") + "\n"));
        }
    }
    blocks
}

/// A console block's commands with their answers: `$ COMMAND`, `? STATUS` unless that is 0, the output.
fn transcript(block: &str, folder: &Path) -> String {
    let mut transcript = String::new();
    for line in block.lines().filter(|line| line.starts_with("$ ")) {
        let words = shell_words::split(line.trim_start_matches("$ ")).unwrap();
        let (program, arguments) = words.split_first().unwrap();
        assert_eq!(program, "policyctl", "{line}");
        let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
        let mut command = match arguments.as_slice() {
            [arguments @ .., "<", input] => {
                let mut command = policyctl(arguments);
                command.stdin(fs::File::open(folder.join(input)).unwrap());
                command
            }
            arguments => policyctl(arguments),
        };
        let output = command.current_dir(folder).output().unwrap();
        let separator = if transcript.is_empty() { "" } else { "\n" };
        writeln!(transcript, "{separator}{line}").unwrap();
        match output.status.code().unwrap() {
            0 => {}
            status => writeln!(transcript, "? {status}").unwrap(),
        }
        let answer = text(&output.stdout).to_owned() + text(&output.stderr);
        transcript += &without_digests(answer.replace(&*folder.to_string_lossy(), "/home/user/project").trim_end());
        transcript.push('\n');
    }
    transcript
}

/// The text with `…` for what differs from one machine or version to the next.
fn without_digests(answer: &str) -> String {
    let mut parts = answer.split("sha256:");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text += "sha256:…";
        text += part.trim_start_matches(|character: char| character.is_ascii_hexdigit());
    }
    text
}

/// A page shows files (```` ```toml NAME ````, ```` ```json NAME ````) and commands that use them.
fn check(page: &str, fewest: usize) {
    let page = repository().join(page);
    let markdown = fs::read_to_string(&page).unwrap();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let folder = folder.path().canonicalize().unwrap();
    // A folder of this name makes the directory a workspace, so that answers do not depend on where it lies.
    fs::create_dir(folder.join(".policyctl")).unwrap();
    for label in ["toml", "json"] {
        let files: Vec<_> = blocks(&markdown, label).into_iter().filter(|(name, _)| !name.is_empty()).collect();
        files.iter().for_each(|(name, content)| fs::write(folder.join(name), content).unwrap());
    }
    let mut answered = with_reference(&markdown);
    let console = blocks(&markdown, "console");
    assert!(console.len() >= fewest, "{} blocks", console.len());
    for (_, block) in console {
        let opened = |content: &str| format!("```console\n{content}```\n");
        answered = answered.replacen(&opened(&block), &opened(&transcript(&block, &folder)), 1);
    }
    if std::env::var_os(UPDATE).is_some() {
        fs::write(page, answered).unwrap();
    } else {
        let differs = markdown.lines().zip(answered.lines()).find(|(shown, answered)| shown != answered);
        assert!(
            markdown == answered,
            "the page does not show what the program answers ({UPDATE}=1 mends it): {differs:#?}"
        );
    }
}

/// The page with the reference of today between its marks, where it has them.
fn with_reference(markdown: &str) -> String {
    const MARKS: [&str; 2] = ["<!-- reference -->\n", "<!-- end of reference -->\n"];
    let parts = markdown.split_once(MARKS[0]).and_then(|(before, rest)| Some((before, rest.split_once(MARKS[1])?.1)));
    match parts {
        Some((before, after)) => {
            format!("{before}{}\n{}\n{}{after}", MARKS[0], policy_matcher::reference_pages(), MARKS[1])
        }
        None => markdown.to_owned(),
    }
}

#[test]
fn the_command_line_reference_is_true() {
    check("docs/command-line.md", 10);
}

#[test]
fn the_page_on_the_gate_is_true() {
    check("docs/gate.md", 1);
}

#[test]
fn the_page_on_the_policy_language_is_true() {
    check("docs/policy-language.md", 3);
}

/// Every policy that the page shows is sound, and its rules' examples hold.
#[test]
fn the_policies_of_the_page_are_clean() {
    let markdown = fs::read_to_string(repository().join("docs/policy-language.md")).unwrap();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::create_dir(folder.path().join(".policyctl")).unwrap();
    let files = blocks(&markdown, "toml");
    assert!(files.len() >= 4, "{} files", files.len());
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
        let output = policyctl(&["check", name]).current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stdout));
    }
}

/// The commands of README.md run as they stand, but for `cargo`: this test is part of what `cargo test` runs.
#[test]
fn the_commands_of_the_readme_run() {
    let markdown = fs::read_to_string(repository().join("README.md")).unwrap();
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    fs::copy(repository().join("policies/tables/ask-first.toml"), folder.path().join("my.toml")).unwrap();
    let mut run = 0;
    for (_, block) in blocks(&markdown, "console") {
        for line in block.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let words = shell_words::split(line).unwrap();
            let words: Vec<_> = words.iter().map(String::as_str).collect();
            let arguments = match &words[..] {
                ["cargo", "run", "-q", "-p", "policyctl", "--", arguments @ ..] | ["policyctl", arguments @ ..] => {
                    arguments
                }
                ["cargo", "test", "--workspace"] => continue,
                _ => panic!("README.md shows a command that no test runs: {line}"),
            };
            let output = policyctl(arguments).current_dir(folder.path()).output().unwrap();
            assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{line}: {output:?}");
            assert!(!output.stdout.is_empty(), "{line}");
            run += 1;
        }
    }
    assert!(run >= 4, "{run} commands");
}
