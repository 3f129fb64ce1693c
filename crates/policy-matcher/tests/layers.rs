//! Layers: what policy files of different trust come to together (`layers.toml`, and what a table of verdicts cannot show).
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests fail by panicking")]

use std::collections::BTreeSet;

use policy_matcher::decision::{Cause, Decision};
use policy_matcher::policy::{Layer, Policy, Tool, Verdict};
use policy_matcher::{
    Broken, Call, Code, Context, File, Json, LayerFile, Layers, Policies, Surroundings, policies_from_toml,
};
use shell_parser::NoFiles;

/// A file of a layer: `admin`, `user`, `base`, `project` (untrusted) or `trusted` (a trusted project's), and its text.
type Text<'t> = (&'t str, &'t str);

fn layer(name: &str) -> Layer {
    Layer::ALL
        .into_iter()
        .find(|layer| layer.name() == name)
        .unwrap_or_else(|| if name == "trusted" { Layer::Project } else { panic!("no layer {name}") })
}

/// The policies of a text, read as one of its layer below `tools`.
fn policy(name: &str, text: &str, tools: &[Tool]) -> Policy {
    let text = format!("version = 1\n{text}");
    let surroundings = Surroundings { tools, of: Some(layer(name)), ..Surroundings::default() };
    let file = format!("{name}.toml");
    match policies_from_toml(&[File { name: &file, text: &text }], &surroundings).pop().unwrap() {
        Ok(policy) => policy,
        Err(problems) => panic!("{text}\n{problems:#?}"),
    }
}

fn layers(texts: &[Text<'_>]) -> Layers {
    let mut layers = Layers::default();
    let mut tools = Vec::new();
    for (name, text) in texts {
        let policy = policy(name, text, &tools);
        tools.extend(policy.tools.iter().cloned());
        let path = format!("/{name}/{}.toml", layers.files.len());
        layers.files.push(LayerFile { layer: layer(name), trusted: *name != "project", path, policy });
    }
    layers
}

fn context() -> Context {
    Context {
        workspace: Some("/w".to_owned()),
        cwd: Some("/w".to_owned()),
        home: Some("/h".to_owned()),
        temporary: vec!["/tmp".to_owned()],
        ..Context::default()
    }
}

/// The decision on `command`; what begins with `TOOL:` is a call of that tool.
fn decision(policies: &Policies, command: &str) -> Decision {
    let (tool, command) = match command.split_once(": ") {
        Some((tool, command)) => (tool, command),
        None => ("bash", command),
    };
    let arguments = Json::Object(vec![("command".to_owned(), Json::String(command.to_owned()))]);
    let call = Call { id: None, tool: tool.to_owned(), arguments, context: None };
    policies.decision(&call, &context(), &NoFiles)
}

fn verdict(decision: &Decision) -> &'static str {
    match decision.decision {
        Verdict::Allow => "allow",
        Verdict::Ask => "ask",
        Verdict::Deny => "deny",
    }
}

/// One case of `layers.toml`.
#[derive(Debug)]
struct Case {
    name: String,
    files: Vec<(String, String)>,
    rows: Vec<(String, String)>,
}

fn cases() -> Vec<Case> {
    let table: toml::Table = include_str!("layers.toml").parse().unwrap();
    let cases = table["case"].as_array().unwrap().iter();
    let text = |value: &toml::Value| value.as_str().unwrap().to_owned();
    cases
        .map(|case| Case {
            name: text(&case["name"]),
            files: case["files"].as_array().unwrap().iter().map(|file| (text(&file[0]), text(&file[1]))).collect(),
            rows: case["rows"]
                .as_str()
                .unwrap()
                .lines()
                .map(|row| row.split_once(' ').unwrap())
                .map(|(verdict, command)| (verdict.to_owned(), command.trim_start().to_owned()))
                .collect(),
        })
        .collect()
}

fn texts(case: &Case) -> Vec<Text<'_>> {
    case.files.iter().map(|(layer, text)| (layer.as_str(), text.as_str())).collect()
}

