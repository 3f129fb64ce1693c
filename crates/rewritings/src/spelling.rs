//! How a text is spelled so that a shell, a decoder or another language makes the same text of it.

use std::fmt::Write as _;

/// Whether every shell reads the text as it stands, in one word; not empty.
pub(crate) fn is_plain(text: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_./:=,+@-".contains(letter);
    !text.is_empty() && text.chars().all(plain)
}

/// `text` spelled in the way of this name; `None` where there is no such way.
pub(crate) fn spelled(name: &str, text: &str) -> Option<String> {
    let (first, rest) = text.split_at_checked(text.chars().next()?.len_utf8())?;
    Some(match name {
        "quoted" => quoted(text),
        "single" => text.replace('\'', "'\\''"),
        "double" | "here" => {
            let special: &[char] = if name == "here" { &['\\', '$', '`'] } else { &['\\', '"', '$', '`'] };
            prefixed(text, special)
        }
        "backquoted" => prefixed(text, &['\\', '`', '$']),
        "string" => prefixed(text, &['\\', '"']).replace('\n', "\\n"),
        "interpolated" => prefixed(text, &['\\', '"', '$', '@', '#', '`']).replace('\n', "\\n"),
        "backslashed" => text.replace('\\', "\\\\"),
        "make" => text.replace('$', "$$"),
        "escaped" => text.chars().flat_map(|letter| ['\\', letter]).collect(),
        "each" => text.chars().map(|letter| quoted(&letter.to_string())).collect(),
        "halves" => format!("{first}''{rest}"),
        "double-halves" => format!("{first}\"{rest}\""),
        "upper" => text.to_uppercase(),
        "capital" => format!("{}{rest}", first.to_uppercase()),
        // Programs that reverse text know its letters only in a locale that does.
        "reversed" if !text.is_ascii() => return None,
        "reversed" => text.chars().rev().collect(),
        "rot13" => text.chars().map(turned).collect(),
        "hex" => numbers(text, |code, byte| write!(code, "{byte:02x}")),
        "ansi-hex" => numbers(text, |code, byte| write!(code, "\\x{byte:02x}")),
        "ansi-octal" => numbers(text, |code, byte| write!(code, "\\{byte:03o}")),
        "ansi-unicode" => text.chars().fold(String::new(), |mut code, letter| {
            let _ = write!(code, "\\U{:08x}", u32::from(letter));
            code
        }),
        "octal0" => numbers(text, |code, byte| write!(code, "\\0{byte:03o}")),
        "base64" => base(text, 6),
        "base32" => base(text, 5),
        "any-letter" => with_folder(text, "b?n")?,
        "star" => with_folder(text, "b*n")?,
        "class" => {
            let (folder, name) = text.rsplit_once('/')?;
            let (first, rest) = name.split_at_checked(1)?;
            format!("{folder}/[{first}]{rest}")
        }
        _ => return None,
    })
}

/// The words as a list of strings, which Python, Ruby, JavaScript and JSON read alike.
pub(crate) fn list<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let strings: Vec<String> =
        words.map(|word| format!("\"{}\"", prefixed(word, &['\\', '"']).replace('\n', "\\n"))).collect();
    format!("[{}]", strings.join(", "))
}

/// In single quotes.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn prefixed(text: &str, special: &[char]) -> String {
    text.chars().flat_map(|letter| special.contains(&letter).then_some('\\').into_iter().chain([letter])).collect()
}

fn numbers(text: &str, number: impl Fn(&mut String, u8) -> std::fmt::Result) -> String {
    text.bytes().fold(String::new(), |mut code, byte| {
        let _ = number(&mut code, byte);
        code
    })
}

/// The path with its folder `bin` or `sbin` written in another way.
fn with_folder(path: &str, folder: &str) -> Option<String> {
    path.contains("bin/").then(|| path.replacen("bin/", &format!("{folder}/"), 1))
}

/// The letter thirteen places on.
fn turned(letter: char) -> char {
    let from = |first: u8, letter: char| char::from(first + (letter as u8 - first + 13) % 26);
    match letter {
        'a'..='z' => from(b'a', letter),
        'A'..='Z' => from(b'A', letter),
        other => other,
    }
}

/// RFC 4648: base64 with 6 bits a digit, base32 with 5, padded.
fn base(text: &str, bits: usize) -> String {
    let (digits, group) = match bits {
        6 => ("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 4),
        _ => ("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 8),
    };
    let binary: Vec<u8> = text.bytes().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect();
    let mut encoded: String = binary
        .chunks(bits)
        .map(|chunk| chunk.iter().chain([&0; 8]).take(bits).fold(0, |value, bit| value << 1 | usize::from(*bit)))
        .filter_map(|value| digits.chars().nth(value))
        .collect();
    while !encoded.len().is_multiple_of(group) {
        encoded.push('=');
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_those_of_the_standard() {
        assert_eq!((base("fooba", 6), base("foob", 5)), ("Zm9vYmE=".into(), "MZXW6YQ=".into()));
        assert_eq!(spelled("rot13", "Why").unwrap(), "Jul");
        assert_eq!(spelled("ansi-unicode", "é").unwrap(), "\\U000000e9");
    }

    #[test]
    fn spellings_are_read_back() {
        let check = |name: &str, text: &str, expected: &str| assert_eq!(spelled(name, text).unwrap(), expected);
        check("quoted", "a'b", r"'a'\''b'");
        check("double", r#"$x \ "q""#, r#"\$x \\ \"q\""#);
        check("here", r#"$x "q""#, r#"\$x "q""#);
        check("escaped", "rm", r"\r\m");
        check("halves", "rm", "r''m");
        check("class", "/bin/rm", "/bin/[r]m");
        check("any-letter", "/sbin/mkfs", "/sb?n/mkfs");
        assert_eq!(spelled("quoted", ""), None);
        assert_eq!(spelled("nothing", "x"), None);
    }
}
