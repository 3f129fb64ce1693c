//! Secrets that a program takes at a place of its own, as `mysql -pSECRET` does.

use std::borrow::Cow;
use std::sync::OnceLock;

use serde::Deserialize;
use shell_parser::{Analysis, Arena, NoFiles, Piece, Programs, Span, Start, Word, analyze, analyze_words};

use super::input::{CHAIN, take_input};
use super::name::is_secret_name;
use super::written::written_parts;

/// `commands.toml`.
#[derive(Deserialize)]
struct Commands {
    command: Vec<Command>,
}

/// Where programs take secrets; `commands.toml` says what each member means.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Command {
    programs: Vec<String>,
    when: Vec<String>,
    attached: Vec<String>,
    options: Vec<String>,
    pairs: Vec<String>,
    separators: Option<String>,
    behind: Vec<String>,
    last: bool,
    named: bool,
    values: bool,
    input: bool,
}

/// The table of `commands.toml`; empty where it cannot be read, which a test rules out.
fn commands() -> &'static [Command] {
    static COMMANDS: OnceLock<Vec<Command>> = OnceLock::new();
    COMMANDS.get_or_init(|| {
        toml::from_str(include_str!("commands.toml")).map(|commands: Commands| commands.command).unwrap_or_default()
    })
}

/// Stands in a word for what is not known of it.
const UNKNOWN: char = '\0';

