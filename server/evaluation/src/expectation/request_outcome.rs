//! The outcome of a request, and the parts of the policies that decided it.

use crate::run::{
    Action, DecisionOutcome, DecisionResult, Evaluator, InputAnswer, PolicyAnswer,
    PolicyEvaluation, PolicyOutcome, VerdictKind,
};
use admission::Request;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use text::TextRange;

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RequestOutcome {
    /// No policy matches it.
    Skipped,
    /// It is allowed without an objection.
    Allowed,
    /// It is allowed with a warning.
    Warned,
    /// It is allowed, and the objection is written to the audit log.
    Audited,
    /// It is allowed even though an expression fails.
    Ignored,
    /// A validation denies it.
    Denied,
    /// It is denied only because an expression fails.
    Failed,
    /// It is denied because a policy is misconfigured.
    NotConfigured,
    /// It is rejected by the validation of its kind or by a built-in admission plugin, not denied by
    /// a policy.
    DeniedByKind,
    /// No policy denies it, and the outcome of a policy cannot be determined.
    Unknown,
}

/// A part of a policy that decided the outcome.
#[derive(Clone, Debug)]
pub struct Decider {
    /// The index of the policy in [`ParsedFile::policies`](policy::ParsedFile::policies).
    pub policy: usize,
    /// The expression in [`PolicyDocument::expressions`](policy::PolicyDocument::expressions).
    /// `None` if it is not an expression.
    pub expression: Option<usize>,
    /// The range in the file of the policies. `None` if the cause is in another file.
    pub range: Option<TextRange>,
    /// The field path of the expression; empty if it is not an expression.
    pub path: String,
    /// Its effect.
    pub kind: DeciderKind,
    /// The request as the policy sees it. `None` if the policy was not evaluated.
    pub request: Option<Arc<Request>>,
    /// The bindings for which this holds; empty if the policy has none.
    pub bindings: Vec<String>,
}

/// The effect of a part of a policy on a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DeciderKind {
    /// The validation does not hold. Its message.
    Denies(String),
    /// The expression fails. The error of the API server.
    Fails(String),
    /// The match condition is false, so the policy is not evaluated.
    Skips,
    /// The policy is not evaluated. The reason.
    NotEvaluated(String),
    /// The validation holds.
    Holds,
}

/// An objection to a request.
pub(super) struct Objection<'a> {
    answer: &'a PolicyAnswer,
    path: &'a str,
    range: Option<TextRange>,
    request: Option<&'a Arc<Request>>,
    /// The message for the API client.
    pub(super) message: &'a str,
    /// Whether an expression fails, which neither allows nor denies the request.
    pub(super) fails: bool,
    /// Whether the failure policy ignores it.
    is_ignored: bool,
}

impl fmt::Display for RequestOutcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Skipped => "skipped: no policy matches it",
            Self::Allowed => "allowed",
            Self::Warned => "allowed with a warning",
            Self::Audited => "allowed and written to the audit log",
            Self::Ignored => "allowed even though an expression fails",
            Self::Denied => "denied",
            Self::Failed => "denied only because an expression fails",
            Self::NotConfigured => "denied because the policy is misconfigured",
            Self::DeniedByKind => "rejected by the API server, not denied by a policy",
            Self::Unknown => "unknown: an object that a policy needs is missing",
        })
    }
}

impl Objection<'_> {
    /// Returns whether it comes to this action.
    pub(super) fn acts(&self, action: Action) -> bool {
        !self.is_ignored && self.answer.actions.contains(&action)
    }

    /// Returns the message by itself, and as in the server's denials and warnings.
    pub(super) fn words(&self) -> [String; 3] {
        let PolicyAnswer { name, binding, .. } = self.answer;
        let binding = binding
            .as_ref()
            .map_or_else(String::new, |name| format!(" with binding '{name}'"));
        let policy = format!("ValidatingAdmissionPolicy '{name}'{binding}");
        let message = self.message;
        [
            message.to_owned(),
            format!("{policy} denied request: {message}"),
            format!("Validation failed for {policy}: {message}"),
        ]
    }
}

