//! From the text of a policy file to a checked [`Policy`], with every fault reported at once.
//!
//! ```text
//! text ──▶ TOML values with spans ──▶ entries of known keys and types ──▶ tools, sets, rules
//!                                     (places: the tables of keys)
//! ```
//!
//! Deserializing into types stops at the first fault, so the values are walked instead: what is wrong is
//! reported and left out, and reading goes on. A file with any fault gives no policy.

mod command;
mod conditions;
mod descriptions;
mod examples;
mod faults;
mod flows;
mod globs;
mod keys;
mod nearest;
mod paths;
mod places;
mod programs;
mod rules;
mod schema;
mod sets;
mod subjects;
mod table;
mod tools;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use sha2::{Digest as _, Sha256};
use toml::de::DeTable;

use self::faults::Faults;
pub use self::schema::{reference_pages, schema};
use self::sets::Sets;
use self::table::{Entries, Item};
use crate::policy::{Audit, Doubt, Include, Inert, Layer, Policy, StatedDefaults, Tool, Verdict};
use crate::tool::merged;
use crate::{Code, Direction, Problem};

/// The policy in the text of a file, which `file` names in messages.
///
/// # Errors
///
/// Everything that is wrong with the text, in its order: never empty. After a fault of the TOML syntax only faults of
/// that kind are listed, since what the text would say is not known.
pub fn policy(file: &str, text: &str) -> Result<Policy, Vec<Problem>> {
    let mut policies = policies(&[File { name: file, text }], &Surroundings::default());
    policies.pop().unwrap_or_else(|| Err(Vec::new()))
}

/// A policy file as text.
#[derive(Clone, Copy, Debug)]
pub struct File<'t> {
    /// How messages name it.
    pub name: &'t str,
    /// Its text.
    pub text: &'t str,
}

/// What the rules of a layer's files may name besides what these files declare.
#[derive(Clone, Copy, Debug, Default)]
pub struct Surroundings<'p> {
    /// Checked policies of the same layer: their tools and sets.
    pub layer: &'p [Policy],
    /// Tools of higher layers.
    pub tools: &'p [Tool],
    /// Sets that the files' rules may name, and that stand in the place of those of the same name that the files declare:
    /// what the files that include these say.
    pub sets: &'p [(String, Vec<String>)],
    /// The layer that the files are of, where that is known: not every key may stand in each.
    pub of: Option<Layer>,
}

/// The policies in the files of one layer, in their order.
///
/// The rules of each may name tools and sets that another declares, wherever it stands in the order.
///
/// # Errors
///
/// For each file, everything that is wrong with it (see [`policy`]).
#[must_use]
pub fn policies(files: &[File<'_>], surroundings: &Surroundings<'_>) -> Vec<Result<Policy, Vec<Problem>>> {
    let parsed: Vec<_> = files.iter().map(parsed).collect();
    let mut readings: Vec<Option<(Reading<'_>, Head<'_>)>> = Vec::with_capacity(files.len());
    for (file, document) in files.iter().zip(&parsed) {
        readings.push(document.as_ref().ok().map(|document| {
            let mut reading = Reading::new(file);
            reading.layer = surroundings.of;
            let head = reading.head(document);
            (reading, head)
        }));
    }
    let alone = files.len() == 1 && surroundings.layer.is_empty() && surroundings.tools.is_empty();
    if !alone {
        share_sets(&mut readings, surroundings.layer);
    }
    for (reading, _) in readings.iter_mut().flatten() {
        for (name, members) in surroundings.sets {
            reading.sets.replace(name.clone(), members.iter().map(|member| placeless(member)).collect());
        }
    }
    for (reading, head) in readings.iter_mut().flatten() {
        reading.declare(head);
    }
    if !alone {
        share_tools(&mut readings, surroundings);
    }
    let finished = parsed.iter().zip(readings).map(|(document, reading)| match (document, reading) {
        (Ok(_), Some((reading, head))) => reading.policy(&head),
        (Err(problems), _) => Err(problems.clone()),
        (Ok(_), None) => Err(Vec::new()),
    });
    finished.collect()
}

/// What `[policy] include` of a text lists; nothing where the text cannot be read.
#[must_use]
pub fn includes(text: &str) -> Vec<Include> {
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Vec::new();
    }
    let header = document.get_ref().get("policy").and_then(|header| header.get_ref().as_table());
    let list = header.and_then(|header| header.get("include")).map(table::elements).unwrap_or_default();
    list.into_iter().filter_map(table::written).map(|name| include(&name)).collect()
}

