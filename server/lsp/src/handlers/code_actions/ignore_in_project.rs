//! Quick fixes that turn off a rule in the configuration file of the project.
//!
//! The client applies the edit. The text of the file, saved or not, is kept.

use super::{TASK, refuse_old, with_file};
use crate::capabilities::Capabilities;
use crate::convert::to_lsp::OtherFile;
use crate::convert::{from_lsp, to_lsp};
use crate::session::Session;
use crate::state::documents::Snapshot;
use crate::workers::Lane;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;
use workspace::{CONFIG_FILE, with_rule_off};

/// The rule that cannot be turned off: after a syntax error, YAML may have another meaning.
const ALWAYS_ON: &str = "yaml-syntax";

/// Returns an action for each rule with a finding in a range.
pub(super) async fn actions(
    session: &Session,
    snapshot: &Arc<Snapshot>,
    range: lsp::Range,
) -> Result<lsp::CodeActionResponse> {
    let path = configuration_file(session, snapshot);
    let uri = path.as_deref().and_then(lsp::Uri::from_file_path);
    let Some((path, uri)) = path.zip(uri) else {
        return Ok(Vec::new());
    };
    let client = session.capabilities().clone();
    let open = session.state.documents.snapshot(&uri);
    let configuration = open.clone();
    let actions = session
        .analyze(Lane::Request, TASK, snapshot, move |it| {
            let findings = touched(it, range, &client);
            if findings.is_empty() {
                return Vec::new();
            }
            let Some(file) = other_file(&path, uri, configuration.as_deref(), it) else {
                return Vec::new();
            };
            let text = file.existing.as_ref().map_or("", |(text, _)| text);
            let action = |(code, finding)| {
                let after = with_rule_off(text, code)?;
                to_lsp::ignore_in_project(finding, code, (&file, &after), &client)
            };
            findings.into_iter().filter_map(action).collect()
        })
        .await?;
    if let Some(open) = open {
        refuse_old(session, &open)?;
    }
    Ok(actions)
}

/// Returns the path of the configuration file of a document, which need not exist: then it is in
/// the folder of the workspace. `None` outside all folders.
fn configuration_file(session: &Session, snapshot: &Snapshot) -> Option<PathBuf> {
    let path = snapshot.path();
    let existing = snapshot.configuration().files.for_file(path);
    existing.path().map(Path::to_path_buf).or_else(|| {
        let mut folders = session.state.settings.folder_paths();
        folders.retain(|it| path.starts_with(it));
        let innermost = folders.into_iter().max_by_key(|it| it.components().count());
        innermost.map(|it| it.join(CONFIG_FILE))
    })
}

/// Returns the first finding of each rule that touches a range.
fn touched(
    snapshot: &Snapshot,
    range: lsp::Range,
    client: &Capabilities,
) -> Vec<(&'static str, lsp::Diagnostic)> {
    if snapshot.is_excluded() {
        return Vec::new();
    }
    with_file(snapshot, |file| {
        let range = from_lsp::range(file, range, client.encoding);
        let levels = &snapshot.settings().levels;
        let mut found = snapshot.analysis().diagnostics(file, levels);
        let mut seen = HashSet::from([ALWAYS_ON]);
        found.retain(|it| it.range.intersect(range).is_some() && seen.insert(it.code));
        let diagnostics = to_lsp::diagnostics(file, &snapshot.uri, &found, client);
        found.iter().map(|it| it.code).zip(diagnostics).collect()
    })
}

/// Returns the configuration file. `None` if it cannot be read.
fn other_file(
    path: &Path,
    uri: lsp::Uri,
    open: Option<&Snapshot>,
    near: &Snapshot,
) -> Option<OtherFile> {
    let existing = match open {
        Some(open) => Some((open.text(), Some(open.version))),
        None if path.exists() => Some((near.read_near(path).ok()?, None)),
        None => None,
    };
    Some(OtherFile { uri, existing })
}
