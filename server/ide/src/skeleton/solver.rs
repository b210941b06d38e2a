//! Search for an input that meets conditions.
//!
//! A condition is followed backward from its required value to the values that it reads. Of
//! several alternatives one is applied, the policy is evaluated, and the next is tried if the
//! result is wrong. An imprecise step therefore does no harm: the evaluation decides.

use super::draft::{Draft, Schemas, ValuePath, find};
use super::term::{Code, Term};
use crate::presence::Root;
use admission::Request;
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

/// Limit: how many drafts are tried for one policy.
const MAX_TRIES: usize = 800;

/// Limit: the cost units that the evaluations for one policy take together.
const BUDGET: u64 = 40_000_000;

/// Limit: how deep an expression is followed, through variables too.
const MAX_DEPTH: usize = 64;

/// A part of an expression and the variables that it is compiled with.
type Part = (usize, ExprId, Vec<Arc<str>>);

/// A draft of an input for a policy, and the values computed for it.
pub(super) struct Solver<'a> {
    pub(super) evaluator: Evaluator<'a>,
    pub(super) policy: usize,
    pub(super) document: &'a PolicyDocument,
    pub(super) schemas: Schemas<'a>,
    pub(super) draft: Draft,
    /// The request of the draft, unless the draft has changed since.
    request: Option<Arc<Request>>,
    /// The same as the policy sees it, with its parameters.
    policy_request: Option<Arc<Request>>,
    programs: HashMap<Part, Option<Arc<Program>>>,
    /// Which way was taken of how many.
    script: Vec<(usize, usize)>,
    /// How many ways were taken so far.
    decisions_made: usize,
    depth: usize,
    /// How many drafts may still be tried.
    tries: usize,
    /// The cost units that may still be spent.
    budget: u64,
}

impl<'a> Solver<'a> {
    pub(super) fn new(
        evaluator: Evaluator<'a>,
        policy: usize,
        document: &'a PolicyDocument,
        schemas: Schemas<'a>,
        draft: Draft,
    ) -> Self {
        Self {
            evaluator,
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
        }
    }

    pub(super) fn ast(&self, expression: usize) -> &'a Ast {
        static EMPTY: std::sync::LazyLock<Ast> = std::sync::LazyLock::new(|| cel::parse("").ast);
        let expression = self.document.expressions().get(expression);
        expression.map_or(&EMPTY, |it| it.ast())
    }

    /// The place of the expression of a variable. Later ones hide earlier ones.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        let is_it = |it: &policy::Expression| self.document.variable_name(it) == Some(name);
        self.document.expressions().iter().rposition(is_it)
    }

    /// The expressions of a role.
    pub(super) fn of_role(&self, role: Role) -> Vec<Code> {
        let expressions = self.document.expressions().iter().enumerate();
        let own = expressions.filter(|(_, it)| it.role == role && it.parse.is_ok());
        own.map(|(place, it)| self.whole_expression(place, it))
            .collect()
    }

    /// Goes one level deeper, unless it is too deep or the time is over.
    pub(super) fn deeper<T>(&mut self, go: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= MAX_DEPTH || self.evaluator.limits.is_over() {
            return None;
        }
        self.depth += 1;
        let found = go(self);
        self.depth -= 1;
        found
    }

    /// The input that the draft is.
    pub(super) fn input(&self) -> Option<Input> {
        let mut file = read(Path::new(""), &self.draft.text());
        file.inputs.pop().filter(|_| file.errors.is_empty())
    }

    /// The request that the draft makes.
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
    pub(super) fn answer(&mut self) -> Option<InputAnswer> {
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
        // What exceeds its own limit does so for every draft.
        let weight = if cost >= EXPRESSION_BUDGET { 10 } else { 1 };
        self.budget = self.budget.saturating_sub(cost.saturating_mul(weight));
        if self.budget == 0 {
            self.tries = 0;
        }
    }

    /// Drops the values computed for the draft, since it has changed.
    pub(super) fn changed(&mut self) {
        self.request = None;
        self.policy_request = None;
    }

    /// Returns the value of a term, as the policy sees it. `None` if there is none.
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

    /// Takes one of several ways.
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

    /// Tries one way after the other to change the draft, until one is accepted. Without one
    /// the draft stays as it is.
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
            if accept(self) {
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

    /// Turns to the next way. Returns whether there is one.
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

/// The request with the parameters that the input gives.
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
