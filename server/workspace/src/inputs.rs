//! The admission inputs of a policy file.
//!
//! They are found in this order: those that comments in the file name, those in `<stem>.inputs/`
//! and `<stem>.inputs.yaml` next to it, and the kat tests in the same folder and in `tests/`. A
//! file is read once, even if several sources name it. Only files in the [`Roots`] of the policy
//! file are read.
//!
//! Upstream: zemanlx/kat, internal/loader/suite.go, matchPolicyName: a test is for the policy
//! whose name it begins with, or for the only policy of the folder.

mod errors;
mod folder;
mod owner;

pub use errors::Owner;
pub use owner::{is_inputs_file, may_include, policy_of_input};

use crate::roots::joined;
use crate::{Error, Roots, SampleLimits, is_manifest};
use evaluation::input::{self, CommentError, Input, InputError, InputErrorKind};
use folder::Folder;
use policy::ParsedFile;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::TextRange;

/// Limit: the files that are searched for one policy file.
const MAX_FILES: usize = 2_000;

/// The folder of kat tests, next to the policy.
const TESTS: &str = "tests";

/// The suffix of an inputs file or folder, after the stem of the policy file.
const SUFFIX: &str = ".inputs";

/// The extensions of an inputs file.
const EXTENSIONS: [&str; 3] = ["yaml", "yml", "json"];

/// The inputs of a policy file.
#[derive(Clone, Debug, Default)]
pub struct FoundInputs {
    /// The inputs, in the order in which they are found.
    pub inputs: Vec<Arc<Input>>,
    /// The problems, in the same order.
    pub problems: Vec<InputProblem>,
    /// All files that were searched, and those that are named but missing.
    pub files: Vec<PathBuf>,
}

/// A problem of an input, or of the comment that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputProblem {
    /// The file.
    pub path: PathBuf,
    /// The error, with its range in `text`.
    pub error: InputError,
    /// The text of the file. `None` if it could not be read, or is not allowed.
    pub text: Option<Arc<str>>,
    /// The index in [`input::named`] of the comment that names the file, if one does: its range
    /// changes with the text above it.
    pub named: Option<usize>,
}

impl FoundInputs {
    /// Adds the inputs in a file, and the errors of the others. `unknown` returns the errors in the
    /// policies that an input names; `named` is the index of the comment
    /// that names the file.
    pub fn add(
        &mut self,
        path: &Path,
        text: &Arc<str>,
        named: Option<usize>,
        unknown: impl Fn(&Input) -> Vec<InputError>,
    ) {
        let read = input::read(path, text);
        let mut errors = read.errors;
        for input in read.inputs {
            let unknown = unknown(&input);
            if unknown.is_empty() {
                self.inputs.push(Arc::new(input));
            }
            errors.extend(unknown);
        }
        errors.sort_by_cached_key(|error| error.range.start());
        self.problems
            .extend(errors.into_iter().map(|error| InputProblem {
                path: path.to_path_buf(),
                error,
                text: Some(Arc::clone(text)),
                named,
            }));
    }
}

/// A function that returns the text of a file that is open in an editor.
type Open<'a> = Box<dyn Fn(&Path) -> Option<String> + 'a>;

/// Finds inputs. Lists each folder once.
pub struct InputFinder<'a> {
    roots: Roots,
    folders: HashMap<PathBuf, Arc<Folder>>,
    open: Open<'a>,
}

/// Finds the inputs of one policy file, for a command. `file` is its content.
#[must_use]
pub fn find_inputs(policy_file: &Path, file: &ParsedFile) -> FoundInputs {
    InputFinder::from_working_directory().find(policy_file, file)
}

impl<'a> InputFinder<'a> {
    /// Returns a finder for a command, which reads from the disk.
    #[must_use]
    pub fn from_working_directory() -> Self {
        Self::with_open(Roots::from_working_directory(), |_| None)
    }

    /// Returns a finder that calls `open` for the text of a file that is open and may not be saved.
    /// `roots` are the folders of the user.
    #[must_use]
    pub fn with_open(roots: Roots, open: impl Fn(&Path) -> Option<String> + 'a) -> Self {
        Self {
            roots,
            folders: HashMap::new(),
            open: Box::new(open),
        }
    }

    /// Finds the inputs of one policy file. `file` is its content, which may not be saved yet.
    #[must_use]
    pub fn find(&mut self, policy_file: &Path, file: &ParsedFile) -> FoundInputs {
        let mut search = self.search(policy_file, file);
        search.named();
        search.next_to_policy();
        search.kat();
        search.found
    }

