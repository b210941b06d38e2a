//! Loading the settings: registration for changes, and a new configuration after one.

use crate::capabilities::{WATCHED, WorkspaceCapabilities};
use crate::convert::from_lsp;
use crate::session::Session;
use crate::state::configuration::{
    ClientSettings, Configuration, ParsedSettings, SECTION, ScopeSettings, parse,
};
use crate::state::settings::{PATIENCE, SourceValues};
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use tower_lsp_server::ls_types as lsp;
use workspace::{ConfigCache, Roots};

/// A new configuration.
pub(crate) struct Reloaded {
    pub(crate) configuration: Arc<Configuration>,
    /// The documents whose settings have changed.
    pub(crate) affected: Vec<lsp::Uri>,
    /// Whether live mode has changed.
    pub(crate) changes_hints: bool,
}

/// Takes the folders and settings of `initialize`.
pub(crate) async fn initialize(
    session: &Session,
    folders: Vec<lsp::WorkspaceFolder>,
    options: Option<&Value>,
) {
    let parsed = checked(session, options.map(parse).into_iter().collect()).await;
    let sources = &session.state.settings;
    let client = {
        let mut values = sources.values();
        values.folders = folders;
        values.pushed = parsed.into_iter().next().flatten().unwrap_or_default();
        values.pushed_settings()
    };
    let configuration = Arc::new(configuration(session, client));
    let documents = &session.state.documents;
    documents.reconfigure(&configuration, |_| false);
    if !session.capabilities().workspace.configuration {
        sources.settle();
    }
}

/// Registers for changes of files and settings, and for the pages of rules.
pub(crate) async fn register(session: &Session) {
    let capabilities = session.capabilities();
    let mut registrations = registrations(capabilities.workspace);
    registrations.extend(capabilities.diagnostics.rule_pages.registration());
    if registrations.is_empty() {
        return;
    }
    if let Err(error) = session.client.register_capability(registrations).await {
        let line = format!("The client does not watch for changes: {error}.");
        session.log.warning(line).await;
    }
}

fn registrations(client: WorkspaceCapabilities) -> Vec<lsp::Registration> {
    let registration = |method: &str, options: Value| lsp::Registration {
        id: method.to_owned(),
        method: method.to_owned(),
        register_options: Some(options),
    };
    let mut registrations = Vec::new();
    if client.watches_configuration {
        let options = serde_json::json!({ "section": SECTION });
        registrations.push(registration("workspace/didChangeConfiguration", options));
    }
    if client.watches_files {
        let watchers = WATCHED.map(|glob| serde_json::json!({ "globPattern": glob }));
        let options = serde_json::json!({ "watchers": watchers });
        registrations.push(registration("workspace/didChangeWatchedFiles", options));
    }
    registrations
}

/// Takes settings that the client has sent.
pub(crate) async fn push(session: &Session, settings: &Value) {
    let parsed = checked(session, vec![parse(settings)]).await;
    if let Some(settings) = parsed.into_iter().flatten().next() {
        session.state.settings.values().pushed = settings;
    }
}

/// Loads the settings and replaces the configuration. `None` if nothing has changed.
pub(crate) async fn reload(session: &Session) -> Option<Reloaded> {
    let values = {
        let mut values = session.state.settings.values();
        let copy = values.clone();
        values.files_changed = false;
        copy
    };
    let old = session.state.documents.configuration();
    let client = if session.capabilities().workspace.configuration {
        requested_settings(session, &values, &old.client).await
    } else {
        values.pushed_settings()
    };
    if !values.files_changed && old.client == client {
        return None;
    }
    let changes_hints = client.differs_in_hints(&old.client);
    let configuration = Arc::new(configuration(session, client));
    Some(Reloaded {
        affected: replace(session, old, &configuration).await,
        configuration,
        changes_hints,
    })
}

/// Returns a configuration that has read no files yet.
fn configuration(session: &Session, client: ClientSettings) -> Configuration {
    let roots = Roots::new(session.state.settings.folder_paths());
    Configuration {
        files: Arc::new(ConfigCache::within(roots)),
        client,
    }
}

/// Replaces the configuration `old`. Returns the documents whose settings have changed.
async fn replace(
    session: &Session,
    old: Arc<Configuration>,
    configuration: &Arc<Configuration>,
) -> Vec<lsp::Uri> {
    let documents = &session.state.documents;
    let (mut uris, new) = (documents.uris(), Arc::clone(configuration));
    let compare = tokio::task::spawn_blocking(move || {
        uris.retain(|uri| old.for_document(uri) == new.for_document(uri));
        uris.into_iter().collect()
    });
    let unaffected: HashSet<lsp::Uri> = compare.await.unwrap_or_default();
    documents.reconfigure(configuration, |uri| unaffected.contains(uri));
    let mut affected = documents.uris();
    affected.retain(|uri| !unaffected.contains(uri));
    affected
}

/// Requests the settings of the client, for each folder and for everything else. Without a response
/// they do not change.
async fn requested_settings(
    session: &Session,
    values: &SourceValues,
    old: &ClientSettings,
) -> ClientSettings {
    let item = |scope_uri| lsp::ConfigurationItem {
        scope_uri,
        section: Some(SECTION.to_owned()),
    };
    let folders = values.folders.iter().map(|folder| Some(folder.uri.clone()));
    let items = std::iter::once(None).chain(folders).map(item).collect();
    let answer = tokio::time::timeout(PATIENCE, session.client.configuration(items)).await;
    let sections = match answer {
        Ok(Ok(sections)) => sections,
        Ok(Err(error)) => return unanswered(session, &error.to_string(), old).await,
        Err(_) => return unanswered(session, "no response", old).await,
    };
    let parsed = checked(session, sections.iter().map(parse).collect()).await;
    let mut settings = parsed
        .into_iter()
        .map(|settings| settings.unwrap_or_else(|| values.pushed.clone()));
    let everywhere = settings.next().unwrap_or_else(|| values.pushed.clone());
    let folders = values.folders.iter().zip(settings);
    ClientSettings {
        everywhere,
        folders: folders
            .filter_map(|(folder, settings)| Some((from_lsp::path(&folder.uri)?, settings)))
            .collect(),
    }
}

async fn unanswered(session: &Session, reason: &str, old: &ClientSettings) -> ClientSettings {
    let line =
        format!("The settings are unchanged, because the client did not return them: {reason}.");
    session.log.warning(line).await;
    old.clone()
}

/// Returns the parsed settings, after showing their errors to the user.
async fn checked(session: &Session, parsed: Vec<ParsedSettings>) -> Vec<Option<ScopeSettings>> {
    let problems: BTreeSet<&str> = parsed
        .iter()
        .flat_map(|parsed| parsed.problems.iter().map(String::as_str))
        .collect();
    if !problems.is_empty() {
        let list: Vec<&str> = problems.into_iter().collect();
        let message = format!(
            "The settings of Admissible are not valid: {}",
            list.join(" ")
        );
        session.log.show_once(message).await;
    }
    parsed.into_iter().map(|parsed| parsed.settings).collect()
}
