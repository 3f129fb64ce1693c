//! The policies that ship: `builtin:NAME`.
//!
//! They are read and checked when this crate is built and stored as bytes; what is left for start-up
//! is to decode the one that is asked for.

use policy_matcher::policy::Policy;

/// Name, checked policy as bytes, and TOML text.
type Row = (&'static str, &'static [u8], &'static str);

/// By name, in byte order.
static POLICIES: &[Row] = include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// The name of the policy that is used where none is named.
pub const DEFAULT: &str = "workstation";

/// The name of the policy that the engine itself is protected by.
pub const PROTECTION: &str = "self-protection";

/// The names of all shipped policies, in byte order.
pub fn names() -> impl Iterator<Item = &'static str> {
    POLICIES.iter().map(|&(name, ..)| name)
}

/// The shipped policy `name`, without its rules' examples, which judging does not need.
#[must_use]
pub fn policy(name: &str) -> Option<Policy> {
    postcard::from_bytes(row(name)?.1).ok()
}

/// The TOML text of the shipped policy `name`, to show its lines.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    row(name).map(|row| row.2)
}

fn row(name: &str) -> Option<&'static Row> {
    POLICIES.binary_search_by_key(&name, |&(name, ..)| name).ok().and_then(|index| POLICIES.get(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_what_the_text_says() {
        assert!(names().count() >= 3, "{:?}", names().collect::<Vec<_>>());
        assert!(names().is_sorted(), "the table is searched by name");
        for name in names() {
            let stored = policy(name).unwrap();
            let mut read = policy_matcher::policy_from_toml(&stored.file, text(name).unwrap()).unwrap();
            for rule in &mut read.rules {
                rule.examples_match.clear();
                rule.examples_no_match.clear();
            }
            assert_eq!(format!("{stored:?}"), format!("{read:?}"), "{name}");
        }
    }

    #[test]
    fn the_default_is_among_them_and_other_names_are_not() {
        assert_eq!(policy(DEFAULT).map(|policy| policy.name).as_deref(), Some(DEFAULT));
        assert!(policy("no-such-policy").is_none());
    }

    #[test]
    fn every_deny_and_ask_rule_tells_a_way_out_and_has_examples() {
        let stored = policy(DEFAULT).unwrap();
        let policy = policy_matcher::policy_from_toml(&stored.file, text(DEFAULT).unwrap()).unwrap();
        assert!(policy.rules.len() >= 20);
        for rule in policy.rules {
            assert!(rule.hint.is_some_and(|hint| hint.ends_with(['.', '`'])), "{}", rule.id);
            assert!(rule.reason.ends_with('.'), "{}", rule.id);
            assert!(rule.examples_match.len() >= 2 && rule.examples_no_match.len() >= 2, "{}", rule.id);
        }
    }
}
