//! Calls of a macro in another form, which CEL takes for calls of a function.

use cel::syntax::{Ast, ExprKind, MacroKind};
use text::Span;

/// The macros that take a variable.
const OF_LISTS: [MacroKind; 6] = [
    MacroKind::All,
    MacroKind::Exists,
    MacroKind::ExistsOne,
    MacroKind::Filter,
    MacroKind::Map,
    MacroKind::SortBy,
];

/// Returns the call of a macro at the span of its name, and its form. `None` if no macro has the
/// name.
pub(super) fn find(ast: &Ast, name: Span) -> Option<(Span, String)> {
    let (call, written, args) = ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Call { function, args, .. } if function.span == name => {
            Some((ast.span(id), ast.name(*function), args))
        }
        _ => None,
    })?;
    let call = Span::new(name.start(), call.end());
    let texts: Vec<&str> = args.iter().map(|arg| ast.slice(ast.span(*arg))).collect();
    if written == MacroKind::Has.name() {
        return Some((call, has(&texts)));
    }
    let kind = OF_LISTS.into_iter().find(|kind| kind.name() == written)?;
    let result = match kind {
        MacroKind::Map | MacroKind::SortBy => "value",
        _ => "condition",
    };
    let message = format!(
        "`{written}` takes a variable and a {result} that uses it: `list.{written}(x, {result})`."
    );
    Some((call, message))
}

/// Returns the form of `has()`.
fn has(args: &[&str]) -> String {
    let form = "`has` takes one field: `has(object.field)`.";
    // A map and a key, or a method with a key.
    match args.last() {
        Some(key) if key.starts_with(['\'', '"']) => {
            format!("{form} To test for a key of a map, write `{key} in map`.")
        }
        _ => form.to_owned(),
    }
}
