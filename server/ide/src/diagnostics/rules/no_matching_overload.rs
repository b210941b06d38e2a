#![doc = include_str!("no_matching_overload.md")]

mod membership;
mod methods;
mod string_field;

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::format_call::{from_sum, whole_sum};
use crate::diagnostics::guard::{Guard, edits, or_default, presence_test};
use crate::diagnostics::null_test::NullTest;
use crate::diagnostics::parents;
use crate::diagnostics::{Finding, RuleContext, literal_types};
use crate::signature;
use cel::Type;
use cel::check::CheckErrorKind;
use cel::env::{DeclaredOverload, Env};
use cel::syntax::{BinaryOperator, ExprId, ExprKind, Literal};
use methods::Method;
use policy::{Expression, Problem, ProblemKind};
use text::{Span, TextEdit, sentence};

/// Limit: overloads in one message.
const MAX_SIGNATURES: usize = 5;

pub(super) fn check(context: &RuleContext<'_>, found: &mut Vec<Finding>) {
    for facts in context.policies() {
        let problems = facts.problems();
        let findings = problems
            // The subtraction is unintended: to its author, `labels.app-name` is a name.
            .filter(|(expression, problem)| {
                let range = facts.document.range(expression, problem.span);
                !context.is_found_by(&["property-escaping"], range)
            })
            .filter_map(|(expression, problem)| finding(facts, expression, problem));
        found.extend(findings.take(context.max_findings()));
    }
}

fn finding(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    problem: &Problem,
) -> Option<Finding> {
    let ProblemKind::Other(kind) = &problem.kind else {
        return None;
    };
    match kind {
        CheckErrorKind::NoMatchingOverload {
            function,
            args,
            member,
        } => {
            let env = facts.document.checked(expression)?.env();
            let message = sentence(&reason(env, function, args, *member));
            let finding = facts.finding(expression, problem, message);
            Some(with_fix(
                facts,
                (expression, problem.expr),
                (function, args),
                finding,
            ))
        }
        CheckErrorKind::NotARange { ty } => {
            let message = format!(
                "A value of type `{ty}` cannot be iterated over. Macros such as `all` take a list \
                 or a map."
            );
            Some(facts.finding(expression, problem, message))
        }
        _ => None,
    }
}

/// Returns the reason that no overload matches, as a clause.
pub(super) fn reason(env: &Env, function: &str, args: &[Type], member: bool) -> String {
    if let ("_==_" | "_!=_", [ty, Type::Null] | [Type::Null, ty]) = (function, args) {
        return format!(
            "a value of type `{ty}` is never `null`. To test whether a field exists, use `has()`"
        );
    }
    if let Some(default) = missing_default(args).filter(|_| !member) {
        return format!("an optional is not a value. Add a default with `.orValue({default})`");
    }
    if let Some(reason) = string_field::reason(function, args) {
        return reason;
    }
    if let Some(reason) = of_operator(function, args) {
        return reason;
    }
    if let ("_==_" | "_!=_", [left, right]) = (function, args) {
        return format!("a value of type `{left}` cannot be compared with one of type `{right}`");
    }
    if let ("_?_:_", [condition, ..]) = (function, args)
        && !matches!(condition, Type::Bool | Type::Dyn)
    {
        return format!("a condition must be a `bool`, but this one is a `{condition}`");
    }
    if let Some(method) = Method::new(env, function, args) {
        return method.reason();
    }
    if let Some(reason) = membership::reason(function, args) {
        return reason.to_owned();
    }
    candidates(env, function, args, member)
}

/// Returns the reason for an operator with a likely intent.
fn of_operator(function: &str, args: &[Type]) -> Option<String> {
    match (function, args) {
        ("!_", [ty]) => Some(format!(
            "`!` negates a `bool`, not a `{ty}`. To test that two values differ, write `!=`"
        )),
        ("_==_" | "_!=_", [Type::Type(_), Type::String] | [Type::String, Type::Type(_)]) => Some(
            "a type is not a string. Write its name without quotes, as in `type(x) == map`"
                .to_owned(),
        ),
        ("_<_" | "_<=_" | "_>_" | "_>=_", [Type::String, other] | [other, Type::String]) => {
            let convert = conversion(other)?;
            Some(format!(
                "a `string` cannot be compared with a `{other}`. Convert it with `{convert}()`"
            ))
        }
        _ => None,
    }
}

