//! A policy whose expressions are ready to run.
//!
//! Compiling is the expensive half, so it happens once for all objects.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/plugin.go,
//! compilePolicy.

use super::coverage::PolicyCoverage;
use cel::eval::{Activation, Coverage, Limits, Outcome, Program, Trace};
use policy::PolicyDocument;
use policy::manifest::{FailurePolicy, MatchResources};
use policy::nesting::{Nesting, of_variables};
use policy::typecheck::compile::{self, Refusal};
use policy::variables::Variables;
use policy::{Expression, Role};
use std::collections::HashMap;
use std::sync::Arc;

/// A policy, a webhook configuration or a CustomResourceDefinition, whose expressions are
/// ready to run.
#[derive(Debug)]
pub struct CompiledPolicy {
    /// In the order of [`PolicyDocument::expressions`].
    programs: Vec<Compiled>,
    /// The indexes of the expressions of each role, in their order.
    by_role: Vec<(Role, Vec<usize>)>,
    /// The variables.
    pub(super) variables: Arc<Named>,
    /// The `matchConstraints` of a policy. `None` for other documents and policies without rules.
    pub(super) constraints: Option<Arc<MatchResources>>,
    /// The failure policy.
    pub(super) failure_policy: FailurePolicy,
    /// Whether a policy has parameters.
    pub(super) takes_params: bool,
    /// Whether an expression may depend on the order of a map's keys.
    pub(super) visits_in_order: bool,
}

/// A compiled expression, or why the server rejects it.
pub(super) type Compiled = Result<Runnable, Arc<Refusal>>;

/// The variables of a policy, in the order of the file.
#[derive(Debug, Default)]
pub(super) struct Named {
    pub(super) variables: Vec<Variable>,
    /// Later ones hide earlier ones.
    by_name: HashMap<Arc<str>, usize, foldhash::fast::RandomState>,
}

/// A variable, ready to run.
#[derive(Debug)]
pub(super) struct Variable {
    pub(super) name: Arc<str>,
    pub(super) program: Compiled,
    pub(super) nesting: Nesting,
}

impl Named {
    fn add(&mut self, variable: Variable) {
        let name = Arc::clone(&variable.name);
        self.by_name.insert(name, self.variables.len());
        self.variables.push(variable);
    }

    pub(super) fn find(&self, name: &str) -> Option<(usize, &Variable)> {
        let index = *self.by_name.get(name)?;
        Some((index, self.variables.get(index)?))
    }
}

/// A program and its coverage.
#[derive(Clone, Debug)]
pub(super) struct Runnable {
    program: Arc<Program>,
    coverage: Option<Arc<Coverage>>,
}

impl Runnable {
    pub(super) fn run(&self, variables: &dyn Activation, limits: &Limits<'_>) -> Outcome {
        match &self.coverage {
            Some(coverage) => self.program.run_covered(variables, limits, coverage),
            None => self.program.run(variables, limits),
        }
    }

    /// Runs it and records the value of every part, but not the coverage.
    pub(super) fn run_traced(
        &self,
        variables: &dyn Activation,
        limits: &Limits<'_>,
    ) -> (Outcome, Trace) {
        self.program.run_traced(variables, limits)
    }
}

impl CompiledPolicy {
    /// Compiles the expressions of a document. Rules of a CustomResourceDefinition are run by a
    /// [`CrdValidator`](super::CrdValidator).
    #[must_use]
    pub fn new(document: &PolicyDocument) -> Self {
        Self::build(document, None)
    }

    /// Compiles a policy and records the outcomes of its expressions whenever it is evaluated or
    /// changes an object: match conditions, validations, messages, audit annotations, mutations,
    /// rules of a definition, and variables where they are read. An evaluation of one expression
    /// alone is not recorded.
    #[must_use]
    pub fn recorded(document: &PolicyDocument, coverage: &PolicyCoverage) -> Self {
        Self::build(document, Some(coverage))
    }

    fn build(document: &PolicyDocument, coverage: Option<&PolicyCoverage>) -> Self {
        let expressions = document.expressions();
        let mut programs = Vec::with_capacity(expressions.len());
        let nesting = of_variables(document, &Variables::new(document));
        let mut variables = Named::default();
        for (index, expression) in expressions.iter().enumerate() {
            let coverage = coverage.and_then(|coverage| coverage.shared(index));
            let program = compile(document, expression);
            let program = program.map(|program| Runnable { program, coverage });
            if let Some(name) = document.variable_name(expression) {
                let nesting = match expression.role {
                    Role::Variable { index } => nesting.get(index).copied(),
                    _ => None,
                };
                variables.add(Variable {
                    name: Arc::from(name),
                    program: program.clone(),
                    nesting: nesting.unwrap_or_default(),
                });
            }
            programs.push(program);
        }
        let policy = document.policy();
        let mut runnable = programs.iter().flatten();
        Self {
            visits_in_order: runnable.any(|it| it.program.visits_in_order()),
            programs,
            by_role: by_role(expressions),
            variables: Arc::new(variables),
            constraints: policy.and_then(|policy| policy.match_constraints.clone()),
            failure_policy: document.failure_policy(),
            takes_params: document.has_params(),
        }
    }

    /// Returns why the API server rejects an expression of the document, if it does.
    #[must_use]
    pub fn refusal(&self, index: usize) -> Option<&Refusal> {
        let program = self.programs.get(index)?;
        program.as_ref().err().map(|refusal| &**refusal)
    }

    /// Returns the indexes of the expressions of a role, in order. A document may have thousands
    /// of expressions, and each request needs each role once.
    pub(super) fn of_role(&self, role: Role) -> &[usize] {
        let mut roles = self.by_role.iter();
        let found = roles.find(|(known, _)| *known == role);
        found.map_or(&[], |(_, places)| places)
    }

    /// Returns the program of an expression of the document, by its index in
    /// [`PolicyDocument::expressions`].
    pub(super) fn program(&self, index: usize) -> Option<&Compiled> {
        self.programs.get(index)
    }
}

fn by_role(expressions: &[Expression]) -> Vec<(Role, Vec<usize>)> {
    let mut by_role: Vec<(Role, Vec<usize>)> = Vec::new();
    for (index, expression) in expressions.iter().enumerate() {
        match by_role
            .iter_mut()
            .find(|(role, _)| *role == expression.role)
        {
            Some((_, places)) => places.push(index),
            None => by_role.push((expression.role, vec![index])),
        }
    }
    by_role
}

/// Returns the program of an expression, or why the server rejects it.
fn compile(
    document: &PolicyDocument,
    expression: &Expression,
) -> Result<Arc<Program>, Arc<Refusal>> {
    let uncompiled = |message: &str| Arc::new(Refusal::of_uncompiled(message));
    let Some(checked) = document.checked(expression) else {
        let refusal = compile::syntax_refusal(expression).map(Arc::new);
        return Err(refusal.unwrap_or_else(|| uncompiled("it was not checked")));
    };
    if let Some(refusal) = compile::refusal(expression, checked) {
        return Err(Arc::new(refusal));
    }
    match checked.program() {
        Some(Ok(program)) => Ok(Arc::clone(program)),
        _ => Err(uncompiled("it does not compile")),
    }
}
