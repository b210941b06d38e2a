#![doc = include_str!("status_warning.md")]

use super::kind_problems::{self, Harm, KindProblem, What, names};
use super::{Finding, MAX_FINDINGS, RuleContext};
use policy::typecheck::kinds::MatchedKind;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    let problems = kind_problems::of(context);
    let harmless = problems.iter().filter(|it| it.harm == Harm::InStatus);
    found.extend(harmless.take(MAX_FINDINGS).map(finding));
}

fn finding(problem: &KindProblem<'_>) -> Finding {
    let document = problem.facts.document;
    let range = document.range(problem.expression, problem.span);
    Finding::new(range, message(problem)).upstream(problem.upstream.clone())
}

fn message(problem: &KindProblem<'_>) -> String {
    let kinds: Vec<&MatchedKind> = problem.found.iter().map(|found| found.0).collect();
    let names = names(&kinds);
    let reason = match problem.found.first().map(|found| &found.1) {
        Some(What::NoType { path }) => format!("it has no type for `{path}`"),
        Some(What::NoField { path, .. }) => {
            return format!(
                "Kubernetes warns in the status of the policy that {names} {} no field `{path}`. \
                 It does no harm where the expression makes sure that it is not used then.",
                if kinds.len() == 1 { "has" } else { "have" }
            );
        }
        Some(What::Types(_)) | None => {
            "it takes other types than the plain JSON of admission".to_owned()
        }
    };
    format!(
        "This works at admission. Kubernetes' type checker warns about it for {names} in the \
         status of the policy, since {reason}."
    )
}

#[cfg(test)]
mod tests;
