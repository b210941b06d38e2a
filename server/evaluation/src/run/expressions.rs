//! The values of the expressions of a policy that was evaluated.
//!
//! The expressions that see the same request share the variables. A mutation sees the object after
//! the mutations before it, and no evaluation keeps these objects: there may be thousands.

use super::outcome::PolicyEvaluation;
use super::result_text::{Detail, ResultText, TextBudget};
use super::{Evaluator, ExpressionEvaluation, PolicyAnswer, PolicyOutcome, trace};
use admission::{ExpressionResult, Request};
use cel::eval::Trace;
use policy::{Expression, PolicyDocument};
use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use text::TextSize;

/// Limit: the time for the values of a policy that was stopped by its deadline.
const AFTER_STOP: Duration = Duration::from_millis(300);

/// The room for the values of one policy: those of its expressions, and those of their parts.
pub(super) struct Room {
    values: TextBudget,
    parts: TextBudget,
}

impl Room {
    pub(super) const fn new(detail: Detail) -> Self {
        Self {
            values: TextBudget::new(detail),
            parts: TextBudget::new(detail),
        }
    }
}

impl Evaluator<'_> {
    /// Evaluates an expression of a policy that was stopped, with all others. Those that do not
    /// need what stopped it have a value.
    pub(super) fn expression_before_stop(
        &self,
        policy: usize,
        expression: usize,
        request: &Arc<Request>,
    ) -> Option<Arc<ExpressionEvaluation>> {
        let limits = self.limits.at_least(AFTER_STOP);
        let evaluator = Evaluator {
            limits: &limits,
            ..*self
        };
        let count = self.policies.get(policy)?.expressions().len();
        let all: Vec<usize> = (0..count).collect();
        let found =
            || Arc::new(evaluator.inspect(policy, &all, request, &mut Room::new(Detail::Cut)));
        let cache = self.server.cache();
        let found = cache.expressions((policy, None), request, &limits, found);
        found.get(&expression).cloned()
    }

    /// Evaluates every expression of a policy by itself, in the order of the file. Empty if the
    /// policy was not evaluated.
    #[must_use]
    pub fn expressions(&self, answer: &PolicyAnswer, detail: Detail) -> Vec<ExpressionEvaluation> {
        let document = self.policies.get(answer.policy);
        let (Some(document), PolicyOutcome::Evaluated(evaluation)) = (document, &answer.outcome)
        else {
            return Vec::new();
        };
        let expressions = document.expressions();
        let is_mutation = |it: &usize| expressions.get(*it).is_some_and(|it| it.role.is_mutation());
        let indexes: Vec<usize> = (0..expressions.len()).collect();
        let mut found = Vec::new();
        let mut room = Room::new(detail);
        // Every mutation sees another request.
        for run in indexes.chunk_by(|a, b| !is_mutation(a) && !is_mutation(b)) {
            let Some(first) = run.first() else { continue };
            if let Some(request) = self.request_at(answer.policy, *first, evaluation) {
                let values = self.inspect(answer.policy, run, &request, &mut room);
                found.extend(values.into_values().map(Arc::unwrap_or_clone));
            }
        }
        found
    }

    /// Returns the request as an expression of a policy sees it. For a mutation the object includes
    /// the mutations before it, which are applied again from the one that was read last.
    fn request_at(
        &self,
        policy: usize,
        expression: usize,
        evaluation: &PolicyEvaluation,
    ) -> Option<Arc<Request>> {
        let document = self.policies.get(policy)?;
        if !document.expressions().get(expression)?.role.is_mutation() {
            return Some(Arc::clone(&evaluation.request));
        }
        let compiled = self.programs.policies.get(policy)?;
        let kinds = self.server.api_server().kinds();
        let cursor = evaluation.cursor.lock();
        let mut cursor = cursor.unwrap_or_else(PoisonError::into_inner);
        let last = cursor.as_ref().filter(|(index, _)| *index <= expression);
        let (from, last) = last.map_or((0, &evaluation.request), |(from, it)| (*from, it));
        let known = (from, last);
        let request = compiled.request_before(document, expression, known, kinds, self.limits);
        if !self.limits.is_over() {
            *cursor = Some((expression, Arc::clone(&request)));
        }
        Some(request)
    }

    /// Evaluates an expression with all others of its policy that see the same request. They share
    /// the variables, so the results of the others are then known.
    pub(super) fn expression_shared(
        &self,
        policy: usize,
        expression: usize,
        evaluation: &PolicyEvaluation,
    ) -> Option<Arc<ExpressionEvaluation>> {
        let expressions = self.policies.get(policy)?.expressions();
        let is_mutation = expressions.get(expression)?.role.is_mutation();
        let found = || {
            let others = expressions.iter().enumerate();
            let others = others.filter(|(_, it)| !it.role.is_mutation());
            let same: Vec<usize> = if is_mutation {
                vec![expression]
            } else {
                others.map(|(index, _)| index).collect()
            };
            let request = self.request_at(policy, expression, evaluation);
            let request = request.as_ref().unwrap_or(&evaluation.request);
            Arc::new(self.inspect(policy, &same, request, &mut Room::new(Detail::Cut)))
        };
        let place = (policy, is_mutation.then_some(expression));
        let cache = self.server.cache();
        let found = cache.expressions(place, &evaluation.request, self.limits, found);
        found.get(&expression).cloned()
    }

    /// Evaluates a match condition of a webhook.
    pub(super) fn condition_once(
        &self,
        policy: usize,
        expression: usize,
        request: &Arc<Request>,
    ) -> Option<Arc<ExpressionEvaluation>> {
        let found = || {
            let request = self.server.api_server().authorized(request);
            Arc::new(self.inspect(policy, &[expression], &request, &mut Room::new(Detail::Cut)))
        };
        let place = (policy, Some(expression));
        let found = (self.server.cache()).expressions(place, request, self.limits, found);
        found.get(&expression).cloned()
    }

    /// Evaluates an expression against a request as its policy sees it, for a mutation after those
    /// before it.
    #[must_use]
    pub fn expression_for(
        &self,
        policy: usize,
        expression: usize,
        request: &Arc<Request>,
    ) -> Option<Arc<ExpressionEvaluation>> {
        let document = self.policies.get(policy)?;
        let compiled = self.programs.policies.get(policy)?;
        let kinds = self.server.api_server().kinds();
        let is_mutation = document.expressions().get(expression)?.role.is_mutation();
        let known = (if is_mutation { 0 } else { expression }, request);
        let request = compiled.request_before(document, expression, known, kinds, self.limits);
        self.inspect(policy, &[expression], &request, &mut Room::new(Detail::Cut))
            .remove(&expression)
    }

    /// Evaluates some expressions against a request. They share the variables, and the room for
    /// their values.
    pub(super) fn inspect(
        &self,
        policy: usize,
        expressions: &[usize],
        request: &Arc<Request>,
        room: &mut Room,
    ) -> BTreeMap<usize, Arc<ExpressionEvaluation>> {
        let document = self.policies.get(policy);
        let compiled = self.programs.policies.get(policy);
        let Some((document, compiled)) = document.zip(compiled) else {
            return BTreeMap::new();
        };
        let Room { values, parts } = room;
        let mut shown = |index: usize, found: Option<(ExpressionResult, Trace)>| {
            let (result, trace) = found?;
            let written = document.expressions().get(index)?;
            let shown = ExpressionEvaluation {
                range: document.node(written.node).range(),
                end: end(document, written),
                path: written.path.to_string(),
                result: ResultText::new(&result.result, values),
                cost: result.cost,
                trace: trace::steps(document, written, &trace, parts),
            };
            Some((index, Arc::new(shown)))
        };
        let indexes = expressions.iter().copied();
        match self.server.crd_validator(policy) {
            Some(validator) => {
                let rules = validator.inspect(request, self.limits);
                let rules = rules.as_ref();
                let found = indexes.filter_map(|it| shown(it, rules?.expression(it)));
                found.collect()
            }
            None => {
                let mut inspection = compiled.inspect(document, request, self.limits);
                let found = indexes.filter_map(|it| shown(it, inspection.expression(it)));
                found.collect()
            }
        }
    }
}

/// Returns the offset after which the value of an expression is shown. A block scalar ends
/// after its last line break, where the next field begins.
fn end(document: &PolicyDocument, expression: &Expression) -> TextSize {
    let node = document.node(expression.node);
    let is_block = node
        .as_scalar()
        .is_some_and(|scalar| scalar.header().is_some());
    if !is_block {
        return node.range().end();
    }
    let ast = expression.ast();
    document.range(expression, ast.span(ast.root())).end()
}
