//! The schema of a policy: the fields of its kind, their types, and mismatches.
//!
//! [`check`] reads a document as the server's decoder does, so that a number in place of a
//! string is found before the string is validated.

mod check;

pub use check::{Expected, FoundType, Mismatch, MismatchKind, check};

use crate::kind::{ApiVersion, Kind};
use kubernetes::ServerVersion;
use kubernetes::openapi::{Catalog, Schema};
use std::sync::{Arc, LazyLock};

/// The kinds of the newest server, and those that only older servers served.
static NEWEST: LazyLock<Arc<Catalog>> =
    LazyLock::new(|| Catalog::with_former(ServerVersion::NEWEST_KINDS));

/// The kinds of older servers, the newest first: beta and alpha versions are removed in time.
static OLDER: LazyLock<Vec<Arc<Catalog>>> = LazyLock::new(|| {
    let servers = ServerVersion::OLDEST.up_to(ServerVersion::NEWEST_KINDS);
    servers.rev().skip(1).map(Catalog::built_in).collect()
});

/// Returns the schema of the documents of `kind` in `version`, as in the newest server with that
/// version. `None` if no server ever had the kind in that version.
#[must_use]
pub fn of_kind(kind: Kind, version: ApiVersion) -> Option<Schema<'static>> {
    let schema = |catalog: &'static Arc<Catalog>| {
        catalog.schema(kind.group(), version.as_str(), kind.as_str())
    };
    schema(&NEWEST).or_else(|| OLDER.iter().find_map(schema))
}

/// Returns the schema of a schema inside a CustomResourceDefinition.
#[must_use]
pub fn json_schema() -> Option<Schema<'static>> {
    NEWEST.named("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps")
}
