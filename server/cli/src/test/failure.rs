//! The explanation of a failed test: the position of the expectation, the difference, the deciding
//! parts, and their values.

use super::input_path::shown_input;
use crate::reader::read_near;
use crate::report::Source;
use evaluation::expectation::{
    Assessment, Decider, DeciderKind, Difference, Mismatch, RequestOutcome, Update, deciders,
};
use evaluation::input::{ExpectField, Input, Origin};
use evaluation::run::{Evaluator, InputAnswer, ResultText};
use similar::TextDiff;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use text::TextRange;

/// Limit: deciding parts that are shown.
const MAX_DECIDERS: usize = 4;

/// Limit: parts of an expression whose values are shown.
const MAX_STEPS: usize = 12;

/// Limit: lines of context around a change in an object.
const CONTEXT: usize = 3;

/// Why a test fails.
#[derive(Debug)]
pub(super) struct Failure {
    /// The outcome of the request.
    pub(super) outcome: RequestOutcome,
    /// The differences from the expectation.
    pub(super) differences: Vec<Differing>,
    /// The deciding parts, in the file of the policy.
    pub(super) deciders: Vec<Deciding>,
    /// The number of further deciding parts.
    pub(super) more: usize,
    /// The edits of the expectation with which the test passes.
    pub(super) update: Option<Update>,
}

/// A difference from the expectation.
#[derive(Debug)]
pub(super) struct Differing {
    pub(super) field: ExpectField,
    /// The message, on one line.
    pub(super) message: String,
    pub(super) difference: Difference,
    /// The file of the expectation, as displayed.
    pub(super) path: String,
    /// Its content and the range in it. `None` if the name of the file states the expectation.
    pub(super) place: Option<(Arc<Source>, TextRange)>,
}

/// A deciding part.
#[derive(Debug)]
pub(super) struct Deciding {
    /// The field path; empty if it is not an expression.
    pub(super) field: String,
    /// A description of its effect.
    pub(super) label: String,
    /// The range in the file of the policy.
    pub(super) range: Option<TextRange>,
    /// The bindings with this effect.
    pub(super) bindings: Vec<String>,
    /// The values of its parts.
    pub(super) steps: Vec<PartValue>,
}

/// The value of a part of an expression.
#[derive(Debug)]
pub(super) struct PartValue {
    pub(super) depth: usize,
    pub(super) text: String,
    pub(super) value: ResultText,
}

/// The files with expectations, each read once: thousands of tests may be in one.
#[derive(Debug, Default)]
pub(super) struct Sources(Mutex<HashMap<PathBuf, Option<Arc<Source>>>>);

impl Sources {
    /// Returns the content of a file. `None` if it cannot be read.
    pub(super) fn get(&self, path: &Path) -> Option<Arc<Source>> {
        let mut sources = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(source) = sources.get(path) {
            return source.clone();
        }
        let text = read_near(path).ok();
        let source = text.map(|text| Arc::new(Source::new(text.into())));
        sources.insert(path.to_path_buf(), source.clone());
        source
    }
}

/// Returns the failure of a test.
pub(super) fn failure(
    evaluator: &Evaluator<'_>,
    sources: &Sources,
    (input, answer): (&Input, &InputAnswer),
    assessment: Assessment,
    update: Option<Update>,
) -> Failure {
    let differences = assessment.mismatches.into_iter();
    let all = deciders(evaluator, answer);
    let shown = all.iter().take(MAX_DECIDERS);
    let deciders: Vec<Deciding> = shown.map(|it| deciding(evaluator, it)).collect();
    Failure {
        outcome: assessment.outcome,
        differences: differences
            .map(|it| differing(sources, input, it))
            .collect(),
        more: all.len() - deciders.len(),
        deciders,
        update,
    }
}

fn differing(sources: &Sources, input: &Input, mismatch: Mismatch) -> Differing {
    let field = mismatch.field;
    let expect = input.expect.as_ref();
    let (file, range) = expect.map_or((None, TextRange::default()), |it| it.location(field));
    let is_in_name = input.origin == Origin::Kat && file.is_none();
    let path = file.unwrap_or(&input.key.path);
    let source = (!is_in_name).then(|| sources.get(path)).flatten();
    let place = source.map(|source| (source, range));
    Differing {
        field,
        message: mismatch.difference.to_string(),
        difference: mismatch.difference,
        path: shown_input(path),
        place,
    }
}

fn deciding(evaluator: &Evaluator<'_>, decider: &Decider) -> Deciding {
    let label = match &decider.kind {
        DeciderKind::Denies(message) => format!("does not hold: {message}"),
        DeciderKind::Fails(message) => format!("fails: {message}"),
        DeciderKind::Skips => "is false, so the policy is skipped".to_owned(),
        DeciderKind::NotEvaluated(why) => format!("the policy does not match: {why}"),
        DeciderKind::Holds => "holds".to_owned(),
    };
    let request = decider.request.as_ref().zip(decider.expression);
    let evaluation = request.and_then(|(request, expression)| {
        evaluator.expression_for(decider.policy, expression, request)
    });
    let steps = evaluation.map_or_else(Vec::new, |it| it.trace.clone());
    let steps = steps.into_iter().take(MAX_STEPS).map(|step| PartValue {
        depth: step.depth,
        text: step.text,
        value: step.result,
    });
    Deciding {
        field: decider.path.clone(),
        label,
        range: decider.range,
        bindings: decider.bindings.clone(),
        steps: steps.collect(),
    }
}

impl Deciding {
    /// Returns a description of its effect, with the number of bindings.
    pub(super) fn description(&self) -> String {
        let label = &self.label;
        match self.bindings.len() {
            0 | 1 => label.clone(),
            count => format!("{label} ({count} bindings)"),
        }
    }
}

impl Differing {
    /// Returns the changed lines of an object, as `diff -u` writes them.
    pub(super) fn diff(&self) -> Option<String> {
        let Difference::Object {
            expected,
            found: Some(found),
        } = &self.difference
        else {
            return None;
        };
        let diff = TextDiff::from_lines(expected.as_str(), found.as_str());
        let mut unified = diff.unified_diff();
        let unified = unified.context_radius(CONTEXT).header("expected", "actual");
        Some(unified.to_string())
    }
}
