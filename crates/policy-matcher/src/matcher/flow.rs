//! Flows: bytes of one end that reach another, by any number of steps.

use shell_parser::{Certainty, End};

use super::access::kind_and_path_held;
use super::program::program_held;
use super::request::request_held;
use super::{Doubt, Outcome};
use crate::policy::{FlowCondition, FlowEnd};
use crate::scene::Scene;
use crate::truth::{Direction, Truth};
use crate::unit::{InvocationUnit, Unit};

/// The flows of one shell text as a graph. Nodes are its invocations, accesses, requests and code,
/// in that order.
#[derive(Debug)]
pub(crate) struct Graph {
    shell: u32,
    /// Edges, ordered by the node that they leave.
    edges: Vec<Edge>,
    /// Whether bytes that reach a node leave it again.
    passes: Vec<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    from: u32,
    to: u32,
    certain: bool,
    step: Step,
}

/// What kind of step an edge is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    /// A flow that the reader saw, or an access and its own invocation.
    Plain,
    /// From a request to the program that makes it: what it fetches is its own output.
    Fetched,
    /// From a program to a request that it makes: whatever reaches the program may be sent.
    Sent,
}

/// A flow that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    /// What the condition says.
    pub outcome: Outcome,
    /// The flow, from its first end to its last.
    pub unit: Unit,
}

impl Graph {
    /// The graph of the shell text `shell`.
    pub fn new(shell: u32, scene: &Scene<'_>) -> Option<Self> {
        let text = scene.facts.shell(shell)?;
        let analysis = &text.analysis;
        let mut graph = Self { shell, edges: Vec::with_capacity(analysis.flows.len()), passes: Vec::new() };
        for flow in &analysis.flows {
            let certain = flow.certainty == Certainty::Certain;
            let (from, to) = (text.node(flow.from), text.node(flow.to));
            let makes = |request: u32, invocation: u32| {
                analysis.requests.get(request as usize).is_some_and(|request| request.by == Some(invocation))
            };
            let step = match (flow.from, flow.to) {
                (End::Request(request), End::Invocation(by)) if makes(request, by) => Step::Fetched,
                (End::Invocation(by), End::Request(request)) if makes(request, by) => Step::Sent,
                _ => Step::Plain,
            };
            graph.edges.push(Edge { from, to, certain, step });
        }
        for (index, access) in (0..).zip(&analysis.accesses) {
            let Some(by) = access.by.map(|by| text.node(End::Invocation(by))) else { continue };
            let node = text.node(End::Access(index));
            let certain = access.certainty == Certainty::Certain;
            match access.kind {
                shell_parser::AccessKind::Read => {
                    graph.edges.push(Edge { from: node, to: by, certain, step: Step::Plain });
                }
                shell_parser::AccessKind::Write => {
                    graph.edges.push(Edge { from: by, to: node, certain, step: Step::Plain });
                }
                _ => {}
            }
        }
        for (index, request) in (0..).zip(&analysis.requests) {
            let Some(by) = request.by.map(|by| text.node(End::Invocation(by))) else { continue };
            let node = text.node(End::Request(index));
            let certain = request.certainty == Certainty::Certain;
            graph.edges.push(Edge { from: node, to: by, certain, step: Step::Fetched });
            graph.edges.push(Edge { from: by, to: node, certain, step: Step::Sent });
        }
        graph.edges.sort_unstable();
        graph.passes = vec![true; text.nodes() as usize];
        for (pass, invocation) in graph.passes.iter_mut().zip(&analysis.invocations) {
            *pass = invocation.passes;
        }
        Some(graph)
    }

    fn leaving(&self, node: u32) -> impl Iterator<Item = &Edge> {
        let first = self.edges.partition_point(|edge| edge.from < node);
        self.edges.iter().skip(first).take_while(move |edge| edge.from == node)
    }

    /// The best flow that the condition matches; with `about`, one of whose ends is that invocation.
    pub fn held(&self, condition: &FlowCondition, scene: &Scene<'_>, about: Option<InvocationUnit>) -> Option<Found> {
        if self.edges.is_empty() {
            return None;
        }
        let text = scene.facts.shell(self.shell)?;
        // Nothing, where no node is such an end.
        let ends = |sides: &[FlowEnd]| -> Option<Vec<Outcome>> {
            let held = |node| end_held(sides, self.shell, text.end(node), scene, Direction::Tightening);
            let ends: Vec<Outcome> = (0..text.nodes()).map(held).collect();
            ends.iter().any(|end| end.truth != Truth::No).then_some(ends)
        };
        let to = ends(&condition.to)?;
        let from = ends(&condition.from)?;
        if let Some(about) = about {
            let only = |outcomes: &[Outcome]| -> Vec<Outcome> {
                let own = |node: u32| self.is_of(node, about, scene);
                (0..).zip(outcomes).map(|(node, outcome)| if own(node) { *outcome } else { Outcome::NO }).collect()
            };
            return better(self.best(&only(&from), &to), self.best(&from, &only(&to)));
        }
        self.best(&from, &to)
    }

    /// Whether a node is the invocation, or an access, request or code of it.
    fn is_of(&self, node: u32, about: InvocationUnit, scene: &Scene<'_>) -> bool {
        let Some(text) = scene.facts.shell(self.shell).filter(|_| self.shell == about.shell) else {
            return false;
        };
        let by = match text.end(node) {
            End::Invocation(index) => Some(index),
            End::Access(index) => text.analysis.accesses.get(index as usize).and_then(|access| access.by),
            End::Request(index) => text.analysis.requests.get(index as usize).and_then(|request| request.by),
            End::Code(index) => text.analysis.code.get(index as usize).and_then(|code| code.by),
        };
        by == Some(about.index)
    }

