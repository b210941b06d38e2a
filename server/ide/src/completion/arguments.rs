//! The possible string arguments of a function.

use super::context::Context;
use super::map_keys::map_keys;
use super::position::CursorPosition;
use super::{CompletionKind, Item, List, constants, verbs, well_known};
use crate::kind_fields::Kinds;
use cel::Type;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, Literal};
use kubernetes::openapi::Resource;
use policy::library::format_names;
use std::collections::BTreeSet;

const RANK: u8 = 0;

/// The verbs of paths that are not resources.
///
/// Upstream: kubernetes/apiserver, pkg/endpoints/request/requestinfo.go, NewRequestInfo.
const PATH_VERBS: &str = "get post put delete head options patch";

/// The named formats of object names. They come first.
const FORMATS: &str = "dns1123Label dns1123Subdomain qualifiedName labelValue uri uuid";

/// The units of quantities.
const UNITS: &str = "Gi Mi m Ki Ti G M k";

/// The units of durations.
///
/// Upstream: Go, time/format.go, ParseDuration.
const DURATION_UNITS: &str = "m h s ms";

/// Offers the possible strings for the argument at the cursor.
pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Argument { call, function } = &context.position else {
        return;
    };
    let receiver = call.and_then(|call| match context.target.ast().kind(call) {
        ExprKind::Call { target, .. } => *target,
        _ => None,
    });
    let Some(receiver) = receiver else {
        return add_numbers(context, function, list);
    };
    match &**function {
        "named" => add_formats(list),
        "startsWith" => constants::add_beginnings(context, receiver, list),
        "escapeKey" => add_escaped_keys(context, call.unwrap_or(receiver), list),
        _ => add_of_authorizer(context, (receiver, function), list),
    }
}

/// Offers the possible strings for an authorizer check.
fn add_of_authorizer(
    context: &Context<'_>,
    (receiver, function): (ExprId, &str),
    list: &mut List<'_>,
) {
    let Type::Struct(of) = context.type_of(receiver) else {
        return;
    };
    if !of.starts_with("kubernetes.authorization.") {
        return;
    }
    match function {
        "check" if &*of == "kubernetes.authorization.PathCheck" => {
            PATH_VERBS.split(' ').for_each(|it| push(list, it));
        }
        "check" => {
            let resource = argument_of(context.target.ast(), receiver, "resource");
            verbs::of_resource(resource).for_each(|it| push(list, it));
        }
        "group" => add_groups(context, list),
        "resource" => {
            for resource in resources_of(context, receiver) {
                push(list, resource.plural);
            }
        }
        "subresource" => add_subresources(context, receiver, list),
        // The account comes after its namespace.
        "namespace" | "serviceAccount" => {
            let names = well_known::namespaces(context.samples);
            names.iter().for_each(|name| push(list, name));
        }
        _ => {}
    }
}

/// Offers the named formats.
fn add_formats(list: &mut List<'_>) {
    let place = |name: &str| FORMATS.split(' ').position(|it| it == name);
    let mut names: Vec<&str> = format_names().collect();
    names.sort_by_cached_key(|name| place(name).unwrap_or(usize::MAX));
    names.into_iter().for_each(|name| push(list, name));
}

/// Offers the groups that the policy matches, then those most often matched.
fn add_groups(context: &Context<'_>, list: &mut List<'_>) {
    let kinds = context.kinds.map_or(&[][..], Kinds::kinds);
    kinds.iter().for_each(|kind| push(list, &kind.name.group));
    well_known::GROUPS
        .iter()
        .for_each(|group| push(list, group));
    let groups: BTreeSet<&str> = context.catalog.resources().map(|it| it.group).collect();
    groups.into_iter().for_each(|group| push(list, group));
}

/// Offers the keys of the map whose pointer precedes `jsonpatch.escapeKey('`.
fn add_escaped_keys(context: &Context<'_>, call: ExprId, list: &mut List<'_>) {
    let ast = context.target.ast();
    let pointer = ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Binary {
            operator: BinaryOperator::Add,
            left,
            right,
            ..
        } if *right == call => match ast.kind(*left) {
            ExprKind::Literal(Literal::String(text)) => Some(text),
            _ => None,
        },
        _ => None,
    });
    let Some(pointer) = pointer.and_then(|it| it.trim_end_matches('/').strip_prefix('/')) else {
        return;
    };
    let path: Vec<&str> = pointer.split('/').collect();
    for key in map_keys(context, &path) {
        push(list, &key);
    }
}

/// Offers quantities or durations with the number at the cursor.
fn add_numbers(context: &Context<'_>, function: &str, list: &mut List<'_>) {
    let units = match function {
        "quantity" | "isQuantity" => UNITS,
        "duration" => DURATION_UNITS,
        _ => return,
    };
    let written = context.word.slice(context.target.text());
    let digits = written.trim_end_matches(|it: char| it.is_ascii_alphabetic());
    let number = if digits.is_empty() { "1" } else { digits };
    if number.parse::<f64>().is_ok() {
        for unit in units.split(' ') {
            push(list, &format!("{number}{unit}"));
        }
    }
}

/// Offers the subresources of `authorizer.group('').resource('pods')`, those of users before those
/// of controllers.
fn add_subresources(context: &Context<'_>, receiver: ExprId, list: &mut List<'_>) {
    let ast = context.target.ast();
    let ExprKind::Call {
        target: Some(target),
        ..
    } = ast.kind(receiver)
    else {
        return;
    };
    let plural = argument(ast, receiver);
    let mut names: Vec<&str> = resources_of(context, *target)
        .into_iter()
        .filter(|it| Some(it.plural) == plural)
        .flat_map(|it| it.subresources.iter().map(|it| it.name))
        .collect();
    names.sort_by_cached_key(|name| {
        let place = well_known::SUBRESOURCES
            .split(' ')
            .position(|it| it == *name);
        (place.unwrap_or(usize::MAX), *name)
    });
    names.into_iter().for_each(|name| push(list, name));
}

/// Returns the resources of the group that `authorizer.group('apps')` names.
fn resources_of<'a>(context: &Context<'a>, receiver: ExprId) -> Vec<Resource<'a>> {
    let group = argument(context.target.ast(), receiver);
    let resources = context.catalog.resources();
    let of_group = resources.filter(|it| group.is_none_or(|group| it.group == group));
    let mut found: Vec<Resource<'a>> = of_group.collect();
    found.sort_by_cached_key(|it| it.plural);
    found
}

/// Returns the first argument of the call of a method in a chain, if it is a string: `pods` for
/// `resource` in `authorizer.group('').resource('pods')`.
pub(crate) fn argument_of<'a>(ast: &'a Ast, mut chain: ExprId, method: &str) -> Option<&'a str> {
    loop {
        let ExprKind::Call {
            target: Some(target),
            function,
            ..
        } = ast.kind(chain)
        else {
            return None;
        };
        if ast.name(*function) == method {
            return argument(ast, chain);
        }
        chain = *target;
    }
}

/// Returns the first argument of a call, if it is a string.
fn argument(ast: &Ast, call: ExprId) -> Option<&str> {
    let ExprKind::Call { args, .. } = ast.kind(call) else {
        return None;
    };
    match ast.kind(*args.first()?) {
        ExprKind::Literal(Literal::String(text)) => Some(text),
        _ => None,
    }
}

fn push(list: &mut List<'_>, text: &str) {
    let write = (list.context.word, text.to_owned(), Vec::new());
    list.write(CompletionKind::Value, RANK, Item::new(text), write);
}
