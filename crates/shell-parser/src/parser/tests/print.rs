//! A tree as one line of text.
//!
//! A command is `(name child …)`; the parts of a word stand side by side: literal text bare (in `«…»` where it holds
//! blanks, brackets or quotes), `\c`, `'…'`, `$'…'`, `"…"`, `${…}`, `$(…)`, `$[…]` for arithmetic, `<(…)`, `@(…)`. A fault
//! stands at the end as `!syntax` or `!limit`.

use std::fmt::{self, Display, Formatter, Write as _};

use crate::tree::*;

/// A tree, to be displayed.
pub(super) struct Printed<T>(pub(super) T);

pub(super) fn line(script: &Script<'_>) -> String {
    let mut line = Printed(script.list).to_string();
    if let Some(fault) = script.fault {
        let kind = if fault.kind == FaultKind::Syntax { "syntax" } else { "limit" };
        let separator = if line.is_empty() { "" } else { " " };
        write!(line, "{separator}!{kind}").unwrap();
    }
    line.replace('\n', "⏎").replace('\t', "⇥")
}

fn spaced<T: Copy>(f: &mut Formatter<'_>, items: &[T]) -> fmt::Result
where
    Printed<T>: Display,
{
    items.iter().try_for_each(|item| write!(f, " {}", Printed(*item)))
}

impl Display for Printed<List<'_>> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, statement) in self.0.0.iter().enumerate() {
            write!(f, "{}{}", if index == 0 { "" } else { " " }, Printed(*statement))?;
        }
        Ok(())
    }
}

impl Display for Printed<Statement<'_>> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.background {
            return write!(f, "(& {})", Printed(Statement { background: false, ..self.0 }));
        }
        if self.0.rest.is_empty() {
            return write!(f, "{}", Printed(self.0.first));
        }
        write!(f, "(list {}", Printed(self.0.first))?;
        for (connector, pipeline) in self.0.rest {
            let connector = if *connector == Connector::And { "&&" } else { "||" };
            write!(f, " {connector} {}", Printed(*pipeline))?;
        }
        f.write_str(")")
    }
}

impl Display for Printed<Pipeline<'_>> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Pipeline { negated, time, stages, span } = self.0;
        if negated {
            return write!(f, "(! {})", Printed(Pipeline { negated: false, time, stages, span }));
        }
        if time.is_some() {
            return write!(f, "(time {})", Printed(Pipeline { negated, time: None, stages, span }));
        }
        if let [stage] = stages {
            return write!(f, "{}", Printed(stage.command));
        }
        f.write_str("(pipe")?;
        for stage in stages {
            write!(f, " {}{}", Printed(stage.command), if stage.pipes_stderr { " &" } else { "" })?;
        }
        f.write_str(")")
    }
}

impl Display for Printed<Command<'_>> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0.kind {
            CommandKind::Simple { assignments, words } => {
                f.write_str("(run")?;
                spaced(f, assignments)?;
                spaced(f, words)?;
            }
            CommandKind::Subshell(list) => write!(f, "(subshell {}", Printed(list))?,
            CommandKind::Group(list) => write!(f, "(group {}", Printed(list))?,
            CommandKind::If { branches, otherwise } => {
                f.write_str("(if")?;
                for (condition, body) in branches {
                    write!(f, " [{}] {}", Printed(*condition), Printed(*body))?;
                }
                if let Some(otherwise) = otherwise {
                    write!(f, " [else] {}", Printed(otherwise))?;
                }
            }
            CommandKind::Loop { until, condition, body } => {
                let name = if until { "until" } else { "while" };
                write!(f, "({name} [{}] {}", Printed(condition), Printed(body))?;
            }
            CommandKind::For { select, name, words, body } => {
                write!(f, "({} {name}", if select { "select" } else { "for" })?;
                if let Some(words) = words {
                    f.write_str(" in")?;
                    spaced(f, words)?;
                }
                write!(f, " [do] {}", Printed(body))?;
            }
            CommandKind::ArithmeticFor { expressions: [first, condition, step], body } => {
                write!(f, "(for ({}; {}; {})", Printed(first.word), Printed(condition.word), Printed(step.word))?;
                write!(f, " [do] {}", Printed(body))?;
            }
            CommandKind::Case { word, arms } => {
                write!(f, "(case {}", Printed(word))?;
                for arm in arms {
                    f.write_str(" [")?;
                    for (index, pattern) in arm.patterns.iter().enumerate() {
                        write!(f, "{}{}", if index == 0 { "" } else { "|" }, Printed(*pattern))?;
                    }
                    write!(f, "] {}{}", Printed(arm.body), if arm.falls_through { ";&" } else { "" })?;
                }
            }
            CommandKind::Function { name, body } => write!(f, "(function {name} {}", Printed(*body))?,
            CommandKind::Condition(words) => {
                f.write_str("(test")?;
                spaced(f, words)?;
            }
            CommandKind::Arithmetic(arithmetic) => write!(f, "(arithmetic {}", Printed(arithmetic.word))?,
            CommandKind::Coprocess { name, body } => {
                write!(f, "(coproc {}{}", name.map(|name| format!("{name} ")).unwrap_or_default(), Printed(*body))?;
            }
        }
        spaced(f, self.0.redirects)?;
        f.write_str(")")
    }
}