    /// Finds only the inputs that comments in a policy file name.
    #[must_use]
    pub fn named(&mut self, policy_file: &Path, file: &ParsedFile) -> FoundInputs {
        let mut search = self.search(policy_file, file);
        search.named();
        search.found
    }

    fn search<'f>(&'f mut self, policy_file: &'f Path, file: &'f ParsedFile) -> Search<'f, 'a> {
        let folder = policy_file.parent().unwrap_or(Path::new("")).to_path_buf();
        Search {
            roots: self.roots.with_folder(&folder),
            finder: self,
            policy_file,
            file,
            folder,
            visited: HashSet::new(),
            size: 0,
            folders: Vec::new(),
            named: None,
            found: FoundInputs::default(),
        }
    }

    /// Returns the text of a file in one of `roots`.
    fn read(&self, path: &Path, roots: &Roots) -> Result<String, Error> {
        (self.open)(path).map_or_else(|| roots.read(path), Ok)
    }

    fn folder(&mut self, path: &Path) -> Arc<Folder> {
        if let Some(folder) = self.folders.get(path) {
            return Arc::clone(folder);
        }
        let folder = Arc::new(Folder::read(path));
        self.folders.insert(path.to_path_buf(), Arc::clone(&folder));
        folder
    }
}

/// A search for one policy file.
struct Search<'f, 'a> {
    finder: &'f mut InputFinder<'a>,
    /// The folders that the policy file may name.
    roots: Roots,
    policy_file: &'f Path,
    /// Its content.
    file: &'f ParsedFile,
    folder: PathBuf,
    visited: HashSet<PathBuf>,
    /// The number of bytes read.
    size: u64,
    /// The folders in which every file is an input.
    folders: Vec<PathBuf>,
    /// The index of the comment whose files are being read, and its range.
    named: Option<(usize, TextRange)>,
    found: FoundInputs,
}

impl Search<'_, '_> {
    /// Adds the inputs that comments name: a file, or a folder of files.
    fn named(&mut self) {
        for (index, named) in input::named(self.file).into_iter().enumerate() {
            self.named = Some((index, named.range));
            if named.path.is_empty() {
                self.at_comment(named.range, CommentError::NoPath);
                continue;
            }
            let path = joined(&self.folder, Path::new(&named.path));
            if self.roots.check(&path).is_ok() && path.is_dir() {
                self.named_folder(&path, &named.path);
                continue;
            }
            let text = self.text(&path);
            match text {
                Some(Ok(text)) => self.read_inputs(&path, &text),
                Some(Err(error)) => {
                    let (path, error) = (named.path, error.to_string());
                    self.at_comment(named.range, CommentError::Unreadable { path, error });
                }
                None => {}
            }
        }
        self.named = None;
    }

    fn named_folder(&mut self, folder: &Path, named: &str) {
        let is_empty = self.finder.folder(folder).is_empty();
        if let (true, Some((_, range))) = (is_empty, self.named) {
            let path = named.to_owned();
            self.at_comment(range, CommentError::EmptyFolder { path });
        }
        self.all_of(folder);
    }

    /// Adds the inputs next to the policy file.
    fn next_to_policy(&mut self) {
        let Some(stem) = self.policy_file.file_stem() else {
            return;
        };
        let mut name = stem.to_os_string();
        name.push(SUFFIX);
        let folder = self.folder.join(&name);
        self.all_of(&folder);
        for extension in EXTENSIONS {
            let mut file_name = name.clone();
            file_name.push(".");
            file_name.push(extension);
            let file = self.folder.join(file_name);
            if file.is_file() {
                self.file(&file);
            }
        }
    }

    /// Adds the files of a folder. Its kat tests are added with the other kat tests.
    fn all_of(&mut self, folder: &Path) {
        if !folder.is_dir() || self.roots.check(folder).is_err() {
            return;
        }
        let listed = self.finder.folder(folder);
        let files = listed.manifests.iter();
        files
            .filter(|file| listed.tests.binary_search(file).is_err())
            .for_each(|file| self.file(file));
        if !listed.tests.is_empty() {
            self.folders.push(folder.to_path_buf());
        }
    }

    fn file(&mut self, path: &Path) {
        match self.text(path) {
            Some(Ok(text)) => self.read_inputs(path, &text),
            Some(Err(error)) => self.unreadable(path, &error),
            None => {}
        }
    }

