//! The position of the cursor in an expression.
//!
//! It follows from the tokens before the cursor and not from the tree, which is unreliable in
//! half-written text.

use super::{object_types, strings, well_known};
use crate::file::SourceFile;
use crate::kind_fields::Kinds;
use crate::project::Project;
use crate::target::Target;
use admission::Resources;
use cel::Type;
use cel::env::Env;
use cel::syntax::{Ast, ExprId, ExprKind, Token, TokenKind, tokens};
use evaluation::samples::Sample;
use kubernetes::openapi::Catalog;
use kubernetes::{EnvironmentVersion, ServerVersion};
use policy::typecheck::Checked;
use std::collections::BTreeSet;
use text::Span;

/// Everything that a source of completions needs.
pub(super) struct Context<'a> {
    pub(super) target: &'a Target<'a>,
    pub(super) samples: &'a [Sample],
    pub(super) resources: &'a Resources,
    pub(super) project: &'a Project,
    /// The kinds of the project.
    pub(super) catalog: &'a Catalog,
    /// The kinds that the expression meets.
    pub(super) kinds: Option<Kinds<'a>>,
    /// The environment of the expression.
    pub(super) env: Env,
    checked: Option<&'a Checked>,
    pub(super) position: CursorPosition,
    /// The word at the cursor, which a completion replaces. Empty if there is none.
    pub(super) word: Span,
}

/// The position of the cursor in the expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum CursorPosition {
    /// A value.
    Start,
    /// A value of a field of an object literal.
    FieldStart {
        /// The name of the type of the object.
        type_name: String,
        /// The name of the field.
        field: String,
        /// Whether it is an element of the list that is the value.
        is_element: bool,
    },
    /// A key of a map that is the value of a field of an object literal.
    MapKey {
        /// The name of the type of the object.
        type_name: String,
        /// The name of the field.
        field: String,
        /// Whether the key is in quotes.
        is_quoted: bool,
    },
    /// A completion after a dot.
    Member {
        /// The receiver. `None` if it cannot be parsed.
        receiver: Option<ExprId>,
        /// The `.` or `.?`.
        operator: Span,
    },
    /// A string in brackets, or one that `in` searches.
    Key {
        /// The value before the brackets, or after `in`.
        operand: ExprId,
    },
    /// A string that is compared with a value.
    Compared {
        /// The value.
        with: ExprId,
    },
    /// A string as the value of a field of an object literal.
    FieldValue {
        /// The name of the type of the object.
        type_name: String,
        /// The name of the field.
        field: String,
    },
    /// A string as an argument of a function.
    Argument {
        /// The call, if it can be parsed.
        call: Option<ExprId>,
        /// The name of the function.
        function: String,
    },
    /// The name of a field of an object that is built.
    StructField {
        /// The name of its type.
        type_name: String,
    },
}

impl<'a> Context<'a> {
    /// `None` if there are no completions: in a comment, in a number, after a value.
    pub(super) fn new(
        file: &'a SourceFile,
        target: &'a Target<'a>,
        (samples, resources): (&'a [Sample], &'a Resources),
    ) -> Option<Self> {
        let before: Vec<Token> = tokens(target.text())
            .take_while(|token| token.span.start() < target.offset)
            .collect();
        let (position, word) = cursor_position(target, &before)?;
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

    /// The first server that takes what came with an environment, if the oldest server of
    /// the target does not.
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
        // A variable with dots that is the beginning of a half-written chain.
        let name = self.target.ast().qualified_name(id);
        let name = name.map(|name| name.join(self.target.ast()));
        let variable = name.and_then(|name| self.env.variable(&name).cloned());
        variable.unwrap_or(Type::Dyn)
    }

    /// Returns whether the objects of the policy are namespaces.
    pub(super) fn is_of_namespaces(&self) -> bool {
        let kinds = self.kinds.map_or(&[][..], Kinds::kinds);
        !kinds.is_empty() && kinds.iter().all(|kind| &*kind.name.kind == "Namespace")
    }

    /// Returns the keys of `metadata.labels` or `metadata.annotations` of the sample manifests: of
    /// namespaces, or of all others.
    pub(super) fn metadata_keys(&self, field: &str, of_namespaces: bool) -> BTreeSet<String> {
        let samples = self.samples.iter();
        let samples = samples.filter(|it| (it.kind == "Namespace") == of_namespaces);
        well_known::metadata_keys(samples, field)
    }

