//! `admissible eval`: a policy and an object in, what the API server would decide out.

mod human;
mod input;
mod json;

use crate::arguments::{Eval, EvalFormat};
use crate::exit::Exit;
use crate::problem::{self, Problem};
use crate::report::Source;
use crate::terminal::Terminal;
use crate::texts::Texts;
use crate::trial::Loader;
use ide::evaluate::{
    Candidate, ExpressionEvaluation, PolicyAnswer, PolicyEvaluation, PolicyOutcome as Became,
    Trial, TrialAnswer, VerdictKind,
};
use ide::input::{Input, InputKey, Origin, RequestInput};
use std::io;
use std::path::Path;
use std::sync::Arc;
use text::TextRange;

/// All that an evaluation gives.
#[derive(Debug)]
struct Outcome {
    /// The path of the policy, as it is shown.
    path: String,
    /// Its text.
    source: Source,
    /// The policies that match, each with what it decides.
    policies: Vec<PolicyOutcome>,
    /// What is wrong in the configuration.
    problems: Vec<Problem>,
}

/// What a policy decides.
#[derive(Debug)]
struct PolicyOutcome {
    /// Its name, empty where it has none.
    name: String,
    /// The request in words.
    request: String,
    evaluation: PolicyEvaluation,
    /// The expressions, in the order of the file.
    expressions: Vec<ExpressionEvaluation>,
}

/// Runs the command.
///
/// # Errors
/// When the output cannot be written.
pub(crate) fn run(options: &Eval, terminal: &Terminal) -> io::Result<Exit> {
    match evaluate(options) {
        Ok(outcome) => {
            match options.format {
                EvalFormat::Human => human::write(&outcome, options.trace, terminal)?,
                EvalFormat::Json => {
                    json::write(&outcome, options.trace, &mut terminal.stdout())?;
                }
            }
            problem::write(&outcome.problems, terminal)?;
            let denied = |it: &PolicyOutcome| it.evaluation.verdict == VerdictKind::Denied;
            Ok(match outcome.policies.iter().any(denied) {
                _ if !outcome.problems.is_empty() => Exit::Failed,
                true => Exit::Findings,
                false => Exit::Clean,
            })
        }
        Err(problems) => {
            if options.format == EvalFormat::Json {
                json::write_problems(&problems, &mut terminal.stdout())?;
            }
            problem::write(&problems, terminal)?;
            Ok(Exit::Failed)
        }
    }
}

fn evaluate(options: &Eval) -> Result<Outcome, Vec<Problem>> {
    let mut texts = Texts::default();
    let policy = texts.read(&options.policy);
    let policy = policy.map_err(|problem| vec![problem])?;
    let inputs = inputs(options, &mut texts)?;
    let loader = Loader::new(options.kubernetes);
    let loaded = loader.load(&options.policy, policy);
    let at = |range, message: String| loaded.text.problem(range, message);
    let checked = input::check_policies(&loaded.file);
    checked.map_err(|(range, message)| vec![at(range, message)])?;
    let candidate = loaded.candidate(Arc::new(inputs));
    if let Err(error) = candidate.requests() {
        return Err(vec![input::request_problem(options, &error.to_string())]);
    }
    let policies = try_all(&loaded.trial(), &candidate, &at)?;
    Ok(Outcome {
        path: loaded.text.path.clone(),
        source: loaded.text.source(),
        policies,
        problems: loader.config_problems(),
    })
}

/// The objects that the options name. All that cannot be read is said at once.
fn inputs(options: &Eval, texts: &mut Texts) -> Result<Input, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut read = |path: Option<&Path>| -> Option<_> {
        let object = path.map(|path| texts.object(path))?;
        object.map_err(|problem| problems.push(problem)).ok()
    };
    let request = RequestInput {
        object: read(options.object.as_deref()),
        old_object: read(options.old_object.as_deref()),
        params: read(options.params.as_deref()).map(|params| vec![params]),
        namespace_object: read(options.namespace_object.as_deref()),
        ..RequestInput::default()
    };
    if !problems.is_empty() {
        return Err(problems);
    }
    let path = options.object.as_deref().or(options.old_object.as_deref());
    Ok(Input {
        key: InputKey {
            path: Arc::from(path.unwrap_or(Path::new(""))),
            document: 0,
            name: String::new(),
        },
        origin: Origin::Document,
        policies: None,
        request,
        expect: None,
    })
}

/// What each policy decides that matches; why none does.
fn try_all(
    trial: &Trial<'_>,
    candidate: &Candidate,
    at: &dyn Fn(TextRange, String) -> Problem,
) -> Result<Vec<PolicyOutcome>, Vec<Problem>> {
    let Some(answer) = trial.answer(candidate) else {
        return Ok(Vec::new());
    };
    let mut outcomes = Vec::new();
    let mut problems = Vec::new();
    let mut refused = false;
    for policy in &answer.policies {
        let evaluation = match &policy.outcome {
            Became::Evaluated(evaluation) => evaluation,
            Became::NotAsked(why) => {
                let range = why.range.unwrap_or_default();
                let message = format!("the policy does not match: {}", why.reason);
                problems.push(at(range, message));
                continue;
            }
            Became::NotConfigured(words) => {
                problems.push(at(TextRange::default(), words.clone()));
                continue;
            }
        };
        let refusals = trial.programs.refusals(trial.file, policy.policy);
        if !refusals.is_empty() {
            refused = true;
            let refusals = refusals.into_iter();
            problems.extend(refusals.map(|(range, reason)| {
                at(range, format!("the expression does not compile: {reason}"))
            }));
            continue;
        }
        outcomes.extend(outcome_of(trial, policy, evaluation, &answer));
    }
    if outcomes.is_empty() || refused {
        return Err(problems);
    }
    Ok(outcomes)
}

/// What one policy decides about its request, and what each of its expressions gives.
fn outcome_of(
    trial: &Trial<'_>,
    policy: &PolicyAnswer,
    evaluation: &PolicyEvaluation,
    answer: &TrialAnswer,
) -> Option<PolicyOutcome> {
    let document = trial.file.policies().get(policy.policy)?;
    let expressions = 0..document.expressions().len();
    Some(PolicyOutcome {
        name: policy.name.clone(),
        request: answer.request.to_string(),
        evaluation: evaluation.clone(),
        expressions: expressions
            .filter_map(|index| trial.expression_for(policy.policy, index, &evaluation.request))
            .collect(),
    })
}
