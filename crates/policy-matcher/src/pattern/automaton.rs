//! Whether an expression matches every filling of a word's unknown parts, some, or none.
//!
//! A dense DFA steps a set of states: known bytes move it, an unknown piece closes it under the
//! texts that the piece can be. If all states at the end accept, every filling matches; if some
//! do, some filling does.

use std::borrow::Cow;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
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
    /// The steps through the commonest unknown pieces: any text, and any part of a name.
    common: [OnceLock<Box<Steps>>; 2],
}

/// For each state of a piece the bytes that it takes and the states that they lead to. Of bytes that neither the DFA
/// nor the piece tells from the byte before, only the first.
type Steps = [Vec<(u8, State)>; Filler::STATES];

/// Bound on the bytes of the NFA, and on those of the DFA and of building it.
const MAX_NFA: usize = 1 << 18;
const MAX_DFA: usize = 1 << 20;
/// Bound on transitions followed for one word.
const MAX_STEPS: usize = 1 << 16;

type States = HashSet<StateID, BuildHasherDefault<StateHasher>>;

/// Hashes states of a DFA, which are small numbers that no input chooses.
#[derive(Default)]
struct StateHasher(u64);

impl Hasher for StateHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(u64::from(*byte));
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
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
        Some(Self { dfa, common: [OnceLock::new(), OnceLock::new()] })
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
        let mut states: States = [begin].into_iter().collect();
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
            let end = self.dfa.next_eoi_state(state);
            if self.dfa.is_quit_state(end) {
                return None;
            }
            accepted += usize::from(self.dfa.is_match_state(end));
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
            let mut next = States::default();
            for &state in &states {
                let state = self.dfa.next_state(state, byte);
                if self.dfa.is_quit_state(state) {
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
        let mut seen: HashSet<(StateID, u8), BuildHasherDefault<StateHasher>> =
            states.iter().map(|&state| (state, Filler::START)).collect();
        let mut open: Vec<(StateID, u8)> = seen.iter().copied().collect();
        let own;
        let common = Filler::COMMON.iter().zip(&self.common).find(|(common, _)| **common == filler);
        let steps = if let Some((_, cell)) = common {
            &**cell.get_or_init(|| Box::new(self.steps(filler)))
        } else {
            own = self.steps(filler);
            &own
        };
        while let Some((state, inner)) = open.pop() {
            let steps = steps.get(usize::from(inner))?;
            *left = left.checked_sub(steps.len())?;
            for &(byte, inner) in steps.iter() {
                let next = self.dfa.next_state(state, byte);
                if self.dfa.is_quit_state(next) {
                    return None;
                }
                if seen.insert((next, inner)) {
                    open.push((next, inner));
                }
            }
        }
        Some(seen.into_iter().filter(|&(_, inner)| filler.accepts(inner)).map(|(state, _)| state).collect())
    }

    fn steps(&self, filler: Filler) -> Steps {
        let classes = self.dfa.byte_classes();
        std::array::from_fn(|inner| {
            let inner = State::try_from(inner).unwrap_or(Filler::START);
            let mut last = None;
            let all = (0..=u8::MAX).map(|byte| (byte, (classes.get(byte), filler.step(inner, byte))));
            let differ = all.filter(|(_, alike)| last.replace(*alike) != Some(*alike));
            differ.filter_map(|(byte, (_, inner))| Some((byte, inner?))).collect()
        })
    }
}

/// Any bytes.
fn any_text() -> Hir {
    let byte = Hir::class(Class::Bytes(ClassBytes::new([ClassBytesRange::new(0, u8::MAX)])));
    Hir::repetition(Repetition { min: 0, max: None, greedy: true, sub: Box::new(byte) })
}
