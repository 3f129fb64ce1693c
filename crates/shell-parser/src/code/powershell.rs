//! PowerShell and `cmd`: a bare word where a statement begins is a command.

use super::known::Known;
use super::reader::Reader;
use super::{Action, CodeFacts, Language};
use crate::facts::{AccessKind, Effect};
use crate::word::UNKNOWN;
use crate::{Arena, Word};

/// The deepest nesting of brackets.
const DEPTH: usize = 128;

/// What the aliases stand for (PowerShell's manual, `about_Aliases` and `Get-Alias`).
const ALIASES: &[(&str, &str)] = &[
    ("ri", "Remove-Item"),
    ("rm", "Remove-Item"),
    ("del", "Remove-Item"),
    ("rd", "Remove-Item"),
    ("rmdir", "Remove-Item"),
    ("erase", "Remove-Item"),
    ("gc", "Get-Content"),
    ("cat", "Get-Content"),
    ("type", "Get-Content"),
    ("sc", "Set-Content"),
    ("ac", "Add-Content"),
    ("clc", "Clear-Content"),
    ("ni", "New-Item"),
    ("md", "New-Item"),
    ("mkdir", "New-Item"),
    ("cp", "Copy-Item"),
    ("copy", "Copy-Item"),
    ("cpi", "Copy-Item"),
    ("mv", "Move-Item"),
    ("move", "Move-Item"),
    ("mi", "Move-Item"),
    ("ren", "Rename-Item"),
    ("rni", "Rename-Item"),
    ("gci", "Get-ChildItem"),
    ("dir", "Get-ChildItem"),
    ("ls", "Get-ChildItem"),
    ("iwr", "Invoke-WebRequest"),
    ("wget", "Invoke-WebRequest"),
    ("curl", "Invoke-WebRequest"),
    ("irm", "Invoke-RestMethod"),
    ("iex", "Invoke-Expression"),
    ("icm", "Invoke-Command"),
    ("saps", "Start-Process"),
    ("start", "Start-Process"),
    ("echo", "Write-Output"),
    ("write", "Write-Output"),
    ("%", "ForEach-Object"),
    ("?", "Where-Object"),
];

/// Commands that only compute or print.
const INERT: &[&str] = &[
    "write-output",
    "write-host",
    "write-verbose",
    "write-warning",
    "write-error",
    "get-date",
    "select-object",
    "where-object",
    "foreach-object",
    "sort-object",
    "measure-object",
    "format-table",
    "format-list",
    "convertto-json",
    "convertfrom-json",
    "out-string",
    "out-null",
    "get-location",
    "start-sleep",
    "get-random",
    "select-string",
    "group-object",
    "rem",
    "ver",
    "cls",
];

/// The facts of PowerShell text.
pub(super) fn facts<'a>(arena: &'a Arena, text: &'a str) -> CodeFacts<'a> {
    let mut reader = Reader::new(arena, Language::Powershell);
    // `-EncodedCommand` takes the same text as base64 of UTF-16: letters that no command has.
    let encoded = text.len() >= 16
        && text.len().is_multiple_of(4)
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='));
    if encoded {
        reader.exceed();
        return reader.finish();
    }
    let mut work = vec![text];
    let mut left = text.len() * 4 + 1024;
    while let Some(text) = work.pop() {
        let Some(less) = left.checked_sub(text.len() + 1) else {
            reader.exceed();
            break;
        };
        left = less;
        Scanner { reader: &mut reader, rest: text, open: Vec::new(), words: Vec::new(), nested: &mut work }.run();
    }
    reader.finish()
}

struct Scanner<'s, 'a> {
    reader: &'s mut Reader<'a>,
    rest: &'a str,
    /// The commands around the brackets that are open.
    open: Vec<Vec<Word<'a>>>,
    /// The words of the command that is read; empty where a statement begins.
    words: Vec<Word<'a>>,
    nested: &'s mut Vec<&'a str>,
}

