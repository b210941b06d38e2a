//! Validation of the defaults of a schema.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/defaulting/validation.go,
//! ValidateDefaults.

mod prune;
mod rules;
mod value;

use crate::crd::embedded::wrong;
use crate::crd::{Formats, Reader};
use crate::json_schema::{ALIAS_BUDGET, JsonSchema, MAX_DEPTH};
use crate::object_meta::MetadataError;
use crate::validation::Check;
use crate::validation::error::Errors;
use crate::validation::slot::Slot;
use cel::Value;
use cel::value::Key;
use kubernetes::object;

/// Limit: the values in all defaults of a schema that are visited. Aliases can make their number
/// explode.
const MAX_VALUES: usize = 100_000;

/// Checks the defaults of the outermost schema and of all inside it.
pub(super) fn check(check: &Check<'_>, schema: &Slot<'_, '_>, errors: &mut Errors) {
    let mut checker = DefaultChecker {
        check,
        errors,
        schemas: ALIAS_BUDGET * 10,
        values: MAX_VALUES,
        reader: Reader::new(Formats::Written),
    };
    checker.schema(schema, true, None, MAX_DEPTH);
}

/// The path from an embedded resource to a schema within its metadata.
#[derive(Clone, Copy)]
struct EmbeddedPath<'i, 'a> {
    /// The schema of the embedded resource.
    resource: JsonSchema<'a>,
    outer: Option<&'i EmbeddedPath<'i, 'a>>,
    /// The name of the property; `None` for the items of a list.
    name: Option<&'i str>,
}

impl EmbeddedPath<'_, '_> {
    /// Returns a resource with the value at this path, and otherwise only its type.
    ///
    /// Upstream: kubernetes/apiextensions-apiserver,
    /// pkg/apiserver/schema/defaulting/surroundingobject.go.
    fn surrounding_object(&self, value: Value) -> Value {
        let mut at = Some(self);
        let mut value = value;
        while let Some(inside) = at {
            at = inside.outer;
            let Some(name) = inside.name else {
                value = Value::list(vec![value]);
                continue;
            };
            let mut entries = vec![(Key::String(name.into()), value)];
            if at.is_none() {
                let ty = [("apiVersion", "validation/v1"), ("kind", "Validation")]
                    .into_iter()
                    .filter(|(field, _)| *field != name)
                    .map(|(field, text)| (field.into(), Value::String(text.into())));
                entries.extend(ty.map(|(field, text)| (Key::String(field), text)));
            }
            value = Value::Map(entries.into_iter().collect());
        }
        value
    }
}

struct DefaultChecker<'e, 'd> {
    check: &'e Check<'d>,
    errors: &'e mut Errors,
    /// The remaining number of schemas to visit.
    schemas: usize,
    /// The remaining number of values to visit.
    values: usize,
    /// The schemas that have been read.
    reader: Reader,
}

impl DefaultChecker<'_, '_> {
    fn schema(
        &mut self,
        slot: &Slot<'_, '_>,
        is_root: bool,
        inside: Option<&EmbeddedPath<'_, '_>>,
        depth: usize,
    ) {
        let Some(schema) = slot.node().and_then(JsonSchema::new) else {
            return;
        };
        let (Some(depth), Some(schemas)) = (depth.checked_sub(1), self.schemas.checked_sub(1))
        else {
            return;
        };
        self.schemas = schemas;
        let is_resource = is_root || schema.flag("x-kubernetes-embedded-resource");
        let inside = inside.filter(|_| !is_resource);
        self.default(slot, schema, is_resource, inside);
        // Values of maps cannot have defaults.
        let item = inside.map(|outer| EmbeddedPath {
            resource: outer.resource,
            outer: Some(outer),
            name: None,
        });
        self.schema(&slot.child("items"), false, item.as_ref(), depth);
        slot.child("properties").each_value(&mut |name, property| {
            let is_meta = is_resource && prune::METADATA.contains(&name);
            let resource = match inside {
                Some(outer) => Some(outer.resource),
                None => is_meta.then_some(schema),
            };
            let property_inside = resource.map(|resource| EmbeddedPath {
                resource,
                outer: inside,
                name: Some(name),
            });
            self.schema(property, false, property_inside.as_ref(), depth);
        });
    }

    fn default(
        &mut self,
        slot: &Slot<'_, '_>,
        schema: JsonSchema<'_>,
        is_resource: bool,
        inside: Option<&EmbeddedPath<'_, '_>>,
    ) {
        let default = slot.child("default");
        let Some(node) = default.node() else {
            return;
        };
        if inside.is_none() && prune::has_unknown(node, schema, is_resource, &mut self.values) {
            self.errors
                .invalid(&default, "must not have unknown fields");
        }
        let Some(value) = object(node) else {
            return;
        };
        if !self.keeps_metadata(&default, schema, &value, (is_resource, inside)) {
            return;
        }
        let before = self.errors.found.len();
        let server = self.check.document.target().server();
        value::check(
            (&default, &value),
            (schema, &mut self.reader),
            server,
            self.errors,
            &mut self.values,
        );
        if self.errors.found.len() == before {
            rules::check(self.check, &default, slot, self.errors, &mut self.values);
        }
    }

    /// Returns whether the metadata of embedded resources, in a default or around it, is valid, and
    /// reports an error if not.
    fn keeps_metadata(
        &mut self,
        default: &Slot<'_, '_>,
        schema: JsonSchema<'_>,
        value: &Value,
        (is_resource, inside): (bool, Option<&EmbeddedPath<'_, '_>>),
    ) -> bool {
        let Some(inside) = inside else {
            let server = self.check.document.target().server();
            let found = wrong(schema, value, is_resource, server);
            let is_right = found.is_empty();
            for wrong in found {
                let path = default.path_ref().child(&wrong.field);
                let slot = default.with_path(path);
                self.errors.push(wrong.kind, &slot, wrong.detail);
            }
            return is_right;
        };
        let server = self.check.document.target().server();
        let found = wrong(
            inside.resource,
            &inside.surrounding_object(value.clone()),
            true,
            server,
        );
        let mut texts: Vec<String> = found.into_iter().map(MetadataError::text).collect();
        texts.dedup();
        let detail = match &*texts {
            [] => return true,
            [one] => one.clone(),
            many => format!("[{}]", many.join(", ")),
        };
        let detail = format!("must result in valid metadata: {detail}");
        self.errors.invalid(default, detail);
        false
    }
}
