//! The type checker.
//!
//! It finds the type of every node, the declaration of every name and call, and the errors that
//! cel-go reports, with cel-go's messages, positions and order. The source tree does not change;
//! the results are in tables next to its expansion.
//!
//! Upstream: cel-go, checker/checker.go, checker/types.go; cel/env.go, `Check`.

mod aggregate;
mod call;
mod comprehension;
mod error;
mod name;
mod overloads;
mod report;
mod scope;
mod unify;
mod validate;
mod walk;
mod well_known;

#[cfg(test)]
mod tests;

pub use error::{CheckError, CheckErrorKind, Undeclared};
pub(crate) use name::type_value;
pub use overloads::OverloadSet;

use crate::env::{DeclaredOverload, Env};
use crate::expand::{Expansion, NodeId, expand};
use crate::syntax::{Ast, ExprId};
use crate::types::Type;
use std::sync::Arc;
use text::checkpoint::checkpoint;

/// The referent of a name or a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Reference {
    /// A variable, of the environment or of a macro, by its full name. The name begins with a
    /// dot if it refers to the variable of the environment that a variable of a macro hides.
    Variable(Arc<str>),
    /// The name of a type.
    Type(Type),
    /// Overloads of a function of the environment: more than one where only the values
    /// decide.
    Function {
        /// The full name of the function.
        name: &'static str,
        /// Which of its overloads.
        overloads: OverloadSet,
    },
}

/// An expression that has been checked.
#[derive(Clone, Debug)]
pub struct Checked {
    text: Arc<str>,
    /// Shared until a node of it is replaced.
    expansion: Arc<Expansion>,
    /// By node of the expansion.
    types: Vec<Type>,
    /// By node of the expansion.
    references: Vec<Option<Reference>>,
    /// The types of the nodes that are in the source but not in the expansion, by source node.
    declared: Vec<(ExprId, Type)>,
    errors: Vec<CheckError>,
    /// The number of errors beyond `errors`.
    more_errors: usize,
}

/// Checks an expression. It never fails: the errors are in [`Checked::errors`]. An expression
/// with syntax errors is checked as far as it could be parsed.
#[must_use]
pub fn check(ast: &Ast, env: &Env) -> Checked {
    check_expanded(ast, Arc::new(expansion(ast, env)), env)
}

/// Returns the tree of an expression with the macros of an environment expanded.
#[must_use]
pub fn expansion(ast: &Ast, env: &Env) -> Expansion {
    expand(ast, &|kind, variables| env.expands(kind, variables))
}

/// Checks an expression like [`check`], with its known [`expansion`]: that of this environment, or
/// of another one with the same [`Env::macros`].
#[must_use]
pub fn check_expanded(ast: &Ast, expansion: Arc<Expansion>, env: &Env) -> Checked {
    checkpoint();
    walk::check(ast, env, expansion)
}

impl Checked {
    /// Returns the tree without macros, as cel-go has it after the check: a chain `a.b` that is
    /// the name of one variable is an identifier, `a.f()` with a function `a.f` has no target,
    /// and names are full names. Replaced nodes have no parent.
    #[must_use]
    pub fn expansion(&self) -> &Expansion {
        &self.expansion
    }

    /// Returns the source of the expression.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the type of a node; [`Type::Error`] if it has none.
    #[must_use]
    pub fn type_of(&self, node: NodeId) -> &Type {
        self.types.get(node.index()).unwrap_or(&Type::Error)
    }

    /// Returns the type of a node of the source: of an expression, of the variable of a macro, of
    /// the field in `has(a.field)`. `None` if it has none, because it is invalid or part of a name.
    #[must_use]
    pub fn type_of_expr(&self, expr: ExprId) -> Option<&Type> {
        let declared = self.declared.binary_search_by_key(&expr, |entry| entry.0);
        if let Some(entry) = declared.ok().and_then(|at| self.declared.get(at)) {
            return Some(&entry.1);
        }
        let ty = self.types.get(self.expansion.of_expr(expr)?.index())?;
        (!ty.is_error()).then_some(ty)
    }

    /// Returns the type of the expression.
    #[must_use]
    pub fn output_type(&self) -> &Type {
        self.type_of(self.expansion.root())
    }

    /// Returns the referent of a node. `None` for constants, fields and errors.
    #[must_use]
    pub fn reference(&self, node: NodeId) -> Option<&Reference> {
        self.references.get(node.index())?.as_ref()
    }

    /// Returns the overloads that a call can mean, in the environment that it was checked in.
    pub fn overloads<'e>(
        &self,
        node: NodeId,
        env: &'e Env,
    ) -> impl Iterator<Item = &'e DeclaredOverload> + use<'e> {
        let (declared, set) = match self.reference(node) {
            Some(Reference::Function { name, overloads }) => {
                let declared = env.function(name).map_or(&[][..], |it| &it.overloads);
                (declared, *overloads)
            }
            _ => (&[][..], OverloadSet::default()),
        };
        declared
            .iter()
            .enumerate()
            .filter(move |(index, _)| set.contains(*index))
            .map(|(_, overload)| overload)
    }

    /// Returns the errors, ordered by position. cel-go reports at most
    /// [`crate::syntax::MAX_ERRORS`].
    #[must_use]
    pub fn errors(&self) -> &[CheckError] {
        &self.errors
    }

    /// Returns whether the API server accepts the expression.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.errors.is_empty()
    }
}
