//! What is fed to a program: here-documents, here-strings, and what is printed into a pipe.

use shell_parser::{Analysis, End, Invocation, Span};

use super::command::Taken;

/// The longest chain of pipes that is followed back to where input comes from.
pub(super) const CHAIN: usize = 4;

/// Takes what is fed to an invocation.
pub(super) fn take_input(
    text: &str,
    analysis: &Analysis<'_>,
    number: usize,
    chain: usize,
    take: &mut dyn FnMut(Taken<'_>),
) {
    let (Some(invocation), Some(chain)) = (analysis.invocations.get(number), chain.checked_sub(1)) else { return };
    for line in documents(text, invocation.span) {
        take(Taken::Secret(line));
        take(Taken::Secret(behind_user(line)));
    }
    let number = End::Invocation(u32::try_from(number).unwrap_or(u32::MAX));
    for flow in analysis.flows.iter().filter(|flow| flow.to == number) {
        let End::Invocation(from) = flow.from else { continue };
        let from = from as usize;
        match analysis.invocations.get(from) {
            Some(source) if is_printer(source) => printed(source, take),
            Some(_) => take_input(text, analysis, from, chain, take),
            None => {}
        }
    }
}

/// Whether an invocation prints its own words.
fn is_printer(invocation: &Invocation<'_>) -> bool {
    let name = invocation.words.first().and_then(|word| word.known()).unwrap_or_default();
    matches!(name.rsplit('/').next(), Some("echo" | "printf"))
}

/// Takes the words that are printed, and their lines.
fn printed(invocation: &Invocation<'_>, take: &mut dyn FnMut(Taken<'_>)) {
    for word in invocation.words.iter().skip(1).filter_map(|word| word.known()) {
        for line in word.split("\\n").flat_map(str::lines) {
            if !line.starts_with(['-', '%']) && !line.is_empty() {
                take(Taken::Secret(line));
                take(Taken::Secret(behind_user(line)));
            }
        }
    }
}

/// `secret` of `user:secret` (chpasswd(8)).
fn behind_user(line: &str) -> &str {
    line.split_once(':').map_or(line, |(_, secret)| secret)
}

/// The lines of the here-documents and here-strings of an invocation.
fn documents(text: &str, span: Span) -> Vec<&str> {
    let written = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let mut lines = Vec::new();
    for (at, _) in written.match_indices("<<") {
        let rest = written.get(at + 2..).unwrap_or_default();
        if let Some(string) = rest.strip_prefix('<') {
            lines.push(string.trim());
            continue;
        }
        let delimiter: String = rest
            .trim_start_matches(['-', ' ', '"', '\'', '\\'])
            .chars()
            .take_while(|character| character.is_alphanumeric() || *character == '_')
            .collect();
        let below = text.get(span.end as usize..).and_then(|rest| rest.split_once('\n')).map_or("", |(_, below)| below);
        if !delimiter.is_empty() {
            lines.extend(below.lines().take_while(|line| line.trim_start_matches('\t') != delimiter));
        }
    }
    lines
}
