//! Repairs a draft until the API server accepts its objects.
//!
//! The server's own errors show what an object lacks: a required field gets a placeholder, an
//! unsupported value becomes a supported one. For other errors, likely changes are tried until the
//! error is gone. So an object of any kind has what its validation requires, and nothing else.

use super::change::fitting;
use super::draft::{Draft, PathStep, ValuePath, below, find};
use super::placeholder::{CANDIDATES, PREFERRED, TEXT, map, placeholder};
use super::solver::Solver;
use crate::presence::Root;
use admission::{Cause, Operation, Request};
use cel::Value;
use kubernetes::defaults::key_text;
use kubernetes::openapi::{Schema, SchemaType};

/// Limit: the repairs of one draft.
const MAX_REPAIRS: usize = 48;

/// A change that may remove an error.
#[derive(Clone, Debug)]
enum Edit {
    Set(ValuePath, Value),
    /// Adds a value by the schema.
    Fill(ValuePath),
    Remove(ValuePath),
}

impl Edit {
    fn put(place: &ValuePath, value: Option<Value>) -> Self {
        let place = place.clone();
        match value {
            Some(value) => Edit::Set(place, value),
            None => Edit::Remove(place),
        }
    }
}

/// An error of the server.
#[derive(Clone, Debug)]
struct Fault {
    /// The object with the error.
    root: Root,
    cause: Cause,
}

impl Fault {
    /// Returns whether this is an error of the same sort in the same field.
    fn is_like(&self, other: &Self) -> bool {
        let key = |it: &Self| (it.root, it.cause.reason);
        key(self) == key(other) && self.cause.field == other.cause.field
    }
}

