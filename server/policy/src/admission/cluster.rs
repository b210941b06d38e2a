//! What an API server with policies and their bindings answers to a request.
//!
//! A [`Cluster`] holds what admission looks up: policies, bindings, parameters, namespaces. It
//! asks first the mutating policies and then the validating ones, and puts together the one
//! answer that the user of the API gets.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/generic/policy_dispatcher.go;
//! validating/dispatcher.go; mutating/dispatcher.go.

mod mutating;
mod params;
mod response;
mod validating;

pub use response::{Cause, Response};

use super::compiled::CompiledPolicy;
use super::definition::{Definition, Findings};
use super::limits::EvaluationLimits;
use super::matching::{is_exempt, match_resources};
use super::pods;
use super::request::{Inputs, Request};
use super::resource::{Resource, Resources};
use crate::document::{Kind, PolicyDocument};
use crate::openapi::Catalog;
use cel::Value;
use params::Params;
use response::invalid;
use std::sync::Arc;
use yaml::Node;

/// What an API server knows that admission looks up.
#[derive(Debug)]
pub struct Cluster {
    kinds: Arc<Catalog>,
    resources: Resources,
    /// In the order in which they came.
    policies: Vec<Policy>,
    bindings: Vec<PolicyDocument>,
    definitions: Vec<Definition>,
    objects: Vec<Value>,
}

/// A policy that is ready to run.
#[derive(Debug)]
struct Policy {
    document: PolicyDocument,
    compiled: CompiledPolicy,
}

/// A policy with a binding and its parameters, for a request that both match.
struct Invocation<'a> {
    policy: &'a Policy,
    binding: &'a PolicyDocument,
    /// The resource as the rule of the policy names it.
    resource: Resource,
    params: Option<Value>,
}

/// Why a policy could not be asked.
struct ConfigurationError<'a> {
    policy: &'a Policy,
    binding: &'a PolicyDocument,
    words: String,
}

impl Cluster {
    /// A server with these kinds and nothing else.
    #[must_use]
    pub fn new(kinds: Arc<Catalog>, resources: Resources) -> Self {
        Self {
            kinds,
            resources,
            policies: Vec::new(),
            bindings: Vec::new(),
            definitions: Vec::new(),
            objects: Vec::new(),
        }
    }

    /// Adds a policy, a binding, or the rules of a CustomResourceDefinition. Other documents
    /// are left alone.
    pub fn add(&mut self, document: PolicyDocument) {
        match document.kind() {
            Kind::ValidatingAdmissionPolicy | Kind::MutatingAdmissionPolicy => {
                let compiled = CompiledPolicy::new(&document);
                self.policies.push(Policy { document, compiled });
            }
            Kind::ValidatingAdmissionPolicyBinding | Kind::MutatingAdmissionPolicyBinding => {
                self.bindings.push(document);
            }
            Kind::CustomResourceDefinition => self.definitions.push(Definition::new(document)),
            _ => {}
        }
    }

    /// Adds an object that exists: a namespace, a parameter, what is updated or deleted.
    pub fn add_object(&mut self, object: Value) {
        self.objects.push(object);
    }

    /// The kinds of the server.
    #[must_use]
    pub fn kinds(&self) -> &Arc<Catalog> {
        &self.kinds
    }

    /// The resources of the kinds that others brought.
    #[must_use]
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// An object that exists. An empty namespace stands for none.
    #[must_use]
    pub fn object(
        &self,
        api_version: &str,
        kind: &str,
        namespace: &str,
        name: &str,
    ) -> Option<&Value> {
        self.objects.iter().find(|object| {
            let text = |field: &str| object.as_map()?.get_str(field)?.as_str();
            text("apiVersion") == Some(api_version)
                && text("kind") == Some(kind)
                && metadata(object, "namespace") == namespace
                && metadata(object, "name") == name
        })
    }

    /// The answer to a request. Its objects are as admission sees them.
    #[must_use]
    pub fn admit(&self, request: &Request, limits: &EvaluationLimits) -> Response {
        let mut request = request.clone();
        if !request.is_namespace() && !request.namespace.is_empty() {
            let inputs = &mut request.inputs;
            let namespace = self.object("v1", "Namespace", "", &request.namespace);
            inputs.namespace_object = inputs.namespace_object.take().or(namespace.cloned());
        }
        pods::before_policies(&mut request);
        if let Err(response) = self.mutate(&mut request, limits) {
            return *response;
        }
        pods::after_mutations(&mut request);
        let findings = self.custom_rules(&request, limits);
        let mut response = match findings.errors.as_slice() {
            [] => self.validate(&request, limits),
            errors => invalid(&request, errors),
        };
        response.warnings.splice(..0, findings.warnings);
        response
    }

