//! The policies in force, made ready: tools by name, rules by tool and program.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::iter;
use std::sync::OnceLock;

use shell_parser::Programs;

use crate::layers::{self, Broken, Ground, Layers, NoRule, NoRules, Standing};
use crate::matcher::command::{Subject, subject};
use crate::matcher::program::name_key;
use crate::matcher::table::{Sets, Table};
use crate::path::PathIndex;
use crate::pattern::Glob;
use crate::policy::{CommandCondition, Condition, FlowEnd, Layer, Policy, ProgramPattern, Rule, RuleEffect, Tool};
use crate::tool::{self, Declarers};

/// From how many rules on accesses on they are looked up by their paths.
const MANY: usize = 8;

/// The policies in force, in the order of their layers.
#[derive(Debug)]
pub struct Policies {
    pub(crate) policies: Vec<Policy>,
    /// The standing of each policy; `None`: what the engine itself forbids.
    pub(crate) standings: Vec<Option<Standing>>,
    /// What could not be loaded.
    pub(crate) broken: Vec<Broken>,
    pub(crate) ground: Ground,
    pub(crate) table: Table,
    /// The table with what untrusted files add, where they add anything.
    pub(crate) untrusted_table: Option<Table>,
    pub(crate) sets: Sets,
    pub(crate) tools: Vec<Tool>,
    pub(crate) declarers: Vec<Declarers>,
    /// `sha256:` and the digest of all layers.
    digest: String,
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
    /// Those of the others that are of a weaker layer: they add to the most specific.
    pub weaker: Vec<usize>,
}

impl Policies {
    /// Policies that a run names: one layer.
    #[must_use]
    pub fn new(policies: Vec<Policy>) -> Self {
        Self::of_layers(Layers::user(policies))
    }

    /// The policies of these layers.
    #[must_use]
    pub fn of_layers(mut layers: Layers) -> Self {
        layers.files.sort_by_key(|file| file.layer);
        let digest = layers::digest(&layers.files);
        let unprotected =
            layers.files.iter().any(|file| file.layer == Layer::Admin && file.policy.self_protection == Some(false));
        let protection = layers.protection.filter(|_| !unprotected).map(|policy| (None, policy));
        let files = layers.files.into_iter();
        let files = files.map(|file| (Some(Standing::of(file.layer, file.trusted)), file.policy));
        let (standings, policies): (Vec<Option<Standing>>, Vec<Policy>) = protection.into_iter().chain(files).unzip();
        let in_force = standings
            .iter()
            .zip(&policies)
            .filter_map(|(standing, policy)| standing.map(|standing| (standing, policy)));
        let ground = Ground::new(in_force.clone());
        let declared =
            in_force.clone().flat_map(|(standing, policy)| policy.tools.iter().map(move |tool| (standing, tool)));
        let (tools, declarers) = tool::in_force(declared);
        let order = (0..)
            .zip(&policies)
            .flat_map(|(index, policy)| (0..).zip(&policy.rules).map(move |(rule, _)| (index, rule)))
            .collect();
        let trusted = in_force.clone().filter(|(standing, _)| *standing != Standing::Untrusted);
        let table = Table::new(trusted.flat_map(|(_, policy)| &policy.programs));
        let adds =
            in_force.clone().any(|(standing, policy)| standing == Standing::Untrusted && !policy.programs.is_empty());
        let untrusted_table = adds.then(|| Table::new(in_force.flat_map(|(_, policy)| &policy.programs)));
        let sets = Sets::default();
        let by_tool = tools.iter().map(|_| OnceLock::new()).collect();
        Self {
            policies,
            standings,
            broken: layers.broken,
            ground,
            table,
            untrusted_table,
            sets,
            tools,
            declarers,
            digest,
            order,
            by_tool,
        }
    }

    /// `sha256:` and the digest of the engine's version and, in order, trust, place and content of every file in force.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The standing of the policy of a rule; `None`: what the engine itself forbids.
    pub(crate) fn standing(&self, rule: u32) -> Option<Standing> {
        let (policy, _) = self.order.get(rule as usize)?;
        *self.standings.get(*policy as usize)?
    }

    /// The id of a rule as decisions name it: those of admin and project policies with their layer in front.
    pub(crate) fn id_of(&self, number: u32, rule: &Rule) -> String {
        match self.standing(number).map(Standing::layer) {
            Some(layer @ (Layer::Admin | Layer::Project)) => format!("{}:{}", layer.name(), rule.id),
            _ => rule.id.clone(),
        }
    }

    /// The rule with this number, and its policy.
    pub(crate) fn rule(&self, number: u32) -> Option<(&Policy, &Rule)> {
        let (policy, rule) = self.order.get(number as usize)?;
        let policy = self.policies.get(*policy as usize)?;
        policy.rules.get(*rule as usize).map(|rule| (policy, rule))
    }

    /// The declarations that match `name`: that of the strongest layer first; in a layer an exact name before a glob, then
    /// the longest text in front of the first wildcard.
    pub(crate) fn declared(&self, name: &str) -> Option<Declared> {
        let rank = |(tool, by): (&Tool, &Declarers)| {
            let matching = tool.names.iter().zip(&by.names).filter(|(glob, _)| glob.is_match(name, false));
            matching.map(|(glob, standing)| (Reverse(*standing), glob.is_plain(), literal_prefix(glob))).max()
        };
        let declarations = self.tools.iter().zip(&self.declarers);
        let mut matching: Vec<_> = declarations
            .enumerate()
            .filter_map(|(index, declaration)| rank(declaration).map(|rank| (index, rank)))
            .collect();
        matching.sort_by_key(|(index, rank)| (Reverse(*rank), *index));
        let (primary, (Reverse(strongest), ..)) = matching.first().copied()?;
        let weaker = matching.iter().filter(|(_, (Reverse(standing), ..))| *standing > strongest);
        let weaker = weaker.map(|(index, _)| *index).collect();
        Some(Declared { primary, others: matching.into_iter().skip(1).map(|(index, _)| index).collect(), weaker })
    }

    /// The names of the tools that are declared, as they are written: exact or globs.
    pub fn tool_names(&self) -> impl Iterator<Item = &str> {
        self.tools.iter().flat_map(|tool| tool.names.iter().map(Glob::source))
    }

    /// The tool that is called: the strongest declaration, with what weaker layers declare of the same name.
    pub(crate) fn called(&self, declared: &Declared) -> Option<Cow<'_, Tool>> {
        let mut tool = Cow::Borrowed(self.tools.get(declared.primary)?);
        for other in declared.weaker.iter().filter_map(|index| self.tools.get(*index)) {
            tool::merge(tool.to_mut(), other);
        }
        Some(tool)
    }

    /// What units of the tool without cover come to, the strictest first.
    pub(crate) fn no_rules(&self, declared: &Declared) -> Vec<NoRule> {
        let mut own = NoRules::default();
        for by in iter::once(&declared.primary).chain(&declared.weaker).filter_map(|index| self.declarers.get(*index)) {
            for (standing, stated) in own.iter_mut().zip(&by.no_rule) {
                *standing = (*standing).max(*stated);
            }
        }
        self.ground.no_rules(&own)
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

    /// The rules on accesses by their paths; `None`: there are so few that a look-up does not pay. Where there is a
    /// file system, no look-up is possible.
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
