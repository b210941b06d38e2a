//! Objections to a request, and errors, each once for a policy.
//!
//! A policy is evaluated once for each binding and each parameter object, usually with the same
//! result. Users want to see it once, with the number of bindings.

use evaluation::run::{Action, DecisionOutcome, PolicyAnswer, PolicyOutcome, VerdictKind};
use std::collections::BTreeSet;
use text::TextRange;

/// An objection to a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Objection {
    /// The range in the file, if the objection has one.
    pub(super) range: Option<TextRange>,
    pub(super) weight: Weight,
    pub(super) text: String,
}

/// The severity of an objection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Error,
    Warning,
    Note,
}

/// Returns the objections of each answer that no earlier answer has for the same policy.
/// `kind_of` returns the kind of a policy.
pub(super) fn objections(
    policies: &[PolicyAnswer],
    kind_of: &dyn Fn(usize) -> TextRange,
) -> Vec<Vec<Objection>> {
    let all: Vec<Vec<Objection>> = policies.iter().map(|it| of_one(it, kind_of)).collect();
    let mut listed: Vec<(usize, &Objection)> = Vec::new();
    let mut new = Vec::with_capacity(all.len());
    for (policy, objections) in policies.iter().zip(&all) {
        let mut first = Vec::new();
        for objection in objections {
            if listed.contains(&(policy.policy, objection)) {
                continue;
            }
            listed.push((policy.policy, objection));
            let same = policies.iter().zip(&all);
            let same =
                same.filter(|(it, said)| it.policy == policy.policy && said.contains(objection));
            let same: Vec<&PolicyAnswer> = same.map(|(it, _)| it).collect();
            let mut objection = objection.clone();
            objection.text.push_str(&how_many(&same));
            first.push(objection);
        }
        new.push(first);
    }
    new
}

/// Returns the number of bindings, or of parameters of one, with the same objection.
fn how_many(same: &[&PolicyAnswer]) -> String {
    let bindings: BTreeSet<_> = same.iter().map(|it| &it.binding).collect();
    let params: BTreeSet<_> = same.iter().map(|it| &it.params).collect();
    match (bindings.len(), params.len()) {
        (0 | 1, 0 | 1) => String::new(),
        (0 | 1, params) => format!(" ({params} parameters)"),
        (bindings, _) => format!(" ({bindings} bindings)"),
    }
}

fn of_one(policy: &PolicyAnswer, kind_of: &dyn Fn(usize) -> TextRange) -> Vec<Objection> {
    let at = |range, weight, text| Objection {
        range: Some(range),
        weight,
        text,
    };
    let whole = |weight, text| vec![at(kind_of(policy.policy), weight, text)];
    let evaluation = match &policy.outcome {
        PolicyOutcome::NotEvaluated(_) => return Vec::new(),
        PolicyOutcome::Unknown(why) => return whole(Weight::Warning, format!("unknown: {why}")),
        PolicyOutcome::NotConfigured(words) => {
            return whole(Weight::Error, format!("cannot be evaluated: {words}"));
        }
        PolicyOutcome::Evaluated(evaluation) => evaluation,
    };
    let mut all = Vec::new();
    for objection in evaluation.objections() {
        if let Some(message) = objection.message() {
            let (weight, kind) = weight(policy, &objection.outcome);
            all.push(at(objection.range, weight, format!("{kind}: {message}")));
        }
    }
    let (weight, kind) = match evaluation.verdict {
        VerdictKind::Denied => (Weight::Error, "denied because it fails"),
        _ => (Weight::Warning, "fails, and failurePolicy is Ignore"),
    };
    for mutation in &evaluation.mutations {
        if let Some(error) = &mutation.error {
            all.push(at(mutation.range, weight, format!("{kind}: {error}")));
        }
    }
    let annotations = evaluation.audit_errors.iter();
    all.extend(annotations.map(|(key, words)| Objection {
        range: None,
        weight: Weight::Note,
        text: format!("audit annotation {key} fails: {words}"),
    }));
    all
}

/// Returns the severity of an objection, and its wording.
fn weight(policy: &PolicyAnswer, outcome: &DecisionOutcome) -> (Weight, &'static str) {
    let denies = policy.actions.contains(&Action::Deny);
    match outcome {
        DecisionOutcome::Fails { denies: false, .. } => {
            (Weight::Warning, "fails, and failurePolicy is Ignore")
        }
        DecisionOutcome::Fails { .. } if denies => (Weight::Error, "denied because it fails"),
        _ if denies => (Weight::Error, "denied"),
        _ if policy.actions.contains(&Action::Warn) => (Weight::Warning, "warned about"),
        _ => (Weight::Note, "written to the audit log"),
    }
}
