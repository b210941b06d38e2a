//! Changes the value at a path to meet a requirement.

use super::draft::ValuePath;
use super::placeholder::{TEXT, map, placeholder};
use super::solver::Solver;
use super::term::Term;
use super::want::{Order, Want};
use crate::presence::Root;
use cel::Value;
use kubernetes::openapi::{Schema, SchemaType};
use std::sync::Arc;

/// Limit: the elements or entries that are added to a list or a map.
const MAX_ADDED: i64 = 32;

impl Solver<'_> {
    /// Changes the value at a path to meet a requirement. Returns whether it may be met now.
    pub(super) fn want_path(&mut self, place: &ValuePath, want: &Want) -> bool {
        let now = self.value_at_path(place);
        if want.is_met_by(now.as_ref()) {
            return true;
        }
        let Some(place) = self.settable(place) else {
            return false;
        };
        match want {
            Want::Present(true) | Want::Compare(Order::Unequal, Value::Null) => self.fill(&place),
            Want::Present(false) | Want::Compare(Order::Equal, Value::Null) => self.remove(&place),
            Want::Includes(part, wanted) => self.include(&place, part, *wanted, now.as_ref()),
            Want::Size(order, size) if !self.is_text(&place, now.as_ref()) => {
                let size = order.near(*size);
                self.resize(&place, size.clamp(0, MAX_ADDED), now.as_ref())
            }
            _ => {
                let schema = self.schemas.at(&place);
                let values = want.satisfying(now.as_ref());
                let values: Vec<Value> =
                    values.iter().filter_map(|it| fitting(it, schema)).collect();
                let value = self.choose(&values);
                value.is_some_and(|value| self.set(&place, &value))
            }
        }
    }

    fn value_at_path(&mut self, place: &ValuePath) -> Option<Value> {
        self.value(&Term::Path(place.clone()))
    }

    /// Returns the path whose change changes the value at a path. `None` if there is none.
    fn settable(&self, place: &ValuePath) -> Option<ValuePath> {
        let of_object = |fields: &[&str]| {
            let root = if self.draft.object.is_some() {
                Root::Object
            } else {
                Root::OldObject
            };
            let place = ValuePath {
                root,
                steps: Vec::new(),
            };
            fields.iter().fold(place, |place, field| place.field(field))
        };
        let is_kind = |root| place.is(root, &["kind"]) || place.is(root, &["apiVersion"]);
        match place.root {
            Root::Request if place.is(Root::Request, &["name"]) => {
                Some(of_object(&["metadata", "name"]))
            }
            Root::Request if place.is(Root::Request, &["namespace"]) => {
                Some(of_object(&["metadata", "namespace"]))
            }
            Root::Request => {
                let first = place.steps.first()?;
                let free =
                    ["userInfo", "dryRun"].map(|it| super::draft::PathStep::Field(Arc::from(it)));
                free.contains(first).then(|| place.clone())
            }
            root if is_kind(root) || place.steps.is_empty() => None,
            _ => Some(place.clone()),
        }
    }

    pub(super) fn set(&mut self, place: &ValuePath, value: &Value) -> bool {
        let is_set = self.draft.set(place, value.clone(), &self.schemas);
        self.follow(place, value);
        self.changed();
        is_set
    }

    /// Changes the paths that must have the same value.
    fn follow(&mut self, place: &ValuePath, value: &Value) {
        let is = |fields: &[&str]| place.is(Root::Object, fields);
        let [name, namespace] = [["metadata", "name"], ["metadata", "namespace"]];
        if is(&name) || is(&namespace) {
            let old = place.with_root(Root::OldObject);
            self.draft.set(&old, value.clone(), &self.schemas);
        }
        if place.last() == "namespace" && self.draft.namespace.is_some() {
            let metadata = ValuePath {
                root: Root::Namespace,
                steps: Vec::new(),
            }
            .field("metadata");
            self.draft
                .set(&metadata.field("name"), value.clone(), &self.schemas);
        }
    }

    /// Sets a value that the server keeps at a path.
    pub(super) fn fill(&mut self, place: &ValuePath) -> bool {
        let schema = self.schemas.at(place);
        let entries = schema.and_then(Schema::additional_properties);
        match schema.map(Schema::ty) {
            Some(SchemaType::Boolean) => self.set(place, &Value::Bool(true)),
            Some(SchemaType::Object) if entries.is_some() => {
                let of_entry = entries.map(Schema::ty);
                let key = match of_entry {
                    // Quantities are usually those of resources.
                    Some(SchemaType::Quantity) => "cpu",
                    _ => TEXT,
                };
                self.make(&place.field(key))
            }
            _ => self.make(place),
        }
    }

    pub(super) fn make(&mut self, place: &ValuePath) -> bool {
        let is_made = self.draft.make(place, &self.schemas);
        self.changed();
        is_made
    }

    pub(super) fn remove(&mut self, place: &ValuePath) -> bool {
        let is_removed = self.draft.remove(place);
        self.changed();
        is_removed
    }

    /// Returns whether the size of the value at a path is that of a string.
    fn is_text(&self, place: &ValuePath, now: Option<&Value>) -> bool {
        match self.schemas.at(place).map(Schema::ty) {
            Some(ty) => ty == SchemaType::String,
            None => now.is_some_and(|it| it.as_str().is_some()),
        }
    }

    fn include(
        &mut self,
        place: &ValuePath,
        part: &Value,
        wanted: bool,
        now: Option<&Value>,
    ) -> bool {
        let schema = self.schemas.at(place);
        let is_list = match schema.map(Schema::ty) {
            Some(ty) => ty == SchemaType::Array,
            None => !matches!(now, Some(Value::Map(_))),
        };
        match (part, is_list) {
            (Value::String(key), false) if wanted => self.make(&place.field(key)),
            (Value::String(key), false) => self.remove(&place.field(key)),
            (_, true) => {
                let mut list = now.and_then(Value::as_list).unwrap_or_default().to_vec();
                list.retain(|it| it.equals(part) != Ok(true));
                if wanted {
                    list.push(part.clone());
                }
                self.set(place, &Value::list(list))
            }
            _ => false,
        }
    }

    fn resize(&mut self, place: &ValuePath, size: i64, now: Option<&Value>) -> bool {
        let schema = self.schemas.at(place);
        let count = usize::try_from(size).unwrap_or_default();
        let is_map = schema.is_some_and(|it| it.ty() == SchemaType::Object)
            || now.is_some_and(|it| it.as_map().is_some());
        if count == 0 {
            return self.remove(place);
        }
        let value = if is_map {
            let of_entry = schema.and_then(Schema::additional_properties);
            let keys = (0..count).map(|number| format!("example-{number}"));
            map(keys.map(|key| (key, placeholder(of_entry, ""))))
        } else {
            let list = now.and_then(Value::as_list).unwrap_or_default();
            let of_element = schema.and_then(Schema::items);
            let new = (list.len()..count).map(|number| numbered(of_element, place.last(), number));
            Value::list(list.iter().take(count).cloned().chain(new).collect())
        };
        self.set(place, &value)
    }

    /// Adds an element to a list, or an entry to a map.
    pub(super) fn grow(&mut self, term: &Term) -> Option<Term> {
        let Term::Path(place) = term else {
            return self.grow_source(term);
        };
        let place = &self.settable(place)?;
        let now = self.draft.get(place).cloned();
        let schema = self.schemas.at(place);
        if schema.is_some_and(|it| it.ty() == SchemaType::Object)
            || now.as_ref().is_some_and(|it| it.as_map().is_some())
        {
            let key: Arc<str> = Arc::from(TEXT);
            self.make(&place.field(&key));
            return Some(Term::Key(place.clone(), key));
        }
        let count = now
            .as_ref()
            .and_then(Value::as_list)
            .map_or(0, <[Value]>::len);
        let element = numbered(schema.and_then(Schema::items), place.last(), count);
        let element_place = place.element(count);
        self.set(&element_place, &element)
            .then_some(Term::Path(element_place))
    }

    /// Adds an element to the first list from which a list is computed.
    fn grow_source(&mut self, term: &Term) -> Option<Term> {
        let Term::Code(code) = term else { return None };
        let place = self.paths_read(code).into_iter().next()?;
        self.deeper(|solver| solver.grow(&Term::Path(place)))?;
        self.elements(term).into_iter().next_back()
    }

    /// Renames a key of a map to meet a requirement. Returns whether it may be met now.
    pub(super) fn want_key(&mut self, map: &ValuePath, key: &str, want: &Want) -> bool {
        if want.is_met_by(Some(&Value::string(key))) {
            return true;
        }
        let values = want.satisfying(Some(&Value::string(key)));
        let Some(Value::String(new)) = self.choose(&values) else {
            return false;
        };
        let entry = map.field(key);
        let value = self.draft.get(&entry).cloned();
        self.remove(&entry);
        value.is_some_and(|value| self.set(&map.field(&new), &value))
    }
}

