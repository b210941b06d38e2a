//! The files of a folder that a search for inputs needs.
//!
//! A folder may have many policies with all their tests, so it is listed once.

use super::is_manifest;
use crate::{Error, SampleLimits};
use evaluation::input;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Limit: the entries of a folder that are listed.
const MAX_ENTRIES: usize = 20_000;

/// The files of a folder, in the order of their names. Hidden files are skipped.
#[derive(Debug, Default)]
pub(super) struct Folder {
    /// YAML and JSON.
    pub(super) manifests: Vec<PathBuf>,
    /// Files named like the parts of a kat test.
    pub(super) tests: Vec<PathBuf>,
    /// The manifests with a policy.
    policies: OnceLock<Vec<PathBuf>>,
}

impl Folder {
    /// Lists a folder. The result is empty if it cannot be read.
    pub(super) fn read(path: &Path) -> Self {
        let mut folder = Self::default();
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        for entry in entries.take(MAX_ENTRIES) {
            let name = entry.file_name();
            let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else {
                continue;
            };
            let file = path.join(name);
            let is_test = input::kat_name(name).is_some();
            if !is_test && !is_manifest(&file) || !file.is_file() {
                continue;
            }
            if is_manifest(&file) {
                folder.manifests.push(file.clone());
            }
            if is_test {
                folder.tests.push(file);
            }
        }
        folder.manifests.sort_unstable();
        folder.tests.sort_unstable();
        folder
    }

    /// Returns whether no file in it can be an input.
    pub(super) fn is_empty(&self) -> bool {
        self.manifests.is_empty() && self.tests.is_empty()
    }

    /// Returns whether a manifest of the folder has a policy.
    pub(super) fn has_policy(
        &self,
        file: &Path,
        read: &dyn Fn(&Path) -> Result<String, Error>,
    ) -> bool {
        let policies = self.policies.get_or_init(|| {
            let all = self.manifests.iter();
            all.filter(|it| has_policy(it, read)).cloned().collect()
        });
        policies
            .binary_search_by(|it| it.as_path().cmp(file))
            .is_ok()
    }
}

fn has_policy(file: &Path, read: &dyn Fn(&Path) -> Result<String, Error>) -> bool {
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    if size > SampleLimits::default().file_size {
        return false;
    }
    let Ok(text) = read(file) else {
        return false;
    };
    let ranges = policy::possible_documents(&text);
    let stream = std::sync::Arc::new(yaml::parse_documents(text.as_str().into(), &ranges));
    let recognition = policy::recognize(&stream);
    let mut documents = recognition.policies.iter();
    documents.any(|document| document.is_evaluated())
}
