//! What a policy decides, about one object and about all samples.

use super::{SampleKey, Trial};
use crate::Sample;
use policy::PolicyDocument;
use policy::admission::{Evaluation, Outcome, Verdict};
use text::TextRange;

/// What a policy decides about an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyEvaluation {
    /// The outcome.
    pub verdict: VerdictKind,
    /// The validations that do not hold, in the order of the file.
    pub denials: Vec<Denial>,
    /// The audit annotations that are written: key and value.
    pub audit_annotations: Vec<(String, String)>,
    /// The cost units.
    pub cost: u64,
}

/// The outcome of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerdictKind {
    /// A match condition is false, so the policy says nothing.
    Skipped {
        /// The condition in the file.
        range: TextRange,
    },
    /// A match condition fails, and the failure policy ignores it.
    Ignored,
    /// The request is allowed.
    Allowed,
    /// The request is denied.
    Denied,
}

/// A validation that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Denial {
    /// Its expression in the file; the whole policy where that failed.
    pub range: TextRange,
    /// The field path of the expression; empty for the whole policy.
    pub path: String,
    /// What the user of the API is told.
    pub message: String,
    /// The reason for programs; `None` where the expression failed.
    pub reason: Option<String>,
    /// Whether the request is denied: a failure may be ignored.
    pub denies: bool,
}

/// What a policy decides about the samples that it matches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The outcomes, the nearest sample first.
    pub outcomes: Vec<SampleOutcome>,
    /// How many more samples match that were not tried.
    pub not_tried: usize,
}

/// What a policy decides about a sample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SampleOutcome {
    /// The sample.
    pub sample: SampleKey,
    /// The outcome.
    pub evaluation: PolicyEvaluation,
}

/// Limit: how many samples are tried on a policy.
const MAX_TRIED: usize = 100;

/// Limit: the cost units that all samples of a policy may use, some hundred milliseconds.
const MAX_COST: u64 = 20_000_000;

impl PolicyEvaluation {
    pub(super) fn new(document: &PolicyDocument, evaluation: &Evaluation) -> Self {
        let verdict = match evaluation.verdict {
            Verdict::Skipped(condition) => VerdictKind::Skipped {
                range: place(document, Some(condition)).0,
            },
            Verdict::Ignored => VerdictKind::Ignored,
            Verdict::Allowed => VerdictKind::Allowed,
            Verdict::Denied => VerdictKind::Denied,
        };
        let denials = evaluation.decisions.iter().filter_map(|decision| {
            let (message, reason) = match &decision.outcome {
                Outcome::Holds => return None,
                Outcome::Denies { message, reason } => (message, Some(reason.clone())),
                Outcome::Fails { message, .. } => (message, None),
            };
            let (range, path) = place(document, decision.index);
            Some(Denial {
                range,
                path,
                message: message.clone(),
                reason,
                denies: decision.denies(),
            })
        });
        let annotations = evaluation.audit_annotations.iter();
        let annotations = annotations.filter_map(|annotation| {
            let value = annotation.value.clone().unwrap_or_else(Some)?;
            Some((annotation.key.clone(), value))
        });
        Self {
            verdict,
            denials: denials.collect(),
            audit_annotations: annotations.collect(),
            cost: evaluation.cost,
        }
    }
}

/// The place and the path of an expression; those of the whole policy without one.
fn place(document: &PolicyDocument, index: Option<usize>) -> (TextRange, String) {
    let expression = index.and_then(|index| document.expressions().get(index));
    match expression {
        Some(expression) => {
            let range = document.node(expression.node).range();
            (range, expression.path.to_string())
        }
        None => {
            let root = document.root();
            (root.get("kind").unwrap_or(root).range(), String::new())
        }
    }
}

impl Summary {
    /// How many samples pass, and how many do not. Those that the policy skips pass.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        let denied = |outcome: &&SampleOutcome| outcome.evaluation.verdict == VerdictKind::Denied;
        let failing = self.outcomes.iter().filter(denied).count();
        (self.outcomes.len() - failing, failing)
    }
}

/// Tries a policy on samples that it matches.
pub(super) fn summary(trial: &Trial<'_>, policy: usize, samples: &[&Sample]) -> Summary {
    let mut summary = Summary::default();
    let Some(document) = trial.file.policies().get(policy) else {
        return summary;
    };
    let mut cost = 0_u64;
    for sample in samples.iter().take(MAX_TRIED) {
        if cost > MAX_COST || trial.limits.is_cancelled() {
            break;
        }
        let request = trial.request_for(document, document.root(), sample);
        let evaluation = request.and_then(|request| trial.policy_for(policy, &request));
        let Some(evaluation) = evaluation else {
            continue;
        };
        cost = cost.saturating_add(evaluation.cost);
        summary.outcomes.push(SampleOutcome {
            sample: SampleKey::of(sample),
            evaluation,
        });
    }
    summary.not_tried = samples.len() - summary.outcomes.len();
    summary
}
