//! The smallest allow rule that covers a unit.

use shell_parser::{Cover as Need, Effect};
use toml::{Table, Value as Toml};

use super::{Covering, Explaining};
use crate::cover::Cover;
use crate::fields::Content;
use crate::hits::Judging;
use crate::index::Policies;
use crate::layers::{Standing, Standings};
use crate::policy::{Inert, Policy};
use crate::unit::{Kinds, Unit};

/// Why nothing covers a unit of which nothing is known.
const UNKNOWN: &str = "what it runs is not known, and no allow rule covers unknown code";
/// Why nothing that is written here covers a unit.
const NONE: &str = "no rule that names only this covers it";

impl Explaining<'_, '_> {
    /// How a unit could be covered.
    pub(super) fn covering(&self, unit: Unit) -> Covering {
        let rule = self.candidates(unit).into_iter().map(|conditions| self.rule(conditions)).find(|rule| {
            // What is offered has been tried.
            self.covers(rule, unit)
        });
        let reason = match (&rule, self.is_unknown(unit)) {
            (Some(_), _) => None,
            (None, true) => Some(UNKNOWN),
            (None, false) => Some(NONE),
        };
        Covering { unit: self.scene.facts.json_of(unit), rule, reason }
    }

    fn is_unknown(&self, unit: Unit) -> bool {
        let facts = self.scene.facts;
        match unit {
            Unit::Invocation(unit) => facts.invocation(unit).cover == Need::Unknown,
            Unit::Code(shell, index) => facts
                .shell(shell)
                .and_then(|shell| shell.analysis.code.get(index as usize))
                .is_none_or(|code| code.effects.contains(&Effect::Dynamic) || code.text.made()),
            _ => false,
        }
    }

    /// The rule with these conditions, in TOML.
    fn rule(&self, conditions: Table) -> String {
        let tool = self.policies.tools.get(self.declared.primary).map_or("", |tool| tool.key.as_str());
        let mut text = format!("[[allow]]\nid = \"allow-this\"\ntool = {}\n", Toml::from(tool));
        for (key, value) in conditions {
            match value {
                Toml::Table(inner) if key == "where" => {
                    for (field, condition) in inner {
                        text += &format!("where.{} = {}\n", quoted_key(&field), inline(&condition));
                    }
                }
                value => text += &format!("{key} = {}\n", inline(&value)),
            }
        }
        text
    }

    /// Whether a policy of this rule covers the unit.
    fn covers(&self, rule: &str, unit: Unit) -> bool {
        let text = format!("version = 1\n{rule}");
        let tools = &self.policies.tools;
        let surroundings = crate::Surroundings { tools, ..crate::Surroundings::default() };
        let file = crate::File { name: "offered.toml", text: &text };
        let Some(Ok(policy)) = crate::policies_from_toml(&[file], &surroundings).pop() else { return false };
        let policy = Policy { tools: tools.clone(), ..policy };
        let offered = Policies::new(vec![policy]);
        let judging = Judging { policies: &offered, scene: self.scene };
        let mut cover = Cover::new(self.scene);
        let before = cover.uncovered(Inert::Cover, &[], Standings::only(Standing::User));
        let mut hits = Vec::new();
        judging.rules_of(self.declared.primary, &mut hits, &mut cover, |_| true);
        let after = cover.uncovered(Inert::Cover, &[], Standings::only(Standing::User));
        (before.contains(&unit) || unit == Unit::Call) && !after.contains(&unit)
    }

