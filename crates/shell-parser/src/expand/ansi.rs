//! `$'…'` (bash manual, section 3.1.2.4) and the escapes of `echo -e` and `printf`.

/// Which escapes are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Escapes {
    /// `$'…'`
    Quote,
    /// `echo -e`, `printf %b`: `\0nnn`, and `\c` ends the text.
    Echo,
    /// The format of `printf`.
    Printf,
}

/// The text with its escapes read; `None` where it is not UTF-8 or holds NUL.
pub(crate) fn unescaped(text: &str, escapes: Escapes) -> Option<String> {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let Some((&letter, tail)) = rest.split_first() else {
            out.push(b'\\');
            break;
        };
        rest = tail;
        match letter {
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'e' | b'E' => out.push(27),
            b'f' => out.push(12),
            b'n' => out.push(b'\n'),
            b'r' => out.push(b'\r'),
            b't' => out.push(b'\t'),
            b'v' => out.push(11),
            b'\\' => out.push(b'\\'),
            b'\'' | b'"' | b'?' if escapes != Escapes::Echo => out.push(letter),
            b'x' => push_number(&mut out, &mut rest, 16, 2, b"\\x")?,
            b'u' => push_character(&mut out, &mut rest, 4, b"\\u")?,
            b'U' => push_character(&mut out, &mut rest, 8, b"\\U")?,
            b'c' if escapes == Escapes::Quote => {
                if let Some((&control, tail)) = rest.split_first() {
                    rest = tail;
                    out.push(control.to_ascii_uppercase() ^ 0x40);
                }
            }
            b'c' => break,
            b'0' if escapes == Escapes::Echo => push_number(&mut out, &mut rest, 8, 3, &[0])?,
            b'0'..=b'7' if escapes != Escapes::Echo => {
                let digits = [letter];
                let mut value = u32::from(digits.first()? - b'0');
                for _ in 0..2 {
                    let Some((&digit @ b'0'..=b'7', tail)) = rest.split_first() else { break };
                    value = value * 8 + u32::from(digit - b'0');
                    rest = tail;
                }
                out.push((value & 0xff).try_into().ok()?);
            }
            other => out.extend([b'\\', other]),
        }
    }
    let text = String::from_utf8(out).ok()?;
    (!text.contains('\0')).then_some(text)
}

/// The digits at the beginning of `rest`, at most `most`, as a number.
fn number(rest: &mut &[u8], radix: u32, most: usize) -> Option<u32> {
    let mut value = None;
    for _ in 0..most {
        let Some((&byte, tail)) = rest.split_first() else { break };
        let Some(digit) = char::from(byte).to_digit(radix) else { break };
        value = Some(value.unwrap_or(0_u32).wrapping_mul(radix).wrapping_add(digit));
        *rest = tail;
    }
    value
}

fn push_number(out: &mut Vec<u8>, rest: &mut &[u8], radix: u32, most: usize, otherwise: &[u8]) -> Option<()> {
    match number(rest, radix, most) {
        Some(value) => out.push((value & 0xff).try_into().ok()?),
        None => out.extend_from_slice(otherwise),
    }
    Some(())
}

fn push_character(out: &mut Vec<u8>, rest: &mut &[u8], most: usize, otherwise: &[u8]) -> Option<()> {
    match number(rest, 16, most) {
        Some(value) => {
            let mut buffer = [0; 4];
            out.extend_from_slice(char::from_u32(value)?.encode_utf8(&mut buffer).as_bytes());
        }
        None => out.extend_from_slice(otherwise),
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_as_bash_reads_them() {
        let rows = [
            (r"\x72\x6d", Escapes::Quote, Some("rm")),
            (r"\162\155", Escapes::Quote, Some("rm")),
            (r"r\u006d", Escapes::Quote, Some("rm")),
            (r"a\'b", Escapes::Quote, Some("a'b")),
            (r"\cA", Escapes::Quote, Some("\u{1}")),
            (r"\q", Escapes::Quote, Some(r"\q")),
            (r"\0", Escapes::Quote, None),
            (r"\xff", Escapes::Quote, None),
            (r"\0162m", Escapes::Echo, Some("rm")),
            (r"a\cb", Escapes::Echo, Some("a")),
            (r"\'", Escapes::Echo, Some(r"\'")),
            (r"\157k", Escapes::Printf, Some("ok")),
            ("\\", Escapes::Quote, Some("\\")),
        ];
        for (text, escapes, expected) in rows {
            assert_eq!(unescaped(text, escapes).as_deref(), expected, "{text}");
        }
    }
}
