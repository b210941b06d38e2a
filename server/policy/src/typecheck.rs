//! Type checking of a document's expressions as in Kubernetes' compiler.
//!
//! Each expression is compiled once in the environment of its field, the variables of a policy
//! in their order, so that the types of variables are known to the expressions that use them.
//! Diagnostics, hover, completion and evaluation read the same result.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/composition.go,
//! CompileAndStoreVariable; pkg/admission/plugin/cel/compile.go, CompileCELExpression;
//! kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/compilation.go, compileRule.

pub mod compile;
mod explain;
pub mod kinds;
mod problem;
mod raw;
mod schema_path;
mod variable_types;

pub use compile::instantiation_failure;
pub use problem::{Problem, ProblemKind, Receiver};

use crate::crd::{RuleTypes, rule_env};
use crate::document::Document;
use crate::environment::{self, Availability, EnvironmentKind, availability};
use crate::expression::{Expression, Role};
use crate::json_schema::JsonSchema;
use crate::results::{Compiled, Scope};
use cel::Type;
use cel::check;
use cel::env::{DeclaredOverload, Env, TypeProvider};
use cel::eval::{Program, ProgramError};
use cel::syntax::ExprId;
use explain::NameSuggestions;
use kubernetes::EnvironmentVersion;
use std::collections::HashMap;
use std::sync::Arc;
use variable_types::VariableTypes;
use yaml::NodeId;

/// An expression that was compiled.
#[derive(Debug)]
pub struct Checked {
    env: Env,
    /// Shared with the same expression in other versions of the file.
    compiled: Arc<Compiled>,
    problems: Vec<Problem>,
}

impl Checked {
    fn new(env: Env, compiled: Arc<Compiled>) -> Self {
        Self {
            env,
            compiled,
            problems: Vec::new(),
        }
    }

    /// Returns the environment of the expression.
    #[must_use]
    pub fn env(&self) -> &Env {
        &self.env
    }

    /// Returns the compiler's whole answer.
    #[must_use]
    pub fn answer(&self) -> &check::Checked {
        &self.compiled.answer
    }

    /// Returns the result that the versions of the file share.
    pub(crate) fn compiled(&self) -> &Compiled {
        &self.compiled
    }

    /// Returns the type of a node. `None` if it has none.
    #[must_use]
    pub fn type_of(&self, id: ExprId) -> Option<&Type> {
        self.answer().type_of_expr(id)
    }

    /// Returns the declaration of a node: a variable, a type, a function. `None` for constants,
    /// fields and errors.
    #[must_use]
    pub fn reference(&self, id: ExprId) -> Option<&check::Reference> {
        let node = self.answer().expansion().of_expr(id)?;
        self.answer().reference(node)
    }

    /// Returns the overloads that a call, or an operator, can mean.
    pub fn overloads(&self, id: ExprId) -> impl Iterator<Item = &DeclaredOverload> {
        let node = self.answer().expansion().of_expr(id);
        node.into_iter()
            .flat_map(|node| self.answer().overloads(node, &self.env))
    }

    /// Returns the program of the expression, compiled on first use, or the error of a constant in
    /// it. `None` if the expression does not compile.
    #[must_use]
    pub fn program(&self) -> Option<Result<&Arc<Program>, &ProgramError>> {
        self.compiled.program(&self.env)
    }

    /// Returns the error that prevents the program of the expression. `None` if it has a program, or
    /// does not compile.
    #[must_use]
    pub fn program_error(&self) -> Option<&ProgramError> {
        self.compiled.program_error(&self.env)
    }

    /// Returns the problems of the expression, in the order of the compiler. An expression with a
    /// syntax error has none.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

/// Returns the environment of an expression of a role that is not written yet.
#[must_use]
pub fn env(document: &Document, role: Role) -> Env {
    let types = RuleTypes::unread(document);
    let mut compiler = Compiler::new(document, document.target().environment(), &types);
    compiler.check_variables();
    compiler.env(role)
}

/// Compiles all expressions of a document in the environment of a version. Returns one result for
/// each, in order.
pub(crate) fn check_all(
    document: &Document,
    version: EnvironmentVersion,
    types: &RuleTypes,
) -> Vec<Checked> {
    let mut compiler = Compiler::new(document, version, types);
    let mut variables: HashMap<usize, Checked> = compiler.check_variables();
    let expressions = document.expressions().iter();
    expressions
        .map(|expression| match expression.role {
            Role::Variable { index } => variables
                .remove(&index)
                .unwrap_or_else(|| compiler.check(expression)),
            _ => compiler.check(expression),
        })
        .collect()
}

/// The state that the expressions of a document share.
struct Compiler<'d> {
    document: &'d Document,
    /// The environment in which the document is judged.
    version: EnvironmentVersion,
    variables: VariableTypes,
    places: Vec<ScopedEnvironment>,
    /// The environments of rules, by schema.
    schemas: HashMap<(NodeId, bool), Env>,
    rule_types: &'d RuleTypes,
    suggestions: NameSuggestions,
}

impl<'d> Compiler<'d> {
    fn new(document: &'d Document, version: EnvironmentVersion, rule_types: &'d RuleTypes) -> Self {
        Self {
            document,
            version,
            variables: VariableTypes::default(),
            places: Vec::new(),
            schemas: HashMap::new(),
            rule_types,
            suggestions: NameSuggestions::default(),
        }
    }

