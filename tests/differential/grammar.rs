//! Commands that are put together from the constructs of the shell.
//!
//! Every text is one that bash accepts and that ends soon: loops end by themselves or by `break`, and no function calls itself.

use proptest::prelude::*;
use proptest::sample::select;

/// A strategy for text.
type Text = BoxedStrategy<String>;

/// How deep constructs stand in each other.
const DEPTH: u32 = 4;

/// Programs that the sandbox writes down.
const PROGRAMS: &[&str] = &["rm", "mv", "git", "curl", "make", "probe", "chmod", "/bin/rm", "no-such-program"];

/// Plain words.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "x", "y", "-rf", "--force", "a.txt", "--", "-", "src/main.rs", "/etc/passwd", "../up", "k=v", "%s", "a-b_c.d", ".", "é", "1", "0", "+x", "@", "a,b", "[",
];

/// Words with an expansion that needs no other text.
#[rustfmt::skip]
const EXPANSIONS: &[&str] = &[
    "$X", "${X}", "\"$X\"", "\"${Y}z\"", "$X$Y", "${X:-d}", "\"${X:+set}\"", "${#X}", "${X%.*}", "${X#a}", "${X/x/y}", "${X//a}", "${X^^}", "${X,,}", "${X:1}",
    "${X:0:1}", "\"${X@Q}\"", "${!X}", "${A[0]}", "\"${A[@]}\"", "\"${A[*]}\"", "${#A[@]}", "${A[@]:1}", "$1", "\"$@\"", "\"$*\"", "$#", "$?", "${X:=e}", "$((1+2))",
    "$((X=2))", "{a,b}", "pre{1..3}", "x{y,z}w", "*.txt", "s*", "?.txt", "[ab].txt", "~", "~/x", "$'a\\tb'", "$'\\x72m'", "$\"t\"", "a\\ b", "\\$X", "'$X'", "''", "\"\"",
    "\"a  b\"", "'a;b'", "'$(rm no)'", "\"'$X'\"", "x\\\ny",
];

/// Names of variables.
const NAMES: &[&str] = &["X", "Y", "Z"];

/// A script.
pub fn script() -> Text {
    simple(&word().boxed()).prop_recursive(DEPTH, 40, 4, |inner| compound(&inner)).boxed()
}

/// A word that holds no script.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![5 => select(WORDS), 4 => select(EXPANSIONS)].prop_map(str::to_owned)
}

/// A word that may hold a script.
fn holding(script: &Text) -> Text {
    let script = script.clone().prop_map(|script| substituted(&script).to_owned()).boxed();
    prop_oneof![
        6 => word(),
        1 => script.clone().prop_map(|script| format!("$({script}\n)")),
        1 => script.clone().prop_map(|script| format!("\"$({script}\n)\"")),
        1 => script.clone().prop_map(|script| format!("$( {script}; echo x )")),
        1 => script.clone().prop_map(|script| format!("\"`{}`\"", backquoted(&script))),
        1 => script.clone().prop_map(|script| format!("<({script}\n)")),
        1 => script.clone().prop_map(|script| format!("${{U:-$({script}\n)}}")),
        1 => script.clone().prop_map(|script| format!("\"${{U-'$({script}\n)'}}\"")),
        1 => script.clone().prop_map(|script| format!("$((1 + $({script}\n echo 2)))")),
        1 => script.clone().prop_map(|script| format!("${{X#$({script}\n)}}")),
        1 => script.clone().prop_map(|script| format!("${{X/x/$({script}\n)}}")),
        1 => script.clone().prop_map(|script| format!("{{a,$({script}\n)}}")),
        1 => script.clone().prop_map(|script| format!("$( (true; {script}\n) )")),
        1 => word().prop_map(|word| format!("$(echo {word})")),
        1 => word().prop_map(|word| format!("\"$(printf '%s ' {word})\"")),
    ]
    .boxed()
}

/// A redirection.
fn redirection(word: &Text) -> Text {
    #[rustfmt::skip]
    const PLAIN: &[&str] = &[">f", ">>f", "2>&1", "2>/dev/null", "<a.txt", "&>f", ">&2", "<&-", "3>f", "2>f", ">|f", "<>g", "{fd}>f", "&>>f", "1>&2"];
    prop_oneof![4 => select(PLAIN).prop_map(str::to_owned), 1 => word.clone().prop_map(|word| format!("<<<{word}"))]
        .boxed()
}

