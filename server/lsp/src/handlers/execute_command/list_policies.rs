//! `admissible.listPolicies`: the policies of the workspace, with the bindings that put them into
//! effect.
//!
//! A client shows them as a tree. The summaries of the projects contain everything, so only the
//! files that a configuration names are read.

use crate::commands::LIST_POLICIES;
use crate::convert::to_lsp;
use crate::handlers::other_files::of_open_files;
use crate::session::Session;
use crate::state::State;
use crate::state::documents::Snapshot;
use crate::state::project_view::Summaries;
use crate::workers::Lane;
use ide::{BindingSummary, FileSummary, PolicySummary};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use text::Encoding;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

/// Limit: policies in a response.
const MAX_POLICIES: usize = 1_000;

/// A policy, or a binding.
#[derive(Debug, Serialize)]
pub(super) struct Listed<T> {
    kind: String,
    name: String,
    location: lsp::Location,
    #[serde(flatten)]
    children: T,
}

/// The bindings of a policy.
#[derive(Debug, Serialize)]
pub(super) struct Bindings {
    bindings: Vec<Listed<Parameters>>,
}

/// The parameters that a binding selects by name.
#[derive(Debug, Serialize)]
pub(super) struct Parameters {
    parameters: Vec<Parameter>,
}

/// An object that is the parameter of a policy.
#[derive(Debug, Serialize)]
struct Parameter {
    kind: String,
    name: String,
    namespace: String,
    uri: lsp::Uri,
}

/// Returns the policies of the workspace.
pub(super) async fn list_policies(session: &Session) -> Result<Option<Value>> {
    let encoding = session.capabilities().encoding;
    let mut files = session.state.projects.on_disk();
    let summary = |it: &Snapshot| Some(Arc::clone(it.included_file()?.summary()));
    files.extend(of_open_files(session, LIST_POLICIES, summary).await);
    let state = Arc::clone(&session.state);
    // The projects may have to be built.
    let work = move || serde_json::to_value(listed_policies(&state, &files, encoding)).ok();
    let lane = Lane::Request;
    let listed = session.workers.run(lane, LIST_POLICIES, 0, || true, work);
    match listed.await {
        Ok(listed) => Ok(listed),
        Err(stopped) => Err(session.report(stopped).await),
    }
}

fn listed_policies(state: &State, files: &Summaries, encoding: Encoding) -> Vec<Listed<Bindings>> {
    let projects = state.documents.projects();
    let policies = files.values().flat_map(|file| {
        if file.policies.is_empty() {
            return Vec::new();
        }
        let project = projects.project(&file.file, None);
        // Those of the project may be of older texts.
        let files = project
            .files()
            .iter()
            .map(|it| files.get(&*it.file).unwrap_or(it));
        let files: Vec<&FileSummary> = files.map(|it| &**it).collect();
        let policies = file.policies.iter();
        policies
            .filter_map(|policy| listed_policy(policy, &files, encoding))
            .collect()
    });
    policies.take(MAX_POLICIES).collect()
}

fn listed_policy(
    policy: &PolicySummary,
    files: &[&FileSummary],
    encoding: Encoding,
) -> Option<Listed<Bindings>> {
    let name = policy.name.clone()?;
    let bindings = files
        .iter()
        .flat_map(|file| &file.bindings)
        .filter(|it| it.kind == policy.binding_kind() && it.policy.as_ref() == Some(&name))
        .filter_map(|binding| {
            Some(Listed {
                kind: binding.kind.to_string(),
                name: binding.name.clone()?,
                location: to_lsp::elsewhere(&binding.location, encoding)?,
                children: Parameters {
                    parameters: parameters(policy, binding, files),
                },
            })
        });
    Some(Listed {
        kind: policy.kind.to_string(),
        location: to_lsp::elsewhere(&policy.location, encoding)?,
        children: Bindings {
            bindings: bindings.collect(),
        },
        name,
    })
}

fn parameters(
    policy: &PolicySummary,
    binding: &BindingSummary,
    files: &[&FileSummary],
) -> Vec<Parameter> {
    let kind = policy.spec.param_kind.as_ref();
    let kind = kind.and_then(|it| it.kind.as_ref());
    let reference = binding.spec.param_ref.as_ref();
    let name = reference.and_then(|it| it.name.as_ref());
    let Some((kind, name)) = kind.zip(name) else {
        return Vec::new();
    };
    let namespace = reference.and_then(|it| it.namespace.as_ref());
    // A manifest may leave its namespace to the command that applies it.
    let is_in =
        |of_object: &str| of_object.is_empty() || namespace.is_none_or(|it| *it.text == *of_object);
    let found = files.iter().flat_map(|file| {
        let objects = file
            .objects
            .iter()
            .filter(|it| *it.kind == *kind.text && *it.name == *name.text && is_in(&it.namespace));
        objects.filter_map(|it| {
            Some(Parameter {
                kind: it.kind.clone(),
                name: it.name.clone(),
                namespace: it.namespace.clone(),
                uri: file_uri(&file.file)?,
            })
        })
    });
    found.collect()
}

fn file_uri(path: &Path) -> Option<lsp::Uri> {
    path.is_absolute()
        .then(|| lsp::Uri::from_file_path(path))
        .flatten()
}
