//! Resolves parts of expressions to their meaning.
//!
//! A variable of a policy or a macro is replaced with its definition, and the element of a list
//! with its origin, through `map`, `filter` and `+`.

use super::draft::ValuePath;
use super::solver::Solver;
use super::term::{Call, Code, Term, bind};
use crate::presence::Root;
use cel::syntax::{BinaryOperator, MacroCall, MacroKind};
use cel::{Ast, ExprId, ExprKind, Value};
use std::sync::Arc;

impl<'a> Solver<'a> {
    /// Resolves a part of an expression.
    pub(super) fn resolve(&mut self, code: &Code) -> Term {
        self.deeper(|solver| solver.resolved(code))
            .unwrap_or_else(|| Term::Code(code.clone()))
    }

    fn resolved(&mut self, code: &Code) -> Option<Term> {
        let ast = self.ast(code.expression);
        match ast.kind(code.node) {
            ExprKind::Paren(inner) => Some(self.resolve(&code.at(*inner))),
            ExprKind::Literal(literal) => Some(Term::Value(Value::from(literal))),
            ExprKind::Ident { name, .. } => {
                let name = ast.name(*name);
                code.scope.get(name).cloned().or_else(|| {
                    let (root, steps) = (root(name)?, Vec::new());
                    Some(Term::Path(ValuePath { root, steps }))
                })
            }
            ExprKind::Select { operand, field, .. } => {
                self.select(code, ast, *operand, ast.name(*field))
            }
            ExprKind::Index { operand, index, .. } => {
                let index = self.resolve(&code.at(*index));
                let index = self.value(&index)?;
                self.index(&code.at(*operand), &index)
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
                ..
            } => {
                let branch = match self.value_of(&code.at(*condition))? {
                    Value::Bool(true) => *then,
                    _ => *otherwise,
                };
                Some(self.resolve(&code.at(branch)))
            }
            ExprKind::Call { .. } => self.call(code, ast),
            _ => None,
        }
    }

    fn select(&mut self, code: &Code, ast: &'a Ast, operand: ExprId, field: &str) -> Option<Term> {
        let inner = ast.unparenthesized(operand);
        if is_name(ast, inner, "variables") && code.scope.get("variables").is_none() {
            let variable = self.variable(field)?;
            let whole = Code::whole_expression(variable, self.ast(variable));
            return Some(self.resolve(&whole));
        }
        self.index(&code.at(operand), &Value::string(field))
    }

    /// Returns the element of a list, or the field of a map.
    fn index(&mut self, of: &Code, index: &Value) -> Option<Term> {
        match (self.resolve(of), index) {
            (Term::Path(place), Value::String(name)) => Some(Term::Path(place.field(name))),
            (Term::Path(place), Value::Int(number)) => {
                let number = usize::try_from(*number).ok()?;
                Some(Term::Path(place.element(number)))
            }
            (Term::Value(Value::Map(map)), key) => map.get(key).cloned().map(Term::Value),
            (Term::Code(code), Value::Int(number)) => {
                let number = usize::try_from(*number).ok()?;
                let element = self.elements(&Term::Code(code)).into_iter().nth(number);
                // A computed value is resolved to its expression.
                element.filter(|it| !matches!(it, Term::Value(_)))
            }
            (Term::Code(code), key) => {
                let ExprKind::Map { entries } = self.ast(code.expression).kind(code.node) else {
                    return None;
                };
                let is_it = |solver: &mut Self, node| {
                    let value = solver.value_of(&code.at(node));
                    value.is_some_and(|it| it.equals(key) == Ok(true))
                };
                let entry = entries.iter().find(|entry| is_it(self, entry.key))?;
                Some(self.resolve(&code.at(entry.value)))
            }
            _ => None,
        }
    }

    fn call(&mut self, code: &Code, ast: &'a Ast) -> Option<Term> {
        if let Some(call) = ast.macro_call(code.node) {
            let is_optional = matches!(call.kind, MacroKind::OptMap | MacroKind::OptFlatMap);
            let target = self.resolve(&code.at(call.target.filter(|_| is_optional)?));
            let scope = bind(ast, call, &code.scope, &target, 0);
            let body = Code {
                scope,
                ..code.at(*call.body.first()?)
            };
            return Some(self.resolve(&body));
        }
        let call = Call::new(ast, code.node)?;
        match (call.name, call.args.len()) {
            ("dyn" | "of" | "ofNonZeroValue", 1) => {
                Some(self.resolve(&code.at(*call.args.first()?)))
            }
            ("value", 0) => Some(self.resolve(&code.at(call.target?))),
            ("first" | "last", 0) => {
                let mut elements = self.elements_of(&code.at(call.target?)).into_iter();
                if call.name == "first" {
                    elements.next()
                } else {
                    elements.next_back()
                }
            }
            _ => None,
        }
    }

