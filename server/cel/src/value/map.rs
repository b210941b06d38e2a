//! Maps.
//!
//! Most maps are objects of Kubernetes: string keys, many lookups, few entries. A lookup by a field
//! name does not allocate. Entries keep their insertion order.

mod entries;

use super::{EvalError, Value};
use entries::Entries;
pub(crate) use entries::Place;
pub(crate) use entries::is_equal;
use indexmap::Equivalent;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A map.
#[derive(Clone, Debug, Default)]
pub struct Map {
    body: Arc<Body>,
}

/// The part of a map that its copies share.
#[derive(Clone, Debug, Default)]
struct Body {
    entries: Entries,
    view: Option<Arc<View>>,
}

/// The part of a map of an object beyond the entries that the rules of its schema can read.
///
/// Upstream: kubernetes/apiserver, pkg/cel/common/valuesunstructured.go, unstructuredMap.
#[derive(Debug)]
pub struct View {
    /// The other spelling of a key.
    pub spelling: Spelling,
    /// The map in the object. Its size is that of the view.
    pub source: Map,
    /// The declared fields of the source that are null: the view has their names, but no values.
    pub nulls: Vec<Arc<str>>,
}

/// A key of a view without a readable value.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Hidden<'a> {
    /// A declared field that is null.
    Null(&'a Arc<str>),
    /// A field that the schema does not declare, with its value. Upstream, its name is a nil
    /// pointer.
    Unknown(&'a str, &'a Value),
}

impl Hidden<'_> {
    /// Returns the key and the value that a loop reads. Reading the value fails.
    pub(crate) fn entry(self) -> (Value, Value) {
        let (key, error) = match self {
            Self::Null(name) => {
                let key = Value::String(Arc::clone(name));
                (key, EvalError::no_such_key(name))
            }
            Self::Unknown(..) => (Value::Null, EvalError::no_such_overload()),
        };
        (key, Value::failed(error))
    }
}

/// A function that returns the key that another spelling refers to.
pub type Spelling = fn(&str) -> Option<Cow<'_, str>>;

impl From<Entries> for Body {
    fn from(entries: Entries) -> Self {
        Self {
            entries,
            view: None,
        }
    }
}

/// A key of a map: a `bool`, an `int`, a `uint` or a `string`, rarely another value.
///
/// Numbers are equal across their types, as everywhere in CEL.
#[derive(Clone, Debug)]
pub enum Key {
    /// A boolean.
    Bool(bool),
    /// A signed integer.
    Int(i64),
    /// An unsigned integer.
    Uint(u64),
    /// A string.
    String(Arc<str>),
    /// Any other value. The checker of cel-go accepts them as keys, but few are ever found again:
    /// most are a new key each time they are created.
    Other(Arc<Value>),
}

/// The identity of a key: equal keys have the same one.
#[derive(PartialEq, Eq)]
enum Identity<'a> {
    Bool(bool),
    Negative(i64),
    Number(u64),
    String(&'a str),
    Double(u64),
    Null,
    Time(i64, u32),
    Text(String),
    Place(usize),
}

impl Key {
    /// Returns the key that a value is. `None` if it cannot be one.
    #[must_use]
    pub fn new(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Bool(key) => Self::Bool(*key),
            Value::Int(key) => Self::Int(*key),
            Value::Uint(key) => Self::Uint(*key),
            Value::String(key) => Self::String(Arc::clone(key)),
            Value::Bytes(_) => return None,
            Value::Opaque(key) if !key.is_hashable() => return None,
            other => Self::Other(Arc::new(other.clone())),
        })
    }

    /// Returns the key as a value.
    #[must_use]
    pub fn value(&self) -> Value {
        match self {
            Key::Bool(key) => Value::Bool(*key),
            Key::Int(key) => Value::Int(*key),
            Key::Uint(key) => Value::Uint(*key),
            Key::String(key) => Value::String(Arc::clone(key)),
            Key::Other(key) => (**key).clone(),
        }
    }

    fn identity(&self) -> Identity<'_> {
        match self {
            Key::Bool(key) => Identity::Bool(*key),
            Key::Int(key) => int_identity(*key),
            Key::Uint(key) => Identity::Number(*key),
            Key::String(key) => Identity::String(key),
            Key::Other(key) => {
                lookup_other(key).unwrap_or_else(|| Identity::Place(Arc::as_ptr(key).addr()))
            }
        }
    }
}

/// Returns a `double` as a key. Both zeros are one.
fn double_bits(number: f64) -> Identity<'static> {
    let number = if number == 0.0 { 0.0 } else { number };
    Identity::Double(number.to_bits())
}

fn int_identity(number: i64) -> Identity<'static> {
    u64::try_from(number).map_or(Identity::Negative(number), Identity::Number)
}

