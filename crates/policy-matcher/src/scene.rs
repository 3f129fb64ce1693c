//! What a rule is held against: the facts of one call, and the places and tables that they are seen by.

use std::cell::OnceCell;

use shell_parser::{Arena, Certainty, Files, Invocation, Origin, Piece, Programs, Shape, Unknown, Word};

use crate::context::Context;
use crate::facts::Facts;
use crate::matcher::program::invocation_key;
use crate::matcher::table::{Set, Sets};
use crate::matcher::{Doubt, Outcome};
use crate::path::{NormalPath, PathIndex, PathUnit, Places, path_held};
use crate::pattern::PathGlob;
use crate::policy::{PathCondition, TextCondition, UrlCondition};
use crate::truth::{Direction, Held, Truth};
use crate::unit::{AccessUnit, InvocationUnit, Kinds};

/// One call as rules see it.
pub(crate) struct Scene<'a> {
    /// What the call would do.
    pub facts: &'a Facts<'a>,
    /// The tool's name, as the agent gives it.
    pub tool: &'a str,
    /// Who asks, and where.
    pub context: &'a Context,
    /// What path patterns are relative to.
    pub places: Places<'a>,
    /// The accesses' paths made ready, each when first needed.
    pub paths: Vec<OnceCell<NormalPath<'a>>>,
    /// The branches that were read.
    pub branches: crate::branch::Cache,
    /// The file system.
    pub files: &'a dyn Files,
    /// What is known of programs.
    pub programs: &'a Programs,
    /// The built-in sets.
    pub sets: &'a Sets,
    /// Where texts that are made up for matching live.
    pub arena: &'a Arena,
}

impl<'a> Scene<'a> {
    /// Whether any of the path conditions holds of an access's path.
    pub fn path_held(
        &self,
        conditions: &[PathCondition],
        access: &AccessUnit<'a>,
        direction: Direction,
        ancestors: bool,
    ) -> Outcome {
        let made_up;
        let cell = access.id.and_then(|id| self.paths.get(id as usize));
        let path = match cell {
            Some(cell) => cell.get_or_init(|| NormalPath::new(path_unit(access), &self.places)),
            None => {
                made_up = NormalPath::new(path_unit(access), &self.places);
                &made_up
            }
        };
        Outcome::any(
            conditions.iter().map(|condition| {
                Outcome::of(path_held(condition, path, direction, ancestors, &self.places), Doubt::Path)
            }),
        )
    }

    /// The rules of an index that may speak of an access's path; `None`: any of them may.
    pub fn rules_on_path(&self, index: &PathIndex, access: &AccessUnit<'a>) -> Option<Vec<u32>> {
        let cell = access.id.and_then(|id| self.paths.get(id as usize))?;
        let path = cell.get_or_init(|| NormalPath::new(path_unit(access), &self.places));
        index.rules_of(path, &self.places)
    }

    /// Whether a text condition holds.
    pub fn text_held(&self, condition: &TextCondition, word: Word<'_>, direction: Direction) -> Held {
        crate::text::text_held(condition, word, direction)
    }

    /// Whether a URL condition holds.
    pub fn url_held(
        &self,
        condition: &UrlCondition,
        url: Word<'_>,
        method: Option<&str>,
        direction: Direction,
    ) -> Held {
        crate::url::url_held(condition, url, method, direction)
    }

    /// Whether the directory of an invocation satisfies any of the conditions: one of those in which
    /// it can run in tightening places, each in loosening ones.
    pub fn directory_held(
        &self,
        conditions: &[PathCondition],
        invocation: &Invocation<'a>,
        direction: Direction,
    ) -> Outcome {
        if invocation.directories.is_empty() {
            return Outcome::unknown(Doubt::Directory);
        }
        let outcomes: Vec<Outcome> = invocation
            .directories
            .iter()
            .map(|directory| self.path_held(conditions, &place(*directory, invocation), direction, false))
            .collect();
        alternatives(&outcomes).silent()
    }

