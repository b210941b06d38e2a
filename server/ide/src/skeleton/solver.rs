//! Search for an input that meets conditions.
//!
//! A condition is followed backward from its required value to the values that it reads. One of
//! several alternatives is applied, the policy is evaluated, and the next is tried if the result is
//! wrong. An imprecise step therefore does no harm: the evaluation decides.

use super::draft::{Draft, Schemas, ValuePath, find};
use super::term::{Code, Term};
use crate::presence::Root;
use admission::{ApiServer, Request};
use cel::check::check;
use cel::eval::{Bindings, Program};
use cel::types::Type;
use cel::{Ast, ExprId, Value};
use evaluation::input::{Input, read};
use evaluation::run::{EXPRESSION_BUDGET, Evaluator, InputAnswer};
use policy::{PolicyDocument, Role};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// Limit: the drafts that are tried for one policy.
const MAX_TRIES: usize = 800;

/// Limit: the validations of objects for one policy.
const MAX_OBJECT_CHECKS: usize = 8_000;

/// Limit: the total cost units of the evaluations for one policy.
const BUDGET: u64 = 40_000_000;

/// Limit: the depth to which an expression is followed, including variables.
const MAX_DEPTH: usize = 64;

/// A part of an expression, and the variables with which it is compiled.
type Part = (usize, ExprId, Vec<Arc<str>>);

/// A draft of an input for a policy, and the values computed for it.
pub(super) struct Solver<'a> {
    pub(super) evaluator: Evaluator<'a>,
    /// The server without policies.
    pub(super) plain: &'a ApiServer,
    pub(super) policy: usize,
    pub(super) document: &'a PolicyDocument,
    pub(super) schemas: Schemas<'a>,
    pub(super) draft: Draft,
    /// The request of the draft. `None` after a change of the draft.
    request: Option<Arc<Request>>,
    /// The request with the parameters of the policy.
    policy_request: Option<Arc<Request>>,
    programs: HashMap<Part, Option<Arc<Program>>>,
    /// The chosen alternatives, each with the number of alternatives.
    script: Vec<(usize, usize)>,
    /// The number of choices so far.
    decisions_made: usize,
    depth: usize,
    /// The number of drafts that may still be tried.
    tries: usize,
    /// The remaining cost units.
    budget: u64,
    /// The number of validations of objects that remain.
    pub(super) object_checks: usize,
    /// The number of errors that no repair removes.
    errors: usize,
}

impl<'a> Solver<'a> {
    pub(super) fn new(
        evaluator: Evaluator<'a>,
        plain: &'a ApiServer,
        policy: usize,
        document: &'a PolicyDocument,
        schemas: Schemas<'a>,
        draft: Draft,
    ) -> Self {
        Self {
            evaluator,
            plain,
            policy,
            document,
            schemas,
            draft,
            request: None,
            policy_request: None,
            programs: HashMap::new(),
            script: Vec::new(),
            decisions_made: 0,
            depth: 0,
            tries: MAX_TRIES,
            budget: BUDGET,
            object_checks: MAX_OBJECT_CHECKS,
            errors: usize::MAX,
        }
    }

