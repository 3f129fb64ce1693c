//! The policies that ship: `builtin:NAME`.
//!
//! *Packs* (`packs/`) hold the rules of one family each, *stances* (beside them) include packs and say what holds where no
//! rule speaks, and *tables* (`tables/`) stand alone, as `builtin:tables/NAME`. All are read and checked, and their inclusions
//! resolved, when this crate is built, and stored as bytes; what is left for start-up is to decode those that are asked for.

use policy_matcher::policy::{Policy, Tool};
use policy_matcher::{File, Problem, Surroundings, policies_from_toml};

/// One policy file.
struct Row {
    name: &'static str,
    /// All that it includes, and these include, in the order in which they count.
    includes: &'static [&'static str],
    pack: bool,
    /// The checked policy.
    stored: &'static [u8],
    text: &'static str,
}

/// By name, in byte order.
static POLICIES: &[Row] = include!(concat!(env!("OUT_DIR"), "/table.rs"));

/// The name of the policy that is used where none is named.
pub const DEFAULT: &str = "workstation";

/// The names of the stances, from the mildest to the strictest.
pub const STANCES: [&str; 5] = [DEFAULT, "ask-first", "ci", "locked-down", "read-only"];

/// The name of the policy that the engine itself is protected by.
pub const PROTECTION: &str = "self-protection";

/// The name of the pack that declares the tools of agents.
pub const TOOLS: &str = "tools";

/// The names of all shipped policies, in byte order.
pub fn names() -> impl Iterator<Item = &'static str> {
    POLICIES.iter().map(|row| row.name)
}

/// The names of the packs, in byte order.
pub fn packs() -> impl Iterator<Item = &'static str> {
    POLICIES.iter().filter(|row| row.pack).map(|row| row.name)
}

/// The names of all that the shipped policy `name` includes, directly or not, in the order in which they count.
#[must_use]
pub fn includes(name: &str) -> &'static [&'static str] {
    row(name).map_or(&[], |row| row.includes)
}

/// The file of the shipped policy `name` alone, without its rules' examples, which judging does not need.
#[must_use]
pub fn policy(name: &str) -> Option<Policy> {
    postcard::from_bytes(row(name)?.stored).ok()
}

/// The shipped policy `name` behind all that it includes: what judges where it is named. `None`: there is none.
#[must_use]
pub fn policies(name: &str) -> Option<Vec<Policy>> {
    let row = row(name)?;
    row.includes.iter().chain([&row.name]).map(|name| policy(name)).collect()
}

/// The TOML text of the shipped policy `name`, to show its lines.
#[must_use]
pub fn text(name: &str) -> Option<&'static str> {
    row(name).map(|row| row.text)
}

/// The file of the shipped policy `name`, read again from its text: with its rules' examples. `None`: there is none.
///
/// # Errors
/// Everything that is wrong with it; since it was checked when this crate was built, that would be a fault of the reading.
#[must_use]
pub fn read_again(name: &str) -> Option<Result<Policy, Vec<Problem>>> {
    read_with(name, &[])
}

/// The sets of shipped policies that are their owner's to name: a file that declares one of these has it in the place of
/// the shipped one, in all that its layer includes. Any other name stands once in a layer.
pub const OWNERS_SETS: [&str; 1] = ["protected_branches"];

/// The file of the shipped policy `name` as it is where its owner says what `sets` hold: without these sets, which are the
/// owner's file's, and without its rules' examples, which are about its own. `None`: there is none.
///
/// # Errors
/// Members that its rules cannot name: a pattern that does not compile, a set that is not there.
#[must_use]
pub fn with_sets(name: &str, sets: &[(String, Vec<String>)]) -> Option<Result<Policy, Vec<Problem>>> {
    let read = read_with(name, sets)?;
    Some(read.map(|mut policy| {
        policy.sets.retain(|name, _| sets.iter().all(|(of_owner, _)| of_owner != name));
        for rule in &mut policy.rules {
            rule.examples_match.clear();
            rule.examples_no_match.clear();
        }
        policy
    }))
}

fn read_with(name: &str, sets: &[(String, Vec<String>)]) -> Option<Result<Policy, Vec<Problem>>> {
    let row = row(name)?;
    let layer: Vec<Policy> = row.includes.iter().filter_map(|name| policy(name)).collect();
    let tools: Vec<Tool> = if row.pack && name != TOOLS { policy(TOOLS)?.tools } else { Vec::new() };
    let file = policy(name)?.file;
    let surroundings = Surroundings { layer: &layer, tools: &tools, sets, of: None };
    policies_from_toml(&[File { name: &file, text: row.text }], &surroundings).pop()
}

