//! Settings: where they come from, and what happens when they change.
//!
//! Options of the start, pushed settings, answered settings, folders and configuration
//! files all meet here. Whatever changes, one task puts a new configuration together and
//! renews the findings, and begins again if something changed meanwhile.

mod problems;

pub(crate) use problems::report_problems;

use crate::capabilities::WorkspaceCapabilities;
use crate::coalescer::Coalescer;
use crate::configuration::{Chosen, ClientSettings, Configuration, Read, SECTION, read};
use crate::convert::from_lsp;
use crate::projects;
use crate::publish::publish;
use crate::refresh::refresh;
use crate::session::Session;
use problems::Reported;
use serde_json::Value;
use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::watch;
use tower_lsp_server::ls_types as lsp;

/// How long the first findings wait for the settings of the client, and any answer about
/// settings may take.
///
/// Limit: editors answer within milliseconds; one that does not answer gets findings anyway.
const PATIENCE: Duration = Duration::from_secs(2);

/// The files that may hold manifests on which policies are tried.
const MANIFESTS: &str = "**/*.{yaml,yml,json}";

/// The files of tests that are no manifests.
const MESSAGES: &str = "**/*.{message,warnings}.txt";

/// Where the settings of the session come from.
#[derive(Default)]
pub(crate) struct Sources {
    inputs: Mutex<Inputs>,
    reloads: Coalescer<()>,
    settled: watch::Sender<bool>,
    reported: Reported,
}

#[derive(Clone, Default)]
struct Inputs {
    folders: Vec<lsp::WorkspaceFolder>,
    /// What the client has said by itself, at the start or later.
    pushed: Chosen,
    /// The configuration files may not be what they were.
    files_changed: bool,
}

impl Sources {
    /// Returns when the settings of the client are known, or take too long.
    pub(crate) async fn settled(&self) {
        let mut settled = self.settled.subscribe();
        let known = settled.wait_for(|settled| *settled);
        if tokio::time::timeout(PATIENCE, known).await.is_err() {
            self.settle();
        }
    }

    fn settle(&self) {
        self.settled.send_replace(true);
    }

    pub(super) fn change_folders(&self, change: impl FnOnce(&mut Vec<lsp::WorkspaceFolder>)) {
        change(&mut self.inputs().folders);
    }

    /// The folders of the workspace.
    pub(crate) fn folder_paths(&self) -> Vec<PathBuf> {
        let inputs = self.inputs();
        let uris = inputs.folders.iter().map(|folder| &folder.uri);
        uris.filter_map(from_lsp::path).collect()
    }

