//! Whether an expression matches every filling of a word's unknown parts, some, or none.
//!
//! A dense DFA steps a set of states: known bytes move it, an unknown piece closes it under the
//! texts that the piece can be. If all states at the end accept, every filling matches; if some
//! do, some filling does.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};
use regex_syntax::hir::{Class, ClassBytes, ClassBytesRange, Hir, Repetition};
use shell_parser::{Piece, Word};

use super::filler::{Filler, State, Step, steps};
use super::fold::Fold;
use crate::Truth;

/// The DFA of an expression that must match a whole word.
#[derive(Clone)]
pub(super) struct Automaton {
    dfa: dense::DFA<Vec<u32>>,
    /// The steps through the common unknown pieces.
    common: [OnceLock<Box<Steps>>; Filler::COMMON.len()],
}

/// For each state of a piece the bytes that it takes and the states that they lead to. Of bytes that neither the DFA
/// nor the piece tells from the byte before, only the first.
/// Made when the state is first met.
type Steps = [OnceLock<Vec<(u8, State)>>; Filler::STATES];

/// Bound on the bytes of the NFA, and on those of the DFA and of building it.
const MAX_NFA: usize = 1 << 18;
const MAX_DFA: usize = 1 << 20;
/// Bound on transitions followed for one word.
const MAX_STEPS: usize = 1 << 13;

/// A set of states of the DFA, each with states of the piece that is being filled.
struct States {
    /// The members, as they came.
    list: Vec<(StateID, State)>,
    /// A bit for each state of the piece, by the number of the DFA's state.
    marks: Vec<u16>,
    /// By how many bits an identifier is shifted to give that number.
    shift: usize,
}

impl States {
    fn new(automaton: &Automaton) -> Self {
        Self { list: Vec::new(), marks: Vec::new(), shift: automaton.dfa.stride2() }
    }

    fn insert(&mut self, state: StateID, inner: State) {
        let number = state.as_usize() >> self.shift;
        if number >= self.marks.len() {
            self.marks.resize(number + 1, 0);
        }
        if let Some(mark) = self.marks.get_mut(number)
            && *mark & (1 << inner) == 0
        {
            *mark |= 1 << inner;
            self.list.push((state, inner));
        }
    }

    fn clear(&mut self) {
        for (state, _) in self.list.drain(..) {
            if let Some(mark) = self.marks.get_mut(state.as_usize() >> self.shift) {
                *mark = 0;
            }
        }
    }
}

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
        let dfa = dense::Builder::new().configure(config).build_from_nfa(&nfa).ok()?;
        Some(Self { dfa, common: [const { OnceLock::new() }; Filler::COMMON.len()] })
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
        let begin = self.dfa.start_state(&start::Config::new().anchored(Anchored::Yes)).ok()?;
        let mut states = States::new(self);
        states.insert(begin, Filler::START);
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
                        for (state, inner) in self.text(states, &fold.apply(text), &mut left)?.list {
                            union.insert(state, inner);
                        }
                        union
                    }
                };
            }
        }
        let mut accepted = 0;
        for &(state, _) in &states.list {
            let end = self.dfa.next_eoi_state(state);
            if self.dfa.is_quit_state(end) {
                return None;
            }
            accepted += usize::from(self.dfa.is_match_state(end));
        }
        Some(match accepted {
            0 => Truth::No,
            all if all == states.list.len() => Truth::Certain,
            _ => Truth::Possible,
        })
    }

    fn text(&self, mut states: States, text: &str, left: &mut usize) -> Option<States> {
        let mut next = States::new(self);
        for &byte in text.as_bytes() {
            *left = left.checked_sub(states.list.len())?;
            for &(state, inner) in &states.list {
                let state = self.dfa.next_state(state, byte);
                if self.dfa.is_quit_state(state) {
                    return None;
                }
                next.insert(state, inner);
            }
            std::mem::swap(&mut states, &mut next);
            next.clear();
        }
        Some(states)
    }

    /// The states behind each text of `filler`, begun in each of `states`.
    fn filler(&self, states: &States, filler: Filler, left: &mut usize) -> Option<States> {
        let mut reached = States::new(self);
        states.list.iter().for_each(|&(state, _)| reached.insert(state, Filler::START));
        let own = [const { OnceLock::new() }; Filler::STATES];
        let common = Filler::COMMON.iter().zip(&self.common).find(|(common, _)| **common == filler);
        let all = common.map_or(&own, |(_, cell)| cell.get_or_init(Box::default));
        let mut followed = 0;
        while let Some(&(state, inner)) = reached.list.get(followed) {
            followed += 1;
            let steps = all.get(usize::from(inner))?.get_or_init(|| self.steps(filler, inner));
            *left = left.checked_sub(steps.len())?;
            for &(byte, inner) in steps.iter() {
                let next = self.dfa.next_state(state, byte);
                if self.dfa.is_quit_state(next) {
                    return None;
                }
                reached.insert(next, inner);
            }
        }
        let mut behind = States::new(self);
        for (state, inner) in reached.list {
            if filler.accepts(inner) {
                behind.insert(state, Filler::START);
            }
        }
        Some(behind)
    }

    fn steps(&self, filler: Filler, inner: State) -> Vec<(u8, State)> {
        let classes = self.dfa.byte_classes();
        let mut last = None;
        let all = filler.bytes(inner).map(|byte| (byte, (classes.get(byte), filler.step(inner, byte))));
        let differ = all.filter(|(_, alike)| last.replace(*alike) != Some(*alike));
        differ.filter_map(|(byte, (_, inner))| Some((byte, inner?))).collect()
    }
}

/// Any bytes.
fn any_text() -> Hir {
    let byte = Hir::class(Class::Bytes(ClassBytes::new([ClassBytesRange::new(0, u8::MAX)])));
    Hir::repetition(Repetition { min: 0, max: None, greedy: true, sub: Box::new(byte) })
}
