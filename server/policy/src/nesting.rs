//! How deeply the variables of a policy nest.
//!
//! A variable is evaluated when it is first read, inside the evaluation that reads it, and its
//! value can contain the values of others. So variables nest without a limit, although each of
//! their expressions is within the limits of cel-go. The stack of the API server grows as needed;
//! here an evaluation must know in advance how much it needs.

use crate::policy_document::PolicyDocument;
use crate::typecheck::Checked;
use crate::variables::Variables;
use cel::Type;
use cel::syntax::{Ast, ExprId, ExprKind};

/// Limit: the nested steps of the evaluation of a variable, with those of the variables that it
/// reads. The stack of a Go program is limited to 1 GB, which is enough for several times as many.
pub const MAX_STEPS: u32 = 100_000;

/// Limit: the nested lists and maps in the value of a variable. Kubernetes has no such limit.
pub const MAX_DEPTH: u32 = 100;

/// The steps between the evaluation of a variable and that of its expression.
const VARIABLE_STEPS: u32 = 6;

/// The steps of a macro, which is a loop with conditions.
const MACRO_STEPS: u32 = 4;

/// The steps of all variables of most policies together.
const FEW: u32 = 60;

/// An upper bound of how deeply an evaluation and its value nest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nesting {
    /// The nested steps of the evaluation.
    pub steps: u32,
    /// Those of the expression itself, without the variables that it reads.
    pub own_steps: u32,
    /// The nested lists and maps in the value.
    pub depth: u32,
}

impl Nesting {
    /// Returns whether the nesting exceeds a limit.
    #[must_use]
    pub const fn is_exceeded(self) -> bool {
        self.steps > MAX_STEPS || self.depth > MAX_DEPTH
    }

    fn max(self, other: Self) -> Self {
        Self {
            steps: self.steps.max(other.steps),
            own_steps: self.own_steps.max(other.own_steps),
            depth: self.depth.max(other.depth),
        }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            steps: self.steps.saturating_add(other.steps),
            own_steps: self.own_steps,
            depth: self.depth.saturating_add(other.depth),
        }
    }
}

/// Returns the nesting of each variable of a policy, by its index in `spec.variables`.
#[must_use]
pub fn of_variables(document: &PolicyDocument, variables: &Variables<'_>) -> Vec<Nesting> {
    let definitions = variables.definitions.iter();
    let own = definitions.map(|it| {
        let expression = it.expression?;
        let checked = document.checked(expression)?;
        Some(of_expression(expression.ast(), checked))
    });
    let own: Vec<Nesting> = own.map(Option::unwrap_or_default).collect();
    let sum = own.iter().fold(Nesting::default(), |sum, it| sum.plus(*it));
    let Some(order) = variables.order().filter(|_| sum.steps > FEW) else {
        let own = own.iter().map(|it| it.own_steps);
        return own.map(|own_steps| Nesting { own_steps, ..sum }).collect();
    };
    let dependencies = variables.dependencies();
    let mut found = own.clone();
    for index in order {
        let read = dependencies.get(index).into_iter().flatten();
        let read = read
            .filter_map(|it| found.get(*it).copied())
            .fold(Nesting::default(), Nesting::max);
        let is_scalar = variables.definitions.get(index).is_some_and(|it| {
            let checked = it
                .expression
                .and_then(|it| Some((it, document.checked(it)?)));
            checked.is_some_and(|(it, checked)| is_scalar(checked, it.ast().root()))
        });
        if let Some(own) = found.get_mut(index) {
            *own = own.plus(read);
            if is_scalar {
                own.depth = 0;
            }
        }
    }
    found
}

/// Returns the nesting of the variable with this expression, without the variables that it reads.
fn of_expression(ast: &Ast, checked: &Checked) -> Nesting {
    let mut nestings: Vec<Nesting> = Vec::with_capacity(ast.len());
    // Children come first.
    for id in ast.ids() {
        let children = ast.children(id);
        let inner = children
            .filter_map(|child| nestings.get(child.index()).copied())
            .fold(Nesting::default(), Nesting::max);
        let own = match ast.kind(id) {
            ExprKind::Call { .. } if ast.macro_call(id).is_some() => (MACRO_STEPS, 1),
            ExprKind::List { .. }
            | ExprKind::Map { .. }
            | ExprKind::Struct { .. }
            | ExprKind::Call { .. } => (1, 1),
            _ => (1, 0),
        };
        let mut nesting = inner.plus(Nesting {
            steps: own.0,
            depth: own.1,
            ..Nesting::default()
        });
        if is_scalar(checked, id) {
            nesting.depth = 0;
        }
        nestings.push(nesting);
    }
    let whole = nestings
        .get(ast.root().index())
        .copied()
        .unwrap_or_default();
    let steps = whole.steps.saturating_add(VARIABLE_STEPS);
    Nesting {
        steps,
        own_steps: steps,
        ..whole
    }
}

/// Returns whether the value of an expression cannot contain others.
fn is_scalar(checked: &Checked, id: ExprId) -> bool {
    matches!(
        checked.type_of(id),
        Some(
            Type::Bool
                | Type::Bytes
                | Type::Double
                | Type::Duration
                | Type::Int
                | Type::Null
                | Type::String
                | Type::Timestamp
                | Type::Uint
        )
    )
}

#[cfg(test)]
mod tests;
