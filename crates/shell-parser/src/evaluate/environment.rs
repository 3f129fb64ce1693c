//! What variables make programs read before their own words: start-up files, prompts, options.

use super::simple::Call;
use super::{Evaluator, Stream};
use crate::expand::Field;
use crate::facts::{How, InvocationId, Reach};
use crate::reading::{Effect, Lookup, Reading};
use crate::scope::Values;
use crate::{Span, Word};

/// What a program takes the value of a variable for.
#[derive(Clone, Copy)]
enum Read {
    /// Options in front of its own.
    Options,
    /// A file of code that it runs.
    File,
    /// Code.
    Code,
}

/// The variables whose values programs read, sorted by program.
const READ: &[(&str, &str, Read)] = &[
    ("go", "GOFLAGS", Read::Options),
    ("lua", "LUA_INIT", Read::Code),
    ("make", "MAKEFLAGS", Read::Options),
    ("node", "NODE_OPTIONS", Read::Options),
    ("perl", "PERL5DB", Read::Code),
    ("perl", "PERL5OPT", Read::Options),
    ("python", "PYTHONSTARTUP", Read::File),
    ("ruby", "RUBYOPT", Read::Options),
    ("tar", "TAR_OPTIONS", Read::Options),
];

impl<'a> Evaluator<'a> {
    /// What the variables that are exported here make a program read. Only where a steering variable was set at all
    /// is there anything to look for.
    pub(super) fn environment(
        &mut self,
        call: &Call<'a, '_>,
        id: InvocationId,
        reading: &Reading<'a>,
        input: Stream<'a>,
    ) {
        if !self.steering_seen || call.conjectured {
            return;
        }
        let Some(program) = reading.program else { return };
        // A value that runs the program again that reads it would never end.
        self.steering_seen = false;
        if program.is(crate::Kind::Shells) {
            self.startup(call, id, reading, input);
        }
        for (_, name, read) in READ.iter().filter(|row| row.0 == program.name()) {
            if let Some(text) = self.exported(name).filter(|text| !text.is_empty()) {
                self.read_value(call, id, program.language().unwrap_or("unknown"), text, *read);
            }
        }
        if program.name() == "git" {
            self.git_settings(id, call.span);
        }
        self.steering_seen = true;
    }

    /// `GIT_CONFIG_KEY_0` and `GIT_CONFIG_VALUE_0` (git-config(1), "Environment").
    fn git_settings(&mut self, id: InvocationId, span: Span) {
        let count = self.exported("GIT_CONFIG_COUNT").and_then(|text| text.parse::<u32>().ok()).unwrap_or(0);
        for index in 0..count.min(16) {
            let Some(key) = self.exported(&format!("GIT_CONFIG_KEY_{index}")) else { continue };
            let Some(value) = self.exported(&format!("GIT_CONFIG_VALUE_{index}")) else { continue };
            let steering = crate::steering::setting("git", key);
            self.steered(Word::Text(key), Word::Text(value), steering, Reach::Invocation, Some(id), span);
        }
    }

    /// The known text of an exported variable that this call set.
    pub(super) fn exported(&self, name: &str) -> Option<&'a str> {
        let variable = self.scope.variable(name);
        match variable.values {
            Values::Scalars([value]) if variable.exported => value.word.known(),
            _ => None,
        }
    }

    fn read_value(&mut self, call: &Call<'a, '_>, id: InvocationId, language: &'a str, text: &'a str, read: Read) {
        match read {
            Read::Options => {
                let Some((first, rest)) = call.fields.split_first() else { return };
                let options = text.split_ascii_whitespace().map(|word| Field::text(word, call.span));
                let fields: Vec<Field<'a>> =
                    std::iter::once(*first).chain(options).chain(rest.iter().copied()).collect();
                let redirections = super::redirect::Redirections::default();
                let lookup = Lookup::Files;
                let again = Call { fields: &fields, lookup, raw: "", redirections: &redirections, ..*call };
                let frame = super::Frame { via: self.below(id), ..self.frame };
                self.framed(frame, |this| {
                    this.deeper(call.span, (), |this| {
                        this.isolated(|this| this.call(&again));
                    });
                });
            }
            Read::File => {
                self.code_file(call, id, language, Word::Text(text), call.span, false, Stream::INHERITED);
            }
            Read::Code => {
                self.finding(crate::FindingKind::InlineCode, Some(id), call.span);
                let code = self.code(language, Word::Text(text), Some(id), call.span);
                self.flows(&[], code, How::Environment);
            }
        }
    }

    /// The files and texts that a shell reads before its own (bash manual, section 6.2; POSIX XCU sh, `ENV`).
    fn startup(&mut self, call: &Call<'a, '_>, id: InvocationId, reading: &Reading<'a>, input: Stream<'a>) {
        let options = reading.arguments.options;
        let given = |spelling: &str| options.iter().any(|one| one.written && one.spelling == spelling);
        let runs = reading.effects.iter().any(|effect| !matches!(effect, Effect::Interactive));
        let interactive = given("-i") || !runs && input.content == super::Content::Inherited;
        if given("-p") {
            return;
        }
        let bash = reading.program.is_some_and(|program| program.name() == "bash");
        let file = match (bash, interactive) {
            (true, false) => "BASH_ENV",
            (false, true) => "ENV",
            _ => "",
        };
        if let Some(text) = self.exported(file) {
            // The value is expanded as in double quotes, then read as a path.
            let path = self.expanded_again(text, call.span);
            self.code_file(call, id, "shell", path, call.span, false, Stream::INHERITED);
        }
        let prompts: &[&str] = if interactive { &["PS0", "PS1", "PS2"] } else { &[] };
        let traced: &[&str] = if given("-x") { &["PS4"] } else { &[] };
        for name in prompts.iter().chain(traced) {
            if let Some(text) = self.exported(name) {
                let frame = super::Frame { via: self.below(id), ..self.frame };
                self.framed(frame, |this| this.isolated(|this| this.read_again(text, call.span)));
            }
        }
    }
}
