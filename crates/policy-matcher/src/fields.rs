//! Fields: the arguments that a tool declares, taken out of a call by kind.

use shell_parser::{Arena, Strip, patched_files};

use crate::context::Context;
use crate::json::Json;
use crate::policy::{Field, FieldKind, KeyPath, Tool};
use crate::rule::same_element;

/// One value of one field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Value<'a> {
    /// The field.
    pub field: &'a Field,
    /// The value.
    pub content: Content<'a>,
    /// The element of the list that it belongs to: the key in front of `*`, and the index.
    pub element: Option<(&'a [String], usize)>,
    /// The object that holds the field's companions (`directory`, `environment`): the arguments.
    pub arguments: &'a Json,
}

/// A value by its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Content<'a> {
    /// Command text.
    Shell(&'a str),
    /// The words of a program, all of them strings; at least one.
    Argv(&'a [Json]),
    /// Code, with its language where that is known.
    Code(Option<&'a str>, &'a str),
    /// A patch that can be read.
    Patch(&'a str),
    /// A path as given.
    Path(&'a str),
    /// A URL, or text that holds some.
    Url(&'a str),
    /// Text.
    Text(&'a str),
    /// A number.
    Number(f64),
    /// A boolean.
    Bool(bool),
}

impl Content<'_> {
    /// Whether it is something that runs, with facts of its own.
    pub const fn runs(self) -> bool {
        matches!(self, Self::Shell(_) | Self::Argv(_) | Self::Code(..))
    }
}

/// An argument that is not what its field demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadField {
    /// The field, or the argument.
    pub field: String,
    /// What is wrong, in the user's words.
    pub message: String,
}

impl BadField {
    fn new(field: &str, message: String) -> Self {
        Self { field: field.to_owned(), message }
    }
}

/// Every value of every field of `tool`, in the order of the declaration.
///
/// # Errors
///
/// The first argument that is missing, mistyped, or not what its kind demands; under `closed`, one
/// that no field declares.
pub(crate) fn values<'a>(tool: &'a Tool, arguments: &'a Json) -> Result<Vec<Value<'a>>, BadField> {
    let Json::Object(members) = arguments else {
        return Err(BadField::new("args", format!("the arguments are {}, not an object", arguments.kind())));
    };
    if let Some(key) = arguments.duplicate() {
        return Err(BadField::new(&key, format!("the key `{key}` stands twice")));
    }
    if tool.closed
        && let Some((name, _)) = members.iter().find(|(name, _)| !declares(tool, name))
    {
        return Err(BadField::new(name, format!("`{name}` is not an argument of the tool, which is closed")));
    }
    tool.fields.iter().try_for_each(|field| environment(field, arguments))?;
    let mut values = Vec::new();
    for field in &tool.fields {
        let before = values.len();
        let (mut missing, mut listed) = (false, false);
        for key in &field.keys {
            let mut found = Found { field, arguments, values: &mut values, missing: false, listed: false };
            found.collect(arguments, key, &key.0, None)?;
            missing |= found.missing;
            listed |= found.listed;
        }
        let empty = values.len() == before && !listed;
        if (empty || missing) && !field.optional {
            if let FieldKind::Path { default: Some(default), .. } = &field.kind
                && empty
            {
                values.push(Value { field, content: Content::Path(default), element: None, arguments });
                continue;
            }
            let key = field.keys.first().map_or_else(|| field.name.clone(), key_text);
            return Err(BadField::new(&field.name, format!("the argument `{key}` is missing")));
        }
        if empty && let FieldKind::Path { default: Some(default), .. } = &field.kind {
            values.push(Value { field, content: Content::Path(default), element: None, arguments });
        }
    }
    Ok(values)
}

/// Checks the argument that sets a field's environment: an object, or a list of `NAME=value`.
fn environment(field: &Field, arguments: &Json) -> Result<(), BadField> {
    let (FieldKind::Shell { environment: Some(key), .. } | FieldKind::Argv { environment: Some(key), .. }) =
        &field.kind
    else {
        return Ok(());
    };
    let entries = |list: &[Json]| list.iter().all(|entry| entry.text().is_some_and(|text| text.contains('=')));
    match at(arguments, key) {
        None | Some(Json::Object(_)) => Ok(()),
        Some(Json::Array(list)) if entries(list) => Ok(()),
        Some(other) => {
            let message = format!("`{}` is {}, not an object of strings", key_text(key), other.kind());
            Err(BadField::new(&field.name, message))
        }
    }
}

fn declares(tool: &Tool, name: &str) -> bool {
    let first = |path: &KeyPath| path.0.first().is_some_and(|first| first == name || first == "*");
    tool.fields.iter().any(|field| {
        field.keys.iter().any(first)
            || match &field.kind {
                FieldKind::Shell { directory, environment, .. } | FieldKind::Argv { directory, environment, .. } => {
                    directory.iter().any(first) || environment.as_ref().is_some_and(first)
                }
                FieldKind::Code { language_key, .. } => language_key.as_ref().is_some_and(first),
                _ => false,
            }
    })
}

pub(crate) fn key_text(key: &KeyPath) -> String {
    key.0.join("/")
}

/// The value at a path without `*`; `None` where it is absent or `null`.
pub(crate) fn at<'a>(json: &'a Json, key: &KeyPath) -> Option<&'a Json> {
    key.0.iter().try_fold(json, |json, name| json.get(name)).filter(|value| **value != Json::Null)
}

/// What one key path leads to.
struct Found<'a, 'v> {
    field: &'a Field,
    arguments: &'a Json,
    values: &'v mut Vec<Value<'a>>,
    /// Whether an element of a list lacks the key.
    missing: bool,
    /// Whether there is a list, be it empty.
    listed: bool,
}

impl<'a> Found<'a, '_> {
    fn collect(
        &mut self,
        json: &'a Json,
        key: &'a KeyPath,
        rest: &'a [String],
        element: Option<(&'a [String], usize)>,
    ) -> Result<(), BadField> {
        let Some((name, rest)) = rest.split_first() else {
            let content = content(self.field, json, self.arguments)?;
            self.values.push(Value { field: self.field, content, element, arguments: self.arguments });
            return Ok(());
        };
        if name == "*" {
            let Json::Array(elements) = json else {
                return Err(self.mistyped(key, json, "a list"));
            };
            self.listed = true;
            let prefix = key.0.get(..key.0.len() - rest.len() - 1).unwrap_or_default();
            for (index, value) in elements.iter().enumerate() {
                self.collect(value, key, rest, element.or(Some((prefix, index))))?;
            }
            return Ok(());
        }
        match json {
            Json::Object(_) => match json.get(name) {
                None | Some(Json::Null) => {
                    self.missing |= element.is_some();
                    Ok(())
                }
                Some(value) => self.collect(value, key, rest, element),
            },
            _ => Err(self.mistyped(key, json, "an object")),
        }
    }

    fn mistyped(&self, key: &KeyPath, json: &Json, expected: &str) -> BadField {
        let message = format!("on the way to `{}` stands {}, not {expected}", key_text(key), json.kind());
        BadField::new(&self.field.name, message)
    }
}

fn content<'a>(field: &'a Field, json: &'a Json, arguments: &'a Json) -> Result<Content<'a>, BadField> {
    let wrong = |expected: &str| {
        Err(BadField::new(&field.name, format!("`{}` is {}, not {expected}", field.name, json.kind())))
    };
    let nul = |what: &str| Err(BadField::new(&field.name, format!("{what} in `{}` holds a NUL", field.name)));
    match (&field.kind, json) {
        (FieldKind::Number, Json::Number(number)) => match number.as_f64() {
            Some(number) => Ok(Content::Number(number)),
            None => wrong("a number that can be compared"),
        },
        (FieldKind::Number, _) => wrong("a number"),
        (FieldKind::Bool, Json::Bool(value)) => Ok(Content::Bool(*value)),
        (FieldKind::Bool, _) => wrong("a boolean"),
        (FieldKind::Shell { .. }, Json::String(text)) if text.contains('\0') => nul("the command"),
        (FieldKind::Shell { .. }, Json::String(text)) => Ok(Content::Shell(text)),
        (FieldKind::Argv { .. }, Json::Array(words)) => {
            let Some(other) = words.iter().find(|word| word.text().is_none()) else {
                return match words.as_slice() {
                    [] => Err(BadField::new(&field.name, format!("`{}` holds no word", field.name))),
                    words if words.iter().filter_map(Json::text).any(|word| word.contains('\0')) => nul("a word"),
                    words => Ok(Content::Argv(words)),
                };
            };
            let message = format!("`{}` holds {}, not strings alone", field.name, other.kind());
            Err(BadField::new(&field.name, message))
        }
        (FieldKind::Argv { .. }, _) => wrong("a list of strings"),
        (FieldKind::Code { .. }, Json::String(text)) if text.contains('\0') => nul("the code"),
        (FieldKind::Code { language, language_key }, Json::String(text)) => {
            let said = match language_key.as_ref().and_then(|key| Some((key, at(arguments, key)?))) {
                Some((_, Json::String(said))) => Some(said.as_str()),
                Some((key, other)) => {
                    let message = format!("`{}` is {}, not a string", key_text(key), other.kind());
                    return Err(BadField::new(&field.name, message));
                }
                None => language.as_deref(),
            };
            Ok(Content::Code(said.map(crate::language::canonical), text))
        }
        (FieldKind::Patch, Json::String(text)) => {
            if text.contains('\0') || patched_files(text, Strip::Unstated).is_none() {
                return Err(BadField::new(&field.name, format!("`{}` holds no patch that can be read", field.name)));
            }
            Ok(Content::Patch(text))
        }
        (FieldKind::Path { .. }, Json::String(text)) if text.contains('\0') => nul("the path"),
        (FieldKind::Path { .. }, Json::String(text)) => Ok(Content::Path(text)),
        (FieldKind::Url { find }, Json::String(text)) => {
            if !find && !crate::url::is_url(text) {
                return Err(BadField::new(&field.name, format!("`{}` holds no URL", field.name)));
            }
            Ok(Content::Url(text))
        }
        (FieldKind::Text, Json::String(text)) => Ok(Content::Text(text)),
        (
            FieldKind::Shell { .. }
            | FieldKind::Code { .. }
            | FieldKind::Patch
            | FieldKind::Path { .. }
            | FieldKind::Url { .. }
            | FieldKind::Text,
            _,
        ) => wrong("a string"),
    }
}

