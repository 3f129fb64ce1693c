//! Every key of the policy language, place by place: reading, the names offered and the schema come
//! from these tables.

use shell_parser::FindingKind;

use super::keys::{Key, Place, Takes};

const fn place(what: &'static str, keys: &'static [&'static [Key]]) -> Place {
    Place { what, keys, matchers: false }
}

const fn matchers(what: &'static str, keys: &'static [&'static [Key]]) -> Place {
    Place { what, keys, matchers: true }
}

const ACCESSES: &[&str] = &["read", "list", "write", "delete", "metadata", "execute"];
const VERDICTS: &[&str] = &["allow", "ask", "deny"];
const REFUSALS: &[&str] = &["ask", "deny"];
const LAYERS: &[&str] = &["user", "project"];
const DOUBTS: &[&str] = &["ask", "deny", "skip"];

/// The whole file.
pub(super) static FILE: Place = place(
    "a policy file",
    &[&[
        Key::new("version", Takes::Count),
        Key::new("policy", Takes::Table(&POLICY)),
        Key::new("defaults", Takes::Table(&DEFAULTS)),
        Key::new("sets", Takes::Named),
        Key::new("tools", Takes::Named),
        Key::new("programs", Takes::Named),
        Key::new("deny", Takes::Rules(&RULE)),
        Key::new("ask", Takes::Rules(&RULE)),
        Key::new("allow", Takes::Rules(&RULE)),
    ]],
);

pub(super) static POLICY: Place = place(
    "`[policy]`",
    &[&[
        Key::new("name", Takes::Text),
        Key::new("description", Takes::Text),
        Key::new("include", Takes::Texts),
        Key::new("allow_from", Takes::Subset(LAYERS)),
        Key::new("self_protection", Takes::Flag),
        Key::new("audit", Takes::Choice(&["deny", "warn"])),
    ]],
);

pub(super) static DEFAULTS: Place = place(
    "`[defaults]`",
    &[&[
        Key::new("unknown_tool", Takes::Choice(REFUSALS)),
        Key::new("no_rule", Takes::Choice(VERDICTS)),
        Key::new("uncertain", Takes::Choice(REFUSALS)),
        Key::new("unsupported", Takes::Choice(DOUBTS)),
        Key::new("unparsable", Takes::Choice(REFUSALS)),
        Key::new("inert", Takes::Choice(&["skip", "cover"])),
        Key::new("asked", Takes::Choice(REFUSALS)),
    ]],
);

/// A table of `[tools]`.
pub(super) static TOOL: Place = place(
    "a tool",
    &[&[
        Key::new("names", Takes::Texts),
        Key::new("no_rule", Takes::Choice(VERDICTS)),
        Key::new("closed", Takes::Flag),
        Key::new("fields", Takes::Named),
    ]],
);

const FIELD: &[Key] =
    &[Key::new("kind", Takes::Text), Key::new("keys", Takes::Texts), Key::new("optional", Takes::Flag)];

/// A kind of field: its name, the keys of its declaration and the matchers that rules have for it.
pub(super) struct Kind {
    pub(super) name: &'static str,
    pub(super) field: &'static Place,
    pub(super) matchers: &'static Place,
}

/// All kinds of field.
pub(super) static KINDS: &[Kind] = &[
    Kind { name: "shell", field: &SHELL_FIELD, matchers: &COMMAND },
    Kind { name: "path", field: &PATH_FIELD, matchers: &PATH },
    Kind { name: "url", field: &URL_FIELD, matchers: &URL },
    Kind { name: "text", field: &TEXT_FIELD, matchers: &TEXT },
    Kind { name: "number", field: &NUMBER_FIELD, matchers: &NUMBER },
    Kind { name: "bool", field: &BOOL_FIELD, matchers: &BOOL },
    Kind { name: "argv", field: &ARGV_FIELD, matchers: &COMMAND },
    Kind { name: "code", field: &CODE_FIELD, matchers: &COMMAND },
    Kind { name: "patch", field: &PATCH_FIELD, matchers: &PATH },
];

const RUNNING: &[Key] = &[
    Key::new("directory", Takes::Texts),
    Key::new("environment", Takes::Text),
    Key::new("dialect", Takes::Choice(&["bash", "zsh", "sh"])),
];

static SHELL_FIELD: Place = place("a `shell` field", &[FIELD, RUNNING]);
static ARGV_FIELD: Place = place("an `argv` field", &[FIELD, RUNNING]);
static CODE_FIELD: Place = place(
    "a `code` field",
    &[FIELD, &[Key::new("language", Takes::Choice(LANGUAGES)), Key::new("language_key", Takes::Text)]],
);
static PATCH_FIELD: Place = place("a `patch` field", &[FIELD]);

static PATH_FIELD: Place = place(
    "a `path` field",
    &[
        FIELD,
        &[
            Key::new("access", Takes::Choices(ACCESSES)),
            Key::new("recursive", Takes::Flag),
            Key::new("default", Takes::Text),
            Key::new("pattern", Takes::Flag),
            Key::new("base", Takes::Text),
        ],
    ],
);

static URL_FIELD: Place = place("a `url` field", &[FIELD, &[Key::new("find", Takes::Flag)]]);
static TEXT_FIELD: Place = place("a `text` field", &[FIELD]);
static NUMBER_FIELD: Place = place("a `number` field", &[FIELD]);
static BOOL_FIELD: Place = place("a `bool` field", &[FIELD]);

/// A table of `[[deny]]`, `[[ask]]` or `[[allow]]`.
pub(super) static RULE: Place = place(
    "a rule",
    &[&[
        Key::new("id", Takes::Text),
        Key::new("reason", Takes::Text),
        Key::new("hint", Takes::Text),
        Key::new("tags", Takes::Texts),
        Key::new("tool", Takes::Texts),
        Key::new("where", Takes::Named),
        Key::new("unless", Takes::Named),
        Key::new("access", Takes::Choices(ACCESSES)),
        Key::new("path", Takes::Tables(&PATH)),
        Key::new("recursive", Takes::Flag),
        Key::new("ancestors", Takes::Only(true)),
        Key::new("riding", Takes::Flag),
        Key::new("host", Takes::Choice(&["local", "any"])),
        Key::new("request", Takes::Tables(&URL)),
        Key::new("flow", Takes::Tables(&FLOW)),
        Key::new("when", Takes::Named),
        Key::new("uncertain", Takes::Choice(DOUBTS)),
        Key::new("unsupported", Takes::Choice(DOUBTS)),
        Key::new("approvers", Takes::Table(&APPROVERS)),
        Key::new("examples", Takes::Table(&EXAMPLES)),
    ]],
);

pub(super) static APPROVERS: Place = place("`approvers`", &[&[Key::new("roles", Takes::Texts)]]);

pub(super) static EXAMPLES: Place =
    place("`examples`", &[&[Key::new("match", Takes::Examples(&CALL)), Key::new("no_match", Takes::Examples(&CALL))]]);

pub(super) static CALL: Place = place(
    "an example",
    &[&[Key::new("tool", Takes::Text), Key::new("args", Takes::Named), Key::new("context", Takes::Named)]],
);

/// Matchers on a command.
pub(super) static COMMAND: Place = matchers(
    "a condition on a command",
    &[&[
        Key::new("program", Takes::Programs),
        Key::new("subcommand", Takes::Texts),
        Key::new("options", Takes::Texts),
        Key::new("any_options", Takes::Texts),
        Key::new("global_options", Takes::Texts),
        Key::new("only_options", Takes::Texts),
        Key::new("operand", Takes::Tables(&TEXT)),
        Key::tightening("argument", Takes::Tables(&TEXT)),
        Key::new("operand_path", Takes::Tables(&PATH)),
        Key::new("operands", Takes::Table(&OPERANDS)),
        Key::new("argv", Takes::Words),
        Key::new("inner", Takes::Only(false)),
        Key::new("directory", Takes::Tables(&PATH)),
        Key::new("assigns", Takes::Texts),
        Key::new("expands", Takes::Texts),
        Key::new("via", Takes::Programs),
        Key::new("ref", Takes::Texts),
        Key::new("code", Takes::Tables(&CODE)),
        Key::tightening("finding", Takes::Choices(&FINDINGS)),
        Key::new("literal", Takes::Only(true)),
        Key::new("regex", Takes::Texts),
        Key::tightening("raw_regex", Takes::Texts),
    ]],
);

pub(super) static OPERANDS: Place =
    matchers("a count of operands", &[&[Key::new("min", Takes::Count), Key::new("max", Takes::Count)]]);

/// Matchers on a path.
pub(super) static PATH: Place = matchers(
    "a condition on a path",
    &[&[
        Key::new("equals", Takes::Paths),
        Key::new("glob", Takes::Paths),
        Key::new("not", Takes::Table(&PATH)),
        Key::new("inside", Takes::Paths),
        Key::new("outside", Takes::Paths),
        Key::tightening("raw_regex", Takes::Texts),
    ]],
);

/// Matchers on a URL.
pub(super) static URL: Place = matchers(
    "a condition on a URL",
    &[&[
        Key::new("scheme", Takes::Texts),
        Key::new("host", Takes::Texts),
        Key::new("port", Takes::Ports),
        Key::new("path", Takes::Texts),
        Key::new("method", Takes::Texts),
        Key::new("private", Takes::Flag),
    ]],
);

/// Matchers on text.
pub(super) static TEXT: Place = matchers(
    "a condition on text",
    &[&[
        Key::new("equals", Takes::Texts),
        Key::new("any_of", Takes::Texts),
        Key::new("contains", Takes::Texts),
        Key::new("glob", Takes::Texts),
        Key::new("regex", Takes::Texts),
        Key::new("max_len", Takes::Count),
    ]],
);

/// Matchers on a number.
pub(super) static NUMBER: Place = matchers(
    "a condition on a number",
    &[&[Key::new("equals", Takes::Number), Key::new("min", Takes::Number), Key::new("max", Takes::Number)]],
);

/// Matchers on a boolean.
pub(super) static BOOL: Place = matchers("a condition on a boolean", &[&[Key::new("equals", Takes::Flag)]]);

/// Matchers on code.
pub(super) static CODE: Place = matchers(
    "a condition on code",
    &[&[
        Key::new("language", Takes::Choices(LANGUAGES)),
        Key::new("effects", Takes::Choices(EFFECTS)),
        Key::new("regex", Takes::Texts),
    ]],
);

const LANGUAGES: &[&str] = &[
    "applescript",
    "awk",
    "bash",
    "cmd",
    "javascript",
    "lua",
    "perl",
    "php",
    "powershell",
    "python",
    "r",
    "ruby",
    "sed",
    "sh",
    "shell",
    "sql",
    "tcl",
    "typescript",
    "vim",
    "zsh",
];
const EFFECTS: &[&str] = &["process", "filesystem", "network", "dynamic", "unknown", "none"];

static FINDINGS: [&str; FindingKind::ALL.len()] = finding_names();

const fn finding_names() -> [&'static str; FindingKind::ALL.len()] {
    let mut names = [""; FindingKind::ALL.len()];
    let (mut rest, mut left) = (names.as_mut_slice(), FindingKind::ALL);
    while let (Some((name, names)), [kind, kinds @ ..]) = (rest.split_first_mut(), left) {
        *name = kind.name();
        (rest, left) = (names, kinds);
    }
    names
}

pub(super) static FLOW: Place =
    matchers("a flow", &[&[Key::new("from", Takes::Ends(&END)), Key::new("to", Takes::Ends(&END))]]);

/// An end of a flow that is a table.
pub(super) static END: Place = matchers(
    "an end of a flow",
    &[&[
        Key::new("program", Takes::Programs),
        Key::new("access", Takes::Choices(ACCESSES)),
        Key::new("path", Takes::Tables(&PATH)),
        Key::new("request", Takes::Tables(&URL)),
    ]],
);

/// The kinds of condition that rules know, with the words for what has them.
pub(super) static MATCHERS: &[(&str, &Place)] =
    &[("commands", &COMMAND), ("paths", &PATH), ("URLs", &URL), ("text", &TEXT), ("numbers", &NUMBER), ("code", &CODE)];

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds the names of a place's keys, and of the places within it.
    fn names(place: &'static Place, seen: &mut Vec<*const Place>, all: &mut Vec<&'static str>) {
        let address: *const Place = place;
        if seen.contains(&address) {
            return;
        }
        seen.push(address);
        all.extend(place.names());
        for inner in place.keys().filter_map(|key| key.takes.place()) {
            names(inner, seen, all);
        }
    }

    #[test]
    fn one_policy_uses_every_key() {
        let text = include_str!("../../tests/policies/ok/every-key.toml");
        let written: Vec<&str> = text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let (mut seen, mut all) = (Vec::new(), Vec::new());
        names(&FILE, &mut seen, &mut all);
        names(&TOOL, &mut seen, &mut all);
        for kind in KINDS {
            names(kind.field, &mut seen, &mut all);
            names(kind.matchers, &mut seen, &mut all);
        }
        assert!(all.len() >= 100, "{} keys", all.len());
        for name in all {
            assert!(written.contains(&name), "{name}");
        }
    }

    #[test]
    fn no_place_has_a_key_twice() {
        for place in KINDS.iter().flat_map(|kind| [kind.field, kind.matchers]) {
            let mut keys: Vec<&str> = place.keys().map(|key| key.name).collect();
            keys.sort_unstable();
            let count = keys.len();
            keys.dedup();
            assert_eq!(keys.len(), count, "{}", place.what);
        }
    }
}
