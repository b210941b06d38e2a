//! Where a document does not fit the type of its kind.
//!
//! Upstream: sigs.k8s.io/json and sigs.k8s.io/yaml, as the API server's decoder uses them
//! with strict field validation.

use super::json_schema;
use crate::field_path::{FieldPath, PathRef};
use cel::value::{Timestamp, TimestampError};
use kubernetes::entries;
use kubernetes::openapi::{Schema, SchemaId, SchemaType};
use text::{Suggestions, TextRange, nearest};
use yaml::{Node, NodeId, NodeKind, Sequence, Value};

/// A value that does not match its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Mismatch {
    /// The field.
    pub path: FieldPath,
    /// The bytes to underline: the key of an unknown field, the value of a wrong one.
    pub range: TextRange,
    /// The node of the value.
    pub node: NodeId,
    /// A mismatch.
    pub kind: MismatchKind,
}

/// A mismatch.
#[derive(Clone, Debug, PartialEq)]
pub enum MismatchKind {
    /// The object type has no such field.
    UnknownField {
        /// The name as written.
        name: String,
        /// The known field that it most resembles.
        nearest: Option<&'static str>,
        /// Whether the server drops the field silently, which it does inside `items`
        /// and `additionalProperties` of a schema.
        silent: bool,
    },
    /// The value has another type than its field.
    WrongType {
        /// The expected type.
        expected: Expected,
        /// The type that Kubernetes reads.
        found: FoundType,
    },
}

/// The expected type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// `true` or `false`.
    Bool,
    /// An integer that fits this many bits.
    Integer(u8),
    /// A number.
    Number,
    /// A string.
    String,
    /// A string of base64.
    Base64,
    /// A string with a time in RFC 3339 format.
    Time,
    /// An integer or a string.
    IntOrString,
    /// An object.
    Object,
    /// A list.
    List,
    /// A schema or a boolean.
    SchemaOrBool,
}

/// The type that Kubernetes reads in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FoundType {
    /// A boolean; `yes` and `n` are also booleans.
    Bool(bool),
    /// A number.
    Number,
    /// An infinite number or NaN, which JSON cannot represent, in any field.
    NotFinite,
    /// A string.
    String,
    /// An object.
    Object,
    /// A list.
    List,
}

/// Reports everything in `node`, the document at `base`, that does not match `schema`. The walk
/// continues after a mismatch.
#[must_use]
pub fn check(node: Node<'_>, base: &FieldPath, schema: Schema<'static>) -> Vec<Mismatch> {
    let mut checker = FieldChecker {
        found: Vec::new(),
        alias_budget: ALIAS_BUDGET,
        suggestions: Suggestions::default(),
    };
    let scope = Scope {
        silent: false,
        in_alias: false,
        depth: MAX_DEPTH,
    };
    checker.object(node, &PathRef::new(base), schema, scope);
    checker.found
}

/// Limit: nodes that are read through aliases. A file that needs more expands endlessly.
const ALIAS_BUDGET: usize = 100_000;
/// Limit: values within values. Aliases can nest them deeper than a stack reaches.
const MAX_DEPTH: usize = 500;