/// Returns the element of a list after this many elements. Names differ.
fn numbered(schema: Option<Schema<'_>>, field: &str, number: usize) -> Value {
    let mut element = placeholder(schema, field);
    if number > 0
        && let Some(map) = element.as_map_mut()
        && map.get_str("name").is_some_and(|it| it.as_str().is_some())
    {
        map.set_str("name", Value::string(format!("example-{number}")));
    }
    element
}

/// Returns a value in the form of the schema. `None` if the schema has no such form.
pub(super) fn fitting(value: &Value, schema: Option<Schema<'_>>) -> Option<Value> {
    let text = match value {
        Value::Timestamp(time) => Some(time.to_string()),
        Value::Duration(span) => Some(span.to_string()),
        Value::Opaque(_) | Value::Type(_) | Value::Bytes(_) | Value::Optional(_) => return None,
        _ => None,
    };
    let value = text.map_or_else(|| value.clone(), Value::string);
    Some(match (schema.map(Schema::ty), &value) {
        (Some(SchemaType::String | SchemaType::Quantity), Value::Int(number)) => {
            Value::string(number.to_string())
        }
        (Some(SchemaType::Integer | SchemaType::Number), Value::String(text)) => {
            Value::Int(text.parse().ok()?)
        }
        (Some(SchemaType::Integer), Value::Double(number)) => {
            Value::Int(cel::value::number::parse_int(&format!("{number:.0}"))?)
        }
        (Some(SchemaType::Boolean), Value::Bool(_)) => value,
        (Some(SchemaType::Boolean), _) => return None,
        (Some(SchemaType::String), it) if it.as_str().is_none() => return None,
        (Some(SchemaType::Object), it) if it.as_map().is_none() => return None,
        (Some(SchemaType::Array), it) if it.as_list().is_none() => return None,
        _ => value,
    })
}
