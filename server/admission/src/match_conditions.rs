//! Match conditions: whether the `matchConditions` of a policy or a webhook match a request.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/matchconditions/matcher.go, Match.

use super::decision::Evaluated;
use cel::Value;

/// Whether the match conditions of a policy match a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Matched {
    /// It does.
    Yes,
    /// A match condition is false. The number is the index of the condition in
    /// [`PolicyDocument::expressions`](policy::PolicyDocument::expressions).
    No(usize),
    /// They fail; the message of the server.
    Unknown(String),
}

impl Matched {
    /// Returns the outcome of match conditions. A false one decides even if another one fails.
    pub(super) fn from_conditions(conditions: Vec<Evaluated>) -> Self {
        let is_false = |it: &&Evaluated| matches!(it.result, Ok(Value::Bool(false)));
        if let Some(condition) = conditions.iter().find(is_false) {
            return Self::No(condition.index);
        }
        let mut errors: Vec<String> = Vec::new();
        for error in conditions.into_iter().filter_map(|it| it.result.err()) {
            if !errors.contains(&error) {
                errors.push(error);
            }
        }
        match errors.as_slice() {
            [] => Self::Yes,
            [error] => Self::Unknown(error.clone()),
            _ => Self::Unknown(format!("[{}]", errors.join(", "))),
        }
    }
}
