//! Output that is known without running anything: `echo`, `printf`, `cat`, `base64 -d`, …

use super::Evaluator;
use super::stream::Content;
use crate::expand::ansi::{Escapes, unescaped};
use crate::reading::Output as Known;
use crate::{Piece, Span, Word};

impl<'a> Evaluator<'a> {
    /// What a program prints, where its words and its input are known.
    pub(super) fn folded(&mut self, output: Known<'a>, words: &[Word<'a>], input: Content<'a>) -> Option<Word<'a>> {
        match output {
            Known::Echo => self.echoed(words),
            Known::Printf => self.formatted(words),
            Known::Copy => match input {
                Content::Text(word) => Some(word),
                _ => None,
            },
            Known::Translated => {
                let operands: Option<Vec<&str>> = words.iter().skip(1).map(|word| word.known()).collect();
                let operands = operands?;
                self.decoded(input, |text| translated(text, &operands))
            }
            Known::Substituted => {
                let operands: Option<Vec<&str>> = words.iter().skip(1).map(|word| word.known()).collect();
                let operands = operands?;
                self.decoded(input, |text| substituted(text, &operands))
            }
            Known::Base64Decoded => self.decoded(input, base64),
            Known::Base32Decoded => self.decoded(input, base32),
            Known::Silent => Some(Word::EMPTY),
            Known::HexDecoded => self.decoded(input, hexadecimal),
            Known::Reversed => self.decoded(input, |text| {
                let lines: Vec<String> = text.split('\n').map(|line| line.chars().rev().collect()).collect();
                Some(lines.join("\n"))
            }),
            Known::Date => self.dated(words),
            Known::Sequence => self.counted(words),
            Known::BaseName => self.base_name_printed(words),
            Known::FolderName => self.folder_name_printed(words),
            Known::Located => self.located(words),
            Known::Shape(_)
            | Known::Lines
            | Known::Unknown
            | Known::Emitted(_)
            | Known::Directory
            | Known::Temporary
            | Known::Found
            | Known::Named { .. }
            | Known::Operands => None,
        }
    }

