//! Type checking of a document for each kind that it matches.
//!
//! Once a policy is stored, Kubernetes compiles its validations again, with `object` and `params`
//! typed by the schemas of the matched kinds, and writes the warnings into the status, where few
//! people notice them. This module does the same before the policy is applied: exactly for the
//! warnings of the status, and in addition for every expression and every kind.
//!
//! A warning need not fail at admission, where objects are plain JSON without types.
//!
//! Upstream: kubernetes/apiserver, pkg/admission/plugin/policy/validating/typechecking.go.

mod compiler;
mod document;
mod matched;
mod schema_of;
#[cfg(test)]
mod tests;
mod types;

pub use matched::MatchedKind;

use super::{Checked, Problem};
use crate::document::Document;
use crate::environment;
use crate::expression::{Expression, Role};
use crate::kind::Kind;
use crate::results::Source;
use crate::typecheck::compile;
use cel::Type;
use cel::check::CheckError;
use cel::syntax::ExprId;
use compiler::{Compiler, STATUS_ENVIRONMENT};
use document::{find_kinds, param_kind, validation_index};
use kubernetes::names::GroupVersionKind;
use kubernetes::openapi::{Catalog, Schema};
use schema_of::{ReferenceScope, VariableReference};
use std::sync::{Arc, OnceLock};
use types::{KindTypes, OF_PARAMS, TypedRoots};
use yaml::NodeId;

/// A warning, as `status.typeChecking.expressionWarnings` has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The path of the expression, from the document: `spec.validations[0].expression`.
    pub field_path: String,
    /// The kinds and the errors of each, as Kubernetes writes them.
    pub text: String,
}

/// The expressions of a document, compiled for each kind that it matches.
#[derive(Debug, Default)]
pub struct KindChecks {
    kinds: Vec<MatchedKind>,
    is_cut: bool,
    params: Option<Arc<KindTypes>>,
    param_kind: Option<GroupVersionKind>,
    /// The expressions, in their order.
    expressions: Vec<(NodeId, Role)>,
    /// By kind.
    checks: Vec<OfKind>,
    warnings: Vec<Warning>,
}

/// The expressions, compiled for a kind.
#[derive(Debug)]
struct OfKind {
    /// `None` if the kind has no known schema.
    types: Option<Arc<KindTypes>>,
    /// By expression. `None` if an expression does not see the kind.
    checked: Vec<Option<Checked>>,
    /// The variables that have a name, in their order, with their indices in the list.
    variables: Vec<(Box<str>, usize, Arc<Source>)>,
    /// The declarations that the variables refer to. Only hovers and a few findings need it.
    references: OnceLock<Vec<VariableReference>>,
}

impl OfKind {
    /// Returns the declarations that the variables refer to. Each variable sees those before it.
    fn references(&self, params: Option<&KindTypes>) -> &[VariableReference] {
        self.references.get_or_init(|| {
            let mut found: Vec<VariableReference> = Vec::with_capacity(self.variables.len());
            for (name, index, source) in &self.variables {
                let types = self.types.as_deref();
                let scope = ReferenceScope::new(source, types, params, &found, *index);
                let reference = scope.reference(source.ast.root());
                found.push((name.clone(), *index, reference));
            }
            found
        })
    }
}

impl KindChecks {
    /// Compiles the expressions of a document for the kinds of a server.
    #[must_use]
    pub fn new(document: &Document, catalog: &Arc<Catalog>) -> Self {
        let found = find_kinds(document, catalog);
        let param_kind = param_kind(document);
        let params = param_kind
            .as_ref()
            .and_then(|kind| KindTypes::from_kind(catalog, kind));
        let expressions = document.expressions().iter();
        let mut checks = Self {
            is_cut: found.all.is_cut,
            kinds: found.all.kinds,
            params,
            param_kind,
            expressions: expressions.map(|it| (it.node, it.role)).collect(),
            checks: Vec::new(),
            warnings: Vec::new(),
        };
        for kind in &checks.kinds {
            let types = KindTypes::from_kind(catalog, &kind.name);
            let sees = |expression: &Expression| match &found.by_webhook {
                Some(webhooks) => {
                    let webhook = expression.webhook_index().and_then(|at| webhooks.get(at));
                    webhook.is_some_and(|kinds| kinds.contains(&kind.name))
                }
                None => true,
            };
            let roots = checks.roots(catalog, types.clone());
            let compiler = Compiler::new(document, roots);
            checks.checks.push(compiler.check_all(types, sees));
        }
        if document.kind() == Kind::ValidatingAdmissionPolicy {
            checks.warnings = checks.find_warnings(document);
        }
        checks
    }

    /// Returns the kinds that the document matches, those that Kubernetes checks first.
    #[must_use]
    pub fn kinds(&self) -> &[MatchedKind] {
        &self.kinds
    }

