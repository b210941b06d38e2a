//! A file with policies and its tests.

use super::case::{Case, Ready};
use super::coverage::FileCoverage;
use super::failure::Sources;
use super::input_path::shown_input;
use crate::loader::{Dependencies, Loaded, Loader};
use crate::problem::Problem;
use crate::reader::TextFile;
use crate::report::{Source, shown};
use admission::PolicyCoverage;
use evaluation::input::Input;
use evaluation::run::{PolicyServer, Programs, syntax_error};
use ide::SourceFile;
use policy::PolicyDocument;
use rayon::prelude::{IntoParallelRefIterator as _, ParallelIterator as _};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use workspace::{FoundInputs, InputFinder, read_argument};

/// The context for running the tests of files.
pub(super) struct Runner<'a> {
    pub(super) loader: &'a Loader,
    /// Run only tests whose names contain this.
    pub(super) filter: Option<&'a str>,
    /// Whether coverage is recorded.
    pub(super) covers: bool,
}

/// A file with policies, and the results of its tests.
#[derive(Debug)]
pub(super) struct Suite {
    /// The file.
    pub(super) file: PathBuf,
    /// The path as displayed.
    pub(super) path: String,
    /// Its content, if a failure is shown in it.
    pub(super) source: Option<Arc<Source>>,
    /// The tests, in the order in which they are found.
    pub(super) cases: Vec<Case>,
    /// The number of inputs without `expect`.
    pub(super) without_expect: usize,
    /// Problems in the policies and inputs.
    pub(super) problems: Vec<Problem>,
    /// The coverage, if it is recorded.
    pub(super) coverage: Option<FileCoverage>,
    /// The files of the inputs.
    pub(super) inputs: Vec<PathBuf>,
    /// The objects that its policies use from other files.
    pub(super) dependencies: Dependencies,
    /// The files that it was found in.
    pub(super) neighbors: Vec<PathBuf>,
    pub(super) elapsed: Duration,
}

impl Suite {
    /// Returns whether there is something to report.
    pub(super) fn is_shown(&self) -> bool {
        !self.cases.is_empty() || !self.problems.is_empty()
    }

    fn new(file: &Path) -> Self {
        Self {
            file: file.to_path_buf(),
            path: shown(file),
            source: None,
            cases: Vec::new(),
            without_expect: 0,
            problems: Vec::new(),
            coverage: None,
            inputs: Vec::new(),
            dependencies: Dependencies::default(),
            neighbors: Vec::new(),
            elapsed: Duration::ZERO,
        }
    }
}

impl Runner<'_> {
    /// Runs the tests of a file. Returns `None` for a file without policies. A panic loses the
    /// file that causes it, not the run.
    pub(super) fn run(&self, path: &Path, finder: &mut InputFinder<'_>) -> Option<Suite> {
        let run = AssertUnwindSafe(|| self.run_file(path, finder));
        catch_unwind(run).unwrap_or_else(|_| {
            let message = "internal error in admissible; please report it with this file";
            let mut suite = Suite::new(path);
            suite.problems = vec![Problem::new(&suite.path, message)];
            Some(suite)
        })
    }

    fn run_file(&self, path: &Path, finder: &mut InputFinder<'_>) -> Option<Suite> {
        let started = Instant::now();
        let mut suite = Suite::new(path);
        let text = match read_argument(path) {
            Ok(text) => text,
            Err(error) => {
                suite.problems = vec![Problem::new(&suite.path, error.to_string())];
                return Some(suite);
            }
        };
        let policies = SourceFile::new(text.as_str());
        if !policies.policies().iter().any(|it| it.is_evaluated()) {
            return None;
        }
        let found = finder.find(path, &policies);
        let is_test = |input: &&Arc<Input>| input.expect.is_some();
        let tests: Vec<Arc<Input>> = found.inputs.iter().filter(is_test).cloned().collect();
        suite.without_expect = found.inputs.len() - tests.len();
        if !tests.is_empty() || !found.problems.is_empty() || self.covers {
            let text = TextFile::new(suite.path.clone(), text);
            self.run_tests(&mut suite, text, &tests, &found);
        }
        suite.inputs = found.files;
        suite.elapsed = started.elapsed();
        Some(suite)
    }

    fn run_tests(
        &self,
        suite: &mut Suite,
        text: TextFile,
        tests: &[Arc<Input>],
        found: &FoundInputs,
    ) {
        let mut loaded = self.loader.load(&suite.file, text);
        let recorded = self.covers.then(|| record(&mut loaded));
        suite.problems = Problem::of_inputs(found, shown_input);
        let broken = broken_policies(&loaded, tests, &mut suite.problems);
        let scopes = scopes(&loaded, tests);
        let stem = suite.file.file_stem().unwrap_or_default().to_string_lossy();
        let mut ready: Vec<Ready<'_>> = Vec::new();
        for input in tests {
            let policies = policies_of(&loaded.file, input);
            let server = if policies.iter().any(|it| broken.contains(it)) {
                Err("the policy does not compile".to_owned())
            } else {
                Ok(scopes.get(&policies).unwrap_or(&loaded.server))
            };
            let name = only_name(&loaded.file, &policies);
            ready.push(Ready {
                input: Arc::clone(input),
                policy: name.unwrap_or(&stem).to_owned(),
                server,
            });
        }
        let is_wanted = |it: &Ready<'_>| {
            let filter = self.filter;
            filter.is_none_or(|filter| it.full_name().contains(filter))
        };
        ready.retain(is_wanted);
        let sources = Sources::default();
        let run = |it: &Ready<'_>| it.run(&loaded, &sources);
        suite.cases = ready.par_iter().map(run).collect();
        suite.coverage = recorded.map(|recorded| FileCoverage::new(&loaded, &recorded));
        suite.source = Some(Arc::clone(&loaded.text.source));
        (suite.dependencies, suite.neighbors) = (loaded.dependencies, loaded.neighbors);
    }
}

