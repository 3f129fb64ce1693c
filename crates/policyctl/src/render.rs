//! Answers for people: the place that matters, underlined.

use std::io;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet};
use policy_matcher::Problem;

use crate::cli::Color;
use crate::escape::Visible;
use crate::policies::Sources;

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

fn primary<'a>(span: Range<usize>) -> Annotation<'a> {
    AnnotationKind::Primary.span(span)
}