/// The folders that the path of a field is relative to: what the field that its `base` names holds, else the directory
/// (`None`: not known).
pub(crate) fn bases<'a>(
    value: &Value<'a>,
    values: &[Value<'a>],
    context: &'a Context,
    arena: &'a Arena,
) -> Vec<Option<&'a str>> {
    let cwd = context.cwd.as_deref();
    let FieldKind::Path { base: Some(base), .. } = &value.field.kind else { return vec![cwd] };
    let paths = values.iter().filter(|other| other.field.name == *base && same_element(other.element, value.element));
    let mut folders: Vec<Option<&'a str>> = paths
        .filter_map(|other| match other.content {
            Content::Path(path) => Some(crate::places::place(path, context, arena)),
            _ => None,
        })
        .map(|path| match cwd {
            _ if path.starts_with(['/', '~']) => Some(path),
            Some(cwd) => Some(&*arena.alloc_str(&format!("{cwd}/{path}"))),
            None => None,
        })
        .collect();
    if folders.is_empty() {
        folders.push(cwd);
    }
    folders
}

/// Where what a field holds runs.
pub(crate) struct Surroundings<'a> {
    /// The directory; `None`: not known.
    pub directory: Option<&'a str>,
    /// The variables that the call sets.
    pub variables: &'a [(&'a str, Option<&'a str>)],
}

