//! Whether a value is valid for its schema.
//!
//! Combinations of schemas other than `allOf` are skipped: they only restrict further.
//!
//! Upstream: kubernetes/kube-openapi, pkg/validation/validate; kubernetes/apiextensions-apiserver,
//! pkg/apiserver/validation/validation.go, kubeOpenAPIResultToFieldErrors.

use crate::field_error::ErrorType;
use crate::json_schema::{JsonSchema, MAX_DEPTH};
use crate::validation::error::{ApiRule, Errors};
use crate::validation::slot::Slot;
use cel::regex::Regex;
use kubernetes::entries;
use kubernetes::quote::quote;
use yaml::{Node, NodeKind, Value};

/// Checks the value in a slot. `values` is how many more values are looked at.
pub(super) fn check(
    slot: &Slot<'_, '_>,
    schema: JsonSchema<'_>,
    errors: &mut Errors,
    values: &mut usize,
) {
    let Some(node) = slot.node() else {
        return;
    };
    let mut walk = Walk {
        slot,
        errors,
        values,
    };
    walk.value(node, schema, "", MAX_DEPTH);
}

struct Walk<'w, 'p, 'a> {
    /// The outermost value.
    slot: &'w Slot<'p, 'a>,
    errors: &'w mut Errors,
    values: &'w mut usize,
}

