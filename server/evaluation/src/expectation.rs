//! Comparison of an answer with the expected outcome.
//!
//! A test must not pass by accident: a broken policy also denies. A failing expression
//! therefore counts as neither a denial nor an approval. It satisfies `decision: error`, or a
//! denial whose expected message names the error.
//!
//! Upstream of the differences for kat files: zemanlx/kat, internal/evaluator/evaluator.go,
//! EvaluateTest and validateTestResult.

mod difference;
mod object;
mod request_outcome;
mod rewrite;
mod update;

pub use difference::{Difference, Mismatch};
pub use request_outcome::{Decider, DeciderKind, RequestOutcome};
pub use rewrite::rewrite;
pub use update::{Update, update};

use crate::input::{Decision, Expect, ExpectField, Input, Origin};
use crate::run::{Action, Evaluator, InputAnswer};
use admission::{VALIDATION_FAILED, Warning};
use request_outcome::Objection;

/// The comparison of a response with the expectation.
#[derive(Clone, Debug)]
pub struct Assessment {
    /// The outcome of the request.
    pub outcome: RequestOutcome,
    /// The mismatches. Without any, the test passes.
    pub mismatches: Vec<Mismatch>,
}

impl Assessment {
    /// Returns whether all is as expected.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.mismatches.is_empty()
    }
}

/// Compares the answer to an input with the expectation of the input. The answer includes only the
/// policies that the input is for. An input without an expectation passes.
#[must_use]
pub fn assess(evaluator: &Evaluator<'_>, input: &Input, answer: &InputAnswer) -> Assessment {
    let objections = request_outcome::objections(answer);
    let nothing = Expect::default();
    let mut check = Check {
        expect: input.expect.as_ref().unwrap_or(&nothing),
        is_kat: input.origin == Origin::Kat,
        answer,
        outcome: request_outcome::request_outcome(answer, &objections),
        objections,
        mismatches: Vec::new(),
    };
    check.decision();
    // Differences that follow from another decision are not reported.
    if check.mismatches.is_empty() {
        check.message();
        check.reason();
        check.warnings();
        check.annotations();
        let wanted = check.expect.object.as_ref();
        let difference =
            wanted.and_then(|wanted| object::difference(evaluator, input, wanted, answer));
        if let Some(difference) = difference {
            check.add(ExpectField::Object, difference);
        }
    }
    Assessment {
        outcome: check.outcome,
        mismatches: check.mismatches,
    }
}

/// Returns the parts of the policies that decided: failed validations and match conditions that skip
/// the request; if the request is allowed, the validations that hold.
#[must_use]
pub fn deciders(evaluator: &Evaluator<'_>, answer: &InputAnswer) -> Vec<Decider> {
    request_outcome::deciders(evaluator, answer, &request_outcome::objections(answer))
}

/// A running comparison.
struct Check<'a> {
    expect: &'a Expect,
    is_kat: bool,
    answer: &'a InputAnswer,
    outcome: RequestOutcome,
    objections: Vec<Objection<'a>>,
    mismatches: Vec<Mismatch>,
}

impl<'a> Check<'a> {
    fn add(&mut self, field: ExpectField, difference: Difference) {
        self.mismatches.push(Mismatch { field, difference });
    }

    fn decision(&mut self) {
        let Some(expected) = self.expect.decision else {
            return;
        };
        if !self.is_decided(expected) {
            let outcome = self.outcome;
            self.add(
                ExpectField::Decision,
                Difference::Decision {
                    expected,
                    outcome,
                    rejection: self.foreign_denial().map(str::to_owned),
                },
            );
        }
    }

    fn is_decided(&self, expected: Decision) -> bool {
        if self.outcome == RequestOutcome::Unknown {
            return false;
        }
        let allowed = self.answer.response.allowed;
        let fails = self.objections.iter().any(|it| it.fails);
        match expected {
            Decision::Error => fails,
            Decision::Skip => self.outcome == RequestOutcome::Skipped,
            Decision::Allow => allowed && !fails,
            Decision::Deny => !allowed && self.speaks(Action::Deny),
            Decision::Warn => allowed && self.speaks(Action::Warn),
            Decision::Audit => allowed && self.speaks(Action::Audit),
        }
    }

    /// Returns whether a validation with that action is false, or an expression fails with the
    /// expected message.
    ///
    /// In kat, a test fails if an expression fails. It stops at the first validation that does not
    /// hold.
    fn speaks(&self, action: Action) -> bool {
        let mut speaking = self.objections.iter().filter(|it| it.acts(action));
        if self.is_kat {
            return speaking.next().is_some_and(|first| !first.fails);
        }
        let foreign = self.foreign_denial().filter(|_| action == Action::Deny);
        speaking.any(|it| !it.fails || self.is_named(it))
            || foreign.is_some_and(|words| self.has_named(&[words]))
    }

    /// Returns whether the expected message is that of an objection.
    fn is_named(&self, objection: &Objection<'_>) -> bool {
        let words = objection.words();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.has_named(&words)
    }

