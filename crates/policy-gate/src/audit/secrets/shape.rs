//! Shapes of secrets: the ones that a text shows by itself.

use std::sync::OnceLock;

use regex::{Captures, Regex};
use serde::Deserialize;

use super::name::is_secret_name;

/// `shapes.toml`.
#[derive(Deserialize)]
struct Shapes {
    /// What `VALUE` stands for in patterns.
    value: String,
    shape: Vec<Shape>,
}

#[derive(Deserialize)]
struct Shape {
    /// Finds the name in front of the secret.
    behind: Option<String>,
    /// Finds the secret; behind a name, only right there.
    pattern: String,
    /// The fewest bytes of what is taken for a secret.
    #[serde(default)]
    least: usize,
    /// What is found so is no secret.
    except: Option<String>,
}

/// A shape, compiled.
struct Compiled {
    behind: Option<Regex>,
    pattern: Regex,
    least: usize,
    except: Option<Regex>,
}

impl Compiled {
    /// Adds the secrets of a text.
    fn find<'t>(&self, text: &'t str, found: &mut Vec<(usize, &'t str)>) {
        let Some(behind) = &self.behind else {
            for captures in self.pattern.captures_iter(text) {
                self.add(&captures, 0, found);
            }
            return;
        };
        let mut at = 0;
        while let Some(captures) = behind.captures_at(text, at) {
            let (Some(whole), Some(name)) = (captures.get(0), captures.name("n")) else { break };
            // The name may itself be the value of the next.
            at = name.end();
            if is_secret_name(name.as_str())
                && let Some(captures) = text.get(whole.end()..).and_then(|rest| self.pattern.captures(rest))
                && let Some(read) = self.add(&captures, whole.end(), found)
            {
                at = whole.end() + read;
            }
        }
    }

    /// Adds the secret that was found in the text from `base` on; its end, `None` where it is none.
    fn add<'t>(&self, captures: &Captures<'t>, base: usize, found: &mut Vec<(usize, &'t str)>) -> Option<usize> {
        let secret = captures.name("s").or_else(|| captures.get(0))?;
        let is_excepted = self.except.as_ref().is_some_and(|except| except.is_match(secret.as_str()));
        if secret.len() < self.least || is_excepted {
            return None;
        }
        found.push((base + secret.start(), secret.as_str()));
        Some(secret.end())
    }
}

/// The shapes of `shapes.toml`, compiled when the first record is made. `None`: they do not compile, which a test
/// rules out.
fn shapes() -> Option<&'static [Compiled]> {
    static SHAPES: OnceLock<Option<Vec<Compiled>>> = OnceLock::new();
    let compiled = || {
        let shapes: Shapes = toml::from_str(include_str!("shapes.toml")).ok()?;
        let compile = |shape: &Shape| {
            let pattern = Regex::new(&shape.pattern.replace("VALUE", &shapes.value)).ok()?;
            let regex = |pattern: &Option<String>| pattern.as_deref().map(Regex::new).transpose().ok();
            Some(Compiled { behind: regex(&shape.behind)?, pattern, least: shape.least, except: regex(&shape.except)? })
        };
        shapes.shape.iter().map(compile).collect()
    };
    SHAPES.get_or_init(compiled).as_deref()
}

/// The secrets of a text that show themselves, each with its offset. `None`: nothing can be said.
pub(crate) fn shown_secrets(text: &str) -> Option<Vec<(usize, &str)>> {
    let mut found = Vec::new();
    for shape in shapes()? {
        shape.find(text, &mut found);
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shapes_compile_and_each_names_its_source() {
        let table: toml::Table = toml::from_str(include_str!("shapes.toml")).unwrap();
        let rows = table["shape"].as_array().unwrap();
        for shape in rows {
            let pattern = shape["pattern"].as_str().unwrap().replace("VALUE", table["value"].as_str().unwrap());
            for pattern in [Some(pattern.as_str()), shape.get("behind").and_then(|behind| behind.as_str())] {
                let compiled = pattern.map(Regex::new).transpose();
                assert!(compiled.is_ok(), "{}: {compiled:?}", shape["name"]);
            }
            assert!(shape["source"].as_str().unwrap().len() >= 8 && !shape["name"].as_str().unwrap().is_empty());
        }
        assert_eq!(shapes().unwrap().len(), rows.len());
        assert!(rows.len() >= 25);
    }
}
