//! `workspace/symbol`: the named parts of the policies, bindings, webhook configurations and
//! definitions of all files, and the rules of properties. Those of open files come first.

use crate::convert::to_lsp;
use crate::session::Session;
use crate::workers::Lane;
use ide::Symbols;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

const TASK: &str = "workspace/symbol";

/// Limit: symbols in a response. A client shows the first and narrows the query.
const MAX_SYMBOLS: usize = 1_000;

pub(crate) async fn workspace_symbol(
    session: &Session,
    params: lsp::WorkspaceSymbolParams,
) -> Result<Option<lsp::WorkspaceSymbolResponse>> {
    let encoding = session.capabilities().encoding;
    let open = open_files(session).await;
    let on_disk = session.state.projects.on_disk();
    let on_disk = on_disk
        .iter()
        .filter(|(path, _)| !open.contains_key(*path))
        .map(|(_, file)| &file.symbols);
    let symbols = open.values().chain(on_disk).flat_map(|it| &it.0);
    let matching = symbols.filter(|symbol| matches(&symbol.name, &params.query));
    let found = matching.filter_map(|symbol| to_lsp::workspace_symbol(symbol, encoding));
    let found = found.take(MAX_SYMBOLS);
    Ok(Some(lsp::WorkspaceSymbolResponse::Flat(found.collect())))
}

/// Returns the symbols of the open files. Those of other files are in their summaries.
async fn open_files(session: &Session) -> BTreeMap<PathBuf, Symbols> {
    let mut files = BTreeMap::new();
    for snapshot in session.state.documents.snapshots() {
        let path = snapshot.path();
        let file = Arc::from(path.as_path());
        let work = session.analyze(Lane::Request, TASK, &snapshot, move |it| {
            (!it.is_excluded()).then(|| Symbols::new(&file, it.file()))
        });
        // Otherwise, such as after a close, the symbols on disk are shown.
        if let Ok(Some(symbols)) = work.await {
            files.insert(path, symbols);
        }
    }
    files
}

/// Returns whether a name has the letters of a query in their order, as clients match.
fn matches(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    let mut wanted = query.chars().filter(|it| !it.is_whitespace());
    wanted.all(|it| {
        it.to_lowercase()
            .all(|it| letters.any(|letter| letter == it))
    })
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn letters_match_in_their_order() {
        for query in ["", "rl", "RL", "limit", "replica limit"] {
            assert!(matches("replica-Limit", query), "{query}");
        }
        for query in ["lr", "limits", "x"] {
            assert!(!matches("replica-limit", query), "{query}");
        }
    }
}
