//! What a policy decides about all candidates for it.

use super::{AnswerKind, Candidate, Trial, TrialAnswer};
use std::sync::Arc;

/// What a policy decides about the candidates for it.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The outcomes, the best candidate first.
    pub outcomes: Vec<CandidateOutcome>,
    /// How many more candidates there are that were not tried.
    pub not_tried: usize,
}

/// What a policy decides about a candidate.
#[derive(Clone, Debug)]
pub struct CandidateOutcome {
    /// The candidate.
    pub candidate: Arc<Candidate>,
    /// The answer. `None` where the candidate makes no request.
    pub answer: Option<TrialAnswer>,
    /// What it comes to for the policy.
    pub kind: AnswerKind,
}

/// How many candidates a policy treats in which way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Nothing speaks against them.
    pub allowed: usize,
    /// A validation does not hold.
    pub denied: usize,
    /// An expression fails, or the input makes no request.
    pub errors: usize,
    /// The policy does not look at them.
    pub not_asked: usize,
}

/// Limit: how many candidates are tried on a policy.
const MAX_TRIED: usize = 100;

/// Limit: the cost units that all candidates of a policy may use, some hundred milliseconds.
const MAX_COST: u64 = 20_000_000;

impl Summary {
    /// How many candidates the policy treats in which way.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let count = |kind| self.outcomes.iter().filter(|it| it.kind == kind).count();
        Counts {
            allowed: count(AnswerKind::Allowed),
            denied: count(AnswerKind::Denied),
            errors: count(AnswerKind::Error),
            not_asked: count(AnswerKind::NotAsked),
        }
    }
}

impl Trial<'_> {
    /// What a policy decides about the candidates for it.
    #[must_use]
    pub fn summary(&self, policy: usize) -> Summary {
        let mut summary = Summary::default();
        let candidates = self.matching(policy);
        let mut cost = 0_u64;
        for candidate in candidates.iter().take(MAX_TRIED) {
            if cost > MAX_COST || self.limits.is_cancelled() {
                break;
            }
            let answer = self.answer_for(policy, candidate);
            let kind = answer
                .as_ref()
                .map_or(AnswerKind::Error, |answer| answer.kind_of(policy));
            let evaluations = answer.iter().flat_map(TrialAnswer::evaluations);
            let costs = evaluations.map(|(_, evaluation)| evaluation.cost);
            cost = costs.fold(cost, u64::saturating_add);
            summary.outcomes.push(CandidateOutcome {
                candidate: Arc::clone(candidate),
                answer,
                kind,
            });
        }
        summary.not_tried = candidates.len() - summary.outcomes.len();
        summary
    }
}