/// The sets that a text declares, each with its members as written; nothing where the text cannot be read.
#[must_use]
pub fn sets(text: &str) -> Vec<(String, Vec<String>)> {
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Vec::new();
    }
    let Some(declared) = document.get_ref().get("sets") else { return Vec::new() };
    let members =
        |list| table::elements(list).into_iter().filter_map(table::written).map(|member| member.text).collect();
    table::in_order(declared).into_iter().map(|(name, list)| (name.text, members(list))).collect()
}

/// Whether a text says which tools its rules are about: it declares some, or includes files that may. A text that cannot be
/// read does.
#[must_use]
pub fn says_tools(text: &str) -> bool {
    let (document, errors) = DeTable::parse_recoverable(text);
    let document = document.get_ref();
    let header = document.get("policy").and_then(|header| header.get_ref().as_table());
    !errors.is_empty() || document.contains_key("tools") || header.is_some_and(|header| header.contains_key("include"))
}

fn include(name: &table::Written) -> Include {
    let offset = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Include { name: name.text.clone(), span: (offset(name.span.start), offset(name.span.end)) }
}

/// The values of a file's text with their places.
fn parsed<'t>(file: &File<'t>) -> Result<Item<'t>, Vec<Problem>> {
    let (document, errors) = DeTable::parse_recoverable(file.text);
    if !errors.is_empty() {
        let mut faults = Faults::new(file.name);
        for error in errors {
            let span = visible(file.text, error.span().unwrap_or(0..0));
            faults.add(Code::Syntax, &span, error.message(), "");
        }
        return Err(faults.into_problems());
    }
    let span = document.span();
    Ok(toml::Spanned::new(span, toml::de::DeValue::Table(document.into_inner())))
}

/// A text that stands in no file that is read.
fn placeless(text: &str) -> table::Written {
    table::Written { text: text.to_owned(), span: 0..0 }
}

/// Shows each file the sets of the others.
fn share_sets(readings: &mut [Option<(Reading<'_>, Head<'_>)>], layer: &[Policy]) {
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    let mut shared: Vec<(String, Vec<table::Written>)> = Vec::new();
    for policy in layer {
        for (name, members) in &policy.sets {
            first.insert(name.clone(), policy.file.clone());
            shared.push((name.clone(), members.iter().map(|member| placeless(member)).collect()));
        }
    }
    for (reading, _) in readings.iter_mut().flatten() {
        for name in reading.sets.declared().to_vec() {
            if let Some(first) = first.get(&name.text) {
                let message =
                    format!("the set {} stands twice in the layer, first in {first}", faults::quoted(&name.text));
                reading.faults.add(Code::Duplicate, &name.span, message, "give one of them another name");
            } else {
                first.insert(name.text.clone(), reading.file.clone());
                shared.push((name.text.clone(), reading.sets.written(&name.text)));
            }
        }
    }
    for (reading, _) in readings.iter_mut().flatten() {
        for (name, members) in &shared {
            reading.sets.add(name.clone(), members.clone());
        }
    }
}

/// Shows each file the tools of the others, and those above.
fn share_tools(readings: &mut [Option<(Reading<'_>, Head<'_>)>], surroundings: &Surroundings<'_>) {
    let of_layer = surroundings.layer.iter().flat_map(|policy| &policy.tools);
    let mut tools: Vec<Tool> = of_layer.cloned().collect();
    tools.extend(readings.iter().flatten().flat_map(|(reading, _)| reading.tools.iter().cloned()));
    tools.extend(surroundings.tools.iter().cloned());
    let all = merged(tools.iter());
    let unread: BTreeSet<String> =
        readings.iter().flatten().flat_map(|(reading, _)| reading.unread.iter().cloned()).collect();
    for (reading, _) in readings.iter_mut().flatten() {
        reading.in_sight.clone_from(&all);
        reading.unread.clone_from(&unread);
    }
}

