//! `workspace/executeCommand`: evaluate an expression, select an input, show or hide values,
//! show the changes of a policy, create an input.
//!
//! The result of a command is data that our own clients show. Other clients ignore it, so they get
//! it as a message. If there is no result, every client gets a message with the reason.

mod create_input;
mod list_policies;
mod mutation;
mod no_result;
mod policy_index;

use super::inlay_hints::value;
use crate::capabilities::Capabilities;
use crate::commands::{
    CREATE_INPUT, DOCUMENT_STATUS, DocumentArguments, EVALUATE, EvaluateArguments, HIDE_VALUES,
    LIST_POLICIES, LIVE_VALUES, PolicyArguments, SELECT_INPUT, SHOW_MUTATION,
};
use crate::convert::from_lsp;
use crate::convert::to_lsp::{self, InputChoice};
use crate::events;
use crate::session::{Session, detach};
use crate::state::choices::DocumentChoices;
use crate::state::documents::Snapshot;
use crate::workers::Lane;
use evaluation::run::{Evaluator, report};
use no_result::NoResult;
use policy::ParsedFile;
use policy_index::policy_index;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types as lsp;

/// Limit: the inputs from which a message lets the user select.
const MAX_ACTIONS: usize = 9;

pub(crate) async fn execute_command(
    session: &Arc<Session>,
    params: lsp::ExecuteCommandParams,
) -> Result<Option<lsp::LSPAny>> {
    match params.command.as_str() {
        EVALUATE => evaluate(session, arguments(params)?).await,
        SELECT_INPUT => select_input(session, arguments(params)?).await,
        SHOW_MUTATION => mutation::show_mutation(session, arguments(params)?).await,
        CREATE_INPUT => create_input::create(session, arguments(params)?).await,
        HIDE_VALUES => {
            let arguments: DocumentArguments = arguments(params)?;
            session.state.choices.hide(&arguments.uri);
            events::choices_changed(session);
            Ok(None)
        }
        LIVE_VALUES => live_values(session, &arguments(params)?),
        LIST_POLICIES => list_policies::list_policies(session).await,
        DOCUMENT_STATUS => document_status(session, arguments(params)?).await,
        other => Err(Error::invalid_params(format!("Unknown command `{other}`."))),
    }
}

/// Returns the argument of a command.
fn arguments<T: DeserializeOwned>(params: lsp::ExecuteCommandParams) -> Result<T> {
    let command = params.command;
    let argument = params.arguments.into_iter().next().unwrap_or_default();
    serde_json::from_value(argument).map_err(|error| {
        Error::invalid_params(format!(
            "The argument of `{command}` is not valid: {error}."
        ))
    })
}

fn snapshot(session: &Session, uri: &lsp::Uri) -> Result<Arc<Snapshot>> {
    let snapshot = session.state.documents.snapshot(uri);
    snapshot.ok_or_else(|| {
        let uri = uri.as_str();
        Error::invalid_params(format!("The document {uri} is not open."))
    })
}

async fn evaluate(session: &Arc<Session>, wanted: EvaluateArguments) -> Result<Option<Value>> {
    let snapshot = snapshot(session, wanted.uri())?;
    let client = session.capabilities().clone();
    let work = {
        let (wanted, client, own) = (wanted.clone(), client.clone(), Arc::clone(&snapshot));
        move |evaluator: &Evaluator<'_>, choices: &DocumentChoices| {
            evaluation(own.file(), evaluator, choices, &wanted, &client)
        }
    };
    let result = no_result::evaluate(session, EVALUATE, &snapshot, work).await?;
    let Some((policy, path, text, data)) = result else {
        return Ok(None);
    };
    session
        .state
        .choices
        .show_value(wanted.uri(), policy, &path);
    events::choices_changed(session);
    if !client.evaluation.shows_results {
        let kind = lsp::MessageType::INFO;
        session.client.show_message(kind, text).await;
    }
    Ok(Some(data))
}

