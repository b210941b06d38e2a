//! `workspace/executeCommand`: evaluate an expression, choose a sample, hide the values.
//!
//! The result of a command is data that our own clients show. A client that does not know
//! them ignores it, so it gets the same as a message.

use super::inlay_hints::value;
use crate::convert::from_lsp;
use crate::convert::to_lsp::{
    self, EVALUATE, EvaluateArguments, HIDE_VALUES, SELECT_SAMPLE, SampleArguments, SampleChoice,
};
use crate::documents::Snapshot;
use crate::samples;
use crate::session::Session;
use crate::trial::try_policies;
use ide::evaluate::{Trial, report};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types as lsp;

/// Limit: the samples among which a message lets the user choose.
const MAX_ACTIONS: usize = 9;

/// What a client is told that has nothing to evaluate at a place.
const NOTHING_HERE: &str =
    "There is no expression here, or no manifest at hand that the policy matches.";

pub(crate) async fn execute_command(
    session: &Arc<Session>,
    params: lsp::ExecuteCommandParams,
) -> Result<Option<lsp::LSPAny>> {
    match params.command.as_str() {
        EVALUATE => evaluate(session, arguments(params)?).await,
        SELECT_SAMPLE => select_sample(session, arguments(params)?).await,
        HIDE_VALUES => {
            let arguments: SampleArguments = arguments(params)?;
            session.evaluations.hide(&arguments.uri);
            samples::refresh(session);
            Ok(None)
        }
        other => Err(Error::invalid_params(format!(
            "There is no command `{other}`."
        ))),
    }
}

/// The one argument of a command.
fn arguments<T: DeserializeOwned>(params: lsp::ExecuteCommandParams) -> Result<T> {
    let command = params.command;
    let argument = params.arguments.into_iter().next().unwrap_or_default();
    serde_json::from_value(argument).map_err(|error| {
        Error::invalid_params(format!(
            "The argument of `{command}` is not right: {error}."
        ))
    })
}

fn snapshot(session: &Session, uri: &lsp::Uri) -> Result<Arc<Snapshot>> {
    let snapshot = session.documents.snapshot(uri);
    snapshot.ok_or_else(|| {
        let uri = uri.as_str();
        Error::invalid_params(format!("The document {uri} is not open."))
    })
}

async fn evaluate(session: &Arc<Session>, wanted: EvaluateArguments) -> Result<Option<Value>> {
    let snapshot = snapshot(session, wanted.uri())?;
    let client = session.capabilities().clone();
    let work = {
        let (wanted, client) = (wanted.clone(), client.clone());
        move |trial: &Trial<'_>, choices: &crate::evaluation::Choices| {
            let (policy, path) = place(trial, &wanted, &client)?;
            let wanted = choices.inputs.get(&policy);
            let (evaluation, sample) = value(trial, policy, &path, wanted)?;
            let text = report(&evaluation, &sample.name);
            let data = to_lsp::evaluation(trial.file, policy, &evaluation, &sample, &client);
            Some((policy, path, text, data))
        }
    };
    let result = try_policies(session, EVALUATE, &snapshot, work).await?;
    let Some((policy, path, text, data)) = result else {
        if !client.evaluation.shows_results {
            let kind = lsp::MessageType::WARNING;
            session.client.show_message(kind, NOTHING_HERE).await;
        }
        return Ok(None);
    };
    session.evaluations.show(wanted.uri(), policy, &path);
    samples::refresh(session);
    if !client.evaluation.shows_results {
        let kind = lsp::MessageType::INFO;
        session.client.show_message(kind, text).await;
    }
    Ok(Some(data))
}

/// The expression that is meant: named, or at a position.
fn place(
    trial: &Trial<'_>,
    wanted: &EvaluateArguments,
    client: &crate::capabilities::Capabilities,
) -> Option<(usize, String)> {
    match wanted {
        EvaluateArguments::Named { policy, path, .. } => Some((*policy, path.clone())),
        EvaluateArguments::At { position, .. } => {
            let offset = from_lsp::offset(trial.file, *position, client.encoding);
            let policies = trial.file.policies().iter().enumerate();
            let mut found = policies.filter_map(|(policy, document)| {
                let expression = document.expression_at(offset)?;
                Some((policy, expression.path.to_string()))
            });
            found.next()
        }
    }
}

/// Chooses a sample, or tells which there are.
async fn select_sample(session: &Arc<Session>, wanted: SampleArguments) -> Result<Option<Value>> {
    if let Some(sample) = wanted.sample {
        session
            .evaluations
            .choose(&wanted.uri, wanted.policy, sample.into());
        samples::refresh(session);
        return Ok(None);
    }
    let snapshot = snapshot(session, &wanted.uri)?;
    let policy = wanted.policy;
    let work = move |trial: &Trial<'_>, choices: &crate::evaluation::Choices| {
        let chosen = choices.inputs.get(&policy).cloned();
        let nearest = || trial.matching(policy).first().map(|it| it.key().clone());
        to_lsp::sample_choices(trial, policy, chosen.or_else(nearest).as_ref())
    };
    let choices = try_policies(session, SELECT_SAMPLE, &snapshot, work).await?;
    if !session.capabilities().evaluation.shows_results {
        offer(session, wanted.uri, policy, choices.clone());
    }
    Ok(serde_json::to_value(choices).ok())
}

/// Lets the user of any client choose, in a message with buttons.
fn offer(session: &Arc<Session>, uri: lsp::Uri, policy: usize, choices: Vec<SampleChoice>) {
    let task = Arc::clone(session);
    tokio::spawn(async move {
        let actions = choices.iter().take(MAX_ACTIONS);
        let actions: Vec<_> = actions
            .map(|choice| lsp::MessageActionItem {
                title: choice.title(),
                properties: std::collections::HashMap::default(),
            })
            .collect();
        if actions.is_empty() {
            let kind = lsp::MessageType::INFO;
            return task.client.show_message(kind, NOTHING_HERE).await;
        }
        let question = "Which manifest shall the policy be tried on?";
        let kind = lsp::MessageType::INFO;
        let answer = task
            .client
            .show_message_request(kind, question, Some(actions))
            .await;
        let Ok(Some(answer)) = answer else { return };
        let choice = choices
            .into_iter()
            .find(|choice| choice.title() == answer.title);
        if let Some(choice) = choice {
            task.evaluations.choose(&uri, policy, choice.sample.into());
            samples::refresh(&task);
        }
    });
}
