//! A recorder of the rules that have run on an object.

use super::Rule;
use cel::eval::Bindings;
use policy::field_error::FieldError;
use std::collections::HashMap;
use yaml::NodeId;

/// The rules that have run, each once, by their entries of `x-kubernetes-validations`.
#[derive(Debug, Default)]
pub(super) struct Recorder(pub(super) HashMap<NodeId, RuleRun>);

/// A rule that has run.
#[derive(Debug)]
pub(super) struct RuleRun {
    /// The bindings of the rule, and those of its message.
    pub(super) bindings: (Bindings, Bindings),
    /// The error of the server, if the rule is violated.
    pub(super) error: Option<FieldError>,
}

impl Recorder {
    /// Adds a rule that has run on one value.
    pub(super) fn add(
        &mut self,
        rule: &Rule,
        (bindings, of_message): (&Bindings, &Bindings),
        error: Option<&FieldError>,
    ) {
        let known = self.0.get(&rule.entry);
        if known.is_some_and(|known| known.error.is_some() || error.is_none()) {
            return;
        }
        let ran = RuleRun {
            bindings: (bindings.clone(), of_message.clone()),
            error: error.cloned(),
        };
        self.0.insert(rule.entry, ran);
    }
}
