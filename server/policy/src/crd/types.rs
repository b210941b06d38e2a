//! The types of `self` and `oldSelf` in the rules of a CustomResourceDefinition.
//!
//! The types of a schema have no names. The server generates one for the schema of the rule and
//! names nested types by their paths. This module does the same, except for the number that the
//! server appends to keep authors from using the name.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/compilation.go,
//! prepareEnvSet and sizeEstimator; kubernetes/apiserver, pkg/cel/types.go,
//! MaybeAssignTypeName and DeclTypeProvider.

use super::declared::Declared;
use crate::environment::{self, EnvironmentKind};
use crate::library;
use cel::Env;
use cel::cost::{CallEstimate, EstimatedCall, SizeEstimate, SizeOf};
use cel::env::TypeProvider;
use cel::types::Type;
use kubernetes::versions::changes::KEYWORDS_NAME_FIELDS;
use kubernetes::{EnvironmentVersion, ServerVersion};
use std::sync::Arc;

/// The name of the type of `self`, without the number.
pub(crate) const SELF_TYPE: &str = "selfType";

/// Returns the environment of a rule of a schema, and of its message expression.
pub(crate) fn env(
    version: EnvironmentVersion,
    schema: &Arc<Declared>,
    optional_old_self: bool,
) -> Env {
    let ty = schema.cel_type(SELF_TYPE);
    let old = if optional_old_self {
        Type::optional(ty.clone())
    } else {
        ty.clone()
    };
    let types = SchemaTypes {
        root: Arc::clone(schema),
        // The version of the environment matters, not that of the server.
        keywords: KEYWORDS_NAME_FIELDS.applies(ServerVersion(version.0)),
    };
    environment::env(version, EnvironmentKind::Schema)
        .with_types(Arc::new(types))
        .with_variable("self", ty)
        .with_variable("oldSelf", old)
}

/// The types of a schema.
#[derive(Debug)]
struct SchemaTypes {
    root: Arc<Declared>,
    /// Whether a reserved word is looked up as a property.
    keywords: bool,
}

impl SchemaTypes {
    /// Returns the type of that name: a path from the schema of the rule.
    fn find(&self, name: &str) -> Option<&Arc<Declared>> {
        let mut parts = name.split('.');
        if parts.next() != Some(SELF_TYPE) {
            return None;
        }
        parts.try_fold(&self.root, |found, part| match part {
            "@idx" => found.element().filter(|_| !found.is_map()),
            "@elem" => found.element().filter(|_| found.is_map()),
            _ => found.field(part),
        })
    }
}

impl TypeProvider for SchemaTypes {
    fn find_type(&self, name: &str) -> Option<Type> {
        match self.find(name) {
            Some(found) => Some(found.cel_type(name)),
            None => environment::named_type(name),
        }
    }

    fn is_value(&self, name: &str) -> bool {
        environment::is_value(name)
    }

    fn field_type(&self, type_name: &str, field: &str) -> Option<Type> {
        let of = self.find(type_name)?;
        if let Some(found) = of.field(field) {
            return Some(found.cel_type(&format!("{type_name}.{field}")));
        }
        if !self.keywords || !kubernetes::names::is_reserved(field) {
            return None;
        }
        let field = format!("__{field}__");
        let found = of.field(&field)?;
        Some(found.cel_type(&format!("{type_name}.{field}")))
    }

    fn field_names(&self, type_name: &str) -> Vec<Arc<str>> {
        let found = self.find(type_name);
        let names = found.into_iter().flat_map(|found| found.field_names());
        names.cloned().collect()
    }
}

/// The sizes of the values that a schema describes.
#[derive(Debug)]
pub(crate) struct SchemaSizes<'a> {
    /// The type of `self`.
    pub(crate) root: &'a Declared,
}

impl SizeOf for SchemaSizes<'_> {
    /// Returns the size at a path without its first part, which the server always assumes to be
    /// `self`.
    fn size_of(&self, path: &[Arc<str>]) -> Option<SizeEstimate> {
        let (_, path) = path.split_first()?;
        let found = path
            .iter()
            .try_fold(TypeAtPath::Type(self.root), |found, part| {
                found.inside(part)
            })?;
        Some(SizeEstimate {
            min: 0,
            max: found.max_elements(),
        })
    }

    fn call(&self, call: &EstimatedCall<'_>) -> Option<CallEstimate> {
        library::equality_estimate(call)
    }
}

/// The type at a path.
#[derive(Clone, Copy)]
enum TypeAtPath<'a> {
    Type(&'a Declared),
    /// A key of a map, which the server assumes to be empty.
    Key,
}

impl<'a> TypeAtPath<'a> {
    fn inside(self, part: &str) -> Option<TypeAtPath<'a>> {
        let TypeAtPath::Type(found) = self else {
            return None;
        };
        match part {
            "@items" | "@values" => found.element().map(|inner| TypeAtPath::Type(inner)),
            "@keys" => found.is_map().then_some(TypeAtPath::Key),
            _ => found.field(part).map(|inner| TypeAtPath::Type(inner)),
        }
    }

    fn max_elements(self) -> u64 {
        match self {
            TypeAtPath::Type(found) => found.max_elements(),
            TypeAtPath::Key => 0,
        }
    }
}