/// Returns the objections to a request, in the order of the API server.
pub(super) fn objections(answer: &InputAnswer) -> Vec<Objection<'_>> {
    let mut all = Vec::new();
    for policy in &answer.policies {
        match &policy.outcome {
            PolicyOutcome::NotEvaluated(_) => {}
            PolicyOutcome::Unknown(words) | PolicyOutcome::NotConfigured(words) => {
                let is_unknown = matches!(policy.outcome, PolicyOutcome::Unknown(_));
                all.push(Objection {
                    answer: policy,
                    path: "",
                    range: None,
                    request: None,
                    message: words,
                    fails: true,
                    is_ignored: is_unknown || answer.response.allowed,
                });
            }
            PolicyOutcome::Evaluated(evaluation) => {
                let decisions = evaluation.decisions.iter();
                all.extend(decisions.filter_map(|it| objection_of(policy, evaluation, it)));
                all.extend(broken(policy, evaluation, answer.response.allowed));
            }
        }
    }
    all
}

fn objection_of<'a>(
    answer: &'a PolicyAnswer,
    evaluation: &'a PolicyEvaluation,
    decision: &'a DecisionResult,
) -> Option<Objection<'a>> {
    let (message, fails, is_ignored) = match &decision.outcome {
        DecisionOutcome::Holds => return None,
        DecisionOutcome::Denies { message, .. } => (message, false, false),
        DecisionOutcome::Fails { message, denies } => (message, true, !denies),
    };
    Some(Objection {
        answer,
        path: &decision.path,
        range: Some(decision.range),
        request: Some(&evaluation.request),
        message,
        fails,
        is_ignored,
    })
}

/// Returns the mutations and audit annotations that fail, and match conditions whose failure is
/// passed over.
fn broken<'a>(
    answer: &'a PolicyAnswer,
    evaluation: &'a PolicyEvaluation,
    allowed: bool,
) -> Vec<Objection<'a>> {
    let objection = |path, range, message, is_ignored| Objection {
        answer,
        path,
        range,
        request: Some(&evaluation.request),
        message,
        fails: true,
        is_ignored,
    };
    let mut all = Vec::new();
    for mutation in &evaluation.mutations {
        if let Some(error) = &mutation.error {
            let range = Some(mutation.range);
            all.push(objection(&mutation.path, range, error.as_str(), allowed));
        }
    }
    for (_, words) in &evaluation.audit_errors {
        all.push(objection("", None, words, allowed));
    }
    if evaluation.verdict == VerdictKind::Ignored && all.is_empty() {
        all.push(objection("", None, "a match condition fails", true));
    }
    all
}

