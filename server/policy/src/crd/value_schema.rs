//! The validation of values by a schema of a CustomResourceDefinition.
//!
//! A schema is read once into a [`ValueSchema`] and validates many objects: the custom resources
//! of requests, and the defaults of the definition itself.
//!
//! Upstream: kubernetes/kube-openapi, pkg/validation/validate, SchemaValidator;
//! kubernetes/apiextensions-apiserver, pkg/apiserver/validation.

mod correlated;
mod email;
mod error;
mod formats;
mod list_types;
mod numbers;
mod read;
mod scalar;
#[cfg(test)]
mod tests;
mod validate;

pub use read::Formats;

pub(crate) use error::{Reason, SchemaError};
pub(crate) use read::Reader;

use crate::field_error::FieldError;
use cel::Value;
use cel::regex::Regex;
use formats::Format;
use indexmap::IndexMap;
use kubernetes::versions::ServerVersion;
use std::collections::HashSet;
use std::sync::{Arc, OnceLock};
use validate::ValueValidator;

/// Limit: how many times a schema is applied to a value, for one object. An object of 1.5 MiB
/// needs fewer, unless schemas within `allOf` and the like multiply.
const MAX_VISITS: usize = 2_000_000;

/// A schema, ready to validate values.
#[derive(Debug, Default)]
pub struct ValueSchema {
    /// The names in `type`. Empty for any type.
    types: &'static [&'static str],
    is_nullable: bool,
    /// `format` as written, or empty.
    format: Box<str>,
    known_format: Option<&'static Format>,
    /// `enum`.
    choices: Vec<Value>,
    characters: Lengths,
    items_length: Lengths,
    properties_length: Lengths,
    pattern: Option<Pattern>,
    numbers: Numbers,
    required: Vec<Box<str>>,
    /// In the order of the file.
    properties: IndexMap<Box<str>, Arc<ValueSchema>>,
    /// The schema of `additionalProperties`.
    values: Option<Arc<ValueSchema>>,
    items: Option<Arc<ValueSchema>>,
    all_of: Vec<Arc<ValueSchema>>,
    any_of: Vec<Arc<ValueSchema>>,
    one_of: Vec<Arc<ValueSchema>>,
    not: Option<Arc<ValueSchema>>,
    list_type: ListType,
    /// `x-kubernetes-list-map-keys`.
    list_keys: Vec<Box<str>>,
    has_rules: bool,
}

/// Limits of a length.
#[derive(Clone, Copy, Debug, Default)]
struct Lengths {
    min: Option<i64>,
    max: Option<i64>,
}

/// `pattern`, which is compiled when the first string is matched.
#[derive(Debug)]
struct Pattern {
    text: Box<str>,
    /// `None` if it is not a regular expression; the server rejects such a definition.
    regex: OnceLock<Option<Regex>>,
}

/// Limits of a number.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    multiple_of: Option<f64>,
    max: Option<f64>,
    excludes_max: bool,
    min: Option<f64>,
    excludes_min: bool,
}

/// `x-kubernetes-list-type`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum ListType {
    #[default]
    Atomic,
    Set,
    Map,
}

impl ValueSchema {
    /// Returns whether the schema or one inside it has validation rules.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        self.has_rules
    }

    /// Returns the schema of a property, declared or additional.
    #[must_use]
    pub fn field(&self, name: &str) -> Option<&ValueSchema> {
        self.property(name).or_else(|| self.values())
    }

    /// Returns the schema of a declared property.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&ValueSchema> {
        self.properties.get(name).map(|schema| &**schema)
    }

    /// Returns the schema of additional properties.
    #[must_use]
    pub fn values(&self) -> Option<&ValueSchema> {
        self.values.as_deref()
    }

    /// Returns the schema of the items of a list.
    #[must_use]
    pub fn items(&self) -> Option<&ValueSchema> {
        self.items.as_deref()
    }

    /// Returns the errors of a value at the field `base`, in the order of the server, which is
    /// random only among the properties of an object. Errors in parts that equal the old value are
    /// left out, if there is one.
    #[must_use]
    pub fn validate(
        &self,
        base: &str,
        value: &Value,
        old: Option<&Value>,
        server: ServerVersion,
    ) -> Vec<FieldError> {
        let mut visits = MAX_VISITS;
        let errors = self.errors(value, old, server, &mut visits).into_iter();
        errors.map(|error| error.in_field(base)).collect()
    }

    /// Returns the same errors, with the path of each. `visits` is the number of remaining visits.
    pub(crate) fn errors(
        &self,
        value: &Value,
        old: Option<&Value>,
        server: ServerVersion,
        visits: &mut usize,
    ) -> Vec<SchemaError> {
        let mut errors = ValueValidator::new(server, visits).root(self, value, old);
        // Of equal errors, the server keeps the first.
        let mut known = HashSet::new();
        errors.retain(|error| known.insert(error.text()));
        errors
    }
}
