//! The symbols of a file that are found from everywhere in the workspace.

use super::location::Location;
use crate::document_symbols::{self, Symbol, SymbolKind};
use policy::ParsedFile;
use std::path::Path;
use std::sync::Arc;

/// Limit: symbols of a file. A response to a search has no more.
const MAX_SYMBOLS: usize = 1_000;

/// A policy, a binding, a webhook configuration, a definition, or an entry of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolSummary {
    /// Its name. That of a rule is the property that it validates, such as `spec.ports[]`.
    pub name: String,
    /// The kind.
    pub kind: SymbolKind,
    /// The kind of a whole document; for an entry, the name of what it is in.
    pub container: String,
    /// The place of the name.
    pub location: Location,
}

/// The symbols of a file, in its order. All are equal: other files read none of them, so a change
/// does not concern these.
#[derive(Clone, Debug, Default)]
pub struct Symbols(pub Vec<SymbolSummary>);

impl PartialEq for Symbols {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Symbols {}

impl Symbols {
    /// Returns the symbols of a file that is known as `file`.
    #[must_use]
    pub fn new(file: &Arc<Path>, source: &ParsedFile) -> Self {
        let mut symbols = Self::default();
        let location = |symbol: &Symbol| Location::new(file, source, symbol.selection);
        for document in source.policies() {
            let outline = document_symbols::document(document);
            symbols.add_symbol(document.kind().as_str(), &outline, &location);
        }
        symbols
    }

    fn add_symbol(
        &mut self,
        container: &str,
        symbol: &Symbol,
        location: &impl Fn(&Symbol) -> Location,
    ) {
        if self.0.len() == MAX_SYMBOLS {
            return;
        }
        if symbol.is_searched && is_literal_name(&symbol.name) {
            self.0.push(SymbolSummary {
                name: symbol.name.clone(),
                kind: symbol.kind,
                container: container.to_owned(),
                location: location(symbol),
            });
        }
        // A group, such as `validations`, has no name of its own.
        let has_name = symbol.is_searched || symbol.kind == SymbolKind::Document;
        let container = if has_name { &symbol.name } else { container };
        for child in &symbol.children {
            self.add_symbol(container, child, location);
        }
    }
}

/// Returns whether a name is in the file as the server will see it.
pub(crate) fn is_literal_name(name: &str) -> bool {
    !name.is_empty() && !["{{", "${", "$("].iter().any(|it| name.contains(it))
}