impl Walk<'_, '_, '_> {
    /// Checks a value at `path` within the outermost one.
    fn value(&mut self, node: Node<'_>, schema: JsonSchema<'_>, path: &str, depth: usize) {
        let (Some(depth), Some(rest)) = (depth.checked_sub(1), self.values.checked_sub(1)) else {
            return;
        };
        *self.values = rest;
        self.ty(node, schema, path);
        self.enumeration(node, schema, path);
        if node.is_null() {
            return;
        }
        let all_of = schema.node().get("allOf").and_then(Node::as_sequence);
        let all_of = all_of.into_iter().flat_map(yaml::Sequence::items);
        for schema in all_of.filter_map(JsonSchema::new) {
            self.value(node, schema, path, depth);
        }
        match node.kind() {
            NodeKind::Scalar(scalar) => match scalar.value() {
                Value::Str => self.text(node, scalar.text(), schema, path),
                Value::Int(_) | Value::Uint(_) | Value::Float(_) => {
                    self.number(node, schema, path);
                }
                Value::Null | Value::Bool(_) => {}
            },
            NodeKind::Sequence(list) => {
                self.length(node, list.items().len(), schema, path, &LIST);
                let items = schema.schema("items");
                for (index, item) in list.items().enumerate() {
                    if let Some(schema) = items {
                        self.value(item, schema, &format!("{path}[{index}]"), depth);
                    }
                }
            }
            NodeKind::Mapping(_) => self.object(node, schema, path, depth),
        }
    }

    fn object(&mut self, node: Node<'_>, schema: JsonSchema<'_>, path: &str, depth: usize) {
        let fields = node.as_mapping().map(entries).unwrap_or_default();
        self.length(node, fields.len(), schema, path, &OBJECT);
        let required = schema.node().get("required").and_then(Node::as_sequence);
        let required = required.into_iter().flat_map(yaml::Sequence::items);
        for name in required.filter_map(Node::as_str) {
            if !fields.iter().any(|entry| entry.key.key_text() == name) {
                self.report(node, ErrorType::Required, &inner(path, name), String::new());
            }
        }
        for entry in &fields {
            let name = entry.key.key_text();
            let property = schema.property(&name);
            if let Some(schema) = property.or_else(|| schema.schema("additionalProperties")) {
                self.value(entry.value, schema, &inner(path, &name), depth);
            }
        }
    }

    fn ty(&mut self, node: Node<'_>, schema: JsonSchema<'_>, path: &str) {
        let (found, found_format) = json_type(node);
        let wanted = match schema.ty() {
            "" if schema.flag("x-kubernetes-int-or-string") => "integer,string",
            "" => return,
            wanted => wanted,
        };
        let takes = |name: &str| wanted.split(',').any(|ty| ty == name);
        let takes_number = takes("integer") || takes("number");
        let format = schema.text("format");
        let (wanted, found) = match found {
            "null" if schema.flag("nullable") => return,
            "integer" if takes_number => return,
            "string" | "array" if !format.is_empty() && !takes_number => return,
            found if takes(found) => return,
            "integer" | "number" if !format.is_empty() && format != found_format => {
                (format, found_format)
            }
            "boolean" | "object" if !format.is_empty() => (format, found_format),
            found => (wanted, found),
        };
        let reason = format!("must be of type {wanted}: {}", quote(found));
        self.report_in_body(node, ErrorType::TypeInvalid, path, reason);
    }

    fn enumeration(&mut self, node: Node<'_>, schema: JsonSchema<'_>, path: &str) {
        let values = schema.node().get("enum").and_then(Node::as_sequence);
        let Some(values) = values.filter(|values| values.items().len() > 0) else {
            return;
        };
        if node.is_null()
            || values
                .items()
                .any(|value| crate::json_schema::same(value, node))
        {
            return;
        }
        let scalars = values.items().all(|value| value.as_scalar().is_some());
        if !scalars {
            return;
        }
        let values: Vec<String> = values
            .items()
            .map(|value| value.text().to_owned())
            .collect();
        let shown: Vec<String> = values.iter().map(|value| quote(value)).collect();
        let detail = format!("supported values: {}", shown.join(", "));
        self.report_rule(
            ApiRule::OneOf(values),
            node,
            ErrorType::NotSupported,
            path,
            detail,
        );
    }

    fn text(&mut self, node: Node<'_>, text: &str, schema: JsonSchema<'_>, path: &str) {
        let length = text.chars().count();
        if let Some(max) = limit(schema, "maxLength").filter(|max| length > *max) {
            let detail = format!("may not be more than {max} bytes");
            self.report(node, ErrorType::TooLong, path, detail);
        }
        if let Some(min) = limit(schema, "minLength").filter(|min| length < *min) {
            let reason = format!("should be at least {min} chars long");
            self.report_in_body(node, ErrorType::Invalid, path, reason);
        }
        let pattern = schema.text("pattern");
        if !pattern.is_empty() && Regex::new(pattern).is_ok_and(|regex| !regex.is_match(text)) {
            let reason = format!("should match '{pattern}'");
            self.report_in_body(node, ErrorType::Invalid, path, reason);
        }
    }

    fn number(&mut self, node: Node<'_>, schema: JsonSchema<'_>, path: &str) {
        let Some(value) = number(node) else {
            return;
        };
        self.range(node, node, "Checked", schema, path);
        let limits = [
            ("multipleOf", "MultipleOf"),
            ("maximum", "Maximum boundary"),
            ("minimum", "Minimum boundary"),
        ];
        for (field, name) in limits {
            if let Some(limit) = schema.node().get(field).filter(|it| number(*it).is_some()) {
                self.range(node, limit, name, schema, path);
            }
        }
        let bound = |field: &str| schema.node().get(field).and_then(number);
        let mut say = |wrong: bool, than: &str, bound: f64| {
            if wrong {
                let bound = cel::value::Value::Double(bound).to_string();
                let reason = format!("should be {than} {bound}");
                self.report_in_body(node, ErrorType::Invalid, path, reason);
            }
        };
        if let Some(max) = bound("maximum") {
            match schema.flag("exclusiveMaximum") {
                true => say(value >= max, "less than", max),
                false => say(value > max, "less than or equal to", max),
            }
        }
        if let Some(min) = bound("minimum") {
            match schema.flag("exclusiveMinimum") {
                true => say(value <= min, "greater than", min),
                false => say(value < min, "greater than or equal to", min),
            }
        }
        if let Some(factor) = bound("multipleOf").filter(|factor| *factor > 0.0) {
            let times = value / factor;
            say(times.fract() != 0.0, "a multiple of", factor);
        }
    }

    /// Checks that a number fits the type and the format of the schema. The error names the
    /// outermost value.
    ///
    /// Upstream: kubernetes/kube-openapi, pkg/validation/validate/values.go,
    /// `IsValueValidAgainstRange`.
    fn range(
        &mut self,
        node: Node<'_>,
        number: Node<'_>,
        name: &str,
        schema: JsonSchema<'_>,
        path: &str,
    ) {
        let value = number.as_scalar().map(yaml::Scalar::value);
        let (ty, format) = (schema.ty(), schema.text("format"));
        let (fits, format) = match (ty, format) {
            ("integer", format) => {
                let integer = value.and_then(Value::as_integer);
                let is_short = integer.is_some_and(|it| i32::try_from(it).is_ok());
                match format {
                    "int32" => (is_short, format),
                    "int64" => (integer.is_some(), format),
                    _ => (integer.is_some(), ""),
                }
            }
            #[expect(
                clippy::cast_possible_truncation,
                reason = "the server narrows it as well"
            )]
            ("number", "float") => {
                let narrow = self::number(number).map(|it| it as f32);
                (narrow.is_some_and(f32::is_finite), format)
            }
            _ => return,
        };
        if !fits {
            let format = match format {
                "" => "(default format)".to_owned(),
                format => format!("with format {format}"),
            };
            let detail = format!("{name} value must be of type {ty} {format} in {path}");
            self.report(node, ErrorType::Invalid, "", detail);
        }
    }

    /// The number of items or fields.
    fn length(
        &mut self,
        node: Node<'_>,
        length: usize,
        schema: JsonSchema<'_>,
        path: &str,
        of: &Length,
    ) {
        if let Some(max) = limit(schema, of.max).filter(|max| length > *max) {
            let items = if max == 1 { "item" } else { "items" };
            let detail = format!("must have at most {max} {items}");
            self.report(node, ErrorType::TooMany, path, detail);
        }
        if let Some(min) = limit(schema, of.min).filter(|min| length < *min) {
            let reason = format!("should have at least {min} {}", of.what);
            self.report_in_body(node, ErrorType::Invalid, path, reason);
        }
    }

    fn report(&mut self, node: Node<'_>, kind: ErrorType, path: &str, detail: String) {
        self.report_rule(ApiRule::Other, node, kind, path, detail);
    }

    fn report_in_body(&mut self, node: Node<'_>, kind: ErrorType, path: &str, reason: String) {
        let detail = format!("{path} in body {reason}");
        self.report_rule(ApiRule::Default(reason), node, kind, path, detail);
    }

    fn report_rule(
        &mut self,
        rule: ApiRule,
        node: Node<'_>,
        kind: ErrorType,
        path: &str,
        detail: String,
    ) {
        let outer = self.slot.path_ref();
        let slot = match path {
            "" => *self.slot,
            path => self.slot.with_path(outer.child(path)),
        };
        self.errors.push_at(rule, kind, &slot, node, detail);
    }
}

