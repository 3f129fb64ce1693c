//! One form of a path: its components, as far as they are known.

use std::borrow::Cow;
use std::cell::OnceCell;

use shell_parser::{Origin, Piece, Shape, Unknown, Word};

use crate::pattern::fold::Fold;

/// A component of a path behind its known beginning.
#[derive(Clone, Debug)]
pub(super) enum Part<'a> {
    /// This name.
    Name(Cow<'a, str>),
    /// One name that is not wholly known; never `.` or `..`.
    Wild(Vec<Piece<'a>>),
    /// Any number of names, none of them `..`.
    Deep,
}

/// One form of a path, absolute, without `.`, `..` and empty components.
///
/// A path that may climb (`/tmp/$X`) can lead anywhere: it is [`Part::Deep`] below `/`, and what it
/// begins with is kept as evidence only.
#[derive(Clone, Debug)]
pub(super) struct Form<'a> {
    /// The known names that it begins with: `/a/b`; empty for `/`.
    pub(super) known: Cow<'a, str>,
    /// What follows; empty for a known path, else its first part is no name.
    pub(super) tail: Vec<Part<'a>>,
    /// The known folder that the path as spelled begins with; `None` where its very beginning is unknown.
    pub(super) beginning: Option<Cow<'a, str>>,
    /// The drive that it is on (lossy readings alone); lower case.
    pub(super) drive: Option<char>,
    folded: [OnceCell<Option<Box<Form<'a>>>>; 2],
}

impl<'a> Form<'a> {
    /// The known path `known`, which is normal (see [`is_normal`]).
    pub(super) fn known(known: Cow<'a, str>) -> Self {
        Self::new(known, Vec::new(), None)
    }

    /// A path of which nothing is known.
    pub(super) fn unknown() -> Self {
        Self { beginning: None, ..Self::new(Cow::Borrowed(""), vec![Part::Deep], None) }
    }

    fn new(known: Cow<'a, str>, tail: Vec<Part<'a>>, drive: Option<char>) -> Self {
        let beginning = Some(known.clone());
        Self { known, tail, beginning, drive, folded: [OnceCell::new(), OnceCell::new()] }
    }

    /// The form of `word`, joined to the folder `base` where it is relative. `None` for `base`: a
    /// folder that is not known.
    pub(super) fn of(word: Word<'a>, base: Option<&'a str>) -> Self {
        if let Some(text) = word.known()
            && is_normal(text)
        {
            return Self::known(Cow::Borrowed(text));
        }
        let first = word.pieces().find(|piece| *piece != Piece::Text(""));
        let (absolute, base) = match first {
            Some(Piece::Text(text)) => (text.starts_with('/'), base),
            Some(Piece::Unknown(Unknown { shape: Shape::Below(path), .. })) => (path.starts_with('/'), base),
            // It may be absolute as well.
            Some(Piece::Unknown(Unknown { shape: Shape::Any, .. })) => (false, None),
            _ => (false, base),
        };
        let mut builder = Builder::default();
        match base {
            _ if absolute => {}
            Some(base) => builder.text(base),
            None => builder.climb(),
        }
        builder.end();
        let mut pieces = word.pieces().peekable();
        while let Some(piece) = pieces.next() {
            let ends = match pieces.peek() {
                None => true,
                Some(Piece::Text(text)) => text.starts_with('/'),
                Some(_) => false,
            };
            builder.piece(piece, ends);
        }
        builder.form(!absolute && base.is_none())
    }

    /// The same form with other known names at its beginning.
    pub(super) fn with_known(&self, known: String) -> Self {
        Self { drive: self.drive, ..Self::new(Cow::Owned(known), self.tail.clone(), None) }
    }

    /// The same form, whose known folder at the beginning is another.
    pub(super) fn with_beginning(&self, beginning: String) -> Self {
        if Some(&self.known) == self.beginning.as_ref() {
            return self.with_known(beginning);
        }
        Self { beginning: Some(Cow::Owned(beginning)), ..self.clone() }
    }

    /// The same form on a drive.
    pub(super) fn on_drive(self, drive: char) -> Self {
        Self { drive: Some(drive), ..self }
    }

    /// The same form, which is known to begin at the root.
    pub(super) fn with_root(self) -> Self {
        Self { beginning: Some(Cow::Borrowed("")), ..self }
    }

    /// This path and all below it.
    pub(super) fn whole_tree(&self) -> Self {
        let mut tree = self.clone();
        if !matches!(tree.tail.last(), Some(Part::Deep)) {
            tree.tail.push(Part::Deep);
        }
        tree.folded = [OnceCell::new(), OnceCell::new()];
        tree
    }

    /// The folder `D` where this is `D/*`.
    pub(super) fn starred_folder(&self) -> Option<Self> {
        let (last, head) = self.tail.split_last()?;
        let starred = matches!(last, Part::Wild(pieces) if matches!(**pieces, [Piece::Glob("*")]));
        starred.then(|| Self {
            beginning: self.beginning.clone(),
            drive: self.drive,
            ..Self::new(self.known.clone(), head.to_vec(), None)
        })
    }

    /// Whether it is wholly known.
    pub(super) fn is_known(&self) -> bool {
        self.tail.is_empty()
    }

    /// The path itself, where it is known.
    pub(super) fn text(&self) -> Option<&str> {
        self.is_known().then_some(&*self.known)
    }

    /// The last component, where it is known.
    pub(super) fn last_name(&self) -> Option<&str> {
        match self.tail.last() {
            Some(Part::Name(name)) => Some(name),
            Some(_) => None,
            None => self.known.rsplit('/').next().filter(|name| !name.is_empty()),
        }
    }

    /// The form with folded names; `None` where folding changes nothing.
    pub(super) fn folded(&self, fold: Fold) -> Option<&Self> {
        let [volume, looks] = &self.folded;
        let cell = match fold {
            Fold::Exact => return None,
            Fold::Volume => volume,
            Fold::Looks => looks,
        };
        cell.get_or_init(|| {
            let known = fold.apply(&self.known);
            let mut changed = matches!(known, Cow::Owned(_));
            let tail = self.tail.iter().map(|part| match part {
                Part::Name(name) => {
                    let folded = fold.apply(name);
                    changed |= matches!(folded, Cow::Owned(_));
                    Part::Name(Cow::Owned(folded.into_owned()))
                }
                // The text in it is folded when it is matched.
                Part::Wild(pieces) => {
                    changed = true;
                    Part::Wild(pieces.clone())
                }
                Part::Deep => Part::Deep,
            });
            let tail = tail.collect();
            changed.then(|| {
                let beginning = self.beginning.as_ref().map(|text| Cow::Owned(fold.apply(text).into_owned()));
                let known = Cow::Owned(known.into_owned());
                Box::new(Self { beginning, ..Self::new(known, tail, self.drive) })
            })
        })
        .as_deref()
    }
}

/// Whether `path` is absolute and has no empty, `.` or `..` component; `/` itself is not.
pub(super) fn is_normal(path: &str) -> bool {
    path.strip_prefix('/').is_some_and(|rest| rest.split('/').all(|name| !matches!(name, "" | "." | "..")))
}

/// `path`, absolute, without empty, `.` and `..` components; empty for `/`.
pub(super) fn normal(path: &str) -> Cow<'_, str> {
    if is_normal(path) {
        return Cow::Borrowed(path);
    }
    let mut result = String::with_capacity(path.len());
    for name in path.split('/') {
        push(&mut result, name);
    }
    Cow::Owned(result)
}