/// An assignment.
fn assignment(word: &Text) -> Text {
    let plain = (select(NAMES), word.clone()).prop_map(|(name, word)| format!("{name}={word}"));
    prop_oneof![
        6 => plain,
        1 => (select(NAMES), word.clone()).prop_map(|(name, word)| format!("{name}+={word}")),
        1 => proptest::collection::vec(word.clone(), 0..3).prop_map(|words| format!("A=({})", words.join(" "))),
        1 => word.clone().prop_map(|word| format!("A[1]={word}")),
        1 => select(&["X=rm", "X=mv", "Y='-rf x'", "X='rm x'", "Z=git"][..]).prop_map(str::to_owned),
    ]
    .boxed()
}

/// A simple command.
fn simple(word: &Text) -> Text {
    let words = |count| proptest::collection::vec(word.clone(), count).prop_map(|words| words.join(" ")).boxed();
    let program = prop_oneof![8 => select(PROGRAMS), 2 => select(&["$X", "\"$X\"", "${A[@]}", "r\\m", "'r'm", "$'\\x72m'", "{rm,x}"][..])];
    let plain = (program, words(0..4)).prop_map(|(program, words)| format!("{program} {words}")).boxed();
    let begun = (assignment(word), plain.clone()).prop_map(|(assignment, command)| format!("{assignment} {command}"));
    let redirected = (redirection(word), plain.clone(), redirection(word), any::<bool>());
    let redirected = redirected.prop_map(|(first, command, last, both)| match both {
        true => format!("{first} {command} {last}"),
        false => format!("{command} {last}"),
    });
    prop_oneof![
        8 => plain.clone(),
        2 => begun,
        2 => redirected,
        2 => assignment(word),
        2 => builtin(word),
        3 => wrapped(&plain, word),
    ]
    .boxed()
}

/// A builtin that changes what follows.
fn builtin(word: &Text) -> Text {
    let with = |format: &'static str| {
        (select(NAMES), word.clone())
            .prop_map(move |(name, word)| format.replace('N', name).replace('W', &word))
            .boxed()
    };
    prop_oneof![
        with("set -- W W"),
        with("export N=W"),
        with("declare N=W"),
        with("readonly R_N=W 2>/dev/null"),
        with("read -r N <<<W"),
        with("printf -v N %s W"),
        with("unset N"),
        with("shift"),
        with("cd src"),
        with("pushd dir >/dev/null"),
        with("let N=1+1"),
        with("mapfile -t A <<<W"),
        with("declare -n N=Y"),
        with("eval N=W"),
        with("test -n W"),
        with("[ W = x ]"),
        with("[[ W == x* ]]"),
        with("(( N = 1 ))"),
        with("echo W"),
        with(": ${N:=W}"),
        with("IFS=,"),
        with("set -f"),
        with("shopt -s nullglob"),
        with("true"),
        with("false"),
    ]
    .boxed()
}

/// A command that a program runs.
fn wrapped(plain: &Text, word: &Text) -> Text {
    #[rustfmt::skip]
    const BEFORE: &[&str] = &[
        "sudo", "sudo -u root", "sudo -n -E A=1", "env", "env -i", "env A=1 B=2", "env -u HOME", "nice", "nice -n 5", "nohup", "timeout 5", "timeout -k 1 5s", "setsid",
        "command", "command -p", "builtin command", "time", "time -p", "!", "doas -u root", "stdbuf -oL", "chroot /", "busybox", "strace -f -o out", "xargs -n1 <a.txt", "ionice -c 3",
        "echo a b | xargs", "printf '%s\\n' a b | xargs -I{}", "printf 'a\\0b' | xargs -0", "exec 3>&1;", "command time -f %e", "sudo env nice", "find . -maxdepth 0 -exec", "unshare -r", "script -qc",
    ];
    (select(BEFORE), plain.clone(), word.clone())
        .prop_map(|(before, command, word)| match before {
            _ if before.starts_with("find") => format!("{before} {command} {{}} \\;"),
            _ if before.starts_with("script") => format!("{before} {} /dev/null", quoted(&command)),
            _ if before.ends_with("-I{}") => format!("{before} {command} {{}}"),
            "sudo" => format!("sudo -- {command} {word}"),
            _ => format!("{before} {command}"),
        })
        .boxed()
}

