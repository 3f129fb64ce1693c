//! What a program of which nothing is known may do.

use super::Evaluator;
use super::redirect::access;
use super::simple::Call;
use crate::Word;
use crate::facts::{Access, AccessKind, Certainty, InvocationId};
use crate::reading::Lookup;

impl<'a> Evaluator<'a> {
    /// What a program of which nothing is known may do: use the paths that its words name, and run
    /// the commands that they may be.
    pub(super) fn suppose(&mut self, call: &Call<'a, '_>, id: InvocationId, words: &'a [Word<'a>]) {
        if call.conjectured || self.is_unknown_code(words) {
            return;
        }
        for (index, field) in call.fields.iter().enumerate().skip(1) {
            let Some(text) = field.word.known() else { continue };
            let path = text.rsplit_once('=').map_or(text, |(_, path)| path);
            let names_path = !path.starts_with('-')
                && !path.is_empty()
                && !path.contains([' ', '\n', '\t'])
                && !path.contains("://")
                && path.contains(['/', '.']);
            if names_path {
                for (path, _) in self.absolute(Word::Text(path)) {
                    for kind in AccessKind::ALL {
                        let operand = u32::try_from(index).ok();
                        self.push_access(Access {
                            certainty: Certainty::Possible,
                            conjectured: true,
                            host: self.frame.host,
                            by: Some(id),
                            operand: operand.and_then(|index| index.checked_sub(1)),
                            ..access(kind, path, field.span)
                        });
                    }
                }
            }
        }
        self.suppose_other_case(call, id);
        let mut tails = if call.fields.len() > MANY { 1 } else { TAILS };
        for start in 1..call.fields.len() {
            let Some(fields) = call.fields.get(start..) else { break };
            let Some(name) = fields.first().and_then(|field| field.word.known()) else { continue };
            if super::builtin::is_builtin(name) || self.start.programs.program(name).is_none() {
                continue;
            }
            let Some(left) = tails.checked_sub(1_usize) else { break };
            tails = left;
            let behind_dashes = call.fields.get(start - 1).is_some_and(|field| field.word.known() == Some("--"));
            let span = fields.iter().fold(fields.first().map_or(call.span, |f| f.span), |span, f| span.to(f.span));
            let frame = super::Frame { cap: Certainty::Possible, via: self.below(id), ..self.frame };
            self.framed(frame, |this| {
                let nothing = super::redirect::Redirections::default();
                let inner = Call {
                    fields,
                    lookup: Lookup::Files,
                    span,
                    raw: "",
                    redirections: &nothing,
                    arrays: &[],
                    tame: false,
                    captured: false,
                    conjectured: !behind_dashes,
                    ..*call
                };
                this.deeper(span, (), |this| {
                    this.isolated(|this| this.call(&inner));
                });
            });
        }
    }

    /// On a volume that folds case `FIND` is `find`: what its words would run then is possible.
    fn suppose_other_case(&mut self, call: &Call<'a, '_>, id: InvocationId) {
        let Some((first, rest)) = call.fields.split_first() else { return };
        let Some(name) = first.word.known().filter(|name| name.bytes().any(|byte| byte.is_ascii_uppercase())) else {
            return;
        };
        let name: &'a str = self.arena.alloc_str(&name.to_ascii_lowercase());
        if super::builtin::is_builtin(name) || self.start.programs.program(name).is_none() {
            return;
        }
        let fields: Vec<crate::expand::Field<'a>> =
            std::iter::once(crate::expand::Field { word: Word::Text(name), literal: false, ..*first })
                .chain(rest.iter().copied())
                .collect();
        let frame = super::Frame { cap: Certainty::Possible, via: self.below(id), ..self.frame };
        self.framed(frame, |this| {
            let nothing = super::redirect::Redirections::default();
            let inner = Call {
                fields: &fields,
                lookup: Lookup::Files,
                raw: "",
                redirections: &nothing,
                arrays: &[],
                captured: false,
                conjectured: true,
                ..*call
            };
            this.deeper(call.span, (), |this| {
                this.isolated(|this| this.call(&inner));
            });
        });
    }

    /// Whether nothing at all is known of the words.
    pub(super) fn is_unknown_code(&self, words: &[Word<'a>]) -> bool {
        words.iter().all(|word| word.known().is_none() && word.known_prefix().is_empty())
    }
}

/// The most words of an unknown program that are looked at as commands of their own.
const TAILS: usize = 8;

/// With more words than this, only one.
const MANY: usize = 1024;
