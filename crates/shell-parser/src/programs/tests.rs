//! The tables, and the compiler that makes them.

use super::{Kind, ProgramSpec, Programs, Setting, SpecError};
use crate::reading::{Effect, reading};
use crate::{Arena, Word};

/// A TOML value as the compiler takes it.
fn setting(value: toml::Value) -> Setting {
    match value {
        toml::Value::String(text) => Setting::Text(text),
        toml::Value::Boolean(value) => Setting::Bool(value),
        toml::Value::Array(items) => Setting::List(items.into_iter().map(setting).collect()),
        toml::Value::Table(table) => {
            Setting::Table(table.into_iter().map(|(key, value)| (key, setting(value))).collect())
        }
        other => panic!("{other}"),
    }
}

fn specs(text: &str) -> Result<Vec<ProgramSpec>, SpecError> {
    let table: toml::Table = text.parse().unwrap();
    table.into_iter().map(|(name, entry)| ProgramSpec::read(&name, &setting(entry))).collect()
}

fn extended(text: &str) -> Programs {
    Programs::builtin().extended(&specs(text).unwrap()).unwrap()
}

fn inner<'a>(arena: &'a Arena, programs: &'a Programs, command: &str) -> Vec<Vec<String>> {
    let words = shell_words::split(command).unwrap();
    let words = arena.alloc_slice_fill_iter(words.iter().map(|text| Word::Text(arena.alloc_str(text))));
    let commands = reading(arena, programs, words, false).effects.iter().filter_map(|effect| match effect {
        Effect::Command { words, .. } => Some(words.iter().map(|word| word.display().into_owned()).collect()),
        _ => None,
    });
    commands.collect()
}

#[test]
fn spellings_of_one_option_are_one() {
    let rm = Programs::builtin().program("/bin/rm").unwrap();
    let recursive = rm.option("-r").unwrap();
    for spelling in ["-R", "--recursive", "--rec"] {
        assert_eq!(rm.option(spelling), Some(recursive), "{spelling}");
    }
    assert_ne!(rm.option("-f"), Some(recursive));
    assert_eq!(rm.option("--pre"), rm.option("--preserve-root"));
    assert_eq!(rm.option("--no-such"), None);
    // `--i` could be `--interactive` alone; `--` is no option.
    assert_eq!(rm.option("--i"), rm.option("--interactive"));
    assert_eq!(rm.option("--"), None);
    assert_eq!(rm.spellings(recursive).collect::<Vec<_>>(), ["-r", "-R", "--recursive"]);
}

#[test]
fn an_ambiguous_beginning_is_no_option() {
    let push = Programs::builtin().program("git").unwrap().subcommand("push").unwrap();
    assert_eq!(push.option("--for"), None);
    assert!(push.option("--force").is_some());
    assert_eq!(push.words(), ["git", "push"]);
    assert_eq!(push.option("-C"), None, "a global option is the program's");
}

#[test]
fn names_may_be_paths_and_globs() {
    let programs = Programs::builtin();
    assert_eq!(programs.program("mkfs.ext4").unwrap().name(), "mkfs");
    assert_eq!(programs.program("/usr/bin/env").unwrap().name(), "env");
    assert!(programs.program("no-such-program").is_none());
    assert!(programs.program("").is_none());
}

#[test]
fn sets_have_their_members() {
    let programs = Programs::builtin();
    let cases = [
        ("shells", "bash"),
        ("shells", "pwsh"),
        ("interpreters", "awk"),
        ("interpreters", "bash"),
        ("interpreters", "osascript"),
        ("downloaders", "curl"),
        ("uploaders", "scp"),
        ("network", "ping"),
        ("network", "dig"),
        ("network", "nc"),
        ("network", "ssh"),
        ("privilege", "sudo"),
        ("privilege", "doas"),
        ("wrappers", "env"),
        ("wrappers", "xargs"),
        ("package_runners", "npx"),
        ("package_runners", "npm run"),
        ("package_runners", "make"),
        ("editors", "vim"),
        ("readers", "cat"),
        ("destroyers", "rm"),
        ("destroyers", "git clean"),
        ("destroyers", "mkfs.*"),
        ("run_later", "**/.envrc"),
    ];
    for (set, member) in cases {
        assert!(programs.set(set).unwrap().iter().any(|one| one == member), "{member} in {set}");
    }
    assert_eq!(Programs::sets().count(), 12);
    for set in Programs::sets() {
        assert!(!programs.set(set).unwrap().is_empty(), "{set}");
    }
    assert_eq!(programs.set("no_such_set"), None);
    assert!(!programs.set("readers").unwrap().iter().any(|one| one == "rm"));
}

#[test]
fn a_program_is_added_by_an_entry() {
    let arena = Arena::new();
    let command = "mywrap --level 3 rm -rf x";
    assert!(inner(&arena, Programs::builtin(), command).is_empty());
    let text = "[mywrap]\nkinds = [\"wrappers\"]\ngrammar = \"posix\"\noperands = [\"command\"]\noptions = { \"-l --level\" = \"text\" }\n";
    let programs = extended(text);
    assert_eq!(inner(&arena, &programs, command), [["rm", "-rf", "x"]]);
    assert!(programs.program("mywrap").unwrap().is(Kind::Wrappers));
    assert!(programs.program("rm").unwrap().is(Kind::Destroyers), "the others are still there");
}

