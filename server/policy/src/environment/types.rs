//! The types with fields that expressions of policies use.
//!
//! They are the types of `request`, `namespaceObject` and a policy's `variables`, and in mutations
//! the types that build patches.
//!
//! Upstream: kubernetes/apiserver, pkg/cel/types.go, DeclTypeProvider;
//! pkg/admission/plugin/cel/compile.go, BuildRequestType and BuildNamespaceType.

use super::{ObjectField, ObjectType, tables};
use cel::env::TypeProvider;
use cel::types::Type;
use cel::value::{EvalError, Value};
use kubernetes::mutation;
use std::collections::HashMap;
use std::sync::Arc;

/// The type of `variables`.
pub(crate) const VARIABLES: &str = "kubernetes.variables";

/// The types of an environment.
#[derive(Debug, Default)]
pub(super) struct PolicyTypes {
    patch_types: bool,
    variables: Option<HashMap<Arc<str>, Type>>,
}

impl PolicyTypes {
    /// Returns the types of `request` and `namespaceObject`, and optionally those of patches.
    pub(super) fn new(patch_types: bool) -> Self {
        Self {
            patch_types,
            variables: None,
        }
    }

    /// Returns the types with one for `variables`.
    pub(super) fn with_variables(
        mut self,
        variables: impl IntoIterator<Item = (Arc<str>, Type)>,
    ) -> Self {
        self.variables = Some(variables.into_iter().collect());
        self
    }
}

/// Types without fields whose names are values.
const NAMED: [&str; 2] = ["net.CIDR", "net.IP"];

/// The named types of every environment of Kubernetes.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedTypes;

impl TypeProvider for NamedTypes {
    fn find_type(&self, name: &str) -> Option<Type> {
        NAMED.contains(&name).then(|| Type::opaque(name))
    }

    fn is_namespace(&self, name: &str) -> bool {
        name == "net"
    }

    fn field_type(&self, _: &str, _: &str) -> Option<Type> {
        None
    }

    fn field_names(&self, _: &str) -> Vec<Arc<str>> {
        Vec::new()
    }
}

/// Returns the type of a name in the API server's own type provider.
///
/// Upstream: kubernetes/apiserver, pkg/cel/types.go, findScalar.
fn scalar(name: &str) -> Option<Type> {
    match name {
        "duration" => Some(Type::Duration),
        "timestamp" => Some(Type::Timestamp),
        _ => None,
    }
}

/// Returns the type of a name that is available in every expression.
pub(crate) fn named_type(name: &str) -> Option<Type> {
    if NAMED.contains(&name) {
        return Some(Type::opaque(name));
    }
    scalar(name)
}

/// Returns whether the name of a type is a value at run time: only those that a library registers
/// are, whereas the compiler also accepts those of the server's type provider.
///
/// Upstream: kubernetes/apiserver, pkg/cel/types.go, `DeclTypeProvider.FindIdent` and
/// `FindStructType`.
pub(crate) fn is_value(name: &str) -> bool {
    NAMED.contains(&name)
}

impl TypeProvider for PolicyTypes {
    fn find_type(&self, name: &str) -> Option<Type> {
        if self.patch_types && mutation::is_patch_type(name) {
            return Some(Type::object(name));
        }
        if self.variables.is_some() && name == VARIABLES {
            return Some(Type::object(name));
        }
        match find_object(name) {
            Some(ty) => Some(Type::object(ty.name)),
            None => named_type(name),
        }
    }

    fn is_value(&self, name: &str) -> bool {
        is_value(name)
    }

    fn is_namespace(&self, name: &str) -> bool {
        matches!(name, "kubernetes" | "net") || (self.patch_types && name == "Object")
    }

    fn field_type(&self, type_name: &str, field: &str) -> Option<Type> {
        if self.patch_types && mutation::is_patch_type(type_name) {
            return mutation::field_type(type_name, field);
        }
        if type_name == VARIABLES {
            return self.variables.as_ref()?.get(field).cloned();
        }
        find_object(type_name)?.field(field)?.ty()
    }

    fn field_names(&self, type_name: &str) -> Vec<Arc<str>> {
        if self.patch_types && mutation::is_patch_type(type_name) {
            let names = mutation::field_names(type_name);
            return names.iter().map(|name| (*name).into()).collect();
        }
        if type_name == VARIABLES {
            let names = self.variables.iter().flat_map(HashMap::keys);
            return names.cloned().collect();
        }
        let fields = find_object(type_name).map_or(&[][..], |ty| ty.fields);
        fields.iter().map(|field| field.name.into()).collect()
    }

    fn new_value(
        &self,
        type_name: &str,
        fields: Vec<(Arc<str>, Value)>,
    ) -> Result<Value, EvalError> {
        if self.patch_types && mutation::is_patch_type(type_name) {
            return mutation::new_value(type_name, fields);
        }
        Err(EvalError::message(format!("unknown type '{type_name}'")))
    }
}

/// The elements of `namespaceObject.status.conditions`.
static NAMESPACE_CONDITION: ObjectType = ObjectType {
    name: "kubernetes.NamespaceCondition",
    fields: &[
        required("lastTransitionTime", "google.protobuf.Timestamp"),
        required("message", "string"),
        required("reason", "string"),
        required("status", "string"),
        required("type", "string"),
    ],
};

const fn required(name: &'static str, ty: &'static str) -> ObjectField {
    ObjectField {
        name,
        ty,
        object: None,
        required: true,
    }
}

/// Returns the type of that name, among those of `request` and `namespaceObject`.
fn find_object(name: &str) -> Option<&'static ObjectType> {
    let roots = [&tables::REQUEST, &tables::NAMESPACE, &NAMESPACE_CONDITION];
    roots.into_iter().find_map(|root| find_in(root, name))
}

fn find_in(ty: &'static ObjectType, name: &str) -> Option<&'static ObjectType> {
    if ty.name == name {
        return Some(ty);
    }
    let nested = ty.fields.iter().filter_map(|field| field.object);
    nested.into_iter().find_map(|nested| find_in(nested, name))
}

impl ObjectField {
    /// Returns the type.
    fn ty(&self) -> Option<Type> {
        let is_object = |name: &str| find_object(name).is_some();
        if is_object(self.ty) {
            return Some(Type::object(self.ty));
        }
        let element = self
            .ty
            .strip_prefix("list(")
            .and_then(|rest| rest.strip_suffix(')'));
        match element {
            Some(element) if is_object(element) => Some(Type::list(Type::object(element))),
            _ => self.ty.parse().ok(),
        }
    }
}

#[cfg(test)]
mod tests;
