//! `workspace/symbol`: the named parts of the policies, bindings, webhook configurations and
//! definitions of all files, and the rules of properties.

use crate::convert::to_lsp;
use crate::session::Session;
use tower_lsp_server::jsonrpc::Result;
use tower_lsp_server::ls_types as lsp;

/// Limit: symbols in a response. A client shows the first and narrows the query.
const MAX_SYMBOLS: usize = 1_000;

pub(crate) fn workspace_symbol(
    session: &Session,
    params: &lsp::WorkspaceSymbolParams,
) -> Result<Option<lsp::WorkspaceSymbolResponse>> {
    let encoding = session.capabilities().encoding;
    let files = session.state.projects.summaries();
    let symbols = files.iter().flat_map(|file| &file.symbols.0);
    let matching = symbols.filter(|symbol| matches(&symbol.name, &params.query));
    let found = matching.filter_map(|symbol| to_lsp::workspace_symbol(symbol, encoding));
    let found = found.take(MAX_SYMBOLS);
    Ok(Some(lsp::WorkspaceSymbolResponse::Flat(found.collect())))
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
