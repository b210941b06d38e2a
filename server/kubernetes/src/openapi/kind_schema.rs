//! The schemas of kinds and types in a catalog.

use super::catalog::Catalog;
use super::schema::{Schema, SchemaPlace};
use crate::names::GroupVersion;
use crate::object::string_field;
use cel::Value;

impl Catalog {
    /// Returns the schema of the objects of a kind.
    #[must_use]
    pub fn schema(&self, group: &str, version: &str, kind: &str) -> Option<Schema<'_>> {
        let (definitions, entry) = self.entry(group, version, kind)?;
        Schema::from_type(self, definitions, definitions.kind_type(entry)?)
    }

    /// Returns the schema of an object by its `apiVersion` and `kind`.
    #[must_use]
    pub fn schema_of(&self, object: &Value) -> Option<Schema<'_>> {
        let GroupVersion { group, version } =
            GroupVersion::parse(string_field(object, "apiVersion")?);
        self.schema(group, version, string_field(object, "kind")?)
    }

    /// Returns the schema at a position returned by a schema of this catalog.
    #[must_use]
    pub fn schema_at(&self, place: SchemaPlace) -> Schema<'_> {
        Schema::at(self, place)
    }

    /// Returns the schema of a type by its name, such as `io.k8s.api.core.v1.PodSpec`.
    #[must_use]
    pub fn named(&self, type_name: &str) -> Option<Schema<'_>> {
        self.all_definitions().find_map(|definitions| {
            let number = definitions.type_number(type_name)?;
            Schema::from_type(self, definitions, number)
        })
    }
}
