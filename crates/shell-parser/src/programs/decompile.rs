//! From a table back to a program's entry, so that a policy's entry can be added to it.

use super::compile::{NONE, program};
use super::role::Role;
use super::spec::{Behaviour, Case, OptionSpec, ProgramSpec};
use super::table::{OptionId, Program, Said};
use super::vocabulary::{Kind, Trait};

impl Program<'_> {
    /// The entry that gives this program.
    #[must_use]
    pub fn spec(self) -> ProgramSpec {
        let mut subcommands: Vec<(u32, ProgramSpec)> = Vec::new();
        for (_, subcommand) in self.subcommands() {
            if !subcommands.iter().any(|(index, _)| *index == subcommand.index) {
                subcommands.push((subcommand.index, subcommand.spec()));
            }
        }
        subcommands.sort_by_key(|(index, _)| *index);
        let options = self.options().map(|option| OptionSpec {
            spellings: self.spellings(option).map(str::to_owned).collect(),
            role: self.role(option),
        });
        let when = self.cases().map(|case| Case {
            given: self.given(case).map(|group| self.names(group)).collect(),
            options: self
                .options()
                .filter_map(|option| Some((self.spelling(option), self.changed_role(case, option)?)))
                .collect(),
            also: self.also(case).map(|option| self.spelling(option)).collect(),
            behaviour: self.behaviour(Self::case_behaviour(case)),
        });
        ProgramSpec {
            name: self.name().to_owned(),
            names: self.aliases().map(str::to_owned).collect(),
            kinds: Kind::ALL.iter().copied().filter(|kind| self.is(*kind)).collect(),
            grammar: Some(self.grammar()),
            language: self.language().map(str::to_owned),
            scheme: (self.field(program::SCHEME) != NONE).then(|| self.scheme().to_owned()),
            options: options.collect(),
            behaviour: self.behaviour(self.said()),
            when: when.collect(),
            subcommands: subcommands.into_iter().map(|(_, spec)| spec).collect(),
        }
    }

    fn spelling(self, option: OptionId) -> String {
        self.spellings(option).next().unwrap_or_default().to_owned()
    }

    fn names(self, group: &[u32]) -> Vec<String> {
        group.iter().map(|option| self.spelling(OptionId(*option))).collect()
    }

    fn behaviour(self, said: Said<'_>) -> Behaviour {
        let traits = |bits: u32| Trait::ALL.iter().copied().filter(|one| bits & (1 << one.number()) != 0).collect();
        Behaviour {
            operands: self.operands_of(said),
            missing: self.missing_of(said),
            works_on: said.works_on(),
            method: self.method_of(said),
            input: said.input(),
            output: said.output(),
            bare: said.bare(),
            makes: said.makes(),
            yes: traits(said.traits(0)),
            no: traits(said.no()),
        }
    }

    fn operands_of(self, said: Said<'_>) -> Option<Vec<Role>> {
        let program = Program { programs: self.programs, index: self.index };
        program.operands(said).map(|roles| roles.iter().map(|role| Role::numbered(*role)).collect())
    }

    fn missing_of(self, said: Said<'_>) -> Option<String> {
        let program = Program { programs: self.programs, index: self.index };
        program.missing(said).map(str::to_owned)
    }

    fn method_of(self, said: Said<'_>) -> Option<String> {
        let program = Program { programs: self.programs, index: self.index };
        program.method(said).map(str::to_owned)
    }
}
