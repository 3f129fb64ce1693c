//! What a sed script writes and runs.

use super::Effect;
use super::effects::{Effects, Source};
use super::words::{any, unescaped};
use crate::programs::Role;
use crate::{AccessKind, Host, Word};

/// Adds the files that `w`, `W` and the `w` flag write, that `r` and `R` read, and the commands of `e`.
///
/// GNU sed manual, sections 3.2 and 3.3. A script that is not wholly known may write any file and run anything
/// if the call itself made its unknown part.
pub(super) fn effects<'a>(effects: &mut Effects<'_, 'a>, script: Word<'a>, index: u32, source: Source) {
    let Some(text) = script.known() else {
        if script.made() {
            let unknown = any(effects.arena, script);
            effects.path(Role::RIDING_WRITE, unknown, index, source, false);
            let text = effects.arena.alloc([unknown]);
            let (open, here, host) = (false, false, Host::Local);
            effects.list.push(Effect::Script { text, word: index, arguments: &[], open, here, host, certain: false });
        }
        return;
    };
    let mut scanner = Scanner { rest: text };
    while let Some(found) = scanner.command() {
        match found {
            Found::File(kind, name) if !matches!(name, "/dev/stdout" | "/dev/stderr" | "/dev/stdin" | "") => {
                let role = if kind == AccessKind::Write { Role::RIDING_WRITE } else { Role::READ };
                effects.path(role, Word::Text(name), index, source, true);
            }
            Found::Run(command) => {
                // `e` alone, and the `e` flag, run the pattern space, which comes from the input.
                let known = !command.is_empty();
                let word =
                    if known { Word::Text(unescaped(effects.arena, command)) } else { any(effects.arena, Word::EMPTY) };
                let text = effects.arena.alloc([word]);
                let (open, here, host) = (false, false, Host::Local);
                effects.list.push(Effect::Script {
                    text,
                    word: index,
                    arguments: &[],
                    open,
                    here,
                    host,
                    certain: true,
                });
            }
            Found::File(..) | Found::Nothing => {}
        }
    }
}

enum Found<'a> {
    Nothing,
    File(AccessKind, &'a str),
    Run(&'a str),
}

struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    fn skip(&mut self, length: usize) {
        self.rest = self.rest.get(length..).unwrap_or("");
    }

    fn next(&mut self) -> Option<char> {
        let char = self.rest.chars().next()?;
        self.skip(char.len_utf8());
        Some(char)
    }

    fn line(&mut self) -> &'a str {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let line = self.rest.get(..end).unwrap_or("");
        self.skip(end);
        line.trim_start()
    }

    /// The rest of the line, and the next one behind each backslash at the end of one.
    fn lines(&mut self) -> &'a str {
        let ends = |(at, _): &(usize, &str)| !self.rest.get(..*at).is_some_and(|line| line.ends_with('\\'));
        let end = self.rest.match_indices('\n').find(ends).map_or(self.rest.len(), |(at, _)| at);
        let lines = self.rest.get(..end).unwrap_or("");
        self.skip(end);
        lines.trim_start()
    }

    /// Skips to behind the next `end` that no backslash quotes and that is not inside brackets.
    fn delimited(&mut self, end: char) {
        while let Some(char) = self.next() {
            if char == end {
                return;
            }
            if char == '\\' {
                self.next();
            }
        }
    }

    /// The next command; `None` at the end.
    fn command(&mut self) -> Option<Found<'a>> {
        loop {
            let char = self.next()?;
            return Some(match char {
                '/' => {
                    self.delimited('/');
                    continue;
                }
                '\\' => {
                    let end = self.next()?;
                    self.delimited(end);
                    continue;
                }
                'w' | 'W' => Found::File(AccessKind::Write, self.line()),
                'r' | 'R' => Found::File(AccessKind::Read, self.line()),
                'e' => Found::Run(self.lines()),
                'a' | 'i' | 'c' => {
                    self.text();
                    Found::Nothing
                }
                ':' | 'b' | 't' | 'T' => {
                    let end = self.rest.find(['\n', ';']).unwrap_or(self.rest.len());
                    self.skip(end);
                    Found::Nothing
                }
                '#' => {
                    self.line();
                    Found::Nothing
                }
                'y' => {
                    let end = self.next()?;
                    self.delimited(end);
                    self.delimited(end);
                    Found::Nothing
                }
                's' => {
                    let end = self.next()?;
                    self.delimited(end);
                    self.delimited(end);
                    self.flags()
                }
                _ => continue,
            });
        }
    }

    /// The text of `a`, `i` and `c`: up to a line end that no backslash quotes.
    fn text(&mut self) {
        while let Some(char) = self.next() {
            match char {
                '\n' => return,
                '\\' => {
                    self.next();
                }
                _ => {}
            }
        }
    }

    fn flags(&mut self) -> Found<'a> {
        let mut run = false;
        while let Some(char) = self.rest.chars().next() {
            match char {
                'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' => self.skip(1),
                'e' => {
                    run = true;
                    self.skip(1);
                }
                'w' => {
                    self.skip(1);
                    return Found::File(AccessKind::Write, self.line());
                }
                _ => break,
            }
        }
        if run { Found::Run("") } else { Found::Nothing }
    }
}
