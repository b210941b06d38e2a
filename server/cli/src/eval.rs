//! `admissible eval`: the response of the API server to requests.

mod human;
mod input;
mod json;

use crate::arguments::{Eval, EvalFormat};
use crate::exit::Exit;
use crate::loader::{Loaded, Loader, limits};
use crate::problem::{self, Problem};
use crate::reader::Reader;
use crate::report::shown;
use crate::terminal::Terminal;
use admission::Response;
use evaluation::input::Input;
use evaluation::run::{
    Detail, Evaluator, ExpressionEvaluation, InputAnswer, PolicyAnswer, PolicyOutcome,
    WebhookAnswer, WebhookOutcome,
};
use policy::PolicyDocument;
use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use text::TextRange;

/// The result of an evaluation.
#[derive(Debug)]
struct Outcome {
    /// The path of the file with the policies.
    path: String,
    /// The outcome of each request.
    inputs: Vec<WrittenInput>,
    /// Problems in the configuration, or with other inputs.
    problems: Vec<Problem>,
}

/// The outcome of a request in the output format. A run may have thousands of requests, and their
/// objects and values need more memory than the output.
#[derive(Debug)]
struct WrittenInput {
    text: String,
    is_denied: bool,
    is_unknown: bool,
    is_left_out: bool,
    /// The policies, by their index in the file, that are evaluated.
    evaluated: Vec<usize>,
    /// The reasons why no policy matches the request, if one must.
    left_out: Vec<Problem>,
}

/// The outcome of a request.
#[derive(Debug)]
struct InputOutcome {
    /// Its input. `None` if the arguments describe it.
    input: Option<Arc<Input>>,
    /// The answer.
    answer: InputAnswer,
    /// The values of the expressions of each evaluated policy of the answer, in the
    /// order of the file.
    expressions: Vec<Vec<ExpressionEvaluation>>,
    /// The outcome of the webhooks, and the values of their match conditions.
    webhooks: Vec<(WebhookAnswer, Vec<ExpressionEvaluation>)>,
}

impl InputOutcome {
    /// Returns the part to keep. `is_named` is whether a policy must match the request.
    fn written(&self, text: String, loaded: &Loaded, is_named: bool) -> WrittenInput {
        let evaluated = self.answer.evaluations().map(|(policy, _)| policy.policy);
        let webhooks = self.webhooks.iter().map(|(webhook, _)| webhook.policy);
        let is_left_out = self.is_left_out();
        let left_out = (is_named && is_left_out).then(|| left_out(loaded, &self.answer));
        WrittenInput {
            text,
            is_denied: !self.response().allowed,
            is_unknown: self.is_unknown(),
            is_left_out,
            evaluated: evaluated.chain(webhooks).collect(),
            left_out: left_out.unwrap_or_default(),
        }
    }

    /// Returns the response if the match conditions of a webhook fail.
    fn refused(&self) -> Option<&Response> {
        let mut webhooks = self.webhooks.iter();
        webhooks.find_map(|(webhook, _)| match &webhook.outcome {
            WebhookOutcome::Denied(response) => Some(&**response),
            _ => None,
        })
    }

    /// Returns whether the request is allowed because no policy matches it.
    fn is_left_out(&self) -> bool {
        let is_left_out = |it: &PolicyAnswer| matches!(it.outcome, PolicyOutcome::NotEvaluated(_));
        let answer = &self.answer;
        answer.response.allowed
            && self.webhooks.is_empty()
            && answer.policies.iter().all(is_left_out)
    }

    /// Returns whether the outcome of a policy is unknown.
    fn is_unknown(&self) -> bool {
        let mut policies = self.answer.policies.iter();
        policies.any(|it| matches!(it.outcome, PolicyOutcome::Unknown(_)))
    }

    /// Returns the response of the API server, as far as it does not depend on the webhooks.
    fn response(&self) -> &Response {
        match self.refused() {
            Some(refused) if self.answer.response.allowed => refused,
            _ => &self.answer.response,
        }
    }
}

/// Runs the command.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn run(options: &Eval, terminal: &Terminal) -> io::Result<Exit> {
    match evaluate(options, terminal.width) {
        Ok(outcome) => {
            match options.format {
                EvalFormat::Human => human::write(&outcome.inputs, &mut terminal.stdout())?,
                EvalFormat::Json => json::write(&outcome, &mut terminal.json())?,
            }
            problem::write(&outcome.problems, terminal)?;
            let mut inputs = outcome.inputs.iter();
            Ok(if !outcome.problems.is_empty() {
                Exit::Failed
            } else if inputs.clone().any(|it| it.is_denied) {
                Exit::Findings
            } else if inputs.any(|it| it.is_unknown) {
                Exit::Failed
            } else {
                Exit::Clean
            })
        }
        Err(problems) => {
            if options.format == EvalFormat::Json {
                json::write_problems(&problems, &mut terminal.json())?;
            }
            problem::write(&problems, terminal)?;
            Ok(Exit::Failed)
        }
    }
}

