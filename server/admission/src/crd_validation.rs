//! Validation of an object against the schema and the rules of its CustomResourceDefinition.
//!
//! Upstream: kubernetes/apiextensions-apiserver, pkg/apiserver/schema/cel/validation.go,
//! validate and validateExpressions.

mod evaluation;
mod finding;
mod object_validation;
mod recorder;
mod structural;

pub use evaluation::CrdInspection;
pub(super) use finding::Findings;

use super::compiled::{CompiledPolicy, Runnable};
use super::limits::EvaluationLimits;
use super::request::Request;
use cel::check::Reference;
use object_validation::ObjectValidation;
use policy::PolicyDocument;
use policy::Role;
use policy::crd::{Formats, ValueSchema};
use policy::json_schema::JsonSchema;
use policy::manifest::version_schemas;
use policy::typecheck::Checked;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use structural::Subject;
use yaml::NodeId;

/// The rules of a CustomResourceDefinition, ready to run.
#[derive(Debug)]
pub struct CrdValidator {
    document: Arc<PolicyDocument>,
    /// The rules of each schema.
    rules: HashMap<NodeId, Vec<Rule>>,
    /// The schemas of the versions that have been used, by the index of the version.
    schemas: Vec<OnceLock<Option<Arc<ValueSchema>>>>,
}

#[derive(Debug)]
struct Rule {
    /// The entry of `x-kubernetes-validations`.
    entry: NodeId,
    program: Runnable,
    message: Option<Runnable>,
    uses_old_self: bool,
    is_old_self_optional: bool,
}

impl CrdValidator {
    /// Compiles the rules of a definition. Rules that do not compile are left out: the server
    /// rejects such a definition.
    #[must_use]
    pub fn new(document: Arc<PolicyDocument>) -> Self {
        let compiled = CompiledPolicy::new(&document);
        Self::from_compiled(document, &compiled)
    }

    /// Returns the rules of a definition whose expressions are compiled.
    #[must_use]
    pub fn from_compiled(document: Arc<PolicyDocument>, compiled: &CompiledPolicy) -> Self {
        let mut rules: HashMap<NodeId, Vec<Rule>> = HashMap::new();
        let program = |index: usize| compiled.program(index)?.as_ref().ok().cloned();
        let mut messages: HashMap<NodeId, Runnable> = HashMap::new();
        for (index, expression) in document.expressions().iter().enumerate() {
            if matches!(expression.role, Role::CrdMessageExpression { .. })
                && let Some(program) = program(index)
            {
                messages.insert(expression.owner, program);
            }
        }
        for (index, expression) in document.expressions().iter().enumerate() {
            let Role::CrdRule {
                schema,
                optional_old_self,
            } = expression.role
            else {
                continue;
            };
            let checked = document.checked(expression);
            let Some((program, checked)) = program(index).zip(checked) else {
                continue;
            };
            rules.entry(schema).or_default().push(Rule {
                entry: expression.owner,
                uses_old_self: uses_old_self(checked),
                program,
                message: messages.remove(&expression.owner),
                is_old_self_optional: optional_old_self,
            });
        }
        let versions = document.crd().map_or(0, |it| it.versions.len());
        Self {
            document,
            rules,
            schemas: std::iter::repeat_with(OnceLock::new)
                .take(versions)
                .collect(),
        }
    }

    /// Returns whether it has rules.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    /// Returns whether a version has the subresource `status`.
    pub(super) fn has_status(&self, version: &str) -> bool {
        self.document.crd().is_some_and(|it| {
            let version = it.position(version).and_then(|at| it.versions.get(at));
            version.is_some_and(|version| version.has_status)
        })
    }

    /// Returns whether it is the definition of a kind.
    #[must_use]
    pub fn is_of(&self, group: &str, kind: &str) -> bool {
        let crd = self.document.crd();
        crd.is_some_and(|crd| crd.is_of(group, kind))
    }

    /// Returns whether the API server serves a version.
    pub(super) fn serves(&self, version: &str) -> bool {
        let crd = self.document.crd();
        crd.is_some_and(|it| it.served(version).is_some())
    }

    /// Returns the warning of the API server about a request in a version.
    pub(super) fn deprecation_warning(&self, version: &str) -> Option<String> {
        self.document.crd()?.deprecation_warning(version)
    }

    /// Validates the object of a request.
    pub(super) fn check(&self, request: &Request, limits: &EvaluationLimits) -> Findings {
        let subject = self.subject(request);
        subject.map_or_else(Findings::default, |it| self.validate(&it, limits))
    }

    fn validate(&self, subject: &Subject<'_>, limits: &EvaluationLimits) -> Findings {
        let mut validation = ObjectValidation::new(self, limits);
        validation.start(subject);
        validation.findings
    }

    /// Returns the schema of a version, ready to validate values.
    fn values(&self, version: &str) -> Option<&ValueSchema> {
        let index = self.document.crd()?.position(version)?;
        let read = || {
            let formats = Formats::Supported(self.document.target().server());
            ValueSchema::new(self.schema(version)?, formats)
        };
        self.schemas.get(index)?.get_or_init(read).as_deref()
    }

    /// Returns the schema of a version.
    fn schema(&self, version: &str) -> Option<JsonSchema<'_>> {
        let version = self.document.crd()?.position(version)?;
        let mut schemas = version_schemas(self.document.root()).into_iter();
        let found = schemas.find(|(index, _)| *index == version);
        found.map(|(_, schema)| schema)
    }
}

fn uses_old_self(checked: &Checked) -> bool {
    let answer = checked.answer();
    let is_old = |node| matches!(answer.reference(node), Some(Reference::Variable(name)) if &**name == "oldSelf");
    answer.expansion().ids().any(is_old)
}

#[cfg(test)]
mod tests;
