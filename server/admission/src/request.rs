//! A request to the API server, as visible to a policy.

use super::answers::{AuthorizerTable, RequestAuthorizer, Roles};
use super::resource::{Resource, Resources};
use super::user::UserInfo;
use crate::map::map;
use cel::Value;
use cel::value::{Key, Map, MapBuilder};
use kubernetes::defaults::UnknownField;
use kubernetes::names::GroupVersion;
use kubernetes::{metadata_field, string_field};
use policy::library::{self, AuthorizerValue};
use std::fmt;
use std::sync::Arc;

/// The operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// `CREATE`, without an old object.
    Create,
    /// `UPDATE`: both objects exist.
    Update,
    /// `DELETE`, without an object.
    Delete,
    /// `CONNECT`: a stream, such as that of `kubectl exec`. The object holds its options.
    Connect,
}

/// The objects of a request.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// The new object; `None` for a deletion.
    pub object: Option<Value>,
    /// The old object; `None` for a creation.
    pub old_object: Option<Value>,
    /// The parameters of the policy.
    pub params: Option<Value>,
    /// The namespace of the object.
    pub namespace_object: Option<Value>,
}

/// Why the inputs do not describe a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestError {
    /// There is neither an object nor an old one.
    NoObject,
    /// The object has no `apiVersion`.
    NoApiVersion,
    /// The object has no `kind`.
    NoKind,
}

/// A request.
#[derive(Clone, Debug)]
pub struct Request {
    /// The operation.
    pub operation: Operation,
    /// With which resource.
    pub resource: Resource,
    /// `metadata.name`; empty if the server generates the name.
    pub name: String,
    /// The namespace, empty for objects without one.
    pub namespace: String,
    /// The subresource, such as `scale`. Empty for the object itself.
    pub subresource: String,
    /// The objects. That of a kind that is in namespaces has one.
    pub inputs: Inputs,
    /// The parameters, each in turn, for every policy with a `paramKind`, instead of those that its
    /// binding selects. `None` uses those of the bindings.
    pub params: Option<Vec<Value>>,
    /// The user of the request.
    pub user: UserInfo,
    /// The decisions of the authorizer.
    pub authorizer: Arc<AuthorizerTable>,
    /// The roles and bindings of the server, if the authorizer uses them.
    pub(super) roles: Option<Arc<Roles>>,
    /// Whether it is a dry run.
    pub dry_run: bool,
    /// `request.options`.
    pub options: Value,
    /// The resource in the rule of the policy, if the request has another version of the same kind.
    /// The objects have its version.
    pub equivalent: Option<Resource>,
    /// Why the server cannot decode the object. It then answers before admission.
    pub decode_error: Option<String>,
    /// The fields of the object as the client has sent it that the server drops.
    pub unknown_fields: Vec<UnknownField>,
    /// Whether an update sends the old object as it is stored. Otherwise the client sends the
    /// object as written, which may lack the fields that the server has set.
    pub is_unchanged: bool,
    /// Whether the server sets fields between the mutating and the validating policies.
    pub(super) fills_in: bool,
    /// Whether the namespace of the object exists, but only its name is known.
    pub(super) assumes_namespace: bool,
    /// Whether the object is a whole one, so that the server validates it if its kind is built in.
    pub validates: bool,
}

/// The field manager of a creation.
pub(super) const MANAGER: &str = "kubectl-create";

/// The validation of fields that `kubectl` requests.
const STRICT: (&str, &str) = ("fieldValidation", "Strict");

/// The namespace of an object without one, as for `kubectl`.
const DEFAULT_NAMESPACE: &str = "default";

