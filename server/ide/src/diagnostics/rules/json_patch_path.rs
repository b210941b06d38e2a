#![doc = include_str!("json_patch_path.md")]

mod fault;

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::json_patches::{Operation, kinds, literals};
use crate::diagnostics::kind_problems::{is_guarded, names};
use crate::diagnostics::{Finding, RuleContext};
use crate::presence::{Pointer, Token};
use cel::syntax::{ExprId, ExprKind, Literal};
use fault::{Fault, PointerUse, fault};
use kubernetes::openapi::Schema;
use policy::typecheck::kinds::MatchedKind;
use text::Span;
use yaml::edit::replace_part;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let checks = context.file.kind_checks_of(facts.document);
        let kinds = checks.map(kinds).unwrap_or_default();
        for operation in literals(facts) {
            let pointers = [
                ("path", &operation.patch.path, path_use(operation.op())),
                ("from", &operation.patch.from, PointerUse::Reads),
            ];
            for (field, pointer, usage) in pointers {
                let Some(pointer) = pointer else { continue };
                let path_check = PathCheck {
                    facts,
                    operation,
                    kinds: &kinds,
                    field,
                    usage,
                };
                found.extend(path_check.finding(pointer));
            }
        }
    }
}

/// Returns how an operation uses its path.
fn path_use(op: Option<&str>) -> PointerUse {
    match op {
        Some("add" | "copy" | "move") => PointerUse::Adds,
        Some("remove" | "test" | "replace") => PointerUse::Reads,
        _ => PointerUse::Unknown,
    }
}

/// A path of an operation to check.
struct PathCheck<'a> {
    facts: &'a DocumentFacts<'a>,
    operation: Operation<'a>,
    kinds: &'a [(&'a MatchedKind, Schema<'a>)],
    field: &'static str,
    usage: PointerUse,
}

