//! A rule of a CustomResourceDefinition, with its schema and the facts that follow if it is true.

use super::analysis::{Analysis, Scope};
use super::fact_set::FactSet;
use super::term::Qualifier;
use cel::syntax::ExprKind;
use foldhash::fast::RandomState;
use policy::{Expression, PolicyDocument, Role};
use std::collections::HashMap;

/// A schema with rules: the index of its version, and the path to the schema.
pub(super) type SchemaLocation<'r> = (usize, &'r [Qualifier]);

/// Values by schema.
pub(super) type BySchema<'r, V> = HashMap<SchemaLocation<'r>, V, RandomState>;

/// A rule with its location.
pub(super) struct Rule<'d> {
    pub(super) index: usize,
    pub(super) expression: &'d Expression,
    /// The index of its version.
    pub(super) version: usize,
    /// The path from the schema of the version to the schema of the rule.
    pub(super) at: Vec<Qualifier>,
    /// Whether it runs only if there is an old value.
    pub(super) is_transition: bool,
    /// The facts that follow if it is true.
    pub(super) facts: FactSet,
}

impl<'d> Rule<'d> {
    /// Returns the location of the schema of the rule.
    pub(super) fn schema_location(&self) -> SchemaLocation<'_> {
        (self.version, &self.at)
    }

    pub(super) fn new(
        document: &PolicyDocument,
        index: usize,
        expression: &'d Expression,
        analysis: &mut Analysis<'d>,
    ) -> Option<Self> {
        let Role::CrdRule {
            optional_old_self, ..
        } = expression.role
        else {
            return None;
        };
        // spec.versions[0].schema.openAPIV3Schema
        let steps = expression.path.steps();
        let steps = steps.get(document.base().steps().len()..)?;
        let [_, _, policy::FieldStep::Index(version), _, _, rest @ ..] = steps else {
            return None;
        };
        let ast = expression.ast();
        let is_old = |kind: &ExprKind| matches!(kind, ExprKind::Ident { name, .. } if ast.name(*name) == "oldSelf");
        let scope = Scope::new(index, expression);
        Some(Self {
            index,
            expression,
            version: *version,
            at: at(rest)?,
            is_transition: !optional_old_self && ast.ids().any(|id| is_old(ast.kind(id))),
            facts: analysis.assume(&scope, ast.root(), true),
        })
    }
}

/// Returns the path of a rule through schemas.
fn at(steps: &[policy::FieldStep]) -> Option<Vec<Qualifier>> {
    let mut at = Vec::new();
    let mut steps = steps.iter();
    while let Some(policy::FieldStep::Field(field)) = steps.next() {
        at.push(match field.as_ref() {
            "properties" => match steps.next()? {
                policy::FieldStep::Key(name) | policy::FieldStep::Field(name) => {
                    Qualifier::Field(name.as_ref().into())
                }
                policy::FieldStep::Index(_) => return None,
            },
            "items" | "additionalProperties" => Qualifier::Element,
            "x-kubernetes-validations" => return Some(at),
            _ => return None,
        });
    }
    None
}
