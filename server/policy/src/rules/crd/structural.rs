//! Whether a schema is structural: every field has a type, and the parts that combine
//! schemas say nothing about types.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/validation.go,
//! validateStructuralInvariants. That every field inside `allOf` and the like is declared
//! outside as well (validateStructuralCompleteness) is not checked here.

use crate::crd::{ALIAS_BUDGET, MAX_DEPTH, Schema};
use crate::entries::entries;
use crate::rules::error::Errors;
use crate::rules::slot::{Shape, Slot};
use yaml::Node;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Root,
    Item,
    Field,
}

struct Walk<'e> {
    errors: &'e mut Errors,
    /// How many more schemas are looked at through aliases.
    budget: usize,
}

/// How deep a schema stands.
#[derive(Clone, Copy)]
struct Depth {
    left: usize,
    in_alias: bool,
}

/// Checks the schema of a version. Schemas with fields that are not supported at all are
/// left to the rules about these.
pub(super) fn check(schema: &Slot<'_, '_>, errors: &mut Errors) {
    let mut walk = Walk {
        errors,
        budget: ALIAS_BUDGET,
    };
    let depth = Depth {
        left: MAX_DEPTH,
        in_alias: false,
    };
    walk.schema(schema, Level::Root, depth);
}

impl Walk<'_> {
    fn schema(&mut self, slot: &Slot<'_, '_>, level: Level, depth: Depth) {
        let Some(schema) = slot.node().and_then(Schema::new) else {
            return;
        };
        let Some(depth) = self.enter(slot, depth) else {
            return;
        };
        let items = slot.child("items");
        if schema.ty() == "array" && !items.is_set() {
            self.errors.required(&items, "must be specified");
        }
        self.schema(&items, Level::Item, depth);
        slot.child("properties").each_value(&mut |_, property| {
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
        self.combined(slot, is_int_or_string(schema), depth);
    }

    /// The depth inside of a schema. `None` when the walk ends here.
    fn enter(&mut self, slot: &Slot<'_, '_>, depth: Depth) -> Option<Depth> {
        let in_alias = depth.in_alias || slot.node().is_some_and(Node::is_alias);
        if in_alias {
            self.budget = self.budget.checked_sub(1)?;
        }
        let left = depth.left.checked_sub(1)?;
        Some(Depth { left, in_alias })
    }

    fn extensions(&mut self, slot: &Slot<'_, '_>, schema: Schema<'_>) {
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

    fn ty(&mut self, slot: &Slot<'_, '_>, schema: Schema<'_>, level: Level) {
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
            let detail = match level {
                Level::Root => "must not be empty at the root",
                Level::Item => "must not be empty for specified array items",
                Level::Field => "must not be empty for specified object fields",
            };
            self.errors.required(&ty, detail);
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

    /// `metadata` of a resource is what Kubernetes says it is.
    fn metadata(&mut self, slot: &Slot<'_, '_>, schema: Schema<'_>, level: Level) {
        let embedded = schema.flag("x-kubernetes-embedded-resource");
        let resource = level == Level::Root || embedded;
        let properties = slot.child("properties");
        for (name, wanted) in [
            ("kind", "string"),
            ("apiVersion", "string"),
            ("metadata", "object"),
        ] {
            let Some(property) = schema.property(name).filter(|_| resource) else {
                continue;
            };
            if property.ty() != wanted {
                let inner = properties.child(name);
                let inner = inner.with_path(properties.path_ref().key(name));
                self.errors
                    .invalid(&inner.child("type"), format!("must be {wanted}"));
            }
        }
        if let Some(metadata) = schema.property("metadata").filter(|_| level == Level::Root)
            && restricts_more_than_names(metadata)
        {
            let inner = properties.child("metadata");
            let inner = inner.with_path(properties.path_ref().key("metadata"));
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

    /// The schemas that are combined with this one.
    fn combined(&mut self, slot: &Slot<'_, '_>, int_or_string: IntOrString, depth: Depth) {
        for field in ["anyOf", "allOf", "oneOf"] {
            let list = slot.child(field);
            for (index, item) in list.items().into_iter().flatten().enumerate() {
                let skipped = match int_or_string {
                    IntOrString::AnyOf => field == "anyOf",
                    IntOrString::AllOf | IntOrString::No => false,
                };
                if skipped {
                    continue;
                }
                let first_all_of =
                    int_or_string == IntOrString::AllOf && field == "allOf" && index == 0;
                self.nested(&item, first_all_of, depth);
            }
        }
        self.nested(&slot.child("not"), false, depth);
    }

    fn nested(&mut self, slot: &Slot<'_, '_>, skip_any_of: bool, depth: Depth) {
        if slot.shape() != Shape::Object {
            return;
        }
        let Some(depth) = self.enter(slot, depth) else {
            return;
        };
        let skip = if skip_any_of {
            IntOrString::AnyOf
        } else {
            IntOrString::No
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
            let inner = slot.child(field);
            if inner.node().is_some_and(|node| !crate::crd::is_empty(node)) {
                self.errors.forbidden(&inner, detail);
            }
        }
    }
}

/// Fields that a combined schema may not have.
const NESTED: [(&str, &str); 12] = [
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
];

/// The two forms in which a combined schema may name the types of an integer or a string.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IntOrString {
    AnyOf,
    AllOf,
    No,
}

fn is_int_or_string(schema: Schema<'_>) -> IntOrString {
    let node = schema.node();
    if names_both_types(node.get("anyOf")) {
        return IntOrString::AnyOf;
    }
    let all_of = node.get("allOf").and_then(Node::as_sequence);
    let first = all_of.and_then(|list| list.items().next());
    if names_both_types(first.and_then(|first| first.get("anyOf"))) {
        IntOrString::AllOf
    } else {
        IntOrString::No
    }
}

/// Whether a list is `[{type: integer}, {type: string}]`.
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

/// Whether a schema of metadata says more than `name` and `generateName` and its type.
fn restricts_more_than_names(metadata: Schema<'_>) -> bool {
    let names = metadata.property_names();
    let known = |name: &String| name == "name" || name == "generateName";
    if !names.iter().all(known) {
        return true;
    }
    let mapping = metadata.node().as_mapping();
    let mut found = mapping.into_iter().flat_map(entries);
    found.any(|entry| {
        let field = entry.key.key_text();
        !matches!(field.as_ref(), "type" | "properties" | "default")
            && !crate::crd::is_empty(entry.value)
    })
}