impl Solver<'_> {
    /// Changes the draft until the server accepts its objects, or no change helps. Returns the
    /// number of errors that remain.
    pub(super) fn repair(&mut self) -> usize {
        let mut stuck: Vec<Fault> = Vec::new();
        let mut faults = self.faults();
        for _ in 0..MAX_REPAIRS {
            let is_new = |fault: &&Fault| !stuck.iter().any(|known| known.is_like(fault));
            let Some(fault) = faults.iter().find(is_new).cloned() else {
                break;
            };
            match self.mend(&fault, &faults) {
                Some(left) => faults = left,
                None => stuck.push(fault),
            }
        }
        faults.len()
    }

    /// Returns the errors of the objects. The old object was once created. An object that the
    /// server cannot read has an error without a field.
    fn faults(&mut self) -> Vec<Fault> {
        let Some(request) = self.request() else {
            return Vec::new();
        };
        // The rules of a definition are the conditions of the input.
        if self.document.crd().is_some() || !request.subresource.is_empty() {
            return Vec::new();
        }
        let mut faults = self.faults_of(Root::Object, &request);
        if request.inputs.old_object.is_some() {
            let mut created = Request::clone(&request);
            created.operation = Operation::Create;
            created.inputs.object = created.inputs.old_object.take();
            faults.extend(self.faults_of(Root::OldObject, &created));
        }
        faults
    }

    fn faults_of(&mut self, root: Root, request: &Request) -> Vec<Fault> {
        self.object_checks = self.object_checks.saturating_sub(1);
        let response = self.plain.admit(request, self.evaluator.limits);
        let mut causes = response.causes;
        if !response.allowed && causes.is_empty() {
            causes.push(Cause {
                message: response.message,
                reason: "",
                field: String::new(),
                follows: false,
            });
        }
        let causes = causes.into_iter();
        causes.map(|cause| Fault { root, cause }).collect()
    }

    /// Changes the draft so that an error is gone, if possible without another one; the other value
    /// of a relation may need a change as well. Returns the errors that remain.
    fn mend(&mut self, fault: &Fault, faults: &[Fault]) -> Option<Vec<Fault>> {
        let count = |faults: &[Fault]| faults.iter().filter(|it| it.is_like(fault)).count();
        let is_read = |faults: &[Fault]| faults.iter().all(|it| !it.cause.field.is_empty());
        let before = self.draft.clone();
        let mut best = None;
        let (edits, related) = self.edits(fault);
        for (index, edit) in edits.into_iter().enumerate() {
            let is_loss = best.is_some() && matches!(edit, Edit::Remove(_));
            if is_loss || self.object_checks == 0 || self.evaluator.limits.is_over() {
                break;
            }
            self.apply(&edit);
            let left = self.faults();
            if count(&left) < count(faults) && is_read(&left) {
                if index < related || left.len() < faults.len() {
                    return Some(left);
                }
                best = best.or_else(|| Some((self.draft.clone(), left)));
            }
            self.restore(before.clone());
        }
        let (draft, left) = best?;
        self.restore(draft);
        Some(left)
    }

    fn restore(&mut self, draft: Draft) {
        self.draft = draft;
        self.changed();
    }

    /// Applies an edit to an object, and to the other one where it has the same value.
    fn apply(&mut self, edit: &Edit) {
        let (Edit::Set(place, _) | Edit::Fill(place) | Edit::Remove(place)) = edit;
        let other = match place.root {
            Root::Object => place.with_root(Root::OldObject),
            _ => place.with_root(Root::Object),
        };
        let outer = other.up_to(other.steps.len().saturating_sub(1));
        let is_same = self.draft.get(&other) == self.draft.get(place);
        let is_both = is_same && self.draft.get(&outer).is_some();
        for place in std::iter::once(place).chain(is_both.then_some(&other)) {
            match edit {
                Edit::Set(_, value) => self.set(place, value),
                Edit::Remove(_) => self.remove(place),
                Edit::Fill(_) => self.remove(place) && self.fill(place),
            };
        }
    }

    /// Returns changes that may remove an error, the most likely first, and the number of those that
    /// restore a relation.
    fn edits(&mut self, fault: &Fault) -> (Vec<Edit>, usize) {
        let Some(place) = self.place_of(fault) else {
            return (Vec::new(), 0);
        };
        let Cause {
            message, reason, ..
        } = &fault.cause;
        let schema = self.schemas.at(&place);
        let set = |value| Edit::Set(place.clone(), value);
        let mut unchanged = self.unchanged(&place).into_iter();
        let mut edits: Vec<Edit> = unchanged.next().into_iter().collect();
        edits.extend(self.related(&place, message));
        let related = edits.len();
        edits.extend(self.named(&place, message));
        edits.extend(listed(message).map(|it| set(holding(it, schema))));
        match *reason {
            "FieldValueForbidden" => {}
            "FieldValueNotFound" => edits.extend(self.found(&place)),
            _ => {
                edits.extend((*reason == "FieldValueRequired").then(|| Edit::Fill(place.clone())));
                edits.extend(self.missing(&place).map(Edit::Fill));
                let values = candidates(&place, message).into_iter();
                edits.extend(values.filter_map(|it| fitting(&it, schema)).map(set));
            }
        }
        edits.extend(self.removed(&place));
        edits.extend(unchanged);
        let outer = (2..place.steps.len()).rev();
        edits.extend(outer.map(|length| Edit::Remove(place.up_to(length))));
        (edits, related)
    }

    /// Returns the missing fields of the object at a path, or of the first element of a list.
    fn missing(&self, place: &ValuePath) -> impl Iterator<Item = ValuePath> {
        let schema = self.schemas.at(place);
        let (place, schema) = match schema.and_then(Schema::items) {
            Some(of_element) => (place.element(0), Some(of_element)),
            None => (place.clone(), schema),
        };
        let fields = schema.into_iter().flat_map(Schema::properties);
        let mut fields: Vec<&str> = fields.map(|(field, _)| field).collect();
        fields.sort_by_key(|field| !PREFERRED.contains(field));
        let places = fields.into_iter().map(move |field| place.field(field));
        places.filter(|it| self.draft.get(it).is_none())
    }

    /// Returns values of the fields around a path that a message names: "when `type` is ...".
    fn named(&self, place: &ValuePath, message: &str) -> Vec<Edit> {
        let mut edits = Vec::new();
        for name in message.split('`').skip(1).step_by(2) {
            let outer = (0..place.steps.len()).map(|length| place.up_to(length).field(name));
            for field in outer.filter(|it| it != place) {
                let Some(schema) = self.schemas.at(&field) else {
                    continue;
                };
                let values = schema.enum_values();
                let values = values.filter_map(|it| it.as_str().map(Value::string));
                edits.extend(values.map(|value| Edit::Set(field.clone(), value)));
                edits.extend(
                    self.draft
                        .get(&field)
                        .is_none()
                        .then_some(Edit::Fill(field)),
                );
            }
        }
        edits
    }

    /// Returns changes so that an update keeps the value at a path. Which object has the right value
    /// is an alternative of the search.
    fn unchanged(&mut self, place: &ValuePath) -> Vec<Edit> {
        if place.root != Root::Object || self.draft.old_object.is_none() {
            return Vec::new();
        }
        let old = place.with_root(Root::OldObject);
        let [new, known] = [place, &old].map(|it| self.draft.get(it).cloned());
        if new == known {
            let stored = self.stored(place).into_iter();
            return stored
                .map(|value| Edit::Set(place.clone(), value))
                .collect();
        }
        self.rotated(vec![Edit::put(&old, new), Edit::put(place, known)])
    }

    /// Returns changes so that a selector matches the labels of its template.
    fn related(&mut self, place: &ValuePath, message: &str) -> Vec<Edit> {
        let mut edits = Vec::new();
        if message.contains("`selector`") {
            let own = if place.last() == "labels" { 3 } else { 1 };
            let outer = place.up_to(place.steps.len().saturating_sub(own));
            let selector = outer.field("selector");
            let labels = outer.field("template").field("metadata").field("labels");
            let schema = self.schemas.at(&selector);
            let is_structured = schema.is_some_and(|it| it.property("matchLabels").is_some());
            let wanted = if is_structured {
                selector.field("matchLabels")
            } else {
                selector.clone()
            };
            let keys = self.draft.get(&selector.field("matchExpressions"));
            let keys = keys.and_then(Value::as_list).into_iter().flatten();
            let keys = keys.filter_map(|it| it.as_map()?.get_str("key")?.as_str());
            edits.extend(keys.map(|key| Edit::Fill(labels.field(key))));
            for (from, to) in [(&wanted, &labels), (&labels, &wanted)] {
                let value = self.draft.get(from).cloned();
                edits.extend(value.map(|value| Edit::Set(to.clone(), value)));
            }
        }
        self.rotated(edits)
    }

    /// Returns the value at a path in the stored object, where the server has set fields.
    fn stored(&mut self, place: &ValuePath) -> Option<Value> {
        let request = self.request()?;
        let answer = self.plain.evaluate(&request, self.evaluator.limits);
        let stored = answer.mutated?;
        find(stored.inputs.old_object.as_ref()?, &place.steps).cloned()
    }

    /// Returns the removals of a value and of those beside it.
    fn removed(&mut self, place: &ValuePath) -> Vec<Edit> {
        let mut edits = vec![Edit::Remove(place.clone())];
        let parent = place.up_to(place.steps.len().saturating_sub(1));
        let inside = [place, &parent].into_iter().flat_map(|outer| {
            let fields = self.draft.get(outer).and_then(Value::as_map).into_iter();
            let names = fields.flat_map(|it| it.iter().filter_map(|(key, _)| key_text(key)));
            names.map(|name| outer.field(name))
        });
        edits.extend(inside.filter(|it| it != place).map(Edit::Remove));
        if place.steps.len() < 2 {
            edits.clear();
        }
        self.rotated(edits)
    }

    /// Returns the addition of a volume with the name at a path.
    fn found(&self, place: &ValuePath) -> Option<Edit> {
        let name = self.draft.get(place)?.clone();
        let outer = (0..place.steps.len()).rev().map(|it| place.up_to(it));
        let mut lists = outer.map(|it| it.field("volumes"));
        let list = lists.find(|it| self.schemas.at(it).is_some())?;
        let known = self.draft.get(&list).and_then(Value::as_list);
        let place = list.element(known.map_or(0, <[Value]>::len));
        Some(Edit::Set(place, map([("name", name)])))
    }

    /// Moves the first edit to the end if the search has chosen so.
    fn rotated(&mut self, mut edits: Vec<Edit>) -> Vec<Edit> {
        if edits.len() > 1 && self.choose(&[false, true]) == Some(true) {
            edits.rotate_left(1);
        }
        edits
    }

    /// Returns the longest part of the path of an error that the schema has.
    fn place_of(&self, fault: &Fault) -> Option<ValuePath> {
        let root = ValuePath {
            root: fault.root,
            steps: Vec::new(),
        };
        let schema = self.schemas.at(&root)?;
        let steps = steps(&fault.cause.field);
        let mut parts = (1..=steps.len()).rev().filter_map(|it| steps.get(..it));
        let steps = parts.find_map(|steps| located(schema, steps))?;
        Some(ValuePath { steps, ..root })
    }
}

