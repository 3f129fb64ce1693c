//! Layers: whose policy files are in force, and what each may say.
//!
//! Deny and ask rules of all add up. What loosens (allow rules, defaults, tools) counts against the defaults of one's own
//! layer and of weaker ones, and against those of a stronger layer only where that admits it; what an untrusted project
//! says loosens nothing.

mod overview;

use sha2::{Digest as _, Sha256};

pub use self::overview::{DefaultInForce, Overruled, Overview, StatedElsewhere};
use crate::policy::{Defaults, Layer, Policy, StatedDefaults, Verdict};

/// The policies in force.
#[derive(Clone, Debug, Default)]
pub struct Layers {
    /// The files, in any order of layers; in each layer in the order in which they count.
    pub files: Vec<LayerFile>,
    /// What could not be loaded.
    pub broken: Vec<Broken>,
    /// What the engine itself forbids: its rules decide with the cause `self`.
    pub protection: Option<Policy>,
}

/// One policy file of a layer.
#[derive(Clone, Debug)]
pub struct LayerFile {
    /// The layer.
    pub layer: Layer,
    /// Whether what it says may loosen; means something in project files only.
    pub trusted: bool,
    /// Where it lies, links followed; `builtin:NAME` for one that ships.
    pub path: String,
    /// What it says.
    pub policy: Policy,
}

/// A part of a layer that could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The layer.
    pub layer: Layer,
    /// `file:line:column: what is wrong`, of the first fault.
    pub message: String,
}

impl Layers {
    /// Policies that a run names: the user layer.
    #[must_use]
    pub fn user(policies: Vec<Policy>) -> Self {
        let file = |policy: Policy| LayerFile { layer: Layer::User, trusted: true, path: policy.file.clone(), policy };
        Self { files: policies.into_iter().map(file).collect(), ..Self::default() }
    }
}

/// How much a file may say, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Standing {
    Admin,
    User,
    Base,
    Project,
    /// A project's file that nobody trusts.
    Untrusted,
}

/// How many there are.
const STANDINGS: usize = 5;

impl Standing {
    const ALL: [Self; STANDINGS] = [Self::Admin, Self::User, Self::Base, Self::Project, Self::Untrusted];

    /// The standing of a file.
    pub const fn of(layer: Layer, trusted: bool) -> Self {
        match layer {
            Layer::Admin => Self::Admin,
            Layer::User => Self::User,
            Layer::Base => Self::Base,
            Layer::Project if trusted => Self::Project,
            Layer::Project => Self::Untrusted,
        }
    }

    /// The layer.
    pub const fn layer(self) -> Layer {
        match self {
            Self::Admin => Layer::Admin,
            Self::User => Layer::User,
            Self::Base => Layer::Base,
            Self::Project | Self::Untrusted => Layer::Project,
        }
    }
}

/// A set of standings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Standings(u8);

impl Standings {
    /// That one.
    pub const fn only(one: Standing) -> Self {
        Self(1 << one as u8)
    }

    /// That one and all that are stronger.
    const fn up_to(one: Standing) -> Self {
        Self((1 << (one as u8 + 1)) - 1)
    }

    /// Those of either.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those of both.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Whether one is in both.
    pub const fn meets(self, other: Self) -> bool {
        self.and(other).0 != 0
    }
}

/// One statement of what a unit without cover comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NoRule {
    /// What it comes to.
    pub verdict: Verdict,
    /// Whose rules count against it.
    pub admits: Standings,
    /// Whose statement it is; `None`: the language's own.
    pub by: Option<Standing>,
}

/// What each standing states of `no_rule`.
pub(crate) type NoRules = [Option<Verdict>; STANDINGS];

/// Keeps the strictest statement of a standing.
pub(crate) fn state(rules: &mut NoRules, standing: Standing, verdict: Option<Verdict>) {
    if let Some(known) = rules.get_mut(standing as usize) {
        *known = (*known).max(verdict);
    }
}

/// What holds where no rule decides, and whose rules count against it.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    /// `[defaults]` of all layers together.
    pub defaults: Defaults,
    no_rule: NoRules,
    admits: [Standings; STANDINGS],
}

impl Ground {
    /// From the files in force.
    pub fn new<'p>(files: impl Iterator<Item = (Standing, &'p Policy)> + Clone) -> Self {
        let mut stated = StatedDefaults::default();
        let mut untrusted = StatedDefaults::default();
        let mut no_rule = NoRules::default();
        for (standing, policy) in files.clone() {
            let sum = if standing == Standing::Untrusted { &mut untrusted } else { &mut stated };
            *sum = sum.stricter(policy.defaults);
            state(&mut no_rule, standing, policy.defaults.no_rule);
        }
        let admits = Standing::ALL.map(|standing| {
            let of_layer = files.clone().filter(|(other, _)| *other == standing);
            Standings::up_to(standing).with(admitted(standing, of_layer.map(|(_, policy)| policy)))
        });
        Self { defaults: Defaults::of(stated).tightened(untrusted), no_rule, admits }
    }

    /// What a unit of a tool without cover comes to, the strictest first; `of_tool` is what its declarations state.
    pub fn no_rules(&self, of_tool: &NoRules) -> Vec<NoRule> {
        let mut rules = Vec::with_capacity(STANDINGS);
        for (standing, ((own, general), admits)) in
            Standing::ALL.into_iter().zip(of_tool.iter().zip(&self.no_rule).zip(&self.admits))
        {
            if let Some(verdict) = own.or(*general) {
                rules.push(NoRule { verdict, admits: *admits, by: Some(standing) });
            }
        }
        if rules.iter().all(|rule| rule.by == Some(Standing::Untrusted)) {
            let admits = Standings::up_to(Standing::Project);
            rules.insert(0, NoRule { verdict: Defaults::default().no_rule, admits, by: None });
        }
        rules.sort_by_key(|rule| std::cmp::Reverse(rule.verdict));
        rules
    }
}

/// The weaker standings whose rules count against the defaults of a standing: those that all its files admit that say so.
fn admitted<'p>(standing: Standing, files: impl Iterator<Item = &'p Policy>) -> Standings {
    let set = |layers: &[Layer]| {
        layers
            .iter()
            .map(|layer| Standings::only(Standing::of(*layer, true)))
            .fold(Standings::default(), Standings::with)
    };
    let stated = files.filter_map(|policy| policy.allow_from.as_deref()).map(set).reduce(Standings::and);
    stated.unwrap_or(match standing {
        Standing::Admin => Standings::only(Standing::User),
        // The shipped policy stands in for one that its user would write.
        Standing::Base => Standings::only(Standing::Project),
        Standing::User | Standing::Project | Standing::Untrusted => Standings::default(),
    })
}

/// `sha256:` and the digest of the engine's version and, in order, trust, place and content of every file.
pub(crate) fn digest(files: &[LayerFile]) -> String {
    use std::fmt::Write as _;
    let mut hasher = Sha256::new();
    let mut part = |text: &str| {
        hasher.update((text.len() as u64).to_le_bytes());
        hasher.update(text);
    };
    part(env!("CARGO_PKG_VERSION"));
    for file in files {
        part(file.layer.name());
        part(if file.layer == Layer::Project && !file.trusted { "untrusted" } else { "trusted" });
        part(&file.path);
        // The digest of the content, with which the engine's version went in too.
        part(&file.policy.digest);
    }
    let mut digest = String::from("sha256:");
    for byte in hasher.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(digest, "{byte:02x}");
    }
    digest
}
