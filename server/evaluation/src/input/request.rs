//! The request that an input describes.
//!
//! The operation, the resource, the name and the namespace are inferred from the objects. The
//! defaults and the fields that the API server sets before admission are applied here, since
//! policies see them.

mod resource;

use admission::{AuthorizerTable, Inputs, Operation, Request, Resource, Resources, UserInfo};
use cel::Value;
use cel::value::{Map, MapBuilder};
use kubernetes::defaults;
use kubernetes::defaults::UnknownField;
use kubernetes::mutation::custom::unknown_fields;
use kubernetes::openapi::Catalog;
use kubernetes::{metadata_field, string_field};
use std::fmt;
use std::sync::Arc;

/// A request as written by an author: omitted parts follow from the objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RequestInput {
    /// The operation. `None`: CREATE without an old object, DELETE without a new one, UPDATE
    /// with both.
    pub operation: Option<Operation>,
    /// The new object; for CONNECT, its options, such as `PodExecOptions`.
    pub object: Option<Value>,
    /// The old object.
    pub old_object: Option<Value>,
    /// `None`: the parameters that the bindings select. `Some`: the policy is evaluated with each
    /// of these instead.
    pub params: Option<Vec<Value>>,
    /// The namespace of the object.
    pub namespace_object: Option<Value>,
    /// The user of the request. `None`: an administrator.
    pub user: Option<UserInfo>,
    /// The subresource, such as `scale`. Empty for the object itself.
    pub subresource: String,
    /// The name of the object. `None`: that in its metadata. The deletion of a collection has an
    /// empty one.
    pub name: Option<String>,
    /// The namespace. Empty: that in the metadata of the object.
    pub namespace: String,
    /// The group of the resource. `None`: that of the object.
    pub group: Option<String>,
    /// The version of the resource. `None`: that of the object.
    pub version: Option<String>,
    /// The kind. `None`: that of the object.
    pub kind: Option<String>,
    /// The plural name of the resource. `None`: that of the kind.
    pub resource: Option<String>,
    /// Whether this is a dry run, which stores nothing.
    pub dry_run: bool,
    /// `request.options`. `None`: those that `kubectl` sends.
    pub options: Option<Value>,
    /// The decisions of the authorizer.
    pub authorizer: AuthorizerTable,
    /// Whether the objects are used as written: without the defaults of their kind, and without the
    /// fields that the server sets before admission.
    pub raw: bool,
}

/// Why an input does not describe a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestError {
    /// There is no object.
    NoObject,
    /// The object has no `apiVersion`.
    NoApiVersion,
    /// The object has no `kind`.
    NoKind,
    /// Several resources, or none, have this subresource.
    NoResource {
        /// The subresource.
        subresource: String,
        /// The resources that have it, as `deployments.apps`.
        resources: Vec<String>,
    },
}

/// The namespace of an object without one, as for `kubectl`.
pub(crate) const DEFAULT_NAMESPACE: &str = "default";

impl fmt::Display for RequestError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoObject => out.write_str(
                "the input has no object; write `object` or \
                 `oldObject`",
            ),
            Self::NoApiVersion => out.write_str("the object has no `apiVersion`"),
            Self::NoKind => out.write_str("the object has no `kind`"),
            Self::NoResource {
                subresource,
                resources,
            } if resources.is_empty() => write!(
                out,
                "no known resource has the subresource `{subresource}`; write `request.resource`"
            ),
            Self::NoResource {
                subresource,
                resources,
            } => write!(
                out,
                "several resources have the subresource `{subresource}`: {}; write \
                 `request.resource`",
                resources.join(", ")
            ),
        }
    }
}

impl std::error::Error for RequestError {}

impl RequestInput {
    /// Returns the operation, inferred from the objects if it is not given.
    #[must_use]
    pub fn operation(&self) -> Option<Operation> {
        let inferred = match (&self.object, &self.old_object) {
            (Some(_), None) => Some(Operation::Create),
            (Some(_), Some(_)) => Some(Operation::Update),
            (None, Some(_)) => Some(Operation::Delete),
            (None, None) => None,
        };
        self.operation.or(inferred)
    }

