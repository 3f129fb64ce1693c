//! Properties of every text: reading ends, spans are ordered and within the text, and what stands
//! between the statements of a text that is read whole is separators and comments only.

use proptest::prelude::*;

use super::print::line;
use crate::tree::{Command, CommandKind, List, Part, Word};
use crate::{Arena, SourceMap, Span, parse};

const TOKENS: [&str; 74] = [
    "a",
    "b=",
    "c[1]=",
    "rm",
    " ",
    " ",
    " ",
    "\t",
    "\n",
    "\n",
    ";",
    ";;",
    ";&",
    "&",
    "&&",
    "|",
    "||",
    "|&",
    "(",
    ")",
    "((",
    "))",
    "{",
    "}",
    "{ ",
    "; }",
    "[[ ",
    " ]]",
    "if ",
    "; then ",
    "; fi",
    "elif ",
    "else ",
    "for x in ",
    "; do ",
    "; done",
    "while ",
    "case x in ",
    "esac",
    "function f ",
    "f()",
    "coproc ",
    "time ",
    "! ",
    "$",
    "$x",
    "${",
    "${x:-",
    "${#",
    "${x/",
    "$(",
    "$((",
    "$[",
    "`",
    "\\`",
    "'",
    "\"",
    "$'",
    "\\",
    "\\\n",
    "#",
    "<",
    ">",
    "<<E",
    "<<-'E'",
    "\nE\n",
    "<<<",
    "<(",
    "&>",
    "2>&1",
    "@(",
    "=~",
    "é",
    "]",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&TOKENS[..]), 0..40).prop_map(|tokens| tokens.concat())
}

/// Checks that `inner` lies in `outer`.
fn inside(inner: Span, outer: Span) -> Result<(), TestCaseError> {
    prop_assert!(
        inner.start <= inner.end && outer.start <= inner.start && inner.end <= outer.end,
        "{inner:?} in {outer:?}"
    );
    Ok(())
}

fn check_list(list: List<'_>, outer: Span) -> Result<(), TestCaseError> {
    let mut end = outer.start;
    for statement in list.0 {
        inside(statement.span, Span::new(end, outer.end))?;
        end = statement.span.end;
        let pipelines = std::iter::once(statement.first).chain(statement.rest.iter().map(|(_, pipeline)| *pipeline));
        for pipeline in pipelines {
            inside(pipeline.span, statement.span)?;
            for stage in pipeline.stages {
                inside(stage.command.span, pipeline.span)?;
                check_command(stage.command)?;
            }
        }
    }
    Ok(())
}

fn check_command(command: Command<'_>) -> Result<(), TestCaseError> {
    for redirect in command.redirects {
        inside(redirect.span, command.span)?;
        check_word(redirect.target, redirect.span)?;
    }
    match command.kind {
        CommandKind::Simple { words, assignments } => {
            for assignment in assignments {
                inside(assignment.span, command.span)?;
            }
            let mut end = command.span.start;
            for word in words {
                check_word(*word, Span::new(end, command.span.end))?;
                end = word.span.end;
            }
        }
        CommandKind::Subshell(list) | CommandKind::Group(list) => check_list(list, command.span)?,
        CommandKind::Function { body, .. } | CommandKind::Coprocess { body, .. } => {
            inside(body.span, command.span)?;
            check_command(*body)?;
        }
        _ => {}
    }
    Ok(())
}

fn check_word(word: Word<'_>, outer: Span) -> Result<(), TestCaseError> {
    inside(word.span, outer)?;
    for part in word.parts {
        if let Part::Command { list, span } | Part::Process { list, span, .. } = part {
            inside(*span, word.span)?;
            check_list(*list, *span)?;
        }
    }
    Ok(())
}

fn check(text: &str) -> Result<(), TestCaseError> {
    let arena = Arena::new();
    let script = parse(&arena, text, SourceMap::Shifted(0));
    line(&script);
    let whole = Span::new(0, u32::try_from(text.len()).unwrap());
    check_list(script.list, whole)?;
    if let Some(fault) = script.fault {
        return inside(fault.span, whole);
    }
    // A body of a here-document stands between statements too.
    if !text.contains("<<") {
        let mut end = 0;
        for statement in script.list.0 {
            separators(text.get(end..statement.span.start as usize).unwrap())?;
            end = statement.span.end as usize;
        }
        separators(text.get(end..).unwrap())?;
    }
    Ok(())
}

fn separators(gap: &str) -> Result<(), TestCaseError> {
    let gap = gap.replace("\\\n", "");
    for line in gap.lines() {
        let code = line.split('#').next().unwrap_or_default();
        prop_assert!(code.trim_matches([' ', '\t', ';', '&']).is_empty(), "not covered: {gap:?}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn token_soup_has_a_tree(text in soup()) {
        check(&text)?;
    }

    #[test]
    fn bytes_have_a_tree(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&String::from_utf8_lossy(&bytes))?;
    }

    #[test]
    fn a_text_and_its_beginning_agree(text in soup(), more in soup()) {
        // What ends in a newline and has no fault and no open here-document is read the same whatever follows.
        let arena = Arena::new();
        let text = format!("{text}\n");
        let first = parse(&arena, &text, SourceMap::Shifted(0));
        if first.fault.is_none() && !text.contains("<<") && !text.ends_with("\\\n") {
            let both = format!("{text}{more}");
            let both = parse(&arena, &both, SourceMap::Shifted(0));
            for (one, other) in first.list.0.iter().zip(both.list.0) {
                prop_assert_eq!(one.span, other.span);
            }
            prop_assert!(both.list.0.len() >= first.list.0.len());
        }
    }
}