impl Operation {
    /// Returns its name in Kubernetes.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Operation::Create => "CREATE",
            Operation::Update => "UPDATE",
            Operation::Delete => "DELETE",
            Operation::Connect => "CONNECT",
        }
    }

    /// Returns the operation with a name.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::Create, Self::Update, Self::Delete, Self::Connect];
        all.into_iter().find(|operation| operation.as_str() == word)
    }

    /// Returns `request.options` as `kubectl create`, `kubectl replace` and `kubectl delete` send
    /// them.
    ///
    /// Upstream: kubernetes/kubectl, pkg/cmd/create/create.go, replace/replace.go and
    /// delete/delete_flags.go.
    fn options(self) -> Value {
        let (kind, sent): (_, &[_]) = match self {
            Operation::Create => ("CreateOptions", &[("fieldManager", MANAGER), STRICT]),
            Operation::Update => (
                "UpdateOptions",
                &[("fieldManager", "kubectl-replace"), STRICT],
            ),
            Operation::Delete => ("DeleteOptions", &[("propagationPolicy", "Background")]),
            Operation::Connect => return map([]),
        };
        let mut fields = vec![("apiVersion", "meta.k8s.io/v1"), ("kind", kind)];
        fields.extend(sent);
        let fields = fields.into_iter();
        map(fields.map(|(field, text)| (field, Value::string(text))))
    }
}

impl fmt::Display for RequestError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            RequestError::NoObject => "there is no object",
            RequestError::NoApiVersion => "the object has no `apiVersion`",
            RequestError::NoKind => "the object has no `kind`",
        })
    }
}

impl std::error::Error for RequestError {}

/// Formats the request: `CREATE of deployments (apps/v1)`.
impl fmt::Display for Request {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resource = &self.resource;
        let separator = if resource.group.is_empty() { "" } else { "/" };
        write!(
            out,
            "{} of {} ({}{separator}{})",
            self.operation.as_str(),
            resource.plural,
            resource.group,
            resource.version
        )
    }
}

impl Request {
    /// Returns the request for these objects: CREATE without an old object, DELETE without a new
    /// one, UPDATE with both.
    ///
    /// # Errors
    /// There is no object, or it has no kind.
    pub fn new(inputs: Inputs, resources: &Resources) -> Result<Self, RequestError> {
        let described = inputs.object.as_ref().or(inputs.old_object.as_ref());
        let described = described.ok_or(RequestError::NoObject)?;
        let api_version =
            string_field(described, "apiVersion").ok_or(RequestError::NoApiVersion)?;
        let kind = string_field(described, "kind").ok_or(RequestError::NoKind)?;
        let resource = resources.resource(api_version, kind);
        Self::from_resource(inputs, resource)
    }

    /// Returns the request for objects whose resource is known.
    ///
    /// # Errors
    /// There is no object.
    pub fn from_resource(mut inputs: Inputs, resource: Resource) -> Result<Self, RequestError> {
        let operation = match (&inputs.object, &inputs.old_object) {
            (Some(_), None) => Operation::Create,
            (Some(_), Some(_)) => Operation::Update,
            (None, _) => Operation::Delete,
        };
        let described = inputs.object.as_ref().or(inputs.old_object.as_ref());
        let described = described.ok_or(RequestError::NoObject)?;
        let name = String::from(metadata_field(described, "name").unwrap_or_default());
        let is_namespace = resource.group.is_empty() && resource.kind == "Namespace";
        let namespace = match (resource.namespaced, metadata_field(described, "namespace")) {
            // The request of a namespace has its own name as namespace.
            _ if is_namespace => name.clone(),
            (Some(false), _) | (None, None) => String::new(),
            (_, Some(namespace)) => namespace.to_owned(),
            (Some(true), None) => DEFAULT_NAMESPACE.to_owned(),
        };
        let objects = [&mut inputs.object, &mut inputs.old_object];
        for object in objects.into_iter().flatten().filter(|_| !is_namespace) {
            *object = in_namespace(std::mem::replace(object, Value::Null), &namespace);
        }
        Ok(Self {
            operation,
            resource,
            name,
            namespace,
            subresource: String::new(),
            inputs,
            params: None,
            user: UserInfo::default(),
            authorizer: Arc::default(),
            roles: None,
            dry_run: false,
            options: operation.options(),
            equivalent: None,
            decode_error: None,
            unknown_fields: Vec::new(),
            is_unchanged: false,
            fills_in: false,
            assumes_namespace: false,
            validates: false,
        })
    }

    /// Sets how the server treats unknown fields: `Strict`, `Warn` or `Ignore`.
    pub fn set_field_validation(&mut self, validation: &str) {
        if let Value::Map(options) = &mut self.options {
            options.set_str(STRICT.0, Value::string(validation));
        }
    }

