//! Objects as admission sees them: with the defaults of their kind.
//!
//! Before a policy sees an object, the API server decodes it into the type of its kind, sets the
//! defaults, and encodes it again. So `has(object.spec.replicas)` is true for every Deployment,
//! unknown fields are gone, an empty list may be gone too, and `status` may be present although the
//! client did not send it.
//!
//! The schemas of a [`Catalog`] contain much of that: the fields, and the values of those that are
//! always written. Defaults that only the server's code has are here, one file for each part of the
//! API.
//!
//! Upstream: kubernetes/kubernetes, pkg/apis/*/*/defaults.go and zz_generated.defaults.go.

mod apps;
mod autoscaling;
mod batch;
mod convert;
mod core;
mod custom;
mod image;
mod internal;
mod normalize;
mod plan;
mod pod;
mod pod_resources;
mod pointers;
mod policies;
mod presence;
mod tree;

pub use convert::convert;
pub use internal::{count_template, normalize_for_admission, recount_template};
pub use tree::{key_text, value as schema_value};

use crate::names::GroupVersion;
use crate::openapi::Catalog;
use cel::Value;
use custom::Pass;
use plan::Plan;

/// A function that sets the defaults of a value before those of its parts.
type Rule = fn(&mut Value);

/// Sets the defaults of an object's kind, and normalizes the object as the server writes it. An
/// object of an unknown kind does not change.
pub fn apply(catalog: &Catalog, object: &mut Value) {
    set(catalog, object, true);
}

/// Sets the defaults of an object's kind after a mutation. A custom resource keeps unknown fields
/// and nulls until the server stores it.
///
/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/customresource_handler.go,
/// unstructuredDefaulter.Default.
pub fn apply_to_mutated(catalog: &Catalog, object: &mut Value) {
    set(catalog, object, false);
}

fn set(catalog: &Catalog, object: &mut Value, is_read: bool) {
    let api_version = tree::text_of(object, "apiVersion");
    let GroupVersion { group, version } = GroupVersion::parse(api_version);
    let kind = tree::text_of(object, "kind");
    let names = (group, version, kind);
    match Plan::from_kind(catalog, names).as_deref() {
        Some(Plan::Typed(plan)) => normalize::apply(plan, object),
        Some(Plan::Custom(metadata)) => {
            if let Some(schema) = catalog.schema(group, version, kind) {
                let pass = if is_read {
                    Pass::Read(metadata.as_ref())
                } else {
                    Pass::Mutated
                };
                custom::apply(schema, pass, object);
            }
        }
        None => {}
    }
}

/// A field that the server drops, because the schema of its kind does not have it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnknownField {
    /// The path of the field.
    pub path: String,
    /// The warning of the server.
    pub message: String,
}

/// Returns the fields of a custom resource that the server drops, because its schema does not
/// declare them. Call it before [`apply`], which drops them.
///
/// Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/customresource_handler.go,
/// schemaCoercingDecoder.Decode.
pub fn unknown_fields(catalog: &Catalog, object: &Value) -> Vec<UnknownField> {
    let api_version = tree::text_of(object, "apiVersion");
    let GroupVersion { group, version } = GroupVersion::parse(api_version);
    let kind = tree::text_of(object, "kind");
    let is_custom = matches!(
        Plan::from_kind(catalog, (group, version, kind)).as_deref(),
        Some(Plan::Custom(_))
    );
    let schema = catalog.schema(group, version, kind).filter(|_| is_custom);
    let fields = schema.map(|schema| custom::unknown_fields(schema, object));
    let unknown = |path| UnknownField {
        message: format!("unknown field \"{path}\""),
        path,
    };
    fields.into_iter().flatten().map(unknown).collect()
}

/// Normalizes an existing object as the server stores it: with the defaults of its kind, and the
/// conversions of its types, such as `stringData` of a Secret.
pub fn apply_stored(catalog: &Catalog, object: &mut Value) {
    apply(catalog, object);
    normalize_for_admission(object);
}

/// Normalizes an object as the server reads it back from its storage: without empty lists and
/// maps of built-in kinds, and with the defaults of missing fields set again. A custom resource has
/// no unknown field.
///
/// Upstream: kubernetes/apiserver, pkg/registry/generic/registry/dryrun.go, copyInto.
pub fn read_back(catalog: &Catalog, object: &mut Value) {
    let api_version = tree::text_of(object, "apiVersion");
    let GroupVersion { group, version } = GroupVersion::parse(api_version);
    let names = (group, version, tree::text_of(object, "kind"));
    if let Some(Plan::Typed(plan)) = Plan::from_kind(catalog, names).as_deref() {
        normalize::without_empty(plan, object);
    }
    apply(catalog, object);
}

/// Returns the value that a field has when it is not set. `None` if it is missing then, or the
/// kind is unknown.
pub fn blank(catalog: &Catalog, object: &Value, field: &str) -> Option<Value> {
    let api_version = tree::text_of(object, "apiVersion");
    let GroupVersion { group, version } = GroupVersion::parse(api_version);
    let names = (group, version, tree::text_of(object, "kind"));
    match Plan::from_kind(catalog, names).as_deref() {
        Some(Plan::Typed(plan)) => normalize::blank(plan, field),
        _ => None,
    }
}

/// Returns the defaulting function of a type, by its name in the OpenAPI documents.
fn rule(type_name: &str) -> Option<Rule> {
    if let Some(rest) = type_name.strip_prefix("io.k8s.apiextensions-apiserver.") {
        return policies::extensions(rest.rsplit('.').next()?);
    }
    if let Some(rest) = type_name.strip_prefix("io.k8s.kube-aggregator.") {
        return policies::registration(rest.rsplit('.').next()?);
    }
    let mut parts = type_name.strip_prefix("io.k8s.api.")?.splitn(3, '.');
    let (group, version, name) = (parts.next()?, parts.next()?, parts.next()?);
    match (group, version) {
        ("core", _) => core::rule(name),
        ("apps", _) => apps::rule(name),
        ("batch", _) => batch::rule(name),
        ("autoscaling", "v1") => autoscaling::rule_v1(name),
        ("autoscaling", _) => autoscaling::rule_v2(name),
        ("networking", _) => policies::networking(name),
        ("rbac", _) => policies::rbac(name),
        ("storage", _) => policies::storage(name),
        ("admissionregistration", "v1alpha1") => policies::admission_v1alpha1(name),
        ("admissionregistration", _) => policies::admission(name),
        ("flowcontrol", _) => policies::flow_control(name),
        ("discovery", _) => policies::discovery(name),
        ("resource", _) => policies::resource(name),
        _ => policies::other(name),
    }
}

#[cfg(test)]
mod tests;
