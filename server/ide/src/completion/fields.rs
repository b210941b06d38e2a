//! The fields of values with a known type, and of object literals.
//!
//! The fields of the types of CEL come from the compiler, those of objects and parameters from the
//! schemas of the matched kinds.

use super::any_kind::{self, ObjectPart};
use super::context::Context;
use super::declared_fields::{meaning_of_field, meaning_of_variable};
use super::names::is_name;
use super::position::CursorPosition;
use super::receiver::is_optional_chain;
use super::schema_item::schema_item;
use super::schemas::is_request_options;
use super::{CompletionKind, Item, List, usage};
use crate::self_schema::{property, self_schema};
use cel::Type;
use cel::syntax::ExprId;
use kubernetes::names::escape;
use kubernetes::openapi::Schema;
use std::borrow::Cow;
use yaml::Node;

const RANK: u8 = 0;

/// The fields of `request.options`, by the operation that has them. The options of CONNECT depend
/// on the subresource.
///
/// Upstream: kubernetes/apimachinery, pkg/apis/meta/v1/types.go, CreateOptions, UpdateOptions and
/// DeleteOptions.
const OPTIONS: [(&str, &[(&str, Type)]); 3] = [
    ("CREATE", &WRITE_OPTIONS),
    ("UPDATE", &WRITE_OPTIONS),
    (
        "DELETE",
        &[
            ("propagationPolicy", Type::String),
            ("gracePeriodSeconds", Type::Int),
            ("orphanDependents", Type::Bool),
            ("preconditions", Type::Dyn),
            ("dryRun", Type::Dyn),
        ],
    ),
];

const WRITE_OPTIONS: [(&str, Type); 3] = [
    ("fieldManager", Type::String),
    ("fieldValidation", Type::String),
    ("dryRun", Type::Dyn),
];

/// The name of the type of `request`.
const REQUEST: &str = "kubernetes.AdmissionRequest";

pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    match context.receiver() {
        Some((receiver, Type::Struct(name))) => {
            add_dotted(context, list, receiver);
            add_fields(context, list, &name);
        }
        Some((receiver, _)) if is_request_options(context.target.ast(), receiver) => {
            add_options(context, list);
        }
        Some((receiver, _)) => {
            add_schema_fields(context, list, receiver);
            add_self_fields(context, list, receiver);
        }
        None => {}
    }
}

/// Adds the variables whose name begins with the name of another one: `authorizer.requestResource`.
fn add_dotted(context: &Context<'_>, list: &mut List<'_>, receiver: ExprId) {
    let ast = context.target.ast();
    let name = ast.qualified_name(receiver).map(|name| name.join(ast));
    let Some(name) = name.filter(|name| context.env.variable(name).is_some()) else {
        return;
    };
    for (variable, ty) in context.env.variables() {
        let rest = variable.strip_prefix(&*name);
        if let Some(field) = rest.and_then(|rest| rest.strip_prefix('.')) {
            let item = Item {
                detail: Some(ty.to_string()),
                documentation: meaning_of_variable(variable).map(str::to_owned),
                ..Item::new(field)
            };
            list.push(CompletionKind::Field, RANK, item);
        }
    }
}

/// Adds the fields of the kinds. A field whose name cannot follow a dot is offered in brackets.
fn add_schema_fields(context: &Context<'_>, list: &mut List<'_>, receiver: ExprId) {
    let CursorPosition::Member { operator, .. } = context.position else {
        return;
    };
    for (name, item) in schema_items(context, receiver) {
        // `has()` tests fields after a dot only.
        if list.expected.is_presence() && !is_name(&name) {
            continue;
        }
        list.member(context.word, operator, &name, (RANK, item));
    }
}

/// Adds the keys in brackets.
pub(super) fn add_keys(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Key { operand, .. } = context.position else {
        return;
    };
    for (name, item) in schema_items(context, operand) {
        // The other keys are written after a dot.
        let rank = RANK + u8::from(is_name(&name));
        list.key(context.word, name, (rank, item));
    }
}

