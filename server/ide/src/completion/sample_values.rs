//! The values of a part of an expression in samples.
//!
//! This is not an evaluation: it follows fields, elements and variables of macros by name, through
//! half-written expressions, and returns every possible value.

use super::context::Context;
use cel::Value;
use cel::syntax::{Ast, ExprId, ExprKind, IdentRole, Literal, MacroCall, MacroKind};
use policy::Expression;
use policy::variables::Variables;

/// Limit: values of one part. The first elements of a long list are representative.
const MAX_VALUES: usize = 50;
/// Limit: steps from a part to the samples. Variables can refer to each other in a cycle.
const MAX_STEPS: u32 = 200;

/// Returns the values of a node of the expression at the cursor.
pub(super) fn values(context: &Context<'_>, id: ExprId) -> Vec<Value> {
    let mut evaluator = SampleEvaluator {
        context,
        variables: None,
        steps: MAX_STEPS,
    };
    evaluator.values(context.target.expression, id)
}

struct SampleEvaluator<'c> {
    context: &'c Context<'c>,
    variables: Option<Variables<'c>>,
    steps: u32,
}

impl<'c> SampleEvaluator<'c> {
    fn values(&mut self, expression: &'c Expression, id: ExprId) -> Vec<Value> {
        let Some(steps) = self.steps.checked_sub(1) else {
            return Vec::new();
        };
        self.steps = steps;
        let ast = expression.ast();
        let mut found = match ast.kind(id) {
            ExprKind::Paren(inner) => self.values(expression, *inner),
            ExprKind::Ident { .. } => self.ident(expression, id),
            ExprKind::Select { operand, field, .. } => {
                self.field(expression, *operand, ast.name(*field))
            }
            ExprKind::Index { operand, index, .. } => self.index(expression, *operand, *index),
            ExprKind::Conditional {
                then, otherwise, ..
            } => {
                let mut found = self.values(expression, *then);
                found.extend(self.values(expression, *otherwise));
                found
            }
            ExprKind::Binary { left, right, .. } => {
                let mut found = self.values(expression, *left);
                found.extend(self.values(expression, *right));
                found.retain(|value| matches!(value, Value::List(_)));
                found
            }
            ExprKind::Call { .. } => self.call(expression, id),
            _ => Vec::new(),
        };
        found.truncate(MAX_VALUES);
        found
    }

    fn ident(&mut self, expression: &'c Expression, id: ExprId) -> Vec<Value> {
        let ast = expression.ast();
        let uses = ast.idents(ast.root(), &[]);
        let Some(found) = uses.iter().find(|found| found.id == id) else {
            return Vec::new();
        };
        match found.role {
            IdentRole::Declaration(binding) | IdentRole::Bound(binding) => {
                let Some(call) = ast.macro_call(binding.call) else {
                    return Vec::new();
                };
                let mut variables = call.variables.iter();
                let name = ast.name(binding.name);
                let is_it =
                    |it: &ExprId| ast.macro_variable(*it).map(|it| ast.name(it)) == Some(name);
                let place = variables.position(is_it).unwrap_or(0);
                self.elements(expression, call, place)
            }
            IdentRole::Free => self.root(ast, ast.name(found.name)),
        }
    }

    /// Returns the values of the variable at `position` of a macro.
    fn elements(
        &mut self,
        expression: &'c Expression,
        call: MacroCall<'_>,
        position: usize,
    ) -> Vec<Value> {
        let Some(target) = call.target else {
            return Vec::new();
        };
        let ranges = self.values(expression, target);
        if matches!(call.kind, MacroKind::OptMap | MacroKind::OptFlatMap) {
            return ranges;
        }
        let is_value = call.variables.len() > 1 && position == 1;
        let is_key = call.variables.len() > 1 && position == 0;
        let mut found = Vec::new();
        for range in ranges {
            match &range {
                Value::List(elements) if !is_key => found.extend(elements.iter().cloned()),
                Value::Map(map) if is_value => {
                    found.extend(map.iter().map(|(_, value)| value.clone()));
                }
                Value::Map(map) => found.extend(map.iter().map(|(key, _)| key.value())),
                _ => {}
            }
        }
        found
    }

