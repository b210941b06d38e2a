//! Evaluation of the validating policies.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/dispatcher.go,
//! Dispatch.

use super::answer::{PolicyResult, PolicyResultKind};
use super::failures::{self, Failure};
use super::invocation::{Call, ConfigurationError, Invocation};
use super::response::{Cause, Caveat, Response, forbidden, invalid, recorded, status_code};
use super::{ApiServer, Policy, sent_warnings};
use crate::crd_validation::Findings;
use crate::decision::DecisionOutcome;
use crate::evaluate::Evaluation;
use crate::limits::EvaluationLimits;
use crate::namespace::UNKNOWN_NAMESPACE;
use crate::plugins::Notes;
use crate::request::Request;
use crate::request_view::RequestView;
use crate::warning::Warning;
use kubernetes::ServerVersion;
use policy::Kind;
use std::collections::HashMap;
use std::sync::Arc;

/// Limit: the bytes of an audit annotation.
const MAX_ANNOTATION: usize = 10 * 1024;

/// A denial: its message and reason.
struct Denial {
    /// The policy, the binding and the parameters.
    call: usize,
    message: String,
    reason: String,
}

/// The result of all policies.
struct Verdicts {
    denials: Vec<Denial>,
    warnings: Vec<Warning>,
    annotations: Vec<(String, Vec<String>)>,
    /// The failures for the audit annotation.
    failures: Vec<Failure>,
    /// The server that the policies are for.
    server: ServerVersion,
    /// The number of calls so far.
    call: usize,
    /// The evaluation of each policy with each of its parameters, which all its bindings share.
    shared: HashMap<(usize, Option<usize>), Shared>,
}

/// The request as a policy sees it, and the evaluation.
type Shared = (Arc<RequestView>, Arc<Evaluation>);

impl ApiServer {
    /// Returns the response to a request after all mutations.
    pub(super) fn decide(
        &self,
        request: &Arc<Request>,
        findings: Findings,
        limits: &EvaluationLimits,
        (results, mut notes): (&mut Vec<PolicyResult>, Notes),
    ) -> Response {
        let mut response = match findings.errors.as_slice() {
            [] => match self.validate_by_plugins(request, &mut notes) {
                Ok(()) => self.validate(request, limits, results),
                Err(response) => *response,
            },
            errors => invalid(request, errors),
        };
        if response.allowed
            && let Some(conflict) = self.conflict(request)
        {
            response = Response {
                warnings: response.warnings,
                audit_annotations: response.audit_annotations,
                ..conflict
            };
        }
        let mut warnings = sent_warnings(request);
        warnings.extend(findings.warnings);
        warnings.extend(notes.warnings.into_iter().map(Warning::from_request));
        warnings.append(&mut response.warnings);
        response.warnings = recorded(warnings);
        let annotations = &mut response.audit_annotations;
        annotations.splice(..0, notes.audit_annotations);
        if response.allowed {
            notes.assumed.dedup();
            let assumed = notes.assumed.into_iter().map(Caveat::Assumed);
            response.caveats.extend(assumed);
        }
        response
    }

    /// Evaluates the validating policies against a request.
    pub(super) fn validate(
        &self,
        request: &Arc<Request>,
        limits: &EvaluationLimits,
        results: &mut Vec<PolicyResult>,
    ) -> Response {
        let view = RequestView::new(Arc::clone(request));
        let round = self.invocations(Kind::ValidatingAdmissionPolicy, request);
        let mut verdicts = Verdicts {
            denials: Vec::new(),
            warnings: Vec::new(),
            annotations: Vec::new(),
            failures: Vec::new(),
            server: self.server(),
            call: 0,
            shared: HashMap::new(),
        };
        for call in &round.calls {
            verdicts.call += 1;
            results.push(match call {
                Call::Evaluate(invocation) => verdicts.evaluate(invocation, &view, limits),
                Call::Refuse(error) => {
                    verdicts.add_error(error);
                    error.result(request)
                }
            });
        }
        results.extend(round.unevaluated);
        verdicts.response(request)
    }
}

impl Verdicts {
    fn add_error(&mut self, error: &ConfigurationError<'_>) {
        if error.policy.failure_policy().denies() {
            let binding = error.binding.map(|binding| &*binding.name);
            self.deny(error.policy.name(), binding, &error.message, "");
        }
    }

    fn deny(&mut self, policy: &str, binding: Option<&str>, message: &str, reason: &str) {
        let reason = if reason.is_empty() { "Invalid" } else { reason };
        self.denials.push(Denial {
            call: self.call,
            message: denial(policy, binding, message),
            reason: reason.to_owned(),
        });
    }

