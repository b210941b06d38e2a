//! Extracts a part of an expression to a variable of the policy.
//!
//! Variables are evaluated on first use, so guards of the part still protect it. A part that reads
//! the variable of a macro around it has no value outside the macro.

use super::{is_tested, line_of, refactoring};
use crate::code_actions::{ActionKind, CodeAction};
use crate::file::SourceFile;
use crate::target::Target;
use cel::syntax::{Ast, ExprId, ExprKind, has_identifier_form, is_reserved};
use policy::variables::Variables;
use policy::{Expression, Role};
use std::collections::BTreeSet;
use text::{Span, TextEdit};
use yaml::edit::{replace_part, single_quoted};

/// The name of the variable for a part without a field.
const DEFAULT_NAME: &str = "value";

/// Returns the action for the selected part, or for the part at the cursor.
pub(super) fn action(file: &SourceFile, target: &Target<'_>, selected: Span) -> Option<CodeAction> {
    let ast = target.ast();
    let (document, expression) = (target.document, target.expression);
    let allows_variables = matches!(
        expression.role,
        Role::Variable { .. } | Role::Validation | Role::MessageExpression | Role::AuditAnnotation
    );
    let id = part(ast, selected, target.offset).filter(|_| allows_variables)?;
    let text = ast.slice(ast.span(id));
    if text.contains('\n') || text.contains("//") || !can_extract(expression, id) {
        return None;
    }
    let variables = Variables::new(document);
    let name = free_name(&variables, &name_of(ast, id));
    let scalar = target.scalar();
    let insert = format!("variables.{name}");
    // Equal parts of the expression have the same value.
    let equal = ast.ids().filter(|it| ast.slice(ast.span(*it)) == text);
    let spans = equal.filter(|it| can_extract(expression, *it));
    let spans: BTreeSet<Span> = spans.map(|it| ast.span(it)).collect();
    let mut edits = spans
        .iter()
        .map(|span| replace_part(scalar, *span, &insert))
        .collect::<Option<Vec<TextEdit>>>()?;
    edits.insert(0, definition(file, target, &variables, &name, text)?);
    let title = format!("Extract to the variable `{name}`");
    Some(refactoring(title, ActionKind::Extract, edits))
}

/// Returns the selected node, or the smallest one at the cursor that is worth a name.
fn part(ast: &Ast, selected: Span, cursor: u32) -> Option<ExprId> {
    let is_simple =
        |id: ExprId| matches!(ast.kind(id), ExprKind::Ident { .. } | ExprKind::Literal(_));
    if selected.is_empty() {
        let mut path = ast.path_at(cursor).into_iter().rev();
        return path.find(|id| !is_simple(*id));
    }
    let text = ast.slice(selected);
    let blank = text.len() - text.trim_start().len();
    let start = selected.start() + u32::try_from(blank).ok()?;
    let wanted = Span::new(start, start + u32::try_from(text.trim().len()).ok()?);
    let mut ids = ast.ids();
    ids.find(|id| ast.span(*id) == wanted && !matches!(ast.kind(*id), ExprKind::Ident { .. }))
}

/// Returns whether a part has the same value as a variable.
fn can_extract(expression: &Expression, id: ExprId) -> bool {
    let ast = expression.ast();
    let outer = ast.bindings_at(ast.span(id).start());
    let is_whole_variable =
        matches!(expression.role, Role::Variable { .. }) && ast.unparenthesized(ast.root()) == id;
    let is_variable = matches!(ast.kind(id), ExprKind::Select { operand, .. }
        if matches!(ast.kind(*operand), ExprKind::Ident { name, .. } if ast.name(*name) == "variables"));
    let is_plain = ast
        .descendants(id)
        .all(|it| !matches!(ast.kind(it), ExprKind::Error(_) | ExprKind::Struct { .. }));
    let has_value = ast.idents(id, &[]) == ast.idents(id, &outer);
    let is_name = ast.ids().any(|call| match ast.kind(call) {
        // `sets` in `sets.contains()` is part of the function name.
        ExprKind::Call {
            target: Some(target),
            ..
        } => *target == id && ast.idents(id, &[]).is_empty(),
        _ => false,
    });
    is_plain
        && has_value
        && !is_optional(ast, id)
        && !is_name
        && !is_whole_variable
        && !is_variable
        && !is_tested(ast, id)
}

/// Returns whether a part is a chain with `?`, which also makes what follows it optional.
pub(super) fn is_optional(ast: &Ast, id: ExprId) -> bool {
    match ast.kind(id) {
        ExprKind::Select {
            operand, optional, ..
        }
        | ExprKind::Index {
            operand, optional, ..
        } => *optional || is_optional(ast, *operand),
        _ => false,
    }
}

/// Returns a name for a part: its last field.
fn name_of(ast: &Ast, id: ExprId) -> String {
    let name = match ast.kind(ast.unparenthesized(id)) {
        ExprKind::Select { field, .. } => ast.name(*field),
        ExprKind::Call {
            target: Some(target),
            ..
        } => return name_of(ast, *target),
        ExprKind::Index { operand, .. } => return name_of(ast, *operand),
        _ => DEFAULT_NAME,
    };
    if has_identifier_form(name) && !is_reserved(name) {
        name.to_owned()
    } else {
        DEFAULT_NAME.to_owned()
    }
}

fn free_name(variables: &Variables<'_>, name: &str) -> String {
    let names = std::iter::once(name.to_owned()).chain((2..).map(|n| format!("{name}{n}")));
    let is_free = |name: &String| {
        let mut known = variables.definitions.iter().filter_map(|it| it.name);
        !known.any(|known| known == name) && !variables.uses.iter().any(|it| it.name == name)
    };
    names.into_iter().find(is_free).unwrap_or_default()
}

/// Returns the edit that adds the variable, before the variable that uses it or at the end.
fn definition(
    file: &SourceFile,
    target: &Target<'_>,
    variables: &Variables<'_>,
    name: &str,
    text: &str,
) -> Option<TextEdit> {
    let (end, value) = (file.editor().line_break(), single_quoted(text));
    let item =
        |indent: &str| format!("{indent}- name: {name}{end}{indent}  expression: {value}{end}");
    if let Role::Variable { index } = target.expression.role {
        let definition = variables.definitions.get(index)?;
        let (start, indent) = line_of(file, definition.node, "-")?;
        return Some(TextEdit::insert(start.start(), item(indent)));
    }
    if let Some(last) = variables.definitions.last() {
        let (_, indent) = line_of(file, last.node, "-")?;
        let range = last.node.range();
        let written = file.slice(range).trim_end();
        let last = range.start() + text::TextSize::of(written);
        let line = file.line_index().line_range(file.line_index().line(last))?;
        let is_ended = file.slice(line).ends_with('\n');
        return is_ended.then(|| TextEdit::insert(line.end(), item(indent)));
    }
    // Before the list of the expression, which is a field of `spec`.
    let spec = target.document.spec()?;
    let has_variables = target.document.policy()?.variables_at.is_some();
    let node = target.document.node(target.expression.node);
    let mut fields = spec.as_mapping()?.entries();
    let list = fields.find(|it| it.value.range().contains_range(node.range()))?;
    let (line, indent) = line_of(file, list.key, "")?;
    let list = format!("{indent}variables:{end}{}", item(&format!("{indent}  ")));
    (!has_variables).then(|| TextEdit::insert(line.start(), list))
}