/// The limits of the length of something.
struct Length {
    max: &'static str,
    min: &'static str,
    what: &'static str,
}

const LIST: Length = Length {
    max: "maxItems",
    min: "minItems",
    what: "items",
};
const OBJECT: Length = Length {
    max: "maxProperties",
    min: "minProperties",
    what: "properties",
};

/// The path of a field of the object at `path`.
fn inner(path: &str, name: &str) -> String {
    match path {
        "" => name.to_owned(),
        path => format!("{path}.{name}"),
    }
}

fn limit(schema: JsonSchema<'_>, field: &str) -> Option<usize> {
    let scalar = schema.node().get(field).and_then(Node::as_scalar)?;
    usize::try_from(scalar.value().as_integer()?).ok()
}

#[expect(
    clippy::cast_precision_loss,
    reason = "the server compares doubles as well"
)]
fn number(node: Node<'_>) -> Option<f64> {
    match node.as_scalar()?.value() {
        Value::Int(value) => Some(value as f64),
        Value::Uint(value) => Some(value as f64),
        Value::Float(value) => Some(value),
        Value::Null | Value::Bool(_) | Value::Str => None,
    }
}

/// The type of a value in JSON, and its format. A number without a fraction is an integer if
/// 64 bits hold it.
///
/// Upstream: kubernetes/kube-openapi, pkg/validation/validate/type.go, `schemaInfoForType`.
fn json_type(node: Node<'_>) -> (&'static str, &'static str) {
    match node.kind() {
        NodeKind::Mapping(_) => ("object", ""),
        NodeKind::Sequence(_) => ("array", ""),
        NodeKind::Scalar(scalar) => match scalar.value() {
            Value::Null => ("null", ""),
            Value::Bool(_) => ("boolean", ""),
            number @ (Value::Int(_) | Value::Uint(_) | Value::Float(_)) => {
                match number.as_integer() {
                    Some(_) => ("integer", "int64"),
                    None => ("number", "float64"),
                }
            }
            Value::Str => ("string", ""),
        },
    }
}
