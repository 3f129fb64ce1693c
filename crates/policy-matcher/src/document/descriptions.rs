//! What each key of the policy language says, for the schema and the reference: one sentence a key.

/// Keys of a place, each with what it says.
type Described = &'static [(&'static str, &'static str)];

/// By place (its `what`).
const DESCRIPTIONS: &[(&str, Described)] = &[
    (
        "a policy file",
        &[
            ("version", "The version of the language: 1."),
            ("policy", "What the file is called and includes, and what its layer admits."),
            ("defaults", "What holds where no rule decides; of what layers state, the strictest."),
            ("sets", "Lists of strings by name; `@name` stands for one wherever a list may stand."),
            ("tools", "The tools that may be called, each with its names and fields."),
            ("programs", "What programs of the house do with their words, in the terms of the built-in program files."),
            ("deny", "Rules whose match denies the call."),
            ("ask", "Rules whose match asks a person."),
            ("allow", "Rules that cover what they match; a call is allowed where everything in it is covered."),
        ],
    ),
    (
        "`[policy]`",
        &[
            ("name", "The policy's name; the file's where it is left out."),
            ("description", "What the policy is for, in a sentence."),
            (
                "include",
                "Files, relative to this one and below its folder, and `builtin:NAME`; they have the trust of this file.",
            ),
            (
                "allow_from",
                "The layers whose allow rules count against this one's defaults (admin and user policies only).",
            ),
            ("self_protection", "`false`: the engine's own files are not protected (admin policies only)."),
            ("audit", "What a decision log that cannot be written comes to (admin policies only)."),
        ],
    ),
    (
        "`[defaults]`",
        &[
            ("unknown_tool", "A tool that nothing declares."),
            ("no_rule", "A part of a call of which no rule speaks."),
            ("uncertain", "A deny or ask rule that matches possibly, where something known speaks for it."),
            ("unsupported", "The same where nothing known speaks for it; `skip` counts for rules that only read."),
            ("unparsable", "Shell text that cannot be read."),
            ("inert", "Whether `echo`, `cd`, `true` and their like need cover."),
            ("asked", "What the answer *ask* comes to; `deny` where nobody is there to answer."),
        ],
    ),
    (
        "a tool",
        &[
            ("names", "The names that agents give it, and globs; its key where left out."),
            ("no_rule", "What a part of its calls comes to of which no rule speaks; before `[defaults]`."),
            ("closed", "Whether arguments that no field declares are denied."),
            ("fields", "What its arguments are: a table for each field."),
        ],
    ),
    (
        "a rule",
        &[
            ("id", "Its name: letters, digits, `-`, `_`, `.`, `/`; once in a layer."),
            ("reason", "Why, in the words that the agent and its user read. Deny and ask rules need one."),
            ("hint", "What to do instead."),
            ("tags", "Free words, shown in JSON."),
            (
                "tool",
                "The tools that it is about: keys of `[tools]`, globs of them; left out: every tool that has what it speaks of.",
            ),
            ("where", "Conditions on fields: all of them hold in one call."),
            ("unless", "Exceptions, held against the very part of the call that the rest of the rule matched."),
            ("access", "What is done to a path."),
            ("path", "The path of the access; a list is any of."),
            ("recursive", "Only recursive accesses, or only others."),
            ("ancestors", "Recursive reads of an ancestor count as reads of what lies below."),
            ("riding", "Only accesses that need cover of their own, or only others."),
            ("host", "`any`: accesses on other machines too."),
            ("request", "The URL of a request; a list is any of."),
            ("flow", "Bytes of one end that reach another; a list is any of."),
            ("when", "Attributes of the context, each with the values that it may have."),
            ("uncertain", "What a possible match of this rule comes to, where something known speaks for it."),
            ("unsupported", "The same where nothing known does; `skip` is the owner's risk, in writing."),
            ("approvers", "Who may approve what is asked."),
            (
                "examples",
                "Commands and calls that the rule must match, and that it must not; `policyctl check` runs them.",
            ),
        ],
    ),
    ("`approvers`", &[("roles", "Any of these roles.")]),
    (
        "`examples`",
        &[("match", "The rule matches each, certainly or possibly."), ("no_match", "The rule matches none of these.")],
    ),
    (
        "an example",
        &[
            ("tool", "The tool's name."),
            ("args", "The arguments of the call."),
            ("context", "Attributes of its context."),
        ],
    ),
    (
        "a condition on a command",
        &[
            ("program", "The program: a name, a glob, `@set`; with a slash a path pattern."),
            ("subcommand", "Words that follow it, as `pr merge`; a shorter path covers the longer."),
            ("options", "All of these options, in any spelling; `--name=value` states the value."),
            ("any_options", "Any of these options of the subcommand."),
            ("global_options", "Any of these options before the subcommand."),
            ("only_options", "No other options than these."),
            ("operand", "The text of an operand."),
            ("argument", "The text of any word after the program; not where a match loosens."),
            (
                "operand_path",
                "The path that an operand is; where a match loosens also every path that options and input name.",
            ),
            ("operands", "How many operands."),
            ("argv", "Exactly these words, the program first; a list of lists is any of."),
            ("inner", "`false`: it runs no other command."),
            ("directory", "The directory that it runs in."),
            ("assigns", "Variables that are set for it or by it."),
            ("expands", "Variables whose values reach it."),
            ("via", "Programs that run it, at any level."),
            ("ref", "Git refs; of a push the destination."),
            ("code", "The code that it runs."),
            ("finding", "What the reader found about it; not where a match loosens."),
            ("literal", "`true`: no part of it is unknown."),
            ("regex", "Its words after expansion, shell-quoted and joined by blanks."),
            ("raw_regex", "Its text as written; not where a match loosens."),
        ],
    ),
    ("a count of operands", &[("min", "At least so many."), ("max", "At most so many.")]),
    (
        "a condition on a path",
        &[
            ("equals", "It is one of these."),
            ("glob", "It matches one of these; `*` stops at `/`, `X/**` includes X."),
            ("not", "This does not hold of it."),
            ("inside", "It is one of these or lies below one."),
            ("outside", "It is none of these and lies below none."),
            ("raw_regex", "Its text as written; not where a match loosens."),
        ],
    ),
    (
        "a condition on a URL",
        &[
            ("scheme", "One of these schemes."),
            ("host", "One of these hosts; `*.example.com` is its subdomains alone."),
            ("port", "One of these ports."),
            ("path", "The path matches one of these globs."),
            ("method", "One of these methods."),
            ("private", "Whether the host is a private address, in any spelling."),
        ],
    ),
    (
        "a condition on text",
        &[
            ("equals", "The whole text is this."),
            ("any_of", "The whole text is one of these."),
            ("contains", "The text contains one of these."),
            ("glob", "The whole text matches one of these globs."),
            ("regex", "The text matches one of these; where a match loosens, the whole text."),
            ("max_len", "At most so many bytes."),
        ],
    ),
    ("a condition on a number", &[("equals", "It is this."), ("min", "At least this."), ("max", "At most this.")]),
    ("a condition on a boolean", &[("equals", "It is this.")]),
    (
        "a condition on code",
        &[
            ("language", "One of these languages."),
            ("effects", "It has one of these effects; where a match loosens, no others."),
            ("regex", "The text matches one of these."),
        ],
    ),
    (
        "a flow",
        &[
            ("from", "Where the bytes come from: a program, a set, `network`, or a table."),
            ("to", "Where they get: a program, a set, `code`, `network`, or a table."),
        ],
    ),
    (
        "an end of a flow",
        &[
            ("program", "One of these programs."),
            ("access", "An access of one of these kinds."),
            ("path", "The path of that access."),
            ("request", "A request."),
        ],
    ),
];

/// Keys of fields, whatever their kind.
const FIELDS: Described = &[
    ("kind", "What the argument holds."),
    ("keys", "Where in the arguments it is: names between slashes, `*` for each element; its own name where left out."),
    ("optional", "Whether it may be absent."),
    ("directory", "Arguments that name the directory that the command runs in."),
    ("environment", "The argument that sets its environment."),
    ("dialect", "The shell that reads it; left out: what any of them would read."),
    ("access", "What the tool does to the path; left out: anything."),
    ("recursive", "Whether what lies below is meant too."),
    ("default", "The path that absence means."),
    ("pattern", "Whether it is a glob."),
    ("base", "The path field that a glob is relative to."),
    ("find", "Whether URLs are searched for in free text."),
    ("language", "The language of the code, where the call does not say."),
    ("language_key", "The argument that says the language."),
];

/// What a key of a place says.
pub(super) fn description(place: &str, key: &str) -> Option<&'static str> {
    let find = |described: Described| described.iter().find(|(name, _)| *name == key).map(|(_, text)| *text);
    let own = DESCRIPTIONS.iter().find(|(name, _)| *name == place).and_then(|(_, described)| find(described));
    own.or_else(|| if place.ends_with(" field") { find(FIELDS) } else { None })
}
