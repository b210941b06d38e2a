//! Generated inputs for a policy: one that it allows, and one that it denies.
//!
//! The rules of the policy determine the object, its expressions the fields and values, and the
//! schema of the kind the valid values. Each input is evaluated and expects its actual outcome.

mod base;
mod change;
mod crd;
mod draft;
mod expected;
mod placeholder;
mod populate;
mod repair;
mod resolve;
mod result;
mod solver;
mod target;
mod term;
mod truth;
mod want;

use crate::file::SourceFile;
use base::Base;
use cel::Value;
use evaluation::run::yaml::to_yaml;
use evaluation::run::{AnswerKind, DecisionOutcome, Evaluator, InputAnswer};
use expected::expected;
use placeholder::map;
use policy::{Kind, PolicyDocument, Role};
use solver::Solver;
use std::time::Duration;
use term::Code;
use want::Want;

/// Limit: the requests of one policy for which an input is searched.
const MAX_REQUESTS: usize = 8;

/// Limit: the alternatives that are tried to meet one condition.
const MAX_WAYS: usize = 64;

/// Limit: the minimum time for the evaluation of a new input after the search.
const PATIENCE: Duration = Duration::from_millis(250);

/// The number of passes over all conditions.
const ROUNDS: usize = 3;

/// Returns new inputs for a policy of a file, as the documents of one file: one that is allowed,
/// and one that is denied or that a match condition excludes. A CustomResourceDefinition is treated
/// like a policy. `None` for other documents, and for policies that match no request. The limits of
/// `evaluator` bound the search.
#[must_use]
pub fn skeleton(file: &SourceFile, evaluator: &Evaluator<'_>, policy: usize) -> Option<String> {
    let document = file.policies().get(policy)?;
    if !document.is_evaluated() {
        return None;
    }
    let name = document.name().unwrap_or_default();
    let server = evaluator
        .server
        .only(file.policies(), evaluator.programs, &|it| {
            std::ptr::eq(it, &**document) || !it.is_evaluated()
        });
    let plain = server.only(file.policies(), evaluator.programs, &|_| false);
    let evaluator = Evaluator {
        server: &server,
        inputs: &[],
        ..*evaluator
    };
    let policies = file.policies().iter();
    let is_alone = policies.filter(|it| it.is_evaluated()).count() == 1;
    let written = |solver: &mut Solver<'_>, intended: AnswerKind| {
        let (kind, expected) = expected(solver, intended)?;
        let policy = (!is_alone).then(|| to_yaml(&map([("policy", Value::string(name))])));
        let title = format!("{} {name}", title(kind));
        let title = to_yaml(&map([("name", Value::string(title.trim_end()))]));
        let text = title + &policy.unwrap_or_default() + &solver.draft.text() + &expected;
        Some((kind, text))
    };
    let base = Base::new(file, evaluator, plain.api_server(), policy)?;
    let mut solver = base.allowed()?;
    let (kind, mut text) = written(&mut solver, AnswerKind::Allowed)?;
    if kind == AnswerKind::Allowed
        && let Some((mut solver, intended)) = base.refused(solver)
    {
        solver.prune();
        text.push_str("---\n");
        text.push_str(&written(&mut solver, intended)?.1);
    } else if kind == AnswerKind::Allowed && can_deny(document) {
        text.push_str(NO_DENIED_INPUT);
    }
    Some(text)
}

/// The comment in place of a denied input.
pub const NO_DENIED_INPUT: &str = "# No input that the policy denies was found.\n";

/// Returns whether a policy has conditions that deny requests.
fn can_deny(document: &PolicyDocument) -> bool {
    let mut expressions = document.expressions().iter();
    expressions.any(|it| matches!(it.role, Role::Validation | Role::CrdRule { .. }))
}

/// Returns the beginning of the name of an input with this result.
fn title(kind: AnswerKind) -> &'static str {
    match kind {
        AnswerKind::Allowed => "allowed by",
        AnswerKind::Denied => "denied by",
        AnswerKind::NotEvaluated => "skipped by",
        AnswerKind::Error => "fails in",
        AnswerKind::Rejected => "rejected before",
    }
}

impl<'a> Base<'a> {
    /// Returns drafts of requests that the policy matches, with the fields that it reads.
    fn matched(&self) -> impl Iterator<Item = Solver<'a>> + '_ {
        self.requests()
            .into_iter()
            .filter_map(|(operation, target)| {
                let (draft, schemas) = self.draft(operation, &target);
                let mut solver = self.solver(draft, schemas);
                solver.is_matched().then(|| {
                    solver.complete();
                    solver
                })
            })
            .take(MAX_REQUESTS)
    }

    /// Returns the best draft of a request that the policy allows.
    fn allowed(&self) -> Option<Solver<'a>> {
        let mut best = None;
        for mut solver in self.matched() {
            solver.allow();
            solver.prune();
            if solver.kind() == AnswerKind::Allowed {
                return Some(solver);
            }
            let is_exhausted = solver.is_exhausted();
            best = best.or(Some(solver));
            if is_exhausted {
                break;
            }
        }
        best
    }

    /// Returns a draft of a request that the policy denies or does not match: one that differs in
    /// one value from a request that it allows, or another one.
    fn refused(&self, mut allowed: Solver<'a>) -> Option<(Solver<'a>, AnswerKind)> {
        if let Some(kind) = allowed.make_denied() {
            return Some((allowed, kind));
        }
        if allowed.is_exhausted() {
            return None;
        }
        self.matched().find_map(|mut solver| {
            if solver.denials().is_some() {
                return Some((solver, AnswerKind::Denied));
            }
            let kind = solver.make_denied()?;
            Some((solver, kind))
        })
    }
}

