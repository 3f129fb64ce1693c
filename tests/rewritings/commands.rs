//! The commands that are written otherwise: `commands.toml`.

use rewritings::Command;
use serde::Deserialize;

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Commands {
    plain: Vec<String>,
    words: Vec<Vec<String>>,
    options: Vec<String>,
    law: Vec<String>,
    /// Texts that are more than one program.
    pub scripts: Vec<String>,
}

impl Commands {
    pub fn new() -> Self {
        toml::from_str(include_str!("commands.toml")).unwrap()
    }

    /// One program with its words, in its plainest form and in words that need quoting.
    pub fn of_words(&self) -> Vec<Command> {
        self.plain.iter().map(|text| split(text)).chain(self.words.iter().map(|words| located(words))).collect()
    }

    /// Programs whose options are known.
    pub fn of_options(&self) -> Vec<Command> {
        self.options.iter().map(|text| split(text)).collect()
    }

    /// All that are one program.
    pub fn all_of_words(&self) -> Vec<Command> {
        let laws = self.law.iter().map(|text| split(text));
        self.of_words().into_iter().chain(self.of_options()).chain(laws).collect()
    }
}

fn split(text: &str) -> Command {
    located(&text.split(' ').collect::<Vec<_>>())
}

/// The sandbox has all of its programs in `/bin`.
fn located<W: AsRef<str>>(words: &[W]) -> Command {
    let program = words.first().map(AsRef::as_ref).unwrap_or_default();
    Command::from_words(words.iter().map(AsRef::as_ref)).at(format!("/bin/{program}"))
}
