//! The context of the rules of a schema: the type of `self`, and how often they run.
//!
//! A rule runs once for each value of its schema, so its cost grows with the lists and maps
//! around it. Its types come from the outermost schema with rules, as on the server.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/cel_validation.go, CELSchemaContext.

use super::declared::Declared;
use crate::document::Document;
use crate::expression::Expression;
use crate::field_path::Step;
use crate::json_schema::{JsonSchema, version_schemas};
use kubernetes::ServerVersion;
use std::sync::Arc;
use yaml::Node;

/// The context of the rules of a schema.
#[derive(Clone, Debug)]
pub(crate) struct RuleContext {
    types: Types,
    /// The maximum number of values of the schema in an object. `None` if they are unbounded.
    max_values: Option<u64>,
    /// The server that the definition is for.
    server: ServerVersion,
}

#[derive(Clone, Debug)]
enum Types {
    /// No rules here or around.
    NotNeeded,
    /// CEL has no type for the schema.
    Impossible,
    Known(Arc<Declared>),
}

/// How a schema is nested in another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Inside<'n> {
    /// As the property of that name.
    Property(&'n str),
    /// As the items of a list or the values of a map.
    Element,
}

impl RuleContext {
    /// The context of the schema of a version.
    pub(crate) fn of_version(schema: JsonSchema<'_>, server: ServerVersion) -> Self {
        Self {
            types: if has_rules(schema) {
                Types::of(schema, true, server)
            } else {
                Types::NotNeeded
            },
            max_values: Some(1),
            server,
        }
    }

    /// The context of a schema inside `outer`, of which this is the context.
    pub(crate) fn inside(
        &self,
        outer: JsonSchema<'_>,
        inner: JsonSchema<'_>,
        how: Inside<'_>,
    ) -> Self {
        let is_resource = inner.flag("x-kubernetes-embedded-resource");
        let types = match &self.types {
            Types::Impossible => Types::Impossible,
            Types::NotNeeded if has_rules(inner) => Types::of(inner, is_resource, self.server),
            Types::NotNeeded => Types::NotNeeded,
            Types::Known(declared) => {
                let found = match how {
                    Inside::Property(name) => declared.property(name),
                    Inside::Element => declared.element(),
                };
                match found {
                    Some(found) => Types::Known(Arc::clone(found)),
                    None => Types::of(inner, is_resource, self.server),
                }
            }
        };
        let max_values = self.max_values.zip(max_elements(outer));
        Self {
            types,
            max_values: max_values.map(|(around, here)| around.saturating_mul(here)),
            server: self.server,
        }
    }

    /// The type of `self`. `None` when CEL has none for it.
    pub(crate) fn declared(&self) -> Option<&Arc<Declared>> {
        match &self.types {
            Types::Known(declared) => Some(declared),
            Types::NotNeeded | Types::Impossible => None,
        }
    }

    /// Returns the maximum number of evaluations of a rule.
    pub(crate) fn max_runs(&self, declared: &Declared) -> u64 {
        self.max_values
            .unwrap_or_else(|| declared.max_cardinality())
    }

    /// The context of the schema of a rule, or of the expression of its message.
    pub(crate) fn of_expression(
        document: &Document,
        expression: &Expression,
    ) -> Option<RuleContext> {
        let mut steps = expression
            .path
            .steps()
            .iter()
            .skip(document.base().steps().len());
        // spec.versions[0].schema.openAPIV3Schema
        let version = match (steps.next(), steps.next(), steps.next()) {
            (Some(_), Some(_), Some(Step::Index(version))) => *version,
            _ => return None,
        };
        let schemas = version_schemas(document.root());
        let (_, mut schema) = schemas.into_iter().find(|(index, _)| *index == version)?;
        let mut context = Self::of_version(schema, document.target().server());
        let mut steps = steps.skip(2);
        while let Some(Step::Field(field)) = steps.next() {
            let (inner, how) = match field.as_ref() {
                "properties" => match steps.next() {
                    Some(Step::Key(name) | Step::Field(name)) => {
                        (schema.property(name)?, Inside::Property(name))
                    }
                    _ => return None,
                },
                "items" | "additionalProperties" => (schema.schema(field)?, Inside::Element),
                "x-kubernetes-validations" => return Some(context),
                _ => return None,
            };
            context = context.inside(schema, inner, how);
            schema = inner;
        }
        None
    }
}

impl Types {
    fn of(schema: JsonSchema<'_>, is_resource: bool, server: ServerVersion) -> Self {
        Declared::of(schema, is_resource, server).map_or(Types::Impossible, Types::Known)
    }
}

fn has_rules(schema: JsonSchema<'_>) -> bool {
    let rules = schema.node().get("x-kubernetes-validations");
    let rules = rules.and_then(Node::as_sequence);
    rules.is_some_and(|rules| rules.items().len() > 0)
}

/// Returns the maximum number of values inside a value of the schema. `None` if it is unbounded.
///
/// Upstream: kubernetes/apiextensions-apiserver,
/// pkg/apis/apiextensions/validation/cel_validation.go, extractMaxElements.
fn max_elements(schema: JsonSchema<'_>) -> Option<u64> {
    let additional = schema.node().get("additionalProperties");
    let limit = match schema.ty() {
        "object" if additional.is_some_and(|node| !node.is_null()) => "maxProperties",
        "array" => "maxItems",
        _ => return Some(1),
    };
    schema.limit(limit).map(i64::cast_unsigned)
}
