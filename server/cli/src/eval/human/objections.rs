//! What speaks against a request, or fails, each once for a policy.
//!
//! A policy is asked once for each binding and each object of parameters, and mostly says the
//! same each time. Who reads it wants to know it once, and how many say so.

use ide::evaluate::{Action, DecisionOutcome, PolicyAnswer, PolicyOutcome, VerdictKind};
use std::collections::BTreeSet;
use text::TextRange;

/// Something that speaks against a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Objection {
    /// The place in the file. `None` for what has none of its own.
    pub(super) range: Option<TextRange>,
    pub(super) weight: Weight,
    pub(super) text: String,
}

/// How much something weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Error,
    Warning,
    Note,
}

/// What each answer of the list says that none before it has said for the same policy.
/// `kind_of` gives the place that stands for a policy.
pub(super) fn objections(
    policies: &[PolicyAnswer],
    kind_of: &dyn Fn(usize) -> TextRange,
) -> Vec<Vec<Objection>> {
    let all = policies.iter().map(|it| of_one(it, kind_of));
    let all: Vec<Vec<Objection>> = all.collect();
    let mut known: Vec<(usize, &Objection)> = Vec::new();
    let mut new = Vec::with_capacity(all.len());
    for (policy, objections) in policies.iter().zip(&all) {
        let mut first = Vec::new();
        for objection in objections {
            if known.contains(&(policy.policy, objection)) {
                continue;
            }
            known.push((policy.policy, objection));
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

/// How many bindings, or parameters of one, say the same.
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
        PolicyOutcome::NotAsked(_) => return Vec::new(),
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

/// How much an objection weighs, and in which words.
fn weight(policy: &PolicyAnswer, outcome: &DecisionOutcome) -> (Weight, &'static str) {
    let denies = policy.actions.contains(&Action::Deny);
    match outcome {
        DecisionOutcome::Fails { denies: false, .. } => {
            (Weight::Warning, "fails, and failurePolicy is Ignore")
        }
        DecisionOutcome::Fails { .. } if denies => (Weight::Error, "denied because it fails"),
        _ if denies => (Weight::Error, "denied"),
        _ if policy.actions.contains(&Action::Warn) => (Weight::Warning, "warned of"),
        _ => (Weight::Note, "written to the audit log"),
    }
}