/// Returns the identity that a lookup by a value uses. A `double` finds an integer that equals
/// it.
fn lookup_identity(value: &Value) -> Option<Identity<'_>> {
    Some(match value {
        Value::Bool(key) => Identity::Bool(*key),
        Value::Int(key) => int_identity(*key),
        Value::Uint(key) => Identity::Number(*key),
        Value::String(key) => Identity::String(key),
        Value::Double(key) => double_identity(*key)?,
        other => return lookup_other(other),
    })
}

/// Returns the identity of a value that is rarely a key. Lists and maps are equal keys only if
/// they share their memory, as a constant does at each iteration.
fn lookup_other(value: &Value) -> Option<Identity<'static>> {
    match value {
        // Nothing equals NaN, not even itself.
        Value::Double(number) if number.is_nan() => None,
        Value::Double(number) => Some(double_bits(*number)),
        Value::Null => Some(Identity::Null),
        Value::List(elements) => Some(Identity::Place(elements.address())),
        Value::Map(map) => Some(Identity::Place(Arc::as_ptr(&map.body).addr())),
        Value::Timestamp(time) => Some(Identity::Time(time.seconds(), time.nanos())),
        // No timestamp has that many nanoseconds.
        Value::Duration(span) => Some(Identity::Time(span.nanos, u32::MAX)),
        Value::Opaque(opaque) if opaque.is_comparable() => Some(Identity::Text(opaque.display())),
        _ => None,
    }
}

fn double_identity(number: f64) -> Option<Identity<'static>> {
    // The limits are exact: 2^63 and 2^64 are doubles.
    if number.fract() != 0.0 {
        None
    } else if (-9_223_372_036_854_775_808.0..0.0).contains(&number) {
        Some(Identity::Negative(number as i64))
    } else if (0.0..18_446_744_073_709_551_616.0).contains(&number) {
        Some(Identity::Number(number as u64))
    } else {
        None
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl Hash for Identity<'_> {
    // Keys of one map are nearly always of one type, so the type is not hashed: keys that differ
    // only in type are distinguished by comparison.
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            Identity::String(key) => state.write(key.as_bytes()),
            Identity::Bool(key) => state.write_u64(u64::from(*key)),
            Identity::Negative(key) => state.write_i64(*key),
            Identity::Number(key) | Identity::Double(key) => state.write_u64(*key),
            Identity::Null => state.write_u64(0),
            Identity::Time(key, nanos) => {
                state.write_i64(*key);
                state.write_u32(*nanos);
            }
            Identity::Text(key) => state.write(key.as_bytes()),
            Identity::Place(key) => state.write_usize(*key),
        }
    }
}

impl Equivalent<Key> for Identity<'_> {
    #[inline]
    fn equivalent(&self, key: &Key) -> bool {
        if let (Identity::String(name), Key::String(key)) = (self, key) {
            return is_equal(name, key);
        }
        *self == key.identity()
    }
}

impl Map {
    /// Returns a map of entries whose keys the caller guarantees to be different.
    #[must_use]
    pub fn from_distinct(entries: impl ExactSizeIterator<Item = (Key, Value)>) -> Self {
        Self {
            body: Arc::new(Entries::from_distinct(entries).into()),
        }
    }

    /// Returns the address of the entries: the same for maps that share them.
    pub(super) fn address(&self) -> usize {
        Arc::as_ptr(&self.body).addr()
    }

    /// Returns the value of a key. `None` if there is none, or if the value cannot be a key.
    #[must_use]
    pub fn get(&self, key: &Value) -> Option<&Value> {
        match key {
            Value::String(key) => return self.get_str(key),
            Value::Double(number) => {
                if let Some(found) = self.body.entries.get(&double_bits(*number)) {
                    return Some(found);
                }
            }
            _ => {}
        }
        self.body.entries.get(&lookup_identity(key)?)
    }

    /// Returns the value of a string key.
    #[must_use]
    #[inline]
    pub fn get_str(&self, key: &str) -> Option<&Value> {
        let found = self.body.entries.get_str(key);
        found.or_else(|| self.respelled(key))
    }

    /// Returns the value of a string key that probably is where it was in a similar map.
    #[inline]
    pub(crate) fn get_near(&self, key: &str, place: &Place) -> Option<&Value> {
        let found = self.body.entries.get_near(key, place);
        found.or_else(|| self.respelled(key))
    }

    #[cold]
    fn respelled(&self, key: &str) -> Option<&Value> {
        let key = (self.view()?.spelling)(key)?;
        self.body.entries.get_str(&key)
    }

    /// Returns the map as a view of an object, whose entries are those that a rule can read.
    #[must_use]
    pub fn with_view(mut self, view: View) -> Self {
        Arc::make_mut(&mut self.body).view = Some(Arc::new(view));
        self
    }

    /// Returns the part beyond its entries. `None` for a map that is not a view of an object.
    #[must_use]
    pub fn view(&self) -> Option<&View> {
        self.body.view.as_deref()
    }

