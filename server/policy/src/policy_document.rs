//! A document with the type check of its expressions.
//!
//! Each part of it is computed once, when it is first needed, and kept as long as the document.

use crate::availability::{self, Difference, Unavailable};
use crate::crd::{RuleContext, RuleTypes, rule_contexts};
use crate::document::Document;
use crate::expression::Expression;
use crate::typecheck::{self, Checked, Problem};
use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// A document that carries CEL, and its type check.
#[derive(Debug)]
pub struct PolicyDocument {
    document: Document,
    checked: OnceLock<Vec<Checked>>,
    differences: OnceLock<Vec<Difference>>,
    /// By expression.
    contexts: OnceLock<Vec<Option<RuleContext>>>,
    rule_types: OnceLock<Arc<RuleTypes>>,
    /// By field path.
    expression_indexes: OnceLock<HashMap<String, usize>>,
}

impl Deref for PolicyDocument {
    type Target = Document;

    fn deref(&self) -> &Document {
        &self.document
    }
}

impl PolicyDocument {
    pub(crate) fn new(document: Document) -> Self {
        Self {
            document,
            checked: OnceLock::new(),
            differences: OnceLock::new(),
            contexts: OnceLock::new(),
            rule_types: OnceLock::new(),
            expression_indexes: OnceLock::new(),
        }
    }

    /// Returns the index of the expression with a field path. A document may have thousands.
    #[must_use]
    pub fn expression_index(&self, path: &str) -> Option<usize> {
        let indexes = self.expression_indexes.get_or_init(|| {
            let mut indexes = HashMap::new();
            for (index, expression) in self.expressions().iter().enumerate() {
                indexes.entry(expression.path.to_string()).or_insert(index);
            }
            indexes
        });
        indexes.get(path).copied()
    }

    /// Returns the problems of the expressions, in order.
    /// An expression with a syntax error has none.
    pub fn problems(&self) -> impl Iterator<Item = (&Expression, &Problem)> {
        let checked = self.all_checked();
        self.expressions()
            .iter()
            .zip(checked)
            .flat_map(|(expression, checked)| {
                checked
                    .problems()
                    .iter()
                    .map(move |problem| (expression, problem))
            })
    }

    /// Returns the check of an expression of this document, except for blank ones.
    #[must_use]
    pub fn checked(&self, expression: &Expression) -> Option<&Checked> {
        let at = self.expressions().element_offset(expression)?;
        self.all_checked().get(at)
    }

    /// Returns the check of each expression, in order.
    #[must_use]
    pub fn all_checked(&self) -> &[Checked] {
        let version = self.target().environment();
        self.checked
            .get_or_init(|| typecheck::check_all(&self.document, version, self.rule_types()))
    }

    /// Returns the types of the schemas with rules, of a CustomResourceDefinition.
    pub(crate) fn rule_types(&self) -> &Arc<RuleTypes> {
        self.rule_types
            .get_or_init(|| Arc::new(RuleTypes::new(&self.document)))
    }

    /// Returns the context of a rule of a CustomResourceDefinition, or of its message expression.
    pub(crate) fn rule_context(&self, expression: &Expression) -> Option<&RuleContext> {
        let at = self.expressions().element_offset(expression)?;
        let contexts = self
            .contexts
            .get_or_init(|| rule_contexts(&self.document, self.rule_types()));
        contexts.get(at)?.as_ref()
    }

    /// Returns the features that the expressions use and the oldest server of the target does
    /// not have, in order. Empty if no target is chosen.
    pub fn unavailable(&self) -> impl Iterator<Item = (&Expression, &[Unavailable])> {
        let found = self.expressions().iter().zip(self.differences());
        found.map(|(expression, found)| (expression, found.unavailable.as_slice()))
    }

    /// Returns the [`problems`](Self::problems), except for those that are only consequences of
    /// [`unavailable`](Self::unavailable) features.
    pub fn lasting_problems(&self) -> impl Iterator<Item = (&Expression, &Problem)> {
        let differences = self.differences();
        let expressions = self.expressions().iter().zip(self.all_checked());
        expressions
            .enumerate()
            .flat_map(move |(index, (expression, checked))| {
                let difference = differences.get(index);
                let explained = move |problem: &&Problem| {
                    difference.is_some_and(|difference| difference.explains(problem))
                };
                let problems = checked.problems().iter();
                let problems = problems.filter(move |problem| !explained(problem));
                problems.map(move |problem| (expression, problem))
            })
    }

    /// Returns the differences by expression; empty if there are none.
    fn differences(&self) -> &[Difference] {
        self.differences.get_or_init(|| {
            availability::of_expressions(&self.document, self.all_checked(), self.rule_types())
        })
    }
}
