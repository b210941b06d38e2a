//! Signature help: the signatures of the call around the cursor, and the fields of the object.
//!
//! The open bracket follows from the tokens before the cursor, since half-written text has no
//! reliable tree. The tree then gives the types of the receiver and of the arguments so far.

mod functions;
mod macros;
mod objects;

use crate::completion::{accepts, types_at_admission};
use crate::file::SourceFile;
use crate::kind_fields::Kinds;
use crate::target::Target;
use cel::Type;
use cel::env::Env;
use cel::syntax::{Ast, ExprId, ExprKind, Token, TokenKind, tokens};
use policy::typecheck::Checked;
use text::{Span, TextSize};

/// Signatures, one of which is active.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureHelp {
    /// The signatures.
    pub signatures: Vec<Signature>,
    /// The index of the active signature.
    pub active: usize,
}

/// A signature.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// The label, such as `string.startsWith(string) -> bool`.
    pub label: String,
    /// The documentation, in Markdown.
    pub documentation: Option<String>,
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The index of the parameter at the cursor. `None` if there are more arguments than
    /// parameters, or if no field is at the cursor.
    pub active_parameter: Option<usize>,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The range in the label.
    pub span: Span,
    /// The documentation, in Markdown.
    pub documentation: Option<String>,
}

/// Returns the signatures at an offset of the file. `chosen` is the label of the signature that the
/// user has selected; it stays active as long as it fits.
#[must_use]
pub fn signature_help(
    file: &SourceFile,
    offset: TextSize,
    chosen: Option<&str>,
) -> Option<SignatureHelp> {
    let target = Target::at(file, offset)?;
    let open = OpenBracket::before(&target)?;
    let checked = target.document.checked(target.expression);
    let context = Context {
        ast: target.ast(),
        target: &target,
        checked,
        env: match checked {
            Some(checked) => checked.env().clone(),
            None => policy::typecheck::env(target.document, target.expression.role),
        },
        kinds: Kinds::new(file, target.document, target.expression),
        open,
    };
    let help = context.help(chosen)?;
    (!help.signatures.is_empty()).then_some(help)
}

/// The open bracket of a call or an object.
#[derive(Clone, Copy, Debug)]
struct OpenBracket {
    /// The bracket.
    span: Span,
    /// The number of commas between the bracket and the cursor, without those inside other
    /// brackets.
    commas: usize,
    /// The end of the last of these commas, or of the bracket.
    segment: u32,
}

impl OpenBracket {
    /// Returns the innermost open bracket before the cursor that follows a name.
    fn before(target: &Target<'_>) -> Option<Self> {
        let before: Vec<Token> = tokens(target.text())
            .take_while(|token| token.span.end() <= target.offset)
            .filter(|token| !token.kind.is_trivia() && token.kind != TokenKind::End)
            .collect();
        let (mut depth, mut commas, mut segment) = (0_u32, 0, None);
        for (at, token) in before.iter().enumerate().rev() {
            match token.kind {
                TokenKind::CloseParen | TokenKind::CloseBrace | TokenKind::CloseBracket => {
                    depth += 1;
                }
                TokenKind::OpenParen | TokenKind::OpenBrace | TokenKind::OpenBracket
                    if depth > 0 =>
                {
                    depth -= 1;
                }
                TokenKind::Comma if depth == 0 => {
                    commas += 1;
                    segment = segment.or(Some(token.span.end()));
                }
                TokenKind::OpenParen | TokenKind::OpenBrace
                    if follows_name(before.get(..at).unwrap_or_default()) =>
                {
                    return Some(Self {
                        span: token.span,
                        commas,
                        segment: segment.unwrap_or(token.span.end()),
                    });
                }
                TokenKind::OpenParen | TokenKind::OpenBrace | TokenKind::OpenBracket => {
                    (commas, segment) = (0, None);
                }
                _ => {}
            }
        }
        None
    }
}

fn follows_name(before: &[Token]) -> bool {
    before
        .last()
        .is_some_and(|token| token.kind == TokenKind::Ident)
}

/// The state of one request.
struct Context<'t> {
    ast: &'t Ast,
    target: &'t Target<'t>,
    checked: Option<&'t Checked>,
    env: Env,
    kinds: Option<Kinds<'t>>,
    open: OpenBracket,
}

impl Context<'_> {
    fn help(&self, chosen: Option<&str>) -> Option<SignatureHelp> {
        let begins = |span: Span| span.start() == self.open.span.start();
        self.ast.ids().find_map(|id| match self.ast.kind(id) {
            ExprKind::Call {
                target,
                function,
                args,
                parens,
                ..
            } if begins(*parens) => {
                let name = self.ast.name(*function);
                let macros = self.macro_signatures(name, *target, args);
                macros.or_else(|| self.function_signatures(name, *target, args, chosen))
            }
            ExprKind::Struct {
                type_name, braces, ..
            } if begins(*braces) => {
                let names: Vec<&str> = type_name.iter().map(|it| self.ast.name(*it)).collect();
                self.object_signature(id, &names.join("."))
            }
            _ => None,
        })
    }

    /// Returns the types that a value can have at admission.
    fn types(&self, id: ExprId) -> Vec<Type> {
        let typed = self.kinds.and_then(|kinds| types_at_admission(kinds, id));
        typed.unwrap_or_else(|| {
            let ty = self.checked.and_then(|checked| checked.type_of(id));
            vec![ty.cloned().unwrap_or(Type::Dyn)]
        })
    }

    /// Returns whether a value can be of a type. One whose type is unknown can.
    fn fits(&self, wanted: &Type, id: ExprId) -> bool {
        let types = self.types(id);
        types.is_empty() || types.iter().any(|ty| accepts(wanted, ty))
    }
}

/// Returns the signature `before` `a, b` `after`, with the parameters.
fn signature(before: &str, parameters: &[String], after: &str) -> Signature {
    let mut label = before.to_owned();
    let mut spans = Vec::new();
    for (at, parameter) in parameters.iter().enumerate() {
        if at > 0 {
            label.push_str(", ");
        }
        let start = label.len();
        label.push_str(parameter);
        spans.push(Parameter {
            span: Span::new(offset(start), offset(label.len())),
            documentation: None,
        });
    }
    label.push_str(after);
    Signature {
        label,
        documentation: None,
        parameters: spans,
        active_parameter: None,
    }
}

fn offset(bytes: usize) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests;
