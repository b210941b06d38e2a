//! Causes of a high cost: lists, maps and strings without a limit.
//!
//! The server assumes the largest object that a schema allows. Without a limit in the schema it
//! assumes the size of a request, three megabytes, and the cost of one loop already exceeds the
//! budget. The solution is a limit in the schema, and this module finds the limits that help.

use super::sizes::{BoundedSizes, Path};
use crate::crd::{Declared, SchemaSizes};
use crate::expression::{Expression, Role};
use crate::field_path::FieldStep;
use crate::json_schema::JsonSchema;
use crate::manifest::version_schemas;
use crate::policy_document::PolicyDocument;
use cel::estimate::{EstimateOptions, estimate};
use kubernetes::names::escape;
use std::cell::RefCell;
use yaml::NodeId;

/// A limit that a schema lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The schema.
    pub schema: NodeId,
    /// `maxItems`, `maxProperties` or `maxLength`.
    pub field: &'static str,
    /// Its path from the outermost schema, such as `spec.rules[].name`.
    pub path: String,
    /// The limit.
    pub limit: u64,
    /// The cost of the rule with only this limit.
    pub total: u64,
}

/// Limits of lists and maps to try, from large to small. A string is four times as long.
const LIMITS: [u64; 8] = [1024, 512, 256, 128, 64, 32, 16, 8];

/// Limit: limits of one rule. A rule that lacks more must be rewritten.
const MAX_BOUNDS: usize = 8;

/// Returns the limits that a rule of a CustomResourceDefinition lacks, the most helpful one first,
/// with the largest values with which all of them together keep its cost within `budget`. Empty if
/// limits do not help.
#[must_use]
pub fn bounds(document: &PolicyDocument, expression: &Expression, budget: u64) -> Vec<Bound> {
    search(document, expression, budget).unwrap_or_default()
}

fn search(document: &PolicyDocument, expression: &Expression, budget: u64) -> Option<Vec<Bound>> {
    let context = document.rule_context(expression)?;
    let containers = containers(document, expression)?;
    let rule = Rule {
        document,
        expression,
        declared: context.declared()?,
        containers: &containers,
    };
    let inside = rule.inside();
    let limit = |limit: u64| -> u64 { rule.total(&rule.limits(&inside, limit), Some(limit)) };
    let limit = LIMITS
        .iter()
        .copied()
        .find(|it| limit(*it) <= budget)
        .or(LIMITS.last().copied())?;
    let now = rule.total(&[], None);
    let mut found: Vec<Bound> = Vec::new();
    for missing in &inside {
        let limits = rule.limits(std::slice::from_ref(missing), limit);
        found.push(missing.bound(limit, rule.total(&limits, None)));
    }
    let outer = containers.iter().filter(|it| it.limit.is_none());
    let total = rule.total(&[], Some(limit));
    found.extend(outer.filter_map(|it| Some(it.missing.as_ref()?.bound(limit, total))));
    found.retain(|bound| bound.total < now);
    found.sort_by_cached_key(|bound| bound.total);
    found.truncate(MAX_BOUNDS);
    Some(found)
}

/// A schema that could have a limit.
#[derive(Clone)]
struct Missing {
    schema: NodeId,
    field: &'static str,
    /// The path for which the estimate requests a size.
    requested: Path,
    /// The path as shown to users.
    path: String,
}

impl Missing {
    fn bound(&self, limit: u64, total: u64) -> Bound {
        Bound {
            schema: self.schema,
            field: self.field,
            path: self.path.clone(),
            limit: scaled(self.field, limit),
            total,
        }
    }
}

fn scaled(field: &str, limit: u64) -> u64 {
    if field == "maxLength" {
        limit * 4
    } else {
        limit
    }
}

/// A list or a map around the schema of a rule.
struct Container {
    limit: Option<u64>,
    missing: Option<Missing>,
}

struct Rule<'r> {
    document: &'r PolicyDocument,
    expression: &'r Expression,
    declared: &'r Declared,
    containers: &'r [Container],
}

impl Rule<'_> {
    /// Returns the cost with further limits inside the schema, and around it.
    fn total(&self, limits: &[(Path, u64)], containers: Option<u64>) -> u64 {
        let each = self.each(limits).map_or(0, |(cost, _)| cost);
        let mut runs = self.containers.iter().map(|it| it.limit.or(containers));
        let runs: Option<u64> = runs.try_fold(1, |all: u64, it| Some(all.saturating_mul(it?)));
        let runs = match self.expression.role {
            Role::CrdRule { .. } => runs.unwrap_or_else(|| self.declared.max_cardinality()),
            _ => 1,
        };
        each.saturating_mul(runs)
    }

    /// Returns the cost of one run, and the paths whose sizes it depends on.
    fn each(&self, limits: &[(Path, u64)]) -> Option<(u64, Vec<Path>)> {
        let checked = self.document.checked(self.expression)?;
        let sizes = BoundedSizes {
            schema: SchemaSizes {
                root: self.declared,
            },
            limits,
            requested: RefCell::default(),
        };
        let options = EstimateOptions::default();
        let cost = estimate(checked.answer(), checked.env(), &sizes, options).max;
        Some((cost, sizes.requested.into_inner()))
    }

    fn limits(&self, missing: &[Missing], limit: u64) -> Vec<(Path, u64)> {
        let limits = missing.iter().map(|it| {
            // The server counts four bytes for a character.
            let size = match it.field {
                "maxLength" => scaled(it.field, limit) * 4,
                _ => limit,
            };
            (it.requested.clone(), size)
        });
        limits.collect()
    }

    /// Returns the unbounded parts of the schema that the cost depends on.
    fn inside(&self) -> Vec<Missing> {
        let schema = self.expression.role.schema();
        let schema = schema.and_then(|id| JsonSchema::new(self.document.node(id)));
        let requested = self
            .each(&[])
            .map(|(_, requested)| requested)
            .unwrap_or_default();
        let base = path_of(self.document, self.expression);
        let missing = requested.into_iter().filter_map(|requested| {
            let (schema, path) = at(schema?, base.clone(), &requested)?;
            missing_limit(schema, requested, path)
        });
        missing.collect()
    }
}

