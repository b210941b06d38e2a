//! Built-in admission plugins and storage: the behavior of the server besides policies.
//!
//! The plugins run before the mutating policies, and once more if those change the object. An
//! old object is one that was created before: it has what plugins and storage set.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/reinvocation.go, Admit; kubernetes/kubernetes,
//! pkg/kubeapiserver/options/plugins.go, DefaultOffAdmissionPlugins.

use super::ApiServer;
use super::response::{Caveat, Response, forbidden, invalid};
use crate::create_defaults::{RESOURCE_VERSION, default, fill_identity, metadata_mut};
use crate::kind_validation;
use crate::plugins::{self, Cluster, Notes, Refusal};
use crate::pods;
use crate::request::{Operation, Request};
use crate::resource::Resource;
use cel::Value;
use kubernetes::defaults;
use kubernetes::mutation::native;
use kubernetes::names::GroupVersion;
use kubernetes::openapi::Schema;
use kubernetes::quote::quote;
use kubernetes::{is_of_kind, metadata_field, string_field};
use std::sync::Arc;

impl ApiServer {
    /// Applies the built-in admission plugins that change the object of a request.
    ///
    /// # Errors
    /// The response, if a plugin denies the request.
    pub(super) fn plugins(
        &self,
        request: &mut Request,
        notes: &mut Notes,
    ) -> Result<(), Box<Response>> {
        if !request.fills_in {
            return Ok(());
        }
        if self.ignores_refusals {
            plugins::complete(request, &self.cluster());
            return Ok(());
        }
        let admitted = plugins::admit(request, &self.cluster(), notes);
        admitted.map_err(|(plugin, refusal)| Box::new(refused(request, plugin, refusal)))
    }

    /// Validates the object of a request by the built-in admission plugins.
    ///
    /// # Errors
    /// The response, if a plugin denies the request.
    pub(super) fn validate_by_plugins(
        &self,
        request: &Request,
        notes: &mut Notes,
    ) -> Result<(), Box<Response>> {
        if !request.fills_in || self.ignores_refusals {
            return Ok(());
        }
        let validated = plugins::validate(request, &self.cluster(), notes);
        validated.map_err(|(plugin, refusal)| Box::new(refused(request, plugin, refusal)))
    }

