//! Evaluation of the mutating policies, once or twice. The built-in plugins run before each time.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/dispatcher.go,
//! dispatchInvocations.

use super::answer::{PolicyResult, PolicyResultKind};
use super::invocation::{Call, ConfigurationError, Invocation};
use super::reinvocation::Reinvocation;
use super::response::{Cause, Caveat, Response};
use super::{ApiServer, Policy, Resource};
use crate::limits::EvaluationLimits;
use crate::match_conditions::Matched;
use crate::mutate::{Mutation, MutationStep};
use crate::namespace::UNKNOWN_NAMESPACE;
use crate::object_meta;
use crate::plugins::Notes;
use crate::request::Request;
use crate::request_view::RequestView;
use kubernetes::mutation::{MutationError, native};
use kubernetes::quote::quote;
use policy::Kind;
use std::sync::Arc;

/// A failure that denies the request, and whether it comes from a mutation or from the setup.
struct PolicyError {
    /// The policy and the binding.
    call: (String, Option<String>),
    message: String,
    reason: &'static str,
}

/// The state of the mutations of a request.
struct Dispatch<'a> {
    api_server: &'a ApiServer,
    limits: &'a EvaluationLimits,
    results: &'a mut Vec<PolicyResult>,
    errors: Vec<PolicyError>,
    reinvocation: Reinvocation,
    changed: bool,
}

impl ApiServer {
    /// Applies the mutating policies, which cannot move the object.
    pub(super) fn mutate_in_place(
        &self,
        request: &mut Arc<Request>,
        limits: &EvaluationLimits,
        results: &mut Vec<PolicyResult>,
        notes: &mut Notes,
    ) -> Result<bool, Box<Response>> {
        let before = request.inputs.object.clone();
        let is_changed = self.mutate(request, limits, (results, notes))?;
        let placed = object_meta::keep_in_place(Arc::make_mut(request), before.as_ref());
        placed
            .map(|()| is_changed)
            .map_err(|(code, reason, message)| {
                Box::new(Response::denied(code, reason, message, Vec::new()))
            })
    }

    /// Applies the mutating policies to the object of a request.
    ///
    /// Returns whether the object has changed.
    ///
    /// # Errors
    /// The response, if one of them denies the request.
    pub(super) fn mutate(
        &self,
        request: &mut Arc<Request>,
        limits: &EvaluationLimits,
        (results, notes): (&mut Vec<PolicyResult>, &mut Notes),
    ) -> Result<bool, Box<Response>> {
        let mut kinds = self.policies.iter().map(|policy| policy.document.kind());
        if !kinds.any(|kind| kind == Kind::MutatingAdmissionPolicy) {
            return Ok(false);
        }
        let mut dispatch = Dispatch {
            api_server: self,
            limits,
            results,
            errors: Vec::new(),
            reinvocation: Reinvocation::default(),
            changed: false,
        };
        dispatch.pass(request, true, |_| true)?;
        if !dispatch.changed {
            return Ok(false);
        }
        self.plugins(Arc::make_mut(request), notes)?;
        let mut reinvocation = std::mem::take(&mut dispatch.reinvocation);
        reinvocation.require();
        if reinvocation.is_empty() {
            return Ok(true);
        }
        // The rules and selectors match the current object.
        dispatch.pass(request, false, |it| reinvocation.includes(it))?;
        Ok(true)
    }
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/policy_dispatcher.go,
/// PolicyError.Error.
fn in_words(policy: &Policy, binding: Option<&str>, reason: &str) -> String {
    let policy = policy.name();
    match binding {
        None => format!("policy {} denied request: {reason}", quote(policy)),
        Some(binding) => {
            format!("policy '{policy}' with binding '{binding}' denied request: {reason}")
        }
    }
}

/// Returns why the outcome of a mutation is unknown: it has an effect, but whether its policy matches
/// is unknown.
fn unknown(
    invocation: &Invocation<'_>,
    mutation: &Mutation,
    request: &Request,
) -> Option<&'static str> {
    let is_unchanged = mutation.object == request.inputs.object
        && mutation.steps.iter().all(|step| step.result.is_ok());
    (invocation.is_assumed && !is_unchanged).then_some(UNKNOWN_NAMESPACE)
}