    fn inputs(&self) -> MutexGuard<'_, Inputs> {
        // Each field is replaced as a whole.
        self.inputs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes what the client says when it starts.
pub(super) async fn start(
    session: &Session,
    folders: Vec<lsp::WorkspaceFolder>,
    options: Option<&Value>,
) {
    let settings = checked(session, options.map(read).into_iter().collect()).await;
    let inputs = {
        let mut inputs = session.sources.inputs();
        inputs.folders = folders;
        inputs.pushed = settings.into_iter().next().flatten().unwrap_or_default();
        inputs.clone()
    };
    let configuration = Arc::new(Configuration {
        client: pushed_settings(&inputs),
        ..Configuration::default()
    });
    session.documents.reconfigure(&configuration, |_| false);
    if !session.capabilities().workspace.configuration {
        session.sources.settle();
    }
}

/// Asks the client to tell about changes, and what its settings are.
pub(super) fn started(session: &Arc<Session>) {
    let client = session.capabilities().workspace;
    let registrations = registrations(client);
    if !registrations.is_empty() {
        let task = Arc::clone(session);
        tokio::spawn(async move {
            if let Err(error) = task.client.register_capability(registrations).await {
                let line = format!("The client does not watch for changes: {error}.");
                task.log.warning(line).await;
            }
        });
    }
    if client.configuration {
        reload(session);
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
        let config = format!("**/{}", workspace::CONFIG_FILE);
        let options = serde_json::json!({
            "watchers": [
                { "globPattern": config },
                { "globPattern": MANIFESTS },
                { "globPattern": MESSAGES },
            ],
        });
        registrations.push(registration("workspace/didChangeWatchedFiles", options));
    }
    registrations
}

/// The client says that its settings are others, and often which.
pub(crate) async fn did_change(session: &Arc<Session>, settings: &Value) {
    let settings = checked(session, vec![read(settings)]).await;
    if let Some(settings) = settings.into_iter().flatten().next() {
        session.sources.inputs().pushed = settings;
    }
    reload(session);
}

/// Files have changed that the client was asked to watch.
pub(crate) fn files_changed(session: &Arc<Session>, changes: &[lsp::FileEvent]) {
    let is_config = |change: &lsp::FileEvent| {
        from_lsp::path(&change.uri).is_some_and(|path| path.ends_with(workspace::CONFIG_FILE))
    };
    if changes.iter().any(is_config) {
        reload_files(session);
    }
}

/// A document was saved. Where nobody watches the configuration files, this is the moment
/// to look at them again.
pub(super) fn saved(session: &Arc<Session>) {
    if !session.capabilities().workspace.watches_files {
        reload_files(session);
    }
}

pub(crate) fn reload_files(session: &Arc<Session>) {
    session.sources.inputs().files_changed = true;
    reload(session);
}

/// Puts a new configuration together, in a task of its own.
pub(super) fn reload(session: &Arc<Session>) {
    if !session.sources.reloads.start(&()) {
        return;
    }
    let task = Arc::clone(session);
    session.tasks.spawn(async move {
        loop {
            tokio::select! {
                () = reload_once(&task) => {}
                () = task.ended.cancelled() => return,
            }
            if !task.sources.reloads.again(&()) {
                return;
            }
        }
    });
}

async fn reload_once(session: &Arc<Session>) {
    let inputs = {
        let mut inputs = session.sources.inputs();
        let copy = inputs.clone();
        inputs.files_changed = false;
        copy
    };
    let old = session.documents.configuration();
    let was_live = old.client.clone();
    let client = match session.capabilities().workspace.configuration {
        true => asked_settings(session, &inputs, &old.client).await,
        false => pushed_settings(&inputs),
    };
    if inputs.files_changed || old.client != client {
        let is_other = client.shows_other_values(&was_live);
        replace(session, old, client).await;
        if is_other {
            refresh(session);
        }
    }
    session.sources.settle();
}

/// Puts a new configuration in the place of `old`, and renews the findings of the documents
/// that it governs otherwise.
async fn replace(session: &Arc<Session>, old: Arc<Configuration>, client: ClientSettings) {
    let configuration = Arc::new(Configuration {
        client,
        ..Configuration::default()
    });
    let (uris, new) = (session.documents.uris(), Arc::clone(&configuration));
    let compare = tokio::task::spawn_blocking(move || {
        let alike = |uri: &lsp::Uri| old.governing(uri) == new.governing(uri);
        uris.into_iter().filter(alike).collect()
    });
    let unaffected: HashSet<lsp::Uri> = compare.await.unwrap_or_default();
    session
        .documents
        .reconfigure(&configuration, |uri| unaffected.contains(uri));
    projects::search(session);
    report_problems(session, &configuration).await;
    let affected = session.documents.uris().into_iter();
    let affected: Vec<_> = affected.filter(|uri| !unaffected.contains(uri)).collect();
    for uri in &affected {
        publish(session, uri);
    }
    let client = session.capabilities();
    if !affected.is_empty() && client.diagnostics.pull && client.workspace.diagnostic_refresh {
        let task = Arc::clone(session);
        tokio::spawn(async move {
            // A client that refuses asks again with the next change.
            let _ = task.client.workspace_diagnostic_refresh().await;
        });
    }
}

fn pushed_settings(inputs: &Inputs) -> ClientSettings {
    ClientSettings {
        everywhere: inputs.pushed.clone(),
        folders: Vec::new(),
    }
}

/// Asks the client for its settings, for each folder and for everything else. Without an
/// answer they stay as they are.
async fn asked_settings(
    session: &Session,
    inputs: &Inputs,
    old: &ClientSettings,
) -> ClientSettings {
    let item = |scope_uri| lsp::ConfigurationItem {
        scope_uri,
        section: Some(SECTION.to_owned()),
    };
    let folders = inputs.folders.iter().map(|folder| Some(folder.uri.clone()));
    let items = std::iter::once(None).chain(folders).map(item).collect();
    let answer = tokio::time::timeout(PATIENCE, session.client.configuration(items)).await;
    let values = match answer {
        Ok(Ok(values)) => values,
        Ok(Err(error)) => return unanswered(session, &error.to_string(), old).await,
        Err(_) => return unanswered(session, "no answer came", old).await,
    };
    let settings = checked(session, values.iter().map(read).collect()).await;
    let mut settings = settings
        .into_iter()
        .map(|settings| settings.unwrap_or_else(|| inputs.pushed.clone()));
    let everywhere = settings.next().unwrap_or_else(|| inputs.pushed.clone());
    let folders = inputs.folders.iter().zip(settings);
    ClientSettings {
        everywhere,
        folders: folders
            .filter_map(|(folder, settings)| Some((from_lsp::path(&folder.uri)?, settings)))
            .collect(),
    }
}

async fn unanswered(session: &Session, reason: &str, old: &ClientSettings) -> ClientSettings {
    let line = format!("The settings stay as they are, the client does not tell them: {reason}.");
    session.log.warning(line).await;
    old.clone()
}

/// The settings that were read, after the user was told what is wrong with them.
async fn checked(session: &Session, read: Vec<Read>) -> Vec<Option<Chosen>> {
    let problems = read.iter().flat_map(|read| read.problems.iter().cloned());
    let problems: BTreeSet<String> = problems.collect();
    if !problems.is_empty() {
        let problems: Vec<String> = problems.into_iter().collect();
        let message = format!("The settings of Admissible: {}", problems.join(" "));
        session.log.tell_once(message).await;
    }
    read.into_iter().map(|read| read.settings).collect()
}
