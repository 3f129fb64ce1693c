//! Texts with places for parts of a command: `bash -c %script:quoted%`.
//!
//! A place is a part and the ways in which it is spelled, from the inside to the outside.

use crate::command::{Command, Shape, Word};
use crate::spelling;

/// A place: its part, and how that is spelled.
struct Place<'a> {
    part: &'a str,
    spellings: &'a str,
}

/// The least form that a command must have for `template`.
pub(crate) fn needed(template: &str) -> Shape {
    let mut rest = template;
    let mut needed = Shape::Script;
    while let Some((_, place, after)) = first_place(rest) {
        needed = needed.max(match (place.part, place.spellings) {
            ("words", spellings) if !spellings.contains("commas") && !spellings.contains("list") => Shape::Simple,
            ("script" | "mark" | "file", _) => Shape::Script,
            _ => Shape::Words,
        });
        rest = after;
    }
    needed
}

/// `template` filled with the parts of `command`; `None` where it has a place that the command cannot fill.
pub(crate) fn filled(template: &str, gives: Shape, command: &Command) -> Option<Command> {
    if command.shape() < needed(template) {
        return None;
    }
    let written = match gives {
        Shape::Words if command.shape() == Shape::Words => Command::spelled(words(template, command)?),
        Shape::Words => Command::new(text(template, command)?, Shape::Simple),
        shape => Command::new(text(template, command)?, shape),
    };
    Some(written.made_of(command))
}

/// The words of a template whose blanks are outside of its places: a wrapper's, and the command's as they are spelled.
fn words(template: &str, command: &Command) -> Option<Vec<Word>> {
    let (program, arguments) = command.spelled_words().split_first()?;
    let mut words = Vec::new();
    for piece in template.split(' ') {
        match piece {
            "%words%" => words.extend(command.spelled_words().iter().cloned()),
            "%arguments%" => words.extend(arguments.iter().cloned()),
            _ => {
                let spelling = text(piece, command)?;
                let value = match first_place(piece) {
                    Some((_, Place { part: "path", spellings: "" }, _)) | None => spelling.clone(),
                    Some(_) => program.value.clone(),
                };
                words.push(Word { value, spelling });
            }
        }
    }
    Some(words)
}

fn text(template: &str, command: &Command) -> Option<String> {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, place, after)) = first_place(rest) {
        text.push_str(before);
        if place.part == "script" && place.spellings.is_empty() && !stands(before, after, command) {
            return None;
        }
        let part = place.of(command)?;
        // Two opening parentheses would begin arithmetic.
        if before.ends_with('(') && part.starts_with('(') {
            text.push(' ');
        }
        text.push_str(&part);
        rest = after;
    }
    text.push_str(rest);
    Some(text)
}

/// Whether the command's text means what it means between these.
fn stands(before: &str, after: &str, command: &Command) -> bool {
    let ends = after.is_empty() || after.starts_with('\n');
    let begins = before.is_empty() || before.ends_with('\n');
    (ends || !command.needs_line_end()) && (ends && begins || !command.is_alone())
}

/// The text before the first place, the place, and the text behind it.
fn first_place(text: &str) -> Option<(&str, Place<'_>, &str)> {
    let mut from = 0;
    loop {
        let (before, rest) = text.get(from..)?.split_once('%')?;
        let start = from + before.len();
        if let Some((name, after)) = rest.split_once('%')
            && name.len() > 1
            && name.chars().all(|letter| letter.is_ascii_lowercase() || matches!(letter, '-' | ':' | '0'..='9'))
        {
            let (part, spellings) = name.split_once(':').unwrap_or((name, ""));
            return Some((text.get(..start)?, Place { part, spellings }, after));
        }
        from = start + 1;
    }
}

impl Place<'_> {
    /// The part of `command`, spelled. What is spelled of a program is its name, not how that was spelled before.
    fn of(&self, command: &Command) -> Option<String> {
        let mut words = command.spelled_words().iter();
        let spellings = self.spellings.split(':').filter(|name| !name.is_empty());
        let mut part = match self.part {
            "script" | "words" => command.text().to_owned(),
            "program" if self.spellings.is_empty() => words.next()?.spelling.clone(),
            "program" => words.next()?.value.clone(),
            "name" => words.next()?.value.clone(),
            "first" => words.next()?.value.get(..1)?.to_owned(),
            "rest" => words.next()?.value.get(1..)?.to_owned(),
            "arguments" => words.skip(1).map(|word| &*word.spelling).collect::<Vec<_>>().join(" "),
            "path" => command.path().to_owned(),
            "mark" => fresh("E", command),
            "file" => fresh("x", command),
            _ => return None,
        };
        for name in spellings {
            part = match name {
                "commas" => joined_by_commas(command)?,
                "list" => spelling::list(command.words()),
                _ => spelling::spelled(name, &part)?,
            };
        }
        Some(part)
    }
}

/// A name that does not occur in the command: `name`, or `name` and a number.
fn fresh(name: &str, command: &Command) -> String {
    let numbered = (1_u32..).map(|number| format!("{name}{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !command.text().contains(&**name)).unwrap_or_default()
}

/// The words with commas between; `None` for one word, and for words with commas.
fn joined_by_commas(command: &Command) -> Option<String> {
    let words: Vec<&str> = command.words().collect();
    let fits = words.len() > 1 && words.iter().all(|word| !word.contains(',') && !word.is_empty());
    fits.then(|| words.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_other_per_cent_signs_stay() {
        let command = Command::from_words(["rm", "a b"]).at("/bin/rm");
        let filled = |template| filled(template, Shape::Script, &command).map(|written| written.text().to_owned());
        assert_eq!(filled("printf '%s %' %script:quoted%").unwrap(), r"printf '%s %' 'rm '\''a b'\'''");
        assert_eq!(filled("%path:star% %first%-%rest% %arguments%").unwrap(), "/b*n/rm r-m 'a b'");
        assert_eq!(filled("cat <<%mark% %file%").unwrap(), "cat <<E x");
        assert_eq!(filled("%words:list%").unwrap(), r#"["rm", "a b"]"#);
        assert_eq!(filled("%nothing%"), None);
    }

    #[test]
    fn words_keep_their_spelling_behind_a_wrapper() {
        let command = Command::from_words(["rm", "x"]);
        let quoted = filled("%program:halves% %arguments%", Shape::Words, &command).unwrap();
        let wrapped = filled("env -i %words%", Shape::Words, &quoted).unwrap();
        assert_eq!(wrapped.text(), "env -i r''m x");
        assert_eq!(wrapped.words().collect::<Vec<_>>(), ["env", "-i", "rm", "x"]);
    }

    #[test]
    fn names_are_fresh() {
        let command = Command::from_script("cat <<E > x\nE\nsh x");
        assert_eq!(filled("%mark% %file%", Shape::Script, &command).unwrap().text(), "E1 x1");
    }
}
