//! Calls: functions, functions in a namespace, macros.

use super::infer::{Walk, undeclared};
use super::problem::ProblemKind;
use super::value::ValueType;
use crate::environment::{function, functions};
use crate::expression::Role;
use cel::syntax::{ExprId, ExprKind, IdentRole, MacroCall, MacroKind, Name};
use text::{Span, nearest};

impl<'d> Walk<'d, '_> {
    /// The result of the function `target.name`, if the two together are its name.
    pub(super) fn namespaced(&self, target: ExprId, name: Name) -> Option<Option<&'static str>> {
        let prefix = self.ast.qualified_name(target)?.join(self.ast);
        let found = function(&format!("{prefix}.{}", self.ast.name(name)))?;
        let everywhere = prefix != "jsonpatch";
        (everywhere || self.is_mutation()).then_some(found.result)
    }

    fn is_mutation(&self) -> bool {
        matches!(
            self.expression.role,
            Role::ApplyConfiguration | Role::JsonPatch
        )
    }

    pub(super) fn macro_result(&self, call: &MacroCall<'_>) -> ValueType<'d> {
        match call.kind {
            MacroKind::Has | MacroKind::All | MacroKind::Exists | MacroKind::ExistsOne => {
                ValueType::Named("bool")
            }
            MacroKind::Filter | MacroKind::SortBy => {
                match call.target.map(|target| self.ty(target)) {
                    Some(ty @ ValueType::Schema(..)) if ty.is_list() => ty,
                    _ => ValueType::Unknown,
                }
            }
            MacroKind::Map
            | MacroKind::OptMap
            | MacroKind::OptFlatMap
            | MacroKind::TransformList
            | MacroKind::TransformMap
            | MacroKind::TransformMapEntry => ValueType::Unknown,
        }
    }

    pub(super) fn call(
        &mut self,
        target: Option<ExprId>,
        name: Name,
        parens: Span,
    ) -> ValueType<'d> {
        if let Some(result) = target.and_then(|target| self.namespaced(target, name)) {
            return result.map_or(ValueType::Unknown, ValueType::Named);
        }
        let text = self.ast.name(name);
        if let Some(found) = function(text).filter(|_| !text.contains('.')) {
            return found.result.map_or(ValueType::Unknown, ValueType::Named);
        }
        self.fail(parens.start(), undeclared(text));
        let (written, span) = match target.and_then(|target| self.namespace(target)) {
            // The namespace is no mistake of its own.
            Some((namespace, span)) => {
                self.checked.problems.retain(|problem| problem.span != span);
                (format!("{namespace}.{text}"), span.cover(name.span))
            }
            None => (text.to_owned(), name.span),
        };
        let known = functions().iter().map(|function| function.name);
        let nearest = self
            .shared
            .suggest()
            .then(|| nearest(&written, known.chain(MACROS)));
        self.problem(
            span,
            ProblemKind::UndeclaredFunction {
                name: written,
                nearest: nearest.flatten(),
            },
        )
    }

    /// The namespace of functions that an identifier is.
    fn namespace(&self, target: ExprId) -> Option<(&'d str, Span)> {
        let ExprKind::Ident { name, .. } = self.ast.kind(target) else {
            return None;
        };
        let text = self.ast.name(*name);
        let free = self.idents.get(target.index()).copied().flatten() == Some(IdentRole::Free);
        let known = functions().iter().any(|function| {
            let prefix = function.name.split_once('.').map(|(prefix, _)| prefix);
            prefix == Some(text)
        });
        (free && known).then_some((text, name.span))
    }
}

/// The macros, for suggestions.
const MACROS: [&str; 12] = [
    MacroKind::Has.name(),
    MacroKind::All.name(),
    MacroKind::Exists.name(),
    MacroKind::ExistsOne.name(),
    MacroKind::Map.name(),
    MacroKind::Filter.name(),
    MacroKind::OptMap.name(),
    MacroKind::OptFlatMap.name(),
    MacroKind::SortBy.name(),
    MacroKind::TransformList.name(),
    MacroKind::TransformMap.name(),
    MacroKind::TransformMapEntry.name(),
];
