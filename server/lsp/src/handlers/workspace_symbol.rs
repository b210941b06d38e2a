//! `workspace/symbol`: the named parts of the policies, bindings, webhook configurations and
//! definitions of all files, and the rules of properties. Those of open files come first.

use crate::convert::to_lsp;
use crate::handlers::other_files::of_open_files;
use crate::session::Session;
use crate::state::documents::Snapshot;
use ide::Symbols;
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
    let open = of_open_files(session, TASK, symbols_of).await;
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

/// Returns the symbols of an open file. Those of other files are in their summaries.
fn symbols_of(snapshot: &Snapshot) -> Option<Symbols> {
    Some(Symbols::new(
        &snapshot.path().into(),
        snapshot.included_file()?,
    ))
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
