//! The rules of a definition one by one: the result of each for the object of a request.
//!
//! The server reports only errors. An author needs the result of each rule, and the values of
//! its parts. A rule is evaluated once for each value of its schema; the first value that
//! violates it represents the rule, or else the first one.

use super::walk::Walk;
use super::{CrdValidator, Rule};
use crate::decision::{Decision, Outcome};
use crate::evaluate::{Evaluation, ExpressionResult, Failure, Verdict};
use crate::limits::EvaluationLimits;
use crate::request::Request;
use cel::eval::{Bindings, Trace};
use policy::Role;
use policy::cost::{PER_CALL, VALIDATIONS};
use policy::field_error::FieldError;
use yaml::NodeId;

/// The rules that have run, each once.
#[derive(Debug, Default)]
pub(super) struct Recorder(Vec<Ran>);

/// A rule that has run.
#[derive(Debug)]
struct Ran {
    /// The entry of `x-kubernetes-validations`.
    entry: NodeId,
    /// The bindings of the rule, and those of its message.
    bindings: (Bindings, Bindings),
    /// The error of the server, if the rule is violated.
    error: Option<FieldError>,
}

impl Recorder {
    /// Adds a rule that has run on one value.
    pub(super) fn add(
        &mut self,
        rule: &Rule,
        (bindings, of_message): (&Bindings, &Bindings),
        error: Option<&FieldError>,
    ) {
        let known = self.0.iter().position(|it| it.entry == rule.entry);
        let ran = |error: Option<&FieldError>| Ran {
            entry: rule.entry,
            bindings: (bindings.clone(), of_message.clone()),
            error: error.cloned(),
        };
        match known.and_then(|place| self.0.get_mut(place)) {
            None => self.0.push(ran(error)),
            Some(known) if known.error.is_none() && error.is_some() => *known = ran(error),
            Some(_) => {}
        }
    }
}

impl CrdValidator {
    /// Returns whether a request creates or updates an object that the rules are about.
    #[must_use]
    pub fn applies_to(&self, request: &Request) -> bool {
        self.subject(request).is_some()
            && self.is_of(&request.resource.group, &request.resource.kind)
            && self.schema(&request.resource.version).is_some()
    }

    /// Returns the result of each rule for the object of a request, as decisions in the order of
    /// the file. Rules without a value to run on have none. `None` for other requests.
    #[must_use]
    pub fn evaluate(&self, request: &Request, limits: &EvaluationLimits) -> Option<Evaluation> {
        let walk = self.recorded(request, limits)?;
        let ran = walk.recorder.unwrap_or_default().0;
        let expressions = self.document.expressions().iter().enumerate();
        let rules = expressions.filter(|(_, it)| matches!(it.role, Role::CrdRule { .. }));
        let mut decisions: Vec<Decision> = rules
            .filter_map(|(index, expression)| {
                let ran = ran.iter().find(|it| it.entry == expression.owner)?;
                let index = Some(index);
                let outcome = ran.error.as_ref().map_or(Outcome::Holds, outcome);
                Some(Decision { index, outcome })
            })
            .collect();
        let structural = walk.findings.errors.iter().take(walk.structural);
        decisions.extend(structural.map(|error| Decision {
            index: None,
            outcome: outcome(error),
        }));
        Some(Evaluation {
            verdict: match walk.findings.errors.is_empty() {
                true => Verdict::Allowed,
                false => Verdict::Denied,
            },
            decisions,
            audit_annotations: Vec::new(),
            results: Vec::new(),
            cost: VALIDATIONS - walk.left,
        })
    }

    /// Evaluates a rule or its message expression for the value that represents the rule, with the
    /// value of each part. `None` if the rule is not evaluated.
    #[must_use]
    pub fn evaluate_expression(
        &self,
        index: usize,
        request: &Request,
        limits: &EvaluationLimits,
    ) -> Option<(ExpressionResult, Trace)> {
        let owner = self.document.expressions().get(index)?;
        let mut rules = self.rules.values().flatten();
        let rule = rules.find(|it| it.entry == owner.owner)?;
        let ran = self.recorded(request, limits)?.recorder?.0;
        let (of_rule, of_message) = ran
            .into_iter()
            .find(|it| it.entry == rule.entry)
            .map(|it| it.bindings)?;
        let (program, bindings) = match owner.role {
            Role::CrdRule { .. } => (&rule.program, of_rule),
            _ => (rule.message.as_ref()?, of_message),
        };
        let (outcome, trace) = program.run_traced(&bindings, &limits.of_call(PER_CALL));
        let result = ExpressionResult {
            index,
            result: outcome.result.map_err(Failure::Evaluation),
            cost: outcome.cost,
        };
        Some((result, trace))
    }

    fn recorded<'a>(&'a self, request: &Request, limits: &'a EvaluationLimits) -> Option<Walk<'a>> {
        if !self.applies_to(request) {
            return None;
        }
        let mut walk = Walk::new(self, limits);
        walk.recorder = Some(Recorder::default());
        walk.start(&self.subject(request)?);
        Some(walk)
    }
}

fn outcome(error: &FieldError) -> Outcome {
    let message = format!("{}: {}", error.field, error.message);
    match error.is_failure {
        true => Outcome::Fails {
            message,
            denies: true,
        },
        false => Outcome::Denies {
            message,
            reason: error.kind.as_str().to_owned(),
        },
    }
}