    /// The paths that a word stands for, one for each directory in which its invocation can run.
    pub fn paths_of(&self, word: Word<'a>, invocation: &Invocation<'a>) -> Vec<AccessUnit<'a>> {
        if word.known_prefix().starts_with('/') {
            return vec![place(word, invocation)];
        }
        let directories = if invocation.directories.is_empty() { &UNKNOWN_DIRECTORY } else { invocation.directories };
        directories.iter().map(|directory| place(self.joined(*directory, word), invocation)).collect()
    }

    /// A word below a directory.
    pub fn joined(&self, directory: Word<'a>, word: Word<'a>) -> Word<'a> {
        let mut pieces: Vec<Piece<'a>> = Vec::new();
        let slash = [Piece::Text("/")];
        for piece in directory.pieces().chain(slash).chain(word.pieces()) {
            match (pieces.last_mut(), piece) {
                (Some(Piece::Text(last)), Piece::Text(text)) => {
                    *last = self.arena.alloc_str(&format!("{last}{text}"));
                }
                _ => pieces.push(piece),
            }
        }
        match *pieces.as_slice() {
            [] => Word::EMPTY,
            [Piece::Text(text)] => Word::Text(text),
            _ => Word::Pieces(self.arena.alloc_slice_copy(&pieces)),
        }
    }

    /// Whether the program of an invocation, given by path, is one that a path pattern means.
    pub fn program_path_held(
        &self,
        glob: &PathGlob,
        word: Word<'a>,
        invocation: &Invocation<'a>,
        direction: Direction,
    ) -> Outcome {
        if word.known().is_some_and(|text| !text.contains('/')) {
            return Outcome::NO;
        }
        let condition = [PathCondition { glob: vec![glob.clone()], ..PathCondition::default() }];
        let outcomes: Vec<Outcome> = self
            .paths_of(word, invocation)
            .iter()
            .map(|access| self.path_held(&condition, access, direction, false))
            .collect();
        alternatives(&outcomes)
    }

    /// The built-in set of this name.
    pub fn set(&self, name: &str) -> Option<Set<'a>> {
        self.sets.get(name, self.programs)
    }

    /// Whether the program of an invocation is in a built-in set, in any form of its name.
    pub fn program_is(&self, invocation: &Invocation<'_>, set: &str) -> bool {
        invocation_key(invocation).is_some_and(|key| self.set(set).is_some_and(|set| set.has(&key)))
    }

    /// The text of an invocation as written.
    pub fn raw(&self, unit: InvocationUnit, invocation: &Invocation<'a>) -> &'a str {
        if !invocation.raw.is_empty() {
            return invocation.raw;
        }
        let span = invocation.span.start as usize..invocation.span.end as usize;
        self.facts.shell(unit.shell).and_then(|shell| shell.text.get(span)).unwrap_or("")
    }
}

/// The directory of a text whose directory is not known.
const UNKNOWN_DIRECTORY: [Word<'static>; 1] =
    [Word::Pieces(&[Piece::Unknown(Unknown { shape: Shape::Any, origin: Origin::Found, splits: false })])];

fn path_unit<'a>(access: &AccessUnit<'a>) -> PathUnit<'a> {
    let kind = match access.kinds {
        Kinds::One(kind) => Some(kind),
        Kinds::Unstated => None,
    };
    let AccessUnit { path, raw, recursive, partial, conjectured, .. } = *access;
    PathUnit { word: path, raw: Word::Text(raw), kind, recursive, partial, conjectured }
}

/// A path of an invocation of which nothing is done.
fn place<'a>(path: Word<'a>, invocation: &Invocation<'a>) -> AccessUnit<'a> {
    AccessUnit {
        id: None,
        kinds: Kinds::Unstated,
        path,
        raw: "",
        recursive: false,
        partial: false,
        certainty: Certainty::Certain,
        riding: false,
        conjectured: false,
        host: invocation.host,
        by: None,
        option: None,
        operand: None,
        value: 0,
        span: None,
    }
}

/// One of these is so, and each may be: certain where all are, supported as if certain where one is.
pub(crate) fn alternatives(outcomes: &[Outcome]) -> Outcome {
    let all = Outcome::every(outcomes.iter().copied());
    let best = Outcome::any(outcomes.iter().copied());
    if all.truth == Truth::Certain || best.truth == Truth::No {
        return best;
    }
    Outcome { supported: best.supported || best.truth == Truth::Certain, ..best.capped(Doubt::Directory) }
}
