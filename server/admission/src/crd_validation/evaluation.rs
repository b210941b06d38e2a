//! The rules of a definition one by one: the result of each for the object of a request.
//!
//! The server reports only errors. An author needs the result of each rule, and the values of its
//! parts. A rule is evaluated once for each value of its schema; the first value that violates it
//! represents the rule, otherwise the first value.

use super::object_validation::ObjectValidation;
use super::recorder::{Recorder, RuleRun};
use super::{CrdValidator, Rule};
use crate::decision::{Decision, DecisionOutcome, Verdict};
use crate::evaluate::{Evaluation, ExpressionResult, Failure};
use crate::limits::EvaluationLimits;
use crate::request::Request;
use cel::eval::Trace;
use policy::Role;
use policy::cost::{PER_CALL, VALIDATIONS};
use policy::field_error::{ErrorSource, FieldError};
use std::collections::HashMap;
use yaml::NodeId;

impl CrdValidator {
    /// Returns whether a request creates or updates an object that the rules are about.
    #[must_use]
    pub fn applies_to(&self, request: &Request) -> bool {
        self.subject(request).is_some()
            && self.is_of(&request.resource.group, &request.resource.kind)
            && self.serves(&request.resource.version)
            && self.schema(&request.resource.version).is_some()
    }

    /// Returns the result of each rule for the object of a request, as decisions in the order of
    /// the file. Rules without a value to run on have none. `None` for other requests.
    ///
    /// # Errors
    /// The evaluation was stopped by a limit that an API server does not have: why.
    pub fn evaluate(
        &self,
        request: &Request,
        limits: &EvaluationLimits,
    ) -> Result<Option<Evaluation>, &'static str> {
        let Some(validation) = self.recorded(request, limits) else {
            return Ok(None);
        };
        if let Some(error) = request.decoding_error() {
            return Ok(Some(undecoded(&error)));
        }
        if let Some(reason) = validation.findings.stopped {
            return Err(reason);
        }
        let ran = validation.recorder.unwrap_or_default().0;
        let expressions = self.document.expressions().iter().enumerate();
        let rules = expressions.filter(|(_, it)| matches!(it.role, Role::CrdRule { .. }));
        let mut decisions: Vec<Decision> = rules
            .filter_map(|(index, expression)| {
                let ran = ran.get(&expression.owner)?;
                let index = Some(index);
                let outcome = ran.error.as_ref().map_or(DecisionOutcome::Holds, outcome);
                Some(Decision { index, outcome })
            })
            .collect();
        let structural = validation
            .findings
            .errors
            .iter()
            .take(validation.structural);
        decisions.extend(structural.map(|error| Decision {
            index: None,
            outcome: outcome(error),
        }));
        Ok(Some(Evaluation {
            verdict: if validation.findings.errors.is_empty() {
                Verdict::Allowed
            } else {
                Verdict::Denied
            },
            decisions,
            audit_annotations: Vec::new(),
            results: Vec::new(),
            cost: VALIDATIONS - validation.left,
        }))
    }

    /// Prepares to evaluate the rules and message expressions one by one on a request. `None` for a
    /// request to which they do not apply.
    #[must_use]
    pub fn inspect<'a>(
        &'a self,
        request: &Request,
        limits: &'a EvaluationLimits,
    ) -> Option<CrdInspection<'a>> {
        let validation = self.recorded(request, limits)?;
        let rules = self.rules.values().flatten();
        Some(CrdInspection {
            validator: self,
            limits,
            ran: validation.recorder.unwrap_or_default().0,
            rules: rules.map(|rule| (rule.entry, rule)).collect(),
        })
    }

    fn recorded<'a>(
        &'a self,
        request: &Request,
        limits: &'a EvaluationLimits,
    ) -> Option<ObjectValidation<'a>> {
        if !self.applies_to(request) {
            return None;
        }
        let mut validation = ObjectValidation::new(self, limits);
        validation.recorder = Some(Recorder::default());
        validation.start(&self.subject(request)?);
        Some(validation)
    }
}

/// The rules of a definition on one request, each evaluated alone on the value that represents it.
#[derive(Debug)]
pub struct CrdInspection<'a> {
    validator: &'a CrdValidator,
    limits: &'a EvaluationLimits,
    ran: HashMap<NodeId, RuleRun>,
    rules: HashMap<NodeId, &'a Rule>,
}

impl CrdInspection<'_> {
    /// Returns the result of a rule or its message expression, and the value of each of its parts.
    /// `None` if the rule is not evaluated.
    #[must_use]
    pub fn expression(&self, index: usize) -> Option<(ExpressionResult, Trace)> {
        let expression = self.validator.document.expressions().get(index)?;
        let rule = *self.rules.get(&expression.owner)?;
        let (of_rule, of_message) = &self.ran.get(&rule.entry)?.bindings;
        let (program, bindings) = match expression.role {
            Role::CrdRule { .. } => (&rule.program, of_rule),
            _ => (rule.message.as_ref()?, of_message),
        };
        if self.limits.is_over() {
            return Some(ExpressionResult::canceled(index));
        }
        let (outcome, trace) = program.run_traced(bindings, &self.limits.for_call(PER_CALL));
        let result = ExpressionResult {
            index,
            result: outcome.result.map_err(Failure::Evaluation),
            cost: outcome.cost,
        };
        Some((result, trace))
    }
}

/// Returns the result for an object that the server cannot decode.
fn undecoded(error: &str) -> Evaluation {
    let outcome = DecisionOutcome::Denies {
        message: error.to_owned(),
        reason: "BadRequest".to_owned(),
    };
    Evaluation {
        verdict: Verdict::Denied,
        decisions: vec![Decision {
            index: None,
            outcome,
        }],
        audit_annotations: Vec::new(),
        results: Vec::new(),
        cost: 0,
    }
}

fn outcome(error: &FieldError) -> DecisionOutcome {
    let message = format!("{}: {}", error.field, error.message);
    if error.source == ErrorSource::FailedRule {
        DecisionOutcome::Fails {
            message,
            denies: true,
        }
    } else {
        DecisionOutcome::Denies {
            message,
            reason: error.kind.as_str().to_owned(),
        }
    }
}
