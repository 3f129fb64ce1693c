//! The facts of commands, row by row.
//!
//! `tests/facts/*.txt` hold rows `command ⇒ facts`; `⏎` stands for a newline, `⇥` for a tab, `␍` for a carriage
//! return. Facts are separated by ` | `, in the order of `Analysis`; rendered as in the functions below. In `spans.txt` the facts are
//! the texts under the spans instead. `UPDATE=1 cargo test -p shell-parser --test facts` rewrites the files: read
//! every changed row before it is committed.
#![expect(clippy::expect_used, clippy::panic, reason = "a test may fail")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use shell_parser::{
    AccessKind, Analysis, Arena, Certainty, Cover, End, Host, How, Meaning, NoFiles, Piece, Programs, Reach, Span,
    Start, Word, analyze,
};

/// The directory in which every command starts.
const DIRECTORY: &str = "/w";

#[test]
fn commands_have_these_facts() {
    let mut rows = 0;
    let mut wrong = String::new();
    for path in files() {
        let spans = path.file_name().is_some_and(|name| name == "spans.txt");
        let written = fs::read_to_string(&path).expect("a readable file");
        let mut read = String::new();
        for line in written.lines() {
            let Some((command, expected)) = line.split_once(" ⇒") else {
                assert!(line.is_empty() || line.starts_with("## "), "no row: {line}");
                let _ = writeln!(read, "{line}");
                continue;
            };
            rows += 1;
            let facts = facts(&command.replace('⏎', "\n").replace('⇥', "\t").replace('␍', "\r"), spans);
            let row = format!("{command} ⇒ {facts}");
            if facts != expected.trim_start() {
                let _ = writeln!(wrong, "- {line}\n+ {row}");
            }
            let _ = writeln!(read, "{}", row.trim_end());
        }
        if env::var_os("UPDATE").is_some() {
            fs::write(&path, read).expect("a writable file");
        }
    }
    assert!(rows >= MINIMUM, "only {rows} rows");
    assert!(wrong.is_empty() || env::var_os("UPDATE").is_some(), "\n{wrong}");
}

/// Fewer rows mean that files went missing.
const MINIMUM: usize = 400;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/facts");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("the folder of rows").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn facts(command: &str, spans: bool) -> String {
    let arena = Arena::new();
    let start = Start {
        directory: Some(DIRECTORY),
        home: Some("/home/u"),
        user: Some("u"),
        temporary: Some("/tmp"),
        variables: &[],
        programs: Programs::builtin(),
        files: &NoFiles,
    };
    let analysis = analyze(&arena, command, &start);
    let facts = if spans { texts(&analysis, command) } else { rendered(&analysis) };
    facts.join(" | ").replace('\n', "⏎").replace('\t', "⇥").replace('\r', "␍")
}

/// The texts under the spans: `«…»` of invocations, `access «…»`, `=«…»` of assignments, `code «…»`, `!finding «…»`.
fn texts(analysis: &Analysis<'_>, command: &str) -> Vec<String> {
    let text = |span: Span| {
        let text = command.get(span.start as usize..span.end as usize);
        format!("«{}»", text.unwrap_or_else(|| panic!("{span:?} of {command:?}")))
    };
    let mut facts: Vec<String> = Vec::new();
    for invocation in &analysis.invocations {
        let words: Vec<String> = invocation.spans.iter().map(|span| text(*span)).collect();
        facts.push(format!("{}: {}", text(invocation.span), words.join(" ")));
    }
    facts.extend(analysis.accesses.iter().map(|access| format!("{} {}", access.kind.name(), text(access.span))));
    facts.extend(analysis.requests.iter().map(|request| format!("request {}", text(request.span))));
    facts.extend(analysis.assignments.iter().map(|assignment| format!("={}", text(assignment.span))));
    facts.extend(analysis.code.iter().map(|code| format!("code {}", text(code.span))));
    facts.extend(analysis.findings.iter().map(|finding| format!("!{} {}", finding.kind.name(), text(finding.span))));
    facts.extend(analysis.fault.map(|fault| format!("fault {}", text(fault.span))));
    facts
}

