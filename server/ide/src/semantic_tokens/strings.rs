//! Strings with a meaning of their own: regular expressions and values of an enum.

use super::{Context, Meanings, SemanticModifier, SemanticModifiers, SemanticTokenKind, insert};
use crate::kind_fields::OPERATIONS;
use cel::Type;
use cel::syntax::{BinaryOperator, ExprId, ExprKind, Literal};

impl Context<'_> {
    pub(super) fn add_strings(&self, meanings: &mut Meanings) {
        for id in self.ast.ids() {
            match self.ast.kind(id) {
                ExprKind::Call { target, args, .. } => {
                    let args: Vec<ExprId> = target.iter().chain(args).copied().collect();
                    if let Some(regex) = self.regex_argument(id).and_then(|at| args.get(at)) {
                        self.mark(*regex, SemanticTokenKind::Regexp, meanings);
                    }
                }
                ExprKind::Binary {
                    operator: BinaryOperator::Equals | BinaryOperator::NotEquals,
                    left,
                    right,
                    ..
                } => {
                    self.mark_value(*left, *right, meanings);
                    self.mark_value(*right, *left, meanings);
                }
                ExprKind::Binary {
                    operator: BinaryOperator::In,
                    left,
                    right,
                    ..
                } => {
                    if let ExprKind::List { elements } = self.ast.kind(*right) {
                        for element in elements {
                            self.mark_value(*left, element.value, meanings);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Returns the index of the regular expression of a call, counted from the target.
    fn regex_argument(&self, id: ExprId) -> Option<usize> {
        let mut overloads = self.checked?.overloads(id);
        overloads.find_map(|overload| overload.function.regex_argument)
    }

    /// Marks a string that is compared with a value and is one of its allowed values.
    fn mark_value(&self, with: ExprId, id: ExprId, meanings: &mut Meanings) {
        if let ExprKind::Literal(Literal::String(text)) = self.ast.kind(id)
            && self.is_allowed(with, text)
        {
            self.mark(id, SemanticTokenKind::EnumMember, meanings);
        }
    }

    fn is_allowed(&self, with: ExprId, text: &str) -> bool {
        if self.is_operation(with) {
            return OPERATIONS.contains(&text);
        }
        let mut schemas = self.nodes.iter().flat_map(|nodes| nodes.schemas(with));
        schemas.any(|schema| schema.enum_values().any(|it| it.as_str() == Some(text)))
    }

    /// Returns whether a node is `request.operation`.
    fn is_operation(&self, id: ExprId) -> bool {
        let ExprKind::Select { operand, field, .. } = self.ast.kind(id) else {
            return false;
        };
        let of = self.checked.and_then(|checked| checked.type_of(*operand));
        let is_request = |ty: &Type| matches!(ty, Type::Struct(name) if &**name == "kubernetes.AdmissionRequest");
        self.ast.name(*field) == "operation" && of.is_some_and(is_request)
    }

    fn mark(&self, id: ExprId, kind: SemanticTokenKind, meanings: &mut Meanings) {
        if !matches!(self.ast.kind(id), ExprKind::Literal(Literal::String(_))) {
            return;
        }
        let is_value = kind == SemanticTokenKind::EnumMember;
        let modifiers = SemanticModifiers::default().with_if(is_value, SemanticModifier::Readonly);
        insert(meanings, self.ast.span(id), kind, modifiers);
    }
}
