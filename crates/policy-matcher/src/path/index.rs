//! Rules by the beginnings and last names of the paths that they speak of.
//!
//! With thousands of rules most speak of places where a path is not. A path that has one plain
//! reading is looked up by its ancestors and its last name; only rules found so are held against it.

use std::collections::HashMap;

use super::Places;
use super::form::{below, normal};
use super::normal::{NormalPath, Weight};
use crate::pattern::PathGlob;
use crate::pattern::path_glob::{Alternative, Anchor, Component, PathPattern};
use crate::policy::PathCondition;

/// Rules by where their patterns begin.
#[derive(Debug, Default)]
pub(crate) struct PathIndex {
    /// By anchor, then by the fixed beginning in lower case.
    beginnings: HashMap<(Anchor, String), Vec<u32>>,
    /// The length of the longest of these beginnings.
    longest: usize,
    /// By the last name in lower case: patterns that begin anywhere.
    names: HashMap<String, Vec<u32>>,
    /// Rules that any path has to be held against.
    others: Vec<u32>,
}

/// What a pattern is found by.
enum Key {
    Beginning(Anchor, String),
    Name(String),
}

impl PathIndex {
    /// Adds a rule that speaks of paths that satisfy any of `conditions`, in ascending order of numbers.
    pub(crate) fn add(&mut self, number: u32, conditions: &[PathCondition]) {
        let keys: Option<Vec<Vec<Key>>> = conditions.iter().map(condition_keys).collect();
        let Some(keys) = keys.filter(|keys| !keys.is_empty()) else {
            self.others.push(number);
            return;
        };
        for key in keys.into_iter().flatten() {
            let rules = match key {
                Key::Beginning(anchor, text) => {
                    self.longest = self.longest.max(text.len());
                    self.beginnings.entry((anchor, text)).or_default()
                }
                Key::Name(name) => self.names.entry(name).or_default(),
            };
            if rules.last() != Some(&number) {
                rules.push(number);
            }
        }
    }

    /// The rules that may speak of `path`, in order; `None`: any of them may.
    pub(crate) fn rules_of(&self, path: &NormalPath<'_>, places: &Places<'_>) -> Option<Vec<u32>> {
        // Where there is a file system, a pattern's beginning may be a link to any place.
        if places.files.present() {
            return None;
        }
        let path = plain(path)?.to_ascii_lowercase();
        let mut rules = self.others.clone();
        let mut look_up = |anchor: Anchor, folder: &str| {
            let folder = normal(folder).to_ascii_lowercase();
            let Some(rest) = below(&path, &folder) else { return };
            let rest = path.get(path.len() - rest.len()..).unwrap_or_default();
            let rest = if rest.is_empty() { String::new() } else { format!("/{rest}") };
            let ends = rest.match_indices('/').map(|(at, _)| at).chain([rest.len()]);
            let ends = ends.take_while(|end| *end <= self.longest);
            for beginning in ends.filter_map(|end| rest.get(..end)) {
                rules.extend(self.beginnings.get(&(anchor, beginning.to_owned())).into_iter().flatten());
            }
        };
        look_up(Anchor::Root, "");
        // A place that is not known makes all that speaks of it possible.
        look_up(Anchor::Home, places.home?);
        look_up(Anchor::Workspace, places.workspace?);
        look_up(Anchor::Directory, places.cwd?);
        if places.temporary.is_empty() {
            return None;
        }
        places.temporary.iter().for_each(|folder| look_up(Anchor::Temporary, folder));
        rules.extend(path.rsplit('/').next().and_then(|name| self.names.get(name)).into_iter().flatten());
        rules.sort_unstable();
        rules.dedup();
        Some(rules)
    }
}

/// The path, where it has one reading, known and of ASCII, and nothing below it is meant.
fn plain<'p>(path: &'p NormalPath<'_>) -> Option<&'p str> {
    let [reading] = path.readings.as_slice() else { return None };
    let plain = reading.weight == Weight::Exact
        && reading.resolved.is_none()
        && reading.stages.is_empty()
        && reading.written.drive.is_none()
        && !path.unit.recursive;
    reading.written.text().filter(|text| plain && text.is_ascii())
}

/// What the patterns of one of the condition's lists, all of which must hold, are found by.
fn condition_keys(condition: &PathCondition) -> Option<Vec<Key>> {
    let lists = [(&condition.equals, false), (&condition.glob, false), (&condition.inside, true)];
    lists.into_iter().filter(|(globs, _)| !globs.is_empty()).find_map(|(globs, inside)| {
        let keys: Option<Vec<Vec<Key>>> = globs.iter().map(|glob| glob_keys(glob, inside)).collect();
        keys.map(|keys| keys.into_iter().flatten().collect())
    })
}

