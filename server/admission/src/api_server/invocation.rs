//! The policies to evaluate: those that match, with each of their bindings and parameters.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/policy_dispatcher.go,
//! Dispatch.

use super::answer::{PolicyResult, PolicyResultKind};
use super::order::permuted;
use super::params::{Params, ParamsError};
use super::{ApiServer, Binding, Policy};
use crate::matching::{assumes_labels, is_never_evaluated, match_resources, matches};
use crate::request::Request;
use crate::request_view::RequestView;
use crate::resource::Resource;
use cel::Value;
use policy::Kind;
use policy::PolicyDocument;
use std::sync::Arc;

/// A policy with a binding and its parameters, for a request that both match.
pub(super) struct Invocation<'a> {
    /// The index of the policy.
    pub(super) index: usize,
    pub(super) policy: &'a Policy,
    /// `None` for a policy that is evaluated without a binding.
    pub(super) binding: Option<&'a Binding>,
    /// The resource in the rule of the policy, if it differs from that of the request.
    pub(super) resource: Option<Resource>,
    pub(super) params: Option<&'a Value>,
    /// Whether it matches only if the labels of the namespace, which are unknown, fit.
    pub(super) is_assumed: bool,
}

/// Why a policy cannot be evaluated.
pub(super) struct ConfigurationError<'a> {
    /// The index of the policy.
    pub(super) index: usize,
    pub(super) policy: &'a Policy,
    /// `None` if the error is in the policy itself.
    pub(super) binding: Option<&'a Binding>,
    pub(super) message: String,
    /// Whether the binding selects parameters that do not exist.
    pub(super) lacks_params: bool,
}

/// The outcome of matching a policy and a binding.
pub(super) enum Call<'a> {
    Evaluate(Invocation<'a>),
    Refuse(ConfigurationError<'a>),
}

impl Call<'_> {
    /// Returns the index of the policy.
    pub(super) fn index(&self) -> usize {
        match self {
            Call::Evaluate(invocation) => invocation.index,
            Call::Refuse(error) => error.index,
        }
    }

    /// Returns the index of the binding.
    pub(super) fn binding(&self) -> Option<usize> {
        let binding = match self {
            Call::Evaluate(invocation) => invocation.binding,
            Call::Refuse(error) => error.binding,
        };
        binding.map(|binding| binding.index)
    }
}

/// Limit: the evaluations of validating policies for one request, each with a binding and a
/// parameter. A cluster has hundreds. A result needs less than a kilobyte until the request is
/// answered.
const MAX_VALIDATIONS: usize = 50_000;

/// Limit: those of mutating policies, whose results keep a copy of the object.
const MAX_MUTATIONS: usize = 5_000;

/// The policies of one kind, for one request.
pub(super) struct InvocationRound<'a> {
    pub(super) api_server: &'a ApiServer,
    pub(super) request: &'a Arc<Request>,
    /// Whether no policy of this kind applies to the request.
    is_never_evaluated: bool,
    /// The number of calls that it may have.
    limit: usize,
    /// In the order of evaluation.
    pub(super) calls: Vec<Call<'a>>,
    pub(super) unevaluated: Vec<PolicyResult>,
}

impl ApiServer {
    /// Returns the policies of a kind with their bindings and parameters for a request that they
    /// match, and why the others do not match or cannot be evaluated.
    pub(super) fn invocations<'a>(
        &'a self,
        kind: Kind,
        request: &'a Arc<Request>,
    ) -> InvocationRound<'a> {
        let mut round = InvocationRound {
            api_server: self,
            request,
            is_never_evaluated: is_never_evaluated(kind, request),
            limit: match kind {
                Kind::MutatingAdmissionPolicy => MAX_MUTATIONS,
                _ => MAX_VALIDATIONS,
            },
            calls: Vec::with_capacity(self.policies.len()),
            unevaluated: Vec::new(),
        };
        let policies = self.policies.iter().enumerate();
        let mut policies: Vec<_> = policies
            .filter(|(_, policy)| policy.document.kind() == kind)
            .collect();
        if kind == Kind::MutatingAdmissionPolicy {
            policies.sort_by(|(_, left), (_, right)| left.name().cmp(right.name()));
        }
        for (index, policy) in policies {
            round.policy(index, policy);
        }
        round.calls = arranged(round.calls, self.order);
        round
    }

    /// Checks whether a policy, by its index, and one of its bindings match a request by their
    /// rules and selectors.
    ///
    /// # Errors
    /// Why they do not match. Of several bindings the first reason is returned.
    pub fn matches(&self, policy: usize, request: &Request) -> Result<(), PolicyResultKind> {
        let Some(policy) = self.policies.get(policy) else {
            return Err(PolicyResultKind::Unbound);
        };
        if is_never_evaluated(policy.document.kind(), request) {
            matches(&policy.document, request).map_err(PolicyResultKind::Mismatch)?;
        }
        let constraints = policy.compiled.constraints.as_deref();
        let matched = match_resources(constraints, true, request, &self.kinds);
        matched.map_err(PolicyResultKind::Mismatch)?;
        let mut reason = None;
        for binding in &policy.bindings {
            let narrowed = binding.narrowed.as_deref();
            match match_resources(narrowed, false, request, &self.kinds) {
                Ok(_) => return Ok(()),
                Err(mismatch) => {
                    reason.get_or_insert(PolicyResultKind::BindingMismatch(mismatch));
                }
            }
        }
        match reason {
            Some(reason) => Err(reason),
            None if self.evaluates_unbound => Ok(()),
            None => Err(PolicyResultKind::Unbound),
        }
    }

    /// Returns the first object of the kind of a policy's parameters.
    fn any_params(&self, policy: &PolicyDocument) -> Option<&Value> {
        let kind = policy.policy()?.param_kind.as_ref()?;
        let (api_version, kind) = (kind.api_version(), kind.kind());
        self.objects.of_kind(api_version, kind).next()
    }
}