/// Records the evaluations of the policies for coverage.
fn record(loaded: &mut Loaded) -> Vec<Arc<PolicyCoverage>> {
    let documents = loaded.file.policies().iter();
    let recorded: Vec<Arc<PolicyCoverage>> = documents
        .map(|it| Arc::new(PolicyCoverage::new(it)))
        .collect();
    loaded.programs = Programs::recorded(&loaded.policies, &recorded);
    loaded.server = loaded
        .server
        .only(&loaded.policies, &loaded.programs, &|_| true);
    recorded
}

/// Returns the indexes of the policies that a test is for.
fn policies_of(file: &SourceFile, input: &Input) -> Vec<usize> {
    let all = file.policies().iter().enumerate();
    let of_input =
        all.filter(|(_, it)| it.is_evaluated() && input.is_for(it.name().unwrap_or_default()));
    of_input.map(|(place, _)| place).collect()
}

/// Returns the name of the policy of a test, if it is the only one.
fn only_name<'f>(file: &'f SourceFile, policies: &[usize]) -> Option<&'f str> {
    match policies {
        [only] => file.policies().get(*only)?.name(),
        _ => None,
    }
}

/// Returns a server for each set of policies that tests are for.
fn scopes(loaded: &Loaded, tests: &[Arc<Input>]) -> BTreeMap<Vec<usize>, PolicyServer> {
    let mut scopes = BTreeMap::new();
    for input in tests.iter().filter(|input| input.policies.is_some()) {
        let policies = policies_of(&loaded.file, input);
        scopes.entry(policies).or_insert_with(|| {
            let is_wanted = |it: &PolicyDocument| input.is_for(it.name().unwrap_or_default());
            loaded
                .server
                .only(&loaded.policies, &loaded.programs, &is_wanted)
        });
    }
    scopes
}

/// Reports the policies with tests that the API server rejects, each at its position.
fn broken_policies(
    loaded: &Loaded,
    tests: &[Arc<Input>],
    problems: &mut Vec<Problem>,
) -> Vec<usize> {
    let mut tested: Vec<usize> = tests
        .iter()
        .flat_map(|input| policies_of(&loaded.file, input))
        .collect();
    tested.sort_unstable();
    tested.dedup();
    if let Some(error) = syntax_error(&loaded.file).filter(|_| !tested.is_empty()) {
        problems.push(loaded.text.problem(error.range, error.kind.to_string()));
        return tested;
    }
    tested.retain(|policy| {
        let document = loaded.policies.get(*policy);
        let refusals = document.map(|it| loaded.programs.refusals(it, *policy));
        let refusals = refusals.unwrap_or_default();
        let is_broken = !refusals.is_empty();
        problems.extend(refusals.into_iter().map(|(range, reason)| {
            let message = format!("the API server rejects the expression: {reason}");
            loaded.text.problem(range, message)
        }));
        is_broken
    });
    tested
}