/// A construct that holds scripts.
fn compound(script: &Text) -> Text {
    let word = holding(script);
    let one = script.clone();
    let two = (script.clone(), script.clone());
    let three = (script.clone(), script.clone(), script.clone());
    prop_oneof![
        6 => simple(&word),
        8 => lists(two.clone()),
        4 => one.prop_map(|script| group(&script)),
        4 => branches(three, &word),
        4 => loops(two.clone(), &word),
        4 => definitions(two.clone(), &word),
        5 => read_again(script, &word),
        3 => documents(two, &word),
    ]
    .boxed()
}

/// Lists and pipelines.
fn lists(two: (Text, Text)) -> Text {
    #[rustfmt::skip]
    const JOINED: &[&str] = &["1; 2", "1\n2", "1 && 2", "1 || 2", "1 | 2", "1 |& 2", "1 & 2; wait", "! 1; 2", "1 &&\n2", "1 |\n2", "1; # comment ' \"\n2", "1 && ! 2"];
    (select(JOINED), two)
        .prop_map(|(joined, (first, second))| filled(joined, &[&braced(&first), &braced(&second)], ""))
        .boxed()
}

/// Groups, subshells, coprocesses.
fn group(script: &str) -> String {
    const GROUPS: &[&str] = &[
        "{ 1\n}",
        "( 1\n)",
        "( (1\n) )",
        "{ 1\n} >f 2>&1",
        "(1\n) <a.txt",
        "coproc { 1\n}; wait",
        "time { 1\n}",
        "((X=1)); { 1\n}",
        "{ 1\n} | cat",
    ];
    let at = script.len() % GROUPS.len();
    filled(GROUPS[at], &[script], "")
}

/// `if`, `case`, `[[`.
fn branches(three: (Text, Text, Text), word: &Text) -> Text {
    #[rustfmt::skip]
    const BRANCHES: &[&str] = &[
        "if 1\nthen 2\nelse 3\nfi", "if 1\nthen 2\nelif true; then 3\nfi", "if [[ W == x ]]; then 1\nfi; 2", "if ((7 > 8)); then 1\nelse 2\nfi",
        "case W in x|y) 1\n;; (*) 2\n;; esac; 3", "case W in *) 1\n;& z) 2\n;; esac", "case x in x) 1\n;;& *) 2\nesac", "[[ -n W && 5 -lt 6 ]] && { 1\n}", "if ! { 1\n}; then 2\nfi >f",
    ];
    (select(BRANCHES), three, word.clone())
        .prop_map(|(branch, (one, two, three), word)| filled(branch, &[&one, &two, &three], &word))
        .boxed()
}

/// Loops.
fn loops(two: (Text, Text), word: &Text) -> Text {
    #[rustfmt::skip]
    const LOOPS: &[&str] = &[
        "for X in W y; do 1\ndone", "for X in W; do 1\n2\ndone", "for X; do 1\ndone; 2", "while 1\ndo 2\nbreak; done", "until 1\ndo 2\nbreak\ndone", "for ((i=0; i<2; i++)); do 1\ndone",
        "while read -r X; do 1\ndone <<<W", "echo W | while read -r X Y; do 1\ndone", "for X in a b; do 1\ncontinue\n2\ndone", "select X in rm mv; do 1\nbreak; done <<<1", "while true; do 1\nbreak; done | cat",
        "for X in {1..2}; do { 1\n} & done; wait",
    ];
    (select(LOOPS), two, word.clone()).prop_map(|(form, (one, two), word)| filled(form, &[&one, &two], &word)).boxed()
}

/// Functions, traps, aliases.
fn definitions(two: (Text, Text), word: &Text) -> Text {
    #[rustfmt::skip]
    const DEFINITIONS: &[&str] = &[
        "f() { 1\n}; f W", "function g { 1\n}; 2; g W x", "h() ( 1\n); h", "f() { local X=W; 1\n}; f; 2", "trap '1' EXIT; 2", "f() { 1\nreturn; 2\n}; f", "k() if true; then 1\nfi; k",
        "shopt -s expand_aliases\nalias z='rm W'\nz y\n1", "f() { g; }; g() { 1\n}; X=W; f", "f() { \"$@\"; }; f rm W; 1", "rm() { mv x; }; 1", "trap '1' DEBUG; rm x; trap - DEBUG", "f() { 1\n} >f; f W",
    ];
    (select(DEFINITIONS), two, word.clone())
        .prop_map(|(definition, (one, two), word)| {
            let one = if definition.starts_with("trap") { inside_quotes(&one) } else { one };
            let word = if definition.contains("alias") { inside_quotes(&word) } else { word };
            filled(definition, &[&one, &two], &word)
        })
        .boxed()
}

