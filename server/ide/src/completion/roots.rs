//! The names with which an expression of a role can begin.

use super::context::Context;
use super::position::CursorPosition;
use super::receiver::types_of;
use super::{CompletionKind, Item, List, usage};
use cel::Type;
use cel::syntax::ExprId;
use policy::Role;
use policy::environment;

/// The rank of a value of the required type.
const RANK_OF_RESULT: u8 = 0;
const RANK: u8 = 1;
const RANK_OF_TYPES: u8 = 6;
const RANK_OF_KEYWORDS: u8 = 5;

pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    add_names(context, list);
    add_mutation_types(context, context.target.expression.role, list);
    for name in environment::TYPE_NAMES {
        // Most are also functions, whose items are more detailed.
        if context.env.function(name).is_none() {
            list.push(CompletionKind::Type, RANK_OF_TYPES, Item::new(name));
        }
    }
    add_keywords(context, list);
}

/// Offers the variables of the environment.
pub(super) fn add_names(context: &Context<'_>, list: &mut List<'_>) {
    let role = context.target.expression.role;
    let operations = context.operations();
    for root in environment::roots(context.target.document, role) {
        // It is declared in match conditions, but always null.
        if root.name == "namespaceObject" && role.is_match_condition() {
            continue;
        }
        let ty = context.env.variable(root.name);
        // A deletion has only an old object, a creation only a new one.
        let position = match (root.name, &*operations) {
            ("object", ["DELETE"]) | ("oldObject", ["CREATE"]) => Some(usize::MAX),
            ("oldObject", ["DELETE"]) => Some(usage::root("object")),
            _ => None,
        };
        let item = Item {
            detail: ty.map(ToString::to_string),
            types: ty.cloned().into_iter().collect(),
            documentation: Some(root.doc.to_owned()),
            position,
            ..Item::new(root.name)
        };
        list.push(CompletionKind::Variable, RANK, item);
    }
}

/// Offers the names of types for `type(x) == `: first the possible types of the value.
pub(super) fn add_types(context: &Context<'_>, value: ExprId, list: &mut List<'_>) {
    let possible: Vec<String> = types_of(context, value).iter().map(type_name).collect();
    let known = possible.iter().map(String::as_str);
    let known = known.filter(|name| environment::TYPE_NAMES.contains(name));
    let others = environment::TYPE_NAMES.iter().copied();
    for (place, name) in known.chain(others).enumerate() {
        list.push_at(place, CompletionKind::Type, RANK_OF_RESULT, Item::new(name));
    }
    let roots = environment::roots(context.target.document, context.target.expression.role);
    roots.iter().for_each(|root| list.leave_out(root.name));
}

/// Returns the name of a type without its parameters.
fn type_name(ty: &Type) -> String {
    let name = ty.to_string();
    name.split('(').next().unwrap_or(&name).to_owned()
}

fn add_mutation_types(context: &Context<'_>, role: Role, list: &mut List<'_>) {
    if role.is_mutation() {
        let wanted = match role {
            Role::ApplyConfiguration => "Object",
            _ => "JSONPatch",
        };
        // A patch is not part of an apply configuration.
        let is_patch = role == Role::JsonPatch;
        let types = environment::MUTATION_TYPES.iter().copied();
        for name in types.filter(|name| is_patch || *name == wanted) {
            let is_wanted = name == wanted
                && context.is_result()
                && !list.expected.rejects(&Type::object(name));
            let rank = if is_wanted { RANK_OF_RESULT } else { RANK };
            let item = Item {
                tail: "{$}".into(),
                ..Item::new(name)
            };
            list.push(CompletionKind::Type, rank, item);
        }
    }
}

fn add_keywords(context: &Context<'_>, list: &mut List<'_>) {
    let is_value = matches!(context.position, CursorPosition::FieldStart { .. })
        || list.expected.other().is_some();
    for (word, ty) in [
        ("false", Type::Bool),
        ("null", Type::Null),
        ("true", Type::Bool),
    ] {
        if ty != Type::Null && list.expected.rejects(&ty) {
            continue;
        }
        let is_wanted = is_value && list.expected.fits(&ty);
        let rank = if is_wanted {
            RANK_OF_RESULT
        } else {
            RANK_OF_KEYWORDS
        };
        list.push(CompletionKind::Keyword, rank, Item::new(word));
    }
}
