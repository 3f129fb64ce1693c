//! What a table of a policy file may hold: the shape of the key tables in [`super::places`].

use toml::de::DeValue;

/// One kind of table, with every key that it takes.
pub(super) struct Place {
    /// In words, with its article: ``a rule``.
    pub(super) what: &'static str,
    /// Its keys, in groups that several places share.
    pub(super) keys: &'static [&'static [Key]],
    /// Whether its keys are matchers, so that one of another kind is misplaced rather than unknown.
    pub(super) matchers: bool,
}

impl Place {
    /// All keys that it takes.
    pub(super) fn keys(&self) -> impl Iterator<Item = &'static Key> {
        self.keys.iter().flat_map(|group| group.iter())
    }

    /// The names of its keys.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.keys().map(|key| key.name)
    }

    /// The key of that name.
    pub(super) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys().find(|key| key.name == name)
    }
}

/// One key of a place.
pub(super) struct Key {
    /// Its name.
    pub(super) name: &'static str,
    /// What values it takes.
    pub(super) takes: Takes,
    /// Where it may stand.
    pub(super) standing: Standing,
}

/// Where a key may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// Anywhere.
    Free,
    /// In tightening places only: it matches a part of the text, so it cannot vouch for the whole.
    Tightening,
}

impl Key {
    pub(super) const fn new(name: &'static str, takes: Takes) -> Self {
        Self { name, takes, standing: Standing::Free }
    }

    pub(super) const fn tightening(name: &'static str, takes: Takes) -> Self {
        Self { name, takes, standing: Standing::Tightening }
    }
}

/// The values that a key takes.
#[derive(Clone, Copy)]
pub(super) enum Takes {
    /// A string.
    Text,
    /// A string or a list of strings; `@set` may stand for a list.
    Texts,
    /// The same, of programs: the built-in sets may stand too.
    Programs,
    /// The same, of path patterns: `@run_later` may stand too.
    Paths,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// One of these words or a list of them.
    Choices(&'static [&'static str]),
    /// A list of these words, which may be empty.
    Subset(&'static [&'static str]),
    /// True or false.
    Flag,
    /// Only this one of true and false: the other would state nothing.
    Only(bool),
    /// A whole number, not negative.
    Count,
    /// A number.
    Number,
    /// A port or a list of ports.
    Ports,
    /// A list of words, or a list of such lists.
    Words,
    /// A table of this place.
    Table(&'static Place),
    /// A table of this place, or a list of them.
    Tables(&'static Place),
    /// A list of tables of this place, written `[[key]]`.
    Rules(&'static Place),
    /// A table whose keys are names that the file gives.
    Named,
    /// An end of a flow: a string, a table of this place, or a list of both.
    Ends(&'static Place),
    /// An example: a command, a table of this place, or a list of both.
    Examples(&'static Place),
}

impl Takes {
    /// The place of the tables that it takes.
    pub(super) const fn place(self) -> Option<&'static Place> {
        match self {
            Self::Table(place)
            | Self::Tables(place)
            | Self::Rules(place)
            | Self::Ends(place)
            | Self::Examples(place) => Some(place),
            _ => None,
        }
    }

    /// Whether it takes lists, and this as an element of one.
    pub(super) fn takes_element(self, value: &DeValue<'_>) -> bool {
        match self {
            Self::Texts | Self::Programs | Self::Paths | Self::Choices(_) | Self::Subset(_) => value.is_str(),
            Self::Ports => value.is_integer(),
            Self::Words => value.is_str() || value.is_array(),
            Self::Tables(_) | Self::Rules(_) => value.is_table(),
            Self::Ends(_) | Self::Examples(_) => value.is_str() || value.is_table(),
            _ => false,
        }
    }

    /// The words that it takes, where they are listed.
    pub(super) const fn words(self) -> &'static [&'static str] {
        match self {
            Self::Choice(words) | Self::Choices(words) | Self::Subset(words) => words,
            _ => &[],
        }
    }

    /// In words, with its article.
    pub(super) const fn expected(self) -> &'static str {
        match self {
            Self::Text | Self::Choice(_) => "a string",
            Self::Texts | Self::Programs | Self::Paths | Self::Choices(_) => "a string or a list of strings",
            Self::Subset(_) => "a list of strings",
            Self::Flag => "`true` or `false`",
            Self::Only(true) => "`true`",
            Self::Only(false) => "`false`",
            Self::Count => "a whole number",
            Self::Number => "a number",
            Self::Ports => "a port or a list of ports",
            Self::Words => "a list of words, or a list of such lists",
            Self::Table(_) | Self::Named => "a table",
            Self::Tables(_) => "a table or a list of tables",
            Self::Rules(_) => "a list of tables",
            Self::Ends(_) | Self::Examples(_) => "a string, a table, or a list of these",
        }
    }
}