impl PathCheck<'_> {
    fn finding(&self, pointer: &Pointer) -> Option<Finding> {
        if !pointer.head.is_empty() {
            return self.without_slash(pointer);
        }
        let faults: Vec<(&MatchedKind, Fault)> = self
            .kinds
            .iter()
            .filter_map(|(kind, root)| Some((*kind, fault(*root, pointer, self.usage)?)))
            .collect();
        let (_, first) = faults.first()?;
        let is_certain = faults.len() == self.kinds.len();
        if !is_certain && is_guarded(self.operation.ast(), self.operation.id()) {
            return None;
        }
        let wrong: Vec<&MatchedKind> = faults.iter().map(|(kind, _)| *kind).collect();
        let message = first.message(&names(&wrong));
        let finding = Finding::new(self.range()?, message).certain(is_certain);
        Some(match first {
            Fault::Slash { key: Some(key), .. } => self.with_escape(finding, pointer, key),
            _ => finding,
        })
    }

    /// Returns the expression of the path.
    fn value(&self) -> Option<ExprId> {
        self.operation.field(self.field).map(|field| field.value)
    }

    fn range(&self) -> Option<text::TextRange> {
        let span = self.operation.ast().span(self.value()?);
        Some(self.facts.document.range(self.operation.expression, span))
    }

    /// Reports a path that does not begin with a slash: the API server ignores its first name.
    fn without_slash(&self, pointer: &Pointer) -> Option<Finding> {
        let rest = Pointer {
            head: String::new(),
            ..pointer.clone()
        };
        let is_somewhere = self.is_field(&rest);
        let effect = if is_somewhere {
            "the patch changes another field"
        } else {
            "the mutation fails"
        };
        let message = format!(
            "A path must begin with `/`. The API server ignores `{}`, so {effect}.",
            pointer.head
        );
        let finding = Finding::new(self.range()?, message).certain(!is_somewhere);
        let ast = self.operation.ast();
        let value = ast.unparenthesized(self.value()?);
        let first = first_literal(ast, value)?;
        let start = ast.span(first).start() + 1;
        let meant = self.without_dots(pointer).filter(|_| first == value);
        let (title, part, insert) = match meant {
            Some(meant) => {
                let whole = Span::new(start, ast.span(first).end() - 1);
                (format!("Write `{meant}`"), whole, meant)
            }
            None => {
                let title = "Begin the path with `/`".to_owned();
                (title, Span::new(start, start), "/".to_owned())
            }
        };
        let scalar = self.facts.document.node(self.operation.expression.node);
        let edit = replace_part(scalar.as_scalar()?, part, &insert);
        Some(match edit {
            Some(edit) => finding.fix(title, vec![edit]),
            None => finding,
        })
    }

    /// Returns whether a pointer leads to a field of all kinds.
    fn is_field(&self, pointer: &Pointer) -> bool {
        let mut roots = self.kinds.iter().map(|(_, root)| *root);
        !pointer.tokens.is_empty()
            && !self.kinds.is_empty()
            && roots.all(|root| fault(root, pointer, self.usage).is_none())
    }

    /// Returns the pointer to a field that is written like a selection: `spec.replicas`.
    fn without_dots(&self, pointer: &Pointer) -> Option<String> {
        let path = pointer.head.trim_start_matches(['$', '.']);
        let path = path.strip_prefix("object.").unwrap_or(path);
        let is_selection = *path != *pointer.head || path.contains('.');
        let is_constant = pointer.is_whole && pointer.tokens.is_empty();
        let token = |name: &str| Token {
            name: Some(name.to_owned()),
            term: None,
        };
        let meant = Pointer {
            head: String::new(),
            tokens: path.split('.').map(token).collect(),
            ..pointer.clone()
        };
        let is_meant = is_selection && is_constant && self.is_field(&meant);
        meant.text().filter(|_| is_meant)
    }

    /// Adds a fix that escapes the key at the end of the path.
    fn with_escape(&self, finding: Finding, pointer: &Pointer, key: &str) -> Finding {
        match self.escape(pointer, key) {
            Some((right, edit)) => finding.fix(format!("Write `{right}`"), vec![edit]),
            None => finding,
        }
    }

    fn escape(&self, pointer: &Pointer, key: &str) -> Option<(String, text::TextEdit)> {
        let (expression, last) = pointer.last?;
        if expression != self.operation.place.site.expression {
            return None;
        }
        let ast = self.operation.ast();
        let span = ast.span(last);
        let written = span.slice(ast.text());
        let quote = written.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
        let inner = written.strip_prefix(quote)?.strip_suffix(quote)?;
        let ExprKind::Literal(Literal::String(text)) = ast.kind(last) else {
            return None;
        };
        let escaped: Vec<String> = key.split('/').map(|part| part.replace('~', "~0")).collect();
        let before = inner.strip_suffix(escaped.join("/").as_str())?;
        if inner != &**text || inner.starts_with(quote) {
            return None;
        }
        let call = format!("jsonpatch.escapeKey({quote}{key}{quote})");
        let right = if before.is_empty() {
            call
        } else {
            format!("{quote}{before}{quote} + {call}")
        };
        let scalar = self.facts.document.node(self.operation.expression.node);
        let edit = replace_part(scalar.as_scalar()?, span, &right)?;
        Some((right, edit))
    }
}

/// Returns the literal at the beginning of a concatenation.
fn first_literal(ast: &cel::syntax::Ast, id: ExprId) -> Option<ExprId> {
    let mut at = ast.unparenthesized(id);
    loop {
        at = match ast.kind(at) {
            ExprKind::Binary { left, .. } => ast.unparenthesized(*left),
            ExprKind::Literal(Literal::String(_)) => {
                let written = ast.span(at).slice(ast.text());
                let is_short = written.starts_with(['\'', '"'])
                    && !written.starts_with("'''")
                    && !written.starts_with("\"\"\"");
                return is_short.then_some(at);
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests;