/// Returns the steps of a path in an error. The elements of lists and the keys of maps are in
/// brackets.
fn steps(path: &str) -> Vec<PathStep> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let (step, after) = match rest.strip_prefix('[').and_then(|it| it.split_once(']')) {
            Some(found) => found,
            None => rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len())),
        };
        steps.push(match step.parse() {
            Ok(index) => PathStep::Element(index),
            Err(_) => PathStep::Field(step.into()),
        });
        rest = after.strip_prefix('.').unwrap_or(after);
    }
    steps
}

/// Returns the path of a value whose error leaves out some steps, or has a name in another case.
fn located(schema: Schema<'_>, steps: &[PathStep]) -> Option<Vec<PathStep>> {
    let Some((step, rest)) = steps.split_first() else {
        return Some(Vec::new());
    };
    let is_it = |name: &str| matches!(step, PathStep::Field(it) if it.eq_ignore_ascii_case(name));
    let field = |(name, inner): (&str, _)| (PathStep::Field(name.into()), inner);
    let (step, inner, rest) = if let Some(inner) = below(schema, step) {
        (step.clone(), inner, rest)
    } else if let Some(found) = schema.properties().find(|(name, _)| is_it(name)) {
        let (step, inner) = field(found);
        (step, inner, rest)
    } else {
        let element = schema.items().map(|it| (PathStep::Element(0), it));
        let mut hidden = element.into_iter().chain(schema.properties().map(field));
        let (step, inner) = hidden.find(|(_, inner)| below(*inner, step).is_some())?;
        (step, inner, steps)
    };
    let mut found = vec![step];
    found.extend(located(inner, rest)?);
    Some(found)
}

