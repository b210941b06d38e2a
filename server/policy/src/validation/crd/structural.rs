//! Whether a schema is structural: every field has a type, and the parts that combine
//! schemas do not restrict types.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/validation.go,
//! validateStructuralInvariants; convert.go, NewStructural.

mod complete;

use crate::field_path::{FieldPath, PathRef};
use crate::json_schema::{ALIAS_BUDGET, JsonSchema, MAX_DEPTH};
use crate::schema::json_schema;
use crate::validation::error::Errors;
use crate::validation::slot::Slot;
use cel::regex::Regex;
use kubernetes::entries;
use std::collections::HashSet;
use yaml::Node;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Item,
    Field,
}

impl Level {
    /// Returns the message for a schema without a type.
    const fn untyped(self) -> &'static str {
        match self {
            Level::Root => "must not be empty at the root",
            Level::Item => "must not be empty for specified array items",
            Level::Field => "must not be empty for specified object fields",
        }
    }
}

struct StructuralChecker<'e> {
    errors: &'e mut Errors,
    /// The remaining number of schemas to visit through aliases.
    budget: usize,
    /// The patterns that are regular expressions.
    patterns: HashSet<String>,
}

/// The depth of a schema.
#[derive(Clone, Copy)]
struct Depth {
    remaining: usize,
    in_alias: bool,
}

/// Returns why the server cannot convert a schema into a structural one, so that it stops.
/// `None` if it can.
pub(super) fn unsupported(schema: JsonSchema<'_>) -> Option<String> {
    let base = FieldPath::root();
    let mut found = None;
    schema.walk(&PathRef::new(&base), &mut |schema, _| {
        if found.is_none() {
            found = unsupported_here(schema);
        }
    });
    found
}

fn unsupported_here(schema: JsonSchema<'_>) -> Option<String> {
    let fields: [(&str, bool); 7] = [
        ("id", schema.has("id")),
        ("schema", schema.has("$schema")),
        ("$ref", !schema.text("$ref").is_empty()),
        ("patternProperties", schema.has_any("patternProperties")),
        ("dependencies", schema.has_any("dependencies")),
        ("additionalItems", schema.has("additionalItems")),
        ("definitions", schema.has_any("definitions")),
    ];
    if let Some((field, _)) = fields.iter().find(|(_, there)| *there) {
        return Some(format!("OpenAPIV3Schema '{field}' is not supported"));
    }
    let preserve = "x-kubernetes-preserve-unknown-fields";
    if schema.has(preserve) && !schema.flag(preserve) {
        return Some(format!(
            "internal error: '{preserve}' must be true or undefined"
        ));
    }
    let items = schema.node().get("items").and_then(Node::as_sequence);
    let many = items.is_some_and(|items| items.items().len() > 0);
    many.then(|| "OpenAPIV3Schema 'items' must be a schema, but is an array".to_owned())
}

/// Checks the schema of a version, which is fully supported.
pub(super) fn check(schema: &Slot<'_, '_>, errors: &mut Errors) {
    let mut checker = StructuralChecker {
        errors,
        budget: ALIAS_BUDGET,
        patterns: HashSet::new(),
    };
    let depth = Depth {
        remaining: MAX_DEPTH,
        in_alias: false,
    };
    checker.schema(schema, Level::Root, depth);
    complete::check(schema, errors);
}