    /// Returns the value of `fieldValidation` in the options. The server defaults it to `Warn`.
    fn field_validation(&self) -> &str {
        let options = self.options.as_map();
        let written = options.and_then(|options| options.get_str(STRICT.0));
        written.and_then(Value::as_str).unwrap_or("Warn")
    }

    /// Returns why the server does not decode the object: it cannot, or the object has fields that
    /// the server does not know and the client asked for a strict validation.
    ///
    /// Upstream: kubernetes/apiserver, pkg/endpoints/handlers/rest.go, transformDecodeError;
    /// kubernetes/apimachinery, pkg/runtime/error.go, strictDecodingError.
    pub(super) fn decoding_error(&self) -> Option<String> {
        let is_strict = self.field_validation() == STRICT.1 && !self.unknown_fields.is_empty();
        let strict = || {
            let Resource { kind, version, .. } = &self.resource;
            let unknown = self.unknown_fields.iter().map(|it| it.message.as_str());
            let unknown: Vec<&str> = unknown.collect();
            format!(
                "{kind} in version \"{version}\" cannot be handled as a {kind}: strict decoding \
                 error: {}",
                unknown.join(", ")
            )
        };
        self.decode_error.clone().or_else(|| is_strict.then(strict))
    }

    /// Returns the fields of the object as the client has sent it that the server warns about.
    pub(super) fn reported_fields(&self) -> &[UnknownField] {
        match self.field_validation() {
            "Warn" => &self.unknown_fields,
            _ => &[],
        }
    }

    /// Returns `authorizer` and `authorizer.requestResource`.
    pub(super) fn authorizers(&self) -> (Value, Value) {
        let Resource { group, plural, .. } = &self.resource;
        let authorizer = AuthorizerValue {
            user: Arc::new(self.user.question()),
            authorizer: Arc::new(RequestAuthorizer {
                table: Arc::clone(&self.authorizer),
                roles: self.roles.clone(),
            }),
        };
        let resource = authorizer.resource(library::Resource {
            group: group.as_str().into(),
            resource: plural.as_str().into(),
            namespace: self.namespace.as_str().into(),
            name: self.name.as_str().into(),
            subresource: self.subresource.as_str().into(),
            ..library::Resource::default()
        });
        (Value::opaque(authorizer), resource)
    }

    /// Returns whether it is a request for a namespace itself, which is its own namespace.
    pub(super) fn is_namespace(&self) -> bool {
        self.resource.group.is_empty() && self.resource.plural == "namespaces"
    }

    /// Returns whether it creates or updates a pod.
    pub(super) fn is_of_pod(&self) -> bool {
        matches!(self.operation, Operation::Create | Operation::Update)
            && self.subresource.is_empty()
            && self.resource.group.is_empty()
            && self.resource.plural == "pods"
    }

    /// Returns the labels of an object.
    pub(super) fn labels(object: Option<&Value>) -> Option<&Map> {
        let metadata = object?.as_map()?.get_str("metadata")?;
        metadata.as_map()?.get_str("labels")?.as_map()
    }

    /// Returns whether an object has the group and version of the resource. That of a subresource
    /// often has not: `Scale` always belongs to `autoscaling/v1`.
    pub(super) fn is_of_resource(&self, object: &Value) -> bool {
        let api_version = string_field(object, "apiVersion").unwrap_or_default();
        let GroupVersion { group, version } = GroupVersion::parse(api_version);
        (group, version) == (&*self.resource.group, &*self.resource.version)
    }

