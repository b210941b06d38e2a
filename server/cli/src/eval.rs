//! `admissible eval`: the response of the API server to requests.

mod human;
mod input;
mod json;

use crate::arguments::{Eval, EvalFormat};
use crate::exit::Exit;
use crate::loader::{Loaded, Loader, limits};
use crate::problem::{self, Problem};
use crate::reader::{Reader, read_policies};
use crate::report::shown;
use crate::terminal::Terminal;
use admission::Response;
use evaluation::input::Input;
use evaluation::run::{
    Detail, Evaluator, ExpressionEvaluation, InputAnswer, PolicyAnswer, PolicyOutcome,
    WebhookAnswer, WebhookOutcome,
};
use policy::PolicyDocument;
use std::collections::{BTreeSet, HashMap};
use std::io::{self, BufWriter, Write};
use std::rc::Rc;
use std::sync::Arc;

/// The outcome of a request.
#[derive(Debug)]
struct InputOutcome {
    /// Its input. `None` if the arguments describe it.
    input: Option<Arc<Input>>,
    /// The answer.
    answer: Arc<InputAnswer>,
    /// The values of the expressions of each policy of the answer, in the order of the file. All
    /// bindings share those for one parameter object.
    expressions: Vec<Rc<Vec<ExpressionEvaluation>>>,
    /// The outcome of the webhooks, and the values of their match conditions.
    webhooks: Vec<(WebhookAnswer, Vec<ExpressionEvaluation>)>,
}

impl InputOutcome {
    /// Returns the response if the match conditions of a webhook fail.
    fn refused(&self) -> Option<&Response> {
        let mut webhooks = self.webhooks.iter();
        webhooks.find_map(|(webhook, _)| match &webhook.outcome {
            WebhookOutcome::Denied(response) => Some(&**response),
            _ => None,
        })
    }

    /// Returns whether the request is allowed because no policy is about such requests. That a
    /// selector excludes it is an answer.
    fn is_left_out(&self) -> bool {
        let is_left_out = |it: &PolicyAnswer| match &it.outcome {
            PolicyOutcome::NotEvaluated(why) => !why.is_exclusion,
            _ => false,
        };
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
    let mut out = BufWriter::new(match options.format {
        EvalFormat::Human => terminal.stdout(),
        EvalFormat::Json => terminal.json(),
    });
    let mut report = Report::default();
    if options.format == EvalFormat::Json {
        json::begin(&options.policy, &mut out)?;
    }
    let mut reader = Reader::default();
    let loader = Loader::new(options.kubernetes);
    let requests = load(options, &loader, &mut reader)
        .and_then(|loaded| Ok((input::requests(options, &loaded, &mut reader)?, loaded)));
    match requests {
        Ok((requests, loaded)) => {
            report.problems = loader.config_problems();
            report.problems.extend(requests.problems);
            let is_named = requests.are_named;
            for input in requests.inputs {
                let outcome = try_one(&loaded, input, requests.have_names, detail(options));
                report.add(outcome, &loaded, options, terminal.width, &mut out)?;
            }
            // A policy must match one of the requests that the arguments name.
            if is_named && report.written > 0 && !report.is_matched {
                let message = "no policy matches the request";
                let path = shown(&options.policy);
                report.problems.push(Problem::new(&path, message));
            }
        }
        Err(problems) => report.problems = problems,
    }
    if options.format == EvalFormat::Json {
        json::end(&report.problems, &mut out)?;
    }
    out.flush()?;
    drop(out);
    problem::write(&report.problems, terminal)?;
    Ok(report.exit())
}

/// Loads the policies of a file, or of a directory.
fn load(options: &Eval, loader: &Loader, reader: &mut Reader) -> Result<Loaded, Vec<Problem>> {
    let path = options.policy.as_path();
    let loaded = if path.is_dir() {
        let mut problems = Vec::new();
        let mut texts = read_policies(path, &mut problems).into_iter();
        match texts.next() {
            Some(first) if problems.is_empty() => loader.load_all(path, first, texts.collect()),
            Some(_) => return Err(problems),
            None => {
                problems.push(Problem::new(&shown(path), input::NO_POLICY));
                return Err(problems);
            }
        }
    } else {
        let text = reader.read(path).map_err(|problem| vec![problem])?;
        loader.load(path, text)
    };
    input::check_policies(&loaded)?;
    Ok(loaded)
}

/// The results so far. A run may have thousands of requests, and a request thousands of
/// results, so each request is written when it is evaluated.
#[derive(Debug, Default)]
struct Report {
    /// The number of requests with a result.
    written: usize,
    is_denied: bool,
    is_unknown: bool,
    /// Whether a policy matches one of the requests.
    is_matched: bool,
    /// The policies that the API server rejects, by their index.
    refused: BTreeSet<usize>,
    /// Problems in the configuration, in policies, or with inputs.
    problems: Vec<Problem>,
}

impl Report {
    /// Writes the result of a request, or keeps why it has none.
    fn add(
        &mut self,
        outcome: Result<InputOutcome, Problem>,
        loaded: &Loaded,
        options: &Eval,
        width: usize,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(problem) => {
                self.problems.push(problem);
                return Ok(());
            }
        };
        if self.is_refused(&outcome, loaded) {
            return Ok(());
        }
        match options.format {
            EvalFormat::Human => {
                if self.written > 0 {
                    writeln!(out)?;
                }
                human::write(&outcome, loaded, options.trace, width, out)?;
            }
            EvalFormat::Json => json::write(&outcome, loaded, options.trace, self.written, out)?,
        }
        self.written += 1;
        self.is_denied |= !outcome.response().allowed;
        self.is_unknown |= outcome.is_unknown();
        self.is_matched |= !outcome.is_left_out();
        Ok(())
    }