impl StructuralChecker<'_> {
    fn schema(&mut self, slot: &Slot<'_, '_>, level: Level, depth: Depth) {
        let Some(schema) = slot.node().and_then(JsonSchema::new) else {
            return;
        };
        let Some(depth) = self.enter(slot, depth) else {
            return;
        };
        let items = slot.child("items");
        if schema.ty() == "array" && items.node().and_then(JsonSchema::new).is_none() {
            self.errors.required(&items, "must be specified");
        }
        self.schema(&items, Level::Item, depth);
        slot.child("properties").each_value(&mut |_, property| {
            // Null is an empty schema.
            if !property.is_set() {
                let ty = property.child("type");
                self.errors.required(&ty, Level::Field.untyped());
            }
            self.schema(property, Level::Field, depth);
        });
        let additional = slot.child("additionalProperties");
        if level == Level::Root && additional.is_set() {
            self.errors
                .forbidden(&additional, "must not be used at the root");
        }
        self.schema(&additional, Level::Field, depth);
        self.extensions(slot, schema);
        self.ty(slot, schema, level);
        self.metadata(slot, schema, level);
        self.combined(slot, IntOrString::from_schema(schema), depth);
    }

    /// Returns the depth inside a schema. `None` when the walk ends here.
    fn enter(&mut self, slot: &Slot<'_, '_>, depth: Depth) -> Option<Depth> {
        let in_alias = depth.in_alias || slot.node().is_some_and(Node::is_alias);
        if in_alias {
            self.budget = self.budget.checked_sub(1)?;
        }
        let remaining = depth.remaining.checked_sub(1)?;
        Some(Depth {
            remaining,
            in_alias,
        })
    }

    fn extensions(&mut self, slot: &Slot<'_, '_>, schema: JsonSchema<'_>) {
        if !schema.flag("x-kubernetes-int-or-string") {
            return;
        }
        for field in [
            "x-kubernetes-preserve-unknown-fields",
            "x-kubernetes-embedded-resource",
        ] {
            if schema.flag(field) {
                let detail = "must be false if x-kubernetes-int-or-string is true";
                self.errors.invalid(&slot.child(field), detail);
            }
        }
    }

    fn ty(&mut self, slot: &Slot<'_, '_>, schema: JsonSchema<'_>, level: Level) {
        let ty = slot.child("type");
        let Some(text) = ty.string() else {
            return;
        };
        let embedded = schema.flag("x-kubernetes-embedded-resource");
        if embedded && text != "object" {
            let detail = "must be object if x-kubernetes-embedded-resource is true";
            if text.is_empty() {
                self.errors.required(&ty, detail);
            } else {
                self.errors.invalid(&ty, detail);
            }
        } else if text.is_empty()
            && !schema.flag("x-kubernetes-int-or-string")
            && !schema.flag("x-kubernetes-preserve-unknown-fields")
        {
            self.errors.required(&ty, level.untyped());
        }
        if level == Level::Root && !text.is_empty() && text != "object" {
            self.errors.invalid(&ty, "must be object at the root");
        }
        let additional = slot.child("additionalProperties");
        if embedded && additional.is_set() {
            let detail = "must not be used if x-kubernetes-embedded-resource is set";
            self.errors.forbidden(&additional, detail);
        }
    }

    /// Checks `metadata` of a resource, whose type is fixed by Kubernetes.
    fn metadata(&mut self, slot: &Slot<'_, '_>, schema: JsonSchema<'_>, level: Level) {
        let embedded = schema.flag("x-kubernetes-embedded-resource");
        let resource = level == Level::Root || embedded;
        let properties = slot.child("properties");
        for (name, wanted) in [
            ("kind", "string"),
            ("apiVersion", "string"),
            ("metadata", "object"),
        ] {
            let declared = schema.node().get("properties");
            let declared = declared.and_then(|properties| properties.get(name));
            let Some(declared) = declared.filter(|_| resource) else {
                continue;
            };
            if JsonSchema::new(declared).map_or("", JsonSchema::ty) != wanted {
                let inner = properties
                    .child(name)
                    .with_path(properties.path_ref().key(name));
                self.errors
                    .invalid(&inner.child("type"), format!("must be {wanted}"));
            }
        }
        if let Some(metadata) = schema.property("metadata").filter(|_| level == Level::Root)
            && restricts_more_than_names(metadata)
        {
            let inner = properties
                .child("metadata")
                .with_path(properties.path_ref().key("metadata"));
            self.errors.forbidden(
                &inner,
                "must not specify anything other than name and generateName, but metadata is \
                 implicitly specified",
            );
        }
        let preserves = schema.flag("x-kubernetes-preserve-unknown-fields");
        if embedded && !preserves && schema.property_names().is_empty() {
            let detail = "must not be empty if x-kubernetes-embedded-resource is true without \
                          x-kubernetes-preserve-unknown-fields";
            self.errors.required(&properties, detail);
        }
    }

    /// Checks the schemas that are combined with this one, and the pattern of its strings.
    fn combined(&mut self, slot: &Slot<'_, '_>, int_or_string: IntOrString, depth: Depth) {
        for field in ["anyOf", "allOf", "oneOf"] {
            if field == "anyOf" && int_or_string.any_of {
                continue;
            }
            let list = slot.child(field);
            for (index, item) in list.items().into_iter().flatten().enumerate() {
                let any_of = int_or_string.all_of && field == "allOf" && index == 0;
                self.nested(&item, any_of, depth);
            }
        }
        self.nested(&slot.child("not"), false, depth);
        self.pattern(&slot.child("pattern"));
    }

    /// Checks a pattern. A definition repeats a few of them hundreds of times.
    fn pattern(&mut self, pattern: &Slot<'_, '_>) {
        let Some(text) = pattern.string().filter(|text| !text.is_empty()) else {
            return;
        };
        if self.patterns.contains(text) {
            return;
        }
        match Regex::new(text) {
            Ok(_) => {
                self.patterns.insert(text.to_owned());
            }
            Err(error) => {
                let detail = format!("must be a valid regular expression, but isn't: {error}");
                self.errors.invalid(pattern, detail);
            }
        }
    }

    fn nested(&mut self, slot: &Slot<'_, '_>, any_of: bool, depth: Depth) {
        let Some(schema) = slot.node().and_then(JsonSchema::new) else {
            return;
        };
        let Some(depth) = self.enter(slot, depth) else {
            return;
        };
        let skip = IntOrString {
            any_of,
            all_of: false,
        };
        self.combined(slot, skip, depth);
        self.nested(&slot.child("items"), false, depth);
        let properties = slot.child("properties");
        properties.each_value(&mut |name, property| {
            self.nested(property, false, depth);
            if name == "metadata" {
                let detail = "must not be specified in a nested context";
                self.errors.forbidden(property, detail);
            }
        });
        for (field, detail) in NESTED {
            let there = match field {
                "x-kubernetes-list-map-keys" | "x-kubernetes-validations" => schema.has_any(field),
                "additionalProperties" => {
                    schema.has(field) && slot.child(field).boolean() != Some(false)
                }
                _ => schema.has(field),
            };
            if there {
                self.errors.forbidden(&slot.child(field), detail);
            }
        }
    }
}