/// Appends one component to a normal path.
pub(super) fn push(path: &mut String, name: &str) {
    match name {
        "" | "." => {}
        ".." => path.truncate(path.rfind('/').unwrap_or(0)),
        _ => {
            path.push('/');
            path.push_str(name);
        }
    }
}

/// What stands behind the folder `root` in `path`, without the slash; both normal. `None`: it is
/// neither `root` nor below it.
pub(super) fn below<'p>(path: &'p str, root: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(root)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Puts the components of a word together.
#[derive(Default)]
struct Builder<'a> {
    parts: Vec<Part<'a>>,
    /// The component that is being read.
    component: Vec<Piece<'a>>,
    /// Known names before the first place from which the path may climb.
    beginning: Option<String>,
}

impl<'a> Builder<'a> {
    fn text(&mut self, text: &'a str) {
        let mut names = text.split('/');
        if let Some(first) = names.next()
            && !first.is_empty()
        {
            self.component.push(Piece::Text(first));
        }
        for name in names {
            self.end();
            if !name.is_empty() {
                self.component.push(Piece::Text(name));
            }
        }
    }

    /// Adds a piece; `ends`: a slash or nothing follows it.
    fn piece(&mut self, piece: Piece<'a>, ends: bool) {
        match piece {
            Piece::Text(text) => self.text(text),
            // What a pattern with zsh's modifiers or with groups across components becomes is anything.
            Piece::Glob(pattern) if pattern.contains(':') => self.anywhere(),
            Piece::Glob(pattern) if pattern.contains('/') => self.components(pattern),
            Piece::Glob(pattern) if pattern.contains("**") => self.several(ends),
            Piece::Glob(_) => self.component.push(piece),
            Piece::Unknown(unknown) => match unknown.shape {
                Shape::Any => self.anywhere(),
                Shape::Digits if self.component.is_empty() && ends => self.several(ends),
                Shape::Digits | Shape::Name => self.component.push(piece),
                Shape::Below(path) => {
                    self.text(path);
                    self.several(ends);
                }
            },
        }
    }