impl Solver<'_> {
    /// Returns whether the rules of the policy match the request.
    fn is_matched(&mut self) -> bool {
        let Some(request) = self.request() else {
            return false;
        };
        let server = self.evaluator.server;
        match server.index_of(self.policy) {
            Some(index) => server.api_server().matches(index, &request).is_ok(),
            None => server
                .crd_validator(self.policy)
                .is_some_and(|it| it.applies_to(&request)),
        }
    }

    /// Returns the result of the policy for the draft.
    fn kind(&mut self) -> AnswerKind {
        let answer = self.answer();
        answer.map_or(AnswerKind::Error, |it| kind_of(&it, self.policy))
    }

    fn conditions(&self) -> Vec<Code> {
        let mut conditions = self.of_role(Role::MatchCondition);
        conditions.extend(self.validations());
        conditions
    }

    /// Returns the deciding expressions: the validations of a policy, or the rules of a definition.
    fn validations(&self) -> Vec<Code> {
        let mut validations = self.of_role(Role::Validation);
        validations.extend(self.rules());
        validations
    }

    /// Changes the draft until all conditions hold.
    fn allow(&mut self) {
        let conditions = self.conditions();
        for _ in 0..ROUNDS {
            let count = |solver: &mut Self| conditions.iter().filter(|it| solver.holds(it)).count();
            let before = count(self);
            if before == conditions.len() {
                return;
            }
            for condition in &conditions {
                if self.is_exhausted() {
                    return;
                }
                if self.holds(condition) {
                    continue;
                }
                let before = count(self);
                let mut change = |solver: &mut Self| {
                    solver.want_of(condition, &Want::truth(true));
                };
                let mut is_better =
                    |solver: &mut Self| solver.holds(condition) && count(solver) > before;
                if !self.search(MAX_WAYS, &mut change, &mut is_better) {
                    let mut is_true = |solver: &mut Self| solver.holds(condition);
                    self.search(MAX_WAYS, &mut change, &mut is_true);
                }
            }
        }
    }

    /// Changes one value so that a validation fails; without validations, so that a match condition
    /// does. Returns the resulting answer of the policy.
    fn make_denied(&mut self) -> Option<AnswerKind> {
        for validation in self.validations() {
            let mut is_denied = |solver: &mut Self| solver.denials() == Some(1);
            if self.break_condition(&validation, &mut is_denied) {
                return Some(AnswerKind::Denied);
            }
        }
        for validation in self.validations() {
            let mut is_denied = |solver: &mut Self| solver.denials().is_some_and(|it| it > 0);
            if self.break_condition(&validation, &mut is_denied) {
                return Some(AnswerKind::Denied);
            }
        }
        if self.document.kind() == Kind::CustomResourceDefinition {
            return self.break_schema().then_some(AnswerKind::Denied);
        }
        if !self.validations().is_empty() {
            return None;
        }
        let conditions = self.of_role(Role::MatchCondition);
        let mut is_skipped = |solver: &mut Self| solver.kind() == AnswerKind::NotEvaluated;
        let broken = conditions
            .iter()
            .any(|condition| self.break_condition(condition, &mut is_skipped));
        broken.then_some(AnswerKind::NotEvaluated)
    }

    fn break_condition(
        &mut self,
        condition: &Code,
        accept: &mut dyn FnMut(&mut Self) -> bool,
    ) -> bool {
        let mut change = |solver: &mut Self| {
            solver.want_of(condition, &Want::truth(false));
        };
        self.search(MAX_WAYS, &mut change, accept)
    }

    /// Returns the number of validations that deny the draft. `None` if an expression fails, or the
    /// policy does not match.
    fn denials(&mut self) -> Option<usize> {
        let answer = self.answer()?;
        if answer.kind_of(self.policy) != AnswerKind::Denied {
            return None;
        }
        Some(messages(&answer).len())
    }

    /// Removes fields that the server does not keep, such as a flag that is false.
    fn prune(&mut self) {
        let Some(request) = self.request() else {
            return;
        };
        let inputs = &request.inputs;
        let pairs = [
            (self.draft.object.as_mut(), inputs.object.as_ref()),
            (self.draft.old_object.as_mut(), inputs.old_object.as_ref()),
        ];
        for (draft, kept) in pairs {
            if let Some((draft, kept)) = draft.zip(kept) {
                prune(draft, kept);
            }
        }
        self.changed();
    }
}

fn prune(draft: &mut Value, kept: &Value) {
    match (draft, kept) {
        (Value::Map(draft), Value::Map(kept)) => draft.retain(|key, value| {
            let kept = kept.get(&key.value());
            if let Some(kept) = kept {
                prune(value, kept);
            }
            kept.is_some()
        }),
        (Value::List(draft), Value::List(kept)) => {
            for (draft, kept) in draft.elements_mut().iter_mut().zip(kept) {
                prune(draft, kept);
            }
        }
        _ => {}
    }
}

/// Returns the result of a policy. An object that the server rejects is neither allowed nor skipped.
fn kind_of(answer: &InputAnswer, policy: usize) -> AnswerKind {
    match answer.kind_of(policy) {
        AnswerKind::Allowed | AnswerKind::NotEvaluated if !answer.response.allowed => {
            AnswerKind::Error
        }
        kind => kind,
    }
}

/// Returns the messages of the validations that do not hold.
fn messages(answer: &InputAnswer) -> Vec<String> {
    let decisions = answer.evaluations().flat_map(|(_, it)| &it.decisions);
    let mut messages: Vec<String> = decisions
        .filter_map(|it| match &it.outcome {
            DecisionOutcome::Denies { message, .. } => Some(message.clone()),
            _ => None,
        })
        .collect();
    messages.dedup();
    messages
}

#[cfg(test)]
mod tests;
