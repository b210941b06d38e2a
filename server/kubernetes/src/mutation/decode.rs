//! Decoding the result of a JSON patch, which may be of another kind.
//!
//! The API server encodes an object as JSON, patches the JSON and decodes it again. The type that
//! it decodes into depends on the `apiVersion` and the `kind` of the result. If one of them is
//! missing, it counts as unchanged for a built-in kind.
//!
//! Upstream: kubernetes/apimachinery, pkg/runtime/serializer/json/json.go, Decode; meta.go,
//! Interpret; pkg/runtime/scheme.go, convertToVersion.

use super::MutationError;
use super::strict::{self, go_name, json_type};
use crate::names::GroupVersion;
use crate::openapi::{Catalog, Schema};
use crate::quote::{json_text, quote, to_json};
use cel::value::{Map, Value};
use std::sync::Arc;

/// Where the built-in kinds are registered.
const SCHEME: &str = "pkg/api/legacyscheme/scheme.go:30";

/// The type that the API server decodes first, as Go prints it.
const TYPE_META: &str = r#"struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }"#;

/// A group, a version and a kind, each empty if it is not given.
#[derive(Clone, PartialEq, Eq, Default)]
struct Name {
    group: String,
    version: String,
    kind: String,
}

/// Decodes the patched document of an object.
///
/// # Errors
/// The API server cannot decode it.
pub fn decoded(kinds: &Catalog, before: &Value, patched: Value) -> Result<Value, MutationError> {
    let found = Name::parse(&patched).map_err(MutationError::Internal)?;
    let name = Name::parse(before).unwrap_or_default();
    if name.built_in(kinds).is_none() {
        // A custom resource is read without conversion.
        let is_missing = found.kind.is_empty() && !name.kind.is_empty();
        return if is_missing {
            Err(MutationError::Internal(format!(
                "Object 'Kind' is missing in '{}'",
                json_text(&to_json(&patched))
            )))
        } else {
            Ok(patched)
        };
    }
    let found = found.or(&name);
    let schema = found.built_in(kinds).ok_or_else(|| {
        let (kind, version) = (quote(&found.kind), quote(&found.api_version()));
        MutationError::Internal(format!(
            "no kind {kind} is registered for version {version} in scheme \"{SCHEME}\""
        ))
    })?;
    if let Some(error) = strict::error(schema, &patched) {
        return Err(MutationError::Internal(error));
    }
    Ok(found.stamped(patched))
}

/// Checks that a mutated object can be converted to the group and version of the request.
/// Only a built-in kind is converted.
///
/// # Errors
/// The group or the version differs, and the API server has no conversion between them.
///
/// Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/mutating/dispatcher.go,
/// dispatchOne.
pub fn check_conversion(
    kinds: &Catalog,
    object: &Value,
    (group, version): (&str, &str),
) -> Result<(), String> {
    let name = Name::parse(object).unwrap_or_default();
    let schema = name.built_in(kinds);
    schema.map_or(Ok(()), |schema| {
        name.check_conversion((group, version), schema)
    })
}

impl Name {
    /// Reads the group, version and kind of a document.
    fn parse(document: &Value) -> Result<Self, String> {
        let unread = |found: &Value, place: String| {
            let found = json_type(found);
            format!(
                "couldn't get version/kind; json parse error: json: cannot unmarshal {found} into Go {place}"
            )
        };
        let fields = match document {
            Value::Map(fields) => fields,
            Value::Null => return Ok(Self::default()),
            other => return Err(unread(other, format!("value of type {TYPE_META}"))),
        };
        let text = |name: &str| match fields.get_str(name) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.to_string()),
            Some(other) => Err(unread(
                other,
                format!("struct field .{name} of type string"),
            )),
        };
        let (api_version, kind) = (text("apiVersion")?, text("kind")?);
        let (group, version) = match api_version.split_once('/') {
            Some(("", "")) => ("", ""),
            Some((_, version)) if version.contains('/') => {
                return Err(format!("unexpected GroupVersion string: {api_version}"));
            }
            Some(both) => both,
            None => ("", api_version.as_str()),
        };
        Ok(Self {
            group: group.to_owned(),
            version: version.to_owned(),
            kind,
        })
    }

    /// Returns the name, with missing parts taken from another one.
    ///
    /// Upstream: json.go, gvkWithDefaults.
    fn or(mut self, other: &Self) -> Self {
        if self.kind.is_empty() {
            self.kind.clone_from(&other.kind);
        }
        if self.version.is_empty() && self.group.is_empty() {
            self.group.clone_from(&other.group);
        }
        if self.version.is_empty() && self.group == other.group {
            self.version.clone_from(&other.version);
        }
        self
    }

    fn api_version(&self) -> String {
        let (group, version) = (&*self.group, &*self.version);
        GroupVersion { group, version }.to_string()
    }

    /// Returns the schema of the kind, if the API server has a Go type for it.
    fn built_in<'c>(&self, kinds: &'c Catalog) -> Option<Schema<'c>> {
        let schema = kinds.schema(&self.group, &self.version, &self.kind);
        schema.filter(|schema| schema.is_built_in())
    }

    /// Checks that an object of this kind can be converted to a group and version. Only a different
    /// version needs a conversion, and none exists between versions of a group.
    fn check_conversion(
        &self,
        (group, version): (&str, &str),
        schema: Schema<'_>,
    ) -> Result<(), String> {
        let ty = go_name(Some(schema));
        if self.group != group {
            let target = quote(&GroupVersion { group, version }.to_string());
            return Err(format!(
                "{ty} is not suitable for converting to {target} in scheme \"{SCHEME}\""
            ));
        }
        if self.version != version {
            let kind = &self.kind;
            return Err(format!(
                "converting ({ty}) to ({version}.{kind}): unknown conversion"
            ));
        }
        Ok(())
    }

    /// Returns the document with its kind, which a patch may have removed.
    fn stamped(&self, document: Value) -> Value {
        let mut fields = match document {
            Value::Map(fields) => fields,
            _ => Map::default(),
        };
        let set = |text: &str| Value::String(Arc::from(text));
        fields.set_str("apiVersion", set(&self.api_version()));
        fields.set_str("kind", set(&self.kind));
        Value::Map(fields)
    }
}

#[cfg(test)]
mod tests;