impl<'a> InvocationRound<'a> {
    /// Returns how many evaluations the request leads to: one for each policy, binding and
    /// parameter.
    pub(super) fn evaluated(&self) -> usize {
        let calls = self.calls.iter();
        calls
            .filter(|call| matches!(call, Call::Evaluate(_)))
            .count()
    }

    fn policy(&mut self, index: usize, policy: &'a Policy) {
        let kinds = &self.api_server.kinds;
        if self.is_never_evaluated
            && let Err(mismatch) = matches(&policy.document, self.request)
        {
            return self.add_result(index, None, PolicyResultKind::Mismatch(mismatch));
        }
        let constraints = policy.compiled.constraints.as_deref();
        let resource = match match_resources(constraints, true, self.request, kinds) {
            Ok(resource) => resource,
            Err(mismatch) => {
                return self.add_result(index, None, PolicyResultKind::Mismatch(mismatch));
            }
        };
        let is_bound = !policy.bindings.is_empty();
        let evaluates_unbound = self.api_server.evaluates_unbound;
        if (is_bound || evaluates_unbound)
            && let Some(message) = self.unknown_params(policy)
        {
            return self.refuse(index, policy, None, message, false);
        }
        for binding in &policy.bindings {
            self.binding(index, policy, binding, resource.as_ref());
        }
        match (is_bound, evaluates_unbound) {
            (true, _) => {}
            (false, false) => self.add_result(index, None, PolicyResultKind::Unbound),
            (false, true) => {
                let params = match self.input_params(policy) {
                    Some(given) => given,
                    None => vec![self.api_server.any_params(&policy.document)],
                };
                self.invoke(index, policy, None, resource.as_ref(), params);
            }
        }
    }

    fn binding(
        &mut self,
        index: usize,
        policy: &'a Policy,
        binding: &'a Binding,
        resource: Option<&Resource>,
    ) {
        let narrowed = binding.narrowed.as_deref();
        let narrowed = match_resources(narrowed, false, self.request, &self.api_server.kinds);
        if let Err(mismatch) = narrowed {
            let outcome = PolicyResultKind::BindingMismatch(mismatch);
            return self.add_result(index, Some(binding), outcome);
        }
        let params = Params {
            api_server: self.api_server,
            policy: &policy.document,
            binding: &binding.document,
            namespace: &self.request.namespace,
        };
        let params = if policy.compiled.takes_params {
            self.input_params(policy)
                .map_or_else(|| params.collect(), Ok)
        } else {
            Ok(vec![None])
        };
        match params {
            Ok(none) if none.is_empty() => {
                self.add_result(index, Some(binding), PolicyResultKind::NoParams);
            }
            Ok(all) if self.calls.len() + all.len() > self.limit => {
                let why = too_many(self.limit);
                self.add_result(index, Some(binding), PolicyResultKind::Unknown(why));
            }
            Ok(all) => self.invoke(index, policy, Some(binding), resource, all),
            Err(ParamsError::Unknown(why)) => {
                self.add_result(index, Some(binding), PolicyResultKind::Unknown(why));
            }
            Err(ParamsError::Configuration {
                reason,
                lacks_params,
            }) => {
                let message = format!("failed to configure binding: {reason}");
                self.refuse(index, policy, Some(binding), message, lacks_params);
            }
        }
    }

    /// Returns why parameters of the kind that a policy names cannot exist.
    fn unknown_params(&self, policy: &Policy) -> Option<String> {
        if !policy.compiled.takes_params || self.request.params.is_some() {
            return None;
        }
        let unknown = self.api_server.unknown_params(&policy.document)?;
        Some(format!("failed to configure policy: {unknown}"))
    }

