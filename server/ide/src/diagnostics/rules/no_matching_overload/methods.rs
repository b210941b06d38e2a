//! Methods instead of operators: quantities and versions have `isLessThan()` instead of `<`.
//!
//! Only the standard types have operators. The types of Kubernetes' libraries are compared and
//! added by methods, which authors rarely expect.

use crate::diagnostics::document_facts::DocumentFacts;
use crate::diagnostics::guard::edits;
use cel::Type;
use cel::env::Env;
use cel::syntax::{Ast, ExprId, ExprKind, Literal};
use policy::Expression;
use text::{Span, TextEdit};

/// The method that replaces an operator.
pub(super) struct Method<'a> {
    /// The operator, `<`.
    pub(super) operator: &'a str,
    /// The type that has the method instead.
    pub(super) ty: &'a Type,
    /// The method, `isLessThan`.
    pub(super) name: &'static str,
    /// The comparison of its result with a constant, for methods that return an order.
    test: &'static str,
}

impl<'a> Method<'a> {
    /// Returns the method equivalent to an operator on other types. `None` if the types of the
    /// operands have none.
    pub(super) fn new(env: &Env, function: &'a str, args: &'a [Type]) -> Option<Self> {
        let (name, test) = match function {
            "_<_" => ("isLessThan", ""),
            "_<=_" => ("compareTo", " <= 0"),
            "_>_" => ("isGreaterThan", ""),
            "_>=_" => ("compareTo", " >= 0"),
            // A string and a quantity are probably not meant to be added.
            "_+_" if !args.contains(&Type::String) => ("add", ""),
            "_-_" => ("sub", ""),
            _ => return None,
        };
        let has_method = |ty: &&Type| has_overload(env, name, true, &[ty, ty]);
        let ty = args.iter().find(has_method)?;
        Some(Self {
            operator: function.trim_matches('_'),
            ty,
            name,
            test,
        })
    }

    /// Returns the reason that the operator does not fit and the alternative, as a clause.
    pub(super) fn reason(&self) -> String {
        let Self {
            operator, ty, name, ..
        } = self;
        format!("`{operator}` does not support values of type `{ty}`. Use the method `{name}()`")
    }

    /// Returns the edits that replace the operator with the method. A string, a number or a value
    /// of an object is converted to the type. `None` if an operand has another type.
    pub(super) fn edits(
        &self,
        facts: &DocumentFacts<'_>,
        expression: &Expression,
        operation: ExprId,
        args: &[Type],
    ) -> Option<Vec<TextEdit>> {
        let ast = expression.ast();
        let ([left_type, right_type], ExprKind::Binary { left, right, .. }) =
            (args, ast.kind(operation))
        else {
            return None;
        };
        let (left_span, right_span) = (ast.span(*left), ast.span(*right));
        let between = Span::new(left_span.end(), right_span.start());
        // A comment between the operands would be lost.
        if ast.slice(between).trim() != self.operator {
            return None;
        }
        let env = facts.document.checked(expression)?.env();
        let receiver = self.operand(env, ast, *left, left_type)?;
        let argument = self.operand(env, ast, *right, right_type)?;
        let is_operation = matches!(
            ast.kind(*left),
            ExprKind::Binary { .. } | ExprKind::Conditional { .. } | ExprKind::Unary { .. }
        );
        let receiver = if is_operation {
            format!("({receiver})")
        } else {
            receiver
        };
        let call = format!("{receiver}.{}({argument}){}", self.name, self.test);
        edits(facts, expression, &[(ast.span(operation), call)])
    }

    /// Returns the source of an operand converted to the type.
    fn operand(&self, env: &Env, ast: &Ast, id: ExprId, ty: &Type) -> Option<String> {
        let source = ast.slice(ast.span(id));
        if ty == self.ty {
            return Some(source.to_owned());
        }
        let constructor = self.constructor(env)?;
        match (ty, ast.kind(id)) {
            // Values of objects never have the type: they are JSON.
            (Type::String | Type::Dyn, _) => Some(format!("{constructor}({source})")),
            (_, ExprKind::Literal(Literal::Int(_) | Literal::Double(_))) => {
                Some(format!("{constructor}('{source}')"))
            }
            _ => None,
        }
    }

    /// Returns the function that parses a string as a value of the type, `quantity`.
    fn constructor(&self, env: &Env) -> Option<&'static str> {
        let mut functions = env.functions();
        let found = functions.find(|function| {
            let mut overloads = function.overloads.iter();
            overloads.any(|it| {
                let is_global = !it.declaration.member;
                is_global && it.result == *self.ty && it.params == [Type::String]
            })
        });
        found.map(|function| function.name)
    }
}

/// Returns whether a function has an overload with these parameters.
fn has_overload(env: &Env, name: &str, member: bool, params: &[&Type]) -> bool {
    let overloads = env.function(name).map(|function| &function.overloads);
    overloads
        .into_iter()
        .flatten()
        .any(|it| it.declaration.member == member && it.params.iter().eq(params.iter().copied()))
}
