//! The schemas of the matched kinds for a part of an expression.
//!
//! To the compiler, `object` is `dyn`. The rules of a policy select the kinds, and their schemas
//! contain the fields, types and descriptions.

use crate::file::SourceFile;
use cel::Type;
use cel::syntax::ExprId;
use kubernetes::openapi::{Resource, Schema, SchemaType};
use policy::typecheck::kinds::{KindChecks, MatchedKind, NodeSchemas, TypedChecked};
use policy::{Expression, PolicyDocument};
use std::fmt::Write as _;

/// Limit: the nesting of schemas in the name of a type.
const MAX_DEPTH: usize = 4;

/// Limit: listed values that are allowed.
const MAX_VALUES: usize = 20;

/// Limit: listed kinds.
const MAX_NAMES: usize = 5;

/// The name of the type of the whole object in a mutation.
pub(crate) const OBJECT: &str = "Object";

/// The operations of an admission request.
///
/// Upstream: kubernetes/api, admissionregistration/v1/types.go, OperationType.
pub(crate) const OPERATIONS: [&str; 4] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];

/// Returns the operations with which a resource, or its subresource `below`, can reach admission.
/// `None` if they are unknown.
///
/// Upstream: kubernetes/apiserver, pkg/endpoints/installer.go, registerResourceHandlers;
/// pkg/endpoints/handlers/rest.go, ConnectResource.
pub(crate) fn operations_of(resource: &Resource<'_>, below: &str) -> Option<Vec<&'static str>> {
    if is_connect(resource, below) {
        return Some(vec!["CONNECT"]);
    }
    let verbs = match below {
        "" => resource.verbs,
        below => resource.subresource(below)?.verbs,
    };
    if verbs.iter().len() == 0 {
        return None;
    }
    let mut operations = Vec::new();
    for verb in verbs.iter() {
        operations.extend(match verb {
            "create" => Some("CREATE"),
            "update" | "patch" => Some("UPDATE"),
            "delete" | "deletecollection" => Some("DELETE"),
            _ => None,
        });
    }
    Some(operations)
}

/// Returns whether requests for a subresource use CONNECT, as for `pods/exec`: their object
/// contains options and has no metadata.
pub(crate) fn is_connect(resource: &Resource<'_>, below: &str) -> bool {
    let below = resource.subresource(below);
    below.is_some_and(|below| below.kind.ends_with("Options"))
}

/// Returns the item that all items are equal to. `None` if they differ, or there is none.
pub(crate) fn only<T: PartialEq>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.all(|item| item == first).then_some(first)
}

/// An expression with its kinds.
#[derive(Clone, Copy)]
pub(crate) struct Kinds<'a> {
    checks: &'a KindChecks,
    expression: &'a Expression,
}

impl<'a> Kinds<'a> {
    pub(crate) fn new(
        file: &'a SourceFile,
        document: &'a PolicyDocument,
        expression: &'a Expression,
    ) -> Option<Self> {
        Some(Self {
            checks: file.kind_checks_of(document)?,
            expression,
        })
    }

    fn typed(self) -> impl Iterator<Item = (&'a MatchedKind, TypedChecked<'a>)> {
        let kinds = self.checks.kinds().iter();
        kinds.filter_map(move |kind| Some((kind, self.checks.checked(kind, self.expression)?)))
    }

    /// Returns the same kinds with another expression of the document.
    pub(crate) fn with_expression(self, expression: &'a Expression) -> Self {
        Self { expression, ..self }
    }