impl<'a> Scanner<'_, 'a> {
    fn skip(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or("");
    }

    fn run(&mut self) {
        while let Some(char) = self.rest.chars().next() {
            match char {
                ' ' | '\t' | '\r' => self.skip(1),
                '#' => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.skip(end);
                }
                '\n' | ';' | '|' | '&' => {
                    self.skip(1);
                    self.finish();
                    if char == '&' && !self.rest.starts_with('&') {
                        // The call operator: what follows is a command, quoted or not.
                        self.called();
                    }
                }
                '(' | '{' => {
                    self.skip(1);
                    if self.open.len() >= DEPTH {
                        self.reader.exceed();
                        return;
                    }
                    self.open.push(std::mem::take(&mut self.words));
                }
                ')' | '}' => {
                    self.skip(1);
                    self.finish();
                    self.words = self.open.pop().unwrap_or_default();
                    if !self.words.is_empty() {
                        self.words.push(UNKNOWN);
                    }
                }
                '>' if !self.words.is_empty() => {
                    let marks = self.rest.chars().take_while(|c| *c == '>').count();
                    self.skip(marks);
                    self.blanks();
                    if self.rest.starts_with('&') {
                        self.skip(2);
                        continue;
                    }
                    let path = self.word();
                    if !path
                        .known()
                        .is_some_and(|path| path.eq_ignore_ascii_case("$null") || path.eq_ignore_ascii_case("nul"))
                    {
                        self.reader.effect(Effect::Filesystem);
                        self.access(AccessKind::Write, path, false);
                    }
                }
                ',' => self.skip(1),
                _ if self.words.is_empty() => self.begin(char),
                _ => {
                    let word = self.word();
                    self.words.push(word);
                }
            }
        }
        self.finish();
        while let Some(words) = self.open.pop() {
            // A bracket that nothing closes.
            self.reader.unknown();
            self.words = words;
            self.finish();
        }
    }

    fn blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    /// What follows `&`.
    fn called(&mut self) {
        self.blanks();
        if self.rest.starts_with(['$', '"', '\'']) {
            let word = self.word();
            self.words.push(word);
        }
    }

    /// The beginning of a statement: a command, a word of the language, or an expression.
    fn begin(&mut self, char: char) {
        if char.is_alphabetic() || matches!(char, '_' | '.' | '/' | '\\' | '~' | '%' | '?') {
            let word = self.word();
            let lower = word.known().map(str::to_ascii_lowercase);
            let keyword = lower.as_deref().is_some_and(|name| self.reader.names.get(name) == Some(Known::Keyword));
            if lower.as_deref() == Some(".") {
                self.called();
            } else if !keyword {
                self.words.push(word);
            }
            return;
        }
        // A variable, a string, a type, a number, an operator.
        if char == '[' || char == '@' && !self.rest.starts_with("@(") && !self.rest.starts_with("@{") {
            self.reader.unknown();
        }
        let before = self.rest.len();
        let word = self.word();
        if word.known().is_none_or(|text| text.contains("::") || text.contains('.')) && char != '"' && char != '\'' {
            self.reader.unknown();
        }
        if self.rest.len() == before {
            self.skip(char.len_utf8());
        }
        if self.rest.starts_with(['.', ':']) {
            self.reader.unknown();
        }
        // An assignment's value is a statement of its own.
        self.blanks();
        let assigns = self.rest.starts_with('=') || self.rest.starts_with("+=");
        if assigns {
            self.skip(if self.rest.starts_with('=') { 1 } else { 2 });
        }
    }

    /// One word.
    fn word(&mut self) -> Word<'a> {
        let mut text = String::new();
        let mut words: Vec<Word<'a>> = Vec::new();
        while let Some(char) = self.rest.chars().next() {
            match char {
                '\'' => {
                    self.skip(1);
                    let end = self.rest.find('\'').unwrap_or_else(|| {
                        self.reader.unknown();
                        self.rest.len()
                    });
                    text.push_str(self.rest.get(..end).unwrap_or(""));
                    self.skip(end + 1);
                }
                '"' => {
                    self.skip(1);
                    let end = self.rest.find('"').unwrap_or_else(|| {
                        self.reader.unknown();
                        self.rest.len()
                    });
                    let inside = self.rest.get(..end).unwrap_or("");
                    self.skip(end + 1);
                    if inside.contains(['$', '`']) {
                        words.push(Word::Text(self.reader.arena.alloc_str(&text)));
                        words.push(UNKNOWN);
                        text.clear();
                        if let Some((_, code)) = inside.split_once("$(") {
                            self.nested.push(code);
                        }
                    } else {
                        text.push_str(inside);
                    }
                }
                '`' | '^' => {
                    self.skip(1);
                    if let Some(next) = self.rest.chars().next() {
                        if next != '\n' {
                            text.push(next);
                        }
                        self.skip(next.len_utf8());
                    }
                }
                '$' => {
                    self.skip(1);
                    let end = self
                        .rest
                        .find(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | ':' | '?'))
                        .unwrap_or(self.rest.len());
                    let name = self.rest.get(..end).unwrap_or("");
                    if name.eq_ignore_ascii_case("null")
                        || name.eq_ignore_ascii_case("true")
                        || name.eq_ignore_ascii_case("false")
                    {
                        text.push('$');
                        text.push_str(name);
                    } else {
                        words.push(Word::Text(self.reader.arena.alloc_str(&text)));
                        words.push(UNKNOWN);
                        text.clear();
                    }
                    self.skip(end);
                }
                ' ' | '\t' | '\r' | '\n' | ';' | '|' | '&' | '(' | ')' | '{' | '}' | ',' | '>' => break,
                _ => {
                    text.push(char);
                    self.skip(char.len_utf8());
                }
            }
        }
        if words.is_empty() {
            return Word::Text(self.reader.arena.alloc_str(&text));
        }
        words.push(Word::Text(self.reader.arena.alloc_str(&text)));
        self.reader.joined(&words)
    }

    fn access(&mut self, kind: AccessKind, path: Word<'a>, recursive: bool) {
        let certain = path.known().is_some();
        self.reader.act(Action::Access { kind, path, recursive, certain });
    }

    /// The command that was read.
    fn finish(&mut self) {
        let words = std::mem::take(&mut self.words);
        let Some(first) = words.first() else { return };
        let Some(name) = first.known() else {
            self.reader.effect(Effect::Process);
            self.reader.act(Action::Shell { text: UNKNOWN, certain: false });
            return;
        };
        let lower = name.to_ascii_lowercase();
        let long = ALIASES.iter().find(|(alias, _)| *alias == lower).map(|(_, long)| *long);
        let full = long.map_or(lower, str::to_ascii_lowercase);
        if INERT.contains(&full.as_str()) {
            if words.iter().any(|word| word.known().is_none()) {
                self.reader.unknown();
            }
            return;
        }
        self.reader.effect(Effect::Process);
        let certain = words.iter().all(|word| word.known().is_some());
        let arena = self.reader.arena;
        self.reader.act(Action::Command { words: arena.alloc_slice_copy(&words), certain });
        if let Some(long) = long {
            let renamed: Vec<Word<'a>> =
                std::iter::once(Word::Text(long)).chain(words.iter().skip(1).copied()).collect();
            self.reader.act(Action::Command { words: arena.alloc_slice_copy(&renamed), certain });
        }
        self.does(&full, &words);
    }

    /// What a command of PowerShell itself does to files, and what it fetches.
    fn does(&mut self, name: &str, words: &[Word<'a>]) {
        let option = |word: &Word<'a>| {
            word.known().is_some_and(|text| text.starts_with('-') || text.starts_with('/') && text.len() == 2)
        };
        let operands: Vec<Word<'a>> = words.iter().skip(1).filter(|word| !option(word)).copied().collect();
        let has = |wanted: &[&str]| {
            words.iter().filter_map(|word| word.known()).any(|text| {
                wanted.iter().any(|option| text.len() > 1 && option.starts_with(&*text.to_ascii_lowercase()))
            })
        };
        let first = operands.first().copied();
        let last = operands.get(1).copied();
        match name {
            "remove-item" => {
                self.reader.effect(Effect::Filesystem);
                let recursive = has(&["-recurse", "/s"]);
                for path in &operands {
                    self.access(AccessKind::Delete, *path, recursive);
                }
            }
            "set-content" | "add-content" | "out-file" | "new-item" | "clear-content" | "tee-object" => {
                self.reader.effect(Effect::Filesystem);
                self.access(AccessKind::Write, first.unwrap_or(UNKNOWN), false);
            }
            "get-content" => {
                self.reader.effect(Effect::Filesystem);
                self.access(AccessKind::Read, first.unwrap_or(UNKNOWN), false);
            }
            "copy-item" | "move-item" | "rename-item" => {
                self.reader.effect(Effect::Filesystem);
                let kind = if name == "copy-item" { AccessKind::Read } else { AccessKind::Delete };
                self.access(kind, first.unwrap_or(UNKNOWN), has(&["-recurse"]));
                self.access(AccessKind::Write, last.unwrap_or(UNKNOWN), false);
            }
            "invoke-webrequest" | "invoke-restmethod" | "start-bitstransfer" => {
                self.reader.effect(Effect::Network);
                let url = operands
                    .iter()
                    .copied()
                    .find(|word| word.known_prefix().contains("://"))
                    .or(first)
                    .unwrap_or(UNKNOWN);
                self.reader.act(Action::Request { url, certain: url.known().is_some() });
            }
            "invoke-expression" => match first.and_then(Word::known) {
                Some(text) => {
                    self.reader.effect(Effect::Dynamic);
                    self.nested.push(text);
                }
                None => self.reader.dynamic(),
            },
            "invoke-command" | "add-type" | "import-module" | "powershell" | "pwsh" | "new-object" | "set-alias" => {
                self.reader.unknown()
            }
            "start-process" => {
                if let Some(program) = first {
                    let words = [program, UNKNOWN];
                    let words = self.reader.arena.alloc_slice_copy(&words);
                    self.reader.act(Action::Command { words, certain: false });
                }
            }
            _ => {}
        }
    }
}
