//! `[[deny]]`, `[[ask]]`, `[[allow]]`.

use std::collections::BTreeMap;

use toml::de::DeValue;

use super::faults::quoted;
use super::places;
use super::sets::BuiltIn;
use super::subjects::Declared;
use super::table::{EMPTY_LIST, Entries, Item, Written, elements, found, in_order, written};
use super::{Reading, doubt};
use crate::pattern::Glob;
use crate::policy::{Doubt, FieldCondition, Rule, RuleEffect};
use crate::{Code, Direction};

const LISTS: [(&str, RuleEffect); 3] =
    [("deny", RuleEffect::Deny), ("ask", RuleEffect::Ask), ("allow", RuleEffect::Allow)];

impl<'t> Reading<'t> {
    /// All rules, in the order of the text.
    pub(super) fn rules(&mut self, entries: &Entries<'t>) -> Vec<Rule> {
        let mut items: Vec<(usize, RuleEffect, &'t Item<'t>)> = Vec::new();
        for (list, effect) in LISTS {
            items.extend(entries.items(list).into_iter().map(|item| (item.span().start, effect, item)));
        }
        items.sort_by_key(|(start, ..)| *start);
        let mut lines: BTreeMap<String, u32> = BTreeMap::new();
        let mut rules = Vec::new();
        for (_, effect, item) in items {
            let rule = self.rule(effect, item, &mut lines);
            rules.push(rule);
        }
        rules
    }

    fn rule(&mut self, effect: RuleEffect, item: &'t Item<'t>, lines: &mut BTreeMap<String, u32>) -> Rule {
        let entries = self.entries(item, &places::RULE, Direction::Tightening);
        let line = self.line(entries.span.start);
        let id = self.id(&entries, line, lines);
        let reason = if effect != RuleEffect::Allow || entries.has("reason") {
            self.required(&entries, "reason", "a deny or ask rule")
        } else {
            None
        };
        let direction = if effect == RuleEffect::Allow { Direction::Loosening } else { Direction::Tightening };
        let speaks_of_accesses = entries.has("access") || entries.has("path");
        let (tools, declared) = self.rule_tools(&entries);
        let mut rule = Rule {
            effect,
            id: id.unwrap_or_default(),
            reason: reason.map(|reason| reason.text).unwrap_or_default(),
            hint: entries.text("hint").map(|hint| hint.text),
            tags: super::conditions::plain(self.texts(&entries, "tags", BuiltIn::None)),
            tools,
            wheres: Vec::new(),
            unless: Vec::new(),
            access: self.accesses(&entries, "access"),
            path: self.path_conditions(&entries, "path", direction),
            speaks_of_accesses,
            unless_path: Vec::new(),
            recursive: entries.flag("recursive"),
            ancestors: entries.flag("ancestors").unwrap_or(false),
            riding: entries.flag("riding"),
            any_host: entries.text("host").is_some_and(|host| host.text == "any"),
            request: self.url_conditions(&entries, "request", direction),
            flow: self.flow_conditions(&entries, direction),
            when: self.attributes(&entries),
            uncertain: self.rule_doubt(&entries, "uncertain", effect),
            unsupported: self.rule_doubt(&entries, "unsupported", effect),
            approvers: self.approvers(&entries, effect),
            examples_match: Vec::new(),
            examples_no_match: Vec::new(),
            line,
        };
        self.field_conditions(&entries, "where", direction, &declared, &mut rule);
        self.field_conditions(&entries, "unless", direction.reversed(), &declared, &mut rule);
        self.subject(&entries, speaks_of_accesses);
        self.examples(&entries, &declared, &mut rule);
        rule
    }

    fn id(&mut self, entries: &Entries<'t>, line: u32, lines: &mut BTreeMap<String, u32>) -> Option<String> {
        let id = self.required(entries, "id", "a rule")?;
        if !id.text.chars().all(|c| c.is_alphanumeric() || "-_./".contains(c)) {
            let message = format!("{} cannot be an id", quoted(&id.text));
            self.faults.add(Code::InvalidValue, &id.span, message, "an id is letters, digits, `-`, `_`, `.` and `/`");
        }
        if let Some(first) = lines.get(&id.text) {
            let message = format!("the id {} stands twice, first in the rule of line {first}", quoted(&id.text));
            self.faults.add(Code::Duplicate, &id.span, message, "give each rule an id of its own");
        } else {
            lines.insert(id.text.clone(), line);
        }
        Some(id.text)
    }