    pub(super) fn ast(&self, expression: usize) -> &'a Ast {
        static EMPTY: std::sync::LazyLock<Ast> = std::sync::LazyLock::new(|| cel::parse("").ast);
        let expression = self.document.expressions().get(expression);
        expression.map_or(&EMPTY, |it| it.ast())
    }

    /// Returns the index of the expression of a variable. Later ones shadow earlier ones.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        let is_it = |it: &policy::Expression| self.document.variable_name(it) == Some(name);
        self.document.expressions().iter().rposition(is_it)
    }

    /// Returns the expressions with a role.
    pub(super) fn of_role(&self, role: Role) -> Vec<Code> {
        let expressions = self.document.expressions().iter().enumerate();
        let own = expressions.filter(|(_, it)| it.role == role && it.parse.is_ok());
        own.map(|(place, it)| self.whole_expression(place, it))
            .collect()
    }

    /// Calls a function one level deeper, unless this is too deep or the time is over.
    pub(super) fn deeper<T>(&mut self, go: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH || self.evaluator.limits.is_over() {
            return None;
        }
        self.depth += 1;
        let found = go(self);
        self.depth -= 1;
        found
    }

    /// Returns the draft as an input.
    pub(super) fn input(&self) -> Option<Input> {
        let mut file = read(Path::new(""), &self.draft.text());
        file.inputs.pop().filter(|_| file.errors.is_empty())
    }

    /// Returns the request of the draft.
    pub(super) fn request(&mut self) -> Option<Arc<Request>> {
        if self.request.is_none() {
            let api_server = self.evaluator.server.api_server();
            let input = self.input()?;
            let request = input
                .request
                .request(api_server.kinds(), api_server.resources());
            self.request = request.ok().map(Arc::new);
        }
        self.request.clone()
    }

    /// Returns the answer of the API server to the draft.
    pub(super) fn answer(&mut self) -> Option<Arc<InputAnswer>> {
        let request = self.request()?;
        let answer = self.evaluator.answer_to(&request);
        self.spend(answer.evaluations().map(|(_, it)| it.cost).sum());
        Some(answer)
    }

    /// Returns whether the budget is spent.
    pub(super) fn is_exhausted(&self) -> bool {
        self.tries == 0 || self.evaluator.limits.is_over()
    }

    /// Uses up a part of the budget.
    fn spend(&mut self, cost: u64) {
        // An expression that exceeds its own limit does so for every draft.
        let weight = if cost >= EXPRESSION_BUDGET { 10 } else { 1 };
        self.budget = self.budget.saturating_sub(cost.saturating_mul(weight));
        if self.budget == 0 {
            self.tries = 0;
        }
    }

    /// Drops the values computed for the draft after a change.
    pub(super) fn changed(&mut self) {
        self.request = None;
        self.policy_request = None;
    }

    /// Returns the value of a term as the policy reads it. `None` if there is none.
    pub(super) fn value(&mut self, term: &Term) -> Option<Value> {
        match term {
            Term::Value(value) => Some(value.clone()),
            Term::Key(_, key) => Some(Value::string(Arc::clone(key))),
            Term::Path(place) => self.value_at(place),
            Term::Code(code) => self.run(code),
        }
    }

    pub(super) fn value_of(&mut self, code: &Code) -> Option<Value> {
        let term = self.resolve(code);
        self.value(&term)
    }

    pub(super) fn is_true(&mut self, code: &Code) -> bool {
        matches!(self.value_of(code), Some(Value::Bool(true)))
    }

    fn value_at(&mut self, place: &ValuePath) -> Option<Value> {
        let request = self.request()?;
        let inputs = &request.inputs;
        let params = request.params.as_ref().and_then(|it| it.first());
        let part = match place.root {
            Root::Object => inputs.object.as_ref()?,
            Root::OldObject => inputs.old_object.as_ref()?,
            Root::Namespace => inputs.namespace_object.as_ref()?,
            Root::Params => params.or(inputs.params.as_ref())?,
            Root::Request => return of_request(&request, place),
            Root::This | Root::OldSelf => return None,
        };
        find(part, &place.steps).cloned()
    }

    /// Evaluates a part of an expression.
    fn run(&mut self, code: &Code) -> Option<Value> {
        let mut bound = Bindings::new();
        let mut names: Vec<Arc<str>> = Vec::new();
        for (name, term) in code.scope.iter() {
            if !names.contains(name) {
                names.push(Arc::clone(name));
                let value = self.deeper(|solver| solver.value(term))?;
                bound.set(Arc::clone(name), value);
            }
        }
        let program = self.program(code, names)?;
        let compiled = self.evaluator.programs.get(self.policy)?;
        let role = self.document.expressions().get(code.expression)?.role;
        let request = &self.request()?;
        let request = self
            .policy_request
            .get_or_insert_with(|| with_first_params(request));
        let limits = self.evaluator.limits;
        let outcome = compiled.evaluate_part(role, &program, &bound, request, limits);
        self.spend(outcome.cost);
        match outcome.result.ok()? {
            Value::Optional(value) => value.as_deref().cloned(),
            value => Some(value),
        }
    }

    fn program(&mut self, code: &Code, names: Vec<Arc<str>>) -> Option<Arc<Program>> {
        let document = self.document;
        let part = (code.expression, code.node, names);
        if let Some(known) = self.programs.get(&part) {
            return known.clone();
        }
        let compile = || {
            let expression = document.expressions().get(code.expression)?;
            let ast = expression.ast();
            let env = document.checked(expression)?.env().clone();
            let names = part.2.iter();
            let env = names.fold(env, |env, name| env.with_variable(name, Type::Dyn));
            let parsed = cel::parse(ast.slice(ast.span(code.node)));
            let program = Program::new(&check(&parsed.ast, &env), &env);
            program.ok().map(Arc::new)
        };
        let program = compile();
        self.programs.insert(part, program.clone());
        program
    }

    /// Chooses one of several alternatives.
    pub(super) fn choose<T: Clone>(&mut self, ways: &[T]) -> Option<T> {
        let chosen = match self.script.get(self.decisions_made) {
            Some((chosen, _)) => *chosen,
            None => {
                self.script.push((0, ways.len()));
                0
            }
        };
        self.decisions_made += 1;
        ways.get(chosen).cloned()
    }

    /// Completes the first draft, with what the policy reads unless the server rejects that.
    pub(super) fn complete(&mut self) {
        self.errors = self.repair();
        let required = self.draft.clone();
        self.read_all();
        if self.repair() > self.errors {
            self.draft = required;
            self.changed();
        }
    }

    /// Tries one alternative after the other to change the draft, until one is accepted that the
    /// server does not reject. If none is, the draft does not change.
    pub(super) fn search(
        &mut self,
        tries: usize,
        change: &mut dyn FnMut(&mut Self),
        accept: &mut dyn FnMut(&mut Self) -> bool,
    ) -> bool {
        let start = self.draft.clone();
        self.script.clear();
        for _ in 0..tries.min(self.tries) {
            self.tries = self.tries.saturating_sub(1);
            if self.evaluator.limits.is_over() {
                break;
            }
            self.decisions_made = 0;
            change(self);
            if self.repair() <= self.errors && accept(self) {
                return true;
            }
            self.draft = start.clone();
            self.changed();
            if !self.next() {
                break;
            }
        }
        self.draft = start;
        self.changed();
        false
    }

    /// Switches to the next alternative. Returns whether there is one.
    fn next(&mut self) -> bool {
        while let Some((chosen, ways)) = self.script.pop() {
            if chosen + 1 < ways {
                self.script.push((chosen + 1, ways));
                return true;
            }
        }
        false
    }
}

