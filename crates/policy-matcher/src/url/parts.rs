//! The parts of a URL, as far as they are known.

use std::net::IpAddr;

use shell_parser::{Piece, Word};
use url::Url;

use super::host::{self, Host};
use crate::Truth;
use crate::pattern::Glob;

/// The parts of a URL; `None`: not known.
#[derive(Debug, Default)]
pub(super) struct Parts<'a> {
    pub(super) scheme: Option<String>,
    pub(super) host: Option<Host>,
    /// The port, that of the scheme where none is given; an inner `None`: there is none.
    pub(super) port: Option<Option<u16>>,
    path: Path<'a>,
    /// Known text that the host ends with, where the host is not known.
    host_end: Option<String>,
    /// Whether all readers take it for the same URL.
    pub(super) plain: bool,
}

#[derive(Debug, Default)]
enum Path<'a> {
    Known(String),
    /// It begins with known text; the rest is these pieces.
    Partly(String, Vec<Piece<'a>>),
    #[default]
    Unknown,
}

/// Stands for unknown text while the known beginning is parsed; no delimiter in any part.
const STAND_IN: &str = "x";

impl<'a> Parts<'a> {
    /// The parts of `word`.
    pub(super) fn of(word: Word<'a>) -> Self {
        match word.known() {
            Some(text) => Url::parse(text).map(|url| Self::known(&url, text)).unwrap_or_default(),
            None => Self::partly_known(word),
        }
    }

    fn known(url: &Url, text: &str) -> Self {
        let host = Host::of(url);
        Self {
            scheme: Some(url.scheme().to_owned()),
            port: Some(url.port_or_known_default()),
            path: Path::Known(url.path().to_owned()),
            host_end: None,
            plain: is_plain(url, text),
            host: Some(host),
        }
    }

    /// The authority is known where a known `/`, `?` or `#` ends it before the first unknown part.
    fn partly_known(word: Word<'a>) -> Self {
        let prefix = word.known_prefix();
        let Some((scheme, rest)) = prefix.split_once("://") else {
            return Self { host_end: None, ..Self::default() };
        };
        if !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')) {
            return Self::default();
        }
        let scheme_only = || Some(scheme.to_ascii_lowercase());
        if !rest.contains(['/', '?', '#', '\\']) {
            return Self { scheme: scheme_only(), host_end: host_end(word), ..Self::default() };
        }
        // What stands in for the unknown text keeps `..` or a `%` before it from being read alone.
        let Ok(url) = Url::parse(&format!("{prefix}{STAND_IN}")) else {
            return Self { scheme: scheme_only(), ..Self::default() };
        };
        let unknown_in_path = !rest.contains(['?', '#']);
        let mut parts = Self::known(&url, &format!("{prefix}{STAND_IN}"));
        if unknown_in_path {
            // Unknown text may climb with `..` segments: only from where no slash can come.
            let known = url.path().strip_suffix(STAND_IN).unwrap_or_default().to_owned();
            parts.path = Path::Partly(known, word.pieces().skip(1).collect());
        }
        parts
    }

    /// Whether a host that is not known may be one of `patterns`.
    pub(super) fn possible_host(&self, patterns: &[String]) -> Truth {
        let may = |own: &String| self.host_end.as_ref().is_none_or(|end| host::may_end_in(own, end));
        if patterns.iter().any(may) { Truth::Possible } else { Truth::No }
    }

    /// Whether the path is taken by `glob`.
    pub(super) fn path_matches(&self, glob: &Glob) -> Truth {
        match &self.path {
            Path::Unknown => Truth::Possible,
            Path::Known(path) => glob.is_match(path, false).into(),
            Path::Partly(known, rest) => {
                let mut pieces = vec![Piece::Text(known)];
                pieces.extend(rest.iter().copied());
                let taken = glob.matches(Word::Pieces(&pieces), false);
                // Dot segments and escapes in the unknown text change what comes before it, and a
                // `?` in it ends the path.
                if glob.source() == "*" || glob.source() == "/*" { taken } else { Truth::Possible }
            }
        }
    }
}

/// Known text that the host ends with: between the last unknown part and the end of the authority.
fn host_end(word: Word<'_>) -> Option<String> {
    let pieces: Vec<Piece<'_>> = word.pieces().collect();
    // Only one unknown part, or the second may hold the whole authority.
    let [Piece::Text(_), Piece::Unknown(unknown), Piece::Text(text), rest @ ..] = pieces.as_slice() else {
        return None;
    };
    let name = matches!(unknown.shape, shell_parser::Shape::Name | shell_parser::Shape::Digits);
    let end = text.find(['/', '?', '#', '\\', ':']);
    // Any text may end the authority itself (`https://$X.example.com` with `evil.org/`).
    (name && (end.is_some() || rest.is_empty()))
        .then(|| text.get(..end.unwrap_or(text.len())).unwrap_or(text).to_owned())
}

/// Whether RFC 3986 and other readers take `text` for the same URL: no user information, no
/// control characters or blanks, no backslash, and spelled with `//` where the standard puts it.
fn is_plain(url: &Url, text: &str) -> bool {
    let spelled = text.get(..url.scheme().len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(url.scheme()));
    let rest = text.get(url.scheme().len()..).unwrap_or_default();
    let authority = match rest.strip_prefix("://") {
        Some(rest) => rest.split(['/', '?', '#']).next().unwrap_or_default(),
        None if url.has_host() => return false,
        None => "",
    };
    let odd = |c: char| {
        c.is_control() || c.is_whitespace() || matches!(c, '\\' | '<' | '>' | '"' | '^' | '`' | '{' | '|' | '}')
    };
    let doubts = [
        !spelled,
        text.contains(odd),
        authority.contains(['@', '%']),
        url.has_host() && authority.is_empty(),
        invisible_or_foreign(authority),
        !url.username().is_empty() || url.password().is_some(),
        !same_host(url, authority),
    ];
    !doubts.contains(&true)
}

/// Whether the authority holds letters outside ASCII that mapping changed (full-width, ideographic
/// full stops): readers differ in what they make of them.
fn invisible_or_foreign(authority: &str) -> bool {
    authority
        .chars()
        .filter(|c| !c.is_ascii())
        .any(|c| crate::pattern::fold::Fold::Looks.apply(&c.to_string()).is_ascii())
}

/// Whether the host as written is the host as read, but for case, a trailing dot and punycode; an
/// address in another spelling than four decimal numbers is read otherwise by some.
fn same_host(url: &Url, authority: &str) -> bool {
    let written =
        authority.rsplit_once(':').filter(|(_, tail)| !tail.contains(']')).map_or(authority, |(host, _)| host);
    match Host::of(url) {
        Host::None => true,
        Host::Address(IpAddr::V4(address)) => written == address.to_string(),
        Host::Address(IpAddr::V6(_)) => written.starts_with('['),
        Host::Name(name) => {
            !written.is_ascii() || written.strip_suffix('.').unwrap_or(written).eq_ignore_ascii_case(&name)
        }
    }
}
