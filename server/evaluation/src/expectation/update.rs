//! The expectations that match the actual outcome.
//!
//! After an intended change of a policy, expectations that still hold are kept, and wrong ones are
//! set to the actual value. No expectations are added.

use super::{Difference, Mismatch, RequestOutcome, assess};
use crate::input::{Decision, Expect, ExpectField, Input, Origin};
use crate::run::{Evaluator, InputAnswer};
use cel::Value;
use cel::value::{Key, Map};
use std::sync::Arc;

/// The changes to an expectation.
#[derive(Clone, Debug)]
pub struct Update {
    /// The input of a file.
    pub input: Arc<Input>,
    /// The updated expectation.
    pub expect: Expect,
    /// The parts that change, with their values. `None` for those to remove.
    pub changes: Vec<(ExpectField, Option<Value>)>,
}

/// Limit: how often parts are changed. The decision comes first, then all others.
const ROUNDS: usize = 4;

/// Returns how the expectation of an input must change for the test to pass. `None` if it passes,
/// is a kat test, or cannot pass.
#[must_use]
pub fn update(
    evaluator: &Evaluator<'_>,
    input: &Arc<Input>,
    answer: &InputAnswer,
) -> Option<Update> {
    if input.origin != Origin::Document {
        return None;
    }
    let mut changed = Input::clone(input);
    let mut changes: Vec<(ExpectField, Option<Value>)> = Vec::new();
    for _ in 0..ROUNDS {
        let assessment = assess(evaluator, &changed, answer);
        if assessment.passes() {
            let expect = changed.expect?;
            let input = Arc::clone(input);
            return (!changes.is_empty()).then_some(Update {
                input,
                expect,
                changes,
            });
        }
        let expect = changed.expect.as_mut()?;
        for mismatch in assessment.mismatches {
            for field in apply(expect, mismatch)? {
                changes.retain(|(known, _)| *known != field);
                changes.push((field, value(expect, field)));
            }
        }
    }
    None
}

/// Changes a part of an expectation. Returns the parts that have changed.
fn apply(expect: &mut Expect, mismatch: Mismatch) -> Option<Vec<ExpectField>> {
    let field = mismatch.field;
    match mismatch.difference {
        Difference::Decision { outcome, .. } => return Some(decide(expect, decision(outcome)?)),
        Difference::Message { found, .. } => expect.message = found.into_iter().next(),
        Difference::MessageContains { found, .. } => {
            expect.message_contains = found.into_iter().next();
        }
        Difference::Reason { found, .. } => expect.reason = found,
        Difference::Code { found, .. } => expect.code = found,
        Difference::Warnings { found, .. } => expect.warnings = Some(found),
        Difference::Annotation { key, found, .. } => {
            let annotations = expect.audit_annotations.as_mut()?;
            match found {
                Some(found) => {
                    let mut known = annotations.iter_mut();
                    known.find(|(known, _)| *known == key)?.1 = found;
                }
                None => annotations.retain(|(known, _)| *known != key),
            }
            expect.audit_annotations.take_if(|it| it.is_empty());
        }
        Difference::Object { found, .. } => {
            let found = found.map(|text| yaml::parse(text.into()));
            let root = found.as_ref().and_then(|it| it.documents().next()?.root());
            expect.object = root.and_then(kubernetes::object);
        }
    }
    Some(vec![field])
}

/// Sets the decision, and removes the expectations that it rules out.
fn decide(expect: &mut Expect, decision: Decision) -> Vec<ExpectField> {
    expect.decision = Some(decision);
    let mut fields = vec![ExpectField::Decision];
    let mut gone = |field: ExpectField, was_there: bool| fields.extend(was_there.then_some(field));
    if matches!(decision, Decision::Allow | Decision::Skip) {
        gone(ExpectField::Message, expect.message.take().is_some());
        gone(
            ExpectField::MessageContains,
            expect.message_contains.take().is_some(),
        );
    }
    if !matches!(decision, Decision::Deny | Decision::Error) {
        gone(ExpectField::Reason, expect.reason.take().is_some());
        gone(ExpectField::Code, expect.code.take().is_some());
    }
    if decision == Decision::Deny {
        gone(ExpectField::Object, expect.object.take().is_some());
    }
    fields
}

/// Returns the decision of an outcome. `None` if it has none.
fn decision(outcome: RequestOutcome) -> Option<Decision> {
    Some(match outcome {
        RequestOutcome::Skipped => Decision::Skip,
        RequestOutcome::Allowed => Decision::Allow,
        RequestOutcome::Warned => Decision::Warn,
        RequestOutcome::Audited => Decision::Audit,
        RequestOutcome::Denied => Decision::Deny,
        RequestOutcome::Ignored | RequestOutcome::Failed | RequestOutcome::NotConfigured => {
            Decision::Error
        }
        RequestOutcome::DeniedByKind | RequestOutcome::Unknown => return None,
    })
}

/// Returns the value of a part, as written.
fn value(expect: &Expect, field: ExpectField) -> Option<Value> {
    let text = |text: &Option<String>| text.as_deref().map(Value::string);
    match field {
        ExpectField::Decision => expect.decision.map(|it| Value::string(it.as_str())),
        ExpectField::Message => text(&expect.message),
        ExpectField::MessageContains => text(&expect.message_contains),
        ExpectField::Reason => text(&expect.reason),
        ExpectField::Code => expect.code.map(|code| Value::Int(code.into())),
        ExpectField::Warnings => {
            let warnings = expect.warnings.as_ref()?.iter();
            Some(Value::list(
                warnings.map(|it| Value::string(it.as_str())).collect(),
            ))
        }
        ExpectField::AuditAnnotations => {
            let annotations = expect.audit_annotations.as_ref()?.iter();
            let entries = annotations.map(|(key, value)| {
                (
                    Key::String(key.as_str().into()),
                    Value::string(value.as_str()),
                )
            });
            Some(Value::Map(entries.collect::<Map>()))
        }
        ExpectField::Object => expect.object.clone(),
    }
}
