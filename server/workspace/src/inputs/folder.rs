//! What a folder has that a search for inputs looks at.
//!
//! Many policies may lie in one folder with all their tests, so a folder is read once.

use super::is_manifest;
use crate::{Error, SampleLimits};
use ide::input;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Limit: the files of a folder that are looked at.
const MAX_ENTRIES: usize = 20_000;

/// The files of a folder, in the order of their names. Hidden ones are passed over.
#[derive(Debug, Default)]
pub(super) struct Folder {
    /// YAML and JSON.
    pub(super) manifests: Vec<PathBuf>,
    /// Files that are named as kat names the parts of a test.
    pub(super) tests: Vec<PathBuf>,
    /// The manifests with a policy.
    policies: OnceLock<Vec<PathBuf>>,
}

impl Folder {
    /// Looks into a folder. One that cannot be read has nothing.
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

    /// Whether nothing in it can be an input.
    pub(super) fn is_empty(&self) -> bool {
        self.manifests.is_empty() && self.tests.is_empty()
    }

    /// Whether a manifest of the folder has a policy.
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
    let ranges = policy::candidates(&text);
    let stream = std::sync::Arc::new(yaml::parse_documents(text.as_str().into(), &ranges));
    let recognition = policy::recognise(&stream);
    let mut documents = recognition.policies.iter();
    documents.any(|document| document.is_evaluated())
}
