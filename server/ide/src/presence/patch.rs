//! The operations of a JSON patch, as far as they are constant.
//!
//! A path is often concatenated: `'/metadata/labels/' + jsonpatch.escapeKey('a/b')`. Its constant
//! parts are followed, including those in variables, up to the first non-constant part.

use super::analysis::{Analysis, Scope};
use super::term::{Constant, Root, TermId};
use cel::syntax::{BinaryOperator, ExprId, ExprKind, Field, Literal};
use std::sync::Arc;

/// A `JSONPatch{…}` literal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Patch {
    /// The value of `op`, if it is constant.
    pub(crate) op: Option<Arc<str>>,
    /// The pointer to the target.
    pub(crate) path: Option<Pointer>,
    /// The pointer to the source of a copy or a move.
    pub(crate) from: Option<Pointer>,
}

/// A JSON pointer, as far as it is constant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pointer {
    /// The part before the first `/`, which the API server ignores.
    pub(crate) head: String,
    /// The names after it.
    pub(crate) tokens: Vec<Token>,
    /// Whether the tokens are complete. Otherwise others can follow.
    pub(crate) is_whole: bool,
    /// The constant at its end: the index of the expression in the document, and the node.
    pub(crate) last: Option<(usize, ExprId)>,
}

/// A name in a JSON pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// The name without escapes. `None` if it is not constant.
    pub(crate) name: Option<String>,
    /// The value of the object at the pointer up to here. `None` after a name that is not constant.
    pub(crate) term: Option<TermId>,
}

impl Pointer {
    /// Returns the pointer as written, if it is constant as a whole.
    pub(crate) fn text(&self) -> Option<String> {
        self.is_whole.then(|| self.beginning(self.tokens.len()))?
    }

    /// Returns the first names as written, if they are constant.
    pub(crate) fn beginning(&self, length: usize) -> Option<String> {
        let names = self.tokens.iter().take(length).map(|it| it.name.as_deref());
        names
            .map(|name| Some(format!("/{}", escaped(name?))))
            .collect()
    }
}

/// Returns a name as escaped in a pointer.
fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// A part of a path.
enum Piece {
    /// A constant and its location.
    Text(Arc<str>, (usize, ExprId)),
    /// A non-constant name, or a part of one.
    Name,
    /// Any number of names.
    Unknown,
}

impl<'d> Analysis<'d> {
    /// Returns the constant parts of a literal of a JSON patch. `None` for a literal of another
    /// type.
    pub(super) fn patch(&mut self, scope: &Scope<'d>, id: ExprId) -> Option<Patch> {
        let ast = scope.ast();
        let ExprKind::Struct {
            type_name, fields, ..
        } = ast.kind(id)
        else {
            return None;
        };
        let [name] = &**type_name else {
            return None;
        };
        if ast.name(*name) != kubernetes::mutation::JSON_PATCH {
            return None;
        }
        let value = |name: &str| {
            let named = |field: &&Field| ast.name(field.name) == name && !field.optional;
            fields.iter().find(named).map(|field| field.value)
        };
        let op = value("op").map(|op| self.pieces(scope, op));
        let op = op.and_then(|pieces| match &*pieces {
            [Piece::Text(op, _)] => Some(Arc::clone(op)),
            _ => None,
        });
        let mut pointer = |name: &str| {
            let pieces = self.pieces(scope, value(name)?);
            self.pointer(&pieces)
        };
        Some(Patch {
            op,
            path: pointer("path"),
            from: pointer("from"),
        })
    }

    /// Returns the parts of a concatenated string.
    fn pieces(&mut self, scope: &Scope<'d>, id: ExprId) -> Vec<Piece> {
        let deeper = self.deeper(|this| this.pieces_of(scope, id));
        deeper.unwrap_or_else(|| vec![Piece::Unknown])
    }