    /// Returns the request as admission sees it: unless the input is [raw](Self::raw), the
    /// objects have the defaults of their kind and the fields that the server sets.
    ///
    /// # Errors
    /// The resource of the request is unknown.
    pub fn request(&self, kinds: &Catalog, resources: &Resources) -> Result<Request, RequestError> {
        match resource::implied_subresource(self, kinds) {
            Some(subresource) => Self {
                subresource,
                ..self.clone()
            }
            .to_request(kinds, resources),
            None => self.to_request(kinds, resources),
        }
    }

    fn to_request(&self, kinds: &Catalog, resources: &Resources) -> Result<Request, RequestError> {
        let operation = self.operation().ok_or(RequestError::NoObject)?;
        let resource = resource::resolve(self, kinds, resources)?;
        let name = self.name_of();
        let namespace = self.namespace_of(&resource, &name);
        let mut inputs = self.inputs(operation, &resource);
        let mut params = self.params.clone();
        let decoded = self.complete(kinds, &mut inputs, params.as_deref_mut());
        let is_namespace = resource.group.is_empty() && resource.kind == "Namespace";
        if operation != Operation::Connect && !is_namespace {
            let objects = [&mut inputs.object, &mut inputs.old_object];
            let objects = objects.into_iter().flatten();
            objects.for_each(|it| set_namespace(it, &namespace));
        }
        let mut request = blank(operation, &resource, resources)?;
        request.resource = resource;
        request.name = name;
        request.namespace = namespace;
        request.subresource.clone_from(&self.subresource);
        request.inputs = inputs;
        match decoded {
            Ok(unknown) => request.unknown_fields = unknown,
            Err(error) => request.decode_error = Some(error),
        }
        request.params = params;
        request.user = self.user.clone().unwrap_or_default();
        request.authorizer = Arc::new(self.authorizer.on(kinds.version()));
        request.dry_run = self.dry_run;
        if operation == Operation::Connect {
            request.options = Value::Map(Map::default());
        } else if let Some(options) = &self.options {
            request.options = options.clone();
        }
        if !self.raw {
            request.fill_in();
            request.validates = true;
        }
        Ok(request)
    }

    /// Sets the defaults of the objects' kinds, unless the input is [raw](Self::raw). Returns the
    /// fields that the server drops.
    ///
    /// # Errors
    /// The server cannot decode the object; its message.
    fn complete(
        &self,
        kinds: &Catalog,
        inputs: &mut Inputs,
        params: Option<&mut [Value]>,
    ) -> Result<Vec<UnknownField>, String> {
        if self.raw {
            return Ok(Vec::new());
        }
        let sent = inputs.object.as_ref();
        let unknown = sent.map_or(Ok(Vec::new()), |object| unknown_fields(kinds, object));
        let objects = [&mut inputs.object, &mut inputs.old_object];
        let objects = objects.into_iter().flatten();
        objects.for_each(|object| defaults::apply(kinds, object));
        let namespace = inputs.namespace_object.iter_mut();
        let stored = namespace.chain(params.into_iter().flatten());
        stored.for_each(|object| defaults::apply_stored(kinds, object));
        unknown
    }

    /// Returns a description of the request, for inputs without a name: `DELETE Pod shop/web`.
    #[must_use]
    pub fn label(&self) -> String {
        let described = self.described();
        let kind = described.and_then(|it| string_field(it, "kind"));
        let kind = self.resource.as_deref().or(kind).unwrap_or_default();
        let mut words = match self.operation() {
            None | Some(Operation::Create) => String::new(),
            Some(operation) => format!("{} ", operation.as_str()),
        };
        words.push_str(kind);
        if !self.subresource.is_empty() {
            let slash = if kind.is_empty() { "" } else { "/" };
            words.push_str(&format!("{slash}{}", self.subresource));
        }
        let name = self.name_of();
        let described = described.and_then(|it| metadata_field(it, "namespace"));
        let written = Some(self.namespace.as_str()).filter(|it| !it.is_empty());
        match written.or(described) {
            _ if name.is_empty() => {}
            Some(namespace) => words.push_str(&format!(" {namespace}/{name}")),
            None => words.push_str(&format!(" {name}")),
        }
        words
    }

