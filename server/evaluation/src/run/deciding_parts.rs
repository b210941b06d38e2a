//! The parts of an expression that decided its value.
//!
//! A long condition is false because of one of its parts, so an author wants to see the value
//! of that part.

use cel::Value;
use cel::eval::Trace;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, MacroKind};
use cel::value::EvalError;

/// Limit: the nesting that is visited. Deeper parts are not marked.
const MAX_DEPTH: usize = 200;

/// Limit: the parts that are marked.
const MAX_PARTS: usize = 500;

/// Returns the parts that decided, each after the one that holds it.
pub(super) fn deciding_parts(ast: &Ast, root: ExprId, values: &Trace) -> Vec<ExprId> {
    let mut search = Search {
        ast,
        values,
        found: Vec::new(),
    };
    search.part(root, 0);
    search.found
}

struct Search<'a> {
    ast: &'a Ast,
    values: &'a Trace,
    found: Vec<ExprId>,
}

impl Search<'_> {
    fn value(&self, id: ExprId) -> Option<&Result<Value, EvalError>> {
        self.values.get(self.ast.unparenthesized(id))
    }

    fn is(&self, id: ExprId, wanted: bool) -> bool {
        matches!(self.value(id), Some(Ok(Value::Bool(value))) if *value == wanted)
    }

    fn fails(&self, id: ExprId) -> bool {
        matches!(self.value(id), Some(Err(_)))
    }

    /// Marks a part, and the parts of it that decided.
    fn part(&mut self, id: ExprId, depth: usize) {
        let id = self.ast.unparenthesized(id);
        if depth > MAX_DEPTH || self.found.len() >= MAX_PARTS || self.values.get(id).is_none() {
            return;
        }
        self.found.push(id);
        for part in self.inside(id) {
            self.part(part, depth + 1);
        }
    }

    /// Returns the parts inside a part that decided its value.
    fn inside(&self, id: ExprId) -> Vec<ExprId> {
        if let Some(call) = self.ast.macro_call(id) {
            return self.inside_macro(id, call.kind, call.target, call.body);
        }
        match self.ast.kind(id) {
            ExprKind::Binary {
                operator: operator @ (BinaryOperator::And | BinaryOperator::Or),
                ..
            } => self.operands(id, *operator),
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
                ..
            } => vec![*condition, *then, *otherwise],
            ExprKind::Index { index, .. } => self.failing(id).unwrap_or_else(|| vec![*index]),
            ExprKind::Select { .. } => self.failing(id).unwrap_or_default(),
            _ => self.failing(id).unwrap_or_else(|| children(self.ast, id)),
        }
    }

    /// Returns the operands of a chain of `&&` or `||`: the one that decided, or all.
    fn operands(&self, id: ExprId, operator: BinaryOperator) -> Vec<ExprId> {
        let mut operands = Vec::new();
        self.chain(id, operator, 0, &mut operands);
        let deciding = operator == BinaryOperator::Or;
        let one = operands.iter().find(|it| self.is(**it, deciding));
        let one = one.or_else(|| operands.iter().find(|it| self.fails(**it)));
        one.map_or_else(|| operands.clone(), |one| vec![*one])
    }

    fn chain(&self, id: ExprId, chain: BinaryOperator, depth: usize, operands: &mut Vec<ExprId>) {
        match self.ast.kind(id) {
            ExprKind::Binary {
                operator,
                left,
                right,
                ..
            } if *operator == chain && depth < MAX_DEPTH => {
                self.chain(*left, chain, depth + 1, operands);
                self.chain(*right, chain, depth + 1, operands);
            }
            _ => operands.push(id),
        }
    }

    /// Returns the deciding parts inside a macro. The condition of a loop counts only if it ran
    /// once: otherwise the value of its last iteration explains little.
    fn inside_macro(
        &self,
        id: ExprId,
        kind: MacroKind,
        target: Option<ExprId>,
        body: &[ExprId],
    ) -> Vec<ExprId> {
        let one_turn = match kind {
            MacroKind::All => self.is(id, false),
            MacroKind::Exists => self.is(id, true),
            MacroKind::OptMap | MacroKind::OptFlatMap => true,
            MacroKind::Has
            | MacroKind::ExistsOne
            | MacroKind::Map
            | MacroKind::Filter
            | MacroKind::SortBy
            | MacroKind::TransformList
            | MacroKind::TransformMap
            | MacroKind::TransformMapEntry => false,
        };
        let parts = || target.into_iter().chain(body.iter().copied());
        if self.fails(id) {
            return parts().filter(|it| self.fails(*it)).collect();
        }
        if one_turn {
            body.to_vec()
        } else if kind == MacroKind::Has {
            Vec::new()
        } else {
            target.into_iter().collect()
        }
    }

    /// Returns the parts that fail, of one that fails.
    fn failing(&self, id: ExprId) -> Option<Vec<ExprId>> {
        let children = || children(self.ast, id).into_iter();
        self.fails(id)
            .then(|| children().filter(|it| self.fails(*it)).collect())
    }
}

/// Returns the operands of an operator, a call or a constructor.
fn children(ast: &Ast, id: ExprId) -> Vec<ExprId> {
    match ast.kind(id) {
        ExprKind::Error(_) | ExprKind::Literal(_) | ExprKind::Ident { .. } => Vec::new(),
        ExprKind::Select { operand, .. } | ExprKind::Unary { operand, .. } => vec![*operand],
        ExprKind::Index { operand, index, .. } => vec![*operand, *index],
        ExprKind::Call { target, args, .. } => target.iter().chain(args.iter()).copied().collect(),
        ExprKind::Binary { left, right, .. } => vec![*left, *right],
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
            ..
        } => vec![*condition, *then, *otherwise],
        ExprKind::List { elements } => elements.iter().map(|it| it.value).collect(),
        ExprKind::Map { entries } => entries.iter().flat_map(|it| [it.key, it.value]).collect(),
        ExprKind::Struct { fields, .. } => fields.iter().map(|it| it.value).collect(),
        ExprKind::Paren(inner) => vec![*inner],
    }
}
