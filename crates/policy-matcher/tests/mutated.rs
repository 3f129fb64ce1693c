//! Policies with a part broken: read or refused, never a panic, and no rule lost on the way.
#![expect(clippy::unwrap_used, clippy::string_slice, reason = "a test stops at the first surprise")]
#![expect(clippy::disallowed_methods, reason = "the test reads its cases, the crate under test does not")]

use std::path::Path;
use std::sync::LazyLock;

use policy_matcher::policy_from_toml;
use proptest::prelude::*;

static POLICIES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/policies/ok");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 120);
    paths.into_iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
});

/// Values of every type, most of them wrong wherever they stand.
const VALUES: [&str; 14] = [
    "3",
    "-1",
    "1.5",
    "nan",
    "true",
    "\"\"",
    "\"x\"",
    "\"@shells\"",
    "[]",
    "[1]",
    "[[\"a\"], 2]",
    "{}",
    "{ x = 1 }",
    "1979-05-27",
];

/// What is done to a policy.
#[derive(Clone, Debug)]
enum Mutation {
    DeleteLine(prop::sample::Index),
    ReplaceValue(prop::sample::Index, &'static str),
    Truncate(prop::sample::Index),
    Insert(prop::sample::Index, String),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let index = any::<prop::sample::Index>;
    prop_oneof![
        index().prop_map(Mutation::DeleteLine),
        (index(), prop::sample::select(&VALUES[..])).prop_map(|(at, value)| Mutation::ReplaceValue(at, value)),
        index().prop_map(Mutation::Truncate),
        (index(), "[\\[\\]{}=\"',.@$#a\n\u{e9}]{1,4}").prop_map(|(at, text)| Mutation::Insert(at, text)),
    ]
}

fn mutated(text: &str, mutation: &Mutation) -> String {
    let boundary = |at: &prop::sample::Index| {
        let boundaries: Vec<usize> = text.char_indices().map(|(offset, _)| offset).collect();
        *at.get(&boundaries)
    };
    let lines: Vec<&str> = text.lines().collect();
    match mutation {
        _ if lines.is_empty() => String::new(),
        Mutation::Truncate(at) => text[..boundary(at)].to_owned(),
        Mutation::Insert(at, inserted) => {
            let at = boundary(at);
            format!("{}{inserted}{}", &text[..at], &text[at..])
        }
        Mutation::DeleteLine(at) => {
            let at = at.index(lines.len());
            let kept = lines.iter().enumerate().filter(|(index, _)| *index != at);
            kept.map(|(_, line)| format!("{line}\n")).collect()
        }
        Mutation::ReplaceValue(at, value) => {
            let values: Vec<(usize, usize)> =
                text.match_indices(" = ").map(|(offset, equals)| (offset, equals.len())).collect();
            if values.is_empty() {
                return text.to_owned();
            }
            let (offset, length) = *at.get(&values);
            let begin = offset + length;
            let rest = &text[begin..];
            // The value ends, roughly, where the next key or line begins: what is left over is a fault of its own.
            let end = begin + rest.find([',', '}', '\n']).unwrap_or(rest.len());
            format!("{}{}{}", &text[..begin], value, &text[end..])
        }
    }
}

/// How many rules the text has, where each begins a line.
fn lists(text: &str) -> usize {
    const BEGINNINGS: [&str; 4] = ["[[deny]]", "[[ask]]", "[[allow]]", "  { id = "];
    text.lines().filter(|line| BEGINNINGS.iter().any(|beginning| line.starts_with(beginning))).count()
}

fn check(text: &str) -> Result<(), TestCaseError> {
    match policy_from_toml("mutated.toml", text) {
        Ok(policy) => {
            prop_assert_eq!(policy.rules.len(), lists(text));
        }
        Err(problems) => {
            prop_assert!(!problems.is_empty());
            for problem in problems {
                prop_assert!(text.get(problem.span.clone()).is_some(), "{:?}", problem);
                prop_assert!(!problem.message.is_empty() && !problem.message.contains('\n'), "{:?}", problem);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn a_broken_policy_is_refused_or_whole(
        policy in any::<prop::sample::Index>(),
        mutations in prop::collection::vec(mutation(), 1..4),
    ) {
        let text = mutations.iter().fold(policy.get(&POLICIES).clone(), |text, mutation| mutated(&text, mutation));
        check(&text)?;
    }

    #[test]
    fn any_text_is_read_or_refused(text in "(version = 1\n)?([a-z]{1,6}|[ =.,@$\"'\\[\\]{}#\n]|deny|tools|where){0,40}") {
        check(&text)?;
    }
}
