//! Whether a mistake of types is one at admission, where objects are plain JSON.
//!
//! Bytes, times and durations are texts there, objects are maps, and nothing asks whether
//! the elements of a list are alike. The operation is compiled again with the types that its
//! values really have.

use cel::Type;
use cel::check::{CheckErrorKind, check};
use cel::env::Env;
use cel::syntax::{Ast, ExprId, ExprKind, parse};
use policy::Problem;
use policy::typecheck::kinds::TypedChecked;

/// Whether it goes wrong, or is never true, when it runs.
pub(super) fn is_mistake(
    ast: &Ast,
    typed: TypedChecked<'_>,
    problem: &Problem,
    kind: &CheckErrorKind,
) -> bool {
    match kind {
        CheckErrorKind::NoMatchingOverload { .. } => {
            fits(ast, typed, problem.expr).is_some_and(|fits| !fits)
        }
        CheckErrorKind::NoFields { .. } => true,
        CheckErrorKind::NotARange { ty } => !matches!(ty, Type::Struct(_)),
        // Nobody asks for them when an expression runs, or they are told without types.
        CheckErrorKind::TypeMismatch { .. }
        | CheckErrorKind::FailedResolution { .. }
        | CheckErrorKind::UndeclaredReference { .. }
        | CheckErrorKind::FieldTypeMismatch { .. }
        | CheckErrorKind::UndefinedField { .. }
        | CheckErrorKind::NotAType { .. }
        | CheckErrorKind::NotAMessageType { .. }
        | CheckErrorKind::InvalidArgument { .. }
        | CheckErrorKind::Format { .. }
        | CheckErrorKind::OptionalSyntax { .. }
        | CheckErrorKind::TooLarge => false,
    }
}

/// Whether an operation takes the values that its operands have at admission. `None` for
/// what is no operation on values.
fn fits(ast: &Ast, typed: TypedChecked<'_>, id: ExprId) -> Option<bool> {
    let is_operation = match ast.kind(id) {
        ExprKind::Binary { .. } | ExprKind::Unary { .. } | ExprKind::Index { .. } => true,
        ExprKind::Call { .. } => ast.macro_call(id).is_none(),
        _ => false,
    };
    if !is_operation {
        return None;
    }
    let whole = ast.span(id);
    let mut text = String::new();
    let mut at = whole.start();
    let mut env = typed.checked().env().clone();
    for (number, child) in ast.children(id).enumerate() {
        let span = ast.span(child);
        let between = text::Span::new(at, span.start());
        text.push_str(ast.slice(between));
        // A constant stays what it is: `duration('1h')` looks at it.
        if let ExprKind::Literal(_) = ast.kind(child) {
            text.push_str(ast.slice(span));
        } else {
            let name = format!("value_{number}");
            env = with(env, &name, typed, child)?;
            text.push_str(&name);
        }
        at = span.end();
    }
    text.push_str(ast.slice(text::Span::new(at, whole.end())));
    let parsed = parse(&text);
    parsed.is_ok().then(|| check(&parsed.ast, &env).is_ok())
}

fn with(env: Env, name: &str, typed: TypedChecked<'_>, child: ExprId) -> Option<Env> {
    let known = typed.type_of(child)?;
    let is_json = typed.schema_of(child).is_some();
    Some(env.with_variable(name, at_admission(known, is_json)))
}

/// The type that a value has at admission. `is_json` says whether it is a part of an object,
/// and not calculated.
fn at_admission(ty: &Type, is_json: bool) -> Type {
    match ty {
        Type::Bytes | Type::Timestamp | Type::Duration if is_json => Type::String,
        Type::Struct(name) if !name.starts_with("kubernetes.") => {
            Type::map(Type::String, Type::Dyn)
        }
        Type::List(element) => Type::list(at_admission(element, true)),
        Type::Map(entry) => Type::map(entry.0.clone(), at_admission(&entry.1, true)),
        Type::Optional(value) => Type::optional(at_admission(value, is_json)),
        other => other.clone(),
    }
}
