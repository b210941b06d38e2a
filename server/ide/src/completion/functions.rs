//! Functions: by name, as methods of a value, and in their namespace.

use super::context::Context;
use super::position::CursorPosition;
use super::{CompletionKind, Item, List, usage};
use crate::signature;
use cel::Type;
use cel::env::{DeclaredFunction, DeclaredOverload};
use cel::syntax::ExprKind;
use kubernetes::EnvironmentVersion;
use std::collections::BTreeMap;

const RANK: u8 = 4;
const RANK_OF_NAMESPACES: u8 = 4;
/// The rank of `format()` after a string literal, which is nearly always its use.
const RANK_OF_FORMAT: u8 = 3;
/// The rank of the conversion to a string where a string is required: next to the names of values.
const RANK_OF_NAMES: u8 = 1;
/// The rank of a function that returns a required type that no field has.
const RANK_OF_REQUIRED: u8 = 0;
/// The rank of the methods of an optional value: before the fields of its content, which are rarely
/// selected without `?`.
const RANK_OF_OPTIONAL: u8 = 0;

/// Offers the functions that are called by name, and the first parts of names with dots.
pub(super) fn add_global(context: &Context<'_>, list: &mut List<'_>) {
    let mut namespaces: BTreeMap<&str, EnvironmentVersion> = BTreeMap::new();
    for function in context.env.functions().filter(|it| is_written(it)) {
        let global: Vec<_> = function
            .overloads
            .iter()
            .filter(|it| is_global(it))
            .collect();
        if global.is_empty() {
            continue;
        }
        match function.name.split_once('.') {
            Some((namespace, _)) => {
                let since = since(&global);
                let first = namespaces.entry(namespace).or_insert(since);
                *first = since.min(*first);
            }
            None => push(
                list,
                CompletionKind::Function,
                function.name,
                function,
                &global,
            ),
        }
    }
    for (namespace, since) in namespaces {
        list.push_since(
            CompletionKind::Namespace,
            RANK_OF_NAMESPACES,
            Item::new(namespace),
            since,
        );
    }
}

/// Offers the methods of the type of the value before the dot.
pub(super) fn add_members(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Member { operator, .. } = &context.position else {
        return;
    };
    if operator.len() > 1 || is_namespace(context) {
        return;
    }
    let receivers = super::receiver::types(context);
    for function in context.env.functions().filter(|it| is_written(it)) {
        let fits = |overload: &&DeclaredOverload| {
            let first = overload.params.first();
            let mut receivers = receivers.iter();
            overload.declaration.member
                && first.is_some_and(|first| receivers.any(|ty| is_method_of(first, ty)))
        };
        let members: Vec<_> = function.overloads.iter().filter(fits).collect();
        if !members.is_empty() {
            push(
                list,
                CompletionKind::Method,
                function.name,
                function,
                &members,
            );
        }
    }
}

/// Returns whether a method of `wanted` is a method of the type `ty`. A value of unknown type comes
/// from an object, which contains no optional values.
fn is_method_of(wanted: &Type, ty: &Type) -> bool {
    let is_optional = matches!(wanted, Type::Optional(_));
    accepts(wanted, ty) && !(is_optional && ty.is_dyn())
}

/// Offers the functions whose name begins with the text before the dot.
pub(super) fn add_namespaced(context: &Context<'_>, list: &mut List<'_>) {
    let Some(prefix) = namespace(context) else {
        return;
    };
    for function in context.env.functions().filter(|it| is_written(it)) {
        let Some(rest) = function.name.strip_prefix(&prefix) else {
            continue;
        };
        let Some(name) = rest.strip_prefix('.') else {
            continue;
        };
        let all: Vec<_> = function.overloads.iter().collect();
        push(list, CompletionKind::Function, name, function, &all);
    }
}