/// A type as the decoder of the server distinguishes it.
#[derive(Clone, Copy)]
enum Type {
    /// Any JSON.
    Any,
    /// An object with known fields.
    Object(Schema<'static>),
    /// A map from strings.
    Map(Schema<'static>),
    /// A list.
    List(Schema<'static>),
    /// `JSONSchemaPropsOrBool`: a schema of a CustomResourceDefinition, or a boolean.
    SchemaOrBool,
    /// `JSONSchemaPropsOrArray`: a schema or a list of them.
    SchemaOrList,
    /// `JSONSchemaPropsOrStringArray`: a schema or a list of names.
    SchemaOrStrings,
    /// A scalar.
    Scalar(Expected),
}

struct FieldChecker {
    found: Vec<Mismatch>,
    alias_budget: usize,
    suggestions: Suggestions<(SchemaId, String), &'static str>,
}

#[derive(Clone, Copy)]
struct Scope {
    /// Whether the server silently drops unknown fields here.
    silent: bool,
    in_alias: bool,
    /// The remaining depth of the walk.
    depth: usize,
}

impl FieldChecker {
    fn value(&mut self, node: Node<'_>, path: &PathRef<'_>, ty: Type, mut scope: Scope) {
        let Some(depth) = scope.depth.checked_sub(1) else {
            return;
        };
        scope.depth = depth;
        scope.in_alias |= node.is_alias();
        if scope.in_alias {
            let Some(rest) = self.alias_budget.checked_sub(1) else {
                return;
            };
            self.alias_budget = rest;
        }
        // Null is the same as an absent field, regardless of its type.
        if node.is_null() {
            return;
        }
        if is_not_finite(node) {
            return self.wrong_type(node, path, ty.expected());
        }
        match ty {
            Type::Any => self.any(node, path, scope),
            Type::Object(schema) => self.object(node, path, schema, scope),
            Type::Map(values) => self.map(node, path, Type::from_schema(values), scope),
            Type::List(items) => self.list(node, path, Type::from_schema(items), scope),
            Type::SchemaOrBool | Type::SchemaOrList | Type::SchemaOrStrings => {
                self.schema_union(node, path, ty, scope);
            }
            Type::Scalar(expected) => self.scalar(node, path, expected),
        }
    }

    /// Checks JSON of any form.
    fn any(&mut self, node: Node<'_>, path: &PathRef<'_>, scope: Scope) {
        match node.kind() {
            NodeKind::Mapping(_) => self.map(node, path, Type::Any, scope),
            NodeKind::Sequence(sequence) => self.items(sequence, path, Type::Any, scope),
            NodeKind::Scalar(_) => {}
        }
    }

    fn object(
        &mut self,
        node: Node<'_>,
        path: &PathRef<'_>,
        schema: Schema<'static>,
        scope: Scope,
    ) {
        let Some(mapping) = node.as_mapping() else {
            return self.wrong_type(node, path, Expected::Object);
        };
        for entry in entries(mapping) {
            let name = entry.key.key_text();
            let path = path.child(&name);
            match schema.property(&name) {
                Some(field) => self.value(entry.value, &path, Type::from_schema(field), scope),
                None if !entry.has_colon() || is_directive(&name) => {}
                None => {
                    let kind = MismatchKind::UnknownField {
                        nearest: self.suggestion(&name, schema),
                        name: name.clone().into_owned(),
                        silent: scope.silent,
                    };
                    self.found.push(Mismatch {
                        path: path.to_path(),
                        range: entry.key.range(),
                        node: entry.value.id(),
                        kind,
                    });
                }
            }
        }
    }

    fn suggestion(&mut self, name: &str, schema: Schema<'static>) -> Option<&'static str> {
        let names = schema.properties().map(|(name, _)| name);
        let key = (schema.id(), name.to_owned());
        self.suggestions.get(key, || nearest(name, names))
    }

    fn map(&mut self, node: Node<'_>, path: &PathRef<'_>, values: Type, scope: Scope) {
        let Some(mapping) = node.as_mapping() else {
            return self.wrong_type(node, path, Expected::Object);
        };
        for entry in entries(mapping) {
            let name = entry.key.key_text();
            self.value(entry.value, &path.key(&name), values, scope);
        }
    }

    fn list(&mut self, node: Node<'_>, path: &PathRef<'_>, items: Type, scope: Scope) {
        let Some(sequence) = node.as_sequence() else {
            return self.wrong_type(node, path, Expected::List);
        };
        self.items(sequence, path, items, scope);
    }

    fn items(&mut self, sequence: Sequence<'_>, path: &PathRef<'_>, ty: Type, scope: Scope) {
        for (index, item) in sequence.items().enumerate() {
            self.value(item, &path.index(index), ty, scope);
        }
    }

    /// Checks a union with a custom decoder: unknown fields inside are dropped, and for two unions
    /// a value of neither form is ignored.
    fn schema_union(&mut self, node: Node<'_>, path: &PathRef<'_>, ty: Type, scope: Scope) {
        let scope = Scope {
            silent: true,
            ..scope
        };
        let Some(schema) = json_schema() else {
            return;
        };
        match (node.kind(), ty) {
            (NodeKind::Mapping(_), _) => self.object(node, path, schema, scope),
            (NodeKind::Sequence(sequence), Type::SchemaOrList) => {
                self.items(sequence, path, Type::Object(schema), scope);
            }
            (NodeKind::Sequence(sequence), Type::SchemaOrStrings) => {
                self.items(sequence, path, Type::Scalar(Expected::String), scope);
            }
            (NodeKind::Scalar(scalar), Type::SchemaOrBool)
                if matches!(scalar.value(), Value::Bool(_)) => {}
            (_, Type::SchemaOrBool) => self.wrong_type(node, path, Expected::SchemaOrBool),
            _ => {}
        }
    }

    fn scalar(&mut self, node: Node<'_>, path: &PathRef<'_>, expected: Expected) {
        let fits = node.as_scalar().is_some_and(|scalar| {
            let value = scalar.value();
            match expected {
                Expected::Bool => matches!(value, Value::Bool(_)),
                Expected::Integer(bits) => is_integer(node, value, bits),
                Expected::Number => {
                    matches!(value, Value::Int(_) | Value::Uint(_) | Value::Float(_))
                }
                Expected::String => value == Value::Str,
                Expected::Base64 => {
                    value == Value::Str && text::decode_base64(scalar.text()).is_some()
                }
                Expected::Time => value == Value::Str && is_time(scalar.text()),
                Expected::IntOrString => value == Value::Str || is_integer(node, value, 32),
                Expected::Object | Expected::List | Expected::SchemaOrBool => false,
            }
        });
        if !fits {
            self.wrong_type(node, path, expected);
        }
    }

    fn wrong_type(&mut self, node: Node<'_>, path: &PathRef<'_>, expected: Expected) {
        let found = match node.kind() {
            NodeKind::Mapping(_) => FoundType::Object,
            NodeKind::Sequence(_) => FoundType::List,
            NodeKind::Scalar(scalar) => match scalar.value() {
                Value::Bool(value) => FoundType::Bool(value),
                Value::Float(value) if !value.is_finite() => FoundType::NotFinite,
                Value::Int(_) | Value::Uint(_) | Value::Float(_) => FoundType::Number,
                Value::Str | Value::Null => FoundType::String,
            },
        };
        self.found.push(Mismatch {
            path: path.to_path(),
            range: node.range(),
            node: node.id(),
            kind: MismatchKind::WrongType { expected, found },
        });
    }
}

impl Type {
    /// Returns the type of a schema. A type with a custom decoder is recognized by its name.
    fn from_schema(schema: Schema<'static>) -> Self {
        let name = schema.type_name().unwrap_or_default();
        match name.rsplit('.').next() {
            Some("JSONSchemaPropsOrBool") => return Self::SchemaOrBool,
            Some("JSONSchemaPropsOrArray") => return Self::SchemaOrList,
            Some("JSONSchemaPropsOrStringArray") => return Self::SchemaOrStrings,
            Some("FieldsV1") => return Self::Any,
            _ => {}
        }
        Self::Scalar(match (schema.ty(), schema.format()) {
            (SchemaType::Any, _) => return Self::Any,
            (SchemaType::Object, _) => {
                let values = schema.additional_properties();
                return values.map_or(Self::Object(schema), Self::Map);
            }
            (SchemaType::Array, _) => return schema.items().map_or(Self::Any, Self::List),
            (SchemaType::Boolean, _) => Expected::Bool,
            (SchemaType::Integer, Some("int32")) => Expected::Integer(32),
            (SchemaType::Integer, _) => Expected::Integer(64),
            (SchemaType::Number, _) => Expected::Number,
            (SchemaType::String, Some("byte")) => Expected::Base64,
            (SchemaType::String, Some("date-time")) => Expected::Time,
            (SchemaType::String, _) => Expected::String,
            (SchemaType::IntOrString | SchemaType::Quantity, _) => Expected::IntOrString,
        })
    }

    /// Returns the expected type of a scalar or a list; an object for all other types.
    fn expected(self) -> Expected {
        match self {
            Self::Scalar(expected) => expected,
            Self::List(_) => Expected::List,
            _ => Expected::Object,
        }
    }
}

/// Returns whether JSON cannot represent the value.
///
/// Upstream: Go, encoding/json, UnsupportedValueError.
fn is_not_finite(node: Node<'_>) -> bool {
    let scalar = node.as_scalar();
    scalar.is_some_and(|it| matches!(it.value(), Value::Float(float) if !float.is_finite()))
}

/// Returns whether a key is a directive for merging a patch and not a field.
fn is_directive(name: &str) -> bool {
    [
        "$patch",
        "$retainKeys",
        "$setElementOrder/",
        "$deleteFromPrimitiveList/",
    ]
    .iter()
    .any(|directive| name.starts_with(directive))
}

/// Returns whether a number is an integer of that many bits in JSON, where `1.0` is none. In YAML, it
/// becomes `1`.
fn is_integer(node: Node<'_>, value: Value, bits: u8) -> bool {
    let integer = value.as_integer();
    integer.is_some_and(|int| bits == 64 || i32::try_from(int).is_ok())
        && !(matches!(value, Value::Float(_)) && node.is_json())
}

/// Returns whether Go parses the string as a time, such as `2006-01-02T15:04:05Z`, with a fraction
/// or an offset. Its years begin at 0, those of CEL at 1.
fn is_time(text: &str) -> bool {
    match text.strip_prefix("0000-") {
        // This is also a leap year.
        Some(rest) => Timestamp::parse(&format!("2000-{rest}")).is_ok(),
        None => !matches!(Timestamp::parse(text), Err(TimestampError::Syntax)),
    }
}

#[cfg(test)]
mod tests;
