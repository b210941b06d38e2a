//! New inputs for a CustomResourceDefinition: its validation rules, or its schema alone.
//!
//! A rule reads the value of its schema as `self`. Here, `self` is bound to the path of this value
//! in the object, so a rule is solved like an expression of a policy that reads `object`.

use super::draft::{PathStep, ValuePath};
use super::solver::Solver;
use super::target::{self, Target};
use super::term::{Code, Scope, Term};
use crate::presence::Root;
use cel::Value;
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Catalog, Schema, SchemaType};
use policy::{Expression, FieldPath, FieldStep, PolicyDocument, Role};
use std::sync::Arc;

/// The key of the value in an example of a map.
const KEY: &str = "example";

/// Limit: the nesting of the fields that are searched for one that the schema can reject.
const MAX_FIELD_DEPTH: usize = 4;

/// Limit: the fields that are tried.
const MAX_WAYS: usize = 16;

/// Returns the kind of a definition in each of its served versions.
pub(super) fn targets(document: &PolicyDocument, catalog: &Catalog) -> Vec<Target> {
    let resources = || {
        let definition = document.crd()?;
        let (group, plural) = (definition.group.as_ref()?, definition.plural.as_ref()?);
        let served = definition.versions.iter().filter(|it| it.is_served);
        let names = served.filter_map(|it| it.name.as_ref());
        let found = names.filter_map(|it| catalog.resource(&group.text, &it.text, &plural.text));
        Some(
            found
                .map(|it| target::from_resource(&it, catalog))
                .collect(),
        )
    };
    resources().unwrap_or_default()
}

impl Solver<'_> {
    /// Returns the rules of the version of the draft.
    pub(super) fn rules(&self) -> Vec<Code> {
        let version = self.version();
        let expressions = self.document.expressions().iter().enumerate();
        let rules = expressions.filter(|(_, it)| {
            matches!(it.role, Role::CrdRule { .. }) && it.parse.is_ok() && version_of(it) == version
        });
        rules
            .map(|(place, it)| self.whole_expression(place, it))
            .collect()
    }

    /// Returns an expression with the values of a rule's variables.
    pub(super) fn whole_expression(&self, place: usize, expression: &Expression) -> Code {
        let mut code = Code::whole_expression(place, expression.ast());
        if expression.role.schema().is_some() {
            code.scope = scope(&expression.path, self.draft.old_object.is_some());
        }
        code
    }

    /// Returns whether a condition is true, or is a rule without a value to run on.
    pub(super) fn holds(&mut self, condition: &Code) -> bool {
        let value = condition.scope.get("self").cloned();
        let is_absent = value.is_some_and(|value| self.value(&value).is_none());
        is_absent || self.is_true(condition)
    }

    /// Sets a field to a value of another type, so that the schema rejects the object. Returns
    /// whether there is such a field.
    pub(super) fn break_schema(&mut self) -> bool {
        let root = ValuePath {
            root: Root::Object,
            steps: Vec::new(),
        };
        let mut wrong = Vec::new();
        if let Some(schema) = self.schemas.at(&root) {
            wrong_values(schema, &root, MAX_FIELD_DEPTH, &mut wrong);
        }
        wrong.into_iter().take(MAX_WAYS).any(|(place, value)| {
            let mut change = |solver: &mut Self| {
                solver.set(&place, &value);
            };
            let mut is_denied = |solver: &mut Self| solver.denials() == Some(1);
            self.search(1, &mut change, &mut is_denied)
        })
    }

    /// Returns the index of the version of the draft's object.
    fn version(&self) -> Option<usize> {
        let object = self.draft.object.as_ref()?.as_map()?;
        let api_version = object.get_str("apiVersion")?.as_str()?;
        let version = GroupVersion::parse(api_version).version;
        self.document.crd()?.position(version)
    }
}

/// Adds a value of another type for each field of an object that has a type.
fn wrong_values(
    schema: Schema<'_>,
    place: &ValuePath,
    depth: usize,
    found: &mut Vec<(ValuePath, Value)>,
) {
    let Some(depth) = depth.checked_sub(1) else {
        return;
    };
    let is_root = place.steps.is_empty();
    for (name, field) in schema.properties() {
        if is_root && ["apiVersion", "kind", "metadata", "status"].contains(&name) {
            continue;
        }
        let place = place.field(name);
        match field.ty() {
            SchemaType::Integer | SchemaType::Number | SchemaType::Boolean => {
                found.push((place, Value::string("x")));
            }
            SchemaType::String => found.push((place, Value::Int(1))),
            SchemaType::Object => wrong_values(field, &place, depth, found),
            _ => {}
        }
    }
}

/// Returns the index of the version that contains an expression.
fn version_of(expression: &Expression) -> Option<usize> {
    let mut steps = expression.path.steps().iter();
    steps.find_map(|step| match step {
        FieldStep::Index(index) => Some(*index),
        _ => None,
    })
}

/// Returns the values of the variables of a rule. Without an old object there is no `oldSelf`.
fn scope(path: &FieldPath, has_old: bool) -> Scope {
    let mut scope = Scope::default();
    let Some(steps) = steps(path) else {
        return scope;
    };
    let place = |root| {
        let steps = steps.clone();
        Term::Path(ValuePath { root, steps })
    };
    if has_old {
        scope = scope.with("oldSelf", place(Root::OldObject));
    }
    scope.with("self", place(Root::Object))
}

/// Returns the path in an object to a value of the schema with a rule: the first element of each
/// list, and one entry of each map. `None` for schemas that do not describe a value by themselves.
fn steps(path: &FieldPath) -> Option<Vec<PathStep>> {
    let is = |step: &FieldStep, name: &str| matches!(step, FieldStep::Field(it) if **it == *name);
    let mut rest = path.steps().iter();
    rest.find(|step| is(step, "openAPIV3Schema"))?;
    let mut steps = Vec::new();
    while let Some(step) = rest.next() {
        match step {
            FieldStep::Field(name) => match &**name {
                "properties" => match rest.next()? {
                    FieldStep::Key(name) | FieldStep::Field(name) => {
                        steps.push(PathStep::Field(Arc::from(&**name)));
                    }
                    FieldStep::Index(_) => return None,
                },
                "items" => steps.push(PathStep::Element(0)),
                "additionalProperties" => steps.push(PathStep::Field(Arc::from(KEY))),
                "x-kubernetes-validations" => return Some(steps),
                _ => return None,
            },
            FieldStep::Key(_) | FieldStep::Index(_) => return None,
        }
    }
    None
}
