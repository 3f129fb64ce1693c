//! Answers for people: the place that matters, underlined.

use std::io;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use policy_matcher::Problem;
use policy_matcher::decision::{Decision, Match, MatchCertainty, Source};
use policy_matcher::explanation::ExplainedRule;
use policy_matcher::policy::{RuleEffect, Verdict};

use crate::cli::Color;
use crate::policies::Sources;
use policy_gate::Visible;

/// A command of at most this many lines is shown whole; of a longer one, the lines that decided.
const WHOLE_LINES: usize = 40;

/// Columns beyond which a line is cut: more than a call can have.
const WIDTH: usize = 1 << 30;

/// The renderer for a stream.
#[expect(clippy::disallowed_methods, reason = "`NO_COLOR` is how a user asks for no colours (no-color.org)")]
pub fn renderer(color: Color, stream: &impl io::IsTerminal) -> Renderer {
    let colored = match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    // Lines are never cut: what is judged is shown whole, and a terminal wraps by itself.
    if colored { Renderer::styled() } else { Renderer::plain() }.term_width(WIDTH)
}

/// The text of the field that a decision speaks of.
#[derive(Clone, Copy, Debug)]
pub struct FieldText<'a> {
    /// The field's name.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
}

/// A decision: verdict, rule and reason; the part of the call and the line of the policy that decided; the way out.
pub fn decision(
    renderer: &Renderer,
    decision: &Decision,
    field: Option<FieldText<'_>>,
    sources: &Sources,
    explain: bool,
) -> String {
    let level = match decision.decision {
        Verdict::Allow => Level::HELP.with_name("allow"),
        Verdict::Ask => Level::WARNING.with_name("ask"),
        Verdict::Deny => Level::ERROR.with_name("deny"),
    };
    let shown = field.map(|field| (field, Visible::lines(field.text)));
    let rule = decision.rule.as_deref().and_then(|id| decision.matches.iter().find(|found| found.rule == id));
    let rule_line = rule.and_then(|rule| RuleLine::new(&rule.source, sources));

    // An allow rule may leave its reason out.
    let reason = if decision.reason.is_empty() { "allowed by this rule" } else { &decision.reason };
    let mut title = level.primary_title(Visible::lines(reason).text);
    if let Some(id) = &decision.rule {
        title = title.id(Visible::line(id));
    }
    let mut group = Group::with_title(title);
    if let Some((field, visible)) = &shown {
        let folds = visible.text.lines().nth(WHOLE_LINES).is_some();
        let mut snippet = Snippet::source(visible.text.as_str()).path(field.name).fold(folds);
        if let Some(span) = decision.span.and_then(|span| range(span, field.text)) {
            let label = match decision.certainty {
                MatchCertainty::Certain => None,
                MatchCertainty::Possible => Some("may be what the rule speaks of"),
            };
            snippet = snippet.annotation(primary(visible.span(span)).label(label));
        }
        group = group.element(snippet);
    }
    if let Some(rule_line) = &rule_line {
        group = group.element(
            Snippet::source(rule_line.text.as_str())
                .path(rule_line.file)
                .line_start(rule_line.number)
                .annotation(AnnotationKind::Context.span(rule_line.span.clone())),
        );
    } else if let Some(rule) = rule {
        group = group.element(Level::NOTE.message(format!("rule at {}:{}", rule.source.file, rule.source.line)));
    }
    if decision.rule.is_none() {
        for unit in &decision.uncovered {
            group = group.element(Level::NOTE.message(format!("no rule speaks of {}", self::unit(unit))));
        }
    }
    if let Some(hint) = &decision.hint {
        group = group.element(Level::HELP.with_name("hint").message(Visible::lines(hint).text));
    }
    if explain {
        for found in &decision.matches {
            group = group.element(Level::NOTE.with_name("matched").message(matched(found)));
        }
        for rule in decision.explanation.iter().flat_map(|explanation| &explanation.rules) {
            for line in explained(rule) {
                group = group.element(Level::NOTE.with_name(line.0).message(line.1));
            }
        }
        if decision.rule.is_some() {
            for unit in &decision.uncovered {
                group = group.element(Level::NOTE.with_name("uncovered").message(self::unit(unit)));
            }
        }
    }
    let mut text = renderer.render(&[group]);
    text.push('\n');
    if explain {
        for covering in decision.explanation.iter().flat_map(|explanation| &explanation.covering) {
            text += &format!("\nTo allow {}", unit(&covering.unit));
            match (&covering.rule, covering.reason) {
                (Some(rule), _) => text += &format!(", the smallest rule is:\n\n{}", Visible::lines(rule).text),
                (None, reason) => text += &format!(" there is no rule: {}.\n", reason.unwrap_or("none covers it")),
            }
        }
    }
    text
}

