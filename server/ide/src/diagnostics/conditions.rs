//! Parts of an expression: the clauses of a condition, their equality, and constants.

use cel::eval::{Bindings, Limits, Program};
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind};
use cel::value::EvalError;
use cel::{Env, Value};

/// Limit: clauses of one condition. Each is compared with all others.
const MAX_CLAUSES: usize = 200;

/// Returns the operands of a chain of `operator` in source order; the node itself for any other.
pub(crate) fn operands(ast: &Ast, id: ExprId, operator: BinaryOperator) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut waiting = vec![id];
    while let Some(id) = waiting.pop()
        && found.len() < MAX_CLAUSES
    {
        let id = ast.unparenthesized(id);
        match ast.kind(id) {
            ExprKind::Binary {
                operator: joined,
                left,
                right,
                ..
            } if *joined == operator => waiting.extend([*right, *left]),
            _ => found.push(id),
        }
    }
    found
}

/// Returns the source of a node on one line, for a message. `None` if it is long or has a comment.
pub(super) fn quoted_source(ast: &Ast, id: ExprId) -> Option<String> {
    // Limit: characters of an expression that a message quotes.
    const MAX_SHOWN: usize = 60;
    let text = ast.slice(ast.span(id));
    let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let fits = shown.chars().count() <= MAX_SHOWN && !shown.contains("//");
    fits.then_some(shown)
}

/// Returns for each node whether it consists only of constants. Function calls do not count: they
/// are usually constant on purpose.
pub(super) fn closed(ast: &Ast) -> Vec<bool> {
    let mut closed: Vec<bool> = Vec::with_capacity(ast.len());
    for id in ast.ids() {
        let is_closed = match ast.kind(id) {
            ExprKind::Ident { .. }
            | ExprKind::Error(_)
            | ExprKind::Struct { .. }
            | ExprKind::Call { .. } => false,
            _ => ast
                .children(id)
                .all(|child| closed.get(child.index()).copied().unwrap_or(false)),
        };
        closed.push(is_closed);
    }
    closed
}

/// Returns the value of a constant node. `None` if its evaluation fails.
pub(super) fn value(ast: &Ast, id: ExprId, env: &Env) -> Option<Value> {
    evaluate(ast, id, env)?.ok()
}

/// Returns the value of a constant node, or the error of its evaluation. `None` if the node does
/// not compile.
pub(super) fn evaluate(ast: &Ast, id: ExprId, env: &Env) -> Option<Result<Value, EvalError>> {
    // Limit: cost units; a constant that needs more is rare.
    const BUDGET: u64 = 10_000;
    let parse = cel::syntax::parse(ast.slice(ast.span(id)));
    let checked = cel::check::check(&parse.ast, env);
    if !parse.is_ok() || !checked.is_ok() {
        return None;
    }
    let program = Program::new(&checked, env).ok()?;
    let limits = Limits {
        cost: Some(BUDGET),
        ..Limits::default()
    };
    Some(program.run(&Bindings::new(), &limits).result)
}