    /// Returns the value of a key, as an index and `in` look it up.
    ///
    /// # Errors
    /// The map is a view of an object, and the key is not a string.
    pub(crate) fn find(&self, key: &Value) -> Result<Option<&Value>, EvalError> {
        match key {
            Value::String(key) => Ok(self.get_str(key)),
            _ if self.view().is_some() => Err(EvalError::no_such_overload()),
            _ => Ok(self.get(key)),
        }
    }

    /// Returns the keys without a readable value, which follow those of the entries.
    pub(crate) fn hidden(&self) -> impl Iterator<Item = Hidden<'_>> {
        let view = self.view();
        // Most views are complete.
        let view = view.filter(|view| view.source.len() > self.body.entries.len());
        let nulls = view.into_iter().flat_map(|view| &view.nulls);
        let keys = view.into_iter().flat_map(|view| view.source.iter());
        let unknown = keys.filter_map(move |(key, value)| match key {
            Key::String(name) => {
                let is_null = view.is_some_and(|view| view.nulls.contains(name));
                let is_known = is_null || self.get_str(name).is_some();
                (!is_known).then_some(Hidden::Unknown(name, value))
            }
            _ => None,
        });
        nulls.map(Hidden::Null).chain(unknown)
    }

    /// Returns the value of a string key for mutation. A map that is shared is copied first.
    #[must_use]
    pub fn get_str_mut(&mut self, key: &str) -> Option<&mut Value> {
        Arc::make_mut(&mut self.body)
            .entries
            .get_mut(&Identity::String(key))
    }

    /// Sets the value of a string key. A map that is shared is copied first.
    pub fn set_str(&mut self, key: &str, value: Value) {
        let entries = &mut Arc::make_mut(&mut self.body).entries;
        match entries.get_mut(&Identity::String(key)) {
            Some(place) => *place = value,
            None => {
                entries.insert(Key::String(key.into()), value);
            }
        }
    }

    /// Adds a new string key, sharing its string. A map that is shared is copied first.
    pub fn add_str(&mut self, key: &Arc<str>, value: Value) {
        let entries = &mut Arc::make_mut(&mut self.body).entries;
        entries.insert(Key::String(Arc::clone(key)), value);
    }

    /// Removes the entry of a string key. The others keep their order.
    pub fn take_str(&mut self, key: &str) -> Option<Value> {
        self.get_str(key)?;
        Arc::make_mut(&mut self.body)
            .entries
            .remove(&Identity::String(key))
    }

    /// Returns the entries, to change their values. A map that is shared is copied first.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&Key, &mut Value)> {
        Arc::make_mut(&mut self.body).entries.iter_mut()
    }

    /// Keeps the entries for which `keep` returns true. `keep` may change them.
    pub fn retain(&mut self, keep: impl FnMut(&Key, &mut Value) -> bool) {
        Arc::make_mut(&mut self.body).entries.retain(keep);
    }

    /// Returns the number of entries, with those of an object that a view of it hides.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.view() {
            Some(view) => view.source.len(),
            None => self.body.entries.len(),
        }
    }

    /// Returns whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns an entry by its index.
    #[must_use]
    pub fn entry_at(&self, index: usize) -> Option<(&Key, &Value)> {
        self.body.entries.at(index)
    }

    /// Returns the entries in insertion order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Key, &Value)> {
        self.body.entries.iter()
    }
}

/// A map under construction.
#[derive(Clone, Debug, Default)]
pub struct MapBuilder {
    entries: Entries,
}

impl MapBuilder {
    /// Returns a builder with room for some entries.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self {
            entries: Entries::with_capacity(capacity),
        }
    }

    /// Continues from an existing map.
    #[must_use]
    pub fn from_map(map: Map) -> Self {
        Self {
            entries: Arc::unwrap_or_clone(map.body).entries,
        }
    }

    /// Sets an entry. Returns the value that was there.
    pub fn insert(&mut self, key: Key, value: Value) -> Option<Value> {
        self.entries.insert(key, value)
    }

    /// Removes an entry. The others keep their order.
    pub fn remove(&mut self, key: &Key) {
        self.entries.remove(&key.identity());
    }

    /// Returns whether there is an entry of that key.
    #[must_use]
    pub fn contains(&self, key: &Key) -> bool {
        self.entries.get(&key.identity()).is_some()
    }

    /// Returns whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.len() == 0
    }

    /// Returns the map.
    #[must_use]
    pub fn build(self) -> Map {
        Map {
            body: Arc::new(self.entries.into()),
        }
    }
}

impl FromIterator<(Key, Value)> for Map {
    fn from_iter<I: IntoIterator<Item = (Key, Value)>>(entries: I) -> Self {
        MapBuilder {
            entries: entries.into_iter().collect(),
        }
        .build()
    }
}
