//! `admissible schema`: JSON Schemas of the files that users write.
//!
//! An editor without the language server completes and checks these files with a schema. The
//! schemas are written from the tables of keys that the readers use. A test compares the documents
//! that a validator and the readers accept.

mod config;
mod inputs;
#[cfg(test)]
mod tests;
mod value;

use crate::arguments::{Schema, SchemaFormat};
use crate::exit::Exit;
use crate::report::json::write_value;
use crate::terminal::Terminal;
use serde_json::{Value, json};
use std::io;

/// The drafts that SchemaStore accepts and every editor reads.
const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// The URL of the schemas, which are part of the repository.
const PLACE: &str = "https://raw.githubusercontent.com/admissible/admissible/main/editors/schemas/";

/// Runs the command.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn run(options: &Schema, terminal: &Terminal) -> io::Result<Exit> {
    let schema = match options.format {
        SchemaFormat::Config => config_schema(),
        SchemaFormat::Inputs => inputs_schema(),
    };
    write_value(&schema, &mut terminal.stdout())?;
    Ok(Exit::Clean)
}

/// Returns the schema of `admissible.toml`.
#[must_use]
pub fn config_schema() -> Value {
    config::schema()
}

/// Returns the schema of a document in an inputs file.
#[must_use]
pub fn inputs_schema() -> Value {
    inputs::schema()
}

/// Returns the beginning of a schema.
fn head(file: &str, title: &str, description: &str) -> Value {
    json!({
        "$schema": DRAFT,
        "$id": format!("{PLACE}{file}"),
        "title": title,
        "description": description,
    })
}