/// Returns the outcome of the request.
pub(super) fn request_outcome(
    answer: &InputAnswer,
    objections: &[Objection<'_>],
) -> RequestOutcome {
    let any = |wanted: &dyn Fn(&Objection<'_>) -> bool| objections.iter().any(wanted);
    let is_asked = |it: &PolicyAnswer| match &it.outcome {
        PolicyOutcome::NotEvaluated(_) => false,
        PolicyOutcome::Unknown(_) | PolicyOutcome::NotConfigured(_) => true,
        PolicyOutcome::Evaluated(it) => !matches!(it.verdict, VerdictKind::Skipped { .. }),
    };
    let denies = |it: &Objection<'_>| it.acts(Action::Deny);
    if !answer.response.allowed {
        return if any(&|it| denies(it) && !it.fails) {
            RequestOutcome::Denied
        } else if any(&|it| denies(it) && it.request.is_some()) {
            RequestOutcome::Failed
        } else if any(&denies) {
            RequestOutcome::NotConfigured
        } else {
            RequestOutcome::DeniedByKind
        };
    }
    let is_unknown = |it: &PolicyAnswer| matches!(it.outcome, PolicyOutcome::Unknown(_));
    if answer.policies.iter().any(is_unknown) {
        RequestOutcome::Unknown
    } else if any(&|it| it.fails) {
        RequestOutcome::Ignored
    } else if any(&|it| it.acts(Action::Warn)) {
        RequestOutcome::Warned
    } else if any(&|it| it.acts(Action::Audit)) {
        RequestOutcome::Audited
    } else if answer.policies.iter().any(is_asked) {
        RequestOutcome::Allowed
    } else {
        RequestOutcome::Skipped
    }
}

/// Returns the deciders: the objections, otherwise the mismatches, otherwise the validations that
/// hold.
pub(super) fn deciders(
    evaluator: &Evaluator<'_>,
    answer: &InputAnswer,
    objections: &[Objection<'_>],
) -> Vec<Decider> {
    let mut deciders: Vec<Decider> = objections.iter().map(|it| spoken(evaluator, it)).collect();
    if deciders.is_empty() {
        let policies = answer.policies.iter();
        let silent = policies.flat_map(|policy| silent(evaluator, policy));
        deciders.extend(silent);
    }
    // The same for another binding, parameter or round.
    let mut merged: Vec<Decider> = Vec::new();
    let mut indexes = HashMap::new();
    for decider in deciders {
        let place = (decider.policy, decider.expression, decider.range);
        let next = merged.len();
        let index = *indexes.entry((place, decider.kind.clone())).or_insert(next);
        let Some(same) = merged.get_mut(index) else {
            merged.push(decider);
            continue;
        };
        let others = decider.bindings.into_iter();
        let new: Vec<String> = others.filter(|it| !same.bindings.contains(it)).collect();
        same.bindings.extend(new);
    }
    merged
}

fn spoken(evaluator: &Evaluator<'_>, objection: &Objection<'_>) -> Decider {
    let policy = objection.answer.policy;
    let message = objection.message.to_owned();
    Decider {
        policy,
        expression: expression(evaluator, policy, objection.path, objection.range),
        range: objection.range.or_else(|| kind_of(evaluator, policy)),
        path: objection.path.to_owned(),
        kind: if objection.fails {
            DeciderKind::Fails(message)
        } else {
            DeciderKind::Denies(message)
        },
        request: objection.request.cloned(),
        bindings: objection.answer.binding.iter().cloned().collect(),
    }
}

/// Returns the deciders of a policy without an objection.
fn silent(evaluator: &Evaluator<'_>, answer: &PolicyAnswer) -> Vec<Decider> {
    let policy = answer.policy;
    let decider = |range, path: &str, kind, request: Option<&Arc<Request>>| Decider {
        policy,
        expression: expression(evaluator, policy, path, range),
        range,
        path: path.to_owned(),
        kind,
        request: request.cloned(),
        bindings: answer.binding.iter().cloned().collect(),
    };
    let evaluation = match &answer.outcome {
        PolicyOutcome::NotEvaluated(why) => {
            let kind = DeciderKind::NotEvaluated(why.reason.clone());
            return vec![decider(why.range, "", kind, None)];
        }
        PolicyOutcome::Unknown(_) | PolicyOutcome::NotConfigured(_) => return Vec::new(),
        PolicyOutcome::Evaluated(evaluation) => evaluation,
    };
    let request = Some(&evaluation.request);
    if let VerdictKind::Skipped { range } = evaluation.verdict {
        let path = path_at(evaluator, policy, range);
        return vec![decider(Some(range), &path, DeciderKind::Skips, request)];
    }
    let decisions = evaluation.decisions.iter();
    let holds = decisions.map(|it| decider(Some(it.range), &it.path, DeciderKind::Holds, request));
    holds.collect()
}

/// Returns the range of a policy's kind, which represents the whole policy.
fn kind_of(evaluator: &Evaluator<'_>, policy: usize) -> Option<TextRange> {
    let document = evaluator.policies.get(policy)?;
    Some(document.kind_range())
}

/// Returns the expression with that field path, in this range if it is known.
fn expression(
    evaluator: &Evaluator<'_>,
    policy: usize,
    path: &str,
    range: Option<TextRange>,
) -> Option<usize> {
    let document = evaluator
        .policies
        .get(policy)
        .filter(|_| !path.is_empty())?;
    let index = document.expression_index(path)?;
    let node = document.expressions().get(index)?.node;
    let is_there = |range| document.node(node).range() == range;
    range.is_none_or(is_there).then_some(index)
}

/// Returns the field path of the expression at a position.
fn path_at(evaluator: &Evaluator<'_>, policy: usize, range: TextRange) -> String {
    let at = || {
        let document = evaluator.policies.get(policy)?;
        let mut expressions = document.expressions().iter();
        let found = expressions.find(|it| document.node(it.node).range() == range)?;
        Some(found.path.to_string())
    };
    at().unwrap_or_default()
}