    /// Compiles the variables in their order, by their index in the list.
    fn check_variables(&mut self) -> HashMap<usize, Checked> {
        let mut variables: Vec<(usize, &Expression)> = self
            .document
            .expressions()
            .iter()
            .filter_map(|expression| match expression.role {
                Role::Variable { index } => Some((index, expression)),
                _ => None,
            })
            .collect();
        variables.sort_by_key(|(index, _)| *index);
        let mut found = HashMap::with_capacity(variables.len());
        for (index, expression) in variables {
            let checked = self.check(expression);
            if let Some(name) = self.document.variable_name(expression) {
                let ty = match checked.program_error() {
                    Some(_) => Type::Dyn,
                    None => type_of_variable(expression, &checked),
                };
                self.variables.add(name, index, ty);
            }
            found.insert(index, checked);
        }
        found
    }

    fn check(&mut self, expression: &'d Expression) -> Checked {
        let role = expression.role;
        let mut checked = match role.schema() {
            Some(schema) => {
                let env = self.schema_env(role, schema).with_release(self.release());
                let compiled = Arc::new(Compiled::new(&expression.parse, &env));
                Checked::new(env, compiled)
            }
            None => self
                .place(role)
                .compile(self.document, &self.variables, expression),
        };
        if expression.parse.is_ok() {
            checked.problems =
                explain::find(self.document, expression, &checked, &mut self.suggestions);
        }
        checked
    }

    fn env(&mut self, role: Role) -> Env {
        match role.schema() {
            Some(schema) => self.schema_env(role, schema).with_release(self.release()),
            None => self
                .place(role)
                .env(&self.variables, visible_variables(role)),
        }
    }

    /// Returns the server whose functions the expressions call.
    fn release(&self) -> u8 {
        self.document.target().server().0
    }

    fn place(&mut self, role: Role) -> ScopedEnvironment {
        let kind = EnvironmentKind::new(self.document, role);
        let known = availability(self.document, role, "variables");
        let sees_variables = matches!(known, Availability::Root(_));
        let mut known = self.places.iter();
        if let Some(known) = known.find(|known| known.is(kind, sees_variables)) {
            return known.clone();
        }
        let env = environment::env(self.version, kind).with_release(self.release());
        let scope = Scope {
            features: kind.features(),
            version: self.version,
            release: self.release(),
            has_variables: sees_variables,
            roots: None,
        };
        let scope = self.document.results().scope(scope);
        let place = ScopedEnvironment::new(kind, env, environment::types(kind), scope);
        self.places.push(place.clone());
        place
    }

    /// Returns the environment of the rules of a schema.
    fn schema_env(&mut self, role: Role, id: NodeId) -> Env {
        let optional = role.optional_old_self();
        if let Some(env) = self.schemas.get(&(id, optional)) {
            return env.clone();
        }
        let schema = JsonSchema::new(self.document.node(id));
        let declared = schema.and_then(|schema| self.rule_types.of_rules(schema));
        let env = match declared {
            Some(declared) => rule_env(self.version, &declared, optional),
            // The server has no types for the rule, and rejects it for that reason.
            None => environment::env_of(self.document, role, self.version)
                .with_variable("self", Type::Dyn)
                .with_variable("oldSelf", Type::Dyn),
        };
        self.schemas.insert((id, optional), env.clone());
        env
    }
}

/// The environment that the expressions of one role share, without the types of variables.
#[derive(Clone)]
struct ScopedEnvironment {
    kind: EnvironmentKind,
    env: Env,
    types: Arc<dyn TypeProvider>,
    /// Identifies the environment.
    scope: Arc<Scope>,
}

impl ScopedEnvironment {
    fn new(
        kind: EnvironmentKind,
        env: Env,
        types: Arc<dyn TypeProvider>,
        scope: Arc<Scope>,
    ) -> Self {
        let variables = || Type::object(environment::VARIABLES_TYPE);
        Self {
            kind,
            env: if scope.has_variables {
                env.with_variable("variables", variables())
            } else {
                env
            },
            types,
            scope,
        }
    }

    fn is(&self, kind: EnvironmentKind, has_variables: bool) -> bool {
        self.kind == kind && self.scope.has_variables == has_variables
    }

    /// Compiles an expression with the variables that it sees.
    fn compile(
        &self,
        document: &Document,
        variables: &VariableTypes,
        expression: &Expression,
    ) -> Checked {
        let visible = visible_variables(expression.role);
        let env = self.env(variables, visible);
        let declares = self.scope.has_variables;
        let variable = |name: &str| declares.then(|| variables.find(name, visible))?;
        let results = document.results();
        let compiled = results.compile(&expression.parse, &env, &self.scope, variable);
        Checked::new(env, compiled)
    }

    /// Returns the environment with the variables before an index in their list.
    fn env(&self, variables: &VariableTypes, visible_variables: usize) -> Env {
        let env = self.env.clone();
        if self.scope.has_variables {
            variables.see(env, Arc::clone(&self.types), visible_variables)
        } else {
            env
        }
    }
}

/// Returns the index in the list from which on an expression sees no variables.
fn visible_variables(role: Role) -> usize {
    match role {
        Role::Variable { index } => index,
        _ => usize::MAX,
    }
}

/// Returns the type that users of a variable see: `dyn` if it does not compile.
fn type_of_variable(expression: &Expression, checked: &Checked) -> Type {
    if !expression.parse.is_ok() || !checked.answer().is_ok() {
        return Type::Dyn;
    }
    environment::variable_type(checked.answer().output_type())
}

#[cfg(test)]
mod tests;