    /// Returns whether the API server rejects an evaluated policy, whose result is then not shown.
    /// Each rejected expression is reported once.
    fn is_refused(&mut self, outcome: &InputOutcome, loaded: &Loaded) -> bool {
        let evaluated = outcome.answer.evaluations().map(|(it, _)| it.policy);
        let webhooks = outcome.webhooks.iter().map(|(webhook, _)| webhook.policy);
        let evaluated = BTreeSet::from_iter(evaluated.chain(webhooks));
        let mut is_refused = false;
        for policy in evaluated {
            let document = loaded.policies.get(policy);
            let refusals = document.map(|it| loaded.programs.refusals(it, policy));
            let refusals = refusals.unwrap_or_default();
            is_refused |= !refusals.is_empty();
            if refusals.is_empty() || !self.refused.insert(policy) {
                continue;
            }
            let text = loaded.text_of(policy);
            self.problems
                .extend(refusals.into_iter().map(|(range, reason)| {
                    let message = format!("the API server rejects the expression: {reason}");
                    text.problem(range, message)
                }));
        }
        is_refused
    }

    fn exit(&self) -> Exit {
        match self {
            _ if !self.problems.is_empty() => Exit::Failed,
            _ if self.is_denied => Exit::Findings,
            _ if self.is_unknown => Exit::Failed,
            _ => Exit::Clean,
        }
    }
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
        Some(_) => &loaded
            .server
            .only(&loaded.policies, &loaded.programs, &named),
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
    Ok(InputOutcome {
        expressions: expressions(&evaluator, &answer, detail),
        webhooks,
        input: has_name.then_some(input),
        answer,
    })
}

/// Returns the values of the expressions of each policy, as far as they are shown.
fn expressions(
    evaluator: &Evaluator<'_>,
    answer: &InputAnswer,
    detail: Option<Detail>,
) -> Vec<Rc<Vec<ExpressionEvaluation>>> {
    let mut shared = HashMap::new();
    let expressions = answer.policies.iter().map(|it| {
        let key = match &it.outcome {
            PolicyOutcome::Evaluated(evaluation) => Some(Arc::as_ptr(evaluation)),
            _ => None,
        };
        let evaluate = || detail.map_or_else(Vec::new, |detail| evaluator.expressions(it, detail));
        Rc::clone(shared.entry(key).or_insert_with(|| Rc::new(evaluate())))
    });
    expressions.collect()
}

/// Returns how much of the values of expressions is shown. `None` if nothing is.
fn detail(options: &Eval) -> Option<Detail> {
    match options.format {
        EvalFormat::Json => Some(Detail::Full),
        EvalFormat::Human => options.trace.then_some(Detail::Cut),
    }
}