/// Evaluates the policies. `width` is the width of the output, in columns.
fn evaluate(options: &Eval, width: usize) -> Result<Outcome, Vec<Problem>> {
    let mut reader = Reader::default();
    let text = reader
        .read(&options.policy)
        .map_err(|problem| vec![problem])?;
    let loader = Loader::new(options.kubernetes);
    let loaded = loader.load(&options.policy, text);
    input::check_policies(&loaded)?;
    let requests = input::requests(options, &loaded, &mut reader)?;
    let mut problems = loader.config_problems();
    problems.extend(requests.problems);
    let mut inputs = Vec::new();
    for input in requests.inputs {
        match try_one(&loaded, input, requests.have_names, detail(options)) {
            Ok(outcome) => {
                let text = match options.format {
                    EvalFormat::Human => human::text(&outcome, &loaded, options.trace, width),
                    EvalFormat::Json => json::text(&outcome, &loaded.text.source, options.trace),
                };
                inputs.push(outcome.written(text, &loaded, requests.are_named));
            }
            Err(problem) => problems.push(problem),
        }
    }
    problems.extend(refusals(&loaded, &inputs));
    if inputs.is_empty() || problems.iter().any(|it| it.path == loaded.text.path) {
        return Err(problems);
    }
    // A policy must match one of the requests that the arguments name.
    if requests.are_named && inputs.iter().all(|it| it.is_left_out) {
        problems.extend(inputs.iter_mut().flat_map(|it| it.left_out.drain(..)));
    }
    Ok(Outcome {
        path: loaded.text.path,
        inputs,
        problems,
    })
}

/// Returns the outcome of one request.
fn try_one(
    loaded: &Loaded,
    input: Arc<Input>,
    has_name: bool,
    detail: Option<Detail>,
) -> Result<InputOutcome, Problem> {
    let path = shown(&input.key.path);
    let prepared = loaded.prepared_input(Arc::clone(&input));
    let named = |it: &PolicyDocument| input.is_for(it.name().unwrap_or_default());
    let server = match input.policies {
        Some(_) => &loaded.server.only(&loaded.file, &loaded.programs, &named),
        None => &loaded.server,
    };
    let limits = limits();
    let evaluator = Evaluator {
        server,
        limits: &limits,
        ..loaded.evaluator()
    };
    let answer = match prepared.requests() {
        Ok(_) => evaluator.answer(&prepared),
        Err(error) => return Err(Problem::new(&path, error.to_string())),
    };
    let Some(answer) = answer else {
        let message = "the input does not describe a request";
        return Err(Problem::new(&path, message));
    };
    let is_wanted = |name: &str| input.is_for(name);
    let webhooks = evaluator.webhooks(&answer, &is_wanted).into_iter();
    let webhooks = webhooks.map(|it| {
        // A condition that fails is always shown with its reason.
        let detail = detail.or((!it.failing.is_empty()).then_some(Detail::Cut));
        let expressions = detail.map(|detail| evaluator.webhook_expressions(&it, detail));
        (it, expressions.unwrap_or_default())
    });
    let webhooks: Vec<_> = webhooks.collect();
    let expressions = answer.policies.iter().map(|it| match detail {
        Some(detail) => evaluator.expressions(it, detail),
        None => Vec::new(),
    });
    Ok(InputOutcome {
        expressions: expressions.collect(),
        webhooks,
        input: has_name.then_some(input),
        answer,
    })
}

/// Returns how much of the values of expressions is shown. `None` if nothing is.
fn detail(options: &Eval) -> Option<Detail> {
    match options.format {
        EvalFormat::Json => Some(Detail::Full),
        EvalFormat::Human => options.trace.then_some(Detail::Cut),
    }
}

/// Returns why no policy matches a request.
fn left_out(loaded: &Loaded, answer: &InputAnswer) -> Vec<Problem> {
    let reasons = answer.policies.iter().filter_map(|it| match &it.outcome {
        PolicyOutcome::NotEvaluated(why) => {
            let range = why.range.unwrap_or_else(|| kind_of(loaded, it.policy));
            let message = format!("the policy does not match: {}", why.reason);
            Some(loaded.text.problem(range, message))
        }
        _ => None,
    });
    reasons.collect()
}

/// Returns the expressions of the evaluated policies that the API server rejects.
fn refusals(loaded: &Loaded, inputs: &[WrittenInput]) -> Vec<Problem> {
    let evaluated = inputs.iter().flat_map(|it| it.evaluated.iter().copied());
    let refusals = BTreeSet::from_iter(evaluated)
        .into_iter()
        .flat_map(|policy| loaded.programs.refusals(&loaded.file, policy));
    let problems = refusals.map(|(range, reason)| {
        let message = format!("the API server rejects the expression: {reason}");
        loaded.text.problem(range, message)
    });
    problems.collect()
}

/// Returns a function that returns the kind of a policy of the file.
fn kind_of(loaded: &Loaded, policy: usize) -> TextRange {
    let document = loaded.file.policies().get(policy);
    document.map_or_else(TextRange::default, |document| document.kind_range())
}