    /// Conditions that may cover a unit, the narrowest first.
    fn candidates(&self, unit: Unit) -> Vec<Table> {
        let facts = self.scene.facts;
        let field = facts.field_of(unit).unwrap_or("");
        let on_field = |condition: Table| table([("where", Toml::Table(table([(field, Toml::Table(condition))])))]);
        match unit {
            Unit::Call => vec![Table::new()],
            Unit::Value(index) => {
                let Some(value) = facts.values.get(index as usize) else { return Vec::new() };
                let equals = match value.content {
                    Content::Shell(_) | Content::Argv(_) | Content::Code(..) | Content::Patch(_) => return Vec::new(),
                    Content::Path(text) | Content::Url(text) | Content::Text(text) => Toml::from(text),
                    Content::Number(number) => Toml::from(number),
                    Content::Bool(flag) => Toml::from(flag),
                };
                vec![on_field(table([("equals", equals)]))]
            }
            Unit::Invocation(invocation) => {
                let invocation = facts.invocation(invocation);
                let words: Option<Vec<&str>> = invocation.words.iter().map(|word| word.known()).collect();
                let mut candidates = Vec::new();
                if let Some(words) = words.filter(|words| !words.is_empty() && !invocation.open) {
                    candidates.push(on_field(table([("argv", Toml::from(words))])));
                }
                if let Some(program) = invocation.words.first().and_then(|word| word.known()) {
                    let subcommand = invocation.arguments.subcommand.join(" ");
                    if !subcommand.is_empty() {
                        let program = ("program", Toml::from(program));
                        candidates.push(on_field(table([program, ("subcommand", Toml::from(subcommand))])));
                    }
                    candidates.push(on_field(table([("program", Toml::from(program))])));
                }
                candidates
            }
            Unit::Access(index) => {
                let Some(access) = facts.accesses.get(index as usize) else { return Vec::new() };
                let mut candidates = Vec::new();
                let mut conditions = Table::new();
                if let Kinds::One(kind) = access.kinds {
                    conditions.insert("access".to_owned(), Toml::from(kind.name()));
                }
                if let Some(path) = access.path.known() {
                    for (key, path) in
                        [("equals", self.below(path, str::to_owned)), ("inside", self.below(path, literal))]
                    {
                        let mut conditions = conditions.clone();
                        conditions.insert("path".to_owned(), Toml::Table(table([(key, Toml::from(path))])));
                        candidates.push(conditions);
                    }
                }
                if !conditions.is_empty() {
                    candidates.push(conditions);
                }
                candidates
            }
            Unit::Request(index) => {
                let Some(request) = facts.requests.get(index as usize) else { return Vec::new() };
                let Some(url) = request.url.known().and_then(|url| url::Url::parse(url).ok()) else {
                    return Vec::new();
                };
                let Some(host) = url.host_str() else { return Vec::new() };
                let mut narrow = table([("scheme", Toml::from(url.scheme())), ("host", Toml::from(host))]);
                let wide = narrow.clone();
                if let Some(port) = url.port() {
                    narrow.insert("port".to_owned(), Toml::from(i64::from(port)));
                }
                narrow.insert("path".to_owned(), Toml::from(literal(url.path())));
                if let Some(method) = request.method {
                    narrow.insert("method".to_owned(), Toml::from(method));
                }
                [narrow, wide].map(|url| table([("request", Toml::Table(url))])).into()
            }
            Unit::Assignment(shell, index) => {
                let assignment = facts.shell(shell).and_then(|shell| shell.analysis.assignments.get(index as usize));
                let name = assignment.and_then(|assignment| assignment.name.known());
                name.map(|name| on_field(table([("assigns", Toml::from(name))]))).into_iter().collect()
            }
            Unit::Code(shell, index) => {
                let code = facts.shell(shell).and_then(|shell| shell.analysis.code.get(index as usize));
                let Some(code) = code else { return Vec::new() };
                let effects: Vec<&str> = code.effects.iter().map(|effect| effect.name()).collect();
                let mut condition = table([("language", Toml::from(code.language))]);
                if !effects.is_empty() {
                    condition.insert("effects".to_owned(), Toml::from(effects));
                }
                vec![on_field(table([("code", Toml::Table(condition))]))]
            }
            Unit::Flow(..) | Unit::Finding(..) => Vec::new(),
        }
    }

    /// A path as a rule writes it: below `$workspace` where it lies there.
    fn below(&self, path: &str, written: impl Fn(&str) -> String) -> String {
        let below = self.scene.context.workspace.as_deref().and_then(|workspace| path.strip_prefix(workspace));
        match below {
            Some(rest) if rest.starts_with('/') => format!("$workspace{}", written(rest)),
            _ => written(path),
        }
    }
}

/// The text as a glob that means it alone.
fn literal(text: &str) -> String {
    let mut glob = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '{' | '}' | '\\') {
            glob.push('\\');
        }
        glob.push(c);
    }
    glob
}

fn table<const N: usize>(entries: [(&str, Toml); N]) -> Table {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// A key as TOML writes it.
fn quoted_key(key: &str) -> String {
    let bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    if bare { key.to_owned() } else { Toml::from(key).to_string() }
}

/// A value on one line.
fn inline(value: &Toml) -> String {
    match value {
        Toml::Table(table) => {
            let entries: Vec<String> =
                table.iter().map(|(key, value)| format!("{} = {}", quoted_key(key), inline(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Toml::Array(values) => format!("[{}]", values.iter().map(inline).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}
