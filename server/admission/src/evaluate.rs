//! Evaluation of a policy against a request.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/validator.go,
//! Validate; pkg/admission/plugin/cel/activation.go, Evaluate.

use super::audit_annotations::{AuditAnnotation, audit_annotation};
use super::compiled::CompiledPolicy;
use super::decision::{Decision, DecisionOutcome, Evaluated, OutOfBudget, Verdict, decide};
use super::failure_policy;
use super::limits::{EvaluationLimits, stopped};
use super::match_conditions::Matched;
use super::request::Request;
use super::request_view::{RequestView, Roots, Visibility};
use super::variables::Scope;
use cel::Value;
use cel::eval::{Activation, Bindings, Outcome as CelOutcome, Program};
use cel::value::{EvalError, EvalErrorKind};
use policy::PolicyDocument;
use policy::Role;
use policy::cost::{MATCH_CONDITIONS, PER_CALL, VALIDATIONS};
use policy::manifest::Validation;
use policy::typecheck::compile::Refusal;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use yaml::Node;

/// The evaluation of a policy against a request.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// The outcome.
    pub verdict: Verdict,
    /// The decision of each validation, in order. One decision about the whole policy if its match
    /// conditions fail or its budget is exceeded.
    pub decisions: Vec<Decision>,
    /// The audit annotations, in their order.
    pub audit_annotations: Vec<AuditAnnotation>,
    /// The result of each evaluated expression, in the order of evaluation.
    pub results: Vec<ExpressionResult>,
    /// The cost units of all of them, with those of the variables that they read.
    pub cost: u64,
}

/// The result of an expression.
#[derive(Clone, Debug)]
pub struct ExpressionResult {
    /// Its index in [`PolicyDocument::expressions`].
    pub index: usize,
    /// The value or the failure.
    pub result: Result<Value, Failure>,
    /// The cost units, including those of variables that it was the first to read.
    pub cost: u64,
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The API server rejects the expression.
    Compilation(Arc<Refusal>),
    /// It failed.
    Evaluation(EvalError),
}

impl ExpressionResult {
    /// Returns why the expression was stopped by a limit that an API server does not have.
    #[must_use]
    pub fn stopped(&self) -> Option<&'static str> {
        match &self.result {
            Err(Failure::Evaluation(error)) => stopped(error),
            _ => None,
        }
    }
}

impl Evaluation {
    /// Returns whether the response depends on it: whether a validation does not hold or fails, or
    /// an audit annotation is written.
    pub(super) fn has_effect(&self) -> bool {
        let mut decisions = self.decisions.iter();
        decisions.any(|it| it.outcome != DecisionOutcome::Holds)
            || !self.audit_annotations.is_empty()
    }

    /// Returns why the evaluation was stopped by a limit that an API server does not have: its
    /// result is unknown.
    #[must_use]
    pub fn stopped(&self) -> Option<&'static str> {
        self.results.iter().find_map(ExpressionResult::stopped)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Compilation(refusal) => refusal.fmt(out),
            Failure::Evaluation(error) => write!(out, "{error}"),
        }
    }
}

/// Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/activation.go, Evaluate.
const OUT_OF_BUDGET: &str =
    "validation failed due to running out of cost budget, no further validation rules will be run";

impl CompiledPolicy {
    /// Evaluates a validating policy on a request that it matches.
    #[must_use]
    pub fn evaluate(
        &self,
        document: &PolicyDocument,
        request: &Request,
        limits: &EvaluationLimits,
    ) -> Evaluation {
        self.evaluate_view(
            document,
            &RequestView::new(Arc::new(request.clone())),
            limits,
        )
    }

    /// Evaluates the policy against a shared request.
    pub(super) fn evaluate_view(
        &self,
        document: &PolicyDocument,
        view: &Arc<RequestView>,
        limits: &EvaluationLimits,
    ) -> Evaluation {
        let mut run = Run::new(self, document, view, limits);
        let (mut verdict, mut decisions) = run.decide();
        let mut audit_annotations = Vec::new();
        if decisions.iter().all(|decision| decision.index.is_some())
            && matches!(verdict, Verdict::Allowed | Verdict::Denied)
        {
            match run.audit_annotations() {
                Ok(annotations) => audit_annotations = annotations,
                Err(OutOfBudget) => (verdict, decisions) = run.out_of_budget(),
            }
        }
        Evaluation {
            verdict,
            decisions,
            audit_annotations,
            results: run.results,
            cost: run.cost,
        }
    }

