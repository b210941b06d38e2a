//! The admission inputs among the checked files.
//!
//! A file with inputs belongs to the policy files that its name implies, and to those whose
//! comments name it. So it is checked after these have been read. A file that belongs to no policy
//! file merely has the name of an inputs file.

use super::read::Read;
use crate::reader::read_near;
use evaluation::input;
use ide::{FileInputs, SourceFile};
use kubernetes::Target;
use policy::ParsedFile;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use workspace::{ConfigCache, FoundInputs, InputFinder, Owner, is_inputs_file, policy_of_input};

/// The policy files to which inputs belong.
pub(super) struct Inputs<'a> {
    configs: &'a ConfigCache,
    /// The policy files whose comments name a file.
    named: HashMap<PathBuf, Vec<PathBuf>>,
    /// The checked files, if a comment names any file.
    checked: HashSet<PathBuf>,
    /// The policy files that were read. `None` for a file without policies.
    owners: Mutex<HashMap<PathBuf, Option<Arc<ParsedFile>>>>,
}

/// Returns the inputs that the comments of a policy file name. `None` if there are no such
/// comments.
pub(super) fn named(file: &SourceFile) -> Option<FoundInputs> {
    let find = || InputFinder::from_working_directory().named(file.path(), file);
    (!input::named(file).is_empty()).then(find)
}

impl<'a> Inputs<'a> {
    pub(super) fn new(read: &[Read], files: &[PathBuf], configs: &'a ConfigCache) -> Self {
        let mut named: HashMap<PathBuf, Vec<PathBuf>> = HashMap::new();
        for read in read {
            let Read::Waiting(waiting, _) = read else {
                continue;
            };
            for file in waiting.named.iter().flat_map(|it| &it.files) {
                let owners = named.entry(configs.real_path(file)).or_default();
                owners.push(waiting.real.clone());
            }
        }
        let checked = if named.is_empty() {
            HashSet::new()
        } else {
            files.iter().map(|file| configs.real_path(file)).collect()
        };
        Self {
            configs,
            named,
            checked,
            owners: Mutex::default(),
        }
    }

    /// Returns whether a file may have inputs.
    pub(super) fn may_contain(&self, real: &Path) -> bool {
        is_inputs_file(real) || self.named.contains_key(real)
    }

    /// Returns the file with its inputs. `named` are those that its comments name.
    pub(super) fn add_to(
        &self,
        file: SourceFile,
        named: Option<&FoundInputs>,
        finder: &mut InputFinder<'_>,
    ) -> SourceFile {
        let path = file.path();
        let is_reported = |path: &Path| self.checked.contains(&self.configs.real_path(path));
        let mut errors =
            named.map_or_else(Vec::new, |it| it.at_comments((path, &file), is_reported));
        let policy_files = self.owners(path);
        let owners: Vec<Owner<'_>> = policy_files
            .iter()
            .map(|(path, file)| (path.as_path(), &**file))
            .collect();
        let is_inputs_file = !owners.is_empty();
        if is_inputs_file {
            errors.extend(finder.errors(path, file.text(), &owners));
        }
        let inputs = FileInputs {
            is_inputs_file,
            errors,
        };
        if inputs == FileInputs::default() {
            file
        } else {
            file.with_inputs(inputs)
        }
    }

    /// Returns the policy files to which a file with inputs belongs.
    fn owners(&self, path: &Path) -> Vec<(PathBuf, Arc<ParsedFile>)> {
        if !self.may_contain(path) {
            return Vec::new();
        }
        let mut paths = self.named.get(path).cloned().unwrap_or_default();
        paths.extend(policy_of_input(path).filter(|it| !paths.contains(it)));
        let owners = paths.into_iter();
        owners
            .filter_map(|path| Some((path.clone(), self.policy_file(path)?)))
            .collect()
    }

    /// Returns a file if it has policies. The first call reads it.
    fn policy_file(&self, path: PathBuf) -> Option<Arc<ParsedFile>> {
        let owners = || self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = owners().get(&path) {
            return known.clone();
        }
        let file = read_near(&path)
            .ok()
            .map(|text| ParsedFile::new(text.into(), Target::default()));
        let has_policies = |it: &ParsedFile| {
            let mut documents = it.policies().iter();
            documents.any(|it| it.is_evaluated() || it.kind().is_webhook_configuration())
        };
        let file = file.filter(has_policies).map(Arc::new);
        owners().insert(path, file.clone());
        file
    }
}
