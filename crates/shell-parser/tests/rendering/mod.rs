//! Facts as text, for tests that compare them.
#![expect(clippy::panic, reason = "a test may fail")]

use std::fmt::Write as _;

use shell_parser::{
    AccessKind, Analysis, Arena, Certainty, Cover, End, Host, How, Meaning, NoFiles, Piece, Programs, Reach, Start,
    Word, analyze,
};

/// The directory in which every command starts.
const DIRECTORY: &str = "/w";

/// The facts of a command that starts in `/w`, as `read` gives them.
pub fn facts<T>(command: &str, read: impl FnOnce(&Analysis<'_>) -> T) -> T {
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
    read(&analyze(&arena, command, &start))
}

/// All facts. A `?` behind one: possible; `%`: one of several alternatives; `!`: riding; `any`: accesses of every kind.
pub fn rendered(analysis: &Analysis<'_>) -> Vec<String> {
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
