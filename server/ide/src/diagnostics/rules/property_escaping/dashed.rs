//! Names that CEL parses as arithmetic: `object.metadata.labels.app-name` is a subtraction.

use super::text;
use crate::diagnostics::Finding;
use crate::diagnostics::document_facts::DocumentFacts;
use kubernetes::names;
use policy::Expression;
use policy::environment::{self, Availability, RootType};
use text::Span;

/// A property whose name CEL parses as arithmetic.
pub(in crate::diagnostics) struct Dashed {
    /// The property without the dot before it: `app-name`.
    pub(super) property: Span,
    /// The name of the property in the object.
    name: String,
    /// The undefined identifier: `name`.
    ident: Span,
}

/// Returns the property that contains the undefined identifier `ident`.
pub(in crate::diagnostics) fn dashed(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    ident: Span,
) -> Option<Dashed> {
    let ast = expression.ast();
    let before = ast.text().get(..ident.start() as usize)?;
    let after = ast.text().get(ident.end() as usize..)?;
    if !before.ends_with(['-', '/']) {
        return None;
    }
    let is_part =
        |part: char| part.is_ascii_alphanumeric() || matches!(part, '_' | '.' | '-' | '/');
    let head = before.trim_end_matches(is_part);
    let tail = after.len() - after.trim_start_matches(is_part).len();
    let start = u32::try_from(head.len()).ok()?;
    let end = ident.end() + u32::try_from(tail).ok()?;
    let called = after.get(tail..)?.starts_with('(');
    let word = Span::new(start, end).slice(ast.text());
    let (root, _) = word.split_once('.')?;
    let known = environment::availability(facts.document, expression.role, root);
    // Variables have names that can be written after a dot, or none at all.
    if matches!(known, Availability::Root(root) if matches!(root.ty, RootType::Variables)) {
        return None;
    }
    if !matches!(known, Availability::Root(_)) && !is_bound(expression, root) {
        return None;
    }
    let property = property(word, called)?;
    let span = Span::new(
        start + u32::try_from(property.0).ok()?,
        start + u32::try_from(property.1).ok()?,
    );
    span.contains(ident).then(|| Dashed {
        property: span,
        name: span.slice(ast.text()).to_owned(),
        ident,
    })
}

/// Returns whether a macro of the expression declares a name.
fn is_bound(expression: &Expression, name: &str) -> bool {
    let ast = expression.ast();
    ast.macro_calls().any(|call| {
        let names = call
            .variables
            .iter()
            .filter_map(|it| ast.macro_variable(*it));
        names.into_iter().any(|bound| ast.name(bound) == name)
    })
}

/// Returns the bounds of the property in `word`: everything after `labels.` or `annotations.`,
/// whose keys contain dots, otherwise the part between two dots. `called` is true if the last name
/// of the word is a function.
fn property(word: &str, called: bool) -> Option<(usize, usize)> {
    let end = if called { word.rfind('.')? } else { word.len() };
    let chain = word.get(..end)?;
    for map in [".labels.", ".annotations."] {
        if let Some(at) = chain.find(map) {
            return Some((at + map.len(), end));
        }
    }
    let sign = chain.find(['-', '/'])?;
    let start = chain.get(..sign)?.rfind('.')? + 1;
    let last = chain.rfind(['-', '/'])?;
    let end = chain.get(last..)?.find('.').map_or(end, |dot| last + dot);
    Some((start, end))
}

impl Dashed {
    pub(super) fn finding(&self, facts: &DocumentFacts<'_>, expression: &Expression) -> Finding {
        let name = &self.name;
        let (right, advice) = if expression.role.schema().is_none() {
            let right = format!("[{}]", text(name));
            (
                Some(right.clone()),
                format!("Write `{right}` instead of the dot."),
            )
        } else {
            match names::escape(name) {
                Some(escaped) => (
                    Some(format!(".{escaped}")),
                    format!("Write `.{escaped}`, the escaped name."),
                ),
                None => (None, "Rules cannot access this property.".to_owned()),
            }
        };
        let ident = self.ident.slice(expression.text());
        let finding = Finding::new(
            facts.document.range(expression, self.property),
            format!("CEL parses `{name}` as arithmetic on several names. {advice}"),
        )
        .upstream(DocumentFacts::undeclared(ident));
        let from_dot = Span::new(self.property.start().saturating_sub(1), self.property.end());
        match right {
            Some(right) => facts.rename(finding, (expression, from_dot), &right),
            None => finding,
        }
    }
}