    fn decoded(&mut self, input: Content<'a>, decode: impl Fn(&str) -> Option<String>) -> Option<Word<'a>> {
        let Content::Text(Word::Text(text)) = input else { return None };
        self.spend(text.len());
        decode(text).map(|decoded| Word::Text(self.arena.alloc_str(&decoded)))
    }

    /// `echo`: its words joined by blanks (POSIX XCU echo; bash manual, section 4.2).
    fn echoed(&mut self, words: &[Word<'a>]) -> Option<Word<'a>> {
        let mut words = words.iter().skip(1).copied().peekable();
        let (mut newline, mut escapes) = (true, false);
        while let Some(options) = words.peek().and_then(|word| word.known()) {
            let Some(letters) =
                options.strip_prefix('-').filter(|l| !l.is_empty() && l.chars().all(|c| "neE".contains(c)))
            else {
                break;
            };
            for letter in letters.chars() {
                match letter {
                    'n' => newline = false,
                    letter => escapes = letter == 'e',
                }
            }
            words.next();
        }
        let mut all = Vec::new();
        for (index, word) in words.enumerate() {
            if index > 0 {
                all.push(Word::Text(" "));
            }
            // dash and zsh read escapes without `-e`; text that holds none is the same everywhere.
            if escapes || word.pieces().any(|piece| matches!(piece, Piece::Text(text) if text.contains('\\'))) {
                let text = word.known()?;
                if escapes {
                    all.push(Word::Text(self.arena.alloc_str(&unescaped(text, Escapes::Echo)?)));
                    continue;
                }
            }
            if word.may_split() && word.known().is_none() {
                return None;
            }
            all.push(word);
        }
        if newline {
            all.push(Word::Text("\n"));
        }
        Some(crate::expand::concatenated(self, &all, Span::default()))
    }

    /// `printf`: its format, used again while words are left (POSIX XCU printf).
    fn formatted(&mut self, words: &[Word<'a>]) -> Option<Word<'a>> {
        let mut words = words.iter().skip(1).copied().collect::<Vec<_>>();
        match words.first().and_then(|word| word.known()) {
            Some("--") => {
                words.remove(0);
            }
            Some(option) if option.starts_with("-v") => return None,
            _ => {}
        }
        let (format, rest) = words.split_first()?;
        let format = format.known()?;
        let mut out: Vec<Word<'a>> = Vec::new();
        let mut rest = rest.iter();
        let mut rounds = 0;
        loop {
            let before = rest.len();
            self.format(format, &mut rest, &mut out)?;
            rounds += 1;
            if rest.len() == 0 || rest.len() == before || rounds > 256 {
                break;
            }
        }
        (rest.len() == 0).then(|| crate::expand::concatenated(self, &out, Span::default()))
    }

    fn format(
        &mut self,
        format: &'a str,
        rest: &mut std::slice::Iter<'_, Word<'a>>,
        out: &mut Vec<Word<'a>>,
    ) -> Option<()> {
        self.spend(format.len());
        let mut tail = format;
        while let Some(at) = tail.find('%') {
            let (before, behind) = tail.split_at_checked(at)?;
            self.literal(before, out)?;
            let ends = |c: char| c.is_ascii_alphabetic() || c == '%';
            let length = behind.get(1..)?.find(ends)? + 2;
            let (directive, behind) = behind.split_at_checked(length)?;
            tail = behind;
            match directive {
                "%%" => out.push(Word::Text("%")),
                "%s" => out.push(rest.next().copied().unwrap_or(Word::EMPTY)),
                "%b" => {
                    let text = rest.next().map_or(Some(""), |word| word.known())?;
                    out.push(Word::Text(self.arena.alloc_str(&unescaped(text, Escapes::Echo)?)));
                }
                "%c" => {
                    let text = rest.next().map_or(Some(""), |word| word.known())?;
                    let end = text.chars().next().map_or(0, char::len_utf8);
                    out.push(Word::Text(text.get(..end)?));
                }
                "%d" | "%i" | "%u" | "%o" | "%03o" | "%x" | "%02x" | "%X" => {
                    let text = rest.next().map_or(Some("0"), |word| word.known())?;
                    let number: i64 = match text.strip_prefix(['\'', '"']) {
                        Some(character) => i64::from(u32::from(character.chars().next()?)),
                        // `printf` takes a number, not an expression.
                        None => text.parse().ok().filter(|_| text == "0" || !text.starts_with('0'))?,
                    };
                    let formatted = match directive {
                        "%o" => format!("{number:o}"),
                        "%03o" => format!("{number:03o}"),
                        "%x" => format!("{number:x}"),
                        "%02x" => format!("{number:02x}"),
                        "%X" => format!("{number:X}"),
                        _ => number.to_string(),
                    };
                    out.push(Word::Text(self.arena.alloc_str(&formatted)));
                }
                _ => return None,
            }
        }
        self.literal(tail, out)
    }

    /// Text of a format, its escapes read.
    fn literal(&mut self, text: &'a str, out: &mut Vec<Word<'a>>) -> Option<()> {
        if text.contains('\\') {
            out.push(Word::Text(self.arena.alloc_str(&unescaped(text, Escapes::Printf)?)));
        } else if !text.is_empty() {
            out.push(Word::Text(text));
        }
        Some(())
    }
}

/// `tr SET1 SET2` and `tr -d SET1` with plain characters and ranges (POSIX XCU tr).
fn translated(text: &str, operands: &[&str]) -> Option<String> {
    // GNU tr reads bytes, others characters: which of them makes no difference to letters of one byte.
    if !operands.iter().all(|operand| operand.is_ascii()) {
        return None;
    }
    match operands {
        ["-d", from] => {
            let from = set(from)?;
            Some(text.chars().filter(|c| !from.contains(c)).collect())
        }
        [from, to] if !from.starts_with('-') => {
            let (from, to) = (set(from)?, set(to)?);
            let last = to.last()?;
            let by = |c: char| from.iter().rposition(|other| *other == c).map_or(c, |at| *to.get(at).unwrap_or(last));
            Some(text.chars().map(by).collect())
        }
        _ => None,
    }
}

/// The characters of a set of `tr`; `None` where it holds classes, escapes or repeats.
fn set(text: &str) -> Option<Vec<char>> {
    if text.contains(['[', '\\']) || text.is_empty() {
        return None;
    }
    let chars: Vec<char> = text.chars().collect();
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(from) = chars.get(at) {
        match (chars.get(at + 1), chars.get(at + 2)) {
            (Some('-'), Some(to)) if from <= to => {
                all.extend(*from..=*to);
                at += 3;
            }
            _ => {
                all.push(*from);
                at += 1;
            }
        }
    }
    (all.len() <= 4096).then_some(all)
}

/// `sed s/PLAIN/PLAIN/` and `s/PLAIN/PLAIN/g` on each line; `None` for any other script.
fn substituted(text: &str, operands: &[&str]) -> Option<String> {
    let script = match operands {
        [script] | ["-e", script] => script.strip_prefix('s')?,
        _ => return None,
    };
    let delimiter = script.chars().next().filter(|c| !c.is_alphanumeric() && !matches!(c, '\\' | '\n'))?;
    let mut parts = script.split(delimiter).skip(1);
    let (from, to, flags) = (parts.next()?, parts.next()?, parts.next()?);
    let plain = |text: &str, special: &[char]| !text.contains(special);
    if parts.next().is_some() || !plain(to, &['\\', '&', '\n']) || !matches!(flags, "" | "g") {
        return None;
    }
    // The beginning or the end of each line.
    let line = |line: &str| match from {
        "^" => Some(format!("{to}{line}")),
        "$" => Some(format!("{line}{to}")),
        "" => None,
        from if !plain(from, &['\\', '.', '*', '[', ']', '^', '$', '\n']) => None,
        from if flags == "g" => Some(line.replace(from, to)),
        from => Some(line.replacen(from, to, 1)),
    };
    let lines: Option<Vec<String>> = text.strip_suffix('\n').unwrap_or(text).split('\n').map(line).collect();
    let mut all = lines?.join("\n");
    if text.ends_with('\n') {
        all.push('\n');
    }
    Some(all)
}

/// Base64 (RFC 4648), white space passed over; `None` where it is not, or is not UTF-8.
fn base64(text: &str) -> Option<String> {
    digits(text, 6, |byte| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'a'..=b'z' => Some(byte - b'a' + 26),
        b'0'..=b'9' => Some(byte - b'0' + 52),
        b'+' | b'-' => Some(62),
        b'/' | b'_' => Some(63),
        _ => None,
    })
}

/// Base32 (RFC 4648), white space passed over; `None` where it is not, or is not UTF-8.
fn base32(text: &str) -> Option<String> {
    digits(text, 5, |byte| match byte {
        b'A'..=b'Z' => Some(byte - b'A'),
        b'2'..=b'7' => Some(byte - b'2' + 26),
        _ => None,
    })
}

/// The bytes of digits that stand for so many bits each.
fn digits(text: &str, width: u32, value: impl Fn(u8) -> Option<u8>) -> Option<String> {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut bits = 0_u32;
    let mut count = 0_u32;
    for byte in text.bytes().filter(|b| !b.is_ascii_whitespace() && *b != b'=') {
        bits = (bits << width) | u32::from(value(byte)?);
        count += width;
        if count >= 8 {
            count -= 8;
            out.push(u8::try_from((bits >> count) & 0xff).ok()?);
        }
    }
    String::from_utf8(out).ok().filter(|text| !text.contains('\0'))
}

/// Pairs of hexadecimal digits, white space passed over.
fn hexadecimal(text: &str) -> Option<String> {
    let digits: Vec<u32> =
        text.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_digit(16)).collect::<Option<_>>()?;
    let bytes: Option<Vec<u8>> = digits
        .chunks_exact(2)
        .map(|pair| match pair {
            [high, low] => u8::try_from(high * 16 + low).ok(),
            _ => None,
        })
        .collect();
    String::from_utf8(bytes?).ok().filter(|text| !text.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arena, NoFiles, Programs, Start, analyze};

    #[test]
    fn what_is_printed_into_a_shell_is_read() {
        let rows = [
            (r#"printf "rm %s" x | sh"#, "x"),
            (r"printf '%s %s\n' rm x | sh", "x"),
            (r"printf 'rm \170' | sh", "x"),
            (r"printf '%b' 'rm \0170' | sh", "x"),
            (r"printf 'rm %c%%' xyz | sh", "x%"),
            (r"printf 'rm \x%x' 120 | sh", "x78"),
            (r"echo -e 'rm \x78' | sh", "x"),
            (r"echo -n rm x | sh", "x"),
            (r"printf '%d' 7 | xargs rm", "7"),
            (r"echo ez k | tr a-zA-Z n-za-mN-ZA-M | sh", "x"),
            (r"echo rqm x | tr -d q | sh", "x"),
            (r"echo cp x | sed s/cp/rm/ | sh", "x"),
            (r"echo x | sed 's/^/rm /' | sh", "x"),
            (r"echo rm x | tee f; sh f", "x"),
        ];
        for (text, operand) in rows {
            let arena = Arena::new();
            let start = Start {
                directory: Some("/w"),
                home: None,
                user: None,
                temporary: None,
                variables: &[],
                programs: Programs::builtin(),
                files: &NoFiles,
            };
            let analysis = analyze(&arena, text, &start);
            let found = analysis.invocations.iter().any(|one| one.words == [Word::Text("rm"), Word::Text(operand)]);
            assert!(found, "{text}: {:?}", analysis.invocations.iter().map(|one| one.words).collect::<Vec<_>>());
        }
    }

    #[test]
    fn encodings_are_read_back() {
        assert_eq!(base64("cm0gLXJmIC8K").as_deref(), Some("rm -rf /\n"));
        assert_eq!(base64("cm0g\nLXJmIC8K").as_deref(), Some("rm -rf /\n"));
        assert_eq!(base64("!").as_deref(), None);
        assert_eq!(base32("OJWSALLSMYQHQ===").as_deref(), Some("rm -rf x"));
        assert_eq!(base32("ojws").as_deref(), None);
        assert_eq!(hexadecimal("726d202d7266").as_deref(), Some("rm -rf"));
        assert_eq!(hexadecimal("zz").as_deref(), None);
    }
}
