//! Whether an expression matches every filling of a word's unknown parts, some, or none.
//!
//! A dense DFA steps a set of states: known bytes move it, an unknown piece closes it under the
//! texts that the piece can be. If all states at the end accept, every filling matches; if some
//! do, some filling does.

use std::borrow::Cow;
use std::collections::HashSet;

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};
use regex_syntax::hir::{Class, ClassBytes, ClassBytesRange, Hir, Repetition};
use shell_parser::{Piece, Word};

use super::filler::{Filler, Step, steps};
use super::fold::Fold;
use crate::Truth;

/// The DFA of an expression that must match a whole word.
#[derive(Clone)]
pub(super) struct Automaton(dense::DFA<Vec<u32>>);

/// Bound on the bytes of the NFA, and on those of the DFA and of building it.
const MAX_NFA: usize = 1 << 18;
const MAX_DFA: usize = 1 << 20;
/// Bound on transitions followed for one word.
const MAX_STEPS: usize = 1 << 20;

type States = HashSet<StateID>;

impl Automaton {
    /// The automaton of `hir`; if not `anchored`, any text may stand before and behind it.
    /// `None`: past the bound on size.
    pub(super) fn new(hir: Hir, anchored: bool) -> Option<Self> {
        let hir = if anchored { hir } else { Hir::concat(vec![any_text(), hir, any_text()]) };
        let nfa = thompson::Compiler::new()
            .configure(
                thompson::Config::new()
                    .utf8(false)
                    .nfa_size_limit(Some(MAX_NFA))
                    .which_captures(thompson::WhichCaptures::None),
            )
            .build_from_hir(&hir)
            .ok()?;
        let config = dense::Config::new()
            .match_kind(MatchKind::All)
            .start_kind(StartKind::Anchored)
            .accelerate(false)
            .dfa_size_limit(Some(MAX_DFA))
            .determinize_size_limit(Some(MAX_DFA));
        dense::Builder::new().configure(config).build_from_nfa(&nfa).ok().map(Self)
    }

    /// Whether it matches the whole of `word`.
    pub(super) fn matches(&self, word: Word<'_>) -> Truth {
        self.matches_folded(word, Fold::Exact)
    }

    /// Whether it matches the whole of `word`, whose known text is folded first.
    pub(super) fn matches_folded(&self, word: Word<'_>, fold: Fold) -> Truth {
        self.run(word, fold).unwrap_or(Truth::Possible)
    }

    /// `None`: past the bound on steps, or in a state in which the DFA cannot go on.
    fn run(&self, word: Word<'_>, fold: Fold) -> Option<Truth> {
        let begin = self.0.start_state(&start::Config::new().anchored(Anchored::Yes)).ok()?;
        let mut states = States::from([begin]);
        let mut left = MAX_STEPS;
        for piece in word.pieces() {
            let texts = match piece {
                Piece::Text(text) => fold.apply(text),
                _ => Cow::Borrowed(""),
            };
            if matches!(piece, Piece::Text(_)) {
                states = self.text(states, &texts, &mut left)?;
                continue;
            }
            for step in steps(piece) {
                states = match step {
                    Step::Text(text) => self.text(states, &fold.apply(text), &mut left)?,
                    Step::Filler(filler) => self.filler(&states, filler, &mut left)?,
                    Step::OrText(filler, text) => {
                        let mut union = self.filler(&states, filler, &mut left)?;
                        union.extend(self.text(states, &fold.apply(text), &mut left)?);
                        union
                    }
                };
            }
        }
        let mut accepted = 0;
        for &state in &states {
            let end = self.0.next_eoi_state(state);
            if self.0.is_quit_state(end) {
                return None;
            }
            accepted += usize::from(self.0.is_match_state(end));
        }
        Some(match accepted {
            0 => Truth::No,
            all if all == states.len() => Truth::Certain,
            _ => Truth::Possible,
        })
    }

    fn text(&self, mut states: States, text: &str, left: &mut usize) -> Option<States> {
        for &byte in text.as_bytes() {
            *left = left.checked_sub(states.len())?;
            let mut next = States::with_capacity(states.len());
            for &state in &states {
                let state = self.0.next_state(state, byte);
                if self.0.is_quit_state(state) {
                    return None;
                }
                next.insert(state);
            }
            states = next;
        }
        Some(states)
    }

    /// The states behind each text of `filler`, begun in each of `states`.
    fn filler(&self, states: &States, filler: Filler, left: &mut usize) -> Option<States> {
        let mut seen: HashSet<(StateID, u8)> = states.iter().map(|&state| (state, Filler::START)).collect();
        let mut open: Vec<(StateID, u8)> = seen.iter().copied().collect();
        while let Some((state, inner)) = open.pop() {
            *left = left.checked_sub(256)?;
            for byte in 0..=u8::MAX {
                let Some(inner) = filler.step(inner, byte) else { continue };
                let next = self.0.next_state(state, byte);
                if self.0.is_quit_state(next) {
                    return None;
                }
                if seen.insert((next, inner)) {
                    open.push((next, inner));
                }
            }
        }
        Some(seen.into_iter().filter(|&(_, inner)| filler.accepts(inner)).map(|(state, _)| state).collect())
    }
}

/// Any bytes.
fn any_text() -> Hir {
    let byte = Hir::class(Class::Bytes(ClassBytes::new([ClassBytesRange::new(0, u8::MAX)])));
    Hir::repetition(Repetition { min: 0, max: None, greedy: true, sub: Box::new(byte) })
}
