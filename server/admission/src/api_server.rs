//! The response of an API server with policies and bindings to a request.
//!
//! An [`ApiServer`] holds what admission uses: policies, bindings, parameters, namespaces. It
//! evaluates first the mutating policies and then the validating ones, and combines them into one
//! response. It also returns the result of each policy, which the server does not, but which an
//! author needs.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/policy_dispatcher.go;
//! validating/dispatcher.go; mutating/dispatcher.go.

mod answer;
mod built_in;
mod custom_resources;
mod failures;
mod invocation;
mod mutating;
mod omitted;
mod order;
mod params;
mod reinvocation;
mod response;
mod validating;
mod webhooks;

pub use answer::{Answer, PolicyResult, PolicyResultKind};
pub use custom_resources::{CustomKind, CustomResources};
pub use omitted::OmittedKinds;
pub use response::{Cause, Caveat, Response, forbidden_name, status_code};
pub use validating::denial;
pub use webhooks::{Called, WebhookCall};

use super::answers::{Otherwise, Roles};
use super::compiled::CompiledPolicy;
use super::crd_validation::{CrdValidator, Findings};
use super::limits::EvaluationLimits;
use super::objects::Objects;
use super::plugins::Notes;
use super::request::Request;
use super::resource::{Resource, Resources};
use super::warning::Warning;
use super::{kind_validation, object_meta, pods, strategy};
use cel::Value;
use kubernetes::ServerVersion;
use kubernetes::names::GroupVersion;
use kubernetes::openapi::Catalog;
use kubernetes::versions::deprecations;
use policy::Kind;
use policy::PolicyDocument;
use policy::manifest::{FailurePolicy, MatchResources};
use response::recorded;
use std::sync::{Arc, OnceLock};

/// The state of an API server that admission uses. A copy shares all that is large.
#[derive(Clone, Debug)]
pub struct ApiServer {
    kinds: Arc<Catalog>,
    resources: Resources,
    /// In insertion order.
    policies: Vec<Policy>,
    bindings: Vec<Arc<Binding>>,
    crd_validators: Vec<Arc<CrdValidator>>,
    custom_resources: Arc<CustomResources>,
    objects: Arc<Objects>,
    /// The kinds of which it lacks objects.
    omitted: OmittedKinds,
    /// The roles and bindings among the objects.
    roles: Arc<OnceLock<Arc<Roles>>>,
    evaluates_unbound: bool,
    /// The number of the order of evaluation.
    order: usize,
    assumes_kinds: bool,
    ignores_service_accounts: bool,
    is_complete: bool,
    ignores_refusals: bool,
}

/// A policy that is ready to run.
#[derive(Clone, Debug)]
struct Policy {
    document: Arc<PolicyDocument>,
    name: Arc<str>,
    compiled: Arc<CompiledPolicy>,
    /// In insertion order.
    bindings: Vec<Arc<Binding>>,
}

/// A binding, prepared for requests.
#[derive(Debug)]
struct Binding {
    /// Its index among all bindings.
    index: usize,
    document: Arc<PolicyDocument>,
    name: Box<str>,
    /// `validationActions`.
    actions: Vec<Box<str>>,
    /// Which of the requests that the policy matches it binds it to.
    narrowed: Option<Arc<MatchResources>>,
}

/// The answer to a request for a version that is not served.
const NO_RESOURCE: &str = "the server could not find the requested resource";

impl ApiServer {
    /// Returns a server that has only these kinds.
    #[must_use]
    pub fn new(kinds: Arc<Catalog>, resources: Resources) -> Self {
        Self {
            kinds,
            resources,
            policies: Vec::new(),
            bindings: Vec::new(),
            crd_validators: Vec::new(),
            custom_resources: Arc::default(),
            objects: Arc::default(),
            omitted: OmittedKinds::default(),
            roles: Arc::default(),
            evaluates_unbound: false,
            order: 0,
            assumes_kinds: false,
            ignores_service_accounts: false,
            is_complete: false,
            ignores_refusals: false,
        }
    }

    /// Returns the server that also evaluates policies without a binding, as if one bound them
    /// to everything with the action Deny. The parameters are the first object of their kind.
    #[must_use]
    pub fn evaluating_unbound(self) -> Self {
        Self {
            evaluates_unbound: true,
            ..self
        }
    }

    /// Returns the server that also assumes undefined kinds of parameters to exist: their groups
    /// must not have other kinds.
    #[must_use]
    pub fn assuming_kinds(self) -> Self {
        Self {
            assumes_kinds: true,
            ..self
        }
    }

    /// Returns the server without the admission plugin ServiceAccount, as servers in tests often
    /// are.
    #[must_use]
    pub fn ignoring_service_accounts(self) -> Self {
        Self {
            ignores_service_accounts: true,
            ..self
        }
    }

    /// Returns the server whose built-in admission plugins complete objects, but reject none, so that
    /// they hide no policy.
    #[must_use]
    pub fn without_refusals(self) -> Self {
        Self {
            ignores_refusals: true,
            ..self
        }
    }