    /// The best of three searches: certain steps between ends that hold for certain; any steps
    /// between ends of which something is known; any steps at all.
    fn best(&self, from: &[Outcome], to: &[Outcome]) -> Option<Found> {
        let certain = |outcome: &Outcome| outcome.truth == Truth::Certain;
        let known = |outcome: &Outcome| certain(outcome) || (outcome.truth > Truth::No && outcome.speaks());
        let possible = |outcome: &Outcome| outcome.truth > Truth::No;
        let found = |(from, to): (u32, u32), outcome| Found { outcome, unit: Unit::Flow(self.shell, from, to) };
        if let Some(ends) = self.reached(from, to, certain, false) {
            return Some(found(ends, Outcome::YES));
        }
        if let Some(ends) = self.reached(from, to, known, true) {
            let outcome = Outcome { supported: true, ..Outcome::unknown(Doubt::Flow) };
            return Some(found(ends, outcome));
        }
        self.reached(from, to, possible, true).map(|ends| found(ends, Outcome::unknown(Doubt::Flow)))
    }

    /// The first node that counts as an end and is reached, by at least one step, from one that
    /// counts as a beginning; both.
    fn reached(
        &self,
        from: &[Outcome],
        to: &[Outcome],
        counts: impl Fn(&Outcome) -> bool,
        all_edges: bool,
    ) -> Option<(u32, u32)> {
        // A state is a node, and whether the bytes there are the node's own output.
        let mut seen = vec![[false; 2]; from.len()];
        // A beginning sends on what it makes itself, whether or not it copies its input.
        let mut queue: Vec<(u32, Option<Step>, u32)> =
            (0..).zip(from).filter(|(_, outcome)| counts(outcome)).map(|(node, _)| (node, None, node)).collect();
        let mut next = 0;
        while let Some(&(node, by, origin)) = queue.get(next) {
            next += 1;
            let output = by != Some(Step::Plain) || self.passes.get(node as usize).copied().unwrap_or(true);
            for edge in self.leaving(node).filter(|edge| all_edges || edge.certain) {
                let leaves = match edge.step {
                    // What a program fetches by a request does not go back by it.
                    Step::Sent => by != Some(Step::Fetched),
                    Step::Plain | Step::Fetched => output,
                };
                let Some(seen) = seen.get_mut(edge.to as usize).filter(|_| leaves) else { continue };
                let [plain, own] = seen;
                let seen = if edge.step == Step::Fetched { own } else { plain };
                if std::mem::replace(seen, true) {
                    continue;
                }
                // A program and its own request are no two ends.
                let own = edge.step == Step::Fetched || (edge.step == Step::Sent && by.is_none());
                if !own && to.get(edge.to as usize).is_some_and(&counts) {
                    return Some((origin, edge.to));
                }
                queue.push((edge.to, Some(edge.step), origin));
            }
        }
        None
    }
}

fn better(one: Option<Found>, other: Option<Found>) -> Option<Found> {
    match (one, other) {
        (Some(one), Some(other)) if one.outcome.or(other.outcome) != one.outcome => Some(other),
        (Some(one), _) => Some(one),
        (None, other) => other,
    }
}

/// Whether the end of a flow is one of these; no condition takes every end.
pub(crate) fn end_held(sides: &[FlowEnd], shell: u32, end: End, scene: &Scene<'_>, direction: Direction) -> Outcome {
    if sides.is_empty() {
        return Outcome::MUTE;
    }
    Outcome::any(sides.iter().map(|side| side_held(side, shell, end, scene, direction)))
}

fn side_held(side: &FlowEnd, shell: u32, end: End, scene: &Scene<'_>, direction: Direction) -> Outcome {
    let unit = scene.facts.end_unit(shell, end);
    match (side, unit) {
        (FlowEnd::Code, Unit::Code(..)) | (FlowEnd::Network, Unit::Request(_)) => Outcome::YES,
        (FlowEnd::Program(pattern), Unit::Invocation(unit)) => {
            program_held(std::slice::from_ref(pattern), &scene.facts.invocation(unit), scene, direction)
        }
        (FlowEnd::Network, Unit::Invocation(unit)) => {
            let network = crate::policy::ProgramPattern::Set("network".to_owned());
            program_held(&[network], &scene.facts.invocation(unit), scene, direction)
        }
        (FlowEnd::Table { program, access, path, request }, _) => {
            let mut outcome = Outcome::MUTE;
            let of = match unit {
                Unit::Invocation(unit) => Some(unit),
                Unit::Access(index) => scene.facts.accesses.get(index as usize).and_then(|access| access.by),
                Unit::Request(index) => scene.facts.requests.get(index as usize).and_then(|request| request.by),
                _ => None,
            };
            if !program.is_empty() {
                let held =
                    of.map_or(Outcome::NO, |of| program_held(program, &scene.facts.invocation(of), scene, direction));
                outcome = outcome.and(held);
            }
            if !access.is_empty() || !path.is_empty() {
                let Unit::Access(index) = unit else { return Outcome::NO };
                let Some(unit) = scene.facts.accesses.get(index as usize) else { return Outcome::NO };
                outcome = outcome.and(kind_and_path_held(access, path, unit, scene, direction, false));
            }
            if !request.is_empty() {
                let Unit::Request(index) = unit else { return Outcome::NO };
                let Some(unit) = scene.facts.requests.get(index as usize) else { return Outcome::NO };
                outcome = outcome.and(request_held(request, unit, scene, direction));
            }
            if access.is_empty() && path.is_empty() && request.is_empty() && !matches!(unit, Unit::Invocation(_)) {
                return Outcome::NO;
            }
            outcome
        }
        _ => Outcome::NO,
    }
}