/// All facts. A `?` behind one: possible; `%`: one of several alternatives; `!`: riding; `any`: accesses of every kind.
fn rendered(analysis: &Analysis<'_>) -> Vec<String> {
    let mut facts = Vec::new();
    facts.extend((0..analysis.invocations.len()).map(|index| invocation(analysis, index)));
    let mut accesses = analysis.accesses.as_slice();
    while let Some((access, rest)) = accesses.split_first() {
        if let Some((all, rest)) = accesses.split_at_checked(AccessKind::ALL.len())
            && all.iter().zip(AccessKind::ALL).all(|(one, kind)| one.kind == kind && one.path == access.path)
        {
            let conjectured = if access.conjectured { " conjectured" } else { "" };
            let elsewhere = if access.host == Host::Other { " elsewhere" } else { "" };
            facts.push(format!("any{} {}{elsewhere}{conjectured}", certainty(access.certainty), place(access.path)));
            accesses = rest;
            continue;
        }
        accesses = rest;
        let recursive = if access.recursive { "-r" } else { "" };
        let riding = if access.riding { "!" } else { "" };
        let elsewhere = if access.host == Host::Other { " elsewhere" } else { "" };
        facts.push(format!(
            "{}{recursive}{riding}{} {}{elsewhere}",
            access.kind.name(),
            certainty(access.certainty),
            place(access.path)
        ));
    }
    facts.extend(analysis.requests.iter().map(|request| {
        let riding = if request.riding { "!" } else { "" };
        let method = request.method.unwrap_or("-");
        format!("request{riding}{} {method} {}", certainty(request.certainty), word(request.url))
    }));
    facts.extend(analysis.flows.iter().map(|flow| {
        let how = match flow.how {
            How::Pipe => "|",
            How::Substitution => "$()",
            How::HereDocument => "<<",
            How::Redirection => ">",
            How::Argument => "argument",
            How::Variable => "variable",
            How::Environment => "environment",
            How::File => "file",
        };
        format!("{} →{} {} ({how})", end(analysis, flow.from), certainty(flow.certainty), end(analysis, flow.to))
    }));
    facts.extend(analysis.assignments.iter().map(|assignment| {
        let reach = match (assignment.reach, assignment.by) {
            (Reach::Script, _) => String::new(),
            (Reach::Invocation, by) => format!(" for {}", by.map_or_else(|| "-".into(), |by| program(analysis, by))),
        };
        let steering = if assignment.steering { " steering" } else { "" };
        format!(
            "{}={}{}{reach}{steering}",
            word(assignment.name),
            word(assignment.value),
            certainty(assignment.certainty)
        )
    }));
    facts.extend(analysis.code.iter().map(|code| format!("{} {{{}}}", code.language, pieces(code.text))));
    facts.extend(analysis.findings.iter().map(|finding| format!("!{}", finding.kind.name())));
    facts.extend(analysis.fault.map(|fault| format!("fault: {}", fault.message)));
    facts
}

/// `outer > [words]`, with `+` if the list is open, `@place` if not in the first directory.
fn invocation(analysis: &Analysis<'_>, index: usize) -> String {
    let Some(invocation) = analysis.invocations.get(index) else { panic!("no invocation {index}") };
    let mut rendered = String::new();
    for outer in invocation.via {
        let _ = write!(rendered, "{} > ", program(analysis, *outer));
    }
    let words: Vec<String> = invocation.words.iter().map(|part| word(*part)).collect();
    let open = if invocation.open { " +" } else { "" };
    let _ = write!(rendered, "[{}{open}]{}", words.join(" "), certainty(invocation.certainty));
    match invocation.directories {
        [] => rendered.push_str(" @?"),
        [one] if one.known() == Some(DIRECTORY) => {}
        many => {
            let many: Vec<String> = many.iter().map(|directory| place(*directory)).collect();
            let _ = write!(rendered, " @{}", many.join(","));
        }
    }
    if invocation.cover == Cover::Unknown {
        rendered.push_str(" unknown");
    }
    if invocation.meaning == Meaning::Redefined {
        rendered.push_str(" redefined");
    }
    if invocation.host == Host::Other {
        rendered.push_str(" elsewhere");
    }
    if invocation.conjectured {
        rendered.push_str(" conjectured");
    }
    rendered
}

fn certainty(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Certain => "",
        Certainty::Alternative => "%",
        Certainty::Possible => "?",
    }
}

fn program(analysis: &Analysis<'_>, index: u32) -> String {
    let invocation = analysis.invocations.get(index as usize);
    invocation.and_then(|invocation| invocation.words.first()).map_or_else(|| "-".into(), |first| word(*first))
}

fn end(analysis: &Analysis<'_>, end: End) -> String {
    match end {
        End::Invocation(index) => program(analysis, index),
        End::Access(index) => analysis.accesses.get(index as usize).map_or("-".into(), |access| place(access.path)),
        End::Request(index) => analysis.requests.get(index as usize).map_or("-".into(), |request| word(request.url)),
        End::Code(index) => {
            analysis.code.get(index as usize).map_or("-".into(), |code| format!("{{{}}}", pieces(code.text)))
        }
    }
}

/// A path; below the first directory without it.
fn place(path: Word<'_>) -> String {
    let path = pieces(path);
    path.strip_prefix("/w/").map_or_else(|| path.clone(), |below| format!("./{below}"))
}

/// A word: in quotes where it is empty or holds a blank.
fn word(word: Word<'_>) -> String {
    let text = pieces(word);
    if text.is_empty() || text.contains([' ', '\n', '\t', '|']) { format!("'{text}'") } else { text }
}

/// Pieces: `⟨glob⟩`, `⟨?⟩` unknown, `⟨?…⟩` unknown and splitting, `⟨0⟩` digits, `⟨a⟩` a name, `⟨/p/…⟩` below.
fn pieces(word: Word<'_>) -> String {
    let mut text = String::new();
    for piece in word.pieces() {
        match piece {
            Piece::Text(known) => text.push_str(known),
            Piece::Glob(pattern) => {
                let _ = write!(text, "⟨{pattern}⟩");
            }
            Piece::Unknown(unknown) => {
                let shape = match unknown.shape {
                    shell_parser::Shape::Any => "?".to_owned(),
                    shell_parser::Shape::Digits => "0".to_owned(),
                    shell_parser::Shape::Name => "a".to_owned(),
                    shell_parser::Shape::Below(path) => format!("{path}/"),
                };
                let _ = write!(text, "⟨{shape}{}⟩", if unknown.splits { "…" } else { "" });
            }
        }
    }
    text
}
