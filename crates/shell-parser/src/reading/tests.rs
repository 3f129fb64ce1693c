//! Readings as data: `readings.txt`, and properties over generated words.

use std::fmt::Write;

use super::{Effect, Input, Output, Reading, reading};
use crate::{Arena, Host, Origin, Piece, Programs, Shape, Unknown, Word};

/// A word of a case: `$X` is an unquoted unknown, `$Q` a quoted one, `$M` a quoted one that the call made, `*` a glob.
fn word<'a>(arena: &'a Arena, text: &str) -> Word<'a> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['$', '*']) {
        let (head, tail) = rest.split_at(at);
        let unknown = |origin, splits| Piece::Unknown(Unknown { shape: Shape::Any, origin, splits });
        let (piece, length) = match tail.get(..2) {
            Some("$X") => (unknown(Origin::Found, true), 2),
            Some("$Q") => (unknown(Origin::Found, false), 2),
            Some("$M") => (unknown(Origin::Made, false), 2),
            _ if tail.starts_with('*') => (Piece::Glob("*"), 1),
            _ => (Piece::Text("$"), 1),
        };
        if !head.is_empty() {
            pieces.push(Piece::Text(arena.alloc_str(head)));
        }
        pieces.push(piece);
        rest = tail.get(length..).unwrap();
    }
    if pieces.is_empty() {
        return Word::Text(arena.alloc_str(text));
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(arena.alloc_str(rest)));
    }
    Word::Pieces(arena.alloc_slice_copy(&pieces))
}

fn words<'a>(arena: &'a Arena, command: &str) -> &'a [Word<'a>] {
    let split = shell_words::split(command).unwrap();
    arena.alloc_slice_fill_iter(split.iter().map(|text| word(arena, text)))
}

fn shown(word: Word<'_>) -> String {
    word.pieces()
        .map(|piece| match piece {
            Piece::Text(text) => text.to_owned(),
            Piece::Glob(pattern) => format!("⟨{pattern}⟩"),
            Piece::Unknown(Unknown { shape: Shape::Below(folder), .. }) => format!("⟨{folder}/…⟩"),
            Piece::Unknown(Unknown { shape: Shape::Name, .. }) => "⟨name⟩".to_owned(),
            Piece::Unknown(_) => "⟨?⟩".to_owned(),
        })
        .collect()
}

