//! The strings that an argument of a function can be.

use super::context::{Context, CursorPosition};
use super::{CompletionKind, Item, List};
use cel::Type;
use cel::syntax::{ExprId, ExprKind, Literal};
use policy::library::format_names;
use std::collections::BTreeSet;

const RANK: u8 = 0;

/// The verbs of the authorizer, the most frequent first.
///
/// Upstream: kubernetes/kubernetes, pkg/registry/rbac and staging/src/k8s.io/apiserver,
/// pkg/endpoints/request/requestinfo.go.
const VERBS: &str = "get list watch create update patch delete deletecollection use bind \
    escalate impersonate approve sign";

/// Offers the strings that the argument at the cursor can be.
pub(super) fn add(context: &Context<'_>, list: &mut List<'_>) {
    let CursorPosition::Argument { call, function } = &context.place else {
        return;
    };
    let receiver = call.and_then(|call| match context.target.ast().kind(call) {
        ExprKind::Call { target, .. } => *target,
        _ => None,
    });
    let Some(receiver) = receiver else { return };
    if function == "named" {
        return format_names().for_each(|name| push(list, name));
    }
    let is_authorizer = match context.type_of(receiver) {
        Type::Struct(name) => name.starts_with("kubernetes.authorization."),
        _ => false,
    };
    match &**function {
        _ if !is_authorizer => {}
        "check" => VERBS.split(' ').for_each(|it| push(list, it)),
        "group" => {
            let groups: BTreeSet<&str> = context.catalog.resources().map(|it| it.group).collect();
            groups.into_iter().for_each(|group| push(list, group));
        }
        "resource" => {
            let group = group(context, receiver);
            let resources = context.catalog.resources();
            let of_group = resources.filter(|it| group.is_none_or(|group| it.group == group));
            let names: BTreeSet<&str> = of_group.map(|it| it.plural).collect();
            names.into_iter().for_each(|name| push(list, name));
        }
        _ => {}
    }
}

/// Returns the group in `authorizer.group('apps')`.
fn group<'a>(context: &Context<'a>, receiver: ExprId) -> Option<&'a str> {
    let ast = context.target.ast();
    let ExprKind::Call { args, .. } = ast.kind(receiver) else {
        return None;
    };
    match ast.kind(*args.first()?) {
        ExprKind::Literal(Literal::String(group)) => Some(group),
        _ => None,
    }
}

fn push(list: &mut List<'_>, text: &str) {
    let write = (list.context.word, text.to_owned(), None);
    list.write(CompletionKind::Value, RANK, Item::new(text), write);
}