    /// Returns the server that has no other objects than those that are added: an object that a
    /// request names and that is missing does not exist.
    #[must_use]
    pub fn with_all_objects(self) -> Self {
        Self {
            is_complete: true,
            ..self
        }
    }

    /// Returns the server that also validates custom resources by these definitions, unless another
    /// definition of their kind is added.
    #[must_use]
    pub fn with_custom_resources(self, custom_resources: Arc<CustomResources>) -> Self {
        Self {
            custom_resources,
            ..self
        }
    }

    /// Adds a policy, a binding, or the rules of a CustomResourceDefinition. Other documents are
    /// left unchanged.
    pub fn add(&mut self, document: Arc<PolicyDocument>) {
        match document.kind() {
            Kind::ValidatingAdmissionPolicy | Kind::MutatingAdmissionPolicy => {
                let compiled = Arc::new(CompiledPolicy::new(&document));
                self.add_policy(document, compiled);
            }
            Kind::ValidatingAdmissionPolicyBinding | Kind::MutatingAdmissionPolicyBinding => {
                self.add_binding(document);
            }
            Kind::CustomResourceDefinition => {
                self.add_crd_validator(Arc::new(CrdValidator::new(document)));
            }
            _ => {}
        }
    }

    /// Adds a compiled policy. Returns its index.
    pub fn add_policy(
        &mut self,
        document: Arc<PolicyDocument>,
        compiled: Arc<CompiledPolicy>,
    ) -> usize {
        let mut policy = Policy {
            name: name(&document).into(),
            document,
            compiled,
            bindings: Vec::new(),
        };
        let bindings = self
            .bindings
            .iter()
            .filter(|it| it.document.binds(&policy.document));
        policy.bindings = bindings.cloned().collect();
        self.policies.push(policy);
        self.policies.len() - 1
    }

    fn add_binding(&mut self, document: Arc<PolicyDocument>) {
        let binding = Arc::new(Binding::new(self.bindings.len(), document));
        for policy in &mut self.policies {
            if binding.document.binds(&policy.document) {
                policy.bindings.push(Arc::clone(&binding));
            }
        }
        self.bindings.push(binding);
    }

    /// Returns a binding by its index, in the order of addition.
    #[must_use]
    pub fn binding(&self, index: usize) -> Option<&Arc<PolicyDocument>> {
        self.bindings.get(index).map(|binding| &binding.document)
    }

    /// Adds the compiled rules of a CustomResourceDefinition.
    pub fn add_crd_validator(&mut self, validator: Arc<CrdValidator>) {
        self.crd_validators.push(validator);
    }

    /// Adds an existing object: a namespace, a parameter, a role or its binding, or the target of
    /// an update or a deletion.
    pub fn add_object(&mut self, object: Value) {
        Arc::make_mut(&mut self.objects).push(object);
        self.roles = Arc::default();
    }

    /// Adds kinds of which further objects exist. If a binding needs one of them, the outcome is
    /// unknown.
    pub fn add_omitted(&mut self, kinds: &OmittedKinds) {
        self.omitted.extend(kinds);
    }

    /// Returns the kinds of the server.
    #[must_use]
    pub fn kinds(&self) -> &Arc<Catalog> {
        &self.kinds
    }

    /// Returns the version of the server that the policies target: they belong to one project.
    fn server(&self) -> ServerVersion {
        let policy = self.policies.first();
        let target = policy.map(|policy| policy.document.target());
        target.unwrap_or_default().server()
    }