/// Returns the function that converts a string to a type.
fn conversion(ty: &Type) -> Option<&'static str> {
    Some(match ty {
        Type::Duration => "duration",
        Type::Timestamp => "timestamp",
        _ => return None,
    })
}

/// Returns that no overload matches, with those that may be intended.
fn candidates(env: &Env, function: &str, args: &[Type], member: bool) -> String {
    let call = signature::call(function, args, member);
    let known = signatures(env, function, args, member);
    let mut shown: Vec<String> = known
        .iter()
        .take(MAX_SIGNATURES)
        .map(|overload| {
            let member = overload.declaration.member;
            format!("`{}`", signature::call(function, &overload.params, member))
        })
        .collect();
    shown.dedup();
    if known.len() > MAX_SIGNATURES {
        shown.push("…".to_owned());
    }
    if shown.is_empty() {
        format!("no overload matches `{call}`")
    } else {
        format!(
            "no overload matches `{call}`. Candidates: {}",
            shown.join(", ")
        )
    }
}

/// Returns the overloads that may be intended: those with a matching argument, otherwise those with
/// the same number of arguments, otherwise all.
fn signatures<'e>(
    env: &'e Env,
    function: &str,
    args: &[Type],
    member: bool,
) -> Vec<&'e DeclaredOverload> {
    let Some(function) = env.function(function) else {
        return Vec::new();
    };
    let overloads = function.overloads.iter();
    let all = || overloads.clone().filter(|it| it.exists(env.release()));
    let same_form = |it: &&DeclaredOverload| it.declaration.member == member;
    let as_many = |it: &&DeclaredOverload| same_form(it) && it.params.len() == args.len();
    let fits = |it: &&DeclaredOverload| {
        let mut pairs = it.params.iter().zip(args);
        as_many(it) && pairs.any(|(param, arg)| param == arg)
    };
    let found: Vec<_> = all().filter(fits).collect();
    if !found.is_empty() {
        return found;
    }
    let found: Vec<_> = all().filter(as_many).collect();
    if !found.is_empty() {
        return found;
    }
    all().collect()
}

/// Adds the fix that makes the operands fit: a method, a conversion or another literal.
pub(super) fn with_fix(
    facts: &DocumentFacts<'_>,
    (expression, operation): (&Expression, ExprId),
    (function, args): (&str, &[Type]),
    finding: Finding,
) -> Finding {
    let Some(checked) = facts.document.checked(expression) else {
        return finding;
    };
    if let Some(method) = Method::new(checked.env(), function, args) {
        let title = format!("Use `{}()`", method.name);
        return match method.edits(facts, expression, operation, args) {
            Some(edits) if args.contains(&Type::Dyn) => finding.unsafe_fix(title, edits),
            Some(edits) => finding.fix(title, edits),
            None => finding,
        };
    }
    if membership::reason(function, args).is_some() {
        let change = membership::change(expression.ast(), operation);
        let edits = change.and_then(|change| edits(facts, expression, &[change]));
        return finding.unsafe_fixes(edits.map(|edits| ("Use `in`".to_owned(), edits)));
    }
    let fix = with_default(facts, expression, operation, args)
        .or_else(|| string_field::fix(facts, expression, operation, (function, args)));
    if let Some((title, edits)) = fix {
        return finding.unsafe_fix(title, edits);
    }
    if let Some(test) = NullTest::new(expression.ast(), operation) {
        return with_presence(facts, expression, &test, finding);
    }
    match literal_types::conversion(facts, expression, operation, args) {
        Some((title, edits)) => finding.unsafe_fix(title, edits),
        None => with_string(facts, expression, operation, args, finding),
    }
}

