//! The schemas that a configuration names: kinds that no file of the project defines.
//!
//! An entry of `schemas` is a file, a directory or a pattern, relative to the configuration file.
//! It has CustomResourceDefinitions, OpenAPI v3 documents and the lists of resources of a server;
//! other files of a directory are skipped. An error is reported at the entry in the configuration, and everything else still
//! applies. A message never quotes a file, and a file outside the [`Roots`] is not read.

use crate::roots::joined;
use crate::{Config, ConfigCache, ConfigProblem, Roots, SchemaPath, Schemas, find_files};
use ide::FileSummary;
use kubernetes::openapi::{Definitions, ReadError};
use std::path::Path;
use std::sync::Arc;

/// Limit: the files of all entries of one configuration. All published operators together have some
/// thousand definitions.
const MAX_FILES: usize = 5_000;

/// Limit: the bytes that are read for one configuration.
const MAX_SIZE: usize = 256 * 1024 * 1024;

/// A field of the index of all documents, `/openapi/v3`.
const INDEX: &str = "\"serverRelativeURL\"";

impl ConfigCache {
    /// Returns the schemas that a configuration names. The first call reads them.
    #[must_use]
    pub fn schemas(&self, config: &Config) -> Arc<Schemas> {
        self.schemas_or_read(config, |config| Schemas::read(config, self.roots()))
    }
}

impl Schemas {
    /// Reads the schemas that a configuration names. `roots` are the folders of the user.
    fn read(config: &Config, roots: &Roots) -> Self {
        let (Some(entries), Some(root)) = (config.schemas(), config.root()) else {
            return Self::default();
        };
        let mut schemas = Self {
            definitions: Some(Vec::new()),
            ..Self::default()
        };
        let (mut left, roots) = (MAX_SIZE, roots.with_folder(root));
        for entry in entries {
            schemas.entry(root, entry, &roots, &mut left);
        }
        schemas
    }

    fn entry(&mut self, root: &Path, entry: &SchemaPath, roots: &Roots, left: &mut usize) {
        let path = joined(root, Path::new(&entry.path));
        if let Err(error) = roots.check(&path) {
            return self.problem(entry, &error.to_string());
        }
        let is_one_file = path.is_file();
        // A named directory is searched, even if it is excluded from checks.
        let found = find_files(&[path], &Arc::new(ConfigCache::default()));
        for problem in &found.problems {
            self.problem(entry, &problem.error.to_string());
        }
        for file in found.files {
            if self.files.len() >= MAX_FILES {
                let message = format!("more than {MAX_FILES} files; list fewer");
                return self.problem(entry, &message);
            }
            let text = match roots.read(&file) {
                Ok(text) => text,
                Err(error) => {
                    self.problem(entry, &format!("{}: {error}", file.display()));
                    continue;
                }
            };
            let Some(rest) = left.checked_sub(text.len()) else {
                let limit = MAX_SIZE / (1024 * 1024);
                let message = format!("the files are larger than {limit} MiB in total; list fewer");
                return self.problem(entry, &message);
            };
            *left = rest;
            self.file(entry, &file, &text, is_one_file);
        }
    }

    fn file(&mut self, entry: &SchemaPath, file: &Path, text: &str, is_named: bool) {
        match definitions(file, text) {
            Ok(found) if found.is_empty() && is_named && !text.contains(INDEX) => {
                let message = "the file is neither a CustomResourceDefinition nor an OpenAPI v3 \
                               document, nor a list of resources";
                self.problem(entry, message);
            }
            Ok(found) => self.definitions.get_or_insert_default().extend(found),
            // A server has documents without schemas, such as that of `/version`.
            Err(ReadError::NoSchemas) if !is_named => {}
            Err(reason) => self.problem(entry, &format!("{}: {reason}", file.display())),
        }
        self.files.push(file.to_path_buf());
    }

    fn problem(&mut self, entry: &SchemaPath, reason: &str) {
        // One problem for each entry is enough, as a directory may have thousands.
        if self.problems.iter().any(|known| known.range == entry.range) {
            return;
        }
        self.problems.push(ConfigProblem {
            range: entry.range,
            message: format!("`{}`: {reason}.", entry.path),
        });
    }
}

/// Returns the kinds that a source defines.
fn definitions(path: &Path, text: &str) -> Result<Vec<Arc<Definitions>>, ReadError> {
    if is_openapi(text) {
        return Ok(vec![Arc::new(Definitions::from_openapi(text)?)]);
    }
    if let Some(listed) = Definitions::from_discovery(text) {
        return Ok(vec![Arc::new(listed)]);
    }
    Ok(FileSummary::read(&Arc::from(path), text).definitions)
}

/// Returns whether a source is an OpenAPI document: JSON with a field `openapi`, or `swagger`
/// before version 3.
fn is_openapi(text: &str) -> bool {
    let start = text.trim_start_matches('\u{FEFF}').trim_start();
    start.starts_with('{')
        && ["\"openapi\"", "\"swagger\""]
            .iter()
            .any(|field| text.contains(field))
}

#[cfg(test)]
mod tests;
