//! The walk along a schema and a value.
//!
//! Of the schemas in `anyOf` and `oneOf` the server shows the errors of the one with the most
//! checks that hold, so checks are counted here in the same way.
//!
//! Upstream: kubernetes/kube-openapi, pkg/validation/validate/schema.go, Validate;
//! schema_props.go; object_validator.go; slice_validator.go;
//! kubernetes/apiextensions-apiserver, pkg/apiserver/validation/ratcheting.go.

use super::ValueSchema;
use super::error::{Reason, SchemaError, name};
use crate::field_error::ErrorType;
use crate::field_path::{FieldPath, PathRef};
use cel::Value;
use cel::value::{Key, Map};
use kubernetes::quote::quote;
use kubernetes::versions::ServerVersion;
use kubernetes::versions::changes::TOO_FEW_IS_AN_ERROR;
use std::sync::Arc;

/// The errors of a value, and the number of checks so far.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) errors: Vec<SchemaError>,
    pub(super) checks: u64,
}

impl Outcome {
    /// Returns a check that holds.
    pub(super) fn valid() -> Self {
        Self {
            errors: Vec::new(),
            checks: 1,
        }
    }

    /// Returns a check that fails.
    pub(super) fn new(error: SchemaError) -> Self {
        Self {
            errors: vec![error],
            checks: 0,
        }
    }

    fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }

    fn merge(&mut self, other: Outcome) {
        self.errors.extend(other.errors);
        self.checks += other.checks;
    }

    /// Adds the outcome of one kind of check.
    fn check(&mut self, other: Outcome) {
        self.merge(other);
        self.checks += 1;
    }
}

/// A value at a path.
#[derive(Clone, Copy)]
pub(super) struct ValueLocation<'p> {
    pub(super) path: PathRef<'p>,
    /// The old value, if errors of an unchanged value are left out.
    old: Option<&'p Value>,
    is_root: bool,
}

pub(super) struct ValueValidator<'w> {
    pub(super) server: ServerVersion,
    /// The number of remaining visits.
    visits: &'w mut usize,
}

impl<'w> ValueValidator<'w> {
    pub(super) fn new(server: ServerVersion, visits: &'w mut usize) -> Self {
        Self { server, visits }
    }

    /// Returns the errors of the value that is validated.
    pub(super) fn root(
        &mut self,
        schema: &ValueSchema,
        value: &Value,
        old: Option<&Value>,
    ) -> Vec<SchemaError> {
        let base = FieldPath::root();
        let at = ValueLocation {
            path: PathRef::new(&base),
            old,
            is_root: true,
        };
        self.value(schema, value, at).errors
    }

    /// Validates a value. Errors of an unchanged value are dropped.
    fn value(&mut self, schema: &ValueSchema, value: &Value, at: ValueLocation<'_>) -> Outcome {
        let mut outcome = self.plain(schema, value, at);
        if let Some(old) = at.old
            && !outcome.is_valid()
            && schema.is_unchanged(value, old)
        {
            outcome.errors.clear();
        }
        outcome
    }

    fn plain(&mut self, schema: &ValueSchema, value: &Value, at: ValueLocation<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        let Some(left) = self.visits.checked_sub(1) else {
            return outcome;
        };
        *self.visits = left;
        if matches!(value, Value::Null) {
            outcome.merge(schema.check_type(value, at.path));
            outcome.merge(schema.check_choices(value, at.path));
            return outcome;
        }
        if !schema.types.is_empty() || !schema.format.is_empty() {
            outcome.check(schema.check_type(value, at.path));
        }
        outcome.check(self.combined(schema, value, at));
        match value {
            Value::String(text) => {
                outcome.check(schema.check_text(text, at.path));
                if let Some(format) = schema.known_format {
                    outcome.check(schema.check_format(format, text, at.path));
                }
            }
            Value::Int(_) | Value::Uint(_) | Value::Double(_) => {
                outcome.check(schema.check_number(value, at.path, self.server));
            }
            Value::List(list) => outcome.check(self.list(schema, list, at)),
            _ => {}
        }
        outcome.check(schema.check_choices(value, at.path));
        if let Value::Map(map) = value {
            outcome.check(self.object(schema, map, at));
        }
        outcome.checks += 1;
        outcome
    }

    /// Validates a value by `anyOf`, `oneOf`, `allOf` and `not`. Values inside are not compared
    /// with the old value.
    fn combined(&mut self, schema: &ValueSchema, value: &Value, at: ValueLocation<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        let at = ValueLocation { old: None, ..at };
        if !schema.any_of.is_empty() {
            outcome.merge(self.any_of(&schema.any_of, value, at));
        }
        if !schema.one_of.is_empty() {
            outcome.merge(self.one_of(&schema.one_of, value, at));
        }
        if !schema.all_of.is_empty() {
            outcome.merge(self.all_of(&schema.all_of, value, at));
        }
        if let Some(not) = &schema.not
            && self.plain(not, value, at).is_valid()
        {
            let error = whole_value_error(at.path, "must not validate the schema (not)");
            outcome.errors.push(error);
        }
        outcome.checks += 1;
        outcome
    }

    fn any_of(
        &mut self,
        schemas: &[Arc<ValueSchema>],
        value: &Value,
        at: ValueLocation<'_>,
    ) -> Outcome {
        let mut best: Option<Outcome> = None;
        for schema in schemas {
            let outcome = self.plain(schema, value, at);
            if outcome.is_valid() {
                return outcome;
            }
            if best.as_ref().is_none_or(|it| outcome.checks > it.checks) {
                best = Some(outcome);
            }
        }
        let text = "must validate at least one schema (anyOf)";
        let mut outcome = Outcome::new(whole_value_error(at.path, text));
        outcome.merge(best.unwrap_or_default());
        outcome
    }