    fn read_inputs(&mut self, path: &Path, text: &Arc<str>) {
        let (policy_file, file) = (self.policy_file, self.file);
        let unknown = |input: &Input| input::unknown_policies(input, policy_file, &[file]);
        let named = self.named.map(|(index, _)| index);
        self.found.add(path, text, named, unknown);
    }

    /// Adds the kat tests for the policies of the file.
    fn kat(&mut self) {
        let names = policy_names(self.file);
        if names.is_empty() {
            return;
        }
        let folder = self.folder.clone();
        let tests = folder.join(TESTS);
        let mut files = self.kat_files(&folder, &names, false);
        let mut folders = std::mem::take(&mut self.folders);
        folders.extend(tests.is_dir().then_some(tests));
        for folder in folders {
            files.append(&mut self.kat_files(&folder, &names, true));
        }
        let found = input::kat(&files, &names);
        self.found
            .inputs
            .extend(found.inputs.into_iter().map(Arc::new));
        for (path, error) in found.errors {
            let file = files.iter().find(|(it, _)| **it == *path);
            self.problem(&path, error, file.map(|(_, text)| text));
        }
    }

    /// Returns the files of kat tests in a folder. If `any` is set and the file has the only policy
    /// of its folder, all of them.
    fn kat_files(&mut self, folder: &Path, names: &[&str], any: bool) -> Vec<(PathBuf, Arc<str>)> {
        let listed = self.finder.folder(folder);
        let mut is_only = None;
        let mut texts = Vec::new();
        for path in &listed.tests {
            let name = path.file_name().and_then(|name| name.to_str());
            let Some(name) = name.and_then(input::kat_name) else {
                continue;
            };
            let is_for = name.policy(names).is_some()
                || any
                    && names.len() == 1
                    && *is_only.get_or_insert_with(|| self.has_only_policy());
            if !is_for {
                continue;
            }
            match self.text(path) {
                Some(Ok(text)) => texts.push((path.clone(), text)),
                Some(Err(error)) => self.unreadable(path, &error),
                None => {}
            }
        }
        texts
    }

    /// Returns whether no other file of the folder has a policy.
    fn has_only_policy(&mut self) -> bool {
        let folder = self.folder.clone();
        let own = self.policy_file.file_name();
        let listed = self.finder.folder(&folder);
        let mut others = listed.manifests.iter().filter(|it| it.file_name() != own);
        let read = |path: &Path| self.finder.read(path, &self.roots);
        !others.any(|other| listed.has_policy(other, &read))
    }

    /// Reads a file, unless it was read before or exceeds the limits.
    fn text(&mut self, path: &Path) -> Option<Result<Arc<str>, Error>> {
        if self.found.files.len() >= MAX_FILES || !self.visited.insert(path.to_path_buf()) {
            return None;
        }
        self.found.files.push(path.to_path_buf());
        if let Err(error) = self.roots.check(path) {
            return Some(Err(error));
        }
        let limits = SampleLimits::default();
        let size = path.metadata().map_or(0, |metadata| metadata.len());
        if size > limits.file_size || self.size + size > limits.total_size {
            let limit = limits.file_size;
            return Some(Err(Error::TooLarge { limit }));
        }
        self.size += size;
        Some(self.finder.read(path, &self.roots).map(Arc::from))
    }

    fn unreadable(&mut self, path: &Path, error: &Error) {
        let error = error.to_string();
        let range = TextRange::default();
        let kind = InputErrorKind::Unreadable { error };
        self.problem(path, InputError { range, kind }, None);
    }

    fn at_comment(&mut self, range: TextRange, error: CommentError) {
        let kind = InputErrorKind::Comment(error);
        let text = self.file.shared_text();
        self.problem(self.policy_file, InputError { range, kind }, Some(&text));
    }

    fn problem(&mut self, path: &Path, error: InputError, text: Option<&Arc<str>>) {
        self.found.problems.push(InputProblem {
            path: path.to_path_buf(),
            error,
            text: text.cloned(),
            named: self.named.map(|(index, _)| index),
        });
    }
}

/// Returns the names of the policies of a file.
fn policy_names(file: &ParsedFile) -> Vec<&str> {
    let policies = file.policies().iter();
    policies
        .filter(|document| document.is_evaluated())
        .filter_map(|document| document.name())
        .collect()
}

#[cfg(test)]
mod tests;
