//! Code lenses: values and decisions above the corresponding fields.
//!
//! The positions of lenses depend on the file, and on whether a policy has an input. Their titles
//! require an evaluation, so they are resolved when a lens becomes visible.

use admission::Caveat;
use evaluation::input::InputKey;
use evaluation::run::{Counts, Evaluator, PreparedInput, Summary, shortened};
use policy::{Kind, PolicyDocument, Role};
use text::TextRange;

/// A code lens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeLens {
    /// The key of the field.
    pub range: TextRange,
    /// The target.
    pub target: LensTarget,
}

/// The target of a lens. The numbers are indexes in [`policy::ParsedFile::policies`] and in
/// [`PolicyDocument::expressions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LensTarget {
    /// The value of an expression for the selected input.
    Expression {
        /// The document.
        policy: usize,
        /// The expression.
        expression: usize,
    },
    /// The decisions of a policy for all inputs.
    Policy {
        /// The document.
        policy: usize,
    },
    /// The changes of a mutating policy to the selected input.
    Mutation {
        /// The document.
        policy: usize,
    },
}

/// Limit: the lenses of a file.
const MAX_LENSES: usize = 1_000;

/// Limit: the characters of a value in a title.
const MAX_VALUE: usize = 60;

/// The title of a lens if no input matches.
pub const NO_INPUT: &str = "no input: add a manifest that the policy matches";

/// The title of the lens that shows changes.
const SHOW_CHANGE: &str = "show changes";

/// Returns the lenses of a file, in its order. A policy without an input has only one, with which
/// the client can create the first input.
#[must_use]
pub fn code_lenses(evaluator: &Evaluator<'_>) -> Vec<CodeLens> {
    let mut lenses = Vec::new();
    for (policy, document) in evaluator.policies.iter().enumerate() {
        let mut found = of_policy(document, policy);
        found.extend(of_expressions(document, policy));
        if evaluator.chosen_for(policy, None).is_none() {
            found.truncate(1);
        }
        lenses.append(&mut found);
    }
    lenses.sort_by_cached_key(|lens| lens.range.start());
    lenses.truncate(MAX_LENSES);
    lenses
}

fn of_expressions(document: &PolicyDocument, policy: usize) -> impl Iterator<Item = CodeLens> {
    let expressions = document.expressions().iter().enumerate();
    expressions.map(move |(expression, written)| {
        let owner = document.node(written.owner);
        let value = document.node(written.node);
        CodeLens {
            range: owner.entry_of(value).map_or(value, |it| it.key).range(),
            target: LensTarget::Expression { policy, expression },
        }
    })
}

/// Returns the lenses of a policy, at the key of its list of validations or mutations. The lenses
/// of a definition are at the key of its versions.
fn of_policy(document: &PolicyDocument, policy: usize) -> Vec<CodeLens> {
    let decides = |role: Role| {
        matches!(
            role,
            Role::Validation | Role::ApplyConfiguration | Role::JsonPatch
        )
    };
    let is_definition = document.kind() == Kind::CustomResourceDefinition;
    let is_written = document.is_evaluated()
        && (is_definition || document.expressions().iter().any(|it| decides(it.role)));
    let mut lists = document.lists();
    let list =
        lists.find_map(|(list, entry)| list.role().is_some_and(decides).then(|| entry.key.range()));
    let versions = || Some(document.crd()?.versions_key?.range);
    let Some(range) = list.or_else(versions).filter(|_| is_written) else {
        return Vec::new();
    };
    let lens = |target| CodeLens { range, target };
    let mut lenses = vec![lens(LensTarget::Policy { policy })];
    if document.kind() == Kind::MutatingAdmissionPolicy {
        lenses.push(lens(LensTarget::Mutation { policy }));
    }
    lenses
}

/// Returns the title of a lens, with the input selected for its policy. `None` without an input.
#[must_use]
pub fn lens_title(
    evaluator: &Evaluator<'_>,
    target: LensTarget,
    wanted: Option<&InputKey>,
) -> Option<String> {
    match target {
        LensTarget::Policy { policy } => summary_title(&evaluator.summary(policy)),
        LensTarget::Mutation { .. } => Some(SHOW_CHANGE.to_owned()),
        LensTarget::Expression { policy, expression } => {
            let input = evaluator.chosen(policy, expression, wanted)?;
            Some(expression_title(evaluator, policy, expression, input))
        }
    }
}

fn expression_title(
    evaluator: &Evaluator<'_>,
    policy: usize,
    expression: usize,
    input: &PreparedInput,
) -> String {
    let label = input.input().label();
    match evaluator.expression(policy, expression, input) {
        Some(evaluation) => {
            let value = evaluation.result.short(MAX_VALUE);
            format!("evaluate: {value} · {label}")
        }
        None => {
            let answer = evaluator.answer_for(policy, input);
            let answer = answer.as_deref();
            let reason = answer.and_then(|it| it.unknown(policy).or_else(|| it.rejection()));
            let reason = reason.map_or("not evaluated".into(), |it| shortened(it, MAX_VALUE));
            format!("{reason} · {label}")
        }
    }
}

/// Returns the title of the lens of a policy. `None` without an input.
#[must_use]
pub(crate) fn summary_title(summary: &Summary) -> Option<String> {
    let Counts {
        allowed,
        denied,
        errors,
        rejected,
        not_evaluated,
    } = summary.counts();
    let counts = [
        (allowed, "allowed"),
        (denied, "denied"),
        (errors, "failed"),
        (rejected, "rejected by the API server"),
        (not_evaluated, "skipped"),
        (summary.omitted, "not evaluated"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let mut words: Vec<String> = counts
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    if summary.has_caveat(Caveat::AnyOrder) {
        words.push("depends on the order of policies".to_owned());
    }
    (!words.is_empty()).then(|| format!("inputs: {}", words.join(", ")))
}

#[cfg(test)]
mod tests;
