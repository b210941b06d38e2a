//! Intended differences from recorded results.
//!
//! Some results need not be matched: messages with Go internals, guesses of a generated parser,
//! libraries of the specification that Kubernetes lacks. A rule defines these cases, the reason,
//! and the parts that must still be correct. Such cases neither pass nor fail, and a rule without a
//! case is a failure.

use super::case::{Case, Outcome, cases};
use super::report::Tally;
use super::{compilation, mutation, scenario, specification, traps};
use crate::error::Error;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// A kind of answer from which we differ.
struct Rule {
    /// The file of cases.
    file: &'static str,
    /// The reason.
    reason: &'static str,
    /// Whether the rule applies to a case.
    applies: fn(&Case) -> bool,
    /// The check of the parts that must still be correct.
    verdict: fn(&Case, &Kubernetes) -> Outcome,
    differs: Extent,
}

/// The cases of a rule that differ. If others do, the rule must be removed.
#[derive(Clone, Copy, PartialEq)]
enum Extent {
    /// Each of them.
    Each,
    /// At least one.
    Some,
    /// Any number: our result can also be correct.
    Any,
}

/// Kubernetes' answers to the cases of the specification.
pub(super) type Kubernetes = HashMap<String, Case>;

const RULES: &[Rule] = &[
    Rule {
        file: "cel.jsonl",
        reason: "Kubernetes reports a panic of Go; we say what failed, at the same cost",
        applies: |case| {
            let error = case.text(&["expect", "evalError"]);
            error.is_some_and(|error| error.starts_with("internal error: interface conversion: "))
        },
        verdict: |case, _| compilation::check_without_words(case),
        differs: Extent::Each,
    },
    Rule {
        file: "cel.jsonl",
        reason: "the generated parser guesses after a syntax error and looks for macros in its guess; we report the syntax error, on the same line",
        applies: compilation::is_guessed,
        verdict: |case, _| compilation::check_first_line(case),
        differs: Extent::Any,
    },
    Rule {
        file: "mutate.jsonl",
        reason: "Kubernetes names the unknown fields of an object in the order of its Go type, which no schema tells; we name them in the order of the object",
        applies: mutation::has_unknown_fields,
        verdict: |case, _| mutation::check_in_any_order(case),
        differs: Extent::Some,
    },
    Rule {
        file: "admission.jsonl",
        reason: "a case lacks the warning about an unknown field of an embedded resource, which Kubernetes writes when it prunes the field",
        applies: scenario::has_embedded_resource,
        verdict: |case, _| scenario::check_without_unknown_fields(case),
        differs: Extent::Any,
    },
    Rule {
        file: "cel-spec.jsonl",
        reason: "Kubernetes has no macro `cel.bind` and no macro `cel.block`",
        applies: |case| is_in(case, &["bindings_ext:", "block_ext:"]),
        verdict: as_kubernetes,
        differs: Extent::Some,
    },
    Rule {
        file: "cel-spec.jsonl",
        reason: "Kubernetes has no library of mathematics and no library of encoders",
        applies: |case| is_in(case, &["math_ext:", "encoders_ext:"]),
        verdict: as_kubernetes,
        differs: Extent::Some,
    },
    Rule {
        file: "cel-spec.jsonl",
        reason: "Kubernetes has a library of networks of its own",
        applies: |case| is_in(case, &["network_ext:"]),
        verdict: as_kubernetes,
        differs: Extent::Some,
    },
    Rule {
        file: "cel-spec.jsonl",
        reason: "cel-go skips the case: it does not follow the specification there",
        applies: |case| case.get(&["skipped_by_cel_go"]).is_some(),
        verdict: |case, kubernetes| kubernetes.get(&case.id).map_or(Ok(()), traps::check),
        differs: Extent::Some,
    },
];

fn is_in(case: &Case, sections: &[&str]) -> bool {
    sections.iter().any(|section| case.id.starts_with(section))
}

/// Checks that our result is that of Kubernetes in its environment. Without a recorded result,
/// since the case declares its own names, the expression must be rejected.
fn as_kubernetes(case: &Case, kubernetes: &Kubernetes) -> Outcome {
    match kubernetes.get(&case.id) {
        Some(case) => traps::check(case),
        None => specification::check_refused(case),
    }
}

/// Returns Kubernetes' results for the cases of the specification, if they are in the folder.
///
/// # Errors
/// If the file cannot be read.
pub(super) fn kubernetes(folder: &Path) -> Result<Kubernetes, Error> {
    let path = folder.join("cel-spec-kubernetes.jsonl");
    if !path.is_file() {
        return Ok(Kubernetes::new());
    }
    let bytes = fs::read(&path).map_err(|error| Error::io("read", &path, error))?;
    let known = cases(&bytes).filter_map(Result::ok);
    Ok(known.map(|case| (case.id.clone(), case)).collect())
}

/// Takes the cases of a file that differ as they should out of those that failed.
pub(super) fn set_apart(file: &str, text: &[u8], kubernetes: &Kubernetes, tally: &mut Tally) {
    for rule in RULES.iter().filter(|rule| rule.file == file) {
        let known = cases(text).filter_map(Result::ok);
        let known: Vec<Case> = known.filter(|case| (rule.applies)(case)).collect();
        let mut equal = Vec::new();
        for case in &known {
            let verdict = || (rule.verdict)(case, kubernetes);
            if !tally.excuse(&case.id, rule.reason, verdict) {
                equal.push(case.id.as_str());
            }
        }
        let needless = match rule.differs {
            Extent::Each => !equal.is_empty(),
            Extent::Some => !known.is_empty() && equal.len() == known.len(),
            Extent::Any => false,
        };
        if needless {
            let why = format!(
                "{} no longer differ although {}",
                equal.join(", "),
                rule.reason
            );
            tally.add("known difference", Err(why));
        }
    }
}