    /// Evaluates a program on a request with everything that an expression of this role can read
    /// and with additional variables, for a part of an expression inside a macro.
    #[must_use]
    pub fn evaluate_part(
        &self,
        role: Role,
        program: &Program,
        bound: &Bindings,
        request: &Arc<Request>,
        limits: &EvaluationLimits,
    ) -> CelOutcome {
        let view = RequestView::new(Arc::clone(request));
        let scope = Scope::new(&view, visibility(role), &self.variables, limits);
        let activation = LayeredActivation {
            bound,
            roots: &scope.roots,
        };
        program.run(&activation, &limits.for_shared(PER_CALL, scope.memory()))
    }
}

/// Variables of macros, and the roots around them.
struct LayeredActivation<'a> {
    bound: &'a Bindings,
    roots: &'a Roots,
}

impl Activation for LayeredActivation<'_> {
    fn resolve(&self, name: &str) -> Option<Result<&Value, EvalError>> {
        self.bound
            .resolve(name)
            .or_else(|| self.roots.resolve(name))
    }
}

pub(super) fn visibility(role: Role) -> Visibility {
    match role {
        Role::MessageExpression | Role::AuditAnnotation => Visibility::NoAuthorizer,
        Role::MatchCondition | Role::WebhookMatchCondition => Visibility::NoNamespace,
        Role::Variable { .. }
        | Role::Validation
        | Role::ApplyConfiguration
        | Role::JsonPatch
        | Role::CrdRule { .. }
        | Role::CrdMessageExpression { .. } => Visibility::All,
    }
}

/// An evaluation in progress.
pub(super) struct Run<'a> {
    policy: &'a CompiledPolicy,
    pub(super) document: &'a PolicyDocument,
    view: &'a Arc<RequestView>,
    limits: &'a EvaluationLimits,
    results: Vec<ExpressionResult>,
    cost: u64,
    /// Why the evaluation was stopped.
    stopped: Option<&'static str>,
}

impl<'a> Run<'a> {
    pub(super) fn new(
        policy: &'a CompiledPolicy,
        document: &'a PolicyDocument,
        view: &'a Arc<RequestView>,
        limits: &'a EvaluationLimits,
    ) -> Self {
        Self {
            policy,
            document,
            view,
            limits,
            results: Vec::new(),
            cost: 0,
            stopped: None,
        }
    }

    /// Returns the message about the end of the budget, or of the evaluation.
    pub(super) fn out_of_budget_message(&self) -> String {
        self.stopped.unwrap_or(OUT_OF_BUDGET).to_owned()
    }

