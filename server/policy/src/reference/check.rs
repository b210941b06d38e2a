//! The expressions of a document, one after the other, with what they share.

use super::infer::Walk;
use super::problem::Problem;
use super::value::{Properties, ValueType};
use crate::crd::version_schemas;
use crate::document::{Kind, PolicyDocument};
use crate::expression::{Expression, Role};
use std::collections::{HashMap, HashSet};
use yaml::NodeId;

/// What is known of an expression without overloads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Checked {
    /// What cel-go finds, each with the offset that it names, in the order of the walk.
    pub(crate) failures: Vec<(u32, String)>,
    /// What a user should know.
    pub(crate) problems: Vec<Problem>,
    /// The type of the result in the words of cel-go, where it is certain.
    pub(crate) result: Option<String>,
}

/// Checks all expressions of a document; one result for each, in their order.
pub(crate) fn check_all(document: &PolicyDocument) -> Vec<Checked> {
    let expressions = document.expressions();
    let mut order: Vec<usize> = (0..expressions.len()).collect();
    // Variables come first, in their own order: the others need their types.
    order.sort_by_key(|at| match expressions.get(*at).map(|found| found.role) {
        Some(Role::Variable { index }) => (0, index),
        _ => (1, 0),
    });
    let mut variables = VariableTypes::default();
    let mut results = vec![Checked::default(); expressions.len()];
    let mut shared = Shared::new(document);
    for at in order {
        let Some(expression) = expressions.get(at) else {
            continue;
        };
        let mut walk = Walk::new(document, expression, &variables, &mut shared);
        let ty = walk.run();
        let checked = walk.checked;
        if let Role::Variable { index } = expression.role {
            variables.add(document, expression, index, ty);
        }
        if let Some(cell) = results.get_mut(at) {
            *cell = checked;
        }
    }
    results
}

/// What the walks of a document share.
pub(super) struct Shared<'d> {
    /// The properties of the schemas that rules speak of.
    pub(super) properties: Properties<'d>,
    /// The outermost schemas of the versions of a CustomResourceDefinition.
    pub(super) resource_schemas: HashSet<NodeId>,
    /// How many more names get a suggestion.
    suggestions: usize,
}

/// Limit: how many names get a suggestion. Each costs a look at all names.
const MAX_SUGGESTIONS: usize = 100;

impl Shared<'_> {
    fn new(document: &PolicyDocument) -> Self {
        let schemas = match document.kind() {
            Kind::CustomResourceDefinition => version_schemas(document.root()),
            _ => Vec::new(),
        };
        Self {
            properties: Properties::default(),
            resource_schemas: schemas
                .iter()
                .map(|(_, schema)| schema.node().id())
                .collect(),
            suggestions: MAX_SUGGESTIONS,
        }
    }

    /// Whether there is a suggestion left.
    pub(super) fn suggest(&mut self) -> bool {
        let left = self.suggestions > 0;
        self.suggestions = self.suggestions.saturating_sub(1);
        left
    }
}

/// The types of the variables, by name and place.
#[derive(Default)]
pub(super) struct VariableTypes<'d> {
    types: HashMap<&'d str, Vec<(usize, ValueType<'d>)>>,
}

impl<'d> VariableTypes<'d> {
    fn add(
        &mut self,
        document: &'d PolicyDocument,
        expression: &Expression,
        index: usize,
        ty: ValueType<'d>,
    ) {
        let name = document.node(expression.owner).get("name");
        if let Some(name) = name.and_then(yaml::Node::as_str) {
            self.types.entry(name).or_default().push((index, ty));
        }
    }

    /// The variable as an expression sees it: of several the last one above it.
    pub(super) fn get(&self, name: &str, role: Role) -> Option<ValueType<'d>> {
        let found = self.types.get(name)?;
        let seen = |(index, _): &&(usize, ValueType<'_>)| match role {
            Role::Variable { index: own } => *index < own,
            _ => true,
        };
        found.iter().rev().find(seen).map(|(_, ty)| *ty)
    }
}