impl Dispatch<'_> {
    /// Evaluates the selected policies that match the request.
    fn pass(
        &mut self,
        request: &mut Arc<Request>,
        is_first: bool,
        is_wanted: impl Fn(&Invocation<'_>) -> bool,
    ) -> Result<(), Box<Response>> {
        let seen = Arc::clone(request);
        let api_server = self.api_server;
        let mut round = api_server.invocations(Kind::MutatingAdmissionPolicy, &seen);
        if is_first {
            self.results.append(&mut round.unevaluated);
        }
        let mut invocations = Vec::new();
        for call in round.calls {
            match call {
                Call::Evaluate(invocation) if is_wanted(&invocation) => {
                    invocations.push(invocation);
                }
                Call::Refuse(error) if is_first => self.reject(&error, &seen),
                Call::Evaluate(_) | Call::Refuse(_) => {}
            }
        }
        // The server changes a copy of the object for each version of its kind, and keeps the
        // one that it has changed last.
        let mut copies: Vec<(Option<&Resource>, Arc<Request>)> = Vec::new();
        let mut last = None;
        for invocation in &invocations {
            let kind = invocation.resource.as_ref();
            let at = copies.iter().position(|(known, _)| *known == kind);
            let at = at.unwrap_or_else(|| {
                copies.push((kind, Arc::clone(&seen)));
                copies.len() - 1
            });
            if let Some((_, copy)) = copies.get_mut(at)
                && self.evaluate(invocation, copy)?
            {
                last = Some(at);
            }
        }
        if let Some((_, copy)) = last.and_then(|at| copies.into_iter().nth(at)) {
            *request = copy;
        }
        self.finish()
    }

    fn reject(&mut self, error: &ConfigurationError<'_>, request: &Arc<Request>) {
        self.results.push(error.result(request));
        if error.policy.failure_policy().denies() {
            let binding = error.binding.map(|binding| &*binding.name);
            self.errors.push(PolicyError {
                call: (error.policy.name().to_owned(), binding.map(str::to_owned)),
                message: in_words(error.policy, binding, &error.message),
                reason: "Forbidden",
            });
        }
    }

    /// Evaluates a policy. Returns whether it matches and has mutations.
    fn evaluate(
        &mut self,
        invocation: &Invocation<'_>,
        request: &mut Arc<Request>,
    ) -> Result<bool, Box<Response>> {
        let policy = invocation.policy;
        let view = invocation.view(&RequestView::new(Arc::clone(request)));
        let kinds = &self.api_server.kinds;
        let mutation = policy
            .compiled
            .mutate_view(&policy.document, &view, kinds, self.limits);
        let stopped = mutation.stopped();
        if let Some(reason) = stopped.or_else(|| unknown(invocation, &mutation, request)) {
            let outcome = PolicyResultKind::Stopped(reason);
            self.results.push(invocation.result(&view, outcome));
            return Ok(false);
        }
        let outcome = PolicyResultKind::Mutated(mutation.clone());
        self.results.push(invocation.result(&view, outcome));
        match mutation.matched {
            Matched::Yes => {}
            Matched::No(_) => return Ok(false),
            Matched::Unknown(reason) => {
                self.fail(invocation, &reason);
                return Ok(false);
            }
        }
        self.add_failures(invocation, &mutation.steps)?;
        let mut object = mutation.object;
        if let Some(object) = &mut object
            && invocation.resource.is_some()
        {
            let own = &request.resource;
            kubernetes::defaults::convert(object, &own.group, &own.version);
        }
        let is_null_in_json = object.as_ref().is_some_and(native::has_nil);
        if is_null_in_json || object != request.inputs.object {
            self.changed = true;
            self.reinvocation.require();
            Arc::make_mut(request).inputs.object = object;
        }
        self.reinvocation.add(invocation);
        Ok(!mutation.steps.is_empty())
    }

    /// Adds failures. An internal error of the server ends the evaluation.
    fn add_failures(
        &mut self,
        invocation: &Invocation<'_>,
        steps: &[MutationStep],
    ) -> Result<(), Box<Response>> {
        for error in steps.iter().filter_map(|it| it.result.as_ref().err()) {
            match error {
                MutationError::Failed(message) => self.fail(invocation, message),
                MutationError::Internal(cause) => {
                    let causes = vec![Cause::from_message(cause.clone())];
                    let message = error.to_string();
                    let response = Response::denied(500, "InternalError", message, causes);
                    return Err(Box::new(response));
                }
            }
        }
        Ok(())
    }

    fn fail(&mut self, invocation: &Invocation<'_>, reason: &str) {
        if invocation.policy.failure_policy().denies() {
            let binding = invocation.binding_name();
            self.errors.push(PolicyError {
                call: (
                    invocation.policy.name().to_owned(),
                    binding.map(str::to_owned),
                ),
                message: in_words(invocation.policy, binding, reason),
                reason: "Invalid",
            });
        }
    }

    /// Checks that the request is not denied.
    ///
    /// # Errors
    /// The request is denied. The error is the response.
    fn finish(&self) -> Result<(), Box<Response>> {
        let Some(first) = self.errors.first() else {
            return Ok(());
        };
        let causes = self
            .errors
            .iter()
            .map(|error| Cause::from_message(error.message.clone()));
        let message = first.message.clone();
        let mut response = Response::denied(403, first.reason, message, causes.collect());
        if self.errors.iter().any(|error| error.call != first.call) {
            response.caveats.push(Caveat::AnyDenial);
        }
        Err(Box::new(response))
    }
}
