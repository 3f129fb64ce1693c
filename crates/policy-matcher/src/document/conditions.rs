//! Conditions on fields, by their kind. Those on commands and paths have files of their own.

use super::Reading;
use super::faults::quoted;
use super::keys::Place;
use super::places;
use super::sets::BuiltIn;
use super::table::{Entries, Item, Written, count, in_order};
use crate::pattern::Glob;
use crate::policy::{CodeCondition, Condition, FieldKind, NumberCondition, TextCondition, UrlCondition};
use crate::{Code, Direction};

impl<'t> Reading<'t> {
    /// A condition on a field of that kind.
    pub(super) fn condition(&mut self, kind: &FieldKind, item: &'t Item<'t>, direction: Direction) -> Condition {
        match kind {
            FieldKind::Shell { .. } | FieldKind::Argv { .. } | FieldKind::Code { .. } => {
                Condition::Command(Box::new(self.command_condition(item, direction)))
            }
            FieldKind::Path { .. } | FieldKind::Patch => Condition::Path(self.path_condition(item, direction)),
            FieldKind::Url { .. } => {
                self.not_empty(item, &places::URL);
                Condition::Url(self.url_condition(item, direction))
            }
            FieldKind::Text => Condition::Text(self.text_condition(item, direction)),
            FieldKind::Number => Condition::Number(self.number_condition(item, direction)),
            FieldKind::Bool => {
                let entries = self.entries(item, &places::BOOL, direction);
                self.not_empty(item, &places::BOOL);
                Condition::Bool(entries.flag("equals").unwrap_or_default())
            }
        }
    }

    /// Reports a table without any key: it would hold of everything.
    pub(super) fn not_empty(&mut self, item: &'t Item<'t>, place: &'static Place) {
        if in_order(item).is_empty() {
            let keys = place.names().collect::<Vec<_>>().join("`, `");
            let message = format!("{} states nothing", place.what);
            self.faults.add(Code::InvalidValue, &item.span(), message, format!("state one of `{keys}`"));
        }
    }

    /// A condition on text.
    pub(super) fn text_condition(&mut self, item: &'t Item<'t>, direction: Direction) -> TextCondition {
        let entries = self.entries(item, &places::TEXT, direction);
        self.not_empty(item, &places::TEXT);
        if entries.has("equals") && entries.has("any_of") {
            let message = "`equals` and `any_of` say the same";
            self.faults.add(
                Code::InvalidValue,
                &entries.key_span("any_of"),
                message,
                "state all values in one of them",
            );
        }
        let mut equals = self.texts(&entries, "equals", BuiltIn::None);
        equals.extend(self.texts(&entries, "any_of", BuiltIn::None));
        let contains = self.texts(&entries, "contains", BuiltIn::None);
        for text in contains.iter().filter(|text| text.text.is_empty()) {
            self.faults.add(Code::InvalidValue, &text.span, "every text contains the empty one", "leave it out");
        }
        TextCondition {
            equals: plain(equals),
            contains: plain(contains),
            glob: self.globs(&entries, "glob"),
            regex: self.regexes(&entries, "regex"),
            max_len: entries.count("max_len"),
        }
    }

    /// The conditions of a key that takes a table or a list of tables.
    pub(super) fn text_conditions(
        &mut self,
        entries: &Entries<'t>,
        key: &str,
        direction: Direction,
    ) -> Vec<TextCondition> {
        entries.items(key).into_iter().map(|item| self.text_condition(item, direction)).collect()
    }

    fn number_condition(&mut self, item: &'t Item<'t>, direction: Direction) -> NumberCondition {
        let entries = self.entries(item, &places::NUMBER, direction);
        self.not_empty(item, &places::NUMBER);
        let (min, max) = (entries.number("min"), entries.number("max"));
        if min.zip(max).is_some_and(|(min, max)| min > max) {
            self.empty_range(&entries);
        }
        NumberCondition { equals: entries.number("equals"), min, max }
    }

    /// Reports a `min` above `max`.
    pub(super) fn empty_range(&mut self, entries: &Entries<'t>) {
        let message = "`min` is greater than `max`: nothing lies between";
        self.faults.add(Code::InvalidValue, &entries.key_span("min"), message, "swap the two");
    }

    /// A condition on code.
    pub(super) fn code_condition(&mut self, item: &'t Item<'t>, direction: Direction) -> CodeCondition {
        let entries = self.entries(item, &places::CODE, direction);
        self.not_empty(item, &places::CODE);
        let language = self.choices(&entries, "language");
        let effects = self.choices(&entries, "effects");
        let none = effects.iter().any(|effect| effect == "none");
        if none && effects.len() > 1 {
            let message = "`none` and another effect contradict each other";
            self.faults.add(
                Code::InvalidValue,
                &entries.key_span("effects"),
                message,
                "state `none` alone or leave it out",
            );
        }
        let stated = entries.has("effects").then_some(effects);
        CodeCondition {
            language,
            effects: stated.map(|effects| if none { Vec::new() } else { effects }),
            regex: self.regexes(&entries, "regex"),
        }
    }

