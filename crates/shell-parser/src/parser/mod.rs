//! From text to tree: recursive descent over bytes, without a separate lexer.
//!
//! ```text
//! list ──▶ pipeline ──▶ command ──▶ word ──▶ part ──▶ substitution ──▶ list …
//! ```
//!
//! The grammar is that of POSIX.1-2024 XCU 2.10 with bash's additions; extended globs are taken as
//! enabled. Three rules hold everywhere:
//!
//! - **A fault ends the text.** The first one is recorded and the cursor moves to the end, so every
//!   open construct closes itself with what it holds, and nothing read before is lost. Backquotes and the
//!   bodies of here-documents are texts of their own, behind which reading goes on: bash reads them when
//!   they are expanded, and runs what follows even if they are broken.
//! - **Depth is bounded** by [`MAX_DEPTH`], since each construct is a call.
//! - **Time is linear.** The only text that is read twice is `((…` that turns out to be no
//!   arithmetic; it is remembered, and all such text together is bounded by [`Parser::reread`].

mod arithmetic;
mod assignment;
mod compound;
mod condition;
mod cursor;
mod function;
mod heredoc;
mod keyword;
mod list;
mod loops;
mod parameter;
mod quoted;
mod redirect;
mod substitution;
mod word;

use std::cell::Cell;

use smallvec::SmallVec;

use crate::tree::{Fault, FaultKind, List, Script, Word};
use crate::{Arena, SourceMap, Span};

/// How many constructs may stand inside one another. A debug build takes about 8 KiB of stack for one, so that
/// the deepest text fits the 2 MiB of a thread twice.
const MAX_DEPTH: u32 = 128;

/// The longest text that is read, in bytes.
const MAX_LENGTH: usize = 16 << 20;

/// How many times the length of a text may be read again when `((` was no arithmetic.
const REREAD_FACTOR: usize = 4;

/// The children of a node that is being read: those of most nodes stand on the stack. Only complete lists go into
/// the arena, which gives nothing back.
type Children<T> = SmallVec<[T; 2]>;

/// The tree of `text`. Spans are those of the outermost text, found through `map`.
///
/// Total: whatever the text, it ends in a tree, in time linear in its length. Where the grammar
/// rejects the text, or a bound is passed, [`Script::fault`] says so and the tree holds what stood
/// before; a shell, too, runs what stands before a fault.
pub fn parse<'a>(arena: &'a Arena, text: &'a str, map: SourceMap<'a>) -> Script<'a> {
    let mut parser = Parser::new(arena, text, map);
    if text.len() > MAX_LENGTH {
        parser.fault(FaultKind::Limit, "the text is too long", 0);
    }
    let list = parser.script();
    Script { list, fault: parser.fault }
}

/// The state of one reading.
struct Parser<'a> {
    arena: &'a Arena,
    /// The text that is being read: the whole, or one nested in it.
    text: &'a str,
    /// Where the cursor stands. Outside quotes it never stands at a backslash-newline.
    position: usize,
    map: SourceMap<'a>,
    /// Whether the text holds a backslash-newline at all.
    continued: bool,
    depth: u32,
    /// The first fault.
    fault: Option<Fault>,
    /// Whether a fault has ended the text that is being read.
    stopped: bool,
    /// Here-documents announced on this line.
    pending: Vec<Announced<'a>>,
    /// What closes the innermost substitution that is open in the text that is being read.
    substitution: Substitution,
    /// Where `((` or `$((` is known to be no arithmetic, in the text that is being read.
    not_arithmetic: Vec<usize>,
    /// How many bytes may still be read again.
    reread: usize,
}

/// The kind of an open substitution.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Substitution {
    /// None is open.
    None,
    /// `$(…)`, `<(…)`: a line of a here-document may hold its closing parenthesis.
    Parenthesis,
    /// `${ …; }`: its closing brace need not end a word.
    Brace,
}

