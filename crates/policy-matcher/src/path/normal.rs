//! A path in all its forms, made once for all conditions on it.

use std::borrow::Cow;

use shell_parser::{AccessKind, Piece, Word};

use super::compare::may_be_name;
use super::form::{Form, Part, below, normal, push};
use super::resolve::resolved;
use super::{PathUnit, Places};

/// A path made ready to be held against conditions: normalised and resolved once.
#[derive(Debug)]
pub struct NormalPath<'a> {
    pub(super) unit: PathUnit<'a>,
    /// Never empty.
    pub(super) readings: Vec<Reading<'a>>,
    /// Whether it is the workspace.
    pub(super) is_workspace: bool,
}

/// What a reading counts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// What the path means.
    Exact,
    /// What it means where backslashes and drive letters mean something.
    Lossy,
    /// Another name for what it means, which counts against it only.
    Against,
    /// Its spelling: counts against it only, and says nothing of where it is not.
    Spelling,
}

/// One way to read a path.
#[derive(Debug)]
pub(super) struct Reading<'a> {
    pub(super) weight: Weight,
    /// `.`, `..` and `//` dropped as text.
    pub(super) written: Form<'a>,
    /// Links followed; `None`: the same as written. An inner `None`: where it leads is not known.
    pub(super) resolved: Option<Option<Form<'a>>>,
    /// The written form with links followed down to the folder of this length.
    pub(super) stages: Vec<(usize, Form<'a>)>,
}

impl<'a> NormalPath<'a> {
    /// The forms of `unit`'s path.
    #[must_use]
    pub fn new(unit: PathUnit<'a>, places: &Places<'a>) -> Self {
        let mut readings = Vec::with_capacity(1);
        let follow = unit.kind != Some(AccessKind::Delete);
        let mut read = |weight, word: Word<'a>, base| {
            let written = Form::of(word, base);
            if let Some(leads_to) = magic(&written) {
                readings.push(Reading::plain(weight, leads_to));
                readings.push(Reading::plain(Weight::Spelling, written));
            } else if let Some(paths) = expanded(&written, places) {
                readings.extend(paths.into_iter().map(|path| {
                    Reading::new(weight, Word::EMPTY, None, Form::known(Cow::Owned(path)), follow, places)
                }));
            } else {
                readings.push(Reading::new(weight, word, base, written, follow, places));
            }
        };
        let text = unit.word.known();
        match unit.word.known_prefix().strip_prefix('~') {
            Some(rest) => {
                match (text, places.home) {
                    (Some(_), Some(home)) if rest.is_empty() => read(Weight::Exact, Word::Text(home), None),
                    (Some(_), Some(home)) if rest.starts_with('/') => {
                        // The rest is absolute in form: below the home folder it is relative.
                        read(Weight::Exact, Word::Text(rest.trim_start_matches('/')), Some(home));
                    }
                    _ => read(Weight::Exact, ANYTHING, None),
                }
                read(Weight::Exact, unit.word, places.cwd);
            }
            None => read(Weight::Exact, unit.word, places.cwd),
        }
        let lossy = match text {
            Some(text) => lossy(text, places.cwd),
            None => unknown_lossy(unit.word),
        };
        if let Some(lossy) = lossy {
            readings.push(Reading::plain(Weight::Lossy, lossy));
        }
        if unit.recursive
            && let Some(folder) = readings.first().and_then(|reading| reading.written.starred_folder())
        {
            readings.push(Reading::plain(Weight::Against, folder));
        }
        let is_workspace = places.workspace.is_some_and(|workspace| {
            let workspace = normal(workspace);
            let resolved = places.files.present().then(|| resolved(&workspace, places.files, true)).flatten();
            readings
                .iter()
                .flat_map(Reading::forms)
                .filter_map(Form::text)
                .any(|text| text == workspace || resolved.as_ref().is_some_and(|resolved| text == resolved.path))
        });
        Self { unit, readings, is_workspace }
    }
}

impl<'a> Reading<'a> {
    fn plain(weight: Weight, written: Form<'a>) -> Self {
        Self { weight, written, resolved: None, stages: Vec::new() }
    }

    fn new(
        weight: Weight,
        word: Word<'a>,
        base: Option<&'a str>,
        written: Form<'a>,
        follow: bool,
        places: &Places<'_>,
    ) -> Self {
        let mut reading = Self::plain(weight, written);
        if !places.files.present() {
            return reading;
        }
        // `..` behind a link climbs from where the link leads: the text itself is resolved.
        let text = match (word.known(), base) {
            (Some(text), _) if text.starts_with('/') => Cow::Borrowed(text),
            (Some(text), Some(base)) if !text.is_empty() => Cow::Owned(format!("{base}/{text}")),
            _ => match reading.written.beginning.clone() {
                Some(beginning) => beginning,
                None => return reading,
            },
        };
        let known = reading.written.is_known();
        match resolved(&text, places.files, follow || !known) {
            None => reading.resolved = Some(None),
            Some(found) => {
                let written = reading.written.clone();
                let form = |path| if known { Form::known(Cow::Owned(path)) } else { written.with_beginning(path) };
                reading.stages = found.stages.into_iter().map(|(length, path)| (length, form(path))).collect();
                if Some(found.path.as_str()) != written.beginning.as_deref() {
                    reading.resolved = Some(Some(form(found.path)));
                }
            }
        }
        reading
    }

