//! Methods that are read like fields: `name.size`, `url.host`, `object.?metadata.hasValue`.
//!
//! Of an optional, CEL selects a field of that name from the value, so the result is another
//! optional.

use super::Finding;
use super::document_facts::DocumentFacts;
use super::guard::edits;
use cel::Type;
use cel::env::{DeclaredFunction, Env};
use cel::syntax::{ExprId, ExprKind};
use policy::Expression;
use text::Span;

/// Limit: the methods of a type that a message names.
const MAX_METHODS: usize = 4;

/// Returns the names of the methods of a type without arguments.
fn methods(env: &Env, ty: &Type) -> Vec<&'static str> {
    let is_method = |function: &&DeclaredFunction| {
        function.overloads.iter().any(|it| {
            let fits = |param: &Type| match (param, ty) {
                (Type::List(_), Type::List(_)) | (Type::Map(_), Type::Map(_)) => true,
                _ => param == ty,
            };
            it.declaration.member
                && it.exists(env.release())
                && matches!(&*it.params, [param] if fits(param))
        })
    };
    let mut names: Vec<_> = env
        .functions()
        .filter(is_method)
        .map(|it| it.name)
        .collect();
    names.sort_unstable();
    names
}

/// Returns the method that a field of a value was meant to be: `size` or `getHost` for `host`.
pub(super) fn meant(env: &Env, ty: &Type, field: &str) -> Option<&'static str> {
    let field = field.to_ascii_lowercase();
    let mut methods = methods(env, ty).into_iter();
    methods.find(|name| name.to_ascii_lowercase().trim_start_matches("get") == field)
}

/// Returns the methods of a type without fields, as a sentence that begins with a space.
pub(super) fn advice(env: &Env, ty: &Type, field: &str) -> String {
    if let Some(method) = meant(env, ty, field) {
        return format!(" Write `{method}()`, which is a method.");
    }
    let mut methods = methods(env, ty);
    methods.truncate(MAX_METHODS);
    let names: Vec<String> = methods.iter().map(|name| format!("`{name}()`")).collect();
    match &*names {
        [] => String::new(),
        names => format!(" It has methods such as {}.", names.join(", ")),
    }
}

/// Adds the fix that calls the method in place of a field.
pub(super) fn with_call(
    finding: Finding,
    facts: &DocumentFacts<'_>,
    (expression, field): (&Expression, Span),
    method: Option<&str>,
) -> Finding {
    let Some(method) = method else {
        return finding;
    };
    match edits(facts, expression, &[(field, format!("{method}()"))]) {
        Some(edits) => finding.fix(format!("Call `{method}()`"), edits),
        None => finding,
    }
}

/// A method that is not called.
pub(super) struct Uncalled {
    /// Its name.
    name: String,
    /// The end of the name.
    end: u32,
}

impl Uncalled {
    /// Returns the method that a node reads like a field.
    pub(super) fn new(
        facts: &DocumentFacts<'_>,
        expression: &Expression,
        id: ExprId,
    ) -> Option<Self> {
        let ast = expression.ast();
        let ExprKind::Select {
            operand,
            field,
            optional: false,
            ..
        } = ast.kind(ast.unparenthesized(id))
        else {
            return None;
        };
        let ty = facts.document.checked(expression)?.type_of(*operand)?;
        let name = field.span.slice(ast.text());
        let is_method = matches!(ty, Type::Optional(_)) && matches!(name, "hasValue" | "value");
        is_method.then(|| Self {
            name: name.to_owned(),
            end: field.span.end(),
        })
    }

    /// Returns a finding with the advice to call the method.
    pub(super) fn advise(
        &self,
        finding: Finding,
        facts: &DocumentFacts<'_>,
        expression: &Expression,
    ) -> Finding {
        let name = &self.name;
        let finding = finding.advice(&format!("`{name}` is a method: write `{name}()`."));
        let call = (Span::empty(self.end), "()".to_owned());
        match edits(facts, expression, &[call]) {
            Some(edits) => finding.fix(format!("Call `{name}()`"), edits),
            None => finding,
        }
    }
}
