//! Conditions on flows.

use super::Reading;
use super::places;
use super::sets::BuiltIn;
use super::table::{Entries, Item, written};
use crate::Direction;
use crate::policy::{FlowCondition, FlowEnd};

impl<'t> Reading<'t> {
    /// The conditions of `flow`.
    pub(super) fn flow_conditions(&mut self, entries: &Entries<'t>, direction: Direction) -> Vec<FlowCondition> {
        entries.items("flow").into_iter().map(|item| self.flow_condition(item, direction)).collect()
    }

    fn flow_condition(&mut self, item: &'t Item<'t>, direction: Direction) -> FlowCondition {
        let entries = self.entries(item, &places::FLOW, direction);
        self.not_empty(item, &places::FLOW);
        FlowCondition { from: self.ends(&entries, "from", direction), to: self.ends(&entries, "to", direction) }
    }

    fn ends(&mut self, entries: &Entries<'t>, key: &str, direction: Direction) -> Vec<FlowEnd> {
        let mut ends = Vec::new();
        for item in entries.items(key) {
            let Some(text) = written(item) else {
                ends.push(self.end(item, direction));
                continue;
            };
            let mut texts = Vec::new();
            self.expand(key, text, BuiltIn::Programs, &mut texts);
            for text in texts {
                match text.text.as_str() {
                    "code" => ends.push(FlowEnd::Code),
                    "network" => ends.push(FlowEnd::Network),
                    _ => ends.extend(self.program(&text).map(FlowEnd::Program)),
                }
            }
        }
        ends
    }

    fn end(&mut self, item: &'t Item<'t>, direction: Direction) -> FlowEnd {
        let entries = self.entries(item, &places::END, direction);
        self.not_empty(item, &places::END);
        FlowEnd::Table {
            program: self.programs_of(&entries, "program"),
            access: self.accesses(&entries, "access"),
            path: self.path_conditions(&entries, "path", direction),
            request: self.url_conditions(&entries, "request", direction),
        }
    }
}
