//! The decision of a policy about a request.

use super::storable::storable;
pub use admission::DecisionOutcome;
use admission::{Decision, Evaluation, Matched, Mutation, MutationStep, Request, Verdict};
use policy::PolicyDocument;
use std::sync::{Arc, Mutex};
use text::TextRange;

/// The index of a mutation, and the request that it sees.
type RequestAt = (usize, Arc<Request>);

/// The decision of a policy about a request.
#[derive(Clone, Debug)]
pub struct PolicyEvaluation {
    /// The request as the policy sees it.
    pub request: Arc<Request>,
    /// The outcome.
    pub verdict: VerdictKind,
    /// The result of each validation, in the order of the file.
    pub decisions: Vec<DecisionResult>,
    /// The result of each mutation, in the order of the file.
    pub mutations: Vec<MutationResult>,
    /// The object after the mutations of this policy, as far as it can be stored. `None` for a
    /// validating policy, and if there is no object.
    pub object: Option<cel::Value>,
    /// The audit annotations: key and value.
    pub audit_annotations: Vec<(String, String)>,
    /// The audit annotations that fail, with the message of the API server.
    pub audit_errors: Vec<(String, String)>,
    /// The cost units.
    pub cost: u64,
    /// The mutation whose request was read last, with the request.
    pub(super) cursor: Arc<Mutex<Option<RequestAt>>>,
}

/// The outcome of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VerdictKind {
    /// A match condition is false, so the policy is not evaluated.
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

/// The result of a validation, or of all match conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionResult {
    /// Its expression in the file, or the kind of the policy if it is about the whole policy.
    pub range: TextRange,
    /// The field path of the expression; empty for the whole policy.
    pub path: String,
    /// The outcome.
    pub outcome: DecisionOutcome,
}

/// The result of a mutation.
#[derive(Clone, Debug)]
pub struct MutationResult {
    /// Its expression in the file.
    pub range: TextRange,
    /// The field path of the expression.
    pub path: String,
    /// The error of the API server if it could not be applied.
    pub error: Option<String>,
}

impl DecisionResult {
    /// Returns the message for the API client, unless the validation holds.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        match &self.outcome {
            DecisionOutcome::Holds => None,
            DecisionOutcome::Denies { message, .. } | DecisionOutcome::Fails { message, .. } => {
                Some(message)
            }
        }
    }
}

impl PolicyEvaluation {
    /// Returns the object before the mutations of this policy, as far as it can be stored.
    #[must_use]
    pub fn before(&self) -> Option<cel::Value> {
        self.request.inputs.object.clone().map(storable)
    }

    /// Returns the validations that do not hold or fail.
    pub fn objections(&self) -> impl Iterator<Item = &DecisionResult> {
        let decisions = self.decisions.iter();
        decisions.filter(|it| it.outcome != DecisionOutcome::Holds)
    }

    pub(super) fn validated(
        document: &PolicyDocument,
        evaluation: &Evaluation,
        request: Arc<Request>,
    ) -> Self {
        let verdict = match evaluation.verdict {
            Verdict::Skipped(condition) => skipped(document, condition),
            Verdict::Ignored => VerdictKind::Ignored,
            Verdict::Allowed => VerdictKind::Allowed,
            Verdict::Denied => VerdictKind::Denied,
        };
        let decisions = evaluation.decisions.iter();
        let decisions = decisions.map(|decision| decision_result(document, decision));
        let (mut written, mut failed) = (Vec::new(), Vec::new());
        for annotation in &evaluation.audit_annotations {
            let key = annotation.key.clone();
            match &annotation.value {
                Ok(Some(value)) => written.push((key, value.clone())),
                Ok(None) => {}
                Err(words) => failed.push((key, words.clone())),
            }
        }
        Self {
            request,
            verdict,
            decisions: decisions.collect(),
            mutations: Vec::new(),
            object: None,
            audit_annotations: written,
            audit_errors: failed,
            cost: evaluation.cost,
            cursor: Arc::default(),
        }
    }

    pub(super) fn mutated(
        document: &PolicyDocument,
        mutation: Mutation,
        request: Arc<Request>,
    ) -> Self {
        let fails = document.failure_policy().denies();
        let steps = mutation.steps.into_iter();
        let mutations: Vec<MutationResult> =
            steps.map(|step| mutation_result(document, step)).collect();
        let is_broken = mutations.iter().any(|it| it.error.is_some());
        let mut decisions = Vec::new();
        let verdict = match mutation.matched {
            Matched::No(condition) => skipped(document, condition),
            Matched::Unknown(_) if !fails => VerdictKind::Ignored,
            Matched::Unknown(message) => {
                let (range, path) = range_and_path(document, None);
                let outcome = DecisionOutcome::Fails {
                    message,
                    denies: true,
                };
                decisions.push(DecisionResult {
                    range,
                    path,
                    outcome,
                });
                VerdictKind::Denied
            }
            Matched::Yes if is_broken && fails => VerdictKind::Denied,
            Matched::Yes => VerdictKind::Allowed,
        };
        Self {
            request,
            verdict,
            decisions,
            mutations,
            object: mutation.object.map(storable),
            audit_annotations: Vec::new(),
            audit_errors: Vec::new(),
            cost: mutation.cost,
            cursor: Arc::default(),
        }
    }
}

fn mutation_result(document: &PolicyDocument, step: MutationStep) -> MutationResult {
    let (range, path) = range_and_path(document, Some(step.index));
    MutationResult {
        range,
        path,
        error: step.result.err().map(|error| error.to_string()),
    }
}

fn decision_result(document: &PolicyDocument, decision: &Decision) -> DecisionResult {
    let (range, path) = range_and_path(document, decision.index);
    DecisionResult {
        range,
        path,
        outcome: decision.outcome.clone(),
    }
}

fn skipped(document: &PolicyDocument, condition: usize) -> VerdictKind {
    let (range, _) = range_and_path(document, Some(condition));
    VerdictKind::Skipped { range }
}

/// Returns the range and the path of an expression, or those of the whole policy.
fn range_and_path(document: &PolicyDocument, index: Option<usize>) -> (TextRange, String) {
    let expression = index.and_then(|index| document.expressions().get(index));
    match expression {
        Some(expression) => {
            let range = document.node(expression.node).range();
            (range, expression.path.to_string())
        }
        None => (document.kind_range(), String::new()),
    }
}
