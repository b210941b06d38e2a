//! The objects that exist on a server, by their kind.
//!
//! The built-in admission plugins look for objects of several kinds in every request, and a
//! project has thousands of objects of other kinds.

use cel::Value;
use kubernetes::{metadata_field, string_field};
use std::collections::HashMap;
use std::sync::Arc;

/// Objects in insertion order.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects {
    all: Vec<Value>,
    /// The indexes of those of a kind, whatever their group.
    by_kind: HashMap<Arc<str>, Vec<usize>>,
}

impl Objects {
    pub(super) fn push(&mut self, object: Value) {
        let kind = string_field(&object, "kind").unwrap_or_default();
        let of_kind = self.by_kind.entry(Arc::from(kind)).or_default();
        of_kind.push(self.all.len());
        self.all.push(object);
    }

    pub(super) fn all(&self) -> &[Value] {
        &self.all
    }

    /// Returns the objects of a kind.
    pub(super) fn of_kind<'a, 'k>(
        &'a self,
        api_version: &'k str,
        kind: &str,
    ) -> impl Iterator<Item = &'a Value> + use<'a, 'k> {
        let indexes = self.by_kind.get(kind).into_iter().flatten();
        let objects = indexes.filter_map(|index| self.all.get(*index));
        objects.filter(move |object| string_field(object, "apiVersion") == Some(api_version))
    }

    /// Returns an object. An empty namespace means that it is cluster-scoped.
    pub(super) fn find(
        &self,
        (api_version, kind): (&str, &str),
        namespace: &str,
        name: &str,
    ) -> Option<&Value> {
        self.of_kind(api_version, kind).find(|object| {
            metadata_field(object, "namespace").unwrap_or_default() == namespace
                && metadata_field(object, "name").unwrap_or_default() == name
        })
    }
}
