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
mod sets;
mod subjects;
mod table;
mod tools;

use std::collections::BTreeSet;
use std::ops::Range;

use sha2::{Digest as _, Sha256};
use toml::de::DeTable;

use self::faults::Faults;
use self::sets::Sets;
use self::table::{Entries, Item};
use crate::policy::{Defaults, Doubt, Inert, Policy, Tool, Verdict};
use crate::{Code, Direction, Problem};

/// The policy in the text of a file, which `file` names in messages.
///
/// # Errors
///
/// Everything that is wrong with the text, in its order: never empty. After a fault of the TOML syntax only faults of
/// that kind are listed, since what the text would say is not known.
pub fn policy(file: &str, text: &str) -> Result<Policy, Vec<Problem>> {
    let mut faults = Faults::new(file);
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        for error in errors {
            let span = visible(text, error.span().unwrap_or(0..0));
            faults.add(Code::Syntax, &span, error.message(), "");
        }
        return Err(faults.into_problems());
    }
    let span = document.span();
    let document = toml::Spanned::new(span, toml::de::DeValue::Table(document.into_inner()));
    let mut reading = Reading {
        text,
        line_ends: text.match_indices('\n').map(|(offset, _)| offset).collect(),
        faults,
        sets: Sets::default(),
        tools: Vec::new(),
        unread: BTreeSet::new(),
    };
    let policy = reading.policy(file, &document);
    if reading.faults.is_empty() { Ok(policy) } else { Err(reading.faults.into_problems()) }
}

/// One file being read: what it has declared so far and what is wrong with it.
struct Reading<'t> {
    text: &'t str,
    /// The offsets of its newlines.
    line_ends: Vec<usize>,
    faults: Faults,
    sets: Sets,
    tools: Vec<Tool>,
    /// The names of fields and the keys of tools that are declared and could not be read: rules that name them are not
    /// at fault.
    unread: BTreeSet<String>,
}

impl<'t> Reading<'t> {
    fn policy(&mut self, file: &str, document: &'t Item<'t>) -> Policy {
        let entries = self.entries(document, &places::FILE, Direction::Tightening);
        self.version(&entries);
        let (name, description) = self.header(&entries);
        let defaults = self.defaults(&entries);
        if let Some(sets) = entries.item("sets") {
            self.read_sets(sets);
        }
        if let Some(tools) = entries.item("tools") {
            self.read_tools(tools);
        }
        let rules = self.rules(&entries);
        let programs = entries.item("programs").map(|programs| self.programs(programs)).unwrap_or_default();
        Policy {
            name: name.unwrap_or_else(|| stem(file).to_owned()),
            description: description.unwrap_or_default(),
            file: file.to_owned(),
            digest: digest(self.text),
            defaults,
            tools: std::mem::take(&mut self.tools),
            rules,
            programs,
        }
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

    fn header(&mut self, entries: &Entries<'t>) -> (Option<String>, Option<String>) {
        let Some(header) = entries.item("policy") else { return (None, None) };
        let header = self.entries(header, &places::POLICY, Direction::Tightening);
        let name = if header.has("name") { self.required(&header, "name", "`[policy]`") } else { None };
        (name.map(|name| name.text), header.text("description").map(|description| description.text))
    }

    fn defaults(&mut self, entries: &Entries<'t>) -> Defaults {
        let mut defaults = Defaults::default();
        let Some(written) = entries.item("defaults") else { return defaults };
        let written = self.entries(written, &places::DEFAULTS, Direction::Tightening);
        let verdict = |key| written.text(key).and_then(|word| verdict(&word.text));
        let doubt = |key| written.text(key).and_then(|word| doubt(&word.text));
        defaults.unknown_tool = verdict("unknown_tool").unwrap_or(defaults.unknown_tool);
        defaults.no_rule = verdict("no_rule").unwrap_or(defaults.no_rule);
        defaults.unparsable = verdict("unparsable").unwrap_or(defaults.unparsable);
        defaults.uncertain = doubt("uncertain").unwrap_or(defaults.uncertain);
        defaults.unsupported = doubt("unsupported").unwrap_or(defaults.unsupported);
        if written.text("inert").is_some_and(|word| word.text == "cover") {
            defaults.inert = Inert::Cover;
        }
        defaults
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
