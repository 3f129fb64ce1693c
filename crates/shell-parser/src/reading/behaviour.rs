//! What a program does with the options that were given.

use crate::arguments::GivenOption;
use crate::programs::{Bare, InputKind, Makes, OptionId, OutputKind, Program, Role, Trait, holds};

/// What a program does, all of its cases that apply taken together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Behaviour<'a> {
    pub(super) operands: &'a [u32],
    /// The option that gave the operands their roles; `None`: they have them anyway.
    pub(super) because: Option<u32>,
    pub(super) missing: Option<&'a str>,
    pub(super) works_on: Option<Role>,
    pub(super) method: Option<&'a str>,
    pub(super) input: InputKind,
    pub(super) output: OutputKind,
    pub(super) bare: Bare,
    pub(super) makes: Makes,
    traits: u32,
}

impl<'a> Behaviour<'a> {
    /// What `program` does when `options` are given.
    pub(super) fn new(program: Program<'a>, options: &[GivenOption<'a>]) -> Self {
        let said = program.said();
        let mut behaviour = Self {
            operands: program.operands(said).unwrap_or(&[]),
            because: None,
            missing: program.missing(said),
            works_on: said.works_on(),
            method: program.method(said),
            input: said.input().unwrap_or(InputKind::Data),
            output: said.output().unwrap_or(OutputKind::Unknown),
            bare: said.bare().unwrap_or(Bare::Nothing),
            makes: said.makes().unwrap_or(Makes::Content),
            traits: said.traits(0),
        };
        for case in program.cases() {
            let Some(because) = given(program, case, options) else { continue };
            let said = Program::case_behaviour(case);
            if let Some(operands) = program.operands(said) {
                behaviour.operands = operands;
                behaviour.because = Some(because);
            }
            behaviour.missing = program.missing(said).or(behaviour.missing);
            behaviour.works_on = said.works_on().or(behaviour.works_on);
            behaviour.method = program.method(said).or(behaviour.method);
            behaviour.input = said.input().unwrap_or(behaviour.input);
            behaviour.output = said.output().unwrap_or(behaviour.output);
            behaviour.bare = said.bare().unwrap_or(behaviour.bare);
            behaviour.makes = said.makes().unwrap_or(behaviour.makes);
            behaviour.traits = said.traits(behaviour.traits);
        }
        behaviour
    }

    pub(super) fn is(&self, property: Trait) -> bool {
        holds(self.traits, property)
    }
}

/// The role of an option's value when `options` are given.
pub(super) fn role<'a>(program: Program<'a>, options: &[GivenOption<'a>], option: OptionId) -> Role {
    let mut role = program.role(option);
    for case in program.cases() {
        if let Some(changed) = program.changed_role(case, option)
            && given(program, case, options).is_some()
        {
            role = changed;
        }
    }
    role
}

/// Whether a case applies: the index of the last option that it needs.
pub(super) fn given<'a>(
    program: Program<'a>,
    case: crate::programs::Said<'a>,
    options: &[GivenOption<'a>],
) -> Option<u32> {
    let mut last = None;
    for group in program.given(case) {
        let index = options
            .iter()
            .position(|given| given.written && given.option.is_some_and(|OptionId(option)| group.contains(&option)))?;
        last = last.max(Some(super::words::number(index)));
    }
    last
}
