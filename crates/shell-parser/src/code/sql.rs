//! SQL: queries without effects, and the statements and client commands that leave the database.

use super::lexer::Lexer;
use super::reader::Reader;
use super::run::Run;
use super::token::Kind;
use super::{Action, CodeFacts, Language};
use crate::facts::{AccessKind, Effect};
use crate::{Arena, Word};

/// The facts of SQL text: of its statements, and of the commands that `psql`, `sqlite3` and `mysql` read themselves.
pub(super) fn facts<'a>(arena: &'a Arena, text: &'a str) -> CodeFacts<'a> {
    let mut reader = Reader::new(arena, Language::Sql);
    for line in text.lines() {
        client_command(&mut reader, line.trim());
    }
    let mut lexer = Lexer::new(arena, Language::Sql, text);
    let tokens = lexer.tokens();
    if lexer.doubtful || lexer.exceeded {
        reader.unknown();
    }
    let run = Run::all(tokens);
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Name(name) => word(&mut reader, run, at, name),
            Kind::Mark("$" | "\\" | "@" | "!") | Kind::Shell(_) => reader.unknown(),
            _ => {}
        }
    }
    reader.finish()
}

/// `\! cmd`, `\o file`, `.shell cmd`, `.output file`, `system cmd`.
fn client_command<'a>(reader: &mut Reader<'a>, line: &'a str) {
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let path = rest.split_whitespace().next().unwrap_or("").trim_matches(['\'', '"', ';']);
    let name = name.to_ascii_lowercase();
    let (shell, path) = match name.as_str() {
        ".shell" | ".system" | "system" | "\\!" => (Some(rest), None),
        _ if line.starts_with("\\!") => (line.get(2..), None),
        "\\o" | "\\g" | "tee" | ".output" | ".once" | ".backup" | ".save" | ".log" | "\\w" | ".excel" => {
            if let Some(command) = rest.strip_prefix('|') {
                (Some(command), None)
            } else {
                (None, Some((AccessKind::Write, path)))
            }
        }
        "\\i" | "\\ir" | ".read" | "source" | ".import" | ".open" | "\\." => {
            reader.unknown();
            (None, Some((AccessKind::Read, path)))
        }
        "\\copy" => {
            reader.unknown();
            (None, None)
        }
        _ => {
            if line.starts_with(['\\', '.']) {
                reader.unknown();
            }
            (None, None)
        }
    };
    if let Some(text) = shell {
        reader.effect(Effect::Process);
        reader.act(Action::Shell { text: Word::Text(text.trim()), certain: true });
    }
    if let Some((kind, path)) = path.filter(|(_, path)| !path.is_empty()) {
        reader.effect(Effect::Filesystem);
        reader.act(Action::Access { kind, path: Word::Text(path), recursive: false, certain: true });
    }
}

fn word<'a>(reader: &mut Reader<'a>, run: Run<'a>, at: usize, name: &'a str) {
    let upper = name.to_ascii_uppercase();
    let next = match run.kind(at + 1) {
        Some(Kind::Text(parts)) => reader.text(parts, 0).known(),
        _ => None,
    };
    match upper.as_str() {
        "PROGRAM" => {
            reader.effect(Effect::Process);
            let text = next.map_or(crate::word::UNKNOWN, Word::Text);
            reader.act(Action::Shell { text, certain: next.is_some() });
        }
        "XP_CMDSHELL" => {
            reader.effect(Effect::Process);
            reader.act(Action::Shell { text: next.map_or(crate::word::UNKNOWN, Word::Text), certain: false });
        }
        "OUTFILE" | "DUMPFILE" | "INFILE" | "ATTACH" | "TO" | "FROM" | "INTO"
            if next.is_some() || matches!(upper.as_str(), "ATTACH") =>
        {
            let path = next.map_or(crate::word::UNKNOWN, Word::Text);
            let kind = if matches!(upper.as_str(), "INFILE" | "FROM") { AccessKind::Read } else { AccessKind::Write };
            reader.effect(Effect::Filesystem);
            reader.act(Action::Access { kind, path, recursive: false, certain: next.is_some() });
        }
        _ => {
            let known = reader.names.get(&upper);
            let called = run.opens(at + 1, '(');
            let begins = at == 0 || run.kind(at - 1) == Some(Kind::End);
            let changes = matches!(
                upper.as_str(),
                "INSERT"
                    | "UPDATE"
                    | "DELETE"
                    | "DROP"
                    | "TRUNCATE"
                    | "ALTER"
                    | "CREATE"
                    | "GRANT"
                    | "REVOKE"
                    | "CALL"
                    | "EXEC"
                    | "EXECUTE"
                    | "COPY"
                    | "LOAD"
                    | "MERGE"
                    | "REPLACE"
                    | "SET"
                    | "DO"
                    | "INTO"
                    | "ATTACH"
                    | "VACUUM"
                    | "PRAGMA"
            ) && known.is_none();
            if changes || (called || begins) && known.is_none() || !name.is_ascii() {
                reader.unknown();
            }
        }
    }
}