/// Returns the policy and path of an evaluated expression, its report, and its data.
fn evaluation(
    file: &ParsedFile,
    evaluator: &Evaluator<'_>,
    choices: &DocumentChoices,
    wanted: &EvaluateArguments,
    client: &Capabilities,
) -> std::result::Result<(usize, String, String, Value), NoResult> {
    let (policy, path) = expression_at(file, wanted, client).ok_or(NoResult::NoExpression)?;
    let selected = choices.inputs.get(&policy);
    let Some((evaluation, input)) = value(evaluator, policy, &path, selected) else {
        let candidate = evaluator.chosen_for(policy, selected);
        return Err(match candidate {
            Some(candidate) => {
                let answer = evaluator.answer_for(policy, candidate);
                let rejection = answer.and_then(|it| it.rejection().map(str::to_owned));
                NoResult::NotEvaluated(candidate.input().label(), rejection)
            }
            None => NoResult::without_input(evaluator, policy),
        });
    };
    let text = report(&evaluation, &input.name);
    let data = to_lsp::evaluation(file, policy, &evaluation, &input, client);
    Ok((policy, path, text, data))
}

/// Returns the policy and the path of an expression, by its path or by a position.
fn expression_at(
    file: &ParsedFile,
    wanted: &EvaluateArguments,
    client: &Capabilities,
) -> Option<(usize, String)> {
    match wanted {
        EvaluateArguments::Named { policy, path, .. } => Some((*policy, path.clone())),
        EvaluateArguments::At { position, .. } => {
            let offset = from_lsp::offset(file, *position, client.encoding);
            let policies = file.policies().iter().enumerate();
            let mut found = policies.filter_map(|(policy, document)| {
                let expression = document.expression_at(offset)?;
                Some((policy, expression.path.to_string()))
            });
            found.next()
        }
    }
}

/// Turns live mode on or off.
fn live_values(session: &Arc<Session>, wanted: &DocumentArguments) -> Result<Option<Value>> {
    let uri = &wanted.uri;
    snapshot(session, uri)?;
    let on = wanted.on.unwrap_or_else(|| !session.state.is_live(uri));
    session.state.choices.set_live(uri, on);
    events::choices_changed(session);
    Ok(Some(serde_json::json!({ "on": on })))
}

/// Returns the target versions and the mode of a document.
async fn document_status(session: &Session, wanted: DocumentArguments) -> Result<Option<Value>> {
    let snapshot = snapshot(session, &wanted.uri)?;
    let is_live = session.state.is_live(&wanted.uri);
    let work = move |it: &Snapshot| {
        let settings = it.settings();
        Some(serde_json::json!({
            "kubernetes": settings.target.map(|target| target.to_string()),
            "excluded": settings.excluded,
            "liveValues": is_live,
        }))
    };
    session
        .analyze(Lane::Request, DOCUMENT_STATUS, &snapshot, work)
        .await
}

/// Selects an input, or lists the inputs.
async fn select_input(session: &Arc<Session>, wanted: PolicyArguments) -> Result<Option<Value>> {
    let snapshot = snapshot(session, &wanted.uri)?;
    let policy = policy_index(session, SELECT_INPUT, &snapshot, wanted.policy).await?;
    if let Some(input) = wanted.input {
        session
            .state
            .choices
            .select(&wanted.uri, policy, input.into());
        events::choices_changed(session);
        return Ok(None);
    }
    let work = move |evaluator: &Evaluator<'_>, choices: &DocumentChoices| {
        let chosen = evaluator.chosen_for(policy, choices.inputs.get(&policy));
        let choices = to_lsp::input_choices(evaluator, policy, chosen.map(|it| it.key()));
        if choices.is_empty() {
            return Err(NoResult::without_input(evaluator, policy));
        }
        Ok(choices)
    };
    let choices = no_result::evaluate(session, SELECT_INPUT, &snapshot, work).await?;
    let Some(choices) = choices else {
        return Ok(Some(serde_json::json!([])));
    };
    if !session.capabilities().evaluation.shows_results {
        offer(session, wanted.uri, policy, choices.clone());
    }
    Ok(serde_json::to_value(choices).ok())
}

/// Lets the user of any client select an input, in a message with buttons.
fn offer(session: &Arc<Session>, uri: lsp::Uri, policy: usize, choices: Vec<InputChoice>) {
    let task = Arc::clone(session);
    detach(async move {
        let offered = choices.iter().take(MAX_ACTIONS);
        let actions: Vec<_> = offered
            .map(|choice| lsp::MessageActionItem {
                title: choice.title(),
                properties: std::collections::HashMap::default(),
            })
            .collect();
        let question = "Select an input to evaluate the policy against";
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
            task.state.choices.select(&uri, policy, choice.input.into());
            events::choices_changed(&task);
        }
    });
}
