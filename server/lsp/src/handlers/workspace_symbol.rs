//! `workspace/symbol`: the policies and bindings of all files.

use crate::convert::to_lsp;
use crate::session::Session;
use ide::{FileSummary, Location};
use policy::Kind;
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
    let symbols = files.iter().flat_map(|file| symbols(file));
    let matching = symbols.filter(|(name, ..)| matches(name, &params.query));
    let found = matching
        .filter_map(|(name, kind, location)| {
            let location = to_lsp::elsewhere(location, encoding)?;
            Some(to_lsp::workspace_symbol(name, kind, location))
        })
        .take(MAX_SYMBOLS);
    Ok(Some(lsp::WorkspaceSymbolResponse::Flat(found.collect())))
}

fn symbols(file: &FileSummary) -> impl Iterator<Item = (&str, Kind, &Location)> {
    let policies = file.policies.iter();
    let policies = policies.filter_map(|it| Some((it.name.as_deref()?, it.kind, &it.location)));
    let bindings = file.bindings.iter();
    let bindings = bindings.filter_map(|it| Some((it.name.as_deref()?, it.kind, &it.location)));
    policies.chain(bindings)
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