    fn has_named(&self, words: &[&str]) -> bool {
        let expect = self.expect;
        if expect.message.is_none() && expect.message_contains.is_none() {
            return false;
        }
        let is = |wanted: &String| words.iter().any(|it| it == wanted);
        let has = |wanted: &String| words.iter().any(|it| it.contains(wanted.as_str()));
        expect.message.as_ref().is_none_or(is) && expect.message_contains.as_ref().is_none_or(has)
    }

    /// Returns the message of a denial that does not come from a policy.
    fn foreign_denial(&self) -> Option<&'a str> {
        (self.outcome == RequestOutcome::DeniedByKind)
            .then_some(self.answer.response.message.as_str())
    }

    /// Returns the objections whose messages count.
    fn relevant_objections(&self) -> Vec<&Objection<'a>> {
        let objections = self.objections.iter();
        let is_relevant = |it: &&Objection<'_>| match self.expect.decision {
            Some(Decision::Error) => it.fails,
            Some(Decision::Warn) => it.acts(Action::Warn),
            Some(Decision::Audit) => it.acts(Action::Audit),
            Some(Decision::Deny) => it.acts(Action::Deny),
            Some(Decision::Allow | Decision::Skip) | None => {
                it.acts(Action::Deny) || (!self.is_kat && it.acts(Action::Warn))
            }
        };
        let most = if self.is_kat { 1 } else { usize::MAX };
        objections.filter(is_relevant).take(most).collect()
    }

    fn message(&mut self) {
        let objections = self.relevant_objections();
        let mut messages: Vec<String> = objections.iter().map(|it| it.message.to_owned()).collect();
        messages.dedup();
        let mut words: Vec<String> = objections.iter().flat_map(|it| it.words()).collect();
        if let Some(foreign) = self.foreign_denial() {
            messages.push(foreign.to_owned());
            words.push(foreign.to_owned());
        }
        if !self.answer.response.allowed {
            words.push(self.answer.response.message.clone());
        }
        if let Some(wanted) = &self.expect.message
            && !words.contains(wanted)
        {
            let (expected, found) = (wanted.clone(), messages.clone());
            self.add(
                ExpectField::Message,
                Difference::Message { expected, found },
            );
        }
        if let Some(wanted) = &self.expect.message_contains
            && !words.iter().any(|it| it.contains(wanted.as_str()))
        {
            let (expected, found) = (wanted.clone(), messages);
            let difference = Difference::MessageContains { expected, found };
            self.add(ExpectField::MessageContains, difference);
        }
    }

    fn reason(&mut self) {
        let response = &self.answer.response;
        let denied = (!response.allowed).then_some(response);
        if let Some(wanted) = &self.expect.reason
            && denied.is_none_or(|it| it.reason != *wanted)
        {
            let difference = Difference::Reason {
                expected: wanted.clone(),
                found: denied.map(|it| it.reason.clone()),
            };
            self.add(ExpectField::Reason, difference);
        }
        if let Some(expected) = self.expect.code
            && denied.is_none_or(|it| it.code != expected)
        {
            let found = denied.map(|it| it.code);
            self.add(ExpectField::Code, Difference::Code { expected, found });
        }
    }

    /// Compares the warnings with the server's messages, with or without the prefix that names the
    /// policy. kat supports only the former.
    fn warnings(&mut self) {
        let Some(wanted) = &self.expect.warnings else {
            return;
        };
        let found = &self.answer.response.warnings;
        let is_long_enough = if self.is_kat {
            found.len() >= wanted.len()
        } else {
            found.len() == wanted.len()
        };
        let is = |(wanted, found): (&String, &Warning)| {
            *wanted == found.message || wanted == found.without_policy()
        };
        if is_long_enough && wanted.iter().zip(found).all(is) {
            return;
        }
        let names_policy = wanted.iter().any(|it| it.starts_with(VALIDATION_FAILED));
        let shown = found.iter().map(|it| {
            let message = if names_policy {
                &it.message
            } else {
                it.without_policy()
            };
            message.to_owned()
        });
        let difference = Difference::Warnings {
            expected: wanted.clone(),
            found: shown.collect(),
        };
        self.add(ExpectField::Warnings, difference);
    }

    /// Compares annotations. A key is that of the policy, or has the policy's name as a prefix, as
    /// in the audit log.
    fn annotations(&mut self) {
        let written = &self.answer.response.audit_annotations;
        for (key, expected) in self.expect.audit_annotations.iter().flatten() {
            let is_key = |written: &str| {
                written == key || written.split_once('/').is_some_and(|(_, own)| own == key)
            };
            let mut found = written.iter().filter(|(it, _)| is_key(it));
            if found.clone().any(|(_, value)| value == expected) {
                continue;
            }
            let difference = Difference::Annotation {
                key: key.clone(),
                expected: expected.clone(),
                found: found.next().map(|(_, value)| value.clone()),
            };
            self.add(ExpectField::AuditAnnotations, difference);
        }
    }
}

#[cfg(test)]
mod tests;
