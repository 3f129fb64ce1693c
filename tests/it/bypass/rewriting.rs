//! The catalogue of ways to write a command otherwise: `rewritings.toml`.

use serde::Deserialize;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    /// The families, in the order in which they are shown.
    pub family: Vec<Family>,
}

/// Rewritings of one kind.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Family {
    /// What they have in common.
    pub name: String,
    /// Why those may be missed that do not say it themselves.
    #[serde(default)]
    pub unseen: String,
    /// The rewritings.
    pub variants: Vec<Rewriting>,
}

/// A text with places for parts of a command.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum Rewriting {
    /// The text alone.
    Plain(String),
    /// The text, and why it may be missed.
    Noted {
        /// The text.
        text: String,
        /// Why it may be missed, and what would catch it.
        unseen: String,
    },
}

impl Rewriting {
    /// The text, places and all.
    pub fn text(&self) -> &str {
        match self {
            Self::Plain(text) | Self::Noted { text, .. } => text,
        }
    }

    /// Why it may be missed; empty where it may not.
    pub fn unseen(&self) -> &str {
        match self {
            Self::Plain(_) => "",
            Self::Noted { unseen, .. } => unseen,
        }
    }
}

/// The catalogue.
pub fn catalogue() -> Catalogue {
    toml::from_str(include_str!("rewritings.toml")).unwrap()
}

/// A command that is to be written otherwise.
pub struct Command<'a> {
    /// Its text.
    pub script: String,
    /// Its words, where it is one program with arguments. None needs quoting.
    pub words: &'a [String],
    /// The program with the folder it lies in.
    pub path: &'a str,
}

impl Command<'_> {
    /// `template` with every place filled; `None` where it has a place for something that this command lacks.
    ///
    /// # Panics
    ///
    /// Where the catalogue names a place that there is not.
    pub fn rewritten(&self, template: &str) -> Option<String> {
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, name, after)) = first_place(rest) {
            text.push_str(before);
            text.push_str(&self.part(name)?);
            rest = after;
        }
        text.push_str(rest);
        Some(text)
    }

    fn part(&self, name: &str) -> Option<String> {
        let script = &*self.script;
        let program = self.words.first().map(String::as_str);
        let letters = |each: fn(char) -> String| program.map(|program| program.chars().map(each).collect());
        let (first, rest) = program.map(|program| program.split_at(1)).unzip();
        Some(match name {
            "script" => script.to_owned(),
            "words" => program.map(|_| script.to_owned())?,
            "quoted" => quoted(script),
            "quoted-words" => program.map(|_| quoted(script))?,
            "double" => prefixed(script, &['\\', '"', '$', '`']),
            "backquoted" => prefixed(script, &['\\', '`', '$']),
            "base64" => base(script, 6),
            "base64-twice" => base(&base(script, 6), 6),
            "base64-program" => base(program?, 6),
            "base32" => base(script, 5),
            "hex" => script.bytes().map(|byte| format!("{byte:02x}")).collect(),
            "octal" => script.bytes().map(|byte| format!("\\{byte:03o}")).collect(),
            "octal0" => script.bytes().map(|byte| format!("\\0{byte:03o}")).collect(),
            "ansi-script" => script.bytes().map(|byte| format!("\\x{byte:02x}")).collect(),
            "reversed" => script.chars().rev().collect(),
            "reversed-program" => program?.chars().rev().collect(),
            "rot13" => script.chars().map(turned).collect(),
            "program" => program?.to_owned(),
            "arguments" => self.words.get(1..).filter(|_| program.is_some())?.join(" "),
            "commas" => program.map(|_| self.words.join(","))?,
            "json" => program.map(|_| format!("{:?}", self.words))?,
            "path" => program.map(|_| self.path.to_owned())?,
            "first" => first?.to_owned(),
            "rest" => rest?.to_owned(),
            "halves" => format!("{}''{}", first?, rest?),
            "double-halves" => format!("{}\"{}\"", first?, rest?),
            "each" => letters(|letter| format!("'{letter}'"))?,
            "escaped" => letters(|letter| format!("\\{letter}"))?,
            "upper" => program?.to_uppercase(),
            "capital" => format!("{}{}", first?.to_uppercase(), rest?),
            "ansi-hex" => letters(|letter| format!("\\x{:02x}", u32::from(letter)))?,
            "ansi-octal" => letters(|letter| format!("\\{:03o}", u32::from(letter)))?,
            "ansi-unicode" => letters(|letter| format!("\\u{:04x}", u32::from(letter)))?,
            "glob" => format!("{}?", without_last(program.map(|_| self.path)?)),
            "star" => format!("{}*", without_last(program.map(|_| self.path)?)),
            "class" => {
                let (folder, name) = program.and(self.path.rsplit_once('/'))?;
                let (first, rest) = name.split_at(1);
                format!("{folder}/[{first}]{rest}")
            }
            other => panic!("rewritings.toml: there is no place %{other}%"),
        })
    }
}

/// The text before the first place, the place's name, and the text behind it.
fn first_place(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let (start, behind) = (from + text.get(from..)?.find('%')?, |at: usize| text.get(at + 1..));
        let (name, after) = behind(start)?.split_once('%')?;
        if name.len() > 1 && name.chars().all(|letter| letter.is_ascii_lowercase() || matches!(letter, '-' | '0'..='9'))
        {
            return Some((text.get(..start)?, name, after));
        }
        from = start + 1;
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn prefixed(text: &str, special: &[char]) -> String {
    text.chars().flat_map(|letter| special.contains(&letter).then_some('\\').into_iter().chain([letter])).collect()
}

fn without_last(text: &str) -> &str {
    text.get(..text.len() - 1).unwrap_or_default()
}

/// The letter thirteen places on.
fn turned(letter: char) -> char {
    let from = |first: u8| char::from(first + (letter as u8 - first + 13) % 26);
    match letter {
        'a'..='z' => from(b'a'),
        'A'..='Z' => from(b'A'),
        other => other,
    }
}

/// RFC 4648: base64 with 6 bits a digit, base32 with 5, padded.
fn base(text: &str, bits: usize) -> String {
    let digits = if bits == 6 {
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    } else {
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
    };
    let binary: Vec<u8> = text.bytes().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect();
    let mut encoded: String = binary
        .chunks(bits)
        .map(|chunk| chunk.iter().chain([&0; 8]).take(bits).fold(0, |value, bit| value << 1 | usize::from(*bit)))
        .filter_map(|value| digits.chars().nth(value))
        .collect();
    let group = if bits == 6 { 4 } else { 8 };
    while !encoded.len().is_multiple_of(group) {
        encoded.push('=');
    }
    encoded
}

#[test]
fn encodings_are_those_of_the_standard() {
    assert_eq!((base("fooba", 6), base("foob", 5)), ("Zm9vYmE=".into(), "MZXW6YQ=".into()));
    assert_eq!("Why".chars().map(turned).collect::<String>(), "Jul");
}

#[test]
fn places_are_filled_and_other_per_cent_signs_stay() {
    let words = ["rm".to_owned(), "x".to_owned()];
    let command = Command { script: "rm x".into(), words: &words, path: "/bin/rm" };
    assert_eq!(command.rewritten("printf '%s %' %quoted% %glob%").unwrap(), "printf '%s %' 'rm x' /bin/r?");
    assert_eq!(Command { words: &[], ..command }.rewritten("%upper% x"), None);
}
