//! Objections to a request, and errors, each once for a policy.
//!
//! A policy is evaluated once for each binding and each parameter object, usually with the same
//! result. Users want to see it once, with the number of bindings.

use evaluation::run::{Action, DecisionOutcome, PolicyAnswer, PolicyOutcome, VerdictKind};
use indexmap::IndexMap;
use policy::PolicyDocument;
use std::collections::HashSet;
use std::sync::Arc;
use text::TextRange;

/// An objection to a request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Objection {
    /// The range in the file, if the objection has one.
    pub(super) range: Option<TextRange>,
    pub(super) weight: Weight,
    pub(super) text: String,
}

/// The severity of an objection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Weight {
    Error,
    Warning,
    Note,
}

/// Where an objection is raised first, and by whom.
struct Raised<'a> {
    answer: usize,
    bindings: HashSet<Option<&'a str>>,
    params: HashSet<Option<&'a str>>,
}

/// Returns the objections of each answer that no earlier answer has for the same policy.
/// `documents` are those of the policies.
pub(super) fn objections(
    policies: &[PolicyAnswer],
    documents: &[Arc<PolicyDocument>],
) -> Vec<Vec<Objection>> {
    let mut raised: IndexMap<(usize, Objection), Raised<'_>> = IndexMap::new();
    for (answer, policy) in policies.iter().enumerate() {
        for objection in of_one(policy, documents) {
            let new = || Raised {
                answer,
                bindings: HashSet::new(),
                params: HashSet::new(),
            };
            let same = raised.entry((policy.policy, objection)).or_insert_with(new);
            same.bindings.insert(policy.binding.as_deref());
            same.params.insert(policy.params.as_deref());
        }
    }
    let mut first = vec![Vec::new(); policies.len()];
    for ((_, mut objection), raised) in raised {
        objection.text.push_str(&raised.how_many());
        if let Some(objections) = first.get_mut(raised.answer) {
            objections.push(objection);
        }
    }
    first
}

impl Raised<'_> {
    /// Returns the number of bindings, or of parameters of one, with the same objection.
    fn how_many(&self) -> String {
        match (self.bindings.len(), self.params.len()) {
            (0 | 1, 0 | 1) => String::new(),
            (0 | 1, params) => format!(" ({params} parameters)"),
            (bindings, _) => format!(" ({bindings} bindings)"),
        }
    }
}

fn of_one(policy: &PolicyAnswer, documents: &[Arc<PolicyDocument>]) -> Vec<Objection> {
    let at = |range, weight, text| Objection {
        range: Some(range),
        weight,
        text,
    };
    let document = documents.get(policy.policy);
    let kind = document.map_or_else(TextRange::default, |it| it.kind_range());
    let whole = |weight, text| vec![at(kind, weight, text)];
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
