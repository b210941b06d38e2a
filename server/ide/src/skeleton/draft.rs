//! An input under construction: its values and paths.

use super::placeholder::{map, placeholder, set};
use crate::presence::Root;
use cel::Value;
use evaluation::run::yaml::to_yaml;
use kubernetes::openapi::{Schema, SchemaType};
use std::sync::Arc;

/// A path in a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ValuePath {
    pub(super) root: Root,
    pub(super) steps: Vec<PathStep>,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PathStep {
    /// A field, or the entry of a map.
    Field(Arc<str>),
    /// An element of a list.
    Element(usize),
}

/// An input under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) object: Option<Value>,
    pub(super) old_object: Option<Value>,
    pub(super) params: Option<Value>,
    pub(super) namespace: Option<Value>,
    /// The fields below `request`.
    pub(super) request: Option<Value>,
    /// The decision of the authorizer for every check, if there is one.
    pub(super) authorizer: Option<Authorization>,
}

/// The decision of an authorizer.
#[derive(Clone, Debug)]
pub(super) struct Authorization {
    pub(super) decision: &'static str,
    pub(super) reason: Option<Arc<str>>,
}

/// The schemas of the variables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schemas<'c> {
    pub(super) object: Option<Schema<'c>>,
    pub(super) params: Option<Schema<'c>>,
    pub(super) namespace: Option<Schema<'c>>,
}

impl ValuePath {
    pub(super) fn field(&self, name: &str) -> Self {
        self.step(PathStep::Field(Arc::from(name)))
    }

    pub(super) fn element(&self, index: usize) -> Self {
        self.step(PathStep::Element(index))
    }

    fn step(&self, step: PathStep) -> Self {
        let mut steps = self.steps.clone();
        steps.push(step);
        Self {
            root: self.root,
            steps,
        }
    }

    /// Returns the first steps of the path.
    pub(super) fn up_to(&self, length: usize) -> Self {
        Self {
            root: self.root,
            steps: self.steps.iter().take(length).cloned().collect(),
        }
    }

    /// Returns the same path in another variable.
    pub(super) fn with_root(&self, root: Root) -> Self {
        Self {
            root,
            steps: self.steps.clone(),
        }
    }

    /// Returns whether the path consists of these fields.
    pub(super) fn is(&self, root: Root, fields: &[&str]) -> bool {
        let is = |(step, name): (&PathStep, &&str)| matches!(step, PathStep::Field(it) if **it == **name);
        self.root == root
            && self.steps.len() == fields.len()
            && self.steps.iter().zip(fields).all(is)
    }

    /// Returns the names of the fields. `None` if the path has an element of a list.
    pub(super) fn fields(&self) -> Option<Vec<&str>> {
        let names = self.steps.iter().map(|step| match step {
            PathStep::Field(name) => Some(&**name),
            PathStep::Element(_) => None,
        });
        names.collect()
    }

    /// Returns the name of the last field.
    pub(super) fn last(&self) -> &str {
        let mut steps = self.steps.iter().rev();
        let name = steps.find_map(|step| match step {
            PathStep::Field(name) => Some(&**name),
            PathStep::Element(_) => None,
        });
        name.unwrap_or_default()
    }
}

impl<'c> Schemas<'c> {
    fn root(&self, root: Root) -> Option<Schema<'c>> {
        match root {
            Root::Object | Root::OldObject => self.object,
            Root::Params => self.params,
            Root::Namespace => self.namespace,
            Root::Request | Root::This | Root::OldSelf => None,
        }
    }

    /// Returns the schema at a path.
    pub(super) fn at(&self, place: &ValuePath) -> Option<Schema<'c>> {
        let mut steps = place.steps.iter();
        steps.try_fold(self.root(place.root)?, |schema, step| below(schema, step))
    }
}

pub(super) fn below<'c>(schema: Schema<'c>, step: &PathStep) -> Option<Schema<'c>> {
    match step {
        PathStep::Field(name) => schema.property(name).or(schema.additional_properties()),
        PathStep::Element(_) => schema.items(),
    }
}

/// Returns the value at a path.
pub(super) fn find<'v>(value: &'v Value, steps: &[PathStep]) -> Option<&'v Value> {
    steps.iter().try_fold(value, |value, step| match step {
        PathStep::Field(name) => value.as_map()?.get_str(name),
        PathStep::Element(index) => value.as_list()?.get(*index),
    })
}

impl Draft {
    pub(super) fn part(&self, root: Root) -> Option<&Value> {
        match root {
            Root::Object => self.object.as_ref(),
            Root::OldObject => self.old_object.as_ref(),
            Root::Params => self.params.as_ref(),
            Root::Namespace => self.namespace.as_ref(),
            Root::Request => self.request.as_ref(),
            // Variables of validation rules, which are not part of an input.
            Root::This | Root::OldSelf => None,
        }
    }

