//! The possible string arguments of a function.

use super::context::Context;
use super::map_keys::map_keys;
use super::position::CursorPosition;
use super::{CompletionKind, Item, List, constants, literals, receiver, verbs, well_known};
use crate::kind_fields::{Kinds, only, schema_at_pointer};
use cel::Type;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, Literal};
use kubernetes::openapi::{Catalog, Resource};
use policy::library::format_names;
use std::collections::BTreeSet;

const RANK: u8 = 0;

/// The verbs of paths that are not resources.
///
/// Upstream: kubernetes/apiserver, pkg/endpoints/request/requestinfo.go, NewRequestInfo.
const PATH_VERBS: &str = "get post put delete head options patch";

/// The named formats of object names. They come first.
const FORMATS: &str = "dns1123Label dns1123Subdomain qualifiedName labelValue uri uuid";

/// The methods with the names of objects.
const OF_NAMES: [&str; 2] = ["namespace", "serviceAccount"];

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
        "startsWith" => constants::add_beginnings(context, receiver, list),
        "escapeKey" => add_escaped_keys(context, call.unwrap_or(receiver), list),
        _ => {
            let strings = strings(context, receiver, function);
            strings.iter().for_each(|it| push(list, it));
        }
    }
}

/// Offers the possible strings in quotes, if the cursor is after the parenthesis of a method that
/// is called with one of a few constants.
pub(super) fn add_quoted(context: &Context<'_>, list: &mut List<'_>) {
    let text = context.target.text();
    let before = text.get(..context.word.start() as usize);
    let Some(before) = before.and_then(|it| it.trim_end().strip_suffix('(')) else {
        return;
    };
    let ast = context.target.ast();
    let name_end = before.trim_end().len();
    let call = ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Call {
            target: Some(receiver),
            function,
            ..
        } if function.span.end() as usize == name_end => Some((*receiver, ast.name(*function))),
        _ => None,
    });
    // Names are more often those of the object.
    let Some((receiver, function)) = call.filter(|(_, it)| !OF_NAMES.contains(it)) else {
        return;
    };
    for text in strings(context, receiver, function) {
        literals::push(list, CompletionKind::Value, &format!("'{text}'"));
    }
}

/// Returns the possible strings for the first argument of a method.
fn strings(context: &Context<'_>, receiver: ExprId, function: &str) -> Vec<String> {
    if function == "named" {
        return formats();
    }
    let types = receiver::types_of(context, receiver);
    let [Type::Struct(of)] = &*types else {
        return Vec::new();
    };
    match of.strip_prefix("kubernetes.authorization.") {
        Some(check) => of_authorizer(context, receiver, (check, function)),
        None => Vec::new(),
    }
}

/// Returns the possible strings for an authorizer check.
fn of_authorizer(
    context: &Context<'_>,
    receiver: ExprId,
    (check, function): (&str, &str),
) -> Vec<String> {
    let ast = context.target.ast();
    let written = |method| argument_of(ast, receiver, method);
    let plural = written("resource");
    match function {
        "check" if check == "PathCheck" => well_known::words(PATH_VERBS),
        "check" => {
            let name = ast.qualified_name(receiver).map(|name| name.join(ast));
            let kinds = context.kinds.map_or(&[][..], Kinds::kinds);
            let requested = kinds
                .iter()
                .map(|it| (&*it.resource, it.subresource.as_deref()));
            let of = match (name.as_deref(), only(requested)) {
                (Some("authorizer.requestResource"), Some((plural, below))) => {
                    (None, Some(plural), below)
                }
                _ => (written("group"), plural, written("subresource")),
            };
            let verbs = verbs::of_resource(context.catalog, of);
            verbs.map(str::to_owned).collect()
        }
        "group" => {
            let kinds = context.kinds.map_or(&[][..], Kinds::kinds);
            let matched = kinds.iter().map(|kind| &*kind.name.group);
            groups(context.catalog, matched)
        }
        "resource" => resources(context.catalog, written("group")),
        "subresource" => subresources(context.catalog, written("group"), plural),
        // The account comes after its namespace.
        "namespace" | "serviceAccount" => well_known::namespaces(context.samples),
        _ => Vec::new(),
    }
}

/// Returns the named formats.
fn formats() -> Vec<String> {
    let place = |name: &str| FORMATS.split(' ').position(|it| it == name);
    let mut names: Vec<&str> = format_names().collect();
    names.sort_by_cached_key(|name| place(name).unwrap_or(usize::MAX));
    names.into_iter().map(str::to_owned).collect()
}

/// Returns the groups that a policy matches, then those most often matched, then all others.
pub(super) fn groups<'a>(
    catalog: &'a Catalog,
    matched: impl Iterator<Item = &'a str>,
) -> Vec<String> {
    let all: BTreeSet<&str> = catalog.resources().map(|it| it.group).collect();
    let mut seen = BTreeSet::new();
    let groups = matched.chain(well_known::GROUPS).chain(all);
    let groups = groups.filter(|group| seen.insert(*group));
    groups.map(str::to_owned).collect()
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
    let Some(pointer) = pointer.map(|it| it.trim_end_matches('/')) else {
        return;
    };
    let path: Vec<&str> = pointer.split('/').skip(1).collect();
    let mut objects = context.kinds.into_iter().flat_map(Kinds::objects);
    let map = objects.find_map(|root| schema_at_pointer(root, pointer));
    for key in map_keys(context, &path, map) {
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

/// Returns the subresources of a resource, those of users before those of controllers.
pub(super) fn subresources(
    catalog: &Catalog,
    group: Option<&str>,
    plural: Option<&str>,
) -> Vec<String> {
    let mut names: Vec<&str> = of_group(catalog, group)
        .filter(|it| Some(it.plural) == plural)
        .flat_map(|it| it.subresources.iter().map(|it| it.name))
        .collect();
    names.sort_by_cached_key(|name| {
        let place = well_known::SUBRESOURCES
            .split(' ')
            .position(|it| it == *name);
        (place.unwrap_or(usize::MAX), *name)
    });
    names.dedup();
    names.into_iter().map(str::to_owned).collect()
}

/// Returns the names of the resources of a group.
pub(super) fn resources(catalog: &Catalog, group: Option<&str>) -> Vec<String> {
    let names: BTreeSet<&str> = of_group(catalog, group).map(|it| it.plural).collect();
    names.into_iter().map(str::to_owned).collect()
}

/// Returns the resources of a group, or all if it is unknown.
fn of_group<'a>(catalog: &'a Catalog, group: Option<&str>) -> impl Iterator<Item = Resource<'a>> {
    let resources = catalog.resources();
    resources.filter(move |it| group.is_none_or(|group| it.group == group))
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