/// Fields that a combined schema may not have.
const NESTED: [(&str, &str); 13] = [
    ("type", "must be empty to be structural"),
    ("additionalProperties", "must be undefined to be structural"),
    ("default", "must be undefined to be structural"),
    ("title", "must be empty to be structural"),
    ("description", "must be empty to be structural"),
    ("nullable", "must be false to be structural"),
    (
        "x-kubernetes-preserve-unknown-fields",
        "must be false to be structural",
    ),
    (
        "x-kubernetes-embedded-resource",
        "must be false to be structural",
    ),
    (
        "x-kubernetes-int-or-string",
        "must be false to be structural",
    ),
    (
        "x-kubernetes-list-map-keys",
        "must be empty to be structural",
    ),
    (
        "x-kubernetes-list-type",
        "must be undefined to be structural",
    ),
    (
        "x-kubernetes-map-type",
        "must be undefined to be structural",
    ),
    ("x-kubernetes-validations", "must be empty to be structural"),
];

/// The two forms in which a combined schema may name the types of an integer or a string.
#[derive(Clone, Copy)]
struct IntOrString {
    /// In `anyOf`.
    any_of: bool,
    /// In the `anyOf` of the first of `allOf`.
    all_of: bool,
}

impl IntOrString {
    fn from_schema(schema: JsonSchema<'_>) -> Self {
        let node = schema.node();
        let all_of = node.get("allOf").and_then(Node::as_sequence);
        let first = all_of.and_then(|list| list.items().next());
        Self {
            any_of: names_both_types(node.get("anyOf")),
            all_of: names_both_types(first.and_then(|first| first.get("anyOf"))),
        }
    }
}

/// Returns whether a list is `[{type: integer}, {type: string}]`.
fn names_both_types(list: Option<Node<'_>>) -> bool {
    let items: Vec<Node<'_>> = list
        .and_then(Node::as_sequence)
        .into_iter()
        .flat_map(yaml::Sequence::items)
        .collect();
    let only = |node: &Node<'_>, ty: &str| {
        node.get("type").and_then(Node::as_str) == Some(ty)
            && node
                .as_mapping()
                .is_some_and(|mapping| mapping.entries().len() == 1)
    };
    matches!(items.as_slice(), [first, second] if only(first, "integer") && only(second, "string"))
}

/// Returns whether a schema of metadata has more than `name`, `generateName` and its type.
fn restricts_more_than_names(metadata: JsonSchema<'_>) -> bool {
    let names = metadata.property_names();
    let known = |name: &String| name == "name" || name == "generateName";
    if !names.iter().all(known) {
        return true;
    }
    let schema = json_schema();
    let is_schema_field = |name: &str| schema.is_some_and(|it| it.property(name).is_some());
    let mut found = metadata.node().as_mapping().into_iter().flat_map(entries);
    found.any(|entry| {
        let field = entry.key.key_text();
        match field.as_ref() {
            "type" | "properties" | "default" => false,
            "enum" | "allOf" | "anyOf" | "oneOf" => metadata.has_any(&field),
            _ => is_schema_field(&field) && metadata.has(&field),
        }
    })
}