    fn part_mut(&mut self, root: Root) -> Option<&mut Value> {
        match root {
            Root::Object => self.object.as_mut(),
            Root::OldObject => self.old_object.as_mut(),
            Root::Params => self.params.as_mut(),
            Root::Namespace => self.namespace.as_mut(),
            Root::Request => self.request.as_mut(),
            Root::This | Root::OldSelf => None,
        }
    }

    /// Returns the value at a path.
    pub(super) fn get(&self, place: &ValuePath) -> Option<&Value> {
        find(self.part(place.root)?, &place.steps)
    }

    /// Sets the value at a path, and creates its containers. Returns whether this is possible.
    pub(super) fn set(&mut self, place: &ValuePath, value: Value, schemas: &Schemas<'_>) -> bool {
        self.put(place, Some(value), schemas)
    }

    /// Creates the value at a path unless it exists. Returns whether this is possible.
    pub(super) fn make(&mut self, place: &ValuePath, schemas: &Schemas<'_>) -> bool {
        self.put(place, None, schemas)
    }

    fn put(&mut self, place: &ValuePath, value: Option<Value>, schemas: &Schemas<'_>) -> bool {
        let schema = schemas.root(place.root);
        let part = self.part_mut(place.root);
        part.is_some_and(|part| put(part, schema, &place.steps, value))
    }

    /// Removes the value at a path.
    pub(super) fn remove(&mut self, place: &ValuePath) -> bool {
        let Some((last, parents)) = place.steps.split_last() else {
            return false;
        };
        let part = self.part_mut(place.root);
        let parent = part.and_then(|part| find_mut(part, parents));
        let Some(parent) = parent else { return true };
        match last {
            PathStep::Field(name) => {
                parent.as_map_mut().and_then(|map| map.take_str(name));
            }
            PathStep::Element(index) => {
                let list = parent.as_list_mut();
                if let Some(list) = list.filter(|list| *index < list.len()) {
                    list.remove(*index);
                }
            }
        }
        true
    }

    /// Returns the input as YAML, without its expectation.
    pub(super) fn text(&self) -> String {
        let authorizer = self.authorizer.as_ref().map(|answer| {
            let decision = Value::string(answer.decision);
            let mut row = map([("verb", Value::string("*")), ("decision", decision)]);
            if let Some(reason) = &answer.reason {
                set(&mut row, "reason", Value::string(Arc::clone(reason)));
            }
            Value::list(vec![row])
        });
        [
            ("object", self.object.as_ref()),
            ("oldObject", self.old_object.as_ref()),
            ("params", self.params.as_ref()),
            ("namespaceObject", self.namespace.as_ref()),
            ("request", self.request.as_ref()),
            ("authorizer", authorizer.as_ref()),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key, value?)))
        .map(|(key, value)| to_yaml(&map([(key, value.clone())])))
        .collect()
    }
}

fn find_mut<'v>(value: &'v mut Value, steps: &[PathStep]) -> Option<&'v mut Value> {
    steps.iter().try_fold(value, |value, step| match step {
        PathStep::Field(name) => value.as_map_mut()?.get_str_mut(name),
        PathStep::Element(index) => value.as_list_mut()?.get_mut(*index),
    })
}

fn put(
    node: &mut Value,
    schema: Option<Schema<'_>>,
    steps: &[PathStep],
    value: Option<Value>,
) -> bool {
    let Some((step, rest)) = steps.split_first() else {
        if let Some(value) = value {
            *node = value;
        }
        return true;
    };
    let inner = schema.and_then(|schema| below(schema, step));
    let is_free = schema
        .is_none_or(|schema| schema.ty() == SchemaType::Any || schema.preserves_unknown_fields());
    if inner.is_none() && !is_free {
        return false;
    }
    match step {
        PathStep::Field(name) => {
            if node.as_map().is_none() {
                *node = map::<&str>([]);
            }
            let Some(map) = node.as_map_mut() else {
                return false;
            };
            if map.get_str(name).is_none() {
                map.set_str(name, placeholder(inner, name));
            }
            map.get_str_mut(name)
                .is_some_and(|it| put(it, inner, rest, value))
        }
        PathStep::Element(index) => {
            if node.as_list().is_none() {
                *node = Value::list(Vec::new());
            }
            let Some(list) = node.as_list_mut() else {
                return false;
            };
            while list.len() <= *index {
                list.push(placeholder(inner, ""));
            }
            list.get_mut(*index)
                .is_some_and(|it| put(it, inner, rest, value))
        }
    }
}