    /// Returns the kinds.
    pub(crate) fn kinds(self) -> &'a [MatchedKind] {
        self.checks.kinds()
    }

    /// Returns the kind of the parameters.
    pub(crate) fn param_kind(self) -> Option<&'a str> {
        Some(&*self.checks.param_kind()?.kind)
    }

    /// Returns the schemas of the objects of the kinds.
    pub(crate) fn objects(self) -> impl Iterator<Item = Schema<'a>> {
        let kinds = self.checks.kinds().iter();
        kinds.filter_map(move |kind| self.checks.schema(kind))
    }

    /// Returns the type of a node for each kind, with the schema of its field. A node with an error
    /// has the error type.
    pub(crate) fn types(self, id: ExprId) -> impl Iterator<Item = (&'a Type, Option<Schema<'a>>)> {
        self.typed()
            .filter_map(move |(_, typed)| node_type(typed, &typed.schemas(), id))
    }

    /// Returns the types of the nodes, to look up many of them.
    pub(crate) fn node_types(self) -> NodeTypes<'a> {
        let typed = self.typed().map(|(_, typed)| (typed, typed.schemas()));
        NodeTypes(typed.collect())
    }

    /// Returns the schemas of a node in the objects of the kinds.
    pub(crate) fn schemas(self, id: ExprId) -> impl Iterator<Item = (&'a MatchedKind, Schema<'a>)> {
        self.typed()
            .filter_map(move |(kind, typed)| Some((kind, typed.schema_of(id)?)))
    }

    /// Returns the field with this name of a node in the objects of the kinds.
    pub(crate) fn fields(self, operand: ExprId, name: &str) -> Vec<Field<'a>> {
        fields(self.schemas(operand), name)
    }

    /// Returns a field of the part of the objects that `part` returns, by kind.
    pub(crate) fn fields_of_part(
        self,
        part: impl Fn(Schema<'a>) -> Option<Schema<'a>>,
        name: &str,
    ) -> Vec<Field<'a>> {
        let kinds = self.checks.kinds().iter();
        let parts = kinds.filter_map(|kind| Some((kind, part(self.checks.schema(kind)?)?)));
        fields(parts, name)
    }
}

/// The types of the nodes of an expression.
pub(crate) struct NodeTypes<'a>(Vec<(TypedChecked<'a>, NodeSchemas<'a>)>);

impl<'a> NodeTypes<'a> {
    /// Returns the types of a node, as [`Kinds::types`].
    pub(crate) fn of(&self, id: ExprId) -> impl Iterator<Item = (&'a Type, Option<Schema<'a>>)> {
        let types = self.0.iter();
        types.filter_map(move |(typed, schemas)| node_type(*typed, schemas, id))
    }

    /// Returns the schemas of a node, as [`Kinds::schemas`].
    pub(crate) fn schemas(&self, id: ExprId) -> impl Iterator<Item = Schema<'a>> {
        let schemas = self.0.iter();
        schemas.filter_map(move |(_, schemas)| schemas.of(id))
    }
}

fn node_type<'a>(
    typed: TypedChecked<'a>,
    schemas: &NodeSchemas<'a>,
    id: ExprId,
) -> Option<(&'a Type, Option<Schema<'a>>)> {
    let of_error = (!typed.errors().is_empty()).then_some(&Type::Error);
    Some((typed.type_of(id).or(of_error)?, schemas.of(id)))
}

fn fields<'a>(
    owners: impl Iterator<Item = (&'a MatchedKind, Schema<'a>)>,
    name: &str,
) -> Vec<Field<'a>> {
    let mut found: Vec<Field<'a>> = Vec::new();
    for (kind, of) in owners {
        let schema = of.property(name).or_else(|| of.additional_properties());
        let Some(schema) = schema else {
            continue;
        };
        let is_required = of.is_required(name);
        let same = found
            .iter_mut()
            .find(|field| field.schema == schema && field.is_required == is_required);
        match same {
            Some(field) => field.kinds.push(kind),
            None => found.push(Field {
                schema,
                is_required,
                kinds: vec![kind],
            }),
        }
    }
    found
}

/// A field, with the kinds that share it.
pub(crate) struct Field<'a> {
    pub(crate) schema: Schema<'a>,
    pub(crate) is_required: bool,
    kinds: Vec<&'a MatchedKind>,
}

impl Field<'_> {
    /// Returns the names of the kinds: `Deployment, StatefulSet`.
    pub(crate) fn kinds(&self) -> String {
        let mut names: Vec<&str> = self.kinds.iter().map(|kind| &*kind.name.kind).collect();
        names.dedup();
        let more = names.len().saturating_sub(MAX_NAMES);
        names.truncate(MAX_NAMES);
        match more {
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        }
    }

    /// Describes whether it is required, its default and its values.
    pub(crate) fn facts(&self) -> String {
        facts(self.schema, self.is_required)
    }
}

/// Returns the schema of a type: each name is a field, and a list is replaced with its items.
pub(crate) fn schema_of_type<'a>(root: Schema<'a>, type_name: &str) -> Option<Schema<'a>> {
    let mut names = type_name.split('.');
    if names.next() != Some(OBJECT) {
        return None;
    }
    names.try_fold(root, |owner, name| fields_of(owner.property(name)?))
}

