//! What is wrong in one file of inputs, or of a test of kat.
//!
//! An editor shows the mistakes of the file that is open, at every key. So only this file is
//! read, and of kat those that belong to the same test.

use super::{InputFinder, policy_names};
use ide::SourceFile;
use ide::input::{self, InputError};
use std::path::Path;

/// A policy file: where it is, and its content.
pub type Owner<'a> = (&'a Path, &'a SourceFile);

impl InputFinder<'_> {
    /// What is wrong in a file of inputs that belongs to these policy files. Where there are
    /// several, a policy may be in any of them. Without one, nothing is said of the names of
    /// policies, and nothing of a file of kat.
    #[must_use]
    pub fn errors(&mut self, path: &Path, text: &str, owners: &[Owner<'_>]) -> Vec<InputError> {
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(name) = name.and_then(input::kat_name) {
            return self.of_test(path, name.base, owners);
        }
        let read = input::read(path, text);
        let mut errors = read.errors;
        for input in &read.inputs {
            errors.extend(unknown(input, owners));
        }
        errors.sort_by_key(|error| error.range.start());
        errors
    }

    /// What is wrong in a file of the test of this name.
    fn of_test(&mut self, path: &Path, base: &str, owners: &[Owner<'_>]) -> Vec<InputError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let listed = self.folder(folder);
        let is_part = |file: &&std::path::PathBuf| {
            let name = file.file_name().and_then(|name| name.to_str());
            let name = name.and_then(input::kat_name);
            name.is_some_and(|name| name.base == base)
        };
        let parts = listed.tests.iter().filter(is_part);
        let files: Vec<_> = parts
            .filter_map(|part| Some((part.clone(), (self.read)(part).ok()?)))
            .collect();
        let mut found = owners.iter().map(|(_, owner)| {
            let found = input::kat(&files, &policy_names(owner));
            let errors = found.errors.into_iter();
            let own = errors.filter(|(at, _)| **at == *path);
            own.map(|(_, error)| error).collect::<Vec<InputError>>()
        });
        // The test is one, whichever of the files has its policy.
        found.find(|errors| !errors.is_empty()).unwrap_or_default()
    }
}

/// The names that no policy has in any of these files.
fn unknown(input: &input::Input, owners: &[Owner<'_>]) -> Vec<InputError> {
    let mut all = owners
        .iter()
        .map(|(path, file)| input::unknown_policies(input, path, file));
    let mut unknown = all.next().unwrap_or_default();
    for others in all {
        unknown.retain(|error| others.iter().any(|it| it.range == error.range));
    }
    unknown
}
