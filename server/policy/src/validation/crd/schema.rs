//! The rules of a schema in a CustomResourceDefinition, at every depth.
//!
//! Rules in CEL are compiled only if the schema around them is valid, as on the server: an invalid
//! schema causes errors that are gone once it is fixed.
//!
//! Upstream: kubernetes/apiextensions-apiserver,
//! pkg/apis/apiextensions/validation/validation.go,
//! validateCustomResourceDefinitionValidation,
//! ValidateCustomResourceDefinitionOpenAPISchema.

mod list;

use super::default;
use super::rule::Rules;
use super::structural;
use super::validation_rule;
use crate::crd::{RuleContext, SchemaStep};
use crate::field_path::PathRef;
use crate::json_schema::{ALIAS_BUDGET, JsonSchema, MAX_DEPTH, UNSUPPORTED_KEYS};
use crate::validation::Check;
use crate::validation::error::Errors;
use crate::validation::resources::check_enumeration;
use crate::validation::slot::{ObjectContent, Slot};

const TYPES: [&str; 6] = ["array", "boolean", "integer", "number", "object", "string"];
const METADATA: [&str; 3] = ["metadata", "kind", "apiVersion"];

/// Checks the schema of a version. `status` is whether it has the status subresource.
pub(super) fn check(check: &Check<'_>, slot: &Slot<'_, '_>, status: bool, errors: &mut Errors) {
    let Some(schema) = as_schema(slot) else {
        return;
    };
    let start = errors.found.len();
    if status {
        check_root_fields(slot, schema, errors);
    }
    if schema.flag("nullable") {
        let nullable = slot.child("nullable");
        errors.forbidden(&nullable, "nullable cannot be true at the root");
    }
    let unsupported = structural::unsupported(schema);
    let before = errors.found.len();
    if unsupported.is_none() {
        structural::check(slot, errors);
        if errors.found.len() == before {
            default::check(check, slot, errors);
        }
    }
    let compile = unsupported.is_none() && errors.found.len() == before;
    let mut checker = SchemaChecker {
        rules: Rules::new(check),
        budget: ALIAS_BUDGET,
        errors,
    };
    let context = compile.then(|| RuleContext::from_version(schema, check.document.rule_types()));
    checker.schema(slot, &Scope::root(context));
    let SchemaChecker { rules, errors, .. } = checker;
    // Unsupported fields have separate errors, except for one field.
    if let Some(detail) = unsupported.filter(|_| errors.found.len() == start) {
        errors.invalid(slot, detail);
    }
    rules.finish(slot, errors);
}

/// The fields of the outermost schema that are allowed with the `status` subresource, as the server
/// lists them.
const ROOT_FIELDS: &str = "[Description Type Format Title Maximum ExclusiveMaximum Minimum \
     ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf \
     Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations]";
/// The other fields: those that the server checks before the type, and those after it.
const OTHER_FIELDS: [&[&str]; 2] = [
    &["id", "$schema", "$ref"],
    &[
        "nullable",
        "default",
        "enum",
        "maxProperties",
        "minProperties",
        "allOf",
        "oneOf",
        "anyOf",
        "not",
        "additionalProperties",
        "patternProperties",
        "dependencies",
        "additionalItems",
        "definitions",
        "x-kubernetes-embedded-resource",
        "x-kubernetes-int-or-string",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-list-type",
        "x-kubernetes-map-type",
    ],
];

/// Checks the fields of the outermost schema. The server stops at the first invalid one.
fn check_root_fields(slot: &Slot<'_, '_>, schema: JsonSchema<'_>, errors: &mut Errors) {
    let [before, after] = OTHER_FIELDS.map(|fields| fields.iter().any(|field| schema.has(field)));
    let ty = slot.child("type");
    let is_wrong = |text: &str| !text.is_empty() && text != "object";
    if !before && ty.string().is_some_and(is_wrong) {
        let detail = "only \"object\" is allowed as the type at the root of the schema if the \
                      status subresource is enabled";
        errors.invalid(&ty, detail);
    } else if before || after {
        let detail = format!(
            "only {ROOT_FIELDS} fields are allowed at the root of the schema if the status \
             subresource is enabled"
        );
        errors.invalid(slot, detail);
    }
}

struct SchemaChecker<'c, 'd> {
    rules: Rules<'c, 'd>,
    /// The remaining number of schemas to visit through aliases.
    budget: usize,
    errors: &'c mut Errors,
}