/// What a call's companions of a field that runs (`directory`, `environment`) say.
///
/// A directory that is no string, or begins with `~` (which a client may or may not expand), is not
/// known; an environment that is no object of strings sets unknown values.
pub(crate) fn surroundings<'a>(value: &Value<'a>, context: &'a Context, arena: &'a Arena) -> Surroundings<'a> {
    let mut directory = context.cwd.as_deref();
    let mut variables: Vec<(&'a str, Option<&'a str>)> = Vec::new();
    if let FieldKind::Shell { directory: keys, environment, .. }
    | FieldKind::Argv { directory: keys, environment, .. } = &value.field.kind
    {
        if let Some(given) = keys.iter().find_map(|key| at(value.arguments, key)) {
            directory = match (given.text(), directory) {
                (Some(text), _) if text.starts_with('/') => Some(text),
                (Some(text), _) if text.starts_with('~') => None,
                (Some(""), cwd) => cwd,
                (Some(text), Some(cwd)) => Some(&*arena.alloc_str(&format!("{cwd}/{text}"))),
                _ => None,
            };
        }
        match environment.as_ref().and_then(|key| at(value.arguments, key)) {
            Some(Json::Object(members)) => {
                variables.extend(members.iter().map(|(name, value)| (name.as_str(), value.text())));
            }
            Some(Json::Array(entries)) => {
                let pairs = entries.iter().filter_map(|entry| entry.text()?.split_once('='));
                variables.extend(pairs.map(|(name, value)| (name, Some(value))));
            }
            _ => {}
        }
    }
    Surroundings { directory, variables: arena.alloc_slice_copy(&variables) }
}