#[test]
fn layers_are_judged_together() {
    let cases = cases();
    assert!(cases.len() >= 30, "{} cases", cases.len());
    let mut wrong = String::new();
    for case in &cases {
        let policies = Policies::of_layers(layers(&texts(case)));
        for (expected, command) in &case.rows {
            let decision = decision(&policies, command);
            if verdict(&decision) != expected {
                wrong +=
                    &format!("{}: {command}: {}, not {expected}: {}\n", case.name, verdict(&decision), decision.reason);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What an untrusted project says makes no verdict milder, whatever the layers above it say.
#[test]
fn an_untrusted_project_changes_nothing_downward() {
    let cases = cases();
    let commands: BTreeSet<&str> =
        cases.iter().flat_map(|case| &case.rows).map(|(_, command)| command.as_str()).collect();
    let projects: Vec<&str> = cases
        .iter()
        .flat_map(|case| &case.files)
        .filter(|(layer, _)| layer == "project" || layer == "trusted")
        .map(|(_, text)| text.as_str())
        .collect();
    assert!(projects.len() >= 12, "{} project files", projects.len());
    let mut compared = 0;
    for case in &cases {
        let above: Vec<Text<'_>> =
            texts(case).into_iter().filter(|(layer, _)| !matches!(*layer, "project" | "trusted")).collect();
        let before = Policies::of_layers(layers(&above));
        let before: Vec<Decision> = commands.iter().map(|command| decision(&before, command)).collect();
        for project in &projects {
            let texts: Vec<Text<'_>> = above.iter().copied().chain([("project", *project)]).collect();
            let after = Policies::of_layers(layers(&texts));
            for (command, before) in commands.iter().zip(&before) {
                let after = decision(&after, command);
                assert!(
                    after.decision >= before.decision,
                    "{texts:#?}\n{command}: {} became {}",
                    verdict(before),
                    verdict(&after)
                );
                compared += 1;
            }
        }
    }
    assert!(compared >= 10_000, "{compared} comparisons");
}

/// The order in which files are given, within the order of a layer's own, changes nothing.
#[test]
fn the_order_of_layers_is_their_own() {
    for case in cases() {
        let given = layers(&texts(&case));
        let mut reversed = given.clone();
        reversed.files.sort_by_key(|file| std::cmp::Reverse(file.layer));
        let (given, reversed) = (Policies::of_layers(given), Policies::of_layers(reversed));
        assert_eq!(given.digest(), reversed.digest(), "{}", case.name);
        for (_, command) in &case.rows {
            let json = |policies: &Policies| serde_json::to_string(&decision(policies, command)).unwrap();
            assert_eq!(json(&given), json(&reversed), "{}: {command}", case.name);
        }
    }
}

#[test]
fn a_layer_that_does_not_load_denies_or_asks() {
    let base = (
        "base",
        "[defaults]\nno_rule = \"allow\"\n[tools.bash]\nfields.command = { kind = \"shell\" }\n[[deny]]\nid = \"r\"\nreason = \"R.\"\nwhere.command = { program = \"rm\" }",
    );
    for (layer, ls, rm) in [
        (Layer::Admin, "deny", Cause::Error),
        (Layer::User, "deny", Cause::Error),
        (Layer::Project, "ask", Cause::Rule),
    ] {
        let mut layers = layers(&[base]);
        layers.broken.push(Broken { layer, message: "/x/a.toml:3:5: `optoins` is no key".to_owned() });
        let policies = Policies::of_layers(layers);
        for command in ["ls", "nosuchtool: ls"] {
            let asked = decision(&policies, command);
            assert!(asked.decision >= Verdict::Ask, "{command}");
        }
        let asked = decision(&policies, "ls");
        assert_eq!((verdict(&asked), asked.cause), (ls, Cause::Error), "{layer:?}");
        assert!(asked.reason.contains("/x/a.toml:3:5: `optoins` is no key"), "{}", asked.reason);
        let denied = decision(&policies, "rm x");
        assert_eq!((verdict(&denied), denied.cause), ("deny", rm), "{layer:?}");
    }
}

#[test]
fn the_digest_covers_order_trust_place_and_bytes() {
    let text = "[tools.bash]\nfields.command = { kind = \"shell\" }";
    let digest = |change: &dyn Fn(&mut Layers)| {
        let mut layers = layers(&[("user", text), ("project", text)]);
        change(&mut layers);
        Policies::of_layers(layers).digest().to_owned()
    };
    let same = digest(&|_| {});
    assert_eq!(same, digest(&|_| {}));
    assert_eq!(same.len(), 71);
    let changes: [&dyn Fn(&mut Layers); 5] = [
        &|layers| layers.files[1].trusted = true,
        &|layers| layers.files[1].path = "/elsewhere.toml".to_owned(),
        &|layers| layers.files[0].layer = Layer::Admin,
        &|layers| layers.files[0].policy = policy("user", &format!("{text}\n"), &[]),
        &|layers| layers.files.truncate(1),
    ];
    for change in changes {
        assert_ne!(same, digest(change));
    }
}

#[test]
fn ids_belong_to_their_layer() {
    let rule = "[[deny]]\nid = \"no-make\"\nreason = \"R.\"\ntool = \"bash\"\nwhere.command = { program = \"make\" }";
    let tools = "[tools.bash]\nfields.command = { kind = \"shell\" }";
    for (layer, id) in
        [("admin", "admin:no-make"), ("user", "no-make"), ("base", "no-make"), ("project", "project:no-make")]
    {
        let policies = Policies::of_layers(layers(&[("base", tools), (layer, rule)]));
        let decision = decision(&policies, "make");
        assert_eq!(decision.rule.as_deref(), Some(id));
        assert_eq!(decision.matches[0].rule, id);
    }
    // The first layer's rule decides.
    let both = [("base", tools), ("project", rule), ("admin", rule)];
    assert_eq!(decision(&Policies::of_layers(layers(&both)), "make").rule.as_deref(), Some("admin:no-make"));
}

#[test]
fn keys_of_stronger_layers_are_theirs_alone() {
    for (key, layers) in [
        ("allow_from = [\"project\"]", &["admin", "user"][..]),
        ("self_protection = false", &["admin"]),
        ("audit = \"warn\"", &["admin"]),
    ] {
        let text = format!("version = 1\n[policy]\n{key}\n");
        for name in ["admin", "user", "base", "project"] {
            let surroundings = Surroundings { of: Some(layer(name)), ..Surroundings::default() };
            let read = policies_from_toml(&[File { name: "p.toml", text: &text }], &surroundings).pop().unwrap();
            match read {
                Ok(_) => assert!(layers.contains(&name), "{key} in {name}"),
                Err(problems) => {
                    assert!(!layers.contains(&name), "{key} in {name}");
                    assert_eq!(problems[0].code, Code::MisplacedKey);
                    assert_eq!(problems[0].position(&text), (3, 1));
                }
            }
        }
    }
}

#[test]
fn files_of_a_layer_share_tools_and_sets_whatever_their_order() {
    let tools =
        "version = 1\n[tools.bash]\nfields.command = { kind = \"shell\" }\n[sets]\nmakers = [\"make\", \"@more\"]";
    let rules = "version = 1\n[sets]\nmore = [\"ninja\"]\n[[deny]]\nid = \"r\"\nreason = \"R.\"\ntool = \"bash\"\nwhere.command = { program = \"@makers\" }";
    for files in [[tools, rules], [rules, tools]] {
        let files = files.map(|text| File { name: "f.toml", text });
        let read: Vec<Policy> =
            policies_from_toml(&files, &Surroundings::default()).into_iter().map(|one| one.unwrap()).collect();
        let policies = Policies::new(read);
        assert_eq!(verdict(&decision(&policies, "ninja")), "deny");
        assert_eq!(verdict(&decision(&policies, "make")), "deny");
    }
    // A set that two files declare is a fault of the later one; one that nobody declares, of the file that names it.
    let files = [tools, tools].map(|text| File { name: "f.toml", text });
    let read = policies_from_toml(&files, &Surroundings::default());
    assert!(read.iter().all(Result::is_err));
    assert!(read[1].as_ref().unwrap_err().iter().any(|problem| problem.message.contains("stands twice in the layer")));
    let of_other_layer = policies_from_toml(&[File { name: "f.toml", text: rules }], &Surroundings::default());
    assert!(of_other_layer[0].is_err(), "sets of another layer are not its own");
}
