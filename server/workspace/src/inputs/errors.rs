//! The errors in one inputs file, or one file of a kat test.
//!
//! An editor shows the errors of the open file after every keystroke. So only this file is read,
//! and for a kat test the files of the same test.

use super::{FoundInputs, InputFinder, policy_names};
use evaluation::input::{self, CommentError, InputError, InputErrorKind};
use policy::ParsedFile;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

/// A policy file: its path and its content.
pub type Owner<'a> = (&'a Path, &'a ParsedFile);

impl FoundInputs {
    /// Returns the errors at the comments of the policy file that name inputs. The first error in a
    /// named file is reported at its comment, unless `is_reported` returns true for the file.
    ///
    /// `file` is the current content, which may have other lines above the comments than the one
    /// whose inputs were found.
    pub fn at_comments(
        &self,
        (policy_file, file): Owner<'_>,
        is_reported: impl Fn(&Path) -> bool,
    ) -> Vec<InputError> {
        if self.problems.is_empty() {
            return Vec::new();
        }
        let comments = input::named(file);
        let (mut errors, mut reported) = (Vec::new(), HashSet::new());
        for problem in &self.problems {
            let range = problem.named.and_then(|it| Some(comments.get(it)?.range));
            let mut error = problem.error.clone();
            if let (InputErrorKind::Comment(_), Some(range)) = (&error.kind, range) {
                error.range = range;
            }
            if problem.path == policy_file {
                errors.push(error);
            } else if let Some(range) = range
                && !is_reported(&problem.path)
                && reported.insert(range)
            {
                let file = problem.path.file_name().unwrap_or_default();
                let file = file.display().to_string();
                let error = Box::new(error.kind);
                let kind = InputErrorKind::Comment(CommentError::InFile { file, error });
                errors.push(InputError { range, kind });
            }
        }
        errors
    }
}

impl InputFinder<'_> {
    /// Returns the errors in an inputs file that belongs to these policy files. If there are
    /// several, a policy may be in any of them. If there is none, names of policies and files of
    /// kat tests are not checked.
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
        errors.sort_by_cached_key(|error| error.range.start());
        errors
    }

    /// Returns the errors in a file of the kat test of this name.
    fn of_test(&mut self, path: &Path, base: &str, owners: &[Owner<'_>]) -> Vec<InputError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        let (listed, roots) = (self.folder(folder), self.roots.with_folder(folder));
        let is_part = |file: &&std::path::PathBuf| {
            let name = file.file_name().and_then(|name| name.to_str());
            name.and_then(input::kat_name)
                .is_some_and(|name| name.base == base)
        };
        let parts = listed.tests.iter().filter(is_part);
        let files: Vec<(_, Arc<str>)> = parts
            .filter_map(|part| Some((part.clone(), Arc::from(self.read(part, &roots).ok()?))))
            .collect();
        let mut found = owners.iter().map(|(_, owner)| {
            let errors = input::kat(&files, &policy_names(owner)).errors.into_iter();
            let own = errors.filter(|(at, _)| **at == *path);
            own.map(|(_, error)| error).collect::<Vec<InputError>>()
        });
        // There is one test, whichever of the files has its policy.
        found.find(|errors| !errors.is_empty()).unwrap_or_default()
    }
}

/// Returns the errors for names of policies that none of these files has.
fn unknown(input: &input::Input, owners: &[Owner<'_>]) -> Vec<InputError> {
    let mut all = owners
        .iter()
        .map(|(path, file)| input::unknown_policies(input, path, &[file]));
    let mut unknown = all.next().unwrap_or_default();
    for others in all {
        unknown.retain(|error| others.iter().any(|it| it.range == error.range));
    }
    unknown
}
