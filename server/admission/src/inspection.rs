//! The expressions of a policy one by one, each with the value of every part.
//!
//! An editor shows the values of all expressions, whether a decision needs them or not. They share
//! the values of the variables, so a chain of variables is evaluated once for all of them.

use super::compiled::CompiledPolicy;
use super::evaluate::{ExpressionResult, Failure, visibility};
use super::limits::EvaluationLimits;
use super::request::Request;
use super::request_view::{RequestView, Visibility};
use super::variables::Scope;
use cel::eval::Trace;
use cel::value::{EvalError, EvalErrorKind};
use policy::PolicyDocument;
use policy::cost::PER_CALL;
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl ExpressionResult {
    /// Returns the result and the trace of an expression that is not evaluated.
    fn without_value(index: usize, failure: Failure) -> (Self, Trace) {
        let result = Self {
            index,
            result: Err(failure),
            cost: 0,
        };
        (result, Trace::default())
    }

    /// Returns the result and the trace of an expression after the end of the evaluation.
    pub(super) fn canceled(index: usize) -> (Self, Trace) {
        let error = EvalError::new(EvalErrorKind::Canceled);
        Self::without_value(index, Failure::Evaluation(error))
    }
}

impl CompiledPolicy {
    /// Evaluates one expression on a request, with the value of each of its parts. `None` if the
    /// document has no such expression.
    #[must_use]
    pub fn evaluate_expression(
        &self,
        document: &PolicyDocument,
        index: usize,
        request: &Request,
        limits: &EvaluationLimits,
    ) -> Option<(ExpressionResult, Trace)> {
        self.inspect(document, &Arc::new(request.clone()), limits)
            .expression(index)
    }

    /// Prepares to evaluate the expressions of a document one by one on a request.
    #[must_use]
    pub fn inspect<'a>(
        &'a self,
        document: &'a PolicyDocument,
        request: &Arc<Request>,
        limits: &'a EvaluationLimits,
    ) -> Inspection<'a> {
        Inspection {
            policy: self,
            document,
            view: RequestView::new(Arc::clone(request)),
            limits,
            scopes: Vec::new(),
        }
    }
}

/// The expressions of a policy on one request, each evaluated alone. They share the values of the
/// variables.
#[derive(Debug)]
pub struct Inspection<'a> {
    policy: &'a CompiledPolicy,
    document: &'a PolicyDocument,
    view: Arc<RequestView>,
    limits: &'a EvaluationLimits,
    scopes: Vec<(Visibility, Scope)>,
}

impl Inspection<'_> {
    /// Returns the result of an expression and the value of each of its parts. `None` if the
    /// document has no such expression.
    pub fn expression(&mut self, index: usize) -> Option<(ExpressionResult, Trace)> {
        let expression = self.document.expressions().get(index)?;
        let program = match self.policy.program(index)? {
            Ok(program) => program,
            Err(reason) => {
                let failure = Failure::Compilation(Arc::clone(reason));
                return Some(ExpressionResult::without_value(index, failure));
            }
        };
        if self.limits.is_over() {
            return Some(ExpressionResult::canceled(index));
        }
        let limits = self.limits;
        let scope = self.scope(visibility(expression.role))?;
        scope.record_reads();
        let shared = limits.for_shared(PER_CALL, scope.memory());
        let (outcome, trace) = program.run_traced(&scope.roots, &shared);
        scope.memory().fetch_add(outcome.memory, Ordering::Relaxed);
        let result = ExpressionResult {
            index,
            result: outcome.result.map_err(Failure::Evaluation),
            cost: outcome.cost.saturating_add(scope.cost_of_reads()),
        };
        Some((result, trace))
    }

    fn scope(&mut self, wanted: Visibility) -> Option<&Scope> {
        if !self.scopes.iter().any(|(it, _)| *it == wanted) {
            let variables = &self.policy.variables;
            let scope = Scope::new(&self.view, wanted, variables, self.limits);
            self.scopes.push((wanted, scope));
        }
        let mut scopes = self.scopes.iter();
        scopes.find(|(it, _)| *it == wanted).map(|(_, scope)| scope)
    }
}