/// Returns the values that a message lists: `supported values: "A", "B"`.
fn listed(message: &str) -> impl Iterator<Item = &str> {
    let list = message.split_once("values: ").map_or("", |(_, list)| list);
    list.split('"').skip(1).step_by(2)
}

/// Returns a supported value, or a list or a map that contains it.
fn holding(text: &str, schema: Option<Schema<'_>>) -> Value {
    let value = Value::string(text);
    match schema.map(Schema::ty) {
        Some(SchemaType::Array) => Value::list(vec![value]),
        Some(SchemaType::Object) => {
            let of_entry = schema.and_then(Schema::additional_properties);
            map([(text, placeholder(of_entry, text))])
        }
        _ => value,
    }
}

/// Returns values that may be valid at a path: a name of its own for each element, what the message
/// contains, and examples of formats.
fn candidates(place: &ValuePath, message: &str) -> Vec<Value> {
    let number = place.steps.iter().rev().find_map(|it| match it {
        PathStep::Element(index) => Some(*index),
        PathStep::Field(_) => None,
    });
    let own = number.map(|index| Value::string(format!("{TEXT}-{index}")));
    let quoted = message.split(['\'', '"', '`']).skip(1).step_by(2);
    let words = || message.split(|it: char| !it.is_ascii_alphanumeric());
    let names = words().filter(|it| it.starts_with(|first: char| first.is_ascii_uppercase()));
    let numbers = words().filter_map(|it| it.parse().ok()).map(Value::Int);
    let texts = quoted.chain(names).map(Value::string);
    let examples = CANDIDATES.map(Value::string);
    let found = own.into_iter().chain(texts).chain(numbers);
    found.chain(examples).collect()
}
