//! `policyctl layers`: what is in force, from where, and what is overruled.

use std::io::{self, Write as _};
use std::path::Path;

use policy_matcher::policy::{Layer, RuleEffect};
use policy_matcher::{LayerFile, Overview, Policies};
use serde::Serialize;

use crate::cli::{self, Format};
use crate::context::Surroundings;
use crate::failure::Failure;
use crate::policies::{Folders, Loaded, Sources};
use policy_gate::Visible;

/// The JSON of an answer.
#[derive(Serialize)]
struct Report {
    layers: Vec<LayerFact>,
    #[serde(flatten)]
    overview: Overview,
    digest: String,
}

#[derive(Serialize)]
struct LayerFact {
    layer: Layer,
    /// Where its files are looked for.
    place: Option<String>,
    files: Vec<FileFact>,
    /// `file:line:column: what is wrong`.
    problems: Vec<String>,
    /// Why no record of trust counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    store_refused: Option<String>,
}

#[derive(Serialize)]
struct FileFact {
    file: String,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    trusted: Option<bool>,
    deny: usize,
    ask: usize,
    allow: usize,
    digest: String,
}

/// Shows the layers of calls made where `arguments` say.
///
/// # Errors
/// Where a policy that the run names cannot be read, or the answer cannot be written.
pub fn run(arguments: &cli::Layers) -> Result<u8, Failure> {
    let folders = Folders::of(&Surroundings::new(&arguments.place)?);
    let named = &arguments.policies.names;
    let loaded = Loaded::in_force(named, &folders)?;
    let problems: Vec<(Layer, String)> =
        loaded.problems.iter().map(|(layer, problem)| (*layer, loaded.sources.line_of(problem))).collect();
    let (layers, _): (_, Sources) = loaded.layers(false)?;
    let overview = layers.overview();
    let mut facts = Vec::new();
    for layer in Layer::ALL {
        let files: Vec<FileFact> = layers.files.iter().filter(|file| file.layer == layer).map(file_fact).collect();
        let problems: Vec<String> =
            problems.iter().filter(|(of, _)| *of == layer).map(|(_, line)| line.clone()).collect();
        let folder = match layer {
            Layer::Admin => Some(folders.admin.as_path()),
            Layer::User => folders.user.as_deref().filter(|_| named.is_empty()),
            Layer::Project => folders.project.as_deref().filter(|_| named.is_empty()),
            Layer::Base => None,
        };
        let store = (layer == Layer::Project && !files.is_empty()).then(|| folders.store()).flatten();
        let store_refused = store.and_then(|store| store.refused);
        if layer == Layer::Base && files.is_empty() {
            continue;
        }
        let place = folder.map(|folder| folder.display().to_string());
        facts.push(LayerFact { layer, place, files, problems, store_refused });
    }
    let report = Report { layers: facts, overview, digest: Policies::of_layers(layers).digest().to_owned() };
    let text = match arguments.output.format {
        Format::Json => serde_json::to_string(&report).map_err(io::Error::from)? + "\n",
        Format::Human => human(&report),
    };
    let mut output = io::stdout().lock();
    output.write_all(text.as_bytes())?;
    output.flush()?;
    Ok(0)
}

fn file_fact(file: &LayerFile) -> FileFact {
    let count = |effect: RuleEffect| file.policy.rules.iter().filter(|rule| rule.effect == effect).count();
    FileFact {
        file: file.policy.file.clone(),
        path: file.path.clone(),
        trusted: (file.layer == Layer::Project).then_some(file.trusted),
        deny: count(RuleEffect::Deny),
        ask: count(RuleEffect::Ask),
        allow: count(RuleEffect::Allow),
        digest: file.policy.digest.clone(),
    }
}

fn human(report: &Report) -> String {
    let mut text = String::new();
    for LayerFact { layer, place, files, problems, store_refused } in &report.layers {
        let place = place.as_deref().map(|place| format!("  {}", Visible::line(place))).unwrap_or_default();
        let none = if files.is_empty() && problems.is_empty() { "  (none)" } else { "" };
        text += &format!("{}{place}{none}\n", layer.name());
        for file in files {
            let trust = match file.trusted {
                None => "",
                Some(true) => ", trusted",
                Some(false) => ", not trusted",
            };
            let FileFact { file, path, deny, ask, allow, .. } = file;
            let shown = if Path::new(path).is_absolute() { file } else { path };
            text += &format!("  {}  deny {deny}, ask {ask}, allow {allow}{trust}\n", Visible::line(shown));
        }
        for problem in problems {
            text += &format!("  error: {}\n", Visible::line(problem));
        }
        if let Some(reason) = store_refused {
            text += &format!("  no record of trust counts: {}\n", Visible::line(reason));
        }
    }
    text += "defaults\n";
    for default in &report.overview.defaults {
        let by = default.by.map_or("not stated", Layer::name);
        text += &format!("  {} = \"{}\"  {by}\n", default.key, default.value);
        for other in &default.overruled {
            text += &format!("    not \"{}\"  {}\n", other.value, Visible::line(&other.file));
        }
    }
    if !report.overview.overruled.is_empty() {
        text += "overruled\n";
    }
    for one in &report.overview.overruled {
        text += &format!("  {}: {}: {}\n", Visible::line(&one.file), Visible::line(&one.what), one.why);
    }
    if !report.overview.self_protection {
        text += "self-protection is off\n";
    }
    text
}
