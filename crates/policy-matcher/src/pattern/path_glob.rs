//! Globs over paths, component by component.

use std::sync::{Arc, OnceLock};

use shell_parser::Word;

use super::fold::Fold;
use super::glob::Compiled;
use super::token::{self, Token};
use crate::Truth;
use crate::path::Kept;

/// A glob over paths: `*` stops at `/`, `**` as a whole component does not.
///
/// It begins with `/`, `~`, `$workspace`, `$cwd`, `$home`, `$tmp`, `X:/` or `**/`. `X/**` takes X
/// too. What stands for the beginning is put in as literal text, whatever characters it holds.
#[derive(Clone)]
pub struct PathGlob {
    source: String,
    pattern: OnceLock<Option<PathPattern>>,
    /// Where it begins, for the folders of the call that asked first.
    kept: OnceLock<Arc<Kept>>,
}

super::stored_as_source!(PathGlob);

/// A path glob taken apart: one of these.
#[derive(Clone)]
pub(crate) struct PathPattern {
    /// Never empty.
    pub(crate) alternatives: Vec<Alternative>,
}

/// One alternative of a path glob.
#[derive(Clone)]
pub(crate) struct Alternative {
    /// What it begins with.
    pub(crate) anchor: Anchor,
    /// The components behind that.
    pub(crate) components: Vec<Component>,
    /// How many of them, from the first, are plain text.
    pub(crate) fixed: usize,
}

/// What a path glob begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Anchor {
    /// `/`, or `**/`, which is any number of components below `/`.
    Root,
    /// `~`, `$home`
    Home,
    /// `$workspace`
    Workspace,
    /// `$cwd`
    Directory,
    /// `$tmp`
    Temporary,
    /// `X:/`; lower case.
    Drive(char),
}

/// One component of a path glob.
#[derive(Clone)]
pub(crate) enum Component {
    /// `**`: any number of components.
    Any,
    /// One component.
    Name(Box<Name>),
}

/// What one component takes.
#[derive(Clone)]
pub(crate) struct Name {
    /// The text that it takes, where it is one.
    pub(crate) text: Option<String>,
    tokens: Vec<Token>,
    prefix: String,
    exact: OnceLock<Compiled>,
    folded: [OnceLock<Compiled>; 2],
}

impl PathGlob {
    /// The path glob `source`. The error is one line in the user's words, with the way out.
    ///
    /// # Errors
    /// Where it is no glob, or begins with none of the beginnings of a path glob.
    pub fn new(source: &str) -> Result<Self, String> {
        let pattern = pattern(source)?;
        Ok(Self { source: source.to_owned(), pattern: OnceLock::from(Some(pattern)), kept: OnceLock::new() })
    }

    fn unchecked(source: String) -> Self {
        Self { source, pattern: OnceLock::new(), kept: OnceLock::new() }
    }

    /// Where it begins, as `find` said when it was first asked.
    pub(crate) fn kept(&self, find: impl FnOnce() -> Kept) -> &Kept {
        self.kept.get_or_init(|| Arc::new(find()))
    }

    /// What it takes; `None` where a stored text is no path glob.
    pub(crate) fn pattern(&self) -> Option<&PathPattern> {
        self.pattern.get_or_init(|| pattern(&self.source).ok()).as_ref()
    }
}

fn pattern(source: &str) -> Result<PathPattern, String> {
    let alternatives = token::alternatives(source)?;
    let alternatives = alternatives.iter().map(|tokens| alternative(source, tokens));
    Ok(PathPattern { alternatives: alternatives.collect::<Result<_, _>>()? })
}

fn alternative(source: &str, tokens: &[Token]) -> Result<Alternative, String> {
    let mut components = tokens.split(|token| *token == Token::Char('/'));
    let first = components.next().unwrap_or_default();
    let first_text = token::text(first);
    let anchor = match first_text.as_deref() {
        Some("~" | "$home") => Anchor::Home,
        Some("$workspace") => Anchor::Workspace,
        Some("$cwd") => Anchor::Directory,
        Some("$tmp") => Anchor::Temporary,
        Some("") if tokens.first() == Some(&Token::Char('/')) => Anchor::Root,
        Some(text) => match *text.as_bytes() {
            [letter, b':'] if letter.is_ascii_alphabetic() && first.len() < tokens.len() => {
                Anchor::Drive(char::from(letter.to_ascii_lowercase()))
            }
            _ => return Err(way_out(source, Some(text))),
        },
        None if is_any(first) && first.len() < tokens.len() => Anchor::Root,
        None => return Err(way_out(source, None)),
    };
    let mut result: Vec<Component> = Vec::new();
    if first_text.is_none() {
        result.push(Component::Any);
    }
    for tokens in components {
        match token::text(tokens).as_deref() {
            Some("" | ".") => continue,
            Some("..") => return Err(format!("`{source}` climbs with `..`: write the path that it leads to")),
            _ => {}
        }
        if is_any(tokens) {
            // `**/**` is `**`.
            if !matches!(result.last(), Some(Component::Any)) {
                result.push(Component::Any);
            }
        } else {
            result.push(Component::Name(Box::new(Name::new(tokens.to_vec()))));
        }
    }
    let fixed = result.iter().take_while(|part| matches!(part, Component::Name(name) if name.text.is_some())).count();
    Ok(Alternative { anchor, components: result, fixed })
}

fn is_any(tokens: &[Token]) -> bool {
    matches!(tokens, [Token::Star, Token::Star])
}

fn way_out(source: &str, first: Option<&str>) -> String {
    if first.is_some_and(|first| first.starts_with('$')) {
        return format!("`{source}` begins with a variable that is none of `$workspace`, `$cwd`, `$home`, `$tmp`");
    }
    if first.is_some_and(|first| first.starts_with('~')) {
        return format!("`{source}` begins with another user's folder: write its path");
    }
    let rest = source.strip_prefix("./").unwrap_or(source);
    format!("`{source}` does not say where it begins: write `**/{rest}` for any folder, or `$workspace/{rest}`")
}

impl Name {
    fn new(tokens: Vec<Token>) -> Self {
        Self {
            text: token::text(&tokens),
            prefix: token::prefix(&tokens),
            tokens,
            exact: OnceLock::new(),
            folded: [OnceLock::new(), OnceLock::new()],
        }
    }

    /// The text that all that it takes begins with.
    pub(crate) fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Whether it takes the name `text`, which is folded.
    pub(crate) fn takes(&self, text: &str, fold: Fold) -> bool {
        match (&self.text, fold) {
            (Some(own), Fold::Exact) => own == text,
            _ => self.compiled(fold).takes(text),
        }
    }

    /// Whether it takes the name `word`.
    pub(crate) fn matches(&self, word: Word<'_>, fold: Fold) -> Truth {
        self.compiled(fold).matches(word, fold)
    }

    fn compiled(&self, fold: Fold) -> &Compiled {
        let [volume, looks] = &self.folded;
        let cell = match fold {
            Fold::Exact => &self.exact,
            Fold::Volume => volume,
            Fold::Looks => looks,
        };
        cell.get_or_init(|| Compiled::new(vec![token::folded(&self.tokens, fold)]))
    }
}