    fn cluster(&self) -> Cluster<'_> {
        Cluster {
            objects: &self.objects,
            server: self.server(),
            is_complete: self.is_complete,
            has_service_accounts: !self.ignores_service_accounts,
        }
    }

    /// Completes the response about an object: it is as the server reads it back from storage.
    pub(super) fn read_back(&self, request: &Request, is_changed: bool, response: &mut Response) {
        let is_written = matches!(request.operation, Operation::Create | Operation::Update);
        let Some(object) = response.object.as_mut().filter(|_| is_written) else {
            return;
        };
        let text = |field| string_field(object, field).unwrap_or_default();
        let GroupVersion { group, version } = GroupVersion::parse(text("apiVersion"));
        let schema = self.kinds.schema(group, version, text("kind"));
        let is_built_in = schema.is_some_and(Schema::is_built_in);
        if is_built_in && (is_changed || request.validates) {
            let note = kind_validation::not_validated(request);
            response.caveats.extend(note.map(Caveat::NotValidated));
        }
        native::encode(object);
        // A replay only reads the objects that policies change.
        if (request.fills_in || !is_built_in) && (is_changed || !self.ignores_refusals) {
            defaults::read_back(&self.kinds, object);
        }
    }

    /// Returns the response to the creation of an object that exists: it is stored, and another one
    /// than that of the request.
    ///
    /// Upstream: kubernetes/apimachinery, pkg/api/errors/errors.go, NewAlreadyExists.
    pub(super) fn conflict(&self, request: &Request) -> Option<Response> {
        let is_new = request.operation == Operation::Create && request.subresource.is_empty();
        let Resource {
            group,
            version,
            kind,
            plural,
            ..
        } = &request.resource;
        let api_version = GroupVersion { group, version }.to_string();
        let namespace = if request.is_namespace() {
            ""
        } else {
            &request.namespace
        };
        let existing = self.object(&api_version, kind, namespace, &request.name);
        let existing = existing.filter(|_| is_new && request.fills_in && !self.ignores_refusals)?;
        let uid = metadata_field(existing, "uid");
        let own = request
            .inputs
            .object
            .as_ref()
            .and_then(|it| metadata_field(it, "uid"));
        if !self.is_complete && !is_read_back(existing) || uid.is_some() && uid == own {
            return None;
        }
        let dot = if group.is_empty() { "" } else { "." };
        let name = quote(&request.name);
        let message = format!("{plural}{dot}{group} {name} already exists");
        Some(Response::denied(409, "AlreadyExists", message, Vec::new()))
    }

    /// Completes the old object and the namespace of a request as the server stores them, if the
    /// server sets any fields.
    pub(super) fn complete(&self, request: &mut Request) {
        if !request.fills_in {
            return;
        }
        if let Some(namespace) = request.inputs.namespace_object.take()
            && is_of_kind(&namespace, "v1", "Namespace")
        {
            let resource = self.resources.resource("v1", "Namespace");
            request.inputs.namespace_object = Some(self.stored(namespace, resource));
        }
        if let Some(old) = request.inputs.old_object.take() {
            request.inputs.old_object = Some(if is_read_back(&old) {
                old
            } else if string_field(&old, "kind") == Some(&request.resource.kind) {
                self.stored(old, request.resource.clone())
            } else {
                self.part_of_stored(old, request)
            });
            if request.is_unchanged {
                request.inputs.object.clone_from(&request.inputs.old_object);
            }
            request.keep_identity();
        }
    }

    /// Returns the object of a request as the server completes it for its storage. It is not
    /// validated, and no policy changes it.
    #[must_use]
    pub fn completed(&self, request: &Request) -> Option<Value> {
        self.prepared(self.with_namespace(request))
    }

    fn prepared(&self, mut request: Request) -> Option<Value> {
        plugins::complete(&mut request, &self.cluster());
        let mut request = Arc::new(request);
        request.prepare(&self.kinds, self.crd_validator(&request.resource));
        pods::after_mutations(&mut request);
        Arc::unwrap_or_clone(request).inputs.object
    }

    /// Returns the object of a subresource with a kind of its own, such as `Scale`, with the
    /// identity of the object that it is a part of.
    fn part_of_stored(&self, mut part: Value, request: &Request) -> Value {
        let Resource {
            group,
            version,
            kind,
            ..
        } = &request.resource;
        let api_version = GroupVersion { group, version }.to_string();
        let whole = self.object(&api_version, kind, &request.namespace, &request.name);
        if let Some(metadata) = metadata_mut(&mut part) {
            for field in ["uid", "creationTimestamp", "resourceVersion"] {
                if let Some(known) = whole.and_then(|it| metadata_field(it, field)) {
                    default(metadata, field, || Value::string(known));
                }
            }
            fill_identity(metadata);
            default(metadata, "resourceVersion", || {
                Value::string(RESOURCE_VERSION)
            });
        }
        part
    }

    /// Returns an object as the server stores it after its creation, with its current status and
    /// generation.
    fn stored(&self, object: Value, resource: Resource) -> Value {
        let written = object.clone();
        let inputs = crate::Inputs {
            object: Some(object),
            ..crate::Inputs::default()
        };
        let Ok(mut request) = Request::from_resource(inputs, resource) else {
            return written;
        };
        request.operation = Operation::Create;
        request.fills_in = true;
        request.set_managed_fields();
        let Some(mut stored) = self.prepared(request) else {
            return written;
        };
        keep_state(&mut stored, &written);
        defaults::read_back(&self.kinds, &mut stored);
        stored
    }
}

/// Returns the response to a request that a plugin rejects.
fn refused(request: &Request, plugin: &'static str, refusal: Refusal) -> Response {
    let denied = |code, reason, message| Response::denied(code, reason, message, Vec::new());
    let response = match refusal {
        Refusal::Forbidden(reason) => denied(403, "Forbidden", forbidden(request, &reason)),
        Refusal::NotFound(resource, name) => {
            let message = format!("{resource} {} not found", quote(&name));
            denied(404, "NotFound", message)
        }
        Refusal::Invalid(errors) => invalid(request, &errors),
    };
    Response {
        plugin: Some(plugin),
        ..response
    }
}

/// Returns whether an object was read from a server, so that it is complete: only a stored object
/// has a resource version.
fn is_read_back(object: &Value) -> bool {
    let version = || {
        let metadata = object.as_map()?.get_str("metadata")?;
        metadata.as_map()?.get_str("resourceVersion")
    };
    version().is_some()
}

/// Restores the status and the generation, which change after the creation.
fn keep_state(stored: &mut Value, written: &Value) {
    let part = |name: &str| written.as_map()?.get_str(name)?.as_map();
    if let Some(status) = part("status")
        && let Some(fields) = stored.as_map_mut()
    {
        default(fields, "status", || Value::Map(cel::value::Map::default()));
        if let Some(new) = fields.get_str_mut("status").and_then(Value::as_map_mut) {
            for (key, value) in status.iter() {
                if let Some(key) = defaults::key_text(key) {
                    new.set_str(key, value.clone());
                }
            }
        }
    }
    let Some(metadata) = metadata_mut(stored) else {
        return;
    };
    default(metadata, "resourceVersion", || {
        Value::string(RESOURCE_VERSION)
    });
    if let Some(generation) = part("metadata").and_then(|it| it.get_str("generation")) {
        metadata.set_str("generation", generation.clone());
    }
}