    /// Its forms, as far as they are known.
    pub(super) fn forms(&self) -> impl Iterator<Item = &Form<'a>> {
        std::iter::once(&self.written).chain(self.resolved.iter().flatten())
    }
}

/// At most this many names of a folder are looked at for a glob, and so many paths come of one.
const MAX_NAMES: usize = 4096;
const MAX_PATHS: usize = 256;

/// What the globs of `form` become on the file system. `None`: it has other unknown parts, nothing
/// is known of a folder, nothing fits (what fits may come to be), or there is too much.
fn expanded(form: &Form<'_>, places: &Places<'_>) -> Option<Vec<String>> {
    // Ranges follow the locale, and groups the shell's options: what they take is not sure.
    let sure = |piece: &Piece<'_>| match piece {
        Piece::Text(_) => true,
        Piece::Glob(pattern) => !pattern.contains(['-', '(', ':', '^', '~', '#', '<', '\\']),
        Piece::Unknown(_) => false,
    };
    let globbed = |pieces: &[Piece<'_>]| pieces.iter().all(sure);
    let all = form.tail.iter().all(|part| match part {
        Part::Name(_) => true,
        Part::Wild(pieces) => globbed(pieces),
        Part::Deep => false,
    });
    // `D/*` counts as D as well: it stays as it is.
    if form.is_known() || !all || !places.files.present() || form.starred_folder().is_some() {
        return None;
    }
    let mut paths = vec![form.known.clone().into_owned()];
    for part in &form.tail {
        let mut next = Vec::new();
        for path in &paths {
            match part {
                Part::Name(name) => {
                    next.extend(Some(format!("{path}/{name}")).filter(|path| places.files.kind(path).is_some()));
                }
                Part::Wild(pieces) => {
                    let folder = if path.is_empty() { "/" } else { path };
                    let names = places.files.names(folder, MAX_NAMES).unwrap_or_default();
                    let fits = |name: &&String| may_be_name(pieces, name);
                    next.extend(names.iter().filter(fits).map(|name| format!("{path}/{name}")));
                }
                Part::Deep => return None,
            }
        }
        paths = next;
        if paths.is_empty() || paths.len() > MAX_PATHS {
            return None;
        }
    }
    Some(paths)
}

/// A word of which nothing is known.
const ANYTHING: Word<'static> = Word::Pieces(&[Piece::Unknown(shell_parser::Unknown {
    shape: shell_parser::Shape::Any,
    origin: shell_parser::Origin::Found,
    splits: false,
})]);

/// Where a path below `/proc/*/{cwd,root,fd}` or `/dev/fd` leads: these are the script's, not ours.
fn magic<'a>(form: &Form<'a>) -> Option<Form<'a>> {
    let rest = if let Some(rest) = below(&form.known, "/dev/fd") {
        (!rest.is_empty()).then_some(rest)?;
        rest
    } else {
        let (process, mut rest) = below(&form.known, "/proc")?.split_once('/')?;
        if !matches!(process, "self" | "thread-self") && !process.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        if let Some((_, inner)) = rest.strip_prefix("task/").and_then(|task| task.split_once('/')) {
            rest = inner;
        }
        let (name, inner) = rest.split_once('/').unwrap_or((rest, ""));
        match name {
            // The root of the file system, unless the process changed it.
            "root" if process != "self" && process != "thread-self" => inner,
            "root" => return Some(form.with_known(prefixed(inner))),
            "cwd" => inner,
            "fd" if !inner.is_empty() => inner,
            _ => return None,
        }
    };
    let mut leads_to = Form::unknown();
    let names = rest.split('/').filter(|name| !name.is_empty());
    leads_to.tail.extend(names.map(|name| Part::Name(Cow::Owned(name.to_owned()))));
    leads_to.tail.extend(form.tail.iter().cloned());
    Some(leads_to)
}

fn prefixed(names: &str) -> String {
    if names.is_empty() { String::new() } else { format!("/{names}") }
}

/// The path as read where `\` is a slash and `X:` a drive; `None`: the same.
fn lossy<'a>(text: &str, base: Option<&str>) -> Option<Form<'a>> {
    let slashed = text.replace('\\', "/");
    let drive_of_any = slashed.split('/').find_map(drive);
    if drive_of_any.is_none() && slashed == text {
        return None;
    }
    let mut current = if slashed.starts_with('/') { String::new() } else { normal(base?).into_owned() };
    let mut on = None;
    for name in slashed.split('/') {
        if let Some(letter) = drive(name) {
            on = Some(letter);
            current.clear();
        } else {
            push(&mut current, name);
        }
    }
    let form = Form::known(Cow::Owned(current));
    Some(if let Some(drive) = on { form.on_drive(drive) } else { form })
}

/// The same for a path that is not wholly known: it may lead anywhere.
fn unknown_lossy<'a>(word: Word<'a>) -> Option<Form<'a>> {
    let slashed = |piece| matches!(piece, Piece::Text(text) if text.contains('\\'));
    let drive = word.known_prefix().split(['/', '\\']).find_map(drive);
    match drive {
        Some(drive) => Some(Form::unknown().on_drive(drive).with_root()),
        None => word.pieces().any(slashed).then(Form::unknown),
    }
}

/// The drive that a component names; lower case.
fn drive(name: &str) -> Option<char> {
    match *name.as_bytes() {
        [letter, b':'] if letter.is_ascii_alphabetic() => Some(char::from(letter.to_ascii_lowercase())),
        _ => None,
    }
}
