//! Whether a type error also occurs at admission, where objects are plain JSON.
//!
//! There, bytes, timestamps and durations are strings, objects are maps, and lists may mix
//! types. The operation is compiled again with the types that its values have at admission.

use cel::Type;
use cel::check::{CheckErrorKind, check};
use cel::env::Env;
use cel::syntax::{Ast, BinaryOperator, ExprId, ExprKind, parse};
use policy::Problem;
use policy::typecheck::kinds::TypedChecked;

/// Returns whether the expression fails or always has the same result at admission.
pub(super) fn is_error(
    ast: &Ast,
    typed: TypedChecked<'_>,
    problem: &Problem,
    kind: &CheckErrorKind,
) -> bool {
    match kind {
        CheckErrorKind::NoMatchingOverload { function, args, .. } if **function == *CONDITIONAL => {
            args.first().is_some_and(is_never_bool)
        }
        CheckErrorKind::NoMatchingOverload { .. } => {
            fits(ast, typed, problem.expr).is_some_and(|fits| !fits)
        }
        // Elsewhere, values of several types are together, such as in a list.
        CheckErrorKind::TypeMismatch { expected, found } => {
            *expected == Type::Bool && is_condition(ast, problem.expr) && is_never_bool(found)
        }
        CheckErrorKind::Format { .. } => {
            // The error is at the element of the list of arguments.
            let call = ast.ids().find(|id| is_format(ast, *id, problem.expr));
            call.and_then(|call| fits(ast, typed, call)) == Some(false)
        }
        CheckErrorKind::NoFields { .. } => true,
        CheckErrorKind::NotARange { ty } => !matches!(ty, Type::Struct(_)),
        // They do not matter at admission, or are reported without types.
        CheckErrorKind::FailedResolution { .. }
        | CheckErrorKind::UndeclaredReference { .. }
        | CheckErrorKind::FieldTypeMismatch { .. }
        | CheckErrorKind::UndefinedField { .. }
        | CheckErrorKind::NotAType { .. }
        | CheckErrorKind::NotAMessageType { .. }
        | CheckErrorKind::InvalidArgument { .. }
        | CheckErrorKind::OptionalSyntax { .. }
        | CheckErrorKind::TooLarge => false,
    }
}

/// The function of a conditional, and of macros that select elements.
const CONDITIONAL: &str = "_?_:_";

/// Returns whether a node is an operand of `&&` or `||`, or the condition of a macro.
fn is_condition(ast: &Ast, id: ExprId) -> bool {
    ast.ids().any(|outer| match ast.kind(outer) {
        ExprKind::Binary {
            operator: BinaryOperator::And | BinaryOperator::Or,
            left,
            right,
            ..
        } => ast.unparenthesized(*left) == id || ast.unparenthesized(*right) == id,
        _ => ast.macro_call(outer).is_some_and(|call| {
            let mut body = call.body.iter();
            body.any(|part| ast.unparenthesized(*part) == id)
        }),
    })
}

/// Returns whether no value of a type is a boolean at admission.
fn is_never_bool(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Int
            | Type::Uint
            | Type::Double
            | Type::String
            | Type::Bytes
            | Type::Timestamp
            | Type::Duration
            | Type::List(_)
            | Type::Map(_)
            | Type::Struct(_)
    )
}

/// Returns whether a node is a call of `format()` with this element in its list of arguments.
fn is_format(ast: &Ast, id: ExprId, element: ExprId) -> bool {
    match ast.kind(id) {
        ExprKind::Call { function, args, .. } if ast.name(*function) == "format" => {
            let mut elements = args.iter().flat_map(|list| ast.children(*list));
            id == element || elements.any(|it| it == element)
        }
        _ => false,
    }
}

/// Returns whether an operation accepts the types of its operands at admission. `None` if the
/// node is not an operation on values.
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
    let children = ast.children(id).flat_map(|child| match ast.kind(child) {
        // The checks of `format()` depend on the elements.
        ExprKind::List { elements } => elements.iter().map(|it| it.value).collect(),
        _ => vec![child],
    });
    for (number, child) in children.enumerate() {
        let span = ast.span(child);
        let between = text::Span::new(at, span.start());
        text.push_str(ast.slice(between));
        // A constant is kept: `duration('1h')` parses it.
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

/// Returns the type of a value at admission. `is_json` is true for a part of an object, and false
/// for a computed value.
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