    /// Returns whether [`KindChecks::kinds`] are all: wildcards can match more than the limit.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.is_cut
    }

    /// Returns the kind of `params`, if the policy names one.
    #[must_use]
    pub fn param_kind(&self) -> Option<&GroupVersionKind> {
        self.param_kind.as_ref()
    }

    /// Returns the schema of `params`, if it is known.
    #[must_use]
    pub fn params_schema(&self) -> Option<Schema<'_>> {
        let params = self.params.as_ref()?;
        params.schema()
    }

    /// Returns the schema of the objects of a kind, if it is known.
    #[must_use]
    pub fn schema(&self, kind: &MatchedKind) -> Option<Schema<'_>> {
        let types = self.checks.get(kind.index)?.types.as_ref()?;
        types.schema()
    }

    /// Returns an expression of the document, compiled for a kind. `None` if it does not see the
    /// kind, which is that of another webhook.
    #[must_use]
    pub fn checked<'a>(
        &'a self,
        kind: &MatchedKind,
        expression: &'a Expression,
    ) -> Option<TypedChecked<'a>> {
        let of_kind = self.checks.get(kind.index)?;
        let at = self.position(expression)?;
        Some(TypedChecked {
            checks: self,
            of_kind,
            expression,
            checked: of_kind.checked.get(at)?.as_ref()?,
        })
    }

    /// Returns the warnings that Kubernetes writes into the status, in its order.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    fn position(&self, expression: &Expression) -> Option<usize> {
        // They are in the order of their nodes.
        let known = &self.expressions;
        let first = known.partition_point(|known| known.0 < expression.node);
        let mut rest = known.iter().skip(first);
        let at = rest.position(|known| *known == (expression.node, expression.role))?;
        Some(first + at)
    }

    fn roots(&self, catalog: &Arc<Catalog>, object: Option<Arc<KindTypes>>) -> TypedRoots {
        let mut params = self.params.clone();
        let same_name = |params: &Arc<KindTypes>| {
            let mut object = object.iter();
            object.any(|object| object.name() == params.name())
        };
        if params.as_ref().is_some_and(same_name) {
            let kind = self.param_kind.as_ref();
            params = kind.and_then(|kind| KindTypes::from_param_kind(catalog, kind));
        }
        TypedRoots {
            object,
            params,
            others: environment::types(STATUS_ENVIRONMENT),
        }
    }

    fn find_warnings(&self, document: &Document) -> Vec<Warning> {
        let mut order: Vec<(usize, usize, &Expression)> = document
            .expressions()
            .iter()
            .filter_map(|expression| {
                let field = match expression.role {
                    Role::Validation => 0,
                    Role::MessageExpression => 1,
                    _ => return None,
                };
                Some((validation_index(document, expression)?, field, expression))
            })
            .collect();
        order.sort_by_key(|(index, field, _)| (*index, *field));
        let warnings = order.into_iter().filter_map(|(index, field, expression)| {
            let field = ["expression", "messageExpression"].get(field)?;
            Some(Warning {
                field_path: format!("spec.validations[{index}].{field}"),
                text: self.warning(expression)?,
            })
        });
        warnings.collect()
    }

    /// Returns the warning in the status for an expression, if there is one.
    fn warning(&self, expression: &Expression) -> Option<String> {
        let kinds = self.kinds.iter().filter(|kind| kind.in_status);
        let texts: Vec<String> = kinds
            .filter_map(|kind| {
                // A kind without a schema is left out.
                self.checks.get(kind.index)?.types.as_ref()?;
                let checked = self.checked(kind, expression)?;
                Some(format!("{}: {}\n", kind.name, checked.report()?))
            })
            .collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }
}

/// The schemas of the nodes of an expression, for a kind.
pub struct NodeSchemas<'a>(ReferenceScope<'a>);

impl<'a> NodeSchemas<'a> {
    /// Returns the schema of the field that a node refers to, as [`TypedChecked::schema_of`].
    #[must_use]
    pub fn of(&self, id: ExprId) -> Option<Schema<'a>> {
        self.0.schema_of(id)
    }
}

/// An expression that was compiled for a kind.
#[derive(Clone, Copy, Debug)]
pub struct TypedChecked<'a> {
    checks: &'a KindChecks,
    of_kind: &'a OfKind,
    expression: &'a Expression,
    checked: &'a Checked,
}

impl<'a> TypedChecked<'a> {
    /// Returns the compiler's answer, with the environment in which `object` and `params` have
    /// types.
    #[must_use]
    pub fn checked(self) -> &'a Checked {
        self.checked
    }

    /// Returns the type of a node. `None` if it has none.
    #[must_use]
    pub fn type_of(self, id: ExprId) -> Option<&'a Type> {
        self.checked.type_of(id)
    }

    /// Returns the errors of the compiler, by position.
    #[must_use]
    pub fn errors(self) -> &'a [CheckError] {
        self.checked.answer().errors()
    }

    /// Returns the errors with facts for messages. Errors that follow from another one are left
    /// out.
    #[must_use]
    pub fn problems(self) -> &'a [Problem] {
        self.checked.problems()
    }

    /// Returns the schema of the field that a node refers to: of
    /// `object.spec.replicas`, of the `c` of a macro over containers, of a variable that holds a
    /// part of an object. The schema is known even if the compiler has no type, as for
    /// quantities. `None` for calculated values.
    #[must_use]
    pub fn schema_of(self, id: ExprId) -> Option<Schema<'a>> {
        self.schemas().of(id)
    }

    /// Returns the schemas of the nodes, to look up many of them.
    #[must_use]
    pub fn schemas(self) -> NodeSchemas<'a> {
        let seen = match self.expression.role {
            Role::Variable { index } => index,
            _ => usize::MAX,
        };
        let params = self.checks.params.as_deref();
        NodeSchemas(ReferenceScope::new(
            &self.expression.parse,
            self.of_kind.types.as_deref(),
            params,
            self.of_kind.references(params),
            seen,
        ))
    }

    /// Returns what Kubernetes prints for all errors. `None` if there are none.
    fn report(self) -> Option<String> {
        if let Some(report) = compile::syntax_report(self.expression) {
            return Some(report);
        }
        let report = self.checked.answer().upstream_report()?;
        Some(if report.contains(OF_PARAMS) {
            report.replace(OF_PARAMS, "")
        } else {
            report
        })
    }
}