    /// The words of a key, each of which is one of `names`.
    pub(super) fn choices(&mut self, entries: &Entries<'t>, key: &str) -> Vec<String> {
        let names = entries.words(key);
        let words = self.texts(entries, key, BuiltIn::None);
        plain(words.into_iter().filter(|word| self.is_one_of(key, word, names)).collect())
    }

    /// A condition on a URL.
    fn url_condition(&mut self, item: &'t Item<'t>, direction: Direction) -> UrlCondition {
        let entries = self.entries(item, &places::URL, direction);
        UrlCondition {
            scheme: self.schemes(&entries),
            host: self.hosts(&entries),
            port: self.ports(&entries),
            path: self.url_paths(&entries),
            method: self.methods(&entries),
            private: entries.flag("private"),
        }
    }

    /// The conditions of `request`. An empty table is any request: the key alone says that requests are meant.
    pub(super) fn url_conditions(
        &mut self,
        entries: &Entries<'t>,
        key: &str,
        direction: Direction,
    ) -> Vec<UrlCondition> {
        entries.items(key).into_iter().map(|item| self.url_condition(item, direction)).collect()
    }

    /// Schemes in lower case (RFC 3986 section 3.1).
    fn schemes(&mut self, entries: &Entries<'t>) -> Vec<String> {
        let mut schemes = Vec::new();
        for scheme in self.texts(entries, "scheme", BuiltIn::None) {
            let valid = scheme.text.starts_with(|c: char| c.is_ascii_alphabetic())
                && scheme.text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
            if valid {
                schemes.push(scheme.text.to_ascii_lowercase());
            } else {
                let message = format!("{} is no scheme of a URL", quoted(&scheme.text));
                self.faults.add(
                    Code::InvalidValue,
                    &scheme.span,
                    message,
                    "write it without `:` and slashes, as in `https`",
                );
            }
        }
        schemes
    }

    /// Hosts as the WHATWG parser writes them, with `*.` before those whose subdomains are meant.
    fn hosts(&mut self, entries: &Entries<'t>) -> Vec<String> {
        let mut hosts = Vec::new();
        for host in self.texts(entries, "host", BuiltIn::None) {
            let (star, name) = match host.text.strip_prefix("*.") {
                Some(name) => ("*.", name),
                None => ("", host.text.as_str()),
            };
            let name = name.strip_suffix('.').unwrap_or(name);
            match url::Host::parse(name) {
                Ok(parsed) if !name.contains('*') && (star.is_empty() || matches!(parsed, url::Host::Domain(_))) => {
                    hosts.push(format!("{star}{parsed}"));
                }
                _ => self.bad_host(&host),
            }
        }
        hosts
    }

    fn bad_host(&mut self, host: &Written) {
        let text = &host.text;
        let help = if let Some(parsed) = url::Url::parse(text).ok().and_then(|url| url.host_str().map(str::to_owned)) {
            format!("write the host alone: `{parsed}`")
        } else if text.contains('*') {
            "`*.` before a domain means its subdomains; for any host leave `host` out".to_owned()
        } else if text.matches(':').count() > 1 {
            "write an IPv6 address in brackets".to_owned()
        } else if text.contains(':') {
            "state the port in `port`".to_owned()
        } else if text.contains('/') {
            "state the path in `path`".to_owned()
        } else {
            String::new()
        };
        self.faults.add(Code::InvalidValue, &host.span, format!("{} is no host", quoted(text)), help);
    }

    fn ports(&mut self, entries: &Entries<'t>) -> Vec<u16> {
        let mut ports = Vec::new();
        for item in entries.items("port") {
            match count(item).and_then(|port| u16::try_from(port).ok()) {
                Some(port) => ports.push(port),
                None => self.faults.add(Code::InvalidValue, &item.span(), "a port is a number from 0 to 65535", ""),
            }
        }
        ports
    }

    fn url_paths(&mut self, entries: &Entries<'t>) -> Vec<Glob> {
        let mut paths = Vec::new();
        for path in self.texts(entries, "path", BuiltIn::None) {
            if path.text.starts_with(['/', '*', '{', '[']) {
                paths.extend(self.glob(&path));
            } else {
                let message = format!("the path of a URL begins with a slash, and {} does not", quoted(&path.text));
                self.faults.add(Code::InvalidPattern, &path.span, message, format!("write `/{}`", path.text));
            }
        }
        paths
    }

    /// Methods in upper case.
    fn methods(&mut self, entries: &Entries<'t>) -> Vec<String> {
        let mut methods = Vec::new();
        for method in self.texts(entries, "method", BuiltIn::None) {
            if !method.text.is_empty() && method.text.chars().all(|c| c.is_ascii_alphabetic() || c == '-') {
                methods.push(method.text.to_ascii_uppercase());
            } else {
                let message = format!("{} is no method of HTTP", quoted(&method.text));
                self.faults.add(Code::InvalidValue, &method.span, message, "write it as in `GET`");
            }
        }
        methods
    }
}

/// The texts without their places.
pub(super) fn plain(texts: Vec<Written>) -> Vec<String> {
    texts.into_iter().map(|text| text.text).collect()
}
