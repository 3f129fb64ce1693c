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
    // Seds differ in whether a delimiter inside of brackets ends the text: what either does counts.
    let mut seen = Vec::new();
    for brackets in [true, false] {
        let mut scanner = Scanner { rest: text, brackets };
        while let Some(found) = scanner.command() {
            if !matches!(found, Found::Nothing) && !seen.contains(&found) {
                seen.push(found);
            }
        }
        if !text.contains('[') {
            break;
        }
    }
    for found in seen {
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

#[derive(Clone, Copy, PartialEq, Eq)]
enum Found<'a> {
    Nothing,
    File(AccessKind, &'a str),
    Run(&'a str),
}

struct Scanner<'a> {
    rest: &'a str,
    /// Whether a bracket expression holds delimiters as they are.
    brackets: bool,
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

    /// Skips to behind the next `end` that no backslash quotes.
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

    /// Skips to behind the next `end` that ends a regular expression.
    fn expression(&mut self, end: char) {
        while let Some(char) = self.next() {
            match char {
                _ if char == end => return,
                '\\' => {
                    self.next();
                }
                '[' if self.brackets => {
                    // A `]` that comes first, or behind `^`, is one of the characters (POSIX XBD 9.3.5).
                    self.rest = self.rest.strip_prefix('^').unwrap_or(self.rest);
                    self.rest = self.rest.strip_prefix(']').unwrap_or(self.rest);
                    let close = self.rest.find(']').map_or(self.rest.len(), |at| at + 1);
                    self.skip(close);
                }
                _ => {}
            }
        }
    }

    /// Skips to behind the next `end`, as [`Self::delimited`]; whether there is one, and no bracket is open in front of it:
    /// seds differ in whether it ends the text there.
    fn is_delimited(&mut self, end: char) -> bool {
        let before = self.rest;
        self.delimited(end);
        let skipped = before.get(..before.len() - self.rest.len()).unwrap_or_default();
        let open = skipped.rfind('[').is_some_and(|open| !skipped.get(open..).unwrap_or_default().contains(']'));
        skipped.ends_with(end) && !open
    }

    /// The next command; `None` at the end.
    fn command(&mut self) -> Option<Found<'a>> {
        loop {
            let char = self.next()?;
            return Some(match char {
                '/' => {
                    self.expression('/');
                    continue;
                }
                '\\' => {
                    let end = self.next()?;
                    self.expression(end);
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
                    self.expression(end);
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

/// Whether a script of sed holds nothing but addresses and commands that change the text on its way (POSIX XCU sed; GNU sed
/// manual, chapters 3 and 4): none of them runs a command or names a file. What is not wholly understood may.
pub(crate) fn only_computes(script: &str) -> bool {
    let mut scanner = Scanner { rest: script, brackets: false };
    while let Some(char) = scanner.next() {
        let understood = match char {
            ' ' | '\t' | ';' | '\n' | '{' | '}' | '!' | ',' | '$' | '~' | '+' | '0'..='9' => true,
            'p' | 'P' | 'd' | 'D' | 'n' | 'N' | 'g' | 'G' | 'h' | 'H' | 'x' | 'l' | '=' | 'q' | 'Q' | 'z' | 'F' => true,
            '/' => {
                let closed = scanner.is_delimited('/');
                scanner.rest = scanner.rest.trim_start_matches(['I', 'M']);
                closed
            }
            's' => {
                let end = scanner.next();
                let delimits = |end: char| !end.is_alphanumeric() && !end.is_whitespace() && end != '\\';
                end.filter(|end| delimits(*end)).is_some_and(|end| {
                    scanner.is_delimited(end)
                        && scanner.is_delimited(end)
                        && matches!(scanner.flags(), Found::Nothing)
                        && scanner.rest.chars().next().is_none_or(|next| " \t;\n}#".contains(next))
                })
            }
            'y' => scanner.next().is_some_and(|end| scanner.is_delimited(end) && scanner.is_delimited(end)),
            ':' | 'b' | 't' | 'T' => {
                let label = scanner.rest.find(['\n', ';']).unwrap_or(scanner.rest.len());
                scanner.skip(label);
                true
            }
            '#' => {
                scanner.line();
                true
            }
            _ => false,
        };
        if !understood {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::only_computes;

    #[test]
    fn scripts_that_only_compute_are_told_from_others() {
        for script in [
            "",
            "p",
            "1,5p",
            "$!d",
            "/a/,/b/p",
            "/^#/d;s/a/b/",
            "s/a/b/g",
            "s|/usr|/opt|gI",
            "s/a\\/b/c/2p",
            "y/abc/xyz/",
            "$=",
            ":a;N;$!ba;s/\n/ /g",
            "0~3d",
            "/x/I{s/a/b/;p}",
            "s#a#b# # a comment",
            "/w x/d",
            "s/x/w y/",
            "s/e/f/",
        ] {
            assert!(only_computes(script), "{script}");
        }
        for script in [
            "s/[/]/-/",
            "s/a/b/e",
            "s/a/b/ge",
            "s/a/b/w f",
            "w f",
            "1w f",
            "r f",
            "R f",
            "W f",
            "e",
            "1e date",
            "e rm x",
            "/a/e ls",
            "s/a/b/;e ls",
            "s/a/b",
            "s/a",
            "/a",
            "y/a/b",
            "s/a/b/x",
            "s/a/b/ew",
            "a\\",
            "s/a/b\\",
            "s\na\nb\n",
            "{p;w f\n}",
            "i\\",
            "c x",
            "v",
            "s/a/b/\\",
        ] {
            assert!(!only_computes(script), "{script}");
        }
    }
}
