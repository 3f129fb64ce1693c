//! `[tools]`.

use std::collections::{BTreeMap, BTreeSet};

use super::faults::quoted;
use super::globs::{self, may_overlap};
use super::keys::Place;
use super::places::{self, KINDS, Kind};
use super::sets::BuiltIn;
use super::table::{Entries, Item, Written, in_order};
use super::{Reading, paths, verdict};
use crate::policy::{AccessKind, Field, FieldKind, KeyPath, Tool};
use crate::{Code, Direction};

/// Globs of one beginning are compared in pairs; past this many a file is refused.
const MOST_ALIKE: usize = 100;

impl<'t> Reading<'t> {
    /// Reads `[tools]`.
    pub(super) fn read_tools(&mut self, item: &'t Item<'t>) {
        let mut names = Vec::new();
        for (key, value) in in_order(item) {
            if !value.get_ref().is_table() {
                let message = format!("the tool {} is a table of `names` and `fields`", quoted(&key.text));
                self.faults.add(Code::InvalidValue, &value.span(), message, format!("write `[tools.{}]`", key.text));
                self.unread.insert(key.text);
                continue;
            }
            let tool = self.tool(&key, value, &mut names);
            self.tools.push(tool);
        }
        self.ties(&names);
    }

    fn tool(&mut self, key: &Written, value: &'t Item<'t>, all: &mut Vec<(String, Written)>) -> Tool {
        let entries = self.entries(value, &places::TOOL, Direction::Tightening);
        let written =
            if entries.has("names") { self.texts(&entries, "names", BuiltIn::None) } else { vec![key.clone()] };
        let names = written.iter().filter_map(|name| self.glob(name)).collect();
        all.extend(written.into_iter().map(|name| (key.text.clone(), name)));
        let fields = entries.item("fields").map(|fields| self.fields(fields)).unwrap_or_default();
        Tool {
            key: key.text.clone(),
            names,
            no_rule: entries.text("no_rule").and_then(|word| verdict(&word.text)),
            closed: entries.flag("closed").unwrap_or(false),
            fields,
        }
    }

    /// Reports names that stand twice, and globs of which neither is the more specific for some name.
    fn ties(&mut self, names: &[(String, Written)]) {
        let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
        let mut globs: BTreeMap<&str, Vec<(&str, &Written)>> = BTreeMap::new();
        for (tool, name) in names {
            if let Some(first) = seen.insert(&name.text, tool) {
                let message = format!("the tool name {} stands twice: `{first}` has it already", quoted(&name.text));
                self.faults.add(Code::Duplicate, &name.span, message, "each name belongs to one tool");
                continue;
            }
            let prefix = globs::literal_prefix(&name.text);
            if prefix.len() < name.text.len() {
                globs.entry(prefix).or_default().push((tool, name));
            }
        }
        for equals in globs.values() {
            if let Some((_, name)) = equals.get(MOST_ALIKE) {
                let message = format!("more than {MOST_ALIKE} globs of tool names have the same beginning");
                self.faults.add(
                    Code::InvalidValue,
                    &name.span,
                    message,
                    "make them longer before their first wildcard",
                );
                continue;
            }
            for (index, (tool, name)) in equals.iter().enumerate() {
                let before = equals.iter().take(index).filter(|(other, _)| other != tool);
                for (other, first) in before {
                    if may_overlap(&first.text, &name.text) {
                        let (name, first, span) = (quoted(&name.text), quoted(&first.text), &name.span);
                        let message = format!(
                            "{name} and {first} of `{other}` match the same names, and neither is more specific"
                        );
                        self.faults.add(
                            Code::Duplicate,
                            span,
                            message,
                            "make one of them longer before its first wildcard",
                        );
                    }
                }
            }
        }
    }

    fn fields(&mut self, item: &'t Item<'t>) -> Vec<Field> {
        let declared = in_order(item);
        let mut fields = Vec::new();
        for (name, value) in &declared {
            if !value.get_ref().is_table() {
                let message = format!("the field {} is a table with a `kind`", quoted(&name.text));
                let help = format!("write `fields.{} = {{ kind = \"text\" }}`", name.text);
                self.faults.add(Code::InvalidValue, &value.span(), message, help);
                self.unread.insert(name.text.clone());
                continue;
            }
            match self.field(name, value) {
                Some(field) => fields.push(field),
                None => {
                    self.unread.insert(name.text.clone());
                }
            }
        }
        self.bases(&declared, &fields);
        fields
    }

    fn field(&mut self, name: &Written, value: &'t Item<'t>) -> Option<Field> {
        let (kind, place) = self.kind(name, value)?;
        let entries = self.entries(value, place, Direction::Tightening);
        let keys =
            if entries.has("keys") { self.key_paths(&entries, "keys") } else { vec![KeyPath(vec![name.text.clone()])] };
        let kind = match kind {
            "shell" => FieldKind::Shell {
                directory: self.key_paths(&entries, "directory"),
                environment: entries.text("environment").and_then(|path| self.key_path(&path)),
                dialect: entries.text("dialect").map(|dialect| dialect.text),
            },
            "argv" => FieldKind::Argv {
                directory: self.key_paths(&entries, "directory"),
                environment: entries.text("environment").and_then(|path| self.key_path(&path)),
                dialect: entries.text("dialect").map(|dialect| dialect.text),
            },
            "code" => self.code_kind(name, &entries),
            "patch" => FieldKind::Patch,
            "path" => self.path_kind(&entries),
            "url" => FieldKind::Url { find: entries.flag("find").unwrap_or(false) },
            "number" => FieldKind::Number,
            "bool" => FieldKind::Bool,
            _ => FieldKind::Text,
        };
        Some(Field { name: name.text.clone(), kind, keys, optional: entries.flag("optional").unwrap_or(false) })
    }

