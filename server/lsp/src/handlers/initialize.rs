//! `initialize` and `initialized`: the capabilities of both sides, and the workspace.

use crate::capabilities::{Capabilities, server};
use crate::client_process::ClientProcess;
use crate::convert::to_lsp;
use crate::events;
use crate::session::{Session, detach};
use crate::tasks::settings;
use std::sync::Arc;
use text::Encoding;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

const NAME: &str = "admissible";
const VERSION: &str = env!("CARGO_PKG_VERSION");

pub(crate) async fn initialize(
    session: &Arc<Session>,
    params: lsp::InitializeParams,
) -> Result<lsp::InitializeResult> {
    let folders = folders(&params);
    let capabilities = session
        .capabilities
        .get_or_init(|| Capabilities::new(&std::mem::take(&mut *session.sent_capabilities())));
    session.log.set_trace(params.trace.unwrap_or_default());
    settings::initialize(session, folders, params.initialization_options.as_ref()).await;
    if let Some(process) = params.process_id {
        watch_client(session, process);
    }
    Ok(lsp::InitializeResult {
        capabilities: server(capabilities, to_lsp::semantic_tokens_legend()),
        server_info: Some(lsp::ServerInfo {
            name: NAME.to_owned(),
            version: Some(VERSION.to_owned()),
        }),
        ..lsp::InitializeResult::default()
    })
}

pub(crate) async fn initialized(session: &Arc<Session>) {
    let capabilities = session.capabilities();
    let encoding = match capabilities.encoding {
        Encoding::Utf8 => "utf-8",
        Encoding::Utf16 => "utf-16",
        Encoding::Utf32 => "utf-32",
    };
    let pulls = capabilities.diagnostics.pull;
    let diagnostics = if pulls { "on request" } else { "pushed" };
    let line =
        format!("{NAME} {VERSION} is ready: positions in {encoding}, diagnostics {diagnostics}.");
    session.log.info(line).await;
    events::initialized(session);
}

/// Returns the folders of the workspace. Older clients only send one root.
#[expect(deprecated, reason = "older clients know nothing else")]
fn folders(params: &lsp::InitializeParams) -> Vec<lsp::WorkspaceFolder> {
    if let Some(folders) = &params.workspace_folders {
        return folders.clone();
    }
    let from_path = || lsp::Uri::from_file_path(params.root_path.as_ref()?);
    let root = params.root_uri.clone().or_else(from_path);
    let folder = root.map(|uri| lsp::WorkspaceFolder {
        name: uri.path().as_str().to_owned(),
        uri,
    });
    folder.into_iter().collect()
}

fn watch_client(session: &Arc<Session>, process: u32) {
    let Some(client) = ClientProcess::find(process) else {
        return;
    };
    let session = Arc::clone(session);
    detach(async move {
        tokio::select! {
            () = client.ended(session.client_check_interval) => session.end(),
            () = session.ended.cancelled() => {}
        }
    });
}
