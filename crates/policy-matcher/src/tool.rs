//! Tools that several files declare.

use crate::layers::{NoRules, Standing, state};
use crate::policy::{Field, FieldKind, Tool};

/// Who declared what of a tool.
#[derive(Clone, Debug, Default)]
pub(crate) struct Declarers {
    /// The strongest that gives each of its names.
    pub names: Vec<Standing>,
    /// What each states of its `no_rule`.
    pub no_rule: NoRules,
}

/// The tools in force with who declared them, from declarations in the order of their layers. Tools and names of
/// untrusted files do not count; what such a file states of the `no_rule` of a tool in force does, which can only tighten.
pub(crate) fn in_force<'t>(declarations: impl Iterator<Item = (Standing, &'t Tool)>) -> (Vec<Tool>, Vec<Declarers>) {
    let (mut tools, mut declarers): (Vec<Tool>, Vec<Declarers>) = (Vec::new(), Vec::new());
    for (standing, tool) in declarations {
        let known = tools.iter().position(|known| known.key == tool.key);
        if standing == Standing::Untrusted {
            if let Some(by) = known.and_then(|index| declarers.get_mut(index)) {
                state(&mut by.no_rule, standing, tool.no_rule);
            }
            continue;
        }
        let index = known.unwrap_or_else(|| {
            tools.push(Tool { names: Vec::new(), ..tool.clone() });
            declarers.push(Declarers::default());
            tools.len() - 1
        });
        if let (Some(merged), Some(by)) = (tools.get_mut(index), declarers.get_mut(index)) {
            merge(merged, tool);
            by.names.resize(merged.names.len(), standing);
            state(&mut by.no_rule, standing, tool.no_rule);
        }
    }
    (tools, declarers)
}

/// The tools, those of one key as one: the first, with the names, fields and keys of all.
pub(crate) fn merged<'t>(tools: impl Iterator<Item = &'t Tool>) -> Vec<Tool> {
    let mut merged: Vec<Tool> = Vec::new();
    for tool in tools {
        match merged.iter_mut().find(|known| known.key == tool.key) {
            Some(known) => merge(known, tool),
            None => merged.push(tool.clone()),
        }
    }
    merged
}

/// Adds what another declaration of a tool has; nothing that is known changes but to what is stricter.
pub(crate) fn merge(known: &mut Tool, other: &Tool) {
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
        (
            FieldKind::Code { language: one, language_key: key },
            FieldKind::Code { language: other, language_key: other_key },
        ) => one == other && key == other_key,
        (FieldKind::Url { find: one }, FieldKind::Url { find: other }) => one == other,
        (one, other) => std::mem::discriminant(one) == std::mem::discriminant(other),
    }
}