/// Why a rule is not certain, or does not match although it comes close.
fn explained(rule: &ExplainedRule) -> Vec<(&'static str, String)> {
    let Source { file, line } = &rule.source;
    let place = format!("({}:{line})", Visible::line(file));
    let id = Visible::line(&rule.rule);
    let mut lines = Vec::new();
    for condition in &rule.conditions {
        let key = Visible::line(&condition.key);
        match (rule.matches, condition.holds, &condition.unknown) {
            (None, None, _) if condition.key == "unless" => {
                lines.push(("excepted", format!("`{id}`, by its `unless`, on {} {place}", unit(&rule.unit))));
            }
            (None, None, _) => {
                lines.push(("close", format!("`{id}`, but `{key}` does not hold of {} {place}", unit(&rule.unit))));
            }
            (Some(MatchCertainty::Possible), Some(MatchCertainty::Possible), Some(unknown)) => {
                lines.push(("unknown", format!("`{id}`, `{key}`: {} {place}", Visible::line(unknown))));
            }
            _ => {}
        }
    }
    lines
}

/// A problem in a policy file, with its place underlined.
pub fn problem(renderer: &Renderer, problem: &Problem, sources: &Sources) -> String {
    let title = Level::ERROR.primary_title(Visible::lines(&problem.message).text).id(problem.code.name());
    let mut group = Group::with_title(title);
    let source = sources.text(&problem.file).unwrap_or_default();
    let visible = Visible::lines(source);
    let start = problem.span.start.min(source.len());
    let span = start..problem.span.end.clamp(start, source.len());
    group = group.element(
        Snippet::source(visible.text.as_str()).path(problem.file.as_str()).annotation(primary(visible.span(span))),
    );
    if !problem.help.is_empty() {
        group = group.element(Level::HELP.message(Visible::lines(&problem.help).text));
    }
    let mut text = renderer.render(&[group]);
    text.push('\n');
    text
}

/// The line and column (in characters) at which the byte `offset` of `text` stands, from 1.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
}

/// The line of a policy that names a rule.
struct RuleLine<'a> {
    file: &'a str,
    text: String,
    number: usize,
    span: Range<usize>,
}

impl<'a> RuleLine<'a> {
    /// The `id` line of the rule that begins at `source`, or else its first line.
    fn new(source: &'a Source, sources: &'a Sources) -> Option<Self> {
        let first = usize::try_from(source.line).ok()?.checked_sub(1)?;
        let mut lines = sources.text(&source.file)?.lines().enumerate().skip(first);
        let (begin, header) = lines.next()?;
        let id = lines.take_while(|(_, line)| !line.trim_start().starts_with('[')).find(|(_, line)| {
            line.trim_start().strip_prefix("id").is_some_and(|rest| rest.trim_start().starts_with('='))
        });
        let (index, text) = id.unwrap_or((begin, header));
        let text = Visible::line(text.trim_end());
        let start = text.len() - text.trim_start().len();
        Some(Self { file: &source.file, number: index + 1, span: start..text.len(), text })
    }
}

fn primary<'a>(span: Range<usize>) -> Annotation<'a> {
    AnnotationKind::Primary.span(span)
}

/// The byte range, where it lies within the text and between characters.
fn range((start, end): (u32, u32), text: &str) -> Option<Range<usize>> {
    let range = usize::try_from(start).ok()?..usize::try_from(end).ok()?;
    text.get(range.clone()).map(|_| range)
}

fn matched(found: &Match) -> String {
    let effect = match found.effect {
        RuleEffect::Allow => "allow",
        RuleEffect::Ask => "ask",
        RuleEffect::Deny => "deny",
    };
    let certainty = match (found.certainty, found.supported) {
        (MatchCertainty::Certain, _) => "certainly",
        (MatchCertainty::Possible, true) => "possibly, and something known speaks for it",
        (MatchCertainty::Possible, false) => "possibly, and nothing known speaks for it",
    };
    let Source { file, line } = &found.source;
    format!(
        "{effect} `{}`, {certainty}, on {} ({}:{line})",
        Visible::line(&found.rule),
        unit(&found.unit),
        Visible::line(file)
    )
}

/// A unit in words: `invocation rm -rf .`.
fn unit(unit: &serde_json::Value) -> String {
    use serde_json::Value;
    let text = |value: &Value| match value {
        Value::String(text) => Visible::line(&text.replace('\0', "…")),
        Value::Array(words) => {
            let words = words.iter().map(|word| word.as_str().map_or_else(|| word.to_string(), quoted));
            words.collect::<Vec<_>>().join(" ")
        }
        other => Visible::line(&other.to_string()),
    };
    match unit {
        Value::Object(members) => {
            let parts = members.iter().map(|(kind, value)| format!("{kind} `{}`", text(value)));
            parts.collect::<Vec<_>>().join(", ")
        }
        other => text(other),
    }
}

fn quoted(word: &str) -> String {
    if word.contains('\0') {
        Visible::line(&word.replace('\0', "…"))
    } else {
        Visible::line(&shell_words::quote(word))
    }
}