    /// Returns the request.
    pub(super) fn request(&self) -> &'a Request {
        self.view.request()
    }

    /// Returns the result of each expression, and the total cost.
    pub(super) fn into_results(self) -> (Vec<ExpressionResult>, u64) {
        (self.results, self.cost)
    }

    pub(super) fn match_conditions(&mut self) -> Matched {
        let conditions = self.filter(Role::MatchCondition, MATCH_CONDITIONS);
        self.matched(conditions)
    }

    /// Returns whether a webhook with these match conditions is called.
    pub(super) fn webhook_conditions(&mut self, conditions: &[usize]) -> Matched {
        let role = Role::WebhookMatchCondition;
        let conditions = self.evaluate_all(conditions, role, MATCH_CONDITIONS);
        self.matched(conditions)
    }

    fn matched(&self, conditions: Result<(Vec<Evaluated>, u64), OutOfBudget>) -> Matched {
        match conditions {
            Ok((conditions, _)) => Matched::from_conditions(conditions),
            Err(OutOfBudget) => Matched::Unknown(self.out_of_budget_message()),
        }
    }

    fn decide(&mut self) -> (Verdict, Vec<Decision>) {
        let failure_policy = self.policy.failure_policy;
        match self.match_conditions() {
            Matched::Yes => {}
            Matched::No(condition) => return (Verdict::Skipped(condition), Vec::new()),
            Matched::Unknown(message) => {
                return failure_policy::match_conditions_failed(failure_policy, message);
            }
        }
        let validations = self.filter(Role::Validation, VALIDATIONS);
        let (validations, left) = match validations {
            Ok(filtered) => filtered,
            Err(OutOfBudget) => return self.out_of_budget(),
        };
        let messages = self.filter(Role::MessageExpression, left);
        let messages = messages.map(|(messages, _)| messages);
        let of = |validation: &Evaluated| {
            let owner = self.owner(validation.index);
            let entry = Validation::new(owner);
            decide(
                self.document,
                entry,
                validation,
                messages.as_deref(),
                failure_policy,
            )
        };
        let decisions: Vec<Decision> = validations.iter().map(of).collect();
        (Verdict::from_decisions(&decisions), decisions)
    }

    fn out_of_budget(&self) -> (Verdict, Vec<Decision>) {
        let message = self.out_of_budget_message();
        failure_policy::failed(self.policy.failure_policy, message)
    }

    fn owner(&self, index: usize) -> Node<'_> {
        let expression = self.document.expressions().get(index);
        expression.map_or_else(
            || self.document.root(),
            |expression| self.document.node(expression.owner),
        )
    }

    fn audit_annotations(&mut self) -> Result<Vec<AuditAnnotation>, OutOfBudget> {
        let failure_policy = self.policy.failure_policy;
        let (evaluated, _) = self.filter(Role::AuditAnnotation, VALIDATIONS)?;
        let of = |it: &Evaluated| audit_annotation(self.document, it, failure_policy);
        Ok(evaluated.iter().filter_map(of).collect())
    }

    /// Evaluates all expressions of a role within a budget. Returns the result of each, with the
    /// server's errors, and the remaining budget.
    fn filter(&mut self, role: Role, budget: u64) -> Result<(Vec<Evaluated>, u64), OutOfBudget> {
        let policy = self.policy;
        self.evaluate_all(policy.of_role(role), role, budget)
    }

    /// Evaluates some expressions of a role within a budget.
    fn evaluate_all(
        &mut self,
        chosen: &[usize],
        role: Role,
        budget: u64,
    ) -> Result<(Vec<Evaluated>, u64), OutOfBudget> {
        let mut left = budget;
        let mut out = Vec::with_capacity(chosen.len());
        if chosen.is_empty() {
            return Ok((out, left));
        }
        let variables = &self.policy.variables;
        let scope = Scope::new(self.view, visibility(role), variables, self.limits);
        for &index in chosen {
            if let Some(result) = self.expression(index, &scope, &mut left)? {
                out.push(Evaluated { index, result });
            }
        }
        Ok((out, left))
    }

    /// Evaluates one expression alone, as a mutation is.
    pub(super) fn one(
        &mut self,
        index: usize,
        mut budget: u64,
    ) -> Result<Result<Value, String>, OutOfBudget> {
        let role = self.document.expressions().get(index).map(|it| it.role);
        let visibility = role.map_or(Visibility::All, visibility);
        let scope = Scope::new(self.view, visibility, &self.policy.variables, self.limits);
        if let Some(Err(reason)) = self.policy.program(index) {
            self.failed(index, reason);
            return Ok(Err(reason.to_string()));
        }
        let result = self.expression(index, &scope, &mut budget)?;
        Ok(result.unwrap_or_else(|| Err("there is no expression".to_owned())))
    }

    /// Returns the value of an expression, or the server's error. `None` if there is no expression.
    fn expression(
        &mut self,
        index: usize,
        scope: &Scope,
        left: &mut u64,
    ) -> Result<Option<Result<Value, String>>, OutOfBudget> {
        let program = match self.policy.program(index) {
            Some(Ok(program)) => program,
            Some(Err(reason)) => {
                self.failed(index, reason);
                return Ok(Some(Err(format!("compilation error: {reason}"))));
            }
            None => return Ok(None),
        };
        let limits = self.limits.for_shared(PER_CALL, scope.memory());
        let outcome = program.run(&scope.roots, &limits);
        scope.memory().fetch_add(outcome.memory, Ordering::Relaxed);
        let cost = outcome.cost.saturating_add(scope.take_cost());
        self.cost = self.cost.saturating_add(cost);
        let value = outcome.result.clone().map_err(|error| {
            let expression = self.document.expressions().get(index);
            let text = expression.map_or("", |expression| expression.text());
            format!("expression '{text}' resulted in error: {error}")
        });
        let stopped = outcome.result.as_ref().err().and_then(stopped);
        self.results.push(ExpressionResult {
            index,
            result: outcome.result.map_err(Failure::Evaluation),
            cost,
        });
        *left = left.checked_sub(cost).ok_or(OutOfBudget)?;
        if stopped.is_some() {
            self.stopped = stopped;
            return Err(OutOfBudget);
        }
        Ok(Some(value))
    }

    /// Stops the evaluation at an expression because of a limit that an API server does not have.
    /// Returns the reason.
    pub(super) fn stop(&mut self, index: usize, limit: EvalErrorKind) -> String {
        let error = EvalError::new(limit);
        self.stopped = stopped(&error);
        self.results.push(ExpressionResult {
            index,
            result: Err(Failure::Evaluation(error)),
            cost: 0,
        });
        self.out_of_budget_message()
    }

    fn failed(&mut self, index: usize, refusal: &Arc<Refusal>) {
        self.results.push(ExpressionResult {
            index,
            result: Err(Failure::Compilation(Arc::clone(refusal))),
            cost: 0,
        });
    }
}
