//! Names that CEL parses as arithmetic: `object.metadata.labels.app-name` is a subtraction.

use super::text;
use crate::diagnostics::Finding;
use crate::diagnostics::document_facts::DocumentFacts;
use cel::syntax::{SyntaxError, SyntaxErrorKind};
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
    /// The call of `has` with the property, if it is the argument of one.
    tested: Option<Span>,
}

/// Returns the property that a syntax error is about: one with a reserved word or `in` after the
/// dash, or the argument of `has`.
pub(in crate::diagnostics) fn in_error(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    error: &SyntaxError,
) -> Option<Dashed> {
    let ident = match error.kind {
        SyntaxErrorKind::Reserved { .. } => error.span,
        SyntaxErrorKind::ExpectedExpression { .. } => keyword(expression.text(), error.span)?,
        SyntaxErrorKind::HasArgument => {
            let argument = error.span.slice(expression.text());
            let from = u32::try_from(argument.find(['-', '/'])? + 1).ok()?;
            let at = error.span.start() + from;
            Span::new(at, at + 1)
        }
        _ => return None,
    };
    dashed(facts, expression, ident)
}

/// Returns the `in` after a dash without which no operand would be missing at `gap`: the operand of
/// the dash, or that of the operator `in`.
fn keyword(text: &str, gap: Span) -> Option<Span> {
    let before = text.get(..gap.start() as usize)?;
    let is_in = gap.slice(text) == "in" && before.ends_with(['-', '/']);
    let end = if is_in {
        gap.end()
    } else {
        u32::try_from(before.trim_end().len()).ok()?
    };
    let ident = Span::new(end.checked_sub(2)?, end);
    (ident.slice(text) == "in").then_some(ident)
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
        |part: char| part.is_ascii_alphanumeric() || matches!(part, '_' | '.' | '?' | '-' | '/');
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
        tested: tested(ast.text(), start, span.end()),
    })
}

/// Returns the call of `has` whose argument is the part from `start` to `end`.
fn tested(text: &str, start: u32, end: u32) -> Option<Span> {
    let before = text.get(..start as usize)?;
    let after = text.get(end as usize..)?;
    let from = before.trim_end().strip_suffix('(')?.trim_end();
    let from = from.strip_suffix("has")?.len();
    let to = after.len() - after.trim_start().strip_prefix(')')?.len();
    Some(Span::new(
        u32::try_from(from).ok()?,
        end + u32::try_from(to).ok()?,
    ))
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
    for map in ["labels.", "annotations."] {
        let at = chain.find(map).filter(|at| is_field(chain, *at));
        if let Some(at) = at {
            return Some((skip_mark(chain, at + map.len()), end));
        }
    }
    let sign = chain.find(['-', '/'])?;
    let start = skip_mark(chain, chain.get(..sign)?.rfind('.')? + 1);
    let last = chain.rfind(['-', '/'])?;
    let end = chain.get(last..)?.find('.').map_or(end, |dot| last + dot);
    Some((start, end))
}

/// Returns whether the name at `at` is the field of a value, as after `.` or `.?`.
fn is_field(chain: &str, at: usize) -> bool {
    let before = chain.get(..at).unwrap_or("");
    before.ends_with('.') || before.ends_with(".?")
}

/// Returns the place after the `?` of an optional selection, if there is one at `at`.
fn skip_mark(chain: &str, at: usize) -> usize {
    let is_optional = chain.get(at..).is_some_and(|rest| rest.starts_with('?'));
    at + usize::from(is_optional)
}

impl Dashed {
    /// Returns the finding about the property, without Kubernetes' message.
    pub(super) fn finding(&self, facts: &DocumentFacts<'_>, expression: &Expression) -> Finding {
        let name = &self.name;
        let (part, right) = self.replacement(expression);
        let advice = match &right {
            Some(right) if right.starts_with('.') => format!("Write `{right}`, the escaped name."),
            Some(right) if right.starts_with('[') => {
                format!("Write `{right}` instead of the dot.")
            }
            Some(right) => format!("Write `{right}` to test for the key."),
            None => "Rules cannot access this property.".to_owned(),
        };
        let arithmetic = match (name.contains('-'), name.contains('/')) {
            (true, false) => "a subtraction",
            (false, true) => "a division",
            _ => "arithmetic on several names",
        };
        let finding = Finding::new(
            facts.document.range(expression, self.property),
            format!("CEL parses `{name}` as {arithmetic}. {advice}"),
        );
        match right {
            Some(right) => facts.rename(finding, (expression, part), &right),
            None => finding,
        }
    }

    /// Returns the part of the expression to replace, and what to write instead.
    fn replacement(&self, expression: &Expression) -> (Span, Option<String>) {
        let (name, written) = (&self.name, expression.text());
        let before = Span::new(0, self.property.start()).slice(written);
        let (mark, dot) = match before.strip_suffix('?') {
            Some(_) => ("?", self.property.start().saturating_sub(2)),
            None => ("", self.property.start().saturating_sub(1)),
        };
        let from_dot = Span::new(dot, self.property.end());
        if expression.role.schema().is_some() {
            let escaped = names::escape(name);
            return (from_dot, escaped.map(|escaped| format!(".{mark}{escaped}")));
        }
        let key = text(name);
        // `has()` accepts only fields.
        let Some(tested) = self.tested else {
            return (from_dot, Some(format!("[{mark}{key}]")));
        };
        let call = tested.slice(written);
        let argument = call.find('(').map_or(0, |at| at + 1);
        let from = tested.start() + u32::try_from(argument).unwrap_or(0);
        let map = Span::new(from, dot).slice(written).trim();
        let test = format!("{key} in {map}");
        // `!` binds more strongly than `in`, and a plain scalar cannot begin with a quote.
        let before = Span::new(0, tested.start()).slice(written).trim_end();
        let is_apart = before.is_empty() || before.ends_with('!');
        let test = if is_apart { format!("({test})") } else { test };
        (tested, Some(test))
    }
}
