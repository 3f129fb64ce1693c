//! The prompt budget: how much of what people ask for the default policy denies or asks about.
//!
//! `just budget` prints the share over the commands of nl2bash, by rule, made
//! in a workspace below the home folder and with no file system.
//!
//! The corpus is a collection of answers about administering machines: a good part of it runs `sudo`, or changes files
//! below `/`, `/home` or `/path/to`, which from a project's workspace is a question for the owner. What is asked about for
//! want of knowledge (a path or program that a substitution, `find` or `xargs` makes) is what the budget presses on.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use policy_matcher::policy::Verdict;
use policy_matcher::{Policies, call_from_json};
use serde_json::json;
use shell_parser::NoFiles;

use crate::scene;

/// The most commands that may be asked about, in 10,000: above the aim of 500 for asked and denied together. It only falls.
const MOST_ASKED: usize = 1_269;

/// The most commands that may be denied, in 10,000. It only falls, unless a danger was missed.
const MOST_DENIED: usize = 112;

#[test]
fn the_default_policy_keeps_its_prompt_budget() {
    let policies = Policies::new(builtin_policies::policies(builtin_policies::DEFAULT).unwrap());
    let context = scene::context();
    let mut by_rule: BTreeMap<(Verdict, String), usize> = BTreeMap::new();
    let (mut all, mut asked, mut denied) = (0, 0, 0);
    for command in include_str!("../corpora/nl2bash.txt").lines() {
        let call = json!({"tool": "bash", "args": {"command": command}}).to_string();
        let decision = policies.decision(&call_from_json(&call).unwrap(), &context, &NoFiles);
        all += 1;
        match decision.decision {
            Verdict::Allow => continue,
            Verdict::Ask => asked += 1,
            Verdict::Deny => denied += 1,
        }
        let rule = decision.rule.unwrap_or_else(|| "(no rule)".to_owned());
        *by_rule.entry((decision.decision, rule)).or_default() += 1;
    }
    let share = |count: usize| count * 10_000 / all;
    let percent = |count: usize| format!("{:2}.{:02} %", share(count) / 100, share(count) % 100);
    let mut table = format!("{all} commands: {} denied, {} asked about", percent(denied), percent(asked));
    let mut rows: Vec<_> = by_rule.into_iter().collect();
    rows.sort_by_key(|((_, rule), count)| (std::cmp::Reverse(*count), rule.clone()));
    for ((verdict, rule), count) in rows {
        let verdict = if verdict == Verdict::Deny { "deny" } else { "ask" };
        write!(table, "\n{count:5} {} {verdict:4} {rule}", percent(count)).unwrap();
    }
    println!("{table}");
    assert!(all >= 12_600, "{all} commands");
    assert!(share(asked) <= MOST_ASKED && share(denied) <= MOST_DENIED, "the budget is exceeded\n{table}");
}
