//! URLs: what a policy says of them (language.md section 2).

mod host;
mod parts;
#[cfg(test)]
mod tests;

use shell_parser::Word;

use crate::policy::UrlCondition;
use crate::{Direction, Held, Truth};
use parts::Parts;

/// Whether `condition` holds of `url`, requested by `method` (`None`: not known).
///
/// The URL is read as the WHATWG URL standard says. In loosening places nothing holds of a URL
/// that other readers may take for another: one with user information, control characters, or
/// spelled so that RFC 3986 reads it otherwise.
#[must_use]
pub fn url_held(condition: &UrlCondition, url: Word<'_>, method: Option<&str>, direction: Direction) -> Held {
    let parts = Parts::of(url);
    let mut truth = Truth::Certain;
    // What is known of the URL speaks for a match of what it is held against.
    let mut supported = false;
    let mut and = |part: Truth| {
        truth = truth.and(part);
        supported |= part == Truth::Certain;
    };
    if !condition.scheme.is_empty() {
        and(stated(&condition.scheme, parts.scheme.as_deref(), |own, scheme| own.eq_ignore_ascii_case(scheme)));
    }
    if !condition.host.is_empty() {
        and(match &parts.host {
            Some(known) => condition.host.iter().any(|own| host::matches(own, known)).into(),
            None => parts.possible_host(&condition.host),
        });
    }
    if let Some(private) = condition.private {
        and(match &parts.host {
            Some(known) => Truth::from(known.is_private() == private),
            None => Truth::Possible,
        });
    }
    if !condition.port.is_empty() {
        and(parts.port.map_or(Truth::Possible, |port| port.is_some_and(|port| condition.port.contains(&port)).into()));
    }
    if !condition.path.is_empty() {
        let truths = condition.path.iter().map(|glob| parts.path_matches(glob));
        and(truths.fold(Truth::No, Truth::or));
    }
    if !condition.method.is_empty() {
        and(stated(&condition.method, method, |own, method| own.eq_ignore_ascii_case(method)));
    }
    if direction == Direction::Loosening && !parts.plain {
        truth = truth.and(Truth::Possible);
    }
    match truth {
        Truth::No => Held::NO,
        _ => Held { truth, supported },
    }
}

/// Whether `value` is one of `list`; `None`: not known.
fn stated(list: &[String], value: Option<&str>, same: impl Fn(&str, &str) -> bool) -> Truth {
    value.map_or(Truth::Possible, |value| list.iter().any(|own| same(own, value)).into())
}

/// Whether `text` is a URL: it parses, has a scheme, and no control character in it. (A field that
/// is none is a bad field.)
#[must_use]
pub fn is_url(text: &str) -> bool {
    !text.chars().any(char::is_control) && url::Url::parse(text).is_ok()
}