    fn pieces_of(&mut self, scope: &Scope<'d>, id: ExprId) -> Vec<Piece> {
        let ast = scope.ast();
        let id = ast.unparenthesized(id);
        match ast.kind(id) {
            ExprKind::Literal(Literal::String(text)) => {
                vec![Piece::Text(Arc::from(&**text), (scope.index, id))]
            }
            ExprKind::Binary {
                operator: BinaryOperator::Add,
                left,
                right,
                ..
            } => {
                let mut pieces = self.pieces(scope, *left);
                pieces.extend(self.pieces(scope, *right));
                pieces
            }
            ExprKind::Select { .. } => match self.variable(scope, id) {
                Some(variable) => self.pieces(&variable, variable.ast().root()),
                None => vec![Piece::Unknown],
            },
            ExprKind::Call { .. } => self.pieces_of_call(scope, id),
            _ => vec![Piece::Unknown],
        }
    }

    fn pieces_of_call(&mut self, scope: &Scope<'d>, id: ExprId) -> Vec<Piece> {
        let ast = scope.ast();
        let ExprKind::Call {
            target,
            function,
            args,
            ..
        } = ast.kind(id)
        else {
            return vec![Piece::Unknown];
        };
        match (ast.name(*function), target, &**args) {
            ("escapeKey", Some(_), [key]) => {
                let pieces = self.pieces(scope, *key);
                let escaped = pieces.into_iter().map(|piece| match piece {
                    Piece::Text(text, _) => Piece::Text(escaped(&text).into(), (scope.index, id)),
                    Piece::Name | Piece::Unknown => Piece::Name,
                });
                escaped.collect()
            }
            // The index of an element.
            ("string", None, [inner]) if is_number(ast.kind(ast.unparenthesized(*inner))) => {
                vec![Piece::Name]
            }
            _ => vec![Piece::Unknown],
        }
    }

    /// Returns the pointer that consists of these parts. `None` if it is unknown as a whole.
    fn pointer(&mut self, pieces: &[Piece]) -> Option<Pointer> {
        if !matches!(pieces.first(), Some(Piece::Text(..))) {
            return None;
        }
        let mut pointer = Pointer {
            is_whole: true,
            ..Pointer::default()
        };
        let mut names: Vec<Option<String>> = vec![Some(String::new())];
        for piece in pieces {
            pointer.last = None;
            match piece {
                Piece::Text(text, place) => {
                    pointer.last = Some(*place);
                    let mut parts = text.split('/');
                    if let (Some(first), Some(Some(name))) = (parts.next(), names.last_mut()) {
                        name.push_str(first);
                    }
                    names.extend(parts.map(|part| Some(part.to_owned())));
                }
                Piece::Name => {
                    if let Some(name) = names.last_mut() {
                        *name = None;
                    }
                }
                Piece::Unknown => {
                    // The name may continue after the last known part.
                    names.pop();
                    pointer.is_whole = false;
                    break;
                }
            }
        }
        let mut names = names.into_iter();
        pointer.head = names.next().flatten().unwrap_or_default();
        pointer.tokens = self.tokens(names);
        Some(pointer)
    }

    fn tokens(&mut self, names: impl Iterator<Item = Option<String>>) -> Vec<Token> {
        let mut at = Some(self.terms.root(Root::Object));
        let token = names.map(|name| {
            let name = name.map(|name| name.replace("~1", "/").replace("~0", "~"));
            at = at.zip(name.as_deref()).map(|(of, name)| {
                let number = name.parse().ok().filter(|_| !name.starts_with(['+', '-']));
                match number {
                    Some(number) => {
                        let number = self.terms.constant(Constant::Int(number));
                        self.terms.index(of, number)
                    }
                    None => self.terms.field(of, name),
                }
            });
            Token { name, term: at }
        });
        token.collect()
    }
}

/// Returns whether the value of a node is a number, or a loop variable, which is a number if it is
/// used as an index.
fn is_number(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Ident { .. } | ExprKind::Binary { .. } | ExprKind::Literal(Literal::Int(_))
    )
}