    /// Returns the object that determines the resource of the request.
    fn described(&self) -> Option<&Value> {
        self.object.as_ref().or(self.old_object.as_ref())
    }

    fn name_of(&self) -> String {
        let is_deleted = self.operation() == Some(Operation::Delete);
        let written = self.name.as_deref();
        let written = written.filter(|name| is_deleted || !name.is_empty());
        let described = self.described().and_then(|it| metadata_field(it, "name"));
        written.or(described).unwrap_or_default().to_owned()
    }

    fn namespace_of(&self, resource: &Resource, name: &str) -> String {
        if resource.group.is_empty() && resource.plural == "namespaces" {
            return name.to_owned();
        }
        if resource.namespaced == Some(false) {
            return String::new();
        }
        let written = Some(self.namespace.as_str()).filter(|name| !name.is_empty());
        let described = || metadata_field(self.described()?, "namespace");
        let namespace = || metadata_field(self.namespace_object.as_ref()?, "name");
        let default = (resource.namespaced == Some(true)).then_some(DEFAULT_NAMESPACE);
        let found = written.or_else(described).or_else(namespace).or(default);
        found.unwrap_or_default().to_owned()
    }

    fn inputs(&self, operation: Operation, resource: &Resource) -> Inputs {
        let object = match (operation, &self.object) {
            (Operation::Connect, None) => {
                let mut options = self.options.clone().unwrap_or(Value::Map(Map::default()));
                set_default(&mut options, "kind", &resource.kind);
                set_default(&mut options, "apiVersion", &resource.version);
                Some(options)
            }
            (_, object) => object.clone(),
        };
        let mut namespace_object = self.namespace_object.clone();
        if let Some(namespace) = &mut namespace_object {
            set_default(namespace, "apiVersion", "v1");
            set_default(namespace, "kind", "Namespace");
        }
        Inputs {
            object,
            old_object: self.old_object.clone(),
            params: None,
            namespace_object,
        }
    }
}

fn blank(
    operation: Operation,
    resource: &Resource,
    resources: &Resources,
) -> Result<Request, RequestError> {
    let api_version = match resource.group.as_str() {
        "" => resource.version.clone(),
        group => format!("{group}/{}", resource.version),
    };
    let mut object = Value::Map(Map::default());
    set_default(&mut object, "apiVersion", &api_version);
    set_default(&mut object, "kind", &resource.kind);
    let (new, old) = match operation {
        Operation::Create | Operation::Connect => (true, false),
        Operation::Update => (true, true),
        Operation::Delete => (false, true),
    };
    let inputs = Inputs {
        object: new.then(|| object.clone()),
        old_object: old.then_some(object),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, resources).map_err(|error| match error {
        admission::RequestError::NoObject => RequestError::NoObject,
        admission::RequestError::NoApiVersion => RequestError::NoApiVersion,
        admission::RequestError::NoKind => RequestError::NoKind,
    })?;
    request.operation = operation;
    Ok(request)
}

fn set_default(object: &mut Value, field: &str, word: &str) {
    if string_field(object, field).is_none()
        && let Some(fields) = object.as_map_mut()
    {
        fields.set_str(field, Value::string(word));
    }
}

/// Sets the namespace of an object that has none, as the server does.
pub(crate) fn set_namespace(object: &mut Value, namespace: &str) {
    if namespace.is_empty() || metadata_field(object, "namespace").is_some() {
        return;
    }
    let Some(fields) = object.as_map_mut() else {
        return;
    };
    if fields.get_str("metadata").and_then(Value::as_map).is_none() {
        fields.set_str("metadata", Value::Map(MapBuilder::default().build()));
    }
    let metadata = fields.get_str_mut("metadata").and_then(Value::as_map_mut);
    if let Some(metadata) = metadata {
        metadata.set_str("namespace", Value::string(namespace));
    }
}

#[cfg(test)]
mod tests;