    /// Returns whether a value is a part of a namespace.
    pub(super) fn is_namespace(&self, id: ExprId) -> bool {
        let ast = self.target.ast();
        let mut first = ast.descendants(id);
        let root = first.find_map(|id| match ast.kind(id) {
            ExprKind::Ident { name, .. } => Some(ast.name(*name)),
            _ => None,
        });
        match root {
            Some("namespaceObject") => true,
            Some("object" | "oldObject") => self.is_of_namespaces(),
            _ => false,
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

    /// Returns whether the value at the cursor is negated: `!`.
    pub(super) fn is_negated(&self) -> bool {
        let before = self.target.text().get(..self.word.start() as usize);
        before.is_some_and(|it| it.trim_end().ends_with('!'))
    }

    /// Returns whether the value at the cursor is the argument of `has()`, which takes a field only.
    pub(super) fn is_presence_test(&self) -> bool {
        let before = self.target.text().get(..self.word.start() as usize);
        let before = before
            .and_then(|it| it.trim_end().strip_suffix('('))
            .and_then(|it| it.trim_end().strip_suffix("has"));
        let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '.');
        before.is_some_and(|it| !it.ends_with(is_name))
    }

    /// The type of the value before the dot.
    pub(super) fn receiver(&self) -> Option<(ExprId, Type)> {
        match self.position {
            CursorPosition::Member {
                receiver: Some(id), ..
            } => Some((id, self.type_of(id))),
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

fn cursor_position(target: &Target<'_>, before: &[Token]) -> Option<(CursorPosition, Span)> {
    let mut before = before;
    let mut word = Span::empty(target.offset);
    if let Some((last, rest)) = before.split_last() {
        let inside = last.span.end() > target.offset;
        let touches = target.touches && last.span.end() >= target.offset;
        match last.kind {
            TokenKind::Comment if touches => return None,
            TokenKind::Unterminated if touches => return strings::position(target, before, *last),
            TokenKind::String if inside => return strings::position(target, before, *last),
            TokenKind::Ident
            | TokenKind::In
            | TokenKind::True
            | TokenKind::False
            | TokenKind::Null
                if touches =>
            {
                word = last.span;
                before = rest;
            }
            _ if inside && !last.kind.is_trivia() => return None,
            _ => {}
        }
    }
    let significant: Vec<Token> = before
        .iter()
        .copied()
        .filter(|token| !token.kind.is_trivia())
        .collect();
    Some((after(target.ast(), &significant)?, word))
}

/// The place behind some tokens.
fn after(ast: &Ast, before: &[Token]) -> Option<CursorPosition> {
    let Some((last, rest)) = before.split_last() else {
        return Some(CursorPosition::Start);
    };
    match last.kind {
        TokenKind::Dot if rest.last().is_some_and(|token| ends_value(token.kind)) => {
            Some(member(ast, last.span))
        }
        TokenKind::Question
            if rest.last().is_some_and(|dot| {
                dot.kind == TokenKind::Dot && dot.span.end() == last.span.start()
            }) =>
        {
            let dot = rest.last()?.span;
            Some(member(ast, dot.cover(last.span)))
        }
        TokenKind::OpenBracket | TokenKind::OpenBrace | TokenKind::Comma | TokenKind::Question => {
            Some(in_literal(ast, before))
        }
        TokenKind::Colon => Some(match object_types::field_before(ast, rest) {
            Some((type_name, field)) => CursorPosition::FieldStart {
                type_name,
                field,
                is_element: false,
            },
            None => CursorPosition::Start,
        }),
        kind if ends_value(kind) => None,
        _ => Some(CursorPosition::Start),
    }
}

/// The place after a bracket, a comma or a question mark.
fn in_literal(ast: &Ast, before: &[Token]) -> CursorPosition {
    if let Some((type_name, field)) = object_types::list_field(ast, before) {
        return CursorPosition::FieldStart {
            type_name,
            field,
            is_element: true,
        };
    }
    match object_types::literal_type(ast, before) {
        Some(type_name) => CursorPosition::StructField { type_name },
        None => object_types::map_key(ast, before, false).unwrap_or(CursorPosition::Start),
    }
}

/// Returns whether a value can end with such a token, so that no other value can follow it.
const fn ends_value(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Ident
            | TokenKind::EscapedIdent
            | TokenKind::Int
            | TokenKind::Uint
            | TokenKind::Double
            | TokenKind::String
            | TokenKind::Bytes
            | TokenKind::Unterminated
            | TokenKind::True
            | TokenKind::False
            | TokenKind::Null
            | TokenKind::CloseBracket
            | TokenKind::CloseBrace
            | TokenKind::CloseParen
    )
}

fn member(ast: &Ast, operator: Span) -> CursorPosition {
    let receiver = ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Select {
            operand,
            operator: found,
            ..
        } if found.start() == operator.start() => Some(*operand),
        ExprKind::Call {
            target: Some(target),
            function,
            ..
        } => {
            let between = Span::new(ast.span(*target).end(), function.span.start());
            between.contains(operator).then_some(*target)
        }
        _ => None,
    });
    CursorPosition::Member { receiver, operator }
}
