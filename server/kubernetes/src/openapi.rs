//! The kinds of a Kubernetes server, with their schemas.
//!
//! A policy names resources and reads fields. Which resources and fields exist depends on the
//! version of the server and on its CustomResourceDefinitions. A [`Catalog`] holds those of one
//! server: the built-in kinds come from a file embedded in the program, others from
//! CustomResourceDefinitions and OpenAPI documents, read into the same form.
//!
//! Nothing is decoded in advance. A schema is read in place, so that only the kinds in use cost
//! time.

mod by_name;
mod catalog;
mod crd;
mod definitions;
mod derived;
mod descriptions;
mod discovery;
mod document;
mod json;
mod kind_schema;
mod layout;
mod model;
mod resource;
mod schema;
mod schema_node;
mod schema_type;
#[cfg(test)]
mod tests;
mod writer;

pub use catalog::Catalog;
pub use crd::VERBS;
pub use definitions::Definitions;
pub use json::{ReadError, read_type};
pub use model::{KindFacts, Model, Property, SchemaFacts, SubresourceFacts};
pub use resource::{Names, Resource, Subresource, Subresources, guessed_plural};
pub use schema::{Schema, SchemaId, SchemaPlace};
pub use schema_type::{ListType, MapType, SchemaType};
pub use writer::write;