/// One file being read: what it has declared so far and what is wrong with it.
struct Reading<'t> {
    file: String,
    /// The layer that it is of, where that is known.
    layer: Option<Layer>,
    text: &'t str,
    /// The offsets of its newlines.
    line_ends: Vec<usize>,
    faults: Faults,
    sets: Sets,
    tools: Vec<Tool>,
    /// The tools of the whole layer and of those above it; empty where the file stands alone.
    in_sight: Vec<Tool>,
    /// The names of fields and the keys of tools that are declared and could not be read: rules that name them are not
    /// at fault.
    unread: BTreeSet<String>,
}

/// What stands in front of a file's rules.
struct Head<'t> {
    entries: Entries<'t>,
    name: Option<String>,
    description: Option<String>,
    includes: Vec<Include>,
    allow_from: Option<Vec<Layer>>,
    self_protection: Option<bool>,
    audit: Option<Audit>,
    defaults: StatedDefaults,
}

impl<'t> Reading<'t> {
    fn new(file: &File<'t>) -> Self {
        Self {
            file: file.name.to_owned(),
            layer: None,
            text: file.text,
            line_ends: file.text.match_indices('\n').map(|(offset, _)| offset).collect(),
            faults: Faults::new(file.name),
            sets: Sets::default(),
            tools: Vec::new(),
            in_sight: Vec::new(),
            unread: BTreeSet::new(),
        }
    }

