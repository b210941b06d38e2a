//! The variables of macros.
//!
//! A loop over `list.filter(x, p)` iterates over the elements of `list` that satisfy `p`, one over
//! `list.map(x, x.f)` over a part of each element. Guards in the filter protect the loop.

use super::analysis::{Analysis, Scope};
use super::fact_set::{Fact, FactSet};
use super::term::{Term, TermId};
use cel::syntax::{ExprId, ExprKind, MacroCall, MacroKind};

/// The range of a loop.
#[derive(Clone)]
pub(super) struct Iteration {
    /// The list or map that contains the elements.
    pub(super) range: TermId,
    /// The element, or the key of a map.
    pub(super) item: TermId,
    /// The facts that a filter guarantees about the element.
    pub(super) facts: FactSet,
    /// Whether all elements of `range` are visited unchanged.
    pub(super) is_plain: bool,
    number: u32,
}

impl<'d> Analysis<'d> {
    /// Returns the values that a loop over a node iterates over.
    pub(super) fn iteration(&mut self, scope: &Scope<'d>, range: ExprId) -> Iteration {
        let deep = self.deeper(|this| this.known_turn(scope, range));
        match deep.flatten() {
            Some(iteration) => iteration,
            None => {
                let range = self.term(scope, range);
                let number = self.terms.fresh();
                Iteration {
                    range,
                    item: self.terms.add(Term::Item(range, number)),
                    facts: FactSet::default(),
                    is_plain: true,
                    number,
                }
            }
        }
    }

    fn known_turn(&mut self, scope: &Scope<'d>, range: ExprId) -> Option<Iteration> {
        let ast = scope.ast();
        let range = ast.unparenthesized(range);
        if let Some(variable) = self.variable(scope, range) {
            let root = variable.ast().root();
            return Some(self.iteration(&variable, root));
        }
        if let Some(call) = ast.macro_call(range) {
            return self.macro_turn(scope, call);
        }
        let ExprKind::Call {
            target: Some(target),
            function,
            ..
        } = ast.kind(range)
        else {
            return None;
        };
        let keeps = ["distinct", "sort", "reverse", "slice"].contains(&ast.name(*function));
        keeps.then(|| self.iteration(scope, *target))
    }

    fn macro_turn(&mut self, scope: &Scope<'d>, call: MacroCall<'d>) -> Option<Iteration> {
        let mut iteration = self.iteration(scope, call.target?);
        let inner = self.bound(scope, call, &iteration);
        match (call.kind, call.body) {
            (MacroKind::SortBy, _) => {}
            (MacroKind::Filter, [condition]) => {
                let facts = self.assume(&inner, *condition, true).closed(&self.terms);
                iteration.facts = iteration.facts.and(&facts);
            }
            (MacroKind::Map | MacroKind::TransformList, [value]) => {
                iteration.item = self.term(&inner, *value);
            }
            (MacroKind::Map | MacroKind::TransformList, [condition, value]) => {
                let facts = self.assume(&inner, *condition, true).closed(&self.terms);
                iteration.facts = iteration.facts.and(&facts);
                iteration.item = self.term(&inner, *value);
            }
            _ => return None,
        }
        iteration.is_plain = false;
        // A value computed from an element is no longer a key of the range.
        iteration.range = self.terms.unique();
        Some(iteration)
    }

    /// Returns the scope of the body of a macro.
    pub(super) fn bound(
        &mut self,
        scope: &Scope<'d>,
        call: MacroCall<'d>,
        iteration: &Iteration,
    ) -> Scope<'d> {
        let ast = scope.ast();
        let name = |argument: &ExprId| Some(ast.name(ast.macro_variable(*argument)?));
        match call.variables {
            [variable] => scope.with(name(variable).map(|name| (name, iteration.item))),
            [first, second] => {
                let position = self
                    .terms
                    .add(Term::Position(iteration.range, iteration.number));
                let value = self
                    .terms
                    .add(Term::Value(iteration.range, iteration.number));
                let value = if iteration.is_plain {
                    value
                } else {
                    iteration.item
                };
                let first = name(first).map(|name| (name, position));
                let second = name(second).map(|name| (name, value));
                scope.with(first.into_iter().chain(second))
            }
            _ => scope.clone(),
        }
    }

    /// Returns the facts about all elements that follow from the facts of each iteration.
    pub(super) fn of_each(&mut self, iteration: &Iteration, facts: &FactSet) -> FactSet {
        if !iteration.is_plain {
            return FactSet::default();
        }
        let each = self.terms.add(Term::Each(iteration.range));
        let value = self
            .terms
            .add(Term::Value(iteration.range, iteration.number));
        let facts = facts.about(iteration.item, each, &mut self.terms);
        facts.about(value, each, &mut self.terms)
    }

    /// Returns the facts that follow if these facts hold for some iteration: a key that equals a
    /// constant is in the map.
    pub(super) fn of_some(&mut self, iteration: &Iteration, facts: FactSet) -> FactSet {
        let position = self
            .terms
            .add(Term::Position(iteration.range, iteration.number));
        let keys: Vec<TermId> = facts
            .iter()
            .filter_map(|fact| match fact {
                Fact::OneOf(term, values) if *term == iteration.item || *term == position => {
                    match values.as_slice() {
                        [key] => Some(*key),
                        _ => None,
                    }
                }
                _ => None,
            })
            .collect();
        keys.into_iter().fold(facts, |mut facts, key| {
            let entry = self.terms.index(iteration.range, key);
            facts.add(Fact::Present(entry));
            facts
        })
    }

    /// Returns the facts about the entries of a map in a loop over its keys: they are present.
    pub(super) fn own_entries(&mut self, iteration: &Iteration) -> FactSet {
        let position = self
            .terms
            .add(Term::Position(iteration.range, iteration.number));
        let mut facts = FactSet::default();
        for key in [iteration.item, position] {
            let entry = self.terms.add(Term::Index(iteration.range, key));
            facts.add(Fact::Present(entry));
        }
        facts.add(Fact::Present(iteration.range));
        facts
    }
}