    fn one_of(
        &mut self,
        schemas: &[Arc<ValueSchema>],
        value: &Value,
        at: ValueLocation<'_>,
    ) -> Outcome {
        let (mut best, mut first): (Option<Outcome>, Option<Outcome>) = (None, None);
        let mut valid = 0;
        for schema in schemas {
            let outcome = self.plain(schema, value, at);
            if outcome.is_valid() {
                valid += 1;
                best = None;
                first.get_or_insert(outcome);
            } else if valid == 0 && best.as_ref().is_none_or(|it| outcome.checks > it.checks) {
                best = Some(outcome);
            }
        }
        if valid == 1 {
            return first.unwrap_or_default();
        }
        let found = match valid {
            0 => "Found none valid".to_owned(),
            valid => format!("Found {valid} valid alternatives"),
        };
        let text = format!("must validate one and only one schema (oneOf). {found}");
        let mut outcome = Outcome::new(whole_value_error(at.path, &text));
        outcome.merge(best.unwrap_or_default());
        outcome
    }

    fn all_of(
        &mut self,
        schemas: &[Arc<ValueSchema>],
        value: &Value,
        at: ValueLocation<'_>,
    ) -> Outcome {
        let mut outcome = Outcome::default();
        let mut valid = 0;
        for schema in schemas {
            let inner = self.plain(schema, value, at);
            valid += usize::from(inner.is_valid());
            outcome.merge(inner);
        }
        if valid < schemas.len() {
            let none = if valid == 0 { ". None validated" } else { "" };
            let text = format!("must validate all the schemas (allOf){none}");
            outcome.errors.push(whole_value_error(at.path, &text));
        }
        outcome
    }

    fn list(&mut self, schema: &ValueSchema, list: &[Value], at: ValueLocation<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        if let Some(items) = schema.items() {
            for (index, value) in list.iter().enumerate() {
                let old = at.old.and_then(|old| schema.old_element(value, old));
                let path = at.path.index(index);
                let at = ValueLocation {
                    path,
                    old,
                    is_root: false,
                };
                outcome.merge(self.value(items, value, at));
            }
        }
        let size = length(list.len());
        if let Some(min) = schema.items_length.min.filter(|min| size < *min) {
            outcome
                .errors
                .push(self.too_few(at.path, size, (min, "items")));
        }
        if let Some(max) = schema.items_length.max.filter(|max| size > *max) {
            outcome.errors.push(too_many(at.path, size, max));
        }
        outcome.checks += 1;
        outcome
    }

    fn object(&mut self, schema: &ValueSchema, map: &Map, at: ValueLocation<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        let size = length(map.len());
        if let Some(min) = schema.properties_length.min.filter(|min| size < *min) {
            outcome
                .errors
                .push(self.too_few(at.path, size, (min, "properties")));
        }
        if let Some(max) = schema.properties_length.max.filter(|max| size > *max) {
            outcome.errors.push(too_many(at.path, size, max));
        }
        if let Some(values) = schema.values() {
            for (key, value) in map.iter() {
                if let Key::String(name) = key
                    && schema.property(name).is_none()
                {
                    let inner = at.inside(name, at.path.key(name));
                    outcome.merge(self.value(values, value, inner));
                }
            }
        }
        for (name, property) in &schema.properties {
            if let Some(value) = map.get_str(name) {
                let inner = at.inside(name, at.path.child(name));
                outcome.merge(self.value(property, value, inner));
            }
        }
        for name in &schema.required {
            if map.get_str(name).is_none() {
                let path = at.path.child(name).to_path();
                let reason = Reason::Detail(String::new());
                let error = SchemaError::new(path, ErrorType::Required, reason);
                outcome.errors.push(error);
            }
        }
        outcome
    }
}

impl ValueValidator<'_> {
    /// Returns the error of a list or a map with too few `parts`, which are items or properties.
    fn too_few(&self, path: PathRef<'_>, size: i64, (min, parts): (i64, &str)) -> SchemaError {
        if TOO_FEW_IS_AN_ERROR.applies(self.server) {
            return wrong_size(path, size, (ErrorType::TooFew, "at least", min));
        }
        let reason = Reason::InBody(format!("should have at least {min} {parts}"));
        let error = SchemaError::new(path.to_path(), ErrorType::Invalid, reason);
        error.with_value(size.to_string())
    }
}

impl<'p> ValueLocation<'p> {
    /// Returns the position of a field of this object. The type of a whole object is never
    /// unchanged: the server converts both objects to one version.
    fn inside(self, name: &str, path: PathRef<'p>) -> Self {
        let is_type = self.is_root && matches!(name, "apiVersion" | "kind");
        let old = self.old.filter(|_| !is_type);
        Self {
            path,
            old: old.and_then(|old| old.as_map()?.get_str(name)),
            is_root: false,
        }
    }
}

/// Returns the error about the value at a path, which the server reports for the whole value.
fn whole_value_error(path: PathRef<'_>, text: &str) -> SchemaError {
    let path = path.to_path();
    let text = format!("{} {text}", quote(&name(&path)));
    SchemaError::whole(path, text)
}

fn length(length: usize) -> i64 {
    i64::try_from(length).unwrap_or(i64::MAX)
}

fn too_many(path: PathRef<'_>, size: i64, max: i64) -> SchemaError {
    wrong_size(path, size, (ErrorType::TooMany, "at most", max))
}

fn wrong_size(
    path: PathRef<'_>,
    size: i64,
    (kind, bound, limit): (ErrorType, &str, i64),
) -> SchemaError {
    let items = if limit == 1 { "item" } else { "items" };
    let reason = Reason::Detail(format!("must have {bound} {limit} {items}"));
    SchemaError::new(path.to_path(), kind, reason).with_value(size.to_string())
}