/// A here-document whose body has not been reached.
struct Announced<'a> {
    delimiter: &'a str,
    expands: bool,
    strips_tabs: bool,
    body: &'a Cell<Word<'a>>,
}

impl<'a> Parser<'a> {
    fn new(arena: &'a Arena, text: &'a str, map: SourceMap<'a>) -> Self {
        let mut parser = Self {
            arena,
            text,
            position: 0,
            map,
            continued: cursor::has_continuation(text),
            depth: 0,
            fault: None,
            stopped: false,
            pending: Vec::new(),
            substitution: Substitution::None,
            not_arithmetic: Vec::new(),
            reread: text.len().saturating_mul(REREAD_FACTOR).saturating_add(1024),
        };
        parser.skip_continuations();
        parser
    }

    /// The whole text as a list.
    fn script(&mut self) -> List<'a> {
        let list = self.list();
        self.expect_end();
        self.read_announced();
        list
    }

    /// Records a fault at `start`, unless one was recorded, and ends the text.
    #[cold]
    fn fault(&mut self, kind: FaultKind, message: &'static str, start: usize) {
        if self.fault.is_none() {
            let start = start.min(self.text.len());
            let end =
                self.text.get(start..).and_then(|rest| rest.chars().next()).map_or(start, |c| start + c.len_utf8());
            self.fault = Some(Fault { kind, message, span: self.map.span(start, end) });
        }
        self.position = self.text.len();
        self.stopped = true;
    }

    /// Records a syntax fault at the cursor.
    #[cold]
    fn syntax(&mut self, message: &'static str) {
        self.fault(FaultKind::Syntax, message, self.position);
    }

    /// Reads one construct deeper; past the bound the construct is empty and the text ends.
    fn deeper<T: Default>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        if self.depth >= MAX_DEPTH {
            self.fault(FaultKind::Limit, "constructs are nested too deeply", self.position);
            return T::default();
        }
        self.depth += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    /// Reads only up to `end`, as if the text ended there, then goes on at `end`.
    fn within<T>(&mut self, end: usize, read: impl FnOnce(&mut Self) -> T) -> T {
        let text = self.text;
        self.text = text.get(..end).unwrap_or(text);
        let value = read(self);
        self.text = text;
        self.position = if self.stopped { text.len() } else { end };
        value
    }

    /// Reads a text of its own: a fault in it does not end the text around it.
    fn apart<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> T {
        let substitution = std::mem::replace(&mut self.substitution, Substitution::None);
        let announced = std::mem::take(&mut self.pending);
        let value = read(self);
        self.pending = announced;
        self.substitution = substitution;
        self.stopped = false;
        value
    }

    /// Reads another text, one that was made from this one by quote removal. The cursor does not move.
    fn nested<T>(&mut self, text: &'a str, map: SourceMap<'a>, read: impl FnOnce(&mut Self) -> T) -> T {
        let outer = (self.text, self.position, self.map, self.continued);
        let not_arithmetic = std::mem::take(&mut self.not_arithmetic);
        (self.text, self.position, self.map, self.continued) = (text, 0, map, cursor::has_continuation(text));
        self.skip_continuations();
        let value = read(self);
        (self.text, self.position, self.map, self.continued) = outer;
        self.not_arithmetic = not_arithmetic;
        value
    }

    /// The children of a node that is complete, in the arena.
    fn kept<T: Copy>(&self, children: &[T]) -> &'a [T] {
        if children.is_empty() { &[] } else { self.arena.alloc_slice_copy(children) }
    }

    /// The span from `start` to the end of what was read last.
    fn span_from(&self, start: usize) -> Span {
        let mut end = self.position;
        // Behind a fault the cursor stands at the end, where empty nodes may begin.
        if self.continued && !self.stopped {
            while end > start && self.text.get(..end).is_some_and(|read| read.ends_with("\\\n")) {
                end -= 2;
            }
        }
        self.map.span(start, end.max(start))
    }
}

#[cfg(test)]
mod tests;
