//! A policy whose expressions are ready to run.
//!
//! Compiling is the expensive half, so it happens once for all objects. Each expression has
//! the environment of its place, and a variable sees those above it only.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/cel/composition.go,
//! CompileAndStoreVariables; pkg/admission/plugin/policy/validating/plugin.go, compilePolicy.

use crate::document::PolicyDocument;
use crate::environment::{NEWEST, Place, env, variable_type, with_variables};
use crate::expression::{Expression, Role};
use cel::check::check;
use cel::eval::Program;
use cel::types::Type;
use std::sync::Arc;
use yaml::Node;

/// A policy, or a webhook configuration, whose expressions are ready to run.
#[derive(Debug)]
pub struct CompiledPolicy {
    /// In the order of [`PolicyDocument::expressions`].
    programs: Vec<Compiled>,
    /// The variables by name, in the order of the file.
    pub(super) variables: Vec<(Arc<str>, Compiled)>,
}

/// What came of compiling an expression: a program, or why there is none.
pub(super) type Compiled = Result<Arc<Program>, Arc<str>>;

impl CompiledPolicy {
    /// Compiles the expressions of a document. Rules of a CustomResourceDefinition have no
    /// object to run on and stay without a program.
    #[must_use]
    pub fn new(document: &PolicyDocument) -> Self {
        let expressions = document.expressions();
        let mut compiled = Self {
            programs: expressions.iter().map(|_| Err("".into())).collect(),
            variables: Vec::new(),
        };
        let mut types: Vec<(Arc<str>, Type)> = Vec::new();
        for (index, expression) in expressions.iter().enumerate() {
            if matches!(expression.role, Role::Variable { .. }) {
                let (program, ty) = compile(document, expression, &types);
                if let Some(name) = name(document, expression) {
                    types.push((Arc::clone(&name), variable_type(&ty)));
                    compiled.variables.push((name, program.clone()));
                }
                compiled.set(index, program);
            }
        }
        for (index, expression) in expressions.iter().enumerate() {
            if !matches!(expression.role, Role::Variable { .. }) {
                let (program, _) = compile(document, expression, &types);
                compiled.set(index, program);
            }
        }
        compiled
    }

    fn set(&mut self, index: usize, program: Compiled) {
        if let Some(cell) = self.programs.get_mut(index) {
            *cell = program;
        }
    }

    /// Why the API server would not take an expression of the document.
    #[must_use]
    pub fn refusal(&self, index: usize) -> Option<&str> {
        let program = self.programs.get(index)?;
        program.as_ref().err().map(|reason| &**reason)
    }

    /// The program of an expression of the document, by its place in
    /// [`PolicyDocument::expressions`].
    pub(super) fn program(&self, index: usize) -> Option<&Compiled> {
        self.programs.get(index)
    }
}

fn name(document: &PolicyDocument, variable: &Expression) -> Option<Arc<str>> {
    let owner = document.node(variable.owner);
    owner.get("name").and_then(Node::as_str).map(Arc::from)
}

/// The program of an expression and its type.
fn compile(
    document: &PolicyDocument,
    expression: &Expression,
    variables: &[(Arc<str>, Type)],
) -> (Compiled, Type) {
    if let Some(error) = expression.parse.errors.first() {
        return (Err(error.message().into()), Type::Dyn);
    }
    let place = Place::of(document, expression.role);
    let Place::Admission { patch_types, .. } = place else {
        let reason = "rules of a CustomResourceDefinition are not evaluated yet";
        return (Err(reason.into()), Type::Dyn);
    };
    let mut env = env(NEWEST, place);
    let has_variables = !matches!(
        expression.role,
        Role::MatchCondition | Role::WebhookMatchCondition
    );
    if has_variables && document.has_variables() {
        env = with_variables(env, patch_types, variables.iter().cloned());
    }
    let checked = check(expression.ast(), &env);
    if let Some(report) = checked.upstream_report() {
        return (Err(report.into()), checked.output_type().clone());
    }
    let program = Program::new(&checked, &env);
    let program = program.map_err(|error| error.to_string().into());
    (program.map(Arc::new), checked.output_type().clone())
}