    fn root(&self, _: &Ast, name: &str) -> Vec<Value> {
        let samples = self.context.samples.iter();
        match name {
            "object" | "oldObject" => samples
                .filter(|sample| {
                    sample.is_matched_by(self.context.target.document, self.context.resources)
                })
                .map(|sample| sample.value.clone())
                .collect(),
            "params" => samples
                .filter(|sample| sample.is_param_of(self.context.target.document))
                .map(|sample| sample.value.clone())
                .collect(),
            "namespaceObject" => samples
                .filter(|sample| sample.api_version == "v1" && sample.kind == "Namespace")
                .map(|sample| sample.value.clone())
                .collect(),
            _ => Vec::new(),
        }
    }

    fn field(&mut self, expression: &'c Expression, operand: ExprId, name: &str) -> Vec<Value> {
        let ast = expression.ast();
        let inner = ast.unparenthesized(operand);
        if let ExprKind::Ident { name: root, .. } = ast.kind(inner)
            && ast.name(*root) == "variables"
        {
            return self.variable(name);
        }
        let values = self.values(expression, operand);
        let fields = values
            .iter()
            .filter_map(|value| value.as_map()?.get_str(name));
        fields.cloned().collect()
    }

    fn variable(&mut self, name: &str) -> Vec<Value> {
        let document = self.context.target.document;
        let variables = self
            .variables
            .get_or_insert_with(|| Variables::new(document));
        let definition = variables
            .index_of(name)
            .and_then(|at| variables.definitions.get(at)?.expression);
        match definition {
            Some(expression) => self.values(expression, expression.ast().root()),
            None => Vec::new(),
        }
    }

    fn index(&mut self, expression: &'c Expression, operand: ExprId, index: ExprId) -> Vec<Value> {
        let ast = expression.ast();
        if let ExprKind::Literal(Literal::String(key)) = ast.kind(ast.unparenthesized(index)) {
            return self.field(expression, operand, key);
        }
        let mut found = Vec::new();
        for value in self.values(expression, operand) {
            match &value {
                Value::List(elements) => found.extend(elements.iter().cloned()),
                Value::Map(map) => found.extend(map.iter().map(|(_, value)| value.clone())),
                _ => {}
            }
        }
        found
    }

    fn call(&mut self, expression: &'c Expression, id: ExprId) -> Vec<Value> {
        let ast = expression.ast();
        if let Some(call) = ast.macro_call(id) {
            return match (call.kind, call.target, call.body.last()) {
                (MacroKind::Filter | MacroKind::SortBy, Some(target), _) => {
                    self.values(expression, target)
                }
                (MacroKind::Map | MacroKind::TransformList, _, Some(body)) => {
                    vec![Value::list(self.values(expression, *body))]
                }
                (MacroKind::OptMap | MacroKind::OptFlatMap, _, Some(body)) => {
                    self.values(expression, *body)
                }
                _ => Vec::new(),
            };
        }
        let ExprKind::Call {
            target: Some(target),
            function,
            args,
            ..
        } = ast.kind(id)
        else {
            return Vec::new();
        };
        match ast.name(*function) {
            "orValue" | "or" => {
                let mut found = self.values(expression, *target);
                for arg in args {
                    found.extend(self.values(expression, *arg));
                }
                found
            }
            "value" | "sort" | "distinct" | "reverse" | "slice" => self.values(expression, *target),
            "first" | "last" => self.index_any(expression, *target),
            _ => Vec::new(),
        }
    }

    fn index_any(&mut self, expression: &'c Expression, target: ExprId) -> Vec<Value> {
        let values = self.values(expression, target);
        let lists = values.iter().filter_map(Value::as_list);
        lists.flatten().cloned().collect()
    }
}