    fn head(&mut self, document: &'t Item<'t>) -> Head<'t> {
        let entries = self.entries(document, &places::FILE, Direction::Tightening);
        self.version(&entries);
        let mut head = self.header(entries);
        head.defaults = self.defaults(&head.entries);
        if let Some(sets) = head.entries.item("sets") {
            self.read_sets(sets);
        }
        head
    }

    /// Reads what rules may name.
    fn declare(&mut self, head: &Head<'t>) {
        self.resolve_sets();
        if let Some(tools) = head.entries.item("tools") {
            self.read_tools(tools);
        }
    }

    fn policy(mut self, head: &Head<'t>) -> Result<Policy, Vec<Problem>> {
        let rules = self.rules(&head.entries);
        let programs = head.entries.item("programs").map(|programs| self.programs(programs)).unwrap_or_default();
        if !self.faults.is_empty() {
            return Err(self.faults.into_problems());
        }
        Ok(Policy {
            name: head.name.clone().unwrap_or_else(|| stem(&self.file).to_owned()),
            description: head.description.clone().unwrap_or_default(),
            file: self.file,
            digest: digest(self.text),
            includes: head.includes.clone(),
            allow_from: head.allow_from.clone(),
            self_protection: head.self_protection,
            audit: head.audit,
            defaults: head.defaults,
            sets: self.sets.into_own(),
            tools: self.tools,
            rules,
            programs,
        })
    }

    /// The line of an offset, from 1.
    fn line(&self, offset: usize) -> u32 {
        let before = self.line_ends.partition_point(|end| *end < offset);
        u32::try_from(before + 1).unwrap_or(u32::MAX)
    }

    fn version(&mut self, entries: &Entries<'t>) {
        match entries.item("version") {
            Some(version) if entries.count("version") != Some(1) => {
                let message = "`version` is not 1, and this program reads only that";
                self.faults.add(Code::InvalidValue, &version.span(), message, "write `version = 1`");
            }
            None if !entries.has("version") => {
                let message = "a policy file needs `version`";
                self.faults.add(Code::MissingKey, &(0..0), message, "begin the file with `version = 1`");
            }
            _ => {}
        }
    }

    fn header(&mut self, entries: Entries<'t>) -> Head<'t> {
        let mut head = Head {
            entries,
            name: None,
            description: None,
            includes: Vec::new(),
            allow_from: None,
            self_protection: None,
            audit: None,
            defaults: StatedDefaults::default(),
        };
        let Some(header) = head.entries.item("policy") else { return head };
        let header = self.entries(header, &places::POLICY, Direction::Tightening);
        let name = if header.has("name") { self.required(&header, "name", "`[policy]`") } else { None };
        head.name = name.map(|name| name.text);
        head.description = header.text("description").map(|description| description.text);
        head.includes =
            header.items("include").into_iter().filter_map(table::written).map(|name| include(&name)).collect();
        if header.item("allow_from").is_some() {
            let words: Vec<_> = header.items("allow_from").into_iter().filter_map(table::written).collect();
            let names = header.words("allow_from");
            let known = words.iter().filter(|word| self.is_one_of("allow_from", word, names));
            let layer = |word: &table::Written| Layer::ALL.into_iter().find(|layer| layer.name() == word.text);
            head.allow_from = Some(known.filter_map(layer).collect());
        }
        head.self_protection = header.flag("self_protection");
        self.placed(&header, "allow_from", &[Layer::Admin, Layer::User]);
        self.placed(&header, "self_protection", &[Layer::Admin]);
        self.placed(&header, "audit", &[Layer::Admin]);
        head.audit = header.text("audit").map(|word| if word.text == "warn" { Audit::Warn } else { Audit::Deny });
        head
    }

    /// Reports a key that the file's layer may not state.
    fn placed(&mut self, header: &Entries<'t>, key: &str, layers: &[Layer]) {
        let Some(layer) = self.layer else { return };
        if header.has(key) && !layers.contains(&layer) {
            let names: Vec<&str> = layers.iter().map(|layer| layer.name()).collect();
            let message =
                format!("`{key}` is for {} policies, and this is a {} one", names.join(" and "), layer.name());
            self.faults.add(Code::MisplacedKey, &header.key_span(key), message, "leave it out");
        }
    }

    fn defaults(&mut self, entries: &Entries<'t>) -> StatedDefaults {
        let Some(written) = entries.item("defaults") else { return StatedDefaults::default() };
        let written = self.entries(written, &places::DEFAULTS, Direction::Tightening);
        let verdict = |key| written.text(key).and_then(|word| verdict(&word.text));
        let doubt = |key| written.text(key).and_then(|word| doubt(&word.text));
        let inert = |word: table::Written| if word.text == "cover" { Inert::Cover } else { Inert::Skip };
        StatedDefaults {
            unknown_tool: verdict("unknown_tool"),
            no_rule: verdict("no_rule"),
            uncertain: doubt("uncertain"),
            unsupported: doubt("unsupported"),
            unparsable: verdict("unparsable"),
            inert: written.text("inert").map(inert),
            asked: verdict("asked"),
        }
    }
}

fn verdict(word: &str) -> Option<Verdict> {
    match word {
        "allow" => Some(Verdict::Allow),
        "ask" => Some(Verdict::Ask),
        "deny" => Some(Verdict::Deny),
        _ => None,
    }
}

fn doubt(word: &str) -> Option<Doubt> {
    match word {
        "skip" => Some(Doubt::Skip),
        "ask" => Some(Doubt::Ask),
        "deny" => Some(Doubt::Deny),
        _ => None,
    }
}

/// An empty range is widened to the next character of its line, so that there is something to underline.
fn visible(text: &str, span: Range<usize>) -> Range<usize> {
    let next = text.get(span.start..).and_then(|rest| rest.chars().next());
    match next {
        Some(next) if span.is_empty() && next != '\n' => span.start..span.start + next.len_utf8(),
        _ => span,
    }
}

/// The file's name without its folder and ending.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// `sha256:` and the digest of this engine's version and the text.
fn digest(text: &str) -> String {
    use std::fmt::Write as _;
    let mut hasher = Sha256::new();
    hasher.update(env!("CARGO_PKG_VERSION"));
    hasher.update([0]);
    hasher.update(text);
    let mut digest = String::from("sha256:");
    for byte in hasher.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(digest, "{byte:02x}");
    }
    digest
}