fn glob_keys(glob: &PathGlob, inside: bool) -> Option<Vec<Key>> {
    let PathPattern { alternatives } = glob.pattern()?;
    alternatives.iter().map(|alternative| key(alternative, inside)).collect()
}

/// What one alternative is found by: its fixed beginning, or else its last name. Beyond ASCII more
/// is alike than case.
fn key(alternative: &Alternative, inside: bool) -> Option<Key> {
    let Alternative { anchor, components, fixed } = alternative;
    let text = |component: &Component| match component {
        Component::Name(name) => name.text.as_deref().filter(|text| text.is_ascii()).map(str::to_ascii_lowercase),
        Component::Any => None,
    };
    if matches!(anchor, Anchor::Drive(_)) {
        return None;
    }
    if *fixed > 0 || *anchor != Anchor::Root {
        let mut beginning = String::new();
        for component in components.iter().take(*fixed) {
            beginning.push('/');
            beginning.push_str(&text(component)?);
        }
        return Some(Key::Beginning(*anchor, beginning));
    }
    components.last().filter(|_| !inside).and_then(text).map(Key::Name)
}

#[cfg(test)]
mod tests {
    use shell_parser::{NoFiles, Word};

    use super::*;
    use crate::Direction;
    use crate::path::{PathUnit, path_held};
    use crate::{Held, Truth};

    /// Every rule that matches is found, whatever its pattern and the path.
    #[test]
    fn no_rule_that_matches_is_left_out() {
        let globs = [
            "/etc/**",
            "/ETC/passwd",
            "/*",
            "/",
            "~/.ssh/*",
            "~",
            "$workspace/**",
            "$cwd/x",
            "$tmp/**",
            "**/.env",
            "**/a/**",
            "**/*.pem",
            "/etc/pass*",
            "C:/x",
            "/{etc,usr}/b",
            "/srv/é",
            "**/é",
            "/home/user/project/src/*",
        ];
        let paths = [
            "/",
            "/etc",
            "/etc/passwd",
            "/Etc/Passwd",
            "/home/user",
            "/home/user/.ssh/id",
            "/home/user/project/x",
            "/tmp/y",
            "/TMP/y",
            "/a/.ENV",
            "/q/a/z",
            "/k.pem",
            "/usr/b",
            "/srv/e\u{301}",
            "/srv/É",
            "/x/é",
            "relative",
            "~/.ssh/id",
            "\\etc\\passwd",
            "c:/x",
            "/c:/x",
            "/home/user/project/src/m.rs",
            "/etc/../srv",
            "/dev/fd/3",
            "/ｅtc/passwd",
        ];
        let mut places = Places::new(&NoFiles);
        (places.home, places.workspace) = (Some("/home/user"), Some("/home/user/project"));
        (places.cwd, places.temporary) = (Some("/home/user/project"), &["/tmp"]);
        let (mut matched, mut left_out) = (0, 0);
        for inside in [false, true] {
            let conditions: Vec<PathCondition> = globs
                .iter()
                .map(|glob| {
                    let globs = vec![PathGlob::new(glob).unwrap()];
                    let none = PathCondition::default();
                    if inside { PathCondition { inside: globs, ..none } } else { PathCondition { glob: globs, ..none } }
                })
                .collect();
            let mut index = PathIndex::default();
            for (number, condition) in (0..).zip(&conditions) {
                index.add(number, std::slice::from_ref(condition));
            }
            for recursive in [false, true] {
                for path in paths {
                    let unit = PathUnit { recursive, ..PathUnit::new(Word::Text(path)) };
                    let path = NormalPath::new(unit, &places);
                    let Some(found) = index.rules_of(&path, &places) else { continue };
                    for (number, condition) in (0..).zip(&conditions) {
                        let held: Held = path_held(condition, &path, Direction::Tightening, false, &places);
                        let holds = held.truth != Truth::No;
                        matched += usize::from(holds);
                        left_out += usize::from(!found.contains(&number));
                        assert!(!holds || found.contains(&number), "{:?} {:?}", condition, path.unit.word);
                    }
                }
            }
        }
        assert!(matched > 30 && left_out > 200, "{matched} {left_out}");
    }
}
