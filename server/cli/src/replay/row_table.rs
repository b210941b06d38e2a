//! The rows of the result: each policy with each of its bindings.

use super::effect::Effect;
use super::policies::Policies;

/// A policy with one of its bindings, or without one.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The index of the policy.
    pub(super) policy: usize,
    /// The name of the binding.
    pub(super) binding: Option<String>,
    /// The index of the binding on the server.
    place: Option<usize>,
    /// The validation actions of the binding.
    pub(super) actions: Vec<Effect>,
}

/// All rows, in the order of the policies.
#[derive(Debug)]
pub(super) struct RowTable(pub(super) Vec<Row>);

impl RowTable {
    pub(super) fn new(policies: &Policies) -> Self {
        let mut rows = Vec::new();
        for (place, policy) in policies.policies.iter().enumerate() {
            let bindings = policy.bindings.iter();
            rows.extend(bindings.map(|binding| {
                Row {
                    policy: place,
                    binding: Some(binding.name.clone()),
                    place: policies.place_of(&binding.document),
                    actions: binding
                        .actions
                        .iter()
                        .filter_map(|it| Effect::from_action(it))
                        .collect(),
                }
            }));
            if policy.bindings.is_empty() {
                rows.push(Row {
                    policy: place,
                    binding: None,
                    place: None,
                    actions: vec![Effect::Denied],
                });
            }
        }
        Self(rows)
    }

    /// Returns the row of a policy with a binding. Errors of the policy itself belong to its
    /// first row.
    pub(super) fn find(&self, policy: usize, binding: Option<usize>) -> Option<(usize, &Row)> {
        let is = |row: &Row| binding.is_none() || row.place == binding;
        let mut rows = self.0.iter().enumerate();
        rows.find(|(_, row)| row.policy == policy && is(row))
    }
}