    /// Returns the group and version that a mutated object is converted to: those of the request.
    /// The kind of a subresource may have its own.
    pub(super) fn target_of<'a>(&'a self, object: &'a Value) -> (&'a str, &'a str) {
        let api_version = string_field(object, "apiVersion").unwrap_or_default();
        let GroupVersion { group, version } = GroupVersion::parse(api_version);
        let mut seen = self.equivalent.iter();
        if seen.any(|seen| (&*seen.group, &*seen.version) == (group, version)) {
            (&self.resource.group, &self.resource.version)
        } else {
            (group, version)
        }
    }

    /// Returns the kind of a subresource's objects, if it differs from that of the resource.
    fn kind_of_subresource(&self) -> Option<(String, String, String)> {
        let object = self.inputs.object.as_ref();
        let object = object.or(self.inputs.old_object.as_ref())?;
        let kind = string_field(object, "kind")?;
        let api_version = string_field(object, "apiVersion")?;
        let GroupVersion { group, version } = GroupVersion::parse(api_version);
        // A policy may see the object in a version other than that of the request.
        let mut own = std::iter::once(&self.resource).chain(&self.equivalent);
        let is_own = own.any(|it| (&*it.group, &*it.version, &*it.kind) == (group, version, kind));
        if self.subresource.is_empty() || is_own {
            return None;
        }
        Some((group.to_owned(), version.to_owned(), kind.to_owned()))
    }

    /// Returns the variable `request`. Fields that would be empty are absent, as on a server.
    ///
    /// Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/condition.go,
    /// CreateAdmissionRequest.
    #[must_use]
    pub fn variable(&self) -> Value {
        self.variable_with(self.equivalent.as_ref().unwrap_or(&self.resource))
    }

    /// Returns `request` for match conditions: with the kind of the rule and the resource of the
    /// request.
    ///
    /// Upstream: kubernetes/apiserver, pkg/admission/plugin/webhook/matchconditions/matcher.go,
    /// Match.
    pub(super) fn variable_of_conditions(&self) -> Value {
        self.variable_with(&self.resource)
    }

    /// Returns `request.options`. Options that are sent include `dryRun`; others are empty.
    ///
    /// Upstream: kubernetes/apimachinery, pkg/apis/meta/v1/types.go, CreateOptions.
    fn sent_options(&self) -> Value {
        let mut options = self.options.clone();
        if let Value::Map(fields) = &mut options
            && self.dry_run
            && !fields.is_empty()
            && fields.get_str("dryRun").is_none()
        {
            fields.set_str("dryRun", Value::list(vec![Value::string("All")]));
        }
        options
    }

    fn variable_with(&self, resource: &Resource) -> Value {
        let requested = &self.resource;
        let seen = self.equivalent.as_ref().unwrap_or(requested);
        let of_subresource = self.kind_of_subresource();
        let kind_of = |resource: &Resource| match &of_subresource {
            Some((group, version, kind)) => kind_names(group, version, kind),
            None => kind_names(&resource.group, &resource.version, &resource.kind),
        };
        let (kind, names) = (kind_of(seen), resource_names(resource));
        // They usually are the same values.
        let (request_kind, requested_names) = if self.equivalent.is_some() {
            (kind_of(requested), resource_names(requested))
        } else {
            (kind.clone(), names.clone())
        };
        let mut fields = vec![
            ("uid", Value::string("")),
            ("kind", kind),
            ("resource", names),
            ("requestKind", request_kind),
            ("requestResource", requested_names),
            ("operation", Value::string(self.operation.as_str())),
            ("userInfo", self.user.variable()),
            ("dryRun", Value::Bool(self.dry_run)),
            ("options", self.sent_options()),
        ];
        for (field, text) in [
            ("name", &self.name),
            ("namespace", &self.namespace),
            ("subResource", &self.subresource),
            ("requestSubResource", &self.subresource),
        ] {
            if !text.is_empty() {
                fields.push((field, Value::string(text.as_str())));
            }
        }
        map(fields)
    }
}

fn kind_names(group: &str, version: &str, kind: &str) -> Value {
    map([
        ("group", Value::string(group)),
        ("version", Value::string(version)),
        ("kind", Value::string(kind)),
    ])
}

fn resource_names(resource: &Resource) -> Value {
    map([
        ("group", Value::string(resource.group.as_str())),
        ("version", Value::string(resource.version.as_str())),
        ("resource", Value::string(resource.plural.as_str())),
    ])
}

/// Returns the object with its namespace, which the server fills in before a policy sees it.
fn in_namespace(object: Value, namespace: &str) -> Value {
    let has_one = metadata_field(&object, "namespace").is_some();
    match object {
        Value::Map(map) if !namespace.is_empty() && !has_one => {
            let old = map.get_str("metadata").and_then(Value::as_map).cloned();
            let mut metadata = MapBuilder::from_map(old.unwrap_or_default());
            metadata.insert(Key::String("namespace".into()), Value::string(namespace));
            let mut object = MapBuilder::from_map(map);
            object.insert(Key::String("metadata".into()), Value::Map(metadata.build()));
            Value::Map(object.build())
        }
        object => object,
    }
}

#[cfg(test)]
mod tests;
