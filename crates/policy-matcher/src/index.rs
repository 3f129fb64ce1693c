//! The policies in force, made ready: tools by name, rules by tool and program.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::OnceLock;

use shell_parser::Programs;

use crate::matcher::command::{Subject, subject};
use crate::matcher::program::name_key;
use crate::matcher::table::{Sets, Table};
use crate::path::PathIndex;
use crate::pattern::Glob;
use crate::policy::{
    CommandCondition, Condition, Defaults, Field, FieldKind, FlowEnd, Inert, Policy, ProgramPattern, Rule, RuleEffect,
    Tool,
};

/// From how many rules on accesses on they are looked up by their paths.
const MANY: usize = 64;

/// The policies in force, in the order of their layers.
#[derive(Debug)]
pub struct Policies {
    pub(crate) policies: Vec<Policy>,
    pub(crate) defaults: Defaults,
    pub(crate) table: Table,
    pub(crate) sets: Sets,
    pub(crate) tools: Vec<Tool>,
    /// Every rule as `(policy, rule)`, in layer, then file order.
    order: Vec<(u32, u32)>,
    /// The rules of each tool, made when it is first called.
    by_tool: Vec<OnceLock<ToolRules>>,
}

/// The rules that speak of one tool, by what they speak of. Numbers are those of [`Policies::rule`].
#[derive(Debug, Default)]
pub(crate) struct ToolRules {
    /// Rules on invocations, by the key of a program's name that they list.
    by_program: HashMap<String, Vec<u32>>,
    /// All rules of `by_program`: an unknown program meets each.
    with_program: Vec<u32>,
    /// Rules on invocations that list no names.
    pub any_program: Vec<u32>,
    /// Rules with tables of only `finding`, `assigns`, `code` or `raw_regex`.
    pub facts: Vec<u32>,
    /// Rules on accesses.
    pub accesses: Vec<u32>,
    /// The same by their paths; made when they are many.
    by_path: OnceLock<PathIndex>,
    /// Rules on requests.
    pub requests: Vec<u32>,
    /// Rules on flows.
    pub flows: Vec<u32>,
    /// Those that need an invocation of a program that they list, by the key of its name.
    flows_by_program: HashMap<String, Vec<u32>>,
    /// Those that need code.
    flows_to_code: Vec<u32>,
    /// The others.
    any_flows: Vec<u32>,
    /// Rules on fields of other kinds.
    pub fields: Vec<u32>,
    /// Rules on the call.
    pub calls: Vec<u32>,
}

/// What the subject of a rule is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan<'r> {
    /// The tables of this field condition, on invocations and on other facts of a shell text.
    Command(&'r crate::policy::FieldCondition),
    /// Accesses.
    Access,
    /// Requests.
    Request,
    /// Flows.
    Flow,
    /// The values of its fields.
    Fields,
    /// The call.
    Call,
}

impl PartialEq for crate::policy::FieldCondition {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for crate::policy::FieldCondition {}

/// What the subject of a rule is.
pub(crate) fn plan(rule: &Rule) -> Plan<'_> {
    let is_command = |condition: &Condition| matches!(condition, Condition::Command(_));
    if let Some(field) = rule.wheres.iter().find(|field| field.any.iter().any(is_command)) {
        Plan::Command(field)
    } else if rule.speaks_of_accesses {
        Plan::Access
    } else if !rule.request.is_empty() {
        Plan::Request
    } else if !rule.flow.is_empty() {
        Plan::Flow
    } else if !rule.wheres.is_empty() {
        Plan::Fields
    } else {
        Plan::Call
    }
}

/// The tables of a field condition on commands.
pub(crate) fn tables(condition: &crate::policy::FieldCondition) -> impl Iterator<Item = &CommandCondition> {
    condition.any.iter().filter_map(|condition| match condition {
        Condition::Command(table) => Some(&**table),
        _ => None,
    })
}

/// The declarations that match a tool's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Declared {
    /// The most specific, as an index into [`Policies::tools`].
    pub primary: usize,
    /// The others.
    pub others: Vec<usize>,
}

impl Policies {
    /// The policies, in the order of their layers.
    ///
    /// Tools of the same key are one tool, with the names and keys of all; of `[defaults]` the
    /// strictest holds.
    #[must_use]
    pub fn new(policies: Vec<Policy>) -> Self {
        let mut tools: Vec<Tool> = Vec::new();
        for tool in policies.iter().flat_map(|policy| &policy.tools) {
            match tools.iter_mut().find(|known| known.key == tool.key) {
                Some(known) => merge(known, tool),
                None => tools.push(tool.clone()),
            }
        }
        let defaults = policies.iter().map(|policy| policy.defaults).reduce(stricter).unwrap_or_default();
        let order = (0..)
            .zip(&policies)
            .flat_map(|(index, policy)| (0..).zip(&policy.rules).map(move |(rule, _)| (index, rule)))
            .collect();
        let table = Table::new(policies.iter().flat_map(|policy| &policy.programs));
        let sets = Sets::default();
        let by_tool = tools.iter().map(|_| OnceLock::new()).collect();
        Self { policies, defaults, table, sets, tools, order, by_tool }
    }

