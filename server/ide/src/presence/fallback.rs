//! Conditions about `x.orValue(d)`: if `d` does not meet one, `x` is present.

use super::analysis::{Analysis, Scope};
use super::fact_set::{Fact, FactSet};
use super::term::{Constant, TermId};
use cel::syntax::{BinaryOperator, ExprId, ExprKind, MacroKind};
use std::cmp::Ordering;

/// The value that a node has if an optional value in it is missing.
struct Fallback {
    value: Constant,
    /// The optional value. `None` if the node is a constant.
    missing: Option<TermId>,
}

impl<'d> Analysis<'d> {
    /// Returns the facts that follow if a comparison is true, or if it is false.
    pub(super) fn compared(
        &mut self,
        scope: &Scope<'d>,
        operator: BinaryOperator,
        (left, right): (ExprId, ExprId),
        truth: bool,
    ) -> FactSet {
        let (one, other) = (self.fallback(scope, left), self.fallback(scope, right));
        let (Some(one), Some(other)) = (one, other) else {
            return FactSet::default();
        };
        match (one.missing, other.missing) {
            (Some(missing), None) | (None, Some(missing)) => {
                self.unless(missing, holds(operator, &one.value, &other.value), truth)
            }
            _ => FactSet::default(),
        }
    }

    /// Returns the facts that follow if a node is, or is not, one of these constants.
    pub(super) fn listed(
        &mut self,
        scope: &Scope<'d>,
        id: ExprId,
        values: &[TermId],
        truth: bool,
    ) -> FactSet {
        let Some(fallback) = self.fallback(scope, id) else {
            return FactSet::default();
        };
        let is_fallback = |value: &TermId| self.terms.as_constant(*value) == Some(&fallback.value);
        let holds = values.iter().any(is_fallback);
        match fallback.missing {
            Some(missing) => self.unless(missing, Some(holds), truth),
            None => FactSet::default(),
        }
    }

    /// Returns the facts that follow if a method of a string with a constant argument has this
    /// result.
    pub(super) fn searched(
        &mut self,
        scope: &Scope<'d>,
        (target, function, argument): (ExprId, &str, ExprId),
        truth: bool,
    ) -> FactSet {
        let (text, part) = (self.fallback(scope, target), self.fallback(scope, argument));
        let (Some(text), Some(part)) = (text, part) else {
            return FactSet::default();
        };
        let (Constant::Text(string), Constant::Text(wanted)) = (&text.value, &part.value) else {
            return FactSet::default();
        };
        let holds = match function {
            "startsWith" => string.starts_with(&**wanted),
            "endsWith" => string.ends_with(&**wanted),
            "contains" => string.contains(&**wanted),
            _ => return FactSet::default(),
        };
        match text.missing {
            Some(missing) => self.unless(missing, Some(holds), truth),
            None => FactSet::default(),
        }
    }

    /// Returns the facts that follow if a boolean with a default has this value.
    pub(super) fn decided(&mut self, scope: &Scope<'d>, id: ExprId, truth: bool) -> FactSet {
        match self.fallback(scope, id) {
            Some(Fallback {
                value: Constant::Bool(value),
                missing: Some(missing),
            }) => self.unless(missing, Some(value), truth),
            _ => FactSet::default(),
        }
    }

    /// Returns whether a node is `x.orValue([])` or `x.orValue({})`, which is always present.
    pub(super) fn is_or_empty(&mut self, scope: &Scope<'d>, id: ExprId) -> bool {
        let fallback = self.fallback(scope, id);
        fallback.is_some_and(|it| it.value == Constant::Empty && it.missing.is_some())
    }

    /// Returns that a value is present, if the condition would have the other result without it.
    fn unless(&self, missing: TermId, holds: Option<bool>, truth: bool) -> FactSet {
        match holds {
            Some(holds) if holds != truth => self.all_present(missing),
            _ => FactSet::default(),
        }
    }

    /// Returns the value of a node if what it reads is missing. `None` if it is not known.
    fn fallback(&mut self, scope: &Scope<'d>, id: ExprId) -> Option<Fallback> {
        let (scope, id) = self.origin(scope, id);
        let ast = scope.ast();
        if let ExprKind::Call {
            target,
            function,
            args,
            ..
        } = ast.kind(id)
        {
            return match (ast.name(*function), target, &**args) {
                ("orValue", Some(optional), [default]) => Some(Fallback {
                    value: self.fallback(&scope, *default)?.value,
                    missing: Some(self.optional(&scope, *optional)),
                }),
                ("size", Some(of), []) | ("size", None, [of]) => {
                    let of = self.fallback(&scope, *of)?;
                    let value = Constant::Int(match of.value {
                        Constant::Empty => 0,
                        Constant::Text(text) => i64::try_from(text.chars().count()).ok()?,
                        _ => return None,
                    });
                    Some(Fallback { value, ..of })
                }
                _ => None,
            };
        }
        let term = self.term(&scope, id);
        let value = self.terms.as_constant(term)?.clone();
        Some(Fallback {
            value,
            missing: None,
        })
    }

    /// Returns the facts that follow if an optional has a value, or if it has none.
    pub(super) fn tested(&mut self, scope: &Scope<'d>, id: ExprId, has_value: bool) -> FactSet {
        if has_value {
            let source = self.optional(scope, id);
            return self.all_present(source);
        }
        FactSet::from_fact(Fact::Absent(self.term(scope, id)))
    }

    /// Returns the value that is present if an optional has a value.
    fn optional(&mut self, scope: &Scope<'d>, id: ExprId) -> TermId {
        let (scope, id) = self.origin(scope, id);
        let call = scope.ast().macro_call(id);
        let mapped = call.filter(|it| matches!(it.kind, MacroKind::OptMap | MacroKind::OptFlatMap));
        match mapped.and_then(|call| call.target) {
            Some(target) => self.optional(&scope, target),
            None => self.term(&scope, id),
        }
    }

    /// Returns the node without parentheses, or the expression of the variable that it names.
    fn origin(&self, scope: &Scope<'d>, id: ExprId) -> (Scope<'d>, ExprId) {
        let id = scope.ast().unparenthesized(id);
        match self.variable(scope, id) {
            Some(variable) => {
                let root = variable.ast().root();
                self.origin(&variable, root)
            }
            None => (scope.clone(), id),
        }
    }
}

/// Returns whether a comparison of two constants is true. `None` if that is not known.
fn holds(operator: BinaryOperator, one: &Constant, other: &Constant) -> Option<bool> {
    let order = match (one, other) {
        (Constant::Int(one), Constant::Int(other)) => one.cmp(other),
        (Constant::Text(one), Constant::Text(other)) => one.cmp(other),
        (Constant::Other(_), _) | (_, Constant::Other(_)) => return None,
        _ => {
            let is_equal = one == other;
            return match operator {
                BinaryOperator::Equals => Some(is_equal),
                BinaryOperator::NotEquals => Some(!is_equal),
                _ => None,
            };
        }
    };
    Some(match operator {
        BinaryOperator::Equals => order == Ordering::Equal,
        BinaryOperator::NotEquals => order != Ordering::Equal,
        BinaryOperator::Less => order == Ordering::Less,
        BinaryOperator::LessEquals => order != Ordering::Greater,
        BinaryOperator::Greater => order == Ordering::Greater,
        BinaryOperator::GreaterEquals => order != Ordering::Less,
        _ => return None,
    })
}