    /// Returns the resources of other kinds.
    #[must_use]
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Returns an existing object. An empty namespace means that it is cluster-scoped.
    #[must_use]
    pub fn object(
        &self,
        api_version: &str,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> Option<&Value> {
        self.objects.find((api_version, kind), namespace, name)
    }

    /// Returns the response to a request, whose objects are as admission sees them.
    #[must_use]
    pub fn admit(&self, request: &Request, limits: &EvaluationLimits) -> Response {
        self.evaluate(request, limits).response
    }

    /// Returns the answer to a request, with the result of each policy.
    #[must_use]
    pub fn evaluate(&self, request: &Request, limits: &EvaluationLimits) -> Answer {
        let Resource { version, .. } = &request.resource;
        let definition = self.crd_validator(&request.resource);
        if definition.is_some_and(|it| !it.serves(version)) {
            return Answer::refused(request, (404, "NotFound"), NO_RESOURCE);
        }
        let mut answer = match request.decoding_error() {
            Some(error) => Answer::refused(request, (400, "BadRequest"), &error),
            None => self.evaluate_decoded(request, limits),
        };
        let deprecation = match definition {
            Some(definition) => definition.deprecation_warning(version),
            None => self.deprecation_warning(&request.resource),
        };
        if let Some(warning) = deprecation {
            let warnings = std::iter::once(Warning::from_request(warning))
                .chain(std::mem::take(&mut answer.response.warnings));
            answer.response.warnings = recorded(warnings.collect());
        }
        answer
    }

    /// Returns the warning of the API server about a version of a built-in kind.
    fn deprecation_warning(&self, resource: &Resource) -> Option<String> {
        let names = GroupVersion {
            group: &resource.group,
            version: &resource.version,
        };
        deprecations::warning(self.kinds.version(), &names.to_string(), &resource.kind)
    }

    fn evaluate_decoded(&self, request: &Request, limits: &EvaluationLimits) -> Answer {
        let mut request = self.with_namespace(request);
        let mut results = Vec::new();
        let mut notes = Notes::default();
        let admitted = self.plugins(&mut request, &mut notes);
        let mut request = Arc::new(request);
        let before = request.inputs.object.clone();
        let mutated = admitted
            .and_then(|()| self.mutate_in_place(&mut request, limits, &mut results, &mut notes));
        let is_changed = match mutated {
            Ok(is_changed) => is_changed,
            Err(mut response) => {
                response.warnings = recorded(sent_warnings(&request));
                return Answer {
                    response: *response,
                    results,
                    mutated: None,
                    stopped_rules: None,
                };
            }
        };
        if is_changed {
            Arc::make_mut(&mut request).match_namespace();
        }
        request.prepare(&self.kinds, self.crd_validator(&request.resource));
        let warnings = pods::after_mutations(&mut request);
        let mut findings = self.findings(&request, before.as_ref().filter(|_| is_changed), limits);
        findings.warnings.splice(..0, warnings);
        let stopped_rules = findings.stopped;
        let mut response = self.decide(&request, findings, limits, (&mut results, notes));
        self.read_back(&request, is_changed, &mut response);
        Answer {
            response,
            results,
            mutated: Some(request),
            stopped_rules,
        }
    }

    /// Returns the definition of a custom resource.
    fn crd_validator(&self, resource: &Resource) -> Option<&CrdValidator> {
        let Resource { group, kind, .. } = resource;
        let validator = self.crd_validators.iter().find(|it| it.is_of(group, kind));
        validator.map(|validator| &**validator).or_else(|| {
            let server = self.custom_resources.kind(group, kind)?.server()?;
            server.crd_validator(resource)
        })
    }

    /// Returns the request with the namespace of its object, if any. The namespace and the old
    /// object are completed.
    fn with_namespace(&self, request: &Request) -> Request {
        let mut request = request.clone();
        if !request.is_namespace() && !request.namespace.is_empty() {
            let inputs = &mut request.inputs;
            let namespace = self.object("v1", "Namespace", "", &request.namespace);
            inputs.namespace_object = inputs.namespace_object.take().or(namespace.cloned());
            request.assumes_namespace = inputs.namespace_object.is_none();
        }
        request.match_namespace();
        self.complete(&mut request);
        self.authorize(&mut request);
        request
    }

    fn authorize(&self, request: &mut Request) {
        if request.authorizer.otherwise == Otherwise::Rbac {
            let roles = || Arc::new(Roles::new(self.objects.all(), self.kinds.version()));
            request.roles = Some(Arc::clone(self.roles.get_or_init(roles)));
        }
    }

    /// Returns a request with the roles and bindings of the server, if its authorizer uses them.
    #[must_use]
    pub fn authorized(&self, request: &Arc<Request>) -> Arc<Request> {
        let mut request = Arc::clone(request);
        self.authorize(Arc::make_mut(&mut request));
        request
    }

    /// Returns the findings of the kind's validation. `before` is the object before the
    /// mutating policies, if they have changed it.
    fn findings(
        &self,
        request: &Request,
        before: Option<&Value>,
        limits: &EvaluationLimits,
    ) -> Findings {
        let validator = self.crd_validator(&request.resource);
        let mut findings = validator.map_or_else(Findings::default, |it| it.check(request, limits));
        let server = self.server();
        let mut errors = object_meta::common_errors(request, server);
        if validator.is_none() {
            errors.extend(object_meta::strategy_errors(request, &self.kinds, server));
            errors.extend(kind_validation::errors(request, before));
        }
        errors.append(&mut findings.errors);
        if errors.is_empty() {
            errors = object_meta::late_errors(request, server);
        }
        if errors.is_empty() && validator.is_none() {
            findings.warnings.extend(kind_validation::warnings(request));
        }
        findings.errors = errors;
        let warning = strategy::warning(request);
        findings.warnings.extend(warning.map(Warning::from_request));
        findings
    }
}

impl Policy {
    fn name(&self) -> &str {
        &self.name
    }

    fn failure_policy(&self) -> FailurePolicy {
        self.compiled.failure_policy
    }
}

impl Binding {
    fn new(index: usize, document: Arc<PolicyDocument>) -> Self {
        let binding = document.binding();
        let actions = binding.map_or(&[][..], |it| &it.validation_actions);
        Self {
            index,
            name: name(&document).into(),
            actions: actions.iter().map(|it| it.text.clone()).collect(),
            narrowed: binding.and_then(|it| it.match_resources.clone()),
            document,
        }
    }
}

/// Returns the name of a document.
fn name(document: &PolicyDocument) -> &str {
    document.name().unwrap_or_default()
}

/// Returns the warnings about the object as the client has sent it.
fn sent_warnings(request: &Request) -> Vec<Warning> {
    request
        .reported_fields()
        .iter()
        .map(Warning::from)
        .collect()
}

#[cfg(test)]
mod tests;
