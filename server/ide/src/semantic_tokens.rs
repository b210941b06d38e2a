//! Semantic tokens: the kinds of the tokens in expressions.
//!
//! The grammar of an editor cannot decide which fields of a manifest are CEL, how YAML has
//! escaped or folded it, or what a name refers to. Only expressions have tokens; the YAML
//! around them is left to the grammar.

mod names;
mod strings;

use crate::file::SourceFile;
use crate::kind_fields::{Kinds, NodeTypes};
use cel::env::Env;
use cel::syntax::{Ast, Token, TokenKind, tokens};
use policy::typecheck::Checked;
use policy::{Expression, PolicyDocument};
use std::collections::HashMap;
use text::{Span, TextRange};

/// A word of an expression. It does not contain the indentation of the following line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SemanticToken {
    /// The range.
    pub range: TextRange,
    /// The kind.
    pub kind: SemanticTokenKind,
    /// The modifiers.
    pub modifiers: SemanticModifiers,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemanticTokenKind {
    /// The first part of the name of a function: `sets`.
    Namespace,
    /// The name of a type.
    Type,
    /// A variable of a macro.
    Parameter,
    /// A variable of the API server, or of the policy.
    Variable,
    /// A field.
    Property,
    /// A string that is compared with a field, and is one of its allowed values.
    EnumMember,
    /// A function that is called by its name.
    Function,
    /// A function that is called on a value.
    Method,
    /// A macro.
    Macro,
    /// `true`, `false`, `null` and `in`.
    Keyword,
    /// A comment.
    Comment,
    /// A string or bytes.
    String,
    /// A number.
    Number,
    /// A regular expression.
    Regexp,
    /// An operator.
    Operator,
}

impl SemanticTokenKind {
    /// All kinds.
    pub const ALL: [Self; 15] = [
        Self::Namespace,
        Self::Type,
        Self::Parameter,
        Self::Variable,
        Self::Property,
        Self::EnumMember,
        Self::Function,
        Self::Method,
        Self::Macro,
        Self::Keyword,
        Self::Comment,
        Self::String,
        Self::Number,
        Self::Regexp,
        Self::Operator,
    ];
}

/// A modifier of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SemanticModifier {
    /// The place where a variable is declared.
    Declaration,
    /// A constant: `true`, or a value of an enum.
    Readonly,
    /// A field that the schema describes as deprecated.
    Deprecated,
    /// A name that CEL or the API server declares.
    DefaultLibrary,
    /// A variable that is never read.
    Unused,
}

impl SemanticModifier {
    /// All modifiers.
    pub const ALL: [Self; 5] = [
        Self::Declaration,
        Self::Readonly,
        Self::Deprecated,
        Self::DefaultLibrary,
        Self::Unused,
    ];
}

/// A set of modifiers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SemanticModifiers(u8);

impl SemanticModifiers {
    /// Returns whether the set contains a modifier.
    #[must_use]
    pub const fn contains(self, modifier: SemanticModifier) -> bool {
        self.0 & (1 << modifier as u8) != 0
    }

    const fn with(self, modifier: SemanticModifier) -> Self {
        Self(self.0 | (1 << modifier as u8))
    }

    /// Adds a modifier if a condition is met.
    const fn with_if(self, condition: bool, modifier: SemanticModifier) -> Self {
        if condition { self.with(modifier) } else { self }
    }
}

/// The kind and the modifiers of a token.
type Meaning = (SemanticTokenKind, SemanticModifiers);

/// The meanings of the tokens of an expression, by their start.
type Meanings = HashMap<u32, Meaning, foldhash::fast::RandomState>;

/// Returns the tokens of the expressions in a range, in the order of the file.
#[must_use]
pub fn semantic_tokens(file: &SourceFile, range: TextRange) -> Vec<SemanticToken> {
    let mut found = Vec::new();
    for document in file.policies() {
        for expression in document.expressions() {
            let node = document.node(expression.node);
            let place = node.range();
            if place.intersect(range).is_some() && !node.is_alias() {
                text::checkpoint::checkpoint();
                add(file, document, expression, &mut found);
            }
        }
    }
    found.retain(|token| token.range.intersect(range).is_some());
    found.sort_by_cached_key(|token| token.range.start());
    found
}

/// An expression with its analysis.
struct Context<'a> {
    expression: &'a Expression,
    ast: &'a Ast,
    checked: Option<&'a Checked>,
    env: Option<&'a Env>,
    /// The types of the nodes for the kinds of the document.
    nodes: Option<NodeTypes<'a>>,
}

fn add(
    file: &SourceFile,
    document: &PolicyDocument,
    expression: &Expression,
    found: &mut Vec<SemanticToken>,
) {
    let Some(scalar) = document.node(expression.node).as_scalar() else {
        return;
    };
    let checked = document.checked(expression);
    let context = Context {
        expression,
        ast: expression.ast(),
        checked,
        env: checked.map(Checked::env),
        nodes: Kinds::new(file, document, expression).map(Kinds::node_types),
    };
    let mut meanings = context.names();
    context.add_strings(&mut meanings);
    let map = scalar.source_map();
    for token in tokens(expression.text()) {
        let Some((kind, modifiers)) = meaning(token, &meanings) else {
            continue;
        };
        // A field may be written with an escape, and a string over several lines.
        let pieces = map.up_pieces(token.span);
        found.extend(pieces.map(|range| SemanticToken {
            range,
            kind,
            modifiers,
        }));
    }
}

/// Returns the meaning of a token. `None` for brackets, commas and dots, and for names without one.
fn meaning(token: Token, meanings: &Meanings) -> Option<Meaning> {
    if let Some(known) = meanings.get(&token.span.start()) {
        return Some(*known);
    }
    let none = SemanticModifiers::default();
    let kind = match token.kind {
        TokenKind::Comment => SemanticTokenKind::Comment,
        TokenKind::String | TokenKind::Bytes | TokenKind::Unterminated => SemanticTokenKind::String,
        TokenKind::Int | TokenKind::Uint | TokenKind::Double => SemanticTokenKind::Number,
        TokenKind::True | TokenKind::False | TokenKind::Null => {
            let constant = none.with(SemanticModifier::Readonly);
            return Some((SemanticTokenKind::Keyword, constant));
        }
        TokenKind::In => SemanticTokenKind::Keyword,
        kind if is_operator(kind) => SemanticTokenKind::Operator,
        _ => return None,
    };
    Some((kind, none))
}

/// Returns whether a token is an operator wherever it is. A colon is one only in a conditional.
const fn is_operator(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::EqualsEquals
            | TokenKind::NotEquals
            | TokenKind::Less
            | TokenKind::LessEquals
            | TokenKind::Greater
            | TokenKind::GreaterEquals
            | TokenKind::AmpersandAmpersand
            | TokenKind::BarBar
            | TokenKind::Minus
            | TokenKind::Exclamation
            | TokenKind::Question
            | TokenKind::Plus
            | TokenKind::Star
            | TokenKind::Slash
            | TokenKind::Percent
    )
}

fn insert(meanings: &mut Meanings, span: Span, kind: SemanticTokenKind, with: SemanticModifiers) {
    if !span.is_empty() {
        meanings.insert(span.start(), (kind, with));
    }
}

#[cfg(test)]
mod tests;