/// Returns the name before the dot, if it is not a variable.
fn namespace(context: &Context<'_>) -> Option<String> {
    let CursorPosition::Member {
        receiver: Some(receiver),
        ..
    } = context.position
    else {
        return None;
    };
    let ast = context.target.ast();
    let name = ast.qualified_name(receiver)?.join(ast);
    let bindings = ast.bindings_at(context.target.offset);
    let is_bound = bindings
        .iter()
        .any(|binding| ast.name(binding.name) == name);
    (!is_bound && context.env.variable(&name).is_none()).then_some(name)
}

fn is_namespace(context: &Context<'_>) -> bool {
    namespace(context).is_some_and(|prefix| {
        let mut functions = context.env.functions();
        functions.any(|it| {
            let rest = it.name.strip_prefix(&prefix);
            rest.is_some_and(|rest| rest.starts_with('.'))
        })
    })
}

fn push(
    list: &mut List<'_>,
    kind: CompletionKind,
    label: &str,
    function: &DeclaredFunction,
    overloads: &[&DeclaredOverload],
) {
    let takes_more = overloads.iter().any(|overload| {
        let receiver = usize::from(overload.declaration.member);
        overload.params.len() > receiver
    });
    let ids: Vec<&str> = overloads.iter().map(|overload| overload.id()).collect();
    let mut item = Item {
        detail: overloads
            .first()
            .map(|overload| signature::overload(function.name, overload)),
        documentation: Some(signature::function(function, &ids)),
        tail: if takes_more { "($)" } else { "()" }.into(),
        types: overloads.iter().map(|it| it.result.clone()).collect(),
        ..Item::new(label)
    };
    let is_conversion = label == "string" && list.expected.requires(&Type::String);
    if is_conversion {
        item.position = Some(usage::root(label));
        item.types.clear();
    }
    let rank = match label {
        "string" if is_conversion => RANK_OF_NAMES,
        "format" if has_literal_receiver(list.context) => RANK_OF_FORMAT,
        _ if overloads.iter().any(|it| is_of_optional(it)) => RANK_OF_OPTIONAL,
        _ if overloads
            .iter()
            .any(|it| list.expected.requires_function(&it.result)) =>
        {
            RANK_OF_REQUIRED
        }
        _ => RANK,
    };
    list.push_since(kind, rank, item, since(overloads));
}

/// Returns whether a method accepts only optional values.
fn is_of_optional(overload: &DeclaredOverload) -> bool {
    overload.declaration.member && matches!(overload.params.first(), Some(Type::Optional(_)))
}

/// Returns whether the value before the dot is a literal.
fn has_literal_receiver(context: &Context<'_>) -> bool {
    let ast = context.target.ast();
    let receiver = context.receiver();
    receiver.is_some_and(|(id, _)| matches!(ast.kind(id), ExprKind::Literal(_)))
}

/// Returns the first environment version that has one of the signatures.
fn since(overloads: &[&DeclaredOverload]) -> EnvironmentVersion {
    let all = overloads.iter().map(|overload| overload.declaration.since);
    all.min()
        .map(EnvironmentVersion::from)
        .unwrap_or(EnvironmentVersion::OLDEST)
}

/// Returns whether users write the name, unlike those of operators and internal functions.
fn is_written(function: &DeclaredFunction) -> bool {
    let name = function.name;
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && !name.contains('@')
}

fn is_global(overload: &DeclaredOverload) -> bool {
    !overload.declaration.member
}

/// Returns whether a value of type `given` can be used where `wanted` is declared.
pub(crate) fn accepts(wanted: &Type, given: &Type) -> bool {
    match (wanted, given) {
        (Type::Param(_) | Type::Dyn | Type::Any, _) | (_, Type::Dyn | Type::Any | Type::Error) => {
            true
        }
        (Type::List(wanted), Type::List(given))
        | (Type::Optional(wanted), Type::Optional(given)) => accepts(wanted, given),
        (Type::Map(wanted), Type::Map(given)) => {
            accepts(&wanted.0, &given.0) && accepts(&wanted.1, &given.1)
        }
        (Type::Type(_), Type::Type(_)) => true,
        (wanted, Type::Nullable(given)) => accepts(wanted, given),
        _ => wanted == given,
    }
}