    /// Reads `where` or `unless`.
    fn field_conditions(
        &mut self,
        entries: &Entries<'t>,
        key: &str,
        direction: Direction,
        declared: &Declared,
        rule: &mut Rule,
    ) {
        let Some(item) = entries.item(key) else { return };
        let fields = in_order(item);
        if fields.is_empty() {
            let help = format!("write `{key}.FIELD = {{ … }}`");
            self.faults.add(Code::InvalidValue, &entries.key_span(key), format!("`{key}` states nothing"), help);
        }
        for (name, value) in fields {
            let of_access = key == "unless" && name.text == "path" && rule.speaks_of_accesses;
            let kind = if of_access { None } else { self.field_kind(&name, declared) };
            if !of_access && kind.is_none() {
                continue;
            }
            let list = elements(value);
            if list.is_empty() {
                let message = format!("{} is an empty list", quoted(&name.text));
                self.faults.add(Code::InvalidValue, &value.span(), message, EMPTY_LIST);
            }
            let mut any = Vec::new();
            for element in list {
                if !element.get_ref().is_table() {
                    let message = format!("a condition on {} is a table, not {}", quoted(&name.text), found(element));
                    let help = format!("write `{key}.{} = {{ … }}`", name.text);
                    self.faults.add(Code::InvalidValue, &element.span(), message, help);
                } else if let Some(kind) = &kind {
                    any.push(self.condition(kind, element, direction));
                } else {
                    let condition = self.path_condition(element, direction);
                    rule.unless_path.push(condition);
                }
            }
            if kind.is_some() {
                let list = if key == "where" { &mut rule.wheres } else { &mut rule.unless };
                list.push(FieldCondition { field: name.text, any });
            }
        }
    }

    /// Reports a rule that speaks of nothing, and keys on accesses in one that does not speak of them.
    fn subject(&mut self, entries: &Entries<'t>, speaks_of_accesses: bool) {
        const SUBJECTS: [&str; 7] = ["tool", "where", "access", "path", "request", "flow", "when"];
        if !SUBJECTS.iter().any(|key| entries.has(key)) {
            let help = "state `where.FIELD`, `access`, `path`, `request` or `flow`; `tool = \"*\"` for every call";
            self.faults.add(Code::MissingKey, &entries.span, "the rule does not say what it speaks of", help);
        }
        for key in ["recursive", "ancestors", "riding", "host"] {
            if entries.has(key) && !speaks_of_accesses {
                let message = format!("`{key}` is about accesses, and the rule has neither `access` nor `path`");
                self.faults.add(
                    Code::MisplacedMatcher,
                    &entries.key_span(key),
                    message,
                    "add `access`, or leave it out",
                );
            }
        }
    }

    /// `when`: an attribute of the context and the values that it may have.
    fn attributes(&mut self, entries: &Entries<'t>) -> Vec<(String, Vec<Glob>)> {
        let Some(item) = entries.item("when") else { return Vec::new() };
        let mut attributes = Vec::new();
        let written_down = in_order(item);
        if written_down.is_empty() {
            self.faults.add(Code::InvalidValue, &entries.key_span("when"), "`when` states nothing", "leave it out");
        }
        for (name, value) in written_down {
            let list = elements(value);
            if list.is_empty() {
                let message = format!("{} is an empty list", quoted(&name.text));
                self.faults.add(Code::InvalidValue, &value.span(), message, EMPTY_LIST);
            }
            let mut texts = Vec::new();
            for element in list {
                match scalar(element) {
                    Some(text) => self.expand(&name.text, text, BuiltIn::None, &mut texts),
                    None => {
                        let message = format!(
                            "{} takes a string or a list of strings, not {}",
                            quoted(&name.text),
                            found(element)
                        );
                        self.faults.add(Code::InvalidValue, &element.span(), message, "");
                    }
                }
            }
            for text in texts
                .iter()
                .filter(|text| name.text == "interactive" && !["true", "false"].contains(&text.text.as_str()))
            {
                self.faults.add(Code::InvalidValue, &text.span, "`interactive` is `true` or `false`", "");
            }
            let globs = texts.iter().filter_map(|text| self.glob(text)).collect();
            attributes.push((name.text, globs));
        }
        attributes
    }

    fn rule_doubt(&mut self, entries: &Entries<'t>, key: &str, effect: RuleEffect) -> Option<Doubt> {
        self.not_in_allow(entries, key, effect, "it holds for certain or not at all");
        entries.text(key).and_then(|word| doubt(&word.text))
    }

    fn not_in_allow(&mut self, entries: &Entries<'t>, key: &str, effect: RuleEffect, why: &str) {
        if effect == RuleEffect::Allow && entries.has(key) {
            let message = format!("`{key}` has no meaning in an allow rule: {why}");
            self.faults.add(Code::MisplacedMatcher, &entries.key_span(key), message, "leave it out");
        }
    }

    fn approvers(&mut self, entries: &Entries<'t>, effect: RuleEffect) -> Vec<String> {
        self.not_in_allow(entries, "approvers", effect, "nobody is asked");
        let Some(item) = entries.item("approvers") else { return Vec::new() };
        let approvers = self.entries(item, &places::APPROVERS, Direction::Tightening);
        if !approvers.has("roles") {
            self.faults.add(Code::MissingKey, &approvers.span, "`approvers` needs `roles`", "add `roles = [\"…\"]`");
        }
        super::conditions::plain(self.texts(&approvers, "roles", BuiltIn::None))
    }
}

/// The text of a value of the context.
fn scalar(item: &Item<'_>) -> Option<Written> {
    let text = match item.get_ref() {
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix()).ok()?.to_string(),
        _ => return written(item),
    };
    Some(Written { text, span: item.span() })
}