/// The position of a schema.
#[derive(Clone)]
struct Scope<'s> {
    is_root: bool,
    /// Whether the schema describes `metadata`, `kind` or `apiVersion` of a resource.
    in_metadata: bool,
    /// Why a default is forbidden, if it is.
    no_default: Option<String>,
    /// The path of the outermost list or map around the schema whose items have no old
    /// value.
    uncorrelatable: Option<PathRef<'s>>,
    /// The context of the rules of the schema. `None` if they are not compiled.
    context: Option<RuleContext>,
    in_alias: bool,
    depth: usize,
}

impl Scope<'_> {
    /// Returns the scope of the schema of a version.
    fn root(context: Option<RuleContext>) -> Self {
        Self {
            is_root: true,
            in_metadata: false,
            no_default: None,
            uncorrelatable: None,
            context,
            in_alias: false,
            depth: MAX_DEPTH,
        }
    }
}

impl SchemaChecker<'_, '_> {
    /// Checks a schema and all schemas inside it. Returns whether all of it is valid except for
    /// its rules in CEL.
    fn schema(&mut self, schema: &Slot<'_, '_>, scope: &Scope<'_>) -> bool {
        let Some(depth) = scope.depth.checked_sub(1) else {
            return true;
        };
        if schema.shape() != ObjectContent::Object {
            return true;
        }
        let in_alias = scope.in_alias || schema.node().is_some_and(yaml::Node::is_alias);
        if in_alias {
            let Some(budget) = self.budget.checked_sub(1) else {
                return true;
            };
            self.budget = budget;
        }
        let before = self.errors.found.len();
        self.fields(schema, scope);
        list::check(schema, self.errors);
        let rules = schema.child("x-kubernetes-validations");
        for rule in rules.items().into_iter().flatten() {
            validation_rule::check(&rule, as_schema(schema), self.errors);
        }
        let right = self.errors.found.len() == before;
        let inner = Scope {
            is_root: false,
            in_alias,
            depth,
            ..scope.clone()
        };
        let right = self.inner(schema, scope, &inner) && right;
        if let Some(context) = scope.context.as_ref().filter(|_| right) {
            self.rules
                .check(schema, context, scope.uncorrelatable, self.errors);
        }
        right
    }

    fn fields(&mut self, schema: &Slot<'_, '_>, scope: &Scope<'_>) {
        check_enumeration_or_empty(&schema.child("type"), self.errors);
        let default = schema.child("default");
        if let Some(reason) = scope.no_default.as_ref().filter(|_| default.is_set()) {
            self.errors
                .forbidden(&default, format!("must not be set {reason}"));
        }
        let there = |field: &str| {
            let found = as_schema(schema);
            found.is_some_and(|found| match field {
                "patternProperties" | "definitions" => found.has_any(field),
                _ => found.has(field),
            })
        };
        for field in UNSUPPORTED_KEYS {
            if there(field) {
                let detail = format!("{field} is not supported");
                self.errors.forbidden(&schema.child(field), detail);
            }
        }
        let embedded = schema.child("x-kubernetes-embedded-resource");
        if scope.in_metadata && embedded.boolean() == Some(true) {
            self.errors
                .forbidden(&embedded, "must not be used inside of resource meta");
        }
        let unique = schema.child("uniqueItems");
        if unique.boolean() == Some(true) {
            let detail = "uniqueItems cannot be set to true since the runtime complexity \
                          becomes quadratic";
            self.errors.forbidden(&unique, detail);
        }
        let additional = schema.child("additionalProperties");
        let exclusive = additional.boolean() != Some(true) && additional.is_set();
        if exclusive && has_entries(&schema.child("properties")) {
            let detail = "additionalProperties and properties are mutual exclusive";
            self.errors.forbidden(&additional, detail);
        }
        let preserve = schema.child("x-kubernetes-preserve-unknown-fields");
        if preserve.is_set() && preserve.boolean() == Some(false) {
            self.errors.invalid(&preserve, "must be true or undefined");
        }
    }