    /// What the rules of the definition of a custom resource say.
    fn custom_rules(&self, request: &Request, limits: &EvaluationLimits) -> Findings {
        let Resource {
            group,
            kind,
            version,
            ..
        } = &request.resource;
        let definition = self.definitions.iter().find(|it| it.is_of(group, kind));
        let object = request
            .inputs
            .object
            .as_ref()
            .filter(|_| request.subresource.is_empty());
        let (Some(definition), Some(object)) = (definition, object) else {
            return Findings::default();
        };
        definition.check(version, object, request.inputs.old_object.as_ref(), limits)
    }

    /// The policies of a kind with their bindings and parameters, for a request that they
    /// match, and why others could not be asked.
    fn invocations(
        &self,
        kind: Kind,
        request: &Request,
    ) -> (Vec<Invocation<'_>>, Vec<ConfigurationError<'_>>) {
        let (mut invocations, mut errors) = (Vec::new(), Vec::new());
        if is_exempt(request) {
            return (invocations, errors);
        }
        let of_kind = self.policies.iter();
        for policy in of_kind.filter(|policy| policy.document.kind() == kind) {
            let constraints = spec(&policy.document, "matchConstraints");
            let matched = match_resources(constraints, true, request, &self.kinds);
            let Ok(resource) = matched else { continue };
            for binding in self.bindings_of(policy) {
                let narrowed = spec(binding, "matchResources");
                if match_resources(narrowed, false, request, &self.kinds).is_err() {
                    continue;
                }
                let params = Params {
                    cluster: self,
                    policy: &policy.document,
                    binding,
                    namespace: &request.namespace,
                };
                match params.collect() {
                    Ok(all) => invocations.extend(all.into_iter().map(|params| Invocation {
                        policy,
                        binding,
                        resource: resource.clone(),
                        params,
                    })),
                    Err(words) => errors.push(ConfigurationError {
                        policy,
                        binding,
                        words: format!("failed to configure binding: {words}"),
                    }),
                }
            }
        }
        (invocations, errors)
    }

    fn bindings_of(&self, policy: &Policy) -> impl Iterator<Item = &PolicyDocument> {
        let kind = match policy.document.kind() {
            Kind::MutatingAdmissionPolicy => Kind::MutatingAdmissionPolicyBinding,
            _ => Kind::ValidatingAdmissionPolicyBinding,
        };
        let name = policy.name();
        self.bindings.iter().filter(move |binding| {
            let policy_name = spec(binding, "policyName").and_then(Node::as_str);
            binding.kind() == kind && policy_name == Some(name)
        })
    }
}

impl Policy {
    fn name(&self) -> &str {
        name(&self.document)
    }

    /// Whether a failure denies the request.
    fn fails(&self) -> bool {
        let policy = spec(&self.document, "failurePolicy").and_then(Node::as_str);
        policy != Some("Ignore")
    }
}

impl Invocation<'_> {
    /// The request as the policy sees it: with its parameters, and in the version that its
    /// rule names.
    fn request(&self, request: &Request) -> Request {
        let mut seen = Request {
            inputs: Inputs {
                params: self.params.clone(),
                ..request.inputs.clone()
            },
            ..request.clone()
        };
        if self.resource != request.resource && request.subresource.is_empty() {
            let inputs = &mut seen.inputs;
            let objects = [&mut inputs.object, &mut inputs.old_object];
            for object in objects.into_iter().flatten() {
                crate::defaults::convert(object, &self.resource.group, &self.resource.version);
            }
        }
        if self.resource != request.resource {
            seen.equivalent = Some(self.resource.clone());
        }
        seen
    }
}

/// The name of a document.
fn name(document: &PolicyDocument) -> &str {
    let metadata = document.root().get("metadata");
    let name = metadata.and_then(|metadata| metadata.get("name")?.as_str());
    name.unwrap_or_default()
}

/// A field of the `spec` of a document.
fn spec<'d>(document: &'d PolicyDocument, field: &str) -> Option<Node<'d>> {
    document.root().get("spec")?.get(field)
}

/// A text in the metadata of an object.
fn metadata<'a>(object: &'a Value, field: &str) -> &'a str {
    let text = || {
        let metadata = object.as_map()?.get_str("metadata")?.as_map()?;
        metadata.get_str(field)?.as_str()
    };
    text().unwrap_or_default()
}

#[cfg(test)]
mod tests;