fn row(name: &str) -> Option<&'static Row> {
    POLICIES.binary_search_by_key(&name, |row| row.name).ok().and_then(|index| POLICIES.get(index))
}

#[cfg(test)]
mod tests {
    use policy_matcher::policy::Verdict;
    use policy_matcher::{Context, Policies, call_from_json, example_problems};
    use shell_parser::NoFiles;

    use super::*;

    #[test]
    fn what_is_stored_is_what_the_text_says() {
        assert!(names().count() >= 25, "{:?}", names().collect::<Vec<_>>());
        assert!(names().is_sorted(), "the table is searched by name");
        for name in names() {
            let stored = policy(name).unwrap();
            let mut read = read_again(name).unwrap().unwrap();
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
        assert!(policies("no-such-policy").is_none());
    }

    /// What is included counts before what includes it, and nothing twice.
    #[test]
    fn a_policy_stands_behind_what_it_includes() {
        let names: Vec<String> = policies(DEFAULT).unwrap().into_iter().map(|policy| policy.name).collect();
        assert_eq!(names.first().map(String::as_str), Some(TOOLS));
        assert_eq!(names.last().map(String::as_str), Some(DEFAULT));
        let mut once = names.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), names.len(), "{names:?}");
        // The allow-list is for the stances that do not allow where no rule speaks.
        let missing: Vec<&str> = packs().filter(|pack| !names.iter().any(|name| name == pack)).collect();
        assert_eq!(missing, ["reading"], "every other pack is a part of it");
    }

    #[test]
    fn every_rule_tells_a_way_out_and_has_examples_that_hold() {
        let mut rules = 0;
        let tools = policy(TOOLS).unwrap();
        for name in packs().chain(STANCES) {
            let policy = read_again(name).unwrap().unwrap();
            assert_eq!(policy.name, name);
            assert_eq!(example_problems(&policy, std::slice::from_ref(&tools)), [], "{name}");
            for rule in policy.rules {
                assert!(rule.hint.is_some_and(|hint| hint.ends_with(['.', '`'])), "{}", rule.id);
                assert!(rule.reason.ends_with('.'), "{}", rule.id);
                assert!(rule.examples_match.len() >= 3 && rule.examples_no_match.len() >= 3, "{}", rule.id);
                rules += 1;
            }
        }
        assert!(rules >= 80, "{rules}");
    }

    /// The commands that hints offer, between backquotes, are not denied; words in capitals stand for what is meant.
    #[test]
    fn what_a_hint_offers_is_not_denied() {
        let judged = Policies::new(policies(DEFAULT).unwrap());
        let project = || Some("/home/user/project".to_owned());
        let context =
            Context { workspace: project(), cwd: project(), home: Some("/home/user".into()), ..Context::default() };
        let mut commands = 0;
        for name in packs().chain(STANCES) {
            for rule in policy(name).unwrap().rules {
                let hint = rule.hint.unwrap();
                assert_eq!(hint.matches('`').count() % 2, 0, "{}", rule.id);
                for command in hint.split('`').skip(1).step_by(2) {
                    let call = format!(r#"{{"tool": "bash", "args": {{"command": {command:?}}}}}"#);
                    let decision = judged.decision(&call_from_json(&call).unwrap(), &context, &NoFiles);
                    assert_ne!(decision.decision, Verdict::Deny, "{}: {command}: {}", rule.id, decision.reason);
                    commands += 1;
                }
            }
        }
        assert!(commands >= 50, "{commands}");
    }

    /// An owner's set stands in the place of the shipped one, and is the owner's.
    #[test]
    fn an_owners_set_replaces_the_shipped_one() {
        let own = [("protected_branches".to_owned(), vec!["prod".to_owned()])];
        let shipped = policy("git").unwrap();
        let changed = with_sets("git", &own).unwrap().unwrap();
        assert!(shipped.sets.contains_key("protected_branches") && !changed.sets.contains_key("protected_branches"));
        assert_ne!(format!("{:?}", shipped.rules), format!("{:?}", changed.rules));
        assert!(format!("{:?}", changed.rules).contains("prod"));
        let wrong = [("protected_branches".to_owned(), vec!["[".to_owned()])];
        assert!(with_sets("git", &wrong).unwrap().is_err());
    }
}
