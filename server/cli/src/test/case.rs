//! One test: an input, its policies, and the result.

use super::failure::{self, Failure, Sources};
use super::input_path::shown_input;
use crate::loader::{Loaded, limits};
use crate::report::Source;
use admission::Caveat;
use evaluation::expectation::{RequestOutcome, assess, update};
use evaluation::input::Input;
use evaluation::run::{Evaluator, PolicyServer};
use std::sync::Arc;
use std::time::{Duration, Instant};
use text::TextRange;

/// A test that was run, or could not be.
#[derive(Debug)]
pub(super) struct Case {
    /// The policy, or the name of the file without its extension if there are several.
    pub(super) policy: String,
    /// The name of the test.
    pub(super) name: String,
    /// The file of the input, as displayed.
    pub(super) path: String,
    /// The content of this file and the range of the expectation in it. `None` if the file cannot
    /// be read.
    pub(super) place: Option<(Arc<Source>, TextRange)>,
    /// The result.
    pub(super) status: Status,
    /// The open points of the response.
    pub(super) caveats: Vec<Caveat>,
    /// The duration.
    pub(super) elapsed: Duration,
}

/// The result of a test.
#[derive(Debug)]
pub(super) enum Status {
    /// The outcome is as expected.
    Passed(RequestOutcome),
    /// It is not.
    Failed(Box<Failure>),
    /// It could not run; the reason.
    Broken(String),
}

impl Case {
    /// Returns the full name, which `--filter` matches.
    pub(super) fn full_name(&self) -> String {
        format!("{}/{}", self.policy, self.name)
    }

    /// Returns the failure, if it failed.
    pub(super) fn failure(&self) -> Option<&Failure> {
        match &self.status {
            Status::Failed(failure) => Some(failure),
            Status::Passed(_) | Status::Broken(_) => None,
        }
    }
}

/// A test that is ready to run.
pub(super) struct Ready<'a> {
    pub(super) input: Arc<Input>,
    pub(super) policy: String,
    /// The server with the policies of the test, or why the test cannot run.
    pub(super) server: Result<&'a PolicyServer, String>,
}

impl Ready<'_> {
    /// Returns the full name.
    pub(super) fn full_name(&self) -> String {
        format!("{}/{}", self.policy, self.input.key.name)
    }

    /// Runs it.
    pub(super) fn run(&self, loaded: &Loaded, sources: &Sources) -> Case {
        let started = Instant::now();
        let mut caveats = Vec::new();
        let expect = self.input.expect.as_ref();
        let range = expect.map_or_else(TextRange::default, |it| it.ranges.whole);
        let source = sources.get(&self.input.key.path);
        let status = self.status(loaded, sources, &mut caveats);
        Case {
            policy: self.policy.clone(),
            name: self.input.label(),
            path: shown_input(&self.input.key.path),
            place: source.map(|source| (source, range)),
            status,
            caveats,
            elapsed: started.elapsed(),
        }
    }

    fn status(&self, loaded: &Loaded, sources: &Sources, caveats: &mut Vec<Caveat>) -> Status {
        let server = match &self.server {
            Ok(server) => *server,
            Err(reason) => return Status::Broken(reason.clone()),
        };
        let prepared = loaded.prepared_input(Arc::clone(&self.input));
        let requests = match prepared.requests() {
            Ok(requests) => requests,
            Err(reason) => return Status::Broken(reason.to_string()),
        };
        let Some(request) = requests.first() else {
            return Status::Broken("the input does not describe a request".to_owned());
        };
        let limits = limits();
        let evaluator = Evaluator {
            server,
            limits: &limits,
            ..loaded.evaluator()
        };
        let answer = evaluator.answer_to(request);
        caveats.clone_from(&answer.response.caveats);
        let assessment = assess(&evaluator, &self.input, &answer);
        if assessment.passes() {
            return Status::Passed(assessment.outcome);
        }
        let update = update(&evaluator, &self.input, &answer);
        let tested = (&*self.input, &*answer);
        let failure = failure::failure(&evaluator, sources, tested, assessment, update);
        Status::Failed(Box::new(failure))
    }
}
