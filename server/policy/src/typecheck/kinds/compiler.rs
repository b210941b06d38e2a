//! The expressions of a document, compiled for one kind.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/typechecking.go,
//! buildEnvSet and CheckExpression.

use super::OfKind;
use super::types::{KindTypes, TypedRoots};
use crate::document::Document;
use crate::environment::{self, EnvironmentKind};
use crate::expression::{Expression, Role};
use crate::results::{Compiled, RootIds, Scope};
use crate::typecheck::variable_types::VariableTypes;
use crate::typecheck::{Checked, problems, seen, type_of_variable};
use cel::Type;
use cel::env::{Env, TypeProvider};
use kubernetes::EnvironmentVersion;
use std::sync::{Arc, OnceLock};

/// The place of an expression in the type checker of Kubernetes, `params` left out. There is
/// an authorizer, without `requestResource`.
pub(super) const STATUS_ENVIRONMENT: EnvironmentKind = EnvironmentKind::Admission {
    params: false,
    authorizer: false,
    patch_types: false,
};

/// Compiles the expressions of a document for one kind.
pub(super) struct Compiler<'d> {
    document: &'d Document,
    roots: Arc<TypedRoots>,
    types: [Type; 2],
    ids: RootIds,
    variables: VariableTypes,
    /// Environments that were made already, `variables` left out.
    envs: Vec<(EnvironmentKind, Env, Arc<dyn TypeProvider>)>,
}

impl<'d> Compiler<'d> {
    pub(super) fn new(document: &'d Document, roots: TypedRoots) -> Self {
        Self {
            document,
            types: roots.types(),
            ids: roots.ids(),
            roots: Arc::new(roots),
            variables: VariableTypes::default(),
            envs: Vec::new(),
        }
    }

    pub(super) fn check_all(
        mut self,
        types: Option<Arc<KindTypes>>,
        sees: impl Fn(&Expression) -> bool,
    ) -> OfKind {
        let expressions = self.document.expressions();
        let mut checked: Vec<Option<Checked>> = Vec::new();
        checked.resize_with(expressions.len(), || None);
        let mut of_kind = OfKind {
            types,
            checked,
            variables: Vec::new(),
            references: OnceLock::new(),
        };
        for (at, index) in self.variables_in_order() {
            let Some(expression) = expressions.get(at) else {
                continue;
            };
            let answer = self.check(expression);
            if let Some(name) = self.document.variable_name(expression) {
                let ty = type_of_variable(expression, &answer);
                self.variables.add(name, index, ty);
                let source = Arc::clone(&expression.parse);
                of_kind.variables.push((name.into(), index, source));
            }
            set(&mut of_kind.checked, at, answer);
        }
        for (at, expression) in expressions.iter().enumerate() {
            let is_variable = matches!(expression.role, Role::Variable { .. });
            if !is_variable && sees(expression) {
                let answer = self.check(expression);
                set(&mut of_kind.checked, at, answer);
            }
        }
        of_kind
    }

    /// The variables by their places among the expressions and in the list.
    fn variables_in_order(&self) -> Vec<(usize, usize)> {
        let expressions = self.document.expressions().iter().enumerate();
        let mut variables: Vec<(usize, usize)> = expressions
            .filter_map(|(at, expression)| match expression.role {
                Role::Variable { index } => Some((at, index)),
                _ => None,
            })
            .collect();
        variables.sort_by_key(|(_, index)| *index);
        variables
    }

    fn check(&mut self, expression: &Expression) -> Checked {
        let env = self.env(expression.role);
        let mut checked = Checked {
            compiled: self.compile(expression, &env),
            env,
            problems: Vec::new(),
        };
        if expression.parse.is_ok() && !checked.answer().is_ok() {
            checked.problems = problems::of_errors(self.document, expression, &checked);
        }
        checked
    }

    fn compile(&self, expression: &Expression, env: &Env) -> Arc<Compiled> {
        let role = expression.role;
        let scope = Scope {
            features: self.environment_kind(role).features(),
            version: self.version(),
            release: None,
            has_variables: sees_variables(role),
            roots: Some(RootIds {
                has_params: self.has_params(role),
                ..self.ids.clone()
            }),
        };
        let variable = |name: &str| {
            let declares = scope.has_variables;
            declares.then(|| self.variables.find(name, seen(role)))?
        };
        let results = self.document.results();
        results.compile(&expression.parse, env, &scope, variable)
    }

    fn env(&mut self, role: Role) -> Env {
        let (env, types) = self.base(role);
        if !sees_variables(role) {
            return env;
        }
        self.variables.extend_with(env, types, seen(role))
    }

    fn has_params(&self, role: Role) -> bool {
        role != Role::WebhookMatchCondition && self.document.has_params()
    }

    /// Kubernetes type checks in the environment of stored expressions.
    fn version(&self) -> EnvironmentVersion {
        self.document.target().newest().stored_environment()
    }

    fn environment_kind(&self, role: Role) -> EnvironmentKind {
        match role {
            Role::Validation | Role::MessageExpression => STATUS_ENVIRONMENT,
            _ => EnvironmentKind::new(self.document, role),
        }
    }

    /// The environment of a role without `variables`, and its types.
    fn base(&mut self, role: Role) -> (Env, Arc<dyn TypeProvider>) {
        let kind = self.environment_kind(role);
        if let Some((_, env, types)) = self.envs.iter().find(|env| env.0 == kind) {
            return (env.clone(), Arc::clone(types));
        }
        let [object, params] = self.types.clone();
        let types: Arc<dyn TypeProvider> = Arc::new(TypedRoots {
            object: self.roots.object.clone(),
            params: self.roots.params.clone(),
            others: environment::types(kind),
        });
        let mut env = environment::env(self.version(), kind)
            .with_types(Arc::clone(&types))
            .with_variable("object", object.clone())
            .with_variable("oldObject", object);
        if self.has_params(role) {
            env = env.with_variable("params", params);
        }
        if kind == STATUS_ENVIRONMENT {
            let authorizer = Type::object("kubernetes.authorization.Authorizer");
            env = env.with_variable("authorizer", authorizer);
        }
        self.envs.push((kind, env.clone(), Arc::clone(&types)));
        (env, types)
    }
}

fn sees_variables(role: Role) -> bool {
    !matches!(role, Role::MatchCondition | Role::WebhookMatchCondition)
}

fn set(list: &mut [Option<Checked>], at: usize, checked: Checked) {
    if let Some(cell) = list.get_mut(at) {
        *cell = Some(checked);
    }
}