/// Returns the schema at a path in the form of the estimate.
fn at<'a>(
    schema: JsonSchema<'a>,
    base: String,
    requested: &Path,
) -> Option<(JsonSchema<'a>, String)> {
    requested
        .iter()
        .try_fold((schema, base), |(schema, path), part| match part.as_ref() {
            "@items" => Some((schema.schema("items")?, format!("{path}[]"))),
            "@values" => Some((schema.schema("additionalProperties")?, format!("{path}[]"))),
            "@keys" | "@indices" => None,
            name => {
                let names = schema.property_names();
                let property = names
                    .iter()
                    .find(|it| escape(it).as_deref() == Some(name))?;
                let inner = schema.property(property)?;
                let dot = if path.is_empty() { "" } else { "." };
                Some((inner, format!("{path}{dot}{property}")))
            }
        })
}

/// Returns the limit that a schema could have and does not.
fn missing_limit(schema: JsonSchema<'_>, requested: Path, path: String) -> Option<Missing> {
    let has = |field: &str| schema.node().get(field).is_some();
    let field = match schema.ty() {
        "array" => "maxItems",
        "object" if has("additionalProperties") => "maxProperties",
        "string" if !has("enum") && !is_short(schema.text("format")) => "maxLength",
        _ => return None,
    };
    (!has(field)).then(|| Missing {
        schema: schema.node().id(),
        field,
        requested,
        path,
    })
}

/// Returns whether the server has a maximum length for a format.
fn is_short(format: &str) -> bool {
    matches!(format, "duration" | "date" | "date-time")
}

/// Returns the lists and maps around the schema of a rule, the outermost first.
fn containers(document: &PolicyDocument, expression: &Expression) -> Option<Vec<Container>> {
    let (version, steps) = steps(document, expression)?;
    let schemas = version_schemas(document.root());
    let (_, mut schema) = schemas.into_iter().find(|(index, _)| *index == version)?;
    let mut found = Vec::new();
    let mut path = String::new();
    let mut steps = steps.iter();
    while let Some(FieldStep::Field(field)) = steps.next() {
        match field.as_ref() {
            "properties" => {
                let (FieldStep::Key(name) | FieldStep::Field(name)) = steps.next()? else {
                    return None;
                };
                let dot = if path.is_empty() { "" } else { "." };
                path = format!("{path}{dot}{name}");
                schema = schema.property(name)?;
            }
            "items" | "additionalProperties" => {
                found.push(Container {
                    limit: limit(schema),
                    missing: missing_limit(schema, Path::new(), path.clone()),
                });
                path.push_str("[]");
                schema = schema.schema(field)?;
            }
            _ => break,
        }
    }
    Some(found)
}

fn limit(schema: JsonSchema<'_>) -> Option<u64> {
    let field = match schema.ty() {
        "array" => "maxItems",
        _ => "maxProperties",
    };
    schema.limit(field).map(i64::cast_unsigned)
}

/// Returns the version of a rule and the steps from its outermost schema.
fn steps<'e>(
    document: &PolicyDocument,
    expression: &'e Expression,
) -> Option<(usize, &'e [FieldStep])> {
    // spec.versions[0].schema.openAPIV3Schema
    let steps = expression.path.steps();
    let steps = steps.get(document.base().steps().len()..)?;
    match steps {
        [_, _, FieldStep::Index(version), _, _, rest @ ..] => Some((*version, rest)),
        _ => None,
    }
}

/// Returns the path to the schema of a rule as shown to users, such as `spec.rules[]`.
fn path_of(document: &PolicyDocument, expression: &Expression) -> String {
    let mut path = String::new();
    let (_, steps) = steps(document, expression).unwrap_or_default();
    let mut steps = steps.iter();
    while let Some(FieldStep::Field(field)) = steps.next() {
        match field.as_ref() {
            "properties" => {
                if let Some(FieldStep::Key(name) | FieldStep::Field(name)) = steps.next() {
                    let dot = if path.is_empty() { "" } else { "." };
                    path = format!("{path}{dot}{name}");
                }
            }
            "items" | "additionalProperties" => path.push_str("[]"),
            _ => break,
        }
    }
    path
}