/// Returns the default for an optional operand, by the type of the other one.
fn missing_default(args: &[Type]) -> Option<&'static str> {
    let ([Type::Optional(_), other] | [other, Type::Optional(_)]) = args else {
        return None;
    };
    Some(match other {
        Type::String => "''",
        Type::Int => "0",
        Type::Bool => "false",
        Type::List(_) => "[]",
        _ => return None,
    })
}

/// Returns the edits that add a default to an optional operand.
fn with_default(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    operation: ExprId,
    args: &[Type],
) -> Option<(String, Vec<TextEdit>)> {
    let default = missing_default(args)?;
    let ExprKind::Binary { left, right, .. } = expression.ast().kind(operation) else {
        return None;
    };
    let is_left = matches!(args, [Type::Optional(_), _]);
    let end = expression
        .ast()
        .span(if is_left { *left } else { *right })
        .end();
    let call = format!(".orValue({default})");
    let title = format!("Add `{call}`");
    let edits = edits(facts, expression, &[(Span::empty(end), call)])?;
    Some((title, edits))
}

/// Adds the fixes that test whether a field exists.
fn with_presence(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    test: &NullTest,
    finding: Finding,
) -> Finding {
    let ast = expression.ast();
    let is_variable = |id: ExprId| matches!(ast.kind(id), ExprKind::Ident { name, .. } if ast.name(*name) == "variables");
    let is_field = match ast.kind(test.operand) {
        ExprKind::Select { operand, .. } => !is_variable(*operand),
        ExprKind::Index { index, .. } => {
            matches!(ast.kind(*index), ExprKind::Literal(Literal::String(_)))
        }
        _ => false,
    };
    let guard = Guard::from_read(ast, test.operand).filter(|_| is_field);
    let Some(guard) = guard.filter(|it| !it.is_there.contains('\n')) else {
        return finding;
    };
    let fixes = [
        presence_test(facts.document, expression, test, &guard),
        or_default(facts.document, expression, test.operand, None),
    ];
    finding.unsafe_fixes(fixes.into_iter().flatten())
}

/// Adds a fix that puts `string(…)` around an operand that is concatenated with a string.
fn with_string(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    operation: ExprId,
    args: &[Type],
    finding: Finding,
) -> Finding {
    let ast = expression.ast();
    let ExprKind::Binary {
        left,
        right,
        operator: BinaryOperator::Add,
        ..
    } = ast.kind(operation)
    else {
        return finding;
    };
    let convertible = |ty: &Type| {
        matches!(
            ty,
            Type::Int | Type::Uint | Type::Double | Type::Bool | Type::Timestamp | Type::Duration
        )
    };
    let part: ExprId = match args {
        [Type::String, other] if convertible(other) => *right,
        [other, Type::String] if convertible(other) => *left,
        _ => return finding,
    };
    if expression.role.schema().is_some() {
        return with_format(facts, expression, operation, finding);
    }
    let span = ast.span(part);
    let insert = format!("string({})", ast.slice(span));
    match edits(facts, expression, &[(span, insert)]) {
        Some(edits) => finding.unsafe_fix("Convert to a string", edits),
        None => finding,
    }
}

/// Adds a fix that writes the whole concatenation as a call of `format()`, since `string()` in a
/// concatenation makes the estimated cost of a rule too high.
fn with_format(
    facts: &DocumentFacts<'_>,
    expression: &Expression,
    part: ExprId,
    finding: Finding,
) -> Finding {
    let ast = expression.ast();
    let parents = parents(ast);
    let sum = whole_sum(ast, &parents, part);
    let change = from_sum(ast, sum).map(|call| (ast.span(sum), call));
    match change.and_then(|change| edits(facts, expression, &[change])) {
        Some(edits) => finding.unsafe_fix("Use `format()`", edits),
        None => finding,
    }
}

#[cfg(test)]
mod tests;