    fn evaluate(
        &mut self,
        invocation: &Invocation<'_>,
        view: &Arc<RequestView>,
        limits: &EvaluationLimits,
    ) -> PolicyResult {
        let (view, evaluation) = self.shared.entry(invocation.identity()).or_insert_with(|| {
            let Policy {
                document, compiled, ..
            } = invocation.policy;
            let view = invocation.view(view);
            let evaluation = compiled.evaluate_view(document, &view, limits);
            (view, Arc::new(evaluation))
        });
        let (view, evaluation) = (Arc::clone(view), Arc::clone(evaluation));
        if let Some(reason) = evaluation.stopped() {
            return invocation.result(&view, PolicyResultKind::Stopped(reason));
        }
        if invocation.is_assumed && evaluation.has_effect() {
            return invocation.result(&view, PolicyResultKind::Stopped(UNKNOWN_NAMESPACE));
        }
        self.add(invocation, &evaluation);
        invocation.result(&view, PolicyResultKind::Validated(evaluation))
    }

    fn add(&mut self, invocation: &Invocation<'_>, evaluation: &Evaluation) {
        let policy = invocation.policy;
        let binding = invocation.binding_name();
        let decisions = evaluation.decisions.iter().enumerate();
        for (index, decision) in decisions.filter(|(_, it)| it.outcome.denies()) {
            let (message, reason) = match &decision.outcome {
                DecisionOutcome::Holds => continue,
                DecisionOutcome::Denies { message, reason } => (message, reason.as_str()),
                DecisionOutcome::Fails { message, .. } => (message, ""),
            };
            for action in actions(invocation) {
                match action {
                    "Deny" => self.deny(policy.name(), binding, message, reason),
                    "Audit" => {
                        let failure = Failure::new(invocation, index, message);
                        self.failures.push(failure);
                    }
                    "Warn" => {
                        let (name, binding) = (policy.name(), with_binding(binding));
                        let warning = Warning::of_validation(name, &binding, message);
                        self.warnings.push(warning);
                    }
                    _ => {}
                }
            }
        }
        for annotation in &evaluation.audit_annotations {
            match &annotation.value {
                Ok(Some(value)) => {
                    let key = format!("{}/{}", policy.name(), annotation.key);
                    self.annotate(key, value);
                }
                Ok(None) => {}
                Err(message) => self.deny(policy.name(), binding, message, ""),
            }
        }
    }

    /// Adds an annotation. Several values of one key are joined, each once.
    fn annotate(&mut self, key: String, value: &str) {
        let end = value.floor_char_boundary(MAX_ANNOTATION);
        let value = value.get(..end).unwrap_or(value).to_owned();
        match self.annotations.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) if values.contains(&value) => {}
            Some((_, values)) => values.push(value),
            None => self.annotations.push((key, vec![value])),
        }
    }

    fn response(self, request: &Request) -> Response {
        let mut response = match self.denials.first() {
            None => Response::allowed(request),
            Some(first) => Response::denied(
                status_code(&first.reason),
                &first.reason,
                forbidden(request, &first.message),
                vec![Cause::from_message(first.message.clone())],
            ),
        };
        // The first denial of the first call decides.
        let mut others = self.denials.chunk_by(|left, right| left.call == right.call);
        let first = others.next().and_then(<[Denial]>::first);
        let words =
            |denial: Option<&Denial>| denial.map(|it| (it.message.clone(), it.reason.clone()));
        if others.any(|denials| words(denials.first()) != words(first)) {
            response.caveats.push(Caveat::AnyDenial);
        }
        response.warnings = self.warnings;
        let annotations = self.annotations.into_iter();
        response.audit_annotations = annotations
            .map(|(key, values)| (key, values.join(", ")))
            .collect();
        if let Some(value) = failures::value(&self.failures, self.server) {
            let annotation = (failures::KEY.to_owned(), value);
            response.audit_annotations.push(annotation);
        }
        response
    }
}

/// Returns the message of a denial by a policy.
#[must_use]
pub fn denial(policy: &str, binding: Option<&str>, message: &str) -> String {
    let binding = with_binding(binding);
    format!("ValidatingAdmissionPolicy '{policy}'{binding} denied request: {message}")
}

/// Returns the binding as in the server's message; empty for a policy without one.
fn with_binding(binding: Option<&str>) -> String {
    binding.map_or_else(String::new, |name| format!(" with binding '{name}'"))
}

/// Returns the validation actions of the binding.
fn actions<'a>(invocation: &Invocation<'a>) -> Vec<&'a str> {
    let Some(binding) = invocation.binding else {
        return vec!["Deny"];
    };
    binding.actions.iter().map(|action| &**action).collect()
}