    /// Checks the schemas inside. `inner` is the scope that they inherit.
    fn inner(&mut self, schema: &Slot<'_, '_>, scope: &Scope<'_>, inner: &Scope<'_>) -> bool {
        let mut right = self.additional(schema, scope, inner);
        right &= self.properties(schema, scope, inner);
        let untyped = Scope {
            context: None,
            ..inner.clone()
        };
        right &= self.schema(&schema.child("not"), &untyped);
        for field in ["allOf", "oneOf", "anyOf"] {
            let list = schema.child(field);
            for item in list.items().into_iter().flatten() {
                right &= self.schema(&item, &untyped);
            }
        }
        for field in ["definitions", "dependencies"] {
            schema.child(field).each_value(&mut |_, value| {
                right &= self.schema(value, &untyped);
            });
        }
        self.items(schema, scope, inner) && right
    }

    fn items(&mut self, schema: &Slot<'_, '_>, scope: &Scope<'_>, inner: &Scope<'_>) -> bool {
        let items = schema.child("items");
        let mut of_items = inner.clone();
        of_items.context = inside(scope, schema, &items, SchemaStep::Element);
        if schema.child("x-kubernetes-list-type").string() != Some("map") {
            uncorrelate(&mut of_items, schema);
        }
        match items.shape() {
            ObjectContent::Object => self.schema(&items, &of_items),
            ObjectContent::Absent => true,
            ObjectContent::Wrong => {
                let mut count = 0;
                for item in items.items().into_iter().flatten() {
                    self.schema(&item, &of_items);
                    count += 1;
                }
                if count > 0 {
                    let detail = "items must be a schema object and not an array";
                    self.errors.forbidden(&items, detail);
                }
                count == 0
            }
        }
    }

    fn additional(&mut self, schema: &Slot<'_, '_>, scope: &Scope<'_>, inner: &Scope<'_>) -> bool {
        let values = schema.child("additionalProperties");
        let mut of_values = inner.clone();
        of_values.context = inside(scope, schema, &values, SchemaStep::Element);
        if scope.in_metadata {
            of_values.no_default =
                Some("inside additionalProperties applying to object metadata".to_owned());
        }
        self.schema(&values, &of_values)
    }

    fn properties(&mut self, schema: &Slot<'_, '_>, scope: &Scope<'_>, inner: &Scope<'_>) -> bool {
        let embedded = schema.child("x-kubernetes-embedded-resource").boolean() == Some(true);
        let map_type = schema.child("x-kubernetes-map-type");
        let known = matches!(map_type.string(), Some("atomic" | "granular"));
        let unknown = map_type.is_set() && !known;
        let mut right = true;
        let properties = schema.child("properties");
        properties.each_value(&mut |name, property| {
            let mut of_property = inner.clone();
            of_property.context = inside(scope, schema, property, SchemaStep::Property(name));
            if unknown {
                uncorrelate(&mut of_property, schema);
            }
            if (scope.is_root || embedded) && METADATA.contains(&name) {
                of_property.in_metadata = true;
                if scope.is_root {
                    of_property.no_default = Some(format!("in top-level {name}"));
                }
            }
            right &= self.schema(property, &of_property);
        });
        right
    }
}

/// Returns the context of a schema inside another, whose scope is given.
fn inside(
    scope: &Scope<'_>,
    outer: &Slot<'_, '_>,
    inner: &Slot<'_, '_>,
    how: SchemaStep<'_>,
) -> Option<RuleContext> {
    let context = scope.context.as_ref()?;
    Some(context.inside(as_schema(outer)?, as_schema(inner)?, how))
}

/// Keeps the outermost path.
fn uncorrelate<'s>(scope: &mut Scope<'s>, schema: &Slot<'s, '_>) {
    scope.uncorrelatable.get_or_insert(*schema.path_ref());
}

fn has_entries(slot: &Slot<'_, '_>) -> bool {
    let mapping = slot.node().and_then(yaml::Node::as_mapping);
    mapping.is_some_and(|mapping| mapping.entries().len() > 0)
}

/// Checks the type and `enum`. An empty type counts as absent.
fn check_enumeration_or_empty(ty: &Slot<'_, '_>, errors: &mut Errors) {
    match ty.string() {
        Some("") | None => {}
        Some("null") => {
            check_enumeration(ty, &TYPES, errors);
            let detail = "type cannot be set to null, use nullable as an alternative";
            errors.forbidden(ty, detail);
        }
        Some(_) => check_enumeration(ty, &TYPES, errors),
    }
}

/// Returns the schema in a slot.
fn as_schema<'a>(slot: &Slot<'_, 'a>) -> Option<JsonSchema<'a>> {
    slot.node().and_then(JsonSchema::new)
}
