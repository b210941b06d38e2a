//! The decisions of a policy for all its inputs.

use super::{AnswerKind, Evaluator, InputAnswer, PreparedInput};
use admission::Caveat;
use std::sync::Arc;

/// The decisions of a policy for its inputs.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The outcomes, the best input first.
    pub outcomes: Vec<InputOutcome>,
    /// The number of further inputs that were not evaluated.
    pub omitted: usize,
}

/// The decision of a policy for an input.
#[derive(Clone, Debug)]
pub struct InputOutcome {
    /// The input.
    pub input: Arc<PreparedInput>,
    /// The answer. `None` if the input has no request.
    pub answer: Option<Arc<InputAnswer>>,
    /// The result for the policy.
    pub kind: AnswerKind,
}

/// The number of inputs by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// No objection.
    pub allowed: usize,
    /// A validation fails.
    pub denied: usize,
    /// An expression fails, or the input does not describe a request.
    pub errors: usize,
    /// The API server rejects the request before it evaluates the policy.
    pub rejected: usize,
    /// The policy does not match them.
    pub not_evaluated: usize,
}

/// Limit: the inputs against which a policy is evaluated.
const MAX_TRIED: usize = 100;

/// Limit: the cost units that all inputs of a policy may use, some hundred milliseconds.
const MAX_COST: u64 = 20_000_000;

impl Summary {
    /// Returns whether the response to an input that the policy matches has a caveat.
    #[must_use]
    pub fn has_caveat(&self, caveat: Caveat) -> bool {
        let evaluated = self.outcomes.iter();
        let mut evaluated = evaluated.filter(|it| it.kind != AnswerKind::NotEvaluated);
        evaluated.any(|it| {
            let answer = it.answer.as_ref();
            answer.is_some_and(|answer| answer.response.caveats.contains(&caveat))
        })
    }

    /// Returns the number of inputs by result.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let count = |kind| self.outcomes.iter().filter(|it| it.kind == kind).count();
        Counts {
            allowed: count(AnswerKind::Allowed),
            denied: count(AnswerKind::Denied),
            errors: count(AnswerKind::Error),
            rejected: count(AnswerKind::Rejected),
            not_evaluated: count(AnswerKind::NotEvaluated),
        }
    }
}

impl Evaluator<'_> {
    /// Returns the decisions of a policy for its inputs.
    #[must_use]
    pub fn summary(&self, policy: usize) -> Summary {
        let mut summary = Summary::default();
        let inputs = self.matching(policy);
        let mut cost = 0_u64;
        for input in inputs.iter().take(MAX_TRIED) {
            if cost > MAX_COST || self.limits.is_over() {
                break;
            }
            let answer = self.answer_for(policy, input);
            let kind = answer
                .as_ref()
                .map_or(AnswerKind::Error, |answer| answer.kind_of(policy));
            let evaluations = answer.iter().flat_map(|it| it.evaluations());
            let costs = evaluations.map(|(_, evaluation)| evaluation.cost);
            cost = costs.fold(cost, u64::saturating_add);
            summary.outcomes.push(InputOutcome {
                input: Arc::clone(input),
                answer,
                kind,
            });
        }
        summary.omitted = inputs.len() - summary.outcomes.len();
        summary
    }
}