/// Text that is read again.
fn read_again(script: &Text, word: &Text) -> Text {
    #[rustfmt::skip]
    const READERS: &[&str] = &[
        "eval '1'", "bash -c '1' W x", "bash -ec '1'", "sudo bash -c '1'", "env A=1 bash -c '1'", "echo '1' | bash", "printf %s '1' | bash", "bash <<<'1'", "eval \"$(echo '1')\"",
        "find . -maxdepth 0 -exec bash -c '1' W {} \\;", "echo a | xargs -I{} bash -c '1'", "timeout 5 bash -c '1'", "su -c 'rm x'", "C='1'; eval \"$C\"", "C='1'; bash -c \"$C\"", ". <(echo '1')",
        "source /dev/stdin <<<'1'", "awk 'BEGIN { system(\"rm x\") }'", "nohup bash -c '1' >/dev/null", "$(echo '1')", "trap '1' ERR; false", "set -- '1'; eval \"$1\"", "watch 'rm x; mv y'", "command eval '1'",
        "bash -c 'eval \"$0\"' '1'", "xargs -n2 bash -c '1' <<<'a b'", "printf '%s\\n' '1' >s; bash ./s", "eval eval '1'", "printf 'rm %s' x | sh", "sh -c 'rm \"$1\"; mv $2' W x y",
    ];
    (select(READERS), script.clone(), word.clone())
        .prop_map(|(form, script, word)| filled(form, &[&inside_quotes(&script)], &word))
        .boxed()
}

/// Here-documents.
fn documents(two: (Text, Text), word: &Text) -> Text {
    #[rustfmt::skip]
    const DOCUMENTS: &[&str] = &[
        "cat <<E\nW $(1\n)\nE\n2", "bash <<'E'\n1\nE\n2", "cat <<-E\n\t`rm x` ${X:-$(1\n)}\n\tE\n2", "cat <<A <<B; 2\n$(1\n)\nA\n$(rm b)\nB\n", "sh <<E\nrm x; mv y\nE\n1", "{ cat; 2\n} <<E\n$(1\n)\nE\n",
        "while read -r X; do 1\ndone <<E\nW\nE\n2", "cat <<\\E | cat\n$(rm no)\nE\n1", "X=$(cat <<E\n$(1\n)\nE\n)\n2",
    ];
    (select(DOCUMENTS), two, word.clone())
        .prop_map(|(form, (one, two), word)| {
            let one = if form.contains("$(1") { substituted(&one) } else { &one };
            filled(form, &[one, &two], &word)
        })
        .boxed()
}

/// A form with scripts for the digits, and a word for the `W`, that stand alone in it.
fn filled(form: &str, scripts: &[&str], word: &str) -> String {
    let mut text = String::new();
    let letters: Vec<char> = form.chars().collect();
    let alone = |at: usize| letters.get(at).is_none_or(|near| " \n'\t(;}\"".contains(*near));
    for (at, letter) in letters.iter().enumerate() {
        let number = letter.to_digit(10).and_then(|digit| (digit as usize).checked_sub(1));
        match number.and_then(|number| scripts.get(number)) {
            Some(script) if (at == 0 || alone(at - 1)) && alone(at + 1) => text.push_str(script),
            _ if *letter == 'W' => text.push_str(word),
            _ => text.push(*letter),
        }
    }
    text
}

/// A script for a substitution. Bash 5.2 prints what stands in `$(…)` and reads it again, and forgets the `;` behind a
/// here-document: `$(cat <<E⏎E⏎rm x; ls)` runs `rm x ls`.
fn substituted(script: &str) -> &str {
    if script.contains("\nE\n") || script.contains("\nA\n") { "rm document" } else { script }
}

/// A script as one command: one with lines or operators stands in braces.
fn braced(script: &str) -> String {
    if script.contains(['\n', ';', '&', '|']) { format!("{{ {script}\n}}") } else { script.to_owned() }
}

fn quoted(script: &str) -> String {
    format!("'{}'", inside_quotes(script))
}

/// A text for between single quotes.
fn inside_quotes(script: &str) -> String {
    script.replace('\'', "'\\''")
}

/// A text for between backquotes that stand in double quotes.
fn backquoted(script: &str) -> String {
    let mut text = String::new();
    for letter in script.chars() {
        if matches!(letter, '\\' | '`' | '$' | '"') {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}