    /// A glob of several components.
    fn components(&mut self, pattern: &'a str) {
        if pattern.contains(['(', '{', '\\']) || pattern.contains('[') && !classes_end_within_names(pattern) {
            self.anywhere();
            return;
        }
        for (at, name) in pattern.split('/').enumerate() {
            if at > 0 {
                self.end();
            }
            match name {
                "" => {}
                "**" if self.component.is_empty() => self.deep(),
                _ if name.contains(['*', '?', '[']) => {
                    // What is spelled out in front of the first wildcard may be a dot.
                    let (spelled, glob) =
                        name.split_at_checked(name.find(['*', '?', '[']).unwrap_or(0)).unwrap_or(("", name));
                    if !spelled.is_empty() {
                        self.component.push(Piece::Text(spelled));
                    }
                    self.component.push(Piece::Glob(glob));
                }
                _ => self.component.push(Piece::Text(name)),
            }
        }
    }

    /// Any names below the place reached, or, where more text follows, names that end in it.
    fn several(&mut self, ends: bool) {
        if ends {
            self.end();
        }
        self.component.clear();
        self.deep();
        if !ends {
            self.component.push(ANYTHING);
        }
    }

    /// From here the path may lead anywhere.
    fn anywhere(&mut self) {
        self.component.clear();
        self.climb();
        self.component.push(ANYTHING);
    }

    fn climb(&mut self) {
        if self.beginning.is_none() {
            self.beginning = Some(self.names());
        }
        self.parts.clear();
        self.parts.push(Part::Deep);
    }

    fn deep(&mut self) {
        if !matches!(self.parts.last(), Some(Part::Deep)) {
            self.parts.push(Part::Deep);
        }
    }

    /// The known names at the beginning.
    fn names(&self) -> String {
        let mut result = String::new();
        for part in &self.parts {
            let Part::Name(name) = part else { break };
            push(&mut result, name);
        }
        result
    }

    /// Ends a component.
    fn end(&mut self) {
        let component = std::mem::take(&mut self.component);
        match *component {
            [] | [Piece::Text(".")] => {}
            // The unknown text itself ends it: it is part of the `Deep` before.
            [ANYTHING] => {}
            [Piece::Text("..")] => self.up(),
            [Piece::Text(name)] => self.parts.push(Part::Name(Cow::Borrowed(name))),
            // Some shells let `.*` name `..`.
            [Piece::Text("."), Piece::Glob("*" | "?")] | [Piece::Text(".."), Piece::Glob("*")] => self.climb(),
            _ if component.iter().all(|piece| matches!(piece, Piece::Text(_))) => {
                let name = component
                    .iter()
                    .map(|piece| if let Piece::Text(text) = piece { text } else { "" })
                    .collect::<String>();
                match &*name {
                    "." => {}
                    ".." => self.up(),
                    _ => self.parts.push(Part::Name(Cow::Owned(name))),
                }
            }
            // `$X.` and `$X..` may be `..`.
            [ANYTHING, Piece::Text("." | "..")] => {}
            _ => self.parts.push(Part::Wild(component)),
        }
    }

    fn up(&mut self) {
        if matches!(self.parts.last(), Some(Part::Deep)) {
            self.climb();
        } else {
            self.parts.pop();
        }
    }

    fn form(mut self, relative: bool) -> Form<'a> {
        self.end();
        let known = self.names();
        let names = self.parts.iter().take_while(|part| matches!(part, Part::Name(_))).count();
        let tail = self.parts.split_off(names);
        let beginning = self.beginning.unwrap_or_else(|| known.clone());
        let beginning = (!relative || !beginning.is_empty()).then_some(Cow::Owned(beginning));
        Form { beginning, ..Form::new(Cow::Owned(known), tail, None) }
    }
}

/// Whether no `[` of a glob reaches over a slash.
fn classes_end_within_names(pattern: &str) -> bool {
    pattern.split('/').all(|name| name.matches('[').count() == name.matches(']').count())
}

/// Stands for unknown text in a component that goes on behind it.
const ANYTHING: Piece<'static> = Piece::Unknown(Unknown { shape: Shape::Any, origin: Origin::Found, splits: false });
