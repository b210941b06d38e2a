//! The expressions of a document, compiled for one kind.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/typechecking.go,
//! buildEnvSet and CheckExpression.

use super::OfKind;
use super::types::{KindTypes, TypedRoots};
use crate::document::Document;
use crate::environment::{self, EnvironmentKind};
use crate::expression::{Expression, Role};
use crate::results::{RootIds, Scope};
use crate::typecheck::variable_types::VariableTypes;
use crate::typecheck::{Checked, ScopedEnvironment, explain, type_of_variable};
use cel::Type;
use cel::env::TypeProvider;
use kubernetes::EnvironmentVersion;
use std::sync::{Arc, OnceLock};

/// The environment in the type checker of Kubernetes, without `params`. It has an authorizer
/// without `requestResource`.
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
    places: Vec<ScopedEnvironment>,
}

impl<'d> Compiler<'d> {
    pub(super) fn new(document: &'d Document, roots: TypedRoots) -> Self {
        Self {
            document,
            types: roots.types(),
            ids: roots.ids(),
            roots: Arc::new(roots),
            variables: VariableTypes::default(),
            places: Vec::new(),
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

    /// Returns the variables by their index among the expressions and in the list.
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
        let place = self.place(expression.role);
        let mut checked = place.compile(self.document, &self.variables, expression);
        if expression.parse.is_ok() && !checked.answer().is_ok() {
            checked.problems = explain::of_errors(self.document, expression, &checked);
        }
        checked
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

    fn place(&mut self, role: Role) -> ScopedEnvironment {
        let (kind, sees_variables) = (self.environment_kind(role), !role.is_match_condition());
        let mut known = self.places.iter();
        if let Some(known) = known.find(|known| known.is(kind, sees_variables)) {
            return known.clone();
        }
        let [object, params] = self.types.clone();
        let types: Arc<dyn TypeProvider> = Arc::new(TypedRoots {
            object: self.roots.object.clone(),
            params: self.roots.params.clone(),
            others: environment::types(kind),
        });
        let release = self.document.target().server().0;
        let mut env = environment::env(self.version(), kind)
            .with_release(release)
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
        let scope = Scope {
            features: kind.features(),
            version: self.version(),
            release,
            has_variables: sees_variables,
            roots: Some(RootIds {
                has_params: self.has_params(role),
                ..self.ids.clone()
            }),
        };
        let scope = self.document.results().scope(scope);
        let place = ScopedEnvironment::new(kind, env, types, scope);
        self.places.push(place.clone());
        place
    }
}

fn set(list: &mut [Option<Checked>], at: usize, checked: Checked) {
    if let Some(cell) = list.get_mut(at) {
        *cell = Some(checked);
    }
}
