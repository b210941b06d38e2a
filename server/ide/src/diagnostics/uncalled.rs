//! Methods of optionals that are read like fields: `object.?metadata.hasValue`.
//!
//! CEL selects a field of that name from the value, so the result is another optional.

use super::Finding;
use super::document_facts::DocumentFacts;
use super::guard::edits;
use cel::Type;
use cel::syntax::{ExprId, ExprKind};
use policy::Expression;
use text::Span;

/// A method that is not called.
pub(super) struct Uncalled {
    /// Its name.
    name: String,
    /// The end of the name.
    end: u32,
}

impl Uncalled {
    /// Returns the method that a node reads like a field.
    pub(super) fn new(
        facts: &DocumentFacts<'_>,
        expression: &Expression,
        id: ExprId,
    ) -> Option<Self> {
        let ast = expression.ast();
        let ExprKind::Select {
            operand,
            field,
            optional: false,
            ..
        } = ast.kind(ast.unparenthesized(id))
        else {
            return None;
        };
        let ty = facts.document.checked(expression)?.type_of(*operand)?;
        let name = field.span.slice(ast.text());
        let is_method = matches!(ty, Type::Optional(_)) && matches!(name, "hasValue" | "value");
        is_method.then(|| Self {
            name: name.to_owned(),
            end: field.span.end(),
        })
    }

    /// Returns a finding with the advice to call the method.
    pub(super) fn advise(
        &self,
        finding: Finding,
        facts: &DocumentFacts<'_>,
        expression: &Expression,
    ) -> Finding {
        let name = &self.name;
        let finding = finding.advice(&format!("`{name}` is a method: write `{name}()`."));
        let call = (Span::empty(self.end), "()".to_owned());
        match edits(facts, expression, &[call]) {
            Some(edits) => finding.fix(format!("Call `{name}()`"), edits),
            None => finding,
        }
    }
}