/// Returns the schema with the fields of a literal for a field: its own, or that of its items.
pub(crate) fn fields_of(schema: Schema<'_>) -> Option<Schema<'_>> {
    match schema.ty() {
        SchemaType::Array => fields_of(schema.items()?),
        SchemaType::Object => (schema.properties().len() > 0).then_some(schema),
        _ => None,
    }
}

/// Returns the schema at a pointer.
pub(crate) fn schema_at_pointer<'a>(root: Schema<'a>, pointer: &str) -> Option<Schema<'a>> {
    let names = pointer.strip_prefix('/').map(|rest| rest.split('/'));
    names.into_iter().flatten().try_fold(root, |owner, name| {
        let name = name.replace("~1", "/").replace("~0", "~");
        match owner.ty() {
            SchemaType::Array => owner.items(),
            _ => owner
                .property(&name)
                .or_else(|| owner.additional_properties()),
        }
    })
}

/// Describes whether a field is required, its default and its values, in short sentences.
pub(crate) fn facts(schema: Schema<'_>, is_required: bool) -> String {
    let values = schema.enum_values();
    facts_with(
        schema,
        is_required,
        values.take(MAX_VALUES).map(|value| value.to_string()),
    )
}

/// Describes a field as [`facts`] does, with these values.
pub(crate) fn facts_with(
    schema: Schema<'_>,
    is_required: bool,
    values: impl Iterator<Item = String>,
) -> String {
    let mut text = if is_required {
        "Required."
    } else {
        "Optional."
    }
    .to_owned();
    if let Some(default) = schema.default_value() {
        let text_of_default = default.to_string();
        // The defaults of an empty object are those of its fields, and a required field has none.
        if text_of_default != "{}" && !(is_required && text_of_default == "\"\"") {
            let _ = write!(text, " Default: `{text_of_default}`.");
        }
    }
    let values: Vec<String> = values.map(|value| format!("`{value}`")).collect();
    if !values.is_empty() {
        let _ = write!(text, " One of {}.", values.join(", "));
    }
    if let Some(format) = schema
        .format()
        .filter(|_| schema.ty() == SchemaType::String)
    {
        let _ = write!(text, " Format: `{format}`.");
    }
    text
}

/// Returns the possible strings of a field: those of its enum, or those that its description lists
/// as `one of "A", "B" or "C"`, since the API has enums for only some fields.
pub(crate) fn allowed_strings(schema: Schema<'_>) -> Vec<String> {
    let values = schema.enum_values();
    if values.len() > 0 || schema.ty() != SchemaType::String {
        return values
            .filter_map(|it| it.as_str().map(str::to_owned))
            .collect();
    }
    schema.description().map(listed_strings).unwrap_or_default()
}

/// Returns the quoted strings of the first list after `one of`.
fn listed_strings(description: &str) -> Vec<String> {
    let mut values = Vec::new();
    let Some((_, list)) = description.split_once("ne of \"") else {
        return values;
    };
    for (place, part) in list.split('"').enumerate() {
        let is_value = place % 2 == 0;
        if is_value {
            values.push(part.to_owned());
        } else if !matches!(part, ", " | " or " | ", or " | " and " | ", and ") {
            break;
        }
    }
    values
}

/// Returns the type of a value at admission, in readable form.
pub(crate) fn type_text(schema: Schema<'_>) -> String {
    within(schema, MAX_DEPTH)
}

fn within(schema: Schema<'_>, depth: usize) -> String {
    let Some(depth) = depth.checked_sub(1) else {
        return "object".to_owned();
    };
    let inner = |inner: Option<Schema<'_>>| match inner {
        Some(inner) => within(inner, depth),
        None => "dyn".to_owned(),
    };
    match schema.ty() {
        SchemaType::Any => "dyn".to_owned(),
        SchemaType::Array => format!("list({})", inner(schema.items())),
        SchemaType::String => "string".to_owned(),
        SchemaType::Integer => "int".to_owned(),
        SchemaType::Number => "double".to_owned(),
        SchemaType::Boolean => "bool".to_owned(),
        SchemaType::IntOrString => "int or string".to_owned(),
        SchemaType::Quantity => "quantity".to_owned(),
        SchemaType::Object => match schema.additional_properties() {
            Some(values) => format!("map(string, {})", within(values, depth)),
            None => {
                let name = schema.type_name().and_then(|name| name.rsplit('.').next());
                name.unwrap_or("object").to_owned()
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::listed_strings;

    #[test]
    fn a_description_can_list_the_values() {
        let of = |description| listed_strings(description);
        assert_eq!(
            of(r#"Should be one of "A", "B" or "C", each."#),
            ["A", "B", "C"]
        );
        assert_eq!(of(r#"One of "A"."#), ["A"]);
        assert!(of("It is one of the existing types. \"*\" means all.").is_empty());
        assert!(of("").is_empty());
    }
}