    /// The rule with this number, and its policy.
    pub(crate) fn rule(&self, number: u32) -> Option<(&Policy, &Rule)> {
        let (policy, rule) = self.order.get(number as usize)?;
        let policy = self.policies.get(*policy as usize)?;
        policy.rules.get(*rule as usize).map(|rule| (policy, rule))
    }

    /// The declarations that match `name`: an exact name before a glob, then the longest text in
    /// front of the first wildcard.
    pub(crate) fn declared(&self, name: &str) -> Option<Declared> {
        let rank = |tool: &Tool| {
            tool.names
                .iter()
                .filter(|glob| glob.is_match(name, false))
                .map(|glob| (glob.is_plain(), literal_prefix(glob)))
                .max()
        };
        let mut matching: Vec<(usize, (bool, usize))> =
            self.tools.iter().enumerate().filter_map(|(index, tool)| rank(tool).map(|rank| (index, rank))).collect();
        matching.sort_by_key(|(index, rank)| (std::cmp::Reverse(*rank), *index));
        let mut matching = matching.into_iter().map(|(index, _)| index);
        let primary = matching.next()?;
        Some(Declared { primary, others: matching.collect() })
    }

    /// The declared name that differs from `name` in case alone.
    pub(crate) fn other_case(&self, name: &str) -> Option<&str> {
        let names = self.tools.iter().flat_map(|tool| &tool.names);
        names
            .filter(|glob| glob.is_plain() && glob.source() != name)
            .find_map(|glob| (glob.source().to_lowercase() == name.to_lowercase()).then_some(glob.source()))
    }

    /// The rules that speak of a tool.
    pub(crate) fn rules_of(&self, tool: usize) -> Option<&ToolRules> {
        let key = &self.tools.get(tool)?.key;
        let cell = self.by_tool.get(tool)?;
        Some(cell.get_or_init(|| {
            let mut rules = ToolRules::default();
            for number in 0..crate::unit::index(self.order.len()) {
                if let Some((_, rule)) = self.rule(number)
                    && speaks_of(rule, key)
                {
                    rules.add(number, rule, &self.sets, self.table.programs());
                }
            }
            rules
        }))
    }
}

/// Whether a rule's `tool` names a tool; a rule without speaks of each.
pub(crate) fn speaks_of(rule: &Rule, key: &str) -> bool {
    rule.tools.is_empty() || rule.tools.iter().any(|glob| glob.is_match(key, false))
}

/// How many bytes stand in front of the first wildcard.
fn literal_prefix(glob: &Glob) -> usize {
    glob.source().find(['*', '?', '[', '{', '\\']).unwrap_or(glob.source().len())
}

fn merge(known: &mut Tool, other: &Tool) {
    for name in &other.names {
        if !known.names.contains(name) {
            known.names.push(name.clone());
        }
    }
    known.closed |= other.closed;
    known.no_rule = known.no_rule.max(other.no_rule);
    for field in &other.fields {
        match known.fields.iter_mut().find(|own| own.name == field.name && same_kind(own, field)) {
            Some(own) => {
                own.optional &= field.optional;
                for key in &field.keys {
                    if !own.keys.contains(key) {
                        own.keys.push(key.clone());
                    }
                }
            }
            None => known.fields.push(field.clone()),
        }
    }
}

