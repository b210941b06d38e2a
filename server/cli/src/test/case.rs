//! One test: an input, the policies that it is for, and what came of it.

use super::failure::{self, Failure};
use crate::trial::Loaded;
use ide::evaluate::expectation::{RequestOutcome, assess, update};
use ide::evaluate::{Setup, Trial};
use ide::input::{Input, Origin};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A test that was run, or could not be.
#[derive(Debug)]
pub(super) struct Case {
    /// The policy, or the stem of the file where there are several.
    pub(super) policy: String,
    /// What the test is called.
    pub(super) name: String,
    /// The file of the input, as it is shown.
    pub(super) path: String,
    /// What came of it.
    pub(super) status: Status,
    /// How long it took.
    pub(super) elapsed: Duration,
}

/// What came of a test.
#[derive(Debug)]
pub(super) enum Status {
    /// All is as expected.
    Passed(RequestOutcome),
    /// Something is not.
    Failed(Box<Failure>),
    /// It could not run. Why.
    Broken(String),
}

impl Case {
    /// What it is called in full, by which it is filtered.
    pub(super) fn full_name(&self) -> String {
        format!("{}/{}", self.policy, self.name)
    }

    /// The failure, where it is one.
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
    /// The server with the policies of the test. Why it cannot run without one.
    pub(super) setup: Result<&'a Setup, String>,
}

impl Ready<'_> {
    /// What it is called in full.
    pub(super) fn full_name(&self) -> String {
        format!("{}/{}", self.policy, self.input.key.name)
    }

    /// Runs it.
    pub(super) fn run(&self, loaded: &Loaded) -> Case {
        let started = Instant::now();
        let status = self.status(loaded);
        Case {
            policy: self.policy.clone(),
            name: self.input.label(),
            path: shown_input(&self.input.key.path),
            status,
            elapsed: started.elapsed(),
        }
    }

    fn status(&self, loaded: &Loaded) -> Status {
        let setup = match &self.setup {
            Ok(setup) => *setup,
            Err(reason) => return Status::Broken(reason.clone()),
        };
        let candidate = loaded.candidate(Arc::clone(&self.input));
        let requests = match candidate.requests() {
            Ok(requests) => requests,
            Err(reason) => return Status::Broken(reason.to_string()),
        };
        let Some(request) = requests.first() else {
            return Status::Broken("the input does not describe a request".to_owned());
        };
        let trial = Trial {
            setup,
            ..loaded.trial()
        };
        let answer = trial.answer_to(request);
        let assessment = assess(&trial, &self.input, &answer);
        if assessment.passes() {
            return Status::Passed(assessment.outcome);
        }
        let update = update(&trial, &self.input, &answer);
        let failure = failure::of(&trial, &self.input, assessment, update);
        Status::Failed(Box::new(failure))
    }
}

/// The path of an input: beside the policy as the arguments have it.
pub(super) fn shown_input(path: &Path) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    crate::report::shown(path)
}

/// Whether the expectation is in the name of a file and not in a text.
pub(super) fn is_named(input: &Input) -> bool {
    input.origin == Origin::Kat
}