fn shown_all(words: &[Word<'_>]) -> String {
    words.iter().map(|word| shown(*word)).collect::<Vec<_>>().join(" ")
}

fn effect(effect: &Effect<'_>) -> String {
    let doubt = |certain: bool| if certain { "" } else { "?" };
    match *effect {
        Effect::Access { kind, path, recursive, partial, sources, riding, certain, .. } => {
            let mut text = format!(
                "{}{}{}{}{}",
                kind.name(),
                if recursive { "-r" } else { "" },
                if partial { "-p" } else { "" },
                if riding { "!" } else { "" },
                doubt(certain)
            );
            write!(text, " {}", shown(path)).unwrap();
            if !sources.is_empty() {
                write!(text, "<-({})", shown_all(sources)).unwrap();
            }
            text
        }
        Effect::Request { url, scheme, method, riding, certain, .. } => {
            format!(
                "request{}{} {scheme} {} {}",
                if riding { "!" } else { "" },
                doubt(certain),
                method.unwrap_or("-"),
                shown(url)
            )
        }
        Effect::Command { words, open, assignments, directory, host, certain, .. } => {
            let mut text = format!(
                "command{}{}{}",
                if open { "+" } else { "" },
                if host == Host::Other { "@" } else { "" },
                doubt(certain)
            );
            if let Some(folder) = directory {
                write!(text, " in {}", shown(folder)).unwrap();
            }
            if !assignments.is_empty() {
                write!(text, " with {}", shown_all(assignments)).unwrap();
            }
            write!(text, " [{}]", shown_all(words)).unwrap();
            text
        }
        Effect::Script { text, arguments, here, host, certain, .. } => format!(
            "script{}{}{} [{}]{}",
            if here { "-here" } else { "" },
            if host == Host::Other { "@" } else { "" },
            doubt(certain),
            shown_all(text),
            if arguments.is_empty() { String::new() } else { format!(" args [{}]", shown_all(arguments)) }
        ),
        Effect::Code { language, text, .. } => format!("code {language} [{}]", shown(text)),
        Effect::CodeFile { language, path, here, .. } => {
            format!("file{} {language} {}", if here { "-here" } else { "" }, shown(path))
        }
        Effect::Mount { outside, inside } => format!("mount {} at {}", shown(outside), shown(inside)),
        Effect::Setting { name, value, steering, .. } => {
            let kind = if steering.is_some() { "setting" } else { "setting?" };
            format!("{kind} {}={}", shown(name), shown(value))
        }
        Effect::ProjectCode => "project".to_owned(),
        Effect::Interactive => "interactive".to_owned(),
    }
}

/// One line: subcommand, options, operands, effects, properties.
fn rendered(reading: &Reading<'_>) -> String {
    let mut parts = Vec::new();
    let arguments = reading.arguments;
    if !arguments.subcommand.is_empty() {
        parts.push(format!("sub {}", arguments.subcommand.join(" ")));
    }
    let options = arguments.options.iter().map(|given| {
        let mut text = match (given.option, reading.program) {
            (Some(option), Some(program)) => program.spellings(option).next().unwrap_or_default().to_owned(),
            _ => format!("{}¿", given.spelling),
        };
        if given.global {
            text.insert(0, '^');
        }
        if let Some(value) = given.value {
            write!(text, "={}", shown(value)).unwrap();
        }
        if given.written { text } else { format!("({text})") }
    });
    let options: Vec<String> = options.collect();
    if !options.is_empty() {
        parts.push(format!("opt {}", options.join(" ")));
    }
    let operands = arguments
        .operands
        .iter()
        .map(|operand| format!("{}{}", shown(operand.text), if operand.doubtful { "?" } else { "" }));
    let operands: Vec<String> = operands.collect();
    if !operands.is_empty() {
        parts.push(format!("arg {}", operands.join(" ")));
    }
    parts.extend(reading.effects.iter().map(effect));
    match reading.input {
        Input::Data => {}
        Input::Code(language) => parts.push(format!("stdin {language}")),
        Input::Patch => parts.push("stdin patch".to_owned()),
        Input::Arguments { separator, placeholder } => parts.push(format!("stdin words {separator:?} {placeholder:?}")),
    }
    if reading.output != Output::Unknown {
        parts.push(format!("prints {:?}", reading.output));
    }
    let marks = [
        (reading.program.is_none(), "unknown"),
        (reading.passes, "passes"),
        (reading.inert, "inert"),
        (reading.transparent, "transparent"),
        (reading.dumps_environment, "environment"),
        (reading.unknown_subcommand, "no-such-subcommand"),
        (arguments.unknown_subcommand, "subcommand?"),
    ];
    parts.extend(marks.iter().filter(|(holds, _)| *holds).map(|(_, name)| (*name).to_owned()));
    if parts.is_empty() { "-".to_owned() } else { parts.join(" | ") }
}

/// Each line behind `> ` is a command, the next what it means. `UPDATE_READINGS=1 cargo test readings` writes the
/// file anew; the difference is what to review.
#[test]
fn readings_are_as_written() {
    let update = option_env!("UPDATE_READINGS").is_some();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/readings.txt");
    let text = include_str!("../../tests/readings.txt");
    let (mut count, mut wrong, mut fresh) = (0, Vec::new(), String::new());
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        fresh.push_str(line);
        fresh.push('\n');
        let Some(command) = line.strip_prefix("> ") else { continue };
        let expected = lines.next_if(|line| !line.starts_with("> ") && !line.is_empty()).unwrap_or("");
        let arena = Arena::new();
        let read = reading(&arena, Programs::builtin(), words(&arena, command), false);
        let actual = rendered(&read);
        count += 1;
        fresh.push_str(&actual);
        fresh.push('\n');
        if actual != expected {
            wrong.push(format!("{command}\n  expected {expected}\n  but is   {actual}"));
        }
    }
    if update {
        std::fs::write(file, fresh).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 450, "only {count} cases");
}