impl Display for Printed<Assignment<'_>> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "(= {}", self.0.name)?;
        if let Some(subscript) = self.0.subscript {
            write!(f, "[{}]", Printed(subscript))?;
        }
        write!(f, "{} ", if self.0.append { " +" } else { "" })?;
        match self.0.value {
            AssignedValue::Word(word) => write!(f, "{})", Printed(word)),
            AssignedValue::Array(elements) => write!(f, "{})", Printed(elements)),
        }
    }
}

impl Display for Printed<&[(Option<Word<'_>>, Word<'_>)]> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("(array")?;
        for (subscript, word) in self.0 {
            f.write_str(" ")?;
            if let Some(subscript) = subscript {
                write!(f, "[{}]=", Printed(*subscript))?;
            }
            write!(f, "{}", Printed(*word))?;
        }
        f.write_str(")")
    }
}

impl Display for Printed<Redirect<'_>> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        match self.0.descriptor {
            Descriptor::Default => {}
            Descriptor::Number(number) => write!(f, "{number}")?,
            Descriptor::Variable(name) => write!(f, "{{{name}}}")?,
        }
        f.write_str(match self.0.operator {
            RedirectOperator::Read => "<",
            RedirectOperator::Write => ">",
            RedirectOperator::Clobber => ">|",
            RedirectOperator::Append => ">>",
            RedirectOperator::ReadWrite => "<>",
            RedirectOperator::DuplicateInput => "<&",
            RedirectOperator::DuplicateOutput => ">&",
            RedirectOperator::WriteBoth => "&>",
            RedirectOperator::AppendBoth => "&>>",
            RedirectOperator::HereDocument => "<<",
            RedirectOperator::HereString => "<<<",
        })?;
        write!(f, " {}", Printed(self.0.target))?;
        if let Some(document) = self.0.document() {
            write!(f, " {}", Printed(document))?;
        }
        f.write_str("}")
    }
}

impl Display for Printed<Word<'_>> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.0.parts.is_empty() {
            return f.write_str("ε");
        }
        self.0.parts.iter().try_for_each(|part| write!(f, "{}", Printed(*part)))
    }
}

impl Display for Printed<Part<'_>> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Part::Text(text) if text.contains([' ', '\t', '\n', '(', ')', '[', ']', '\'', '"', '\\', '`', '$']) => {
                write!(f, "«{text}»")
            }
            Part::Text(text) => f.write_str(text),
            Part::Escaped(text) => write!(f, "\\{text}"),
            Part::SingleQuoted(text) => write!(f, "'{text}'"),
            Part::AnsiQuoted(text) => write!(f, "$'{text}'"),
            Part::DoubleQuoted(parts) => {
                f.write_str("\"")?;
                parts.iter().try_for_each(|part| write!(f, "{}", Printed(*part)))?;
                f.write_str("\"")
            }
            Part::Parameter(parameter) => write!(f, "{}", Printed(*parameter)),
            Part::Array(elements) => write!(f, "{}", Printed(elements)),
            Part::Command { list, .. } => write!(f, "$({})", Printed(list)),
            Part::Arithmetic(arithmetic) => write!(f, "$[{}]", Printed(arithmetic.word)),
            Part::Process { output, list, .. } => {
                write!(f, "{}({})", if output { '>' } else { '<' }, Printed(list))
            }
            Part::ExtendedGlob { operator, alternatives } => {
                write!(f, "{operator}(")?;
                for (index, alternative) in alternatives.iter().enumerate() {
                    write!(f, "{}{}", if index == 0 { "" } else { "|" }, Printed(*alternative))?;
                }
                f.write_str(")")
            }
        }
    }
}

impl Display for Printed<Parameter<'_>> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Parameter { length, indirect, name, subscript, operation, .. } = self.0;
        if !length && !indirect && subscript.is_none() && operation.is_none() {
            return write!(f, "${{{name}}}");
        }
        let (length, indirect) = (if length { "#" } else { "" }, if indirect { "!" } else { "" });
        write!(f, "${{{length}{indirect}{name}")?;
        if let Some(subscript) = subscript {
            write!(f, "[{}]", Printed(subscript))?;
        }
        if let Some(operation) = operation {
            write!(f, " {:?} {}", operation.kind, Printed(operation.operand))?;
            if let Some(second) = operation.second {
                write!(f, " {}", Printed(second))?;
            }
        }
        f.write_str("}")
    }
}
