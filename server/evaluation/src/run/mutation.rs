//! The changes of a mutating policy, as an object before and after.

use super::yaml::to_yaml;
use super::{Evaluator, PreparedInput, VerdictKind};

/// An object before and after the mutations of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MutationChange {
    /// The policy and the input: `add-labels: Deployment web`.
    pub title: String,
    /// The object before the policy, in YAML.
    pub before: String,
    /// The object after the mutations, in YAML.
    pub after: String,
    /// The server's messages about mutations that fail.
    pub errors: Vec<String>,
}

impl Evaluator<'_> {
    /// Returns the change that a mutating policy makes to the object of an input. `None` for
    /// other policies, and if the policy does not match or there is no object.
    #[must_use]
    pub fn mutation(&self, policy: usize, input: &PreparedInput) -> Option<MutationChange> {
        let answer = self.answer_for(policy, input)?;
        let mut evaluations = answer.evaluations();
        let (asked, evaluation) = evaluations.find(|(it, _)| it.policy == policy)?;
        if matches!(evaluation.verdict, VerdictKind::Skipped { .. }) {
            return None;
        }
        let after = evaluation.object.as_ref()?;
        let before = evaluation.before()?;
        let name = match asked.name.as_str() {
            "" => "policy",
            name => name,
        };
        let errors = evaluation.mutations.iter();
        Some(MutationChange {
            title: format!("{name}: {}", input.input().label()),
            before: to_yaml(&before),
            after: to_yaml(after),
            errors: errors.filter_map(|it| it.error.clone()).collect(),
        })
    }
}