#[test]
fn an_entry_for_a_known_program_adds_to_it() {
    let programs = extended(
        "[git.options]\n\"--mine\" = \"text\"\n[git.subcommands.cleanup]\nkinds = [\"destroyers\"]\n[rm]\nkinds = [\"editors\"]\n",
    );
    let git = programs.program("git").unwrap();
    assert!(git.option("--mine").is_some());
    assert!(git.option("--git-dir").is_some());
    assert!(git.subcommand("cleanup").unwrap().is(Kind::Destroyers));
    assert!(git.subcommand("push").unwrap().option("--force").is_some());
    let rm = programs.program("rm").unwrap();
    assert!(rm.is(Kind::Destroyers) && rm.is(Kind::Editors));
    assert_eq!(rm.option("-R"), rm.option("--recursive"));
    assert_eq!(programs.program("grm").map(|one| one.is(Kind::Editors)), Some(true), "under its other names too");
}

#[test]
fn an_entry_takes_nothing_away() {
    let text = "[rm]\ninert = true\noperands = \"text\"\ngrammar = \"operands\"\n[rm.options]\n\"-f -r\" = \"query\"\n\
                [[rm.when]]\ngiven = \"-f\"\noperands = \"text\"\n";
    let arena = Arena::new();
    let programs = extended(text);
    let words = arena.alloc_slice_copy(&["rm", "-rf", "x"].map(Word::Text));
    let read = reading(&arena, &programs, words, false);
    assert!(!read.inert);
    assert_eq!(read.arguments.options.len(), 2);
    assert!(read.effects.iter().any(|effect| matches!(effect, Effect::Access { recursive: true, .. })));
}

#[test]
fn an_entry_survives_the_table() {
    let builtin = Programs::builtin();
    for name in ["git", "tar", "bash", "sudo", "rm", "docker", "sed", "find", "dd"] {
        let spec = builtin.program(name).unwrap().spec();
        let again = builtin.extended(std::slice::from_ref(&spec)).unwrap();
        let read = again.program(name).unwrap().spec();
        assert_eq!(read, spec, "{name}");
    }
}

#[test]
fn faults_name_the_key() {
    let cases = [
        ("[x]\noperandz = \"read\"\n", "`x.operandz`: is no key of a program"),
        ("[x]\noperands = \"reed\"\n", "`x.operands`: `reed` is no role"),
        ("[x]\noperands = \"read rode\"\n", "`x.operands`: `rode` is no property of a role"),
        ("[x]\nkinds = [\"shellz\"]\n", "`x.kinds`: `shellz` is no set"),
        ("[x]\ngrammar = \"gnoo\"\n", "`x.grammar`: `gnoo` is no grammar"),
        ("[x]\ninert = \"yes\"\n", "`x.inert`: must be true or false"),
        ("[x.options]\n\"-a\" = \"flog\"\n", "`x.options.-a`: `flog` is no role"),
        ("[x.subcommands.y]\ninput = \"coda\"\n", "`x.subcommands.y.input`: `coda` is no kind of input"),
        ("[[x.when]]\noperands = \"read\"\n", "`x.when`: `given` is missing"),
        ("[x]\nnames = \"\"\n", "`x.names`: must be a string that is not empty"),
    ];
    for (text, message) in cases {
        assert_eq!(specs(text).unwrap_err().to_string(), message);
    }
    let tables = [
        ("[x]\noptions = { \"a\" = \"flag\" }\n", "the option `a` does not begin with `-`"),
        ("[x]\noptions = { \"-a\" = \"flag\", \"-b -a\" = \"flag\" }\n", "the option `-a` is there twice"),
        ("[x]\noperands = [\"read...\", \"write...\"]\n", "two operands repeat"),
        ("[[x.when]]\ngiven = \"-a\"\n", "there is no option `-a`"),
        ("[x]\nnames = [\"y\"]\n[y]\n", "`y` is a name of `x` too"),
    ];
    for (text, message) in tables {
        let errors = Programs::builtin().extended(&specs(text).unwrap()).unwrap_err();
        assert!(errors.iter().any(|error| error.to_string().contains(message)), "{message}: {errors:?}");
    }
}

#[test]
fn every_builtin_is_known() {
    // bash 5.2 `compgen -b`; dash's and zsh 5.9's manuals, "Builtins" and "zshbuiltins".
    let lists = [
        ". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable \
         eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd \
         read readarray readonly return set shift shopt source suspend test times trap true type typeset ulimit umask unalias \
         unset wait",
        ". : [ alias bg break cd chdir command continue echo eval exec exit export false fg getopts hash jobs kill local printf \
         pwd read readonly return set shift test times trap true type ulimit umask unalias unset wait",
        "- . : [ alias autoload bg bindkey break builtin bye cap cd chdir clone command comparguments compcall compctl \
         compdescribe compfiles compgroups compquote comptags comptry compvalues continue declare dirs disable disown echo \
         echotc echoti emulate enable eval exec exit export false fc fg float functions getcap getln getopts hash history \
         integer jobs kill let limit local log logout noglob popd print printf private pushd pushln pwd r read readonly rehash \
         return sched set setcap setopt shift source stat suspend test times trap true ttyctl type typeset ulimit umask \
         unalias unfunction unhash unlimit unset unsetopt vared wait whence where which zcompile zcurses zdelattr zformat zftp \
         zgetattr zle zlistattr zmodload zparseopts zprof zpty zregexparse zselect zsetattr zsocket zstyle zsystem ztcp",
    ];
    let missing: Vec<&str> = lists
        .iter()
        .flat_map(|list| list.split_ascii_whitespace())
        .filter(|name| Programs::builtin().program(name).is_none())
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}