/// Returns the fields that a node has in the objects of the kinds.
fn schema_items(context: &Context<'_>, id: ExprId) -> Vec<(String, Item)> {
    match any_kind::part(context, id) {
        Some(ObjectPart::Object) => return any_kind::fields().collect(),
        Some(ObjectPart::Metadata(of)) => {
            let fields = of.properties();
            let items = fields.map(|(name, it)| (name.to_owned(), schema_item(of, name, it)));
            return items.collect();
        }
        None => {}
    }
    let mut items: Vec<(String, Item)> = Vec::new();
    let places = context
        .kinds
        .into_iter()
        .flat_map(|kinds| kinds.schemas(id));
    let mut seen: Vec<Schema<'_>> = Vec::new();
    for (_, schema) in places {
        // Several kinds share a type, such as containers.
        if seen.contains(&schema) {
            continue;
        }
        seen.push(schema);
        for (name, field) in schema.properties() {
            if !items.iter().any(|(known, _)| known == name) {
                items.push((name.to_owned(), schema_item(schema, name, field)));
            }
        }
    }
    items
}

/// Adds the fields of `request.options` for the operations of the rules.
fn add_options(context: &Context<'_>, list: &mut List<'_>) {
    let operations = context.operations();
    for (operation, fields) in OPTIONS {
        if operations.contains(&operation) {
            for (place, (name, ty)) in fields.iter().enumerate() {
                let item = Item {
                    detail: Some(ty.to_string()),
                    types: vec![ty.clone()],
                    ..Item::new(*name)
                };
                list.push_at(place, CompletionKind::Field, RANK, item);
            }
        }
    }
}

/// Adds the fields of a part of `self` whose type the compiler does not know, such as an optional.
fn add_self_fields(context: &Context<'_>, list: &mut List<'_>, receiver: ExprId) {
    let target = context.target;
    let CursorPosition::Member { operator, .. } = context.position else {
        return;
    };
    let is_optional = matches!(context.type_of(receiver), Type::Optional(_))
        || is_optional_chain(target.ast(), receiver);
    if is_optional && operator.len() == 1 {
        return;
    }
    let schema = self_schema(target.document, target.expression, receiver);
    let properties = schema.and_then(|it| it.get("properties")?.as_mapping());
    let entries = properties.into_iter().flat_map(yaml::Mapping::entries);
    for (place, entry) in entries.enumerate() {
        let Some(name) = escape(&entry.key.key_text()).map(Cow::into_owned) else {
            continue;
        };
        let text = |key: &str| entry.value.get(key).and_then(Node::as_str);
        let item = Item {
            detail: text("type").map(str::to_owned),
            documentation: text("description").map(|it| text::clean::for_markdown(it).into_owned()),
            position: Some(place),
            ..Item::new(name)
        };
        list.push(CompletionKind::Field, RANK, item);
    }
}

fn add_fields(context: &Context<'_>, list: &mut List<'_>, type_name: &str) {
    let types = context.env.types();
    let schema = context.receiver().and_then(|(id, _)| {
        let target = context.target;
        self_schema(target.document, target.expression, id)
    });
    for field in types.field_names(type_name) {
        let ty = types.field_type(type_name, &field);
        let property = schema.and_then(|it| property(it, &field));
        let (place, described) = property.unzip();
        let required = schema.and_then(|it| it.get("required")?.as_sequence());
        let item = Item {
            detail: ty.as_ref().map(ToString::to_string),
            documentation: described
                .and_then(|it| it.get("description")?.as_str())
                .map(|it| text::clean::for_markdown(it).into_owned())
                .or_else(|| {
                    meaning_of_field(context.catalog, type_name, &field).map(Cow::into_owned)
                }),
            types: ty.into_iter().collect(),
            position: match type_name {
                REQUEST => Some(usage::request_field(&field)),
                _ => place,
            },
            is_required: required
                .is_some_and(|names| names.items().any(|name| name.text() == &*field)),
            ..Item::new(&*field)
        };
        list.push(CompletionKind::Field, RANK, item);
    }
}