/// The text of a word.
fn text_of(word: Word<'_>) -> Cow<'_, str> {
    match word.known() {
        Some(text) => Cow::Borrowed(text),
        None => {
            let piece = |piece| match piece {
                Piece::Text(text) | Piece::Glob(text) => text,
                Piece::Unknown(_) => "\0",
            };
            word.pieces().map(piece).collect()
        }
    }
}

/// The secrets that the programs of a shell text take, each without quotes and as it is written; and the words that
/// they stand in, for what shows itself in them.
pub(crate) fn taken_secrets(text: &str, take: &mut dyn FnMut(Taken<'_>)) {
    let arena = Arena::new();
    read(text, &analyze(&arena, text, &start()), take);
}

/// The same of one program's words.
pub(crate) fn taken_secrets_of_words(words: &[&str], take: &mut dyn FnMut(Taken<'_>)) {
    let arena = Arena::new();
    let (text, analysis) = analyze_words(&arena, words, &start());
    read(text, &analysis, take);
}

/// What was found.
pub(crate) enum Taken<'t> {
    /// A secret.
    Secret(&'t str),
    /// A word that the shell made, and its text; a secret in it may show itself.
    Word {
        /// Without its quotes.
        word: &'t str,
        /// As it is written.
        written: &'t str,
    },
}

fn start() -> Start<'static> {
    Start {
        directory: None,
        home: None,
        user: None,
        temporary: None,
        variables: &[],
        programs: Programs::builtin(),
        files: &NoFiles,
    }
}

fn read(text: &str, analysis: &Analysis<'_>, take: &mut dyn FnMut(Taken<'_>)) {
    let written = |span: Span| text.get(span.start as usize..span.end as usize).unwrap_or_default();
    for assignment in &analysis.assignments {
        if let (Some(name), Some(value)) = (assignment.name.known(), assignment.value.known())
            && is_secret_name(name)
        {
            take(Taken::Secret(value));
            if let Some((_, value)) = written(assignment.span).split_once('=') {
                take(Taken::Secret(value));
            }
        }
    }
    for (number, invocation) in analysis.invocations.iter().enumerate() {
        let texts: Vec<Cow<'_, str>> = invocation.words.iter().map(|word| text_of(*word)).collect();
        let words: Vec<&str> = texts.iter().map(|text| &**text).collect();
        for (word, span) in words.iter().zip(invocation.spans) {
            take(Taken::Word { word, written: written(*span) });
        }
        let Some((name, rest)) = words.split_first() else { continue };
        let name = name.rsplit('/').next().unwrap_or_default();
        let mut secret = |at: usize, offset: usize| {
            let (Some(word), Some(span)) = (words.get(at), invocation.spans.get(at)) else { return };
            let Some(secret) = word.get(offset..) else { return };
            // Of a word that is not wholly known, what is known.
            if secret.contains(UNKNOWN) {
                secret.split(UNKNOWN).for_each(|part| take(Taken::Secret(part)));
                return;
            }
            take(Taken::Secret(secret));
            for part in written_parts(word, written(*span), &[(offset, secret.len())]) {
                take(Taken::Secret(part));
            }
        };
        let meant: Vec<&Command> = commands().iter().filter(|command| command.means(name, rest)).collect();
        for command in &meant {
            command.find(&words, &mut secret);
        }
        for (at, word) in words.iter().enumerate() {
            if let Some(offset) = behind_header(word) {
                secret(at, offset);
            }
            if names_next(word) && words.get(at + 1).is_some_and(|next| is_value(next)) {
                secret(at + 1, 0);
            }
        }
        if meant.iter().any(|command| command.input) {
            take_input(text, analysis, number, CHAIN, take);
        }
    }
}

impl Command {
    /// Whether the entry is about this program with these words.
    fn means(&self, name: &str, rest: &[&str]) -> bool {
        let has = |list: &[String], word: &str| list.iter().any(|one| one == word);
        has(&self.programs, name) && (self.when.is_empty() || rest.iter().any(|word| has(&self.when, word)))
    }

    /// Finds the secrets of an invocation: the word and the offset in it.
    fn find(&self, words: &[&str], secret: &mut dyn FnMut(usize, usize)) {
        let separators = self.separators.as_deref().unwrap_or(":%,");
        for (at, word) in words.iter().enumerate().skip(1) {
            let next = |secret: &mut dyn FnMut(usize, usize), offset: &dyn Fn(&str) -> usize| {
                if let Some(next) = words.get(at + 1).filter(|next| !next.starts_with('-')) {
                    secret(at + 1, offset(next));
                }
            };
            for option in &self.attached {
                if word.len() > option.len() && word.starts_with(option.as_str()) {
                    secret(at, option.len());
                }
            }
            for option in &self.options {
                match value(word, option) {
                    Some(0) => next(secret, &|_| 0),
                    Some(offset) => secret(at, offset),
                    None => {}
                }
            }
            for option in self.pairs.iter().filter(|option| !option.is_empty()) {
                match value(word, option) {
                    Some(0) => next(secret, &|pair| behind_name(pair, separators)),
                    Some(offset) => {
                        secret(at, offset + behind_name(word.get(offset..).unwrap_or_default(), separators))
                    }
                    None => {}
                }
            }
            let is_behind = |name: &String| match name.strip_suffix('*') {
                Some(prefix) => word.starts_with(prefix),
                None => word == name,
            };
            if self.behind.iter().any(is_behind) || self.named && is_secret_name(word) {
                next(secret, &|_| 0);
            }
            if self.values
                && !word.starts_with('-')
                && let Some((name, _)) = word.split_once('=')
            {
                secret(at, name.len() + 1);
            }
        }
        let last = words.len().saturating_sub(1);
        if self.last && last > 1 && words.last().is_some_and(|word| !word.starts_with('-')) {
            secret(last, 0);
        }
        if self.pairs.iter().any(String::is_empty) {
            for (at, word) in words.iter().enumerate().skip(1).filter(|(_, word)| word.contains([':', '/', '@'])) {
                let offset = behind_name(word, separators);
                if offset > 0 {
                    secret(at, offset);
                }
            }
        }
    }
}

/// Where the value of an option stands in a word: 0, in the next word; `None`: the word is not that option.
fn value(word: &str, option: &str) -> Option<usize> {
    if ends_cluster(word, option) {
        return Some(0);
    }
    let rest = word.strip_prefix(option)?;
    match rest.strip_prefix('=') {
        _ if rest.is_empty() => Some(0),
        Some(_) => Some(option.len() + 1),
        // `-aSECRET`; a long option has its value behind `=`.
        None if !option.starts_with("--") => Some(option.len()),
        None => None,
    }
}

/// Whether an option of one letter ends a cluster of such (`-su`), its value in the next word.
fn ends_cluster(word: &str, option: &str) -> bool {
    let (Some(letters), Some(letter)) = (word.strip_prefix('-'), option.strip_prefix('-')) else { return false };
    letter.len() == 1
        && letters
            .strip_suffix(letter)
            .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|character| character.is_ascii_alphabetic()))
}

