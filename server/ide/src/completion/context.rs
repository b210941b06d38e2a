//! The shared input of all sources of completions in an expression: the cursor, the environment,
//! the kinds and the samples.

use super::position::CursorPosition;
use crate::file::SourceFile;
use crate::kind_fields::{Kinds, OPERATIONS, only};
use crate::project::Project;
use crate::target::Target;
use admission::Resources;
use cel::Type;
use cel::env::Env;
use cel::syntax::{ExprId, ExprKind, MacroKind};
use evaluation::samples::Sample;
use kubernetes::openapi::Catalog;
use kubernetes::{EnvironmentVersion, ServerVersion};
use policy::typecheck::Checked;
use text::Span;

/// The input of a source of completions.
pub(super) struct Context<'a> {
    pub(super) target: &'a Target<'a>,
    pub(super) samples: &'a [Sample],
    pub(super) resources: &'a Resources,
    pub(super) project: &'a Project,
    /// The kinds of the project.
    pub(super) catalog: &'a Catalog,
    /// The kinds that the expression is evaluated with.
    pub(super) kinds: Option<Kinds<'a>>,
    /// The environment of the expression.
    pub(super) env: Env,
    checked: Option<&'a Checked>,
    pub(super) position: CursorPosition,
    /// The word at the cursor, which a completion replaces. Empty if there is none.
    pub(super) word: Span,
}

impl<'a> Context<'a> {
    /// Creates the context. `None` in comments and numbers, and after a value.
    pub(super) fn new(
        file: &'a SourceFile,
        target: &'a Target<'a>,
        (samples, resources): (&'a [Sample], &'a Resources),
    ) -> Option<Self> {
        let (position, word) = CursorPosition::at(target)?;
        let checked = target.document.checked(target.expression);
        let env = match checked {
            Some(checked) => checked.env().clone(),
            None => policy::typecheck::env(target.document, target.expression.role),
        };
        Some(Self {
            target,
            samples,
            resources,
            project: file.project(),
            catalog: file.project().kinds(),
            kinds: Kinds::new(file, target.document, target.expression),
            env,
            checked,
            position,
            word,
        })
    }

    /// Returns the first server that supports an environment version, if the oldest server of the
    /// target does not.
    pub(super) fn later(&self, since: EnvironmentVersion) -> Option<ServerVersion> {
        let target = self.target.document.target();
        let is_later = target.is_chosen() && since > target.oldest_environment();
        is_later.then(|| since.first_server())
    }

    /// Returns the type of a node, `dyn` if unknown.
    pub(super) fn type_of(&self, id: ExprId) -> Type {
        if let Some(known) = self.checked.and_then(|checked| checked.type_of(id)) {
            return known.clone();
        }
        // A variable with dots at the beginning of a half-written chain.
        let name = self.target.ast().qualified_name(id);
        let name = name.map(|name| name.join(self.target.ast()));
        let variable = name.and_then(|name| self.env.variable(&name).cloned());
        variable.unwrap_or(Type::Dyn)
    }

    /// Returns whether a node is a field of a value of a type.
    pub(super) fn is_field_of(&self, id: ExprId, name: &str, type_name: &str) -> bool {
        let ast = self.target.ast();
        match ast.kind(ast.unparenthesized(id)) {
            ExprKind::Select { operand, field, .. } => {
                ast.name(*field) == name && self.type_of(*operand) == Type::object(type_name)
            }
            _ => false,
        }
    }

    /// Returns the kind of the objects of the policy. Empty if they are of several kinds.
    pub(super) fn object_kind(&self) -> &'a str {
        let kinds = self.kinds.map_or(&[][..], Kinds::kinds);
        only(kinds.iter().map(|kind| &*kind.name.kind)).unwrap_or_default()
    }

    /// Returns the operations that the rules of the policy or the webhook match. All of them if
    /// none is specified.
    pub(super) fn operations(&self) -> Vec<&'static str> {
        let document = self.target.document;
        let expression = document.node(self.target.expression.node).range();
        let mut webhooks = document.webhooks().iter();
        let webhook = webhooks.find(|it| it.at.range.contains_range(expression));
        let rules = match (document.policy(), webhook) {
            (Some(policy), _) => policy.rules(),
            (None, Some(webhook)) => &webhook.matching.rules,
            (None, None) => &[],
        };
        let is_matched = |operation: &str| rules.iter().any(|rule| rule.has_operation(operation));
        let mut operations = OPERATIONS.to_vec();
        if rules.iter().any(|rule| !rule.operations.is_empty()) {
            operations.retain(|operation| is_matched(operation));
        }
        operations
    }

    /// Returns the kind of the object that contains a value. Empty if it is unknown.
    pub(super) fn kind_of(&self, id: ExprId) -> &'a str {
        let ast = self.target.ast();
        let mut first = ast.descendants(id);
        let root = first.find_map(|id| match ast.kind(id) {
            ExprKind::Ident { name, .. } => Some(ast.name(*name)),
            _ => None,
        });
        match root {
            Some("namespaceObject") => "Namespace",
            Some("object" | "oldObject") => self.object_kind(),
            _ => "",
        }
    }

    /// Returns whether the cursor is at the result of the expression, or at an element of the
    /// list that is its result.
    pub(super) fn is_result(&self) -> bool {
        let before = self.target.text().get(..self.word.start() as usize);
        let before = before.unwrap_or_default().trim();
        self.position == CursorPosition::Start
            && (before.is_empty() || before.ends_with(['[', ',', '?', ':']))
    }

    /// Returns whether the cursor is in a macro over the elements of a list or a map.
    pub(super) fn is_in_macro(&self) -> bool {
        let ast = self.target.ast();
        let around = ast.path_at(self.target.offset);
        let mut calls = around.iter().filter_map(|id| ast.macro_call(*id));
        calls.any(|call| call.kind != MacroKind::Has)
    }

    /// Returns whether the value at the cursor is negated: `!`.
    pub(super) fn is_negated(&self) -> bool {
        let before = self.target.text().get(..self.word.start() as usize);
        before.is_some_and(|it| it.trim_end().ends_with('!'))
    }

    /// Returns whether the value at the cursor is the argument of `has()`.
    pub(super) fn is_presence_test(&self) -> bool {
        let before = self.target.text().get(..self.word.start() as usize);
        let before = before
            .and_then(|it| it.trim_end().strip_suffix('('))
            .and_then(|it| it.trim_end().strip_suffix("has"));
        let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '.');
        before.is_some_and(|it| !it.ends_with(is_name))
    }

    /// Returns whether the cursor is at a key in brackets without quotes.
    pub(super) fn is_bare_key(&self) -> bool {
        matches!(
            self.position,
            CursorPosition::Key {
                is_quoted: false,
                ..
            }
        )
    }

    /// Returns the value before the dot, or before that of a macro, and its type.
    pub(super) fn receiver(&self) -> Option<(ExprId, Type)> {
        match self.position {
            CursorPosition::Member {
                receiver: Some(id), ..
            }
            | CursorPosition::NewVariable { receiver: id, .. } => Some((id, self.type_of(id))),
            _ => None,
        }
    }

    /// Returns whether the word is already followed by a parenthesis.
    pub(super) fn before_parenthesis(&self) -> bool {
        let rest = Span::new(self.word.end(), u32::MAX).start() as usize;
        let rest = self.target.text().get(rest..).unwrap_or("");
        rest.trim_start().starts_with('(')
    }
}