fn same_kind(one: &Field, other: &Field) -> bool {
    match (&one.kind, &other.kind) {
        (
            FieldKind::Path { access: one, recursive, pattern, .. },
            FieldKind::Path { access, recursive: r, pattern: p, .. },
        ) => one == access && recursive == r && pattern == p,
        (FieldKind::Url { find: one }, FieldKind::Url { find: other }) => one == other,
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}

fn stricter(one: Defaults, other: Defaults) -> Defaults {
    Defaults {
        unknown_tool: one.unknown_tool.max(other.unknown_tool),
        no_rule: one.no_rule.max(other.no_rule),
        uncertain: one.uncertain.max(other.uncertain),
        unsupported: one.unsupported.max(other.unsupported),
        unparsable: one.unparsable.max(other.unparsable),
        inert: if one.inert == Inert::Cover || other.inert == Inert::Cover { Inert::Cover } else { Inert::Skip },
    }
}

impl ToolRules {
    fn add(&mut self, number: u32, rule: &Rule, sets: &Sets, programs: &Programs) {
        match plan(rule) {
            Plan::Command(field) => self.add_command(number, rule, field, sets, programs),
            Plan::Access => self.accesses.push(number),
            Plan::Request => self.requests.push(number),
            Plan::Flow => self.add_flow(number, rule, sets, programs),
            Plan::Fields => self.fields.push(number),
            Plan::Call => self.calls.push(number),
        }
    }

    fn add_command(
        &mut self,
        number: u32,
        rule: &Rule,
        field: &crate::policy::FieldCondition,
        sets: &Sets,
        programs: &Programs,
    ) {
        let mut keys = BTreeSet::new();
        let (mut invocations, mut others, mut listed) = (false, false, true);
        for table in tables(field) {
            if subject_in(rule, table) == Subject::Invocation {
                invocations = true;
                listed &= table_keys(table, sets, programs, &mut keys);
            } else {
                others = true;
            }
        }
        if others {
            self.facts.push(number);
        }
        if invocations && listed {
            self.with_program.push(number);
            for key in keys {
                self.by_program.entry(key).or_default().push(number);
            }
        } else if invocations {
            self.any_program.push(number);
        }
    }

    /// A flow is found by an end that few calls have.
    fn add_flow(&mut self, number: u32, rule: &Rule, sets: &Sets, programs: &Programs) {
        self.flows.push(number);
        for condition in &rule.flow {
            let sides = [&condition.from, &condition.to];
            let mut keys = BTreeSet::new();
            let listed = sides.iter().any(|side| {
                keys.clear();
                !side.is_empty() && side.iter().all(|end| end_keys(end, sets, programs, &mut keys))
            });
            let code = |side: &&Vec<FlowEnd>| !side.is_empty() && side.iter().all(|end| matches!(end, FlowEnd::Code));
            if listed {
                for key in keys {
                    self.flows_by_program.entry(key).or_default().push(number);
                }
            } else if sides.iter().any(code) {
                self.flows_to_code.push(number);
            } else {
                self.any_flows.push(number);
            }
        }
    }

    /// The rules on flows that may speak of a call with programs of these keys (`None`: not known), in order.
    pub fn flows_among<'k>(&self, mut keys: impl Iterator<Item = Option<Cow<'k, str>>>, code: bool) -> Cow<'_, [u32]> {
        let mut rules = self.any_flows.clone();
        if code {
            rules.extend(&self.flows_to_code);
        }
        let known = keys.try_for_each(|key| {
            rules.extend(self.flows_by_program.get(&*key?).into_iter().flatten());
            Some(())
        });
        if known.is_none() {
            return Cow::Borrowed(&self.flows);
        }
        rules.sort_unstable();
        rules.dedup();
        Cow::Owned(rules)
    }

    /// The rules on accesses by their paths; `None`: there are so few that a look-up does not pay.
    pub fn by_path(&self, policies: &Policies) -> Option<&PathIndex> {
        (self.accesses.len() >= MANY).then(|| {
            self.by_path.get_or_init(|| {
                let mut index = PathIndex::default();
                for number in &self.accesses {
                    if let Some((_, rule)) = policies.rule(*number) {
                        index.add(*number, &rule.path);
                    }
                }
                index
            })
        })
    }

    /// The rules that name programs and may speak of the one with this key; `None`: not known.
    pub fn of_program(&self, key: Option<&str>) -> &[u32] {
        match key {
            Some(key) => self.by_program.get(key).map_or(&[], Vec::as_slice),
            None => &self.with_program,
        }
    }
}

/// What a table of a rule speaks of: beside `access`, `request` or `flow` always the invocation.
pub(crate) fn subject_in(rule: &Rule, table: &CommandCondition) -> Subject {
    if rule.speaks_of_accesses || !rule.request.is_empty() || !rule.flow.is_empty() {
        return Subject::Invocation;
    }
    match subject(table) {
        // In an allow rule no expression on the text as written counts.
        Subject::Text if rule.effect == RuleEffect::Allow => Subject::Invocation,
        subject => subject,
    }
}

/// Adds the keys of the programs one of which the end of a flow is or belongs to; `false`: it does not list them.
fn end_keys(end: &FlowEnd, sets: &Sets, programs: &Programs, keys: &mut BTreeSet<String>) -> bool {
    match end {
        FlowEnd::Program(pattern) => pattern_keys(pattern, sets, programs, keys),
        FlowEnd::Table { program, .. } => {
            !program.is_empty() && program.iter().all(|pattern| pattern_keys(pattern, sets, programs, keys))
        }
        FlowEnd::Code | FlowEnd::Network => false,
    }
}

/// Adds the keys of the programs that a table lists; `false`: it does not list them.
fn table_keys(table: &CommandCondition, sets: &Sets, programs: &Programs, keys: &mut BTreeSet<String>) -> bool {
    if table.program.is_empty() {
        let programs: Vec<&String> = table.argv.iter().filter_map(|words| words.first()).collect();
        keys.extend(programs.iter().map(|program| name_key(program).into_owned()));
        return !programs.is_empty() && programs.len() == table.argv.len();
    }
    table.program.iter().all(|pattern| pattern_keys(pattern, sets, programs, keys))
}

/// Adds the keys of the programs that a pattern lists; `false`: it does not list them.
fn pattern_keys(pattern: &ProgramPattern, sets: &Sets, programs: &Programs, keys: &mut BTreeSet<String>) -> bool {
    match pattern {
        ProgramPattern::Name(glob) if glob.is_plain() => {
            keys.insert(name_key(glob.source()).into_owned());
            true
        }
        ProgramPattern::Set(set) => match sets.get(set, programs) {
            Some(set) if set.is_listed() => {
                keys.extend(set.keys().map(str::to_owned));
                true
            }
            _ => false,
        },
        ProgramPattern::Name(_) | ProgramPattern::Path(_) => false,
    }
}
