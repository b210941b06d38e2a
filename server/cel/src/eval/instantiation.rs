//! Whether the creation of a program can fail.
//!
//! An expression that passes the checker has no program only if a constant in it is invalid, or if
//! it names a type that is not a value. Most expressions have neither, so their programs are not
//! created before they run.

use super::plan::{CONVERSIONS, UNGUARDED};
use crate::check::{Checked, Reference};
use crate::env::{DeclaredFunction, Env};
use crate::expand::{Expansion, NodeId, NodeKind};
use crate::syntax::Literal;
use crate::types::Type;

/// Returns whether [`super::Program::new`] certainly succeeds.
pub(super) fn always_succeeds(checked: &Checked, env: &Env) -> bool {
    let expansion = checked.expansion();
    let succeeds = |id: NodeId| match expansion.kind(id) {
        NodeKind::Error => false,
        // The names of some types are not values.
        NodeKind::Ident(_) | NodeKind::Select { .. } => {
            !matches!(checked.type_of(id), Type::Type(_))
        }
        NodeKind::Call { function, args, .. } => match &**function {
            "_[_]" | "_?._" | "_[?_]" => args.last().is_some_and(|it| is_key(expansion, *it)),
            "_&&_" | "_||_" | "_?_:_" => true,
            _ => match checked.reference(id) {
                Some(Reference::Function { name, .. }) => env.function(name).is_some_and(runs),
                _ => false,
            },
        },
        NodeKind::Literal(_)
        | NodeKind::List { .. }
        | NodeKind::Map(_)
        | NodeKind::Struct { .. }
        | NodeKind::Comprehension(_) => true,
    };
    checked.is_ok() && expansion.ids().all(succeeds)
}

/// Returns whether a node can be an index or a key, if it is constant.
fn is_key(expansion: &Expansion, id: NodeId) -> bool {
    match expansion.kind(id) {
        NodeKind::Literal(literal) => !matches!(literal, Literal::Null | Literal::Bytes(_)),
        NodeKind::List { .. } | NodeKind::Map(_) => false,
        _ => true,
    }
}

/// Returns whether every call of a function has a program: it is implemented, it is not evaluated
/// at compile time, and no argument is a regular expression.
fn runs(function: &DeclaredFunction) -> bool {
    let declarations = &function.declarations;
    let is_shared = declarations.iter().any(|it| it.implementation.is_some());
    let is_unguarded = || UNGUARDED.contains(&function.name);
    let mut overloads = function.overloads.iter();
    overloads.all(|it| it.implementation().is_some())
        && (is_shared || !is_unguarded())
        && !CONVERSIONS.contains(&function.name)
        && declarations.iter().all(|it| it.regex_argument.is_none())
}