/// Returns the request with the parameters that the input specifies.
fn with_first_params(request: &Arc<Request>) -> Arc<Request> {
    let Some(params) = request.params.as_ref().and_then(|it| it.first()) else {
        return Arc::clone(request);
    };
    let mut request_with_params = Request::clone(request);
    request_with_params.inputs.params = Some(params.clone());
    Arc::new(request_with_params)
}

/// Returns the value of `request` at a path; empty values are missing.
fn of_request(request: &Request, place: &ValuePath) -> Option<Value> {
    let (user, resource) = (&request.user, &request.resource);
    if place.root != Root::Request {
        return None;
    }
    let text = match place.fields()?.as_slice() {
        ["dryRun"] => return Some(Value::Bool(request.dry_run)),
        ["userInfo", "groups"] => {
            let groups = user.groups.iter().map(|it| Value::string(it.as_str()));
            return Some(Value::list(groups.collect()));
        }
        ["operation"] => request.operation.as_str(),
        ["name"] => &request.name,
        ["namespace"] => &request.namespace,
        ["subResource"] => &request.subresource,
        ["kind", "kind"] => &resource.kind,
        ["kind", "group"] => &resource.group,
        ["kind", "version"] => &resource.version,
        ["resource", "resource"] => &resource.plural,
        ["resource", "group"] => &resource.group,
        ["resource", "version"] => &resource.version,
        ["userInfo", "username"] => &user.name,
        ["userInfo", "uid"] => &user.uid,
        _ => return None,
    };
    (!text.is_empty()).then(|| Value::string(text))
}