    pub(super) fn elements_of(&mut self, code: &Code) -> Vec<Term> {
        let term = self.resolve(code);
        self.elements(&term)
    }

    /// Returns the elements of a list, or the keys of a map.
    pub(super) fn elements(&mut self, term: &Term) -> Vec<Term> {
        match term {
            Term::Path(place) => {
                let place = place.clone();
                match self.value(term) {
                    Some(Value::List(list)) => {
                        let places = (0..list.len()).map(|index| place.element(index));
                        places.map(Term::Path).collect()
                    }
                    Some(Value::Map(map)) => map
                        .iter()
                        .filter_map(|(key, _)| key.value().as_str().map(Arc::from))
                        .map(|key| Term::Key(place.clone(), key))
                        .collect(),
                    _ => Vec::new(),
                }
            }
            Term::Code(code) => self
                .deeper(|solver| solver.elements_of_code(code))
                .unwrap_or_else(|| values(self.value(term))),
            Term::Key(..) => Vec::new(),
            Term::Value(value) => values(Some(value.clone())),
        }
    }

    fn elements_of_code(&mut self, code: &Code) -> Option<Vec<Term>> {
        let ast = self.ast(code.expression);
        match ast.kind(code.node) {
            ExprKind::List { elements } => {
                let elements = elements.iter();
                Some(
                    elements
                        .map(|it| self.resolve(&code.at(it.value)))
                        .collect(),
                )
            }
            ExprKind::Binary {
                operator: BinaryOperator::Add,
                left,
                right,
                ..
            } => {
                let mut elements = self.elements_of(&code.at(*left));
                elements.extend(self.elements_of(&code.at(*right)));
                Some(elements)
            }
            ExprKind::Call { .. } => match ast.macro_call(code.node) {
                Some(call) => self.elements_of_macro(code, ast, call),
                None => self.elements_of_call(code, Call::new(ast, code.node)?),
            },
            _ => None,
        }
    }

    fn elements_of_macro(
        &mut self,
        code: &Code,
        ast: &'a Ast,
        call: MacroCall<'a>,
    ) -> Option<Vec<Term>> {
        let target = self.elements_of(&code.at(call.target?));
        let (condition, value) = match (call.kind, call.body) {
            (MacroKind::SortBy, _) => return Some(target),
            (MacroKind::Filter, [condition]) => (Some(*condition), None),
            (MacroKind::Map | MacroKind::TransformList, [value]) => (None, Some(*value)),
            (MacroKind::Map | MacroKind::TransformList, [condition, value]) => {
                (Some(*condition), Some(*value))
            }
            _ => return None,
        };
        let mut elements = Vec::new();
        for (place, element) in target.into_iter().enumerate() {
            let scope = bind(ast, call, &code.scope, &element, place);
            let inner = |node| Code {
                scope: scope.clone(),
                ..code.at(node)
            };
            let passes = condition.is_none_or(|condition| self.is_true(&inner(condition)));
            if passes {
                elements.push(value.map_or(element, |value| self.resolve(&inner(value))));
            }
        }
        Some(elements)
    }

    fn elements_of_call(&mut self, code: &Code, call: Call<'a>) -> Option<Vec<Term>> {
        let target = code.at(call.target?);
        match call.name {
            "orValue" | "or" => {
                let term = self.resolve(&target);
                if self.value(&term).is_some() {
                    return Some(self.elements(&term));
                }
                Some(self.elements_of(&code.at(*call.args.first()?)))
            }
            "flatten" => {
                let lists = self.elements_of(&target);
                Some(lists.iter().flat_map(|list| self.elements(list)).collect())
            }
            "distinct" | "sort" | "reverse" | "slice" => Some(self.elements_of(&target)),
            _ => None,
        }
    }
}

fn values(value: Option<Value>) -> Vec<Term> {
    match value {
        Some(Value::List(list)) => list.iter().cloned().map(Term::Value).collect(),
        Some(Value::Map(map)) => map
            .iter()
            .map(|(key, _)| Term::Value(key.value()))
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns whether a node is this identifier.
pub(super) fn is_name(ast: &Ast, node: ExprId, wanted: &str) -> bool {
    matches!(ast.kind(node), ExprKind::Ident { name, .. } if ast.name(*name) == wanted)
}

/// Returns the variable with this name.
fn root(name: &str) -> Option<Root> {
    Some(match name {
        "object" => Root::Object,
        "oldObject" => Root::OldObject,
        "params" => Root::Params,
        "request" => Root::Request,
        "namespaceObject" => Root::Namespace,
        _ => return None,
    })
}