mod properties {
    use proptest::prelude::*;

    use super::{Arena, Effect, Programs, Word, reading, word, words};

    /// Words that mean something to some program, unknown ones, and any text.
    fn any_word() -> impl Strategy<Value = String> {
        let known = prop::sample::select(vec![
            "rm",
            "git",
            "push",
            "find",
            "-exec",
            ";",
            "+",
            "{}",
            "--",
            "-",
            "-c",
            "-rf",
            "-f",
            "--force",
            "--fo",
            "--x=",
            "-o",
            "-S",
            "A=1",
            "$X",
            "$Q",
            "$M",
            "-$X",
            "--$Q",
            "--output=$Q",
            "A=$X",
            "*",
            "a/*",
            ":::",
            "w out",
            "s/a/b/we",
            "\\",
            "",
            "=",
            "if=a",
            "+x",
            "-i",
            "-I{}",
            "-C",
            "xzf",
            "-9",
            "-delete",
            "-name",
            "é",
            "-é",
            "file:///x",
            "h:p",
            "@f",
        ]);
        prop_oneof![4 => known.prop_map(str::to_owned), 1 => "[ -~é$*=]{0,8}"]
    }

    fn program() -> impl Strategy<Value = String> {
        let names: Vec<String> = Programs::builtin().names().map(str::to_owned).collect();
        prop::sample::select(names)
    }

    /// A wrapper with options that are known to it.
    fn wrapper() -> impl Strategy<Value = &'static str> {
        prop::sample::select(vec![
            "sudo",
            "sudo -n",
            "sudo -u root",
            "sudo --user=root -H",
            "doas -u u",
            "env",
            "env -i",
            "env -u A",
            "env A=1 B=2",
            "env -C /x",
            "nohup",
            "nice",
            "nice -n 5",
            "nice -5",
            "ionice -c 3 -n 1",
            "timeout 5",
            "timeout -k 1 -s KILL 5",
            "timeout --foreground 1m",
            "stdbuf -oL -e 0",
            "setsid -w",
            "time -p",
            "command",
            "command -p",
            "exec",
            "exec -a n",
            "builtin",
            "xargs",
            "xargs -0 -n 1",
            "xargs -r -P 4 -I {}",
            "watch -x -n 1",
            "chroot --userspec=a /x",
            "flock -n f",
            "busybox",
            "strace -f -o out",
            "unshare -r",
            "docker exec -it c",
            "docker run --rm img",
            "kubectl exec -it pod --",
            "systemd-run --user --scope",
            "taskset -c 0",
        ])
    }

    proptest! {
        #[test]
        fn reading_is_total(program in program(), rest in prop::collection::vec(any_word(), 0..12), open: bool) {
            let arena = Arena::new();
            let mut list = vec![word(&arena, &program)];
            list.extend(rest.iter().map(|text| word(&arena, text)));
            let list: &[Word<'_>] = arena.alloc_slice_copy(&list);
            let read = reading(&arena, Programs::builtin(), list, open);
            let count = u32::try_from(list.len()).unwrap();
            for operand in read.arguments.operands {
                prop_assert!(operand.word < count);
            }
            for option in read.arguments.options {
                prop_assert!(option.word < count);
            }
            for effect in read.effects {
                if let Effect::Command { words, origin, .. } = effect {
                    prop_assert_eq!(words.len(), origin.len());
                    prop_assert!(!words.is_empty());
                    prop_assert!(origin.iter().all(|at| *at < count));
                }
            }
        }

        #[test]
        fn a_wrapper_keeps_its_command(wrapper in wrapper(), rest in prop::collection::vec("[a-z/.-]{1,6}", 0..5)) {
            let arena = Arena::new();
            let inner = format!("rm {}", rest.join(" "));
            let list = words(&arena, &format!("{wrapper} {inner}"));
            let expected = words(&arena, &inner);
            let read = reading(&arena, Programs::builtin(), list, false);
            let found = read.effects.iter().any(|effect| matches!(effect, Effect::Command { words, certain: true, .. } if *words == expected));
            prop_assert!(found, "{:?}", read.effects);
        }
    }
}
