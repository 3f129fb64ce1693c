//! How much stays known: a reader that calls everything possible loses nothing, and is of no use.

use std::io::Write;

use shell_parser::{Analysis, Arena, Certainty, Cover, FindingKind};

use crate::CORPUS;
use crate::comparison::analysis;

#[test]
fn most_commands_are_wholly_certain() {
    let (mut all, mut certain, mut known, mut unknown) = (0_u32, 0_u32, 0_u32, 0_u32);
    for text in CORPUS.lines() {
        let arena = Arena::new();
        let analysis = analysis(&arena, text);
        all += 1;
        if analysis.fault.is_some() {
            continue;
        }
        certain += u32::from(is_certain(&analysis));
        known += u32::from(is_certain(&analysis) && is_known(&analysis));
        unknown += u32::from(has_unknown_code(&analysis));
    }
    let share = |part: u32| f64::from(part) * 100.0 / f64::from(all);
    let [certain, known, unknown] = [certain, known, unknown].map(share);
    let _ = writeln!(
        std::io::stderr(),
        "facts of {all} commands: {certain:.1} % wholly certain, {known:.1} % with every word known too, {unknown:.1} % with unknown code"
    );
    assert!(certain >= LEAST_CERTAIN, "{certain:.1} %");
    assert!(known >= LEAST_KNOWN, "{known:.1} %");
    assert!(unknown <= MOST_UNKNOWN, "{unknown:.1} %");
}

/// Percent of the commands of which every fact is certain.
const LEAST_CERTAIN: f64 = 75.0;

/// Percent of the commands of which every fact is certain, and every word and path known.
const LEAST_KNOWN: f64 = 52.0;

/// Percent of the commands that run code which is not known.
const MOST_UNKNOWN: f64 = 4.0;

/// Whether nothing is only possible.
fn is_certain(analysis: &Analysis<'_>) -> bool {
    let is = |certainty: Certainty| certainty == Certainty::Certain;
    analysis.invocations.iter().all(|own| is(own.certainty))
        && analysis.accesses.iter().all(|own| is(own.certainty))
        && analysis.requests.iter().all(|own| is(own.certainty))
        && analysis.flows.iter().all(|own| is(own.certainty))
        && analysis.assignments.iter().all(|own| is(own.certainty))
}

/// Whether every word and path is known.
fn is_known(analysis: &Analysis<'_>) -> bool {
    analysis.invocations.iter().all(|own| !own.open && own.words.iter().all(|word| word.known().is_some()))
        && analysis.accesses.iter().all(|own| own.path.known().is_some())
}

fn has_unknown_code(analysis: &Analysis<'_>) -> bool {
    let hidden =
        |kind| matches!(kind, FindingKind::DynamicCode | FindingKind::DynamicProgram | FindingKind::InteractiveShell);
    analysis.invocations.iter().any(|own| own.cover == Cover::Unknown)
        || analysis.findings.iter().any(|finding| hidden(finding.kind))
}
