//! The context of the rules of a schema: the type of `self`, and how often they run.
//!
//! A rule runs once for each value of its schema, so its cost grows with the lists and maps
//! around it. Its types come from the outermost schema with rules, as on the server.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/cel_validation.go, CELSchemaContext.

use super::declared::{Declared, RuleTypes};
use crate::document::Document;
use crate::field_path::FieldStep;
use crate::json_schema::{JsonSchema, Properties};
use crate::manifest::version_schemas;
use std::collections::HashMap;
use std::sync::Arc;
use yaml::{Node, NodeId};

/// The context of the rules of a schema.
#[derive(Clone, Debug)]
pub(crate) struct RuleContext {
    types: Types,
    /// The maximum number of values of the schema in an object. `None` if they are unbounded.
    max_values: Option<u64>,
    /// The types of the definition.
    known: Arc<RuleTypes>,
}

#[derive(Clone, Debug)]
enum Types {
    /// No rules here or around.
    NotNeeded,
    /// CEL has no type for the schema.
    Impossible,
    Known(Arc<Declared>),
}

/// The nesting of a schema in another.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SchemaStep<'n> {
    /// As the property of that name.
    Property(&'n str),
    /// As the items of a list or the values of a map.
    Element,
}

impl RuleContext {
    /// Returns the context of the schema of a version.
    pub(crate) fn from_version(schema: JsonSchema<'_>, known: &Arc<RuleTypes>) -> Self {
        Self {
            types: if has_rules(schema) {
                Types::new(schema, true, known)
            } else {
                Types::NotNeeded
            },
            max_values: Some(1),
            known: Arc::clone(known),
        }
    }

    /// Returns the context of a schema inside `outer`, of which this is the context.
    pub(crate) fn inside(
        &self,
        outer: JsonSchema<'_>,
        inner: JsonSchema<'_>,
        how: SchemaStep<'_>,
    ) -> Self {
        let is_resource = inner.flag("x-kubernetes-embedded-resource");
        let types = match &self.types {
            Types::Impossible => Types::Impossible,
            Types::NotNeeded if has_rules(inner) => Types::new(inner, is_resource, &self.known),
            Types::NotNeeded => Types::NotNeeded,
            Types::Known(declared) => {
                let found = match how {
                    SchemaStep::Property(name) => declared.property(name),
                    SchemaStep::Element => declared.element(),
                };
                match found {
                    Some(found) => Types::Known(Arc::clone(found)),
                    None => Types::new(inner, is_resource, &self.known),
                }
            }
        };
        let max_values = self.max_values.zip(max_elements(outer));
        Self {
            types,
            max_values: max_values.map(|(around, here)| around.saturating_mul(here)),
            known: Arc::clone(&self.known),
        }
    }

    /// Returns the type of `self`. `None` when CEL has none for it.
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
}

/// Returns the contexts of the expressions of a CustomResourceDefinition, in their order. `None`
/// for an expression that is not part of a rule.
pub(crate) fn rule_contexts(
    document: &Document,
    known: &Arc<RuleTypes>,
) -> Vec<Option<RuleContext>> {
    let mut contexts = Contexts {
        versions: version_schemas(document.root()).into_iter().collect(),
        known,
        contexts: HashMap::new(),
        properties: HashMap::new(),
    };
    let base = document.base().steps().len();
    let expressions = document.expressions().iter();
    expressions
        .map(|expression| match expression.path.steps().get(base..)? {
            [
                schema @ ..,
                FieldStep::Field(rules),
                FieldStep::Index(_),
                FieldStep::Field(_),
            ] if &**rules == "x-kubernetes-validations" => contexts.context_at(schema),
            _ => None,
        })
        .collect()
}

/// The contexts of schemas by their paths. A definition may have thousands of rules, with thousands
/// of properties around them, so each step of a path is resolved once.
struct Contexts<'d> {
    versions: HashMap<usize, JsonSchema<'d>>,
    known: &'d Arc<RuleTypes>,
    contexts: HashMap<&'d [FieldStep], (JsonSchema<'d>, RuleContext)>,
    properties: HashMap<NodeId, Properties<'d>>,
}

impl<'d> Contexts<'d> {
    fn context_at(&mut self, path: &'d [FieldStep]) -> Option<RuleContext> {
        // spec.versions[0].schema.openAPIV3Schema
        let [_, _, FieldStep::Index(version), _, _, inside @ ..] = path else {
            return None;
        };
        let mut schema = *self.versions.get(version)?;
        let mut rest = inside;
        let prefix = |rest: &[FieldStep]| path.get(..path.len() - rest.len());
        let root = self.contexts.entry(prefix(rest)?);
        let root = root.or_insert_with(|| (schema, RuleContext::from_version(schema, self.known)));
        let mut context = root.1.clone();
        while !rest.is_empty() {
            let (how, name, taken) = inner(rest)?;
            rest = rest.get(taken..)?;
            let path = prefix(rest)?;
            if let Some((known, of_known)) = self.contexts.get(path) {
                (schema, context) = (*known, of_known.clone());
                continue;
            }
            let outer = schema;
            schema = match how {
                SchemaStep::Property(name) => self.property(outer, name)?,
                SchemaStep::Element => outer.schema(name)?,
            };
            context = context.inside(outer, schema, how);
            self.contexts.insert(path, (schema, context.clone()));
        }
        Some(context)
    }

    fn property(&mut self, schema: JsonSchema<'d>, name: &str) -> Option<JsonSchema<'d>> {
        let properties = self.properties.entry(schema.node().id());
        let properties = properties.or_insert_with(|| schema.properties());
        properties.get(name).copied()
    }
}

/// Returns how the schema at the start of a path is nested, its name, and the number of steps.
fn inner(path: &[FieldStep]) -> Option<(SchemaStep<'_>, &str, usize)> {
    match path {
        [
            FieldStep::Field(field),
            FieldStep::Key(name) | FieldStep::Field(name),
            ..,
        ] if &**field == "properties" => Some((SchemaStep::Property(name), name, 2)),
        [FieldStep::Field(field), ..] if matches!(&**field, "items" | "additionalProperties") => {
            Some((SchemaStep::Element, field, 1))
        }
        _ => None,
    }
}

impl Types {
    fn new(schema: JsonSchema<'_>, is_resource: bool, known: &RuleTypes) -> Self {
        let found = known.get(schema, is_resource);
        found.map_or(Types::Impossible, Types::Known)
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
