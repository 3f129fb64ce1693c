//! Everything that is wrong with one file, gathered while it is read.

use std::ops::Range;

use super::nearest;
use crate::{Code, Problem};

/// The problems found so far.
pub(super) struct Faults {
    file: String,
    list: Vec<Problem>,
}

impl Faults {
    pub(super) fn new(file: &str) -> Self {
        Self { file: file.to_owned(), list: Vec::new() }
    }

    /// Adds one; `help` may be empty.
    pub(super) fn add(&mut self, code: Code, span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.list.push(Problem {
            code,
            message: message.into(),
            file: self.file.clone(),
            span: span.clone(),
            help: help.into(),
        });
    }

    /// Adds one about a name that is none of `names`, and offers the nearest of them.
    pub(super) fn add_name<'n>(
        &mut self,
        code: Code,
        span: &Range<usize>,
        message: impl Into<String>,
        name: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) {
        self.add(code, span, message, nearest::offer(name, names));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// All of them, in the order of the text.
    pub(super) fn into_problems(mut self) -> Vec<Problem> {
        self.list.sort_by(|a, b| {
            (a.span.start, a.span.end, a.code, &a.message).cmp(&(b.span.start, b.span.end, b.code, &b.message))
        });
        self.list.dedup();
        self.list
    }
}

/// The user's text in backticks, on one line and cut to a length that a message can hold.
pub(super) fn quoted(text: &str) -> String {
    const LONGEST: usize = 80;
    if text.is_empty() {
        return "the empty text".to_owned();
    }
    let mut out = String::from("`");
    for (count, character) in text.chars().enumerate() {
        if count == LONGEST {
            out.push('…');
            break;
        }
        match character {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.extend(c.escape_default()),
            c => out.push(c),
        }
    }
    out.push('`');
    out
}