    /// Returns the parameters in the input, for a policy with a `paramKind`.
    fn input_params(&self, policy: &Policy) -> Option<Vec<Option<&'a Value>>> {
        let given = self.request.params.as_ref()?;
        if !policy.compiled.takes_params {
            return None;
        }
        Some(given.iter().map(Some).collect())
    }

    fn invoke(
        &mut self,
        index: usize,
        policy: &'a Policy,
        binding: Option<&'a Binding>,
        resource: Option<&Resource>,
        params: Vec<Option<&'a Value>>,
    ) {
        let narrowed = binding.and_then(|binding| binding.narrowed.as_deref());
        let mut resources = [policy.compiled.constraints.as_deref(), narrowed].into_iter();
        let is_assumed = resources.any(|it| assumes_labels(it, self.request));
        let calls = params.into_iter().map(|params| {
            Call::Evaluate(Invocation {
                index,
                policy,
                binding,
                resource: resource.cloned(),
                params,
                is_assumed,
            })
        });
        self.calls.extend(calls);
    }

    fn refuse(
        &mut self,
        index: usize,
        policy: &'a Policy,
        binding: Option<&'a Binding>,
        message: String,
        lacks_params: bool,
    ) {
        self.calls.push(Call::Refuse(ConfigurationError {
            index,
            policy,
            binding,
            message,
            lacks_params,
        }));
    }

    fn add_result(&mut self, policy: usize, binding: Option<&Binding>, outcome: PolicyResultKind) {
        self.unevaluated.push(PolicyResult {
            policy,
            binding: binding.map(|binding| binding.index),
            request: Arc::clone(self.request),
            outcome,
        });
    }
}

/// Returns why a binding is not evaluated beyond a limit.
fn too_many(limit: usize) -> String {
    format!(
        "stopped: the request leads to more than {limit} evaluations, one for each binding and \
         parameter"
    )
}

impl ConfigurationError<'_> {
    /// Returns the result of the policy.
    pub(super) fn result(&self, request: &Arc<Request>) -> PolicyResult {
        PolicyResult {
            policy: self.index,
            binding: self.binding.map(|binding| binding.index),
            request: Arc::clone(request),
            outcome: PolicyResultKind::NotConfigured {
                message: self.message.clone(),
                lacks_params: self.lacks_params,
            },
        }
    }
}

impl Invocation<'_> {
    /// Returns the result of the policy.
    pub(super) fn result(&self, view: &RequestView, outcome: PolicyResultKind) -> PolicyResult {
        PolicyResult {
            policy: self.index,
            binding: self.binding.map(|binding| binding.index),
            request: Arc::clone(view.request()),
            outcome,
        }
    }

    /// Returns the name of the binding.
    pub(super) fn binding_name(&self) -> Option<&str> {
        self.binding.map(|binding| &*binding.name)
    }

    /// Returns a key that invocations share if their policies see the same request.
    pub(super) fn identity(&self) -> (usize, Option<usize>) {
        let params = self.params.map(|it| std::ptr::from_ref(it).addr());
        (self.index, params)
    }

    /// Returns the request as the policy sees it: with its parameters, and in the version that its
    /// rule names. If that is the original request, all policies share it.
    pub(super) fn view(&self, view: &Arc<RequestView>) -> Arc<RequestView> {
        let request = view.request();
        if self.resource.is_none() && self.params.is_none() && request.inputs.params.is_none() {
            return Arc::clone(view);
        }
        let mut own = match &self.resource {
            Some(resource) => in_version(request, resource),
            None => Request::clone(request),
        };
        own.inputs.params = self.params.cloned();
        RequestView::new(Arc::new(own))
    }
}

/// Returns the request in the version that a rule names.
pub(super) fn in_version(request: &Request, resource: &Resource) -> Request {
    let mut own = request.clone();
    let objects = [&mut own.inputs.object, &mut own.inputs.old_object];
    for object in objects.into_iter().flatten() {
        if request.is_of_resource(object) {
            kubernetes::defaults::convert(object, &resource.group, &resource.version);
        }
    }
    own.equivalent = Some(resource.clone());
    own
}

/// Arranges calls in an order: policies, the bindings of each, the parameters of each.
fn arranged(calls: Vec<Call<'_>>, order: usize) -> Vec<Call<'_>> {
    if order == 0 {
        return calls;
    }
    let mut rest = order;
    let policies = permuted(grouped(calls, Call::index), &mut rest).into_iter();
    let bindings: Vec<_> = policies
        .flat_map(|policy| permuted(grouped(policy, Call::binding), &mut rest))
        .collect();
    let params = bindings.into_iter();
    params
        .flat_map(|binding| permuted(binding, &mut rest))
        .collect()
}

/// Splits a list into groups of neighbors with the same key.
fn grouped<T, K: PartialEq>(list: Vec<T>, key: impl Fn(&T) -> K) -> Vec<Vec<T>> {
    let mut groups: Vec<(K, Vec<T>)> = Vec::new();
    for element in list {
        let of = key(&element);
        match groups.last_mut() {
            Some((last, group)) if *last == of => group.push(element),
            _ => groups.push((of, vec![element])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}