    /// The kind of a field and the place of its keys.
    fn kind(&mut self, name: &Written, value: &'t Item<'t>) -> Option<(&'static str, &'static Place)> {
        let Some((_, item)) = in_order(value).into_iter().find(|(key, _)| key.text == "kind") else {
            let kinds = KINDS.iter().map(|kind| kind.name).collect::<Vec<_>>();
            let message = format!("the field {} needs `kind`", quoted(&name.text));
            self.faults.add(Code::MissingKey, &value.span(), message, format!("valid: `{}`", kinds.join("`, `")));
            return None;
        };
        let Some(kind) = super::table::written(item) else {
            let message = format!("`kind` takes a string, not {}", super::table::found(item));
            self.faults.add(Code::InvalidValue, &item.span(), message, "");
            return None;
        };
        match KINDS.iter().find(|known| known.name == kind.text) {
            Some(Kind { name, field, .. }) => Some((name, field)),
            None => {
                let message = format!("there is no kind {}", quoted(&kind.text));
                self.faults.add_name(
                    Code::InvalidValue,
                    &kind.span,
                    message,
                    &kind.text,
                    KINDS.iter().map(|kind| kind.name),
                );
                None
            }
        }
    }

    fn code_kind(&mut self, name: &Written, entries: &Entries<'t>) -> FieldKind {
        if !entries.has("language") && !entries.has("language_key") {
            let message = format!("the field {} does not say its language", quoted(&name.text));
            let help = "add `language`, or `language_key` for the argument that says it";
            self.faults.add(Code::MissingKey, &entries.span, message, help);
        }
        FieldKind::Code {
            language: entries.text("language").map(|language| language.text),
            language_key: entries.text("language_key").and_then(|path| self.key_path(&path)),
        }
    }

    fn path_kind(&mut self, entries: &Entries<'t>) -> FieldKind {
        let pattern = entries.flag("pattern").unwrap_or(false);
        let default = entries.text("default");
        if let Some(default) = &default
            && let Err((message, help)) = paths::check_root(&default.text)
        {
            self.faults.add(Code::InvalidPattern, &default.span, message, help);
        }
        if entries.has("base") && !pattern {
            let message = "`base` is for fields with `pattern = true`";
            self.faults.add(
                Code::InvalidValue,
                &entries.key_span("base"),
                message,
                "add `pattern = true`, or leave `base` out",
            );
        }
        FieldKind::Path {
            access: self.accesses(entries, "access"),
            recursive: entries.flag("recursive").unwrap_or(false),
            default: default.map(|default| default.text),
            pattern,
            base: entries.text("base").map(|base| base.text),
        }
    }

    /// The access kinds of a key, each once.
    pub(super) fn accesses(&mut self, entries: &Entries<'t>, key: &str) -> Vec<AccessKind> {
        let names = entries.words(key);
        let words = self.texts(entries, key, BuiltIn::None);
        let known: BTreeSet<_> = words
            .iter()
            .filter(|word| self.is_one_of(key, word, names))
            .filter_map(|word| match word.text.as_str() {
                "read" => Some(AccessKind::Read),
                "list" => Some(AccessKind::List),
                "write" => Some(AccessKind::Write),
                "delete" => Some(AccessKind::Delete),
                "metadata" => Some(AccessKind::Metadata),
                "execute" => Some(AccessKind::Execute),
                _ => None,
            })
            .collect();
        known.into_iter().collect()
    }

    fn key_paths(&mut self, entries: &Entries<'t>, key: &str) -> Vec<KeyPath> {
        let mut seen = BTreeSet::new();
        let mut list = Vec::new();
        for path in self.texts(entries, key, BuiltIn::None) {
            if !seen.insert(path.text.clone()) {
                let message = format!("the key {} stands twice", quoted(&path.text));
                self.faults.add(Code::Duplicate, &path.span, message, "");
            }
            list.extend(self.key_path(&path));
        }
        list
    }

    /// `edits/*/file_path`: names between slashes; `*` is every element.
    fn key_path(&mut self, path: &Written) -> Option<KeyPath> {
        let parts: Vec<String> = path.text.split('/').map(str::to_owned).collect();
        let message = if parts.iter().any(String::is_empty) {
            "has an empty part"
        } else if parts.iter().any(|part| part.contains('*') && part != "*") {
            "has a `*` within a name, and `*` stands for a whole part"
        } else {
            return Some(KeyPath(parts));
        };
        let message = format!("the key path {} {message}", quoted(&path.text));
        self.faults.add(
            Code::InvalidValue,
            &path.span,
            message,
            "write names between slashes, as in `edits/*/file_path`",
        );
        None
    }

    /// Reports a `base` that is no path field of the same tool.
    fn bases(&mut self, declared: &[(Written, &'t Item<'t>)], fields: &[Field]) {
        for field in fields {
            let FieldKind::Path { base: Some(base), .. } = &field.kind else { continue };
            let paths = fields.iter().filter(|other| {
                other.name != field.name && matches!(other.kind, FieldKind::Path { pattern: false, .. })
            });
            let names: Vec<&str> = paths.map(|other| other.name.as_str()).collect();
            if names.contains(&base.as_str()) {
                continue;
            }
            let item = declared.iter().find(|(name, _)| name.text == field.name).map(|(_, item)| *item);
            let at = item.and_then(|item| in_order(item).into_iter().find(|(key, _)| key.text == "base"));
            if let Some((_, value)) = at {
                let message = format!("`base` names {}, which is no path field of this tool", quoted(base));
                self.faults.add_name(Code::Undeclared, &value.span(), message, base, names);
            }
        }
    }
}