/// Where the secret begins in a word that is a whole header (`X-Api-Key: secret`).
fn behind_header(word: &str) -> Option<usize> {
    let (name, value) = word.split_once(':')?;
    let is_header = name.contains('-') || ["authorization", "cookie"].contains(&name.to_lowercase().as_str());
    let is_token = name.chars().all(|character| character.is_ascii_alphanumeric() || character == '-');
    let value = value.trim_start();
    (is_header && is_token && value.len() >= 8 && is_secret_name(name)).then(|| word.len() - value.len())
}

/// Whether a word is a long option that names the next word a secret (`--token SECRET`, `-password SECRET`).
fn names_next(word: &str) -> bool {
    let name = word.strip_prefix('-').filter(|name| name.len() > 1 && !name.contains('='));
    name.is_some_and(is_secret_name)
}

/// Whether a word can be what such an option takes: no option, no port, no `id=…` of a secret that is only named.
fn is_value(word: &str) -> bool {
    word.len() >= 4 && !word.starts_with('-') && !word.contains('=') && word.parse::<u16>().is_err()
}

/// Where the secret begins in `name:secret`.
fn behind_name(pair: &str, separators: &str) -> usize {
    match pair.split_once(|character| separators.contains(character)) {
        Some((name, secret)) if !secret.is_empty() && !name.is_empty() => name.len() + 1,
        // `token:`, as services take tokens for user names.
        Some((name, _)) if name.len() >= 16 => 0,
        None if pair.len() >= 16 && !pair.contains(['/', '.']) => 0,
        _ => pair.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(text: &str) -> Vec<String> {
        let mut secrets = Vec::new();
        taken_secrets(text, &mut |found| {
            if let Taken::Secret(secret) = found {
                secrets.push(secret.to_owned());
            }
        });
        secrets
    }

    #[test]
    fn each_entry_names_its_source_and_finds_something() {
        let table: toml::Table = toml::from_str(include_str!("commands.toml")).unwrap();
        let rows = table["command"].as_array().unwrap();
        assert_eq!(commands().len(), rows.len());
        assert!(rows.len() >= 30);
        for row in rows {
            assert!(row["source"].as_str().unwrap().len() >= 6, "{row}");
            let finds = ["attached", "options", "pairs", "behind", "last", "named", "values", "input"];
            assert!(finds.iter().any(|member| row.get(member).is_some()), "{row}");
        }
    }

    #[test]
    fn secrets_are_taken_where_the_program_takes_them() {
        for (text, secret) in [
            ("mysql -u root -p'x y' shop", "x y"),
            ("P=abc; mysql -p$P", "abc"),
            ("env -i curl --user me:a:b https://x", "a:b"),
            ("cat <<< abc | docker login --password-stdin", "abc"),
            ("sudo -S ls <<E\nabc\nE", "abc"),
            ("sh -c 'redis-cli -a abc'", "abc"),
            ("DB_PASSWORD=a\\;b ./x", "a;b"),
        ] {
            assert!(taken(text).iter().any(|one| one == secret), "{text}: {:?}", taken(text));
        }
        for text in
            ["mysql -u root -p -e 'show tables'", "docker run -p 80:80 x", "npm config get x", "curl -u me https://x"]
        {
            let named: Vec<_> = taken(text).into_iter().filter(|one| !one.is_empty()).collect();
            assert!(named.is_empty(), "{text}: {named:?}");
        }
    }
}
