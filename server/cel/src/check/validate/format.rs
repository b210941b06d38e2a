//! The string of `format()` and its arguments.
//!
//! Upstream: cel-go, ext/formatting.go, `parseFormatString`, `stringFormatChecker`.

use super::Validator;
use crate::expand::{NodeId, NodeKind};
use crate::format_string::{Clause, Verb};
use crate::types::Type;

/// A message, at an argument or at the call.
type FormatError = (Option<NodeId>, String);

/// Returns the first error in a call of `format`.
pub(super) fn error(validator: &Validator<'_>, text: &str, args: &[NodeId]) -> Option<FormatError> {
    let mut rest = text;
    let mut used = 0;
    while let Some((_, clause)) = rest.split_once('%') {
        if let Some(after) = clause.strip_prefix('%') {
            rest = after;
            continue;
        }
        if clause.is_empty() {
            return Some((None, "unexpected end of string".to_owned()));
        }
        let Some(arg) = args.get(used) else {
            return Some((None, format!("index {used} out of range")));
        };
        let read = match Clause::read(clause) {
            Ok(read) => read,
            Err(reason) => {
                let message = format!("could not parse formatting clause: {reason}");
                return Some((None, message));
            }
        };
        if let Some((node, reason)) = unformattable(read.verb, validator, *arg) {
            let message = format!("error during formatting: {reason}");
            return Some((Some(node), message));
        }
        used += 1;
        rest = clause.get(read.length..).unwrap_or_default();
    }
    (args.len() > used).then(|| {
        let given = args.len();
        let message =
            format!("too many arguments supplied to string.format (expected {used}, got {given})");
        (None, message)
    })
}

/// Returns the argument, or the part of it, that a verb cannot write, and why.
fn unformattable(verb: Verb, validator: &Validator<'_>, arg: NodeId) -> Option<(NodeId, String)> {
    let bad = match verb {
        Verb::String => unprintable(validator, arg)?,
        _ if takes(verb, validator.type_of(arg)) => return None,
        _ => arg,
    };
    let (what, given) = (verb.complaint(), validator.type_of(bad).runtime_name());
    Some((bad, format!("{what}, was given {given}")))
}

fn takes(verb: Verb, ty: &Type) -> bool {
    let ty = unwrapped(ty);
    if matches!(ty, Type::Dyn) {
        return true;
    }
    match verb {
        Verb::String => matches!(
            ty,
            Type::List(_)
                | Type::Map(_)
                | Type::Int
                | Type::Uint
                | Type::Double
                | Type::Bool
                | Type::String
                | Type::Timestamp
                | Type::Bytes
                | Type::Duration
                | Type::Type(_)
                | Type::Null
        ),
        Verb::Decimal | Verb::Octal => matches!(ty, Type::Int | Type::Uint),
        Verb::Fixed | Verb::Scientific => matches!(ty, Type::Double | Type::String),
        Verb::Binary => matches!(ty, Type::Int | Type::Uint | Type::Bool),
        Verb::Hexadecimal { .. } => {
            matches!(ty, Type::Int | Type::Uint | Type::String | Type::Bytes)
        }
    }
}

fn unwrapped(ty: &Type) -> &Type {
    match ty {
        Type::Nullable(inner) => inner,
        other => other,
    }
}

/// Returns the first part of an argument that cannot be formatted.
fn unprintable(validator: &Validator<'_>, arg: NodeId) -> Option<NodeId> {
    let mut open = vec![arg];
    while let Some(node) = open.pop() {
        if !takes(Verb::String, validator.type_of(node)) {
            return Some(node);
        }
        let first = open.len();
        match validator.expansion.kind(node) {
            NodeKind::List { elements, .. } => open.extend(elements),
            NodeKind::Map(entries) => {
                open.extend(entries.iter().flat_map(|entry| [entry.key, entry.value]));
            }
            _ => {}
        }
        if let Some(added) = open.get_mut(first..) {
            added.reverse();
        }
    }
    None
}
