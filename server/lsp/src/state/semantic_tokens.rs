//! The semantic tokens that the client shows, so that only changes are sent.

use dashmap::DashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use tower_lsp_server::ls_types as lsp;

/// The numbers that the protocol has for one token.
const NUMBERS: usize = 5;

/// The last result of each document.
#[derive(Default)]
pub(crate) struct TokenResults {
    next: AtomicU64,
    last: DashMap<lsp::Uri, TokenResult>,
}

struct TokenResult {
    id: String,
    tokens: Vec<lsp::SemanticToken>,
}

impl TokenResults {
    /// Returns the tokens of a document with an identifier for later changes.
    pub(crate) fn full(
        &self,
        uri: &lsp::Uri,
        tokens: Vec<lsp::SemanticToken>,
    ) -> lsp::SemanticTokens {
        let id = self.next.fetch_add(1, Ordering::Relaxed).to_string();
        let result = TokenResult {
            id: id.clone(),
            tokens: tokens.clone(),
        };
        self.last.insert(uri.clone(), result);
        lsp::SemanticTokens {
            result_id: Some(id),
            data: tokens,
        }
    }

    /// Returns the changes since a result, or all tokens if the client shows another one.
    pub(crate) fn delta(
        &self,
        uri: &lsp::Uri,
        since: &str,
        tokens: Vec<lsp::SemanticToken>,
    ) -> lsp::SemanticTokensFullDeltaResult {
        let last = self.last.remove(uri).map(|(_, last)| last);
        let previous = last.filter(|last| last.id == since);
        let full = self.full(uri, tokens);
        match previous {
            None => full.into(),
            Some(previous) => lsp::SemanticTokensDelta {
                result_id: full.result_id,
                edits: edit(&previous.tokens, &full.data).into_iter().collect(),
            }
            .into(),
        }
    }

    /// Forgets a closed document.
    pub(crate) fn forget(&self, uri: &lsp::Uri) {
        self.last.remove(uri);
    }
}

/// Returns the edit between two lists: the part between their common start and their common
/// end.
fn edit(old: &[lsp::SemanticToken], new: &[lsp::SemanticToken]) -> Option<lsp::SemanticTokensEdit> {
    let same = |(old, new): &(&lsp::SemanticToken, &lsp::SemanticToken)| old == new;
    let start = old.iter().zip(new).take_while(same).count();
    let (old, new) = (old.get(start..)?, new.get(start..)?);
    let end = old.iter().rev().zip(new.iter().rev());
    let end = end.take_while(same).count();
    let deleted = old.len() - end;
    let inserted = new.get(..new.len() - end).unwrap_or_default();
    (deleted > 0 || !inserted.is_empty()).then(|| lsp::SemanticTokensEdit {
        start: numbers(start),
        delete_count: numbers(deleted),
        data: Some(inserted.to_vec()),
    })
}

fn numbers(tokens: usize) -> u32 {
    u32::try_from(tokens * NUMBERS).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn list(lengths: &[u32]) -> Vec<lsp::SemanticToken> {
        let token = |length: &u32| lsp::SemanticToken {
            length: *length,
            ..lsp::SemanticToken::default()
        };
        lengths.iter().map(token).collect()
    }

    proptest! {
        #[test]
        fn an_edit_leads_from_one_list_to_the_other(
            old in prop::collection::vec(0_u32..3, 0..9),
            new in prop::collection::vec(0_u32..3, 0..9),
        ) {
            let (mut old, new) = (list(&old), list(&new));
            match edit(&old, &new) {
                None => prop_assert_eq!(old, new),
                Some(edit) => {
                    let start = edit.start as usize / NUMBERS;
                    let end = start + edit.delete_count as usize / NUMBERS;
                    old.splice(start..end, edit.data.unwrap());
                    prop_assert_eq!(old, new);
                }
            }
        }
    }

    #[test]
    fn a_client_with_another_result_gets_all_tokens() {
        let uri: lsp::Uri = "file:///a.yaml".parse().unwrap();
        let results = TokenResults::default();
        let first = results.full(&uri, list(&[1, 2])).result_id.unwrap();
        let second = match results.delta(&uri, &first, list(&[1, 3, 2])) {
            lsp::SemanticTokensFullDeltaResult::TokensDelta(delta) => delta,
            other => panic!("{other:?}"),
        };
        let edit = &second.edits[0];
        assert_eq!((edit.start, edit.delete_count), (5, 0));
        assert_eq!(edit.data, Some(list(&[3])));
        let again = results.delta(&uri, &first, list(&[1]));
        assert!(matches!(
            again,
            lsp::SemanticTokensFullDeltaResult::Tokens(_)
        ));
        results.forget(&uri);
        assert!(results.last.is_empty());
    }
}
