//! Replaces a constant list in an expression with a parameter of the policy.
//!
//! A list of names or ports changes more often than the rule that uses it, and differs between
//! clusters. As a parameter, it is data that a binding selects. The policy keeps its decisions only
//! while the parameter has the same values, so the author must review the change.
//!
//! Without `paramKind`, the parameter is a ConfigMap, which every cluster supports and whose values
//! are strings. Otherwise, it is an existing list field of the parameter kind.

use super::create_binding::{binding, insert_after};
use super::{applied, is_worse, line_of, refactoring};
use crate::code_actions::{ActionKind, CodeAction};
use crate::file::SourceFile;
use crate::report::Safety;
use crate::target::Target;
use cel::syntax::{Ast, ExprId, ExprKind, Literal, has_identifier_form, is_reserved};
use kubernetes::names::GroupVersion;
use kubernetes::openapi::{Schema, SchemaType};
use policy::manifest::ParamKind;
use policy::{PolicyDocument, Role};
use text::{Span, TextEdit, TextRange, TextSize};
use yaml::edit::{quoted, replace_part, single_quoted, word};
use yaml::{Mapping, ScalarStyle};

/// The name of the parameter if the compared value has no name.
const DEFAULT_NAME: &str = "values";

/// The namespace of the ConfigMap. The author may change it.
const NAMESPACE: &str = "default";

/// Limit: parameter fields that are offered for one list.
const MAX_FIELDS: usize = 3;

/// A list of constants in an expression.
struct ConstantList {
    span: Span,
    /// The elements as strings.
    elements: Vec<String>,
    is_of_strings: bool,
}

/// Returns the actions for the list at the cursor.
pub(super) fn actions(file: &SourceFile, target: &Target<'_>) -> Vec<CodeAction> {
    let (ast, document) = (target.ast(), target.document);
    let reads_params = matches!(
        target.expression.role,
        Role::Variable { .. } | Role::Validation | Role::MessageExpression | Role::AuditAnnotation
    );
    let path = ast.path_at(target.offset).into_iter().rev();
    let mut lists = path.filter_map(|id| constant_list(ast, id).map(|list| (id, list)));
    let Some((id, list)) = lists.next().filter(|_| reads_params) else {
        return Vec::new();
    };
    let param_kind = document.policy().map(|it| it.param_kind.as_ref());
    match param_kind {
        Some(Some(kind)) => of_definition(file, target, &list, kind),
        Some(None) => with_config_map(file, target, &list, &name_of(ast, id))
            .into_iter()
            .collect(),
        None => Vec::new(),
    }
}

/// Reads a list of strings or of integers.
fn constant_list(ast: &Ast, id: ExprId) -> Option<ConstantList> {
    let ExprKind::List { elements } = ast.kind(id) else {
        return None;
    };
    let mut texts = Vec::new();
    let mut strings = 0;
    for element in elements {
        texts.push(match ast.kind(element.value) {
            ExprKind::Literal(Literal::String(text)) if !element.optional => {
                strings += 1;
                text.to_string()
            }
            ExprKind::Literal(Literal::Int(number)) if !element.optional => number.to_string(),
            _ => return None,
        });
    }
    let is_of_one_type = strings == 0 || strings == texts.len();
    (!texts.is_empty() && is_of_one_type).then(|| ConstantList {
        span: ast.span(id),
        elements: texts,
        is_of_strings: strings > 0,
    })
}

/// Returns a name for the list: the plural of the field that is compared with it.
fn name_of(ast: &Ast, list: ExprId) -> String {
    let searched = ast.ids().find_map(|id| match ast.kind(id) {
        ExprKind::Binary { left, right, .. } if *right == list => Some(*left),
        _ => None,
    });
    let field = searched.and_then(|id| match ast.kind(ast.unparenthesized(id)) {
        ExprKind::Select { field, .. } => Some(ast.name(*field)),
        ExprKind::Ident { name, .. } => Some(ast.name(*name)),
        _ => None,
    });
    match field.filter(|it| has_identifier_form(it) && !is_reserved(it)) {
        Some(field) if field.ends_with('s') => field.to_owned(),
        Some(field) => format!("{field}s"),
        None => DEFAULT_NAME.to_owned(),
    }
}

/// Returns the edits that replace the list, and all equal lists, with `value`.
fn replaced(target: &Target<'_>, list: &ConstantList, value: &str) -> Option<Vec<TextEdit>> {
    let (ast, scalar) = (target.ast(), target.scalar());
    let written = ast.slice(list.span);
    let equal = ast.ids().filter(|id| ast.slice(ast.span(*id)) == written);
    let mut spans: Vec<Span> = equal.map(|id| ast.span(id)).collect();
    spans.sort_by_cached_key(|span| span.start());
    spans.dedup();
    let edits = spans.iter().map(|it| replace_part(scalar, *it, value));
    if let Some(edits) = edits.collect() {
        return Some(edits);
    }
    // A value that a plain scalar cannot hold is quoted.
    let is_plain = scalar.style() == ScalarStyle::Plain;
    let range = scalar.range();
    is_plain.then(|| {
        let text = single_quoted(&target.text().replace(written, value));
        vec![TextEdit::replace(range, text)]
    })
}

/// Returns the actions that use list fields of the parameter kind.
fn of_definition(
    file: &SourceFile,
    target: &Target<'_>,
    list: &ConstantList,
    kind: &ParamKind,
) -> Vec<CodeAction> {
    let GroupVersion { group, version } = GroupVersion::parse(kind.api_version());
    let spec = file.project().kinds().schema(group, version, kind.kind());
    let Some(spec) = spec.and_then(|it| it.property("spec")) else {
        return Vec::new();
    };
    let wanted = if list.is_of_strings {
        SchemaType::String
    } else {
        SchemaType::Integer
    };
    let is_list = |it: Schema<'_>| it.items().is_some_and(|items| items.ty() == wanted);
    let fields = spec.properties().filter(|(_, it)| is_list(*it));
    let fields = fields.filter(|(name, _)| has_identifier_form(name) && !is_reserved(name));
    let actions = fields.filter_map(|(name, _)| {
        let values = [
            format!("params.spec.{name}"),
            format!("params.?spec.?{name}.orValue([])"),
        ];
        // The second value is for an object that may lack the field.
        let edits = values.iter().find_map(|value| {
            let edits = replaced(target, list, value)?;
            let after = applied(file, &edits)?;
            (!is_worse(file, &after)).then_some(edits)
        })?;
        Some(action(
            format!("Replace the list with `params.spec.{name}`"),
            edits,
        ))
    });
    actions.take(MAX_FIELDS).collect()
}

/// Returns the action that moves the list to a new ConfigMap.
fn with_config_map(
    file: &SourceFile,
    target: &Target<'_>,
    list: &ConstantList,
    key: &str,
) -> Option<CodeAction> {
    let policy = target.document;
    let name = policy.name().filter(|_| !policy.root().is_flow())?;
    let is_split = |it: &String| it.is_empty() || it.contains(',');
    let is_item = policy.root().parent().is_some();
    if list.elements.iter().any(is_split) || is_item || !file.project().is_whole() {
        return None;
    }
    let object = free_name(file, name);
    let value = split_value(list, key);
    let mut edits = replaced(target, list, &value)?;
    let spec = policy.spec()?.as_mapping()?;
    let kind = "paramKind:\n  apiVersion: v1\n  kind: ConfigMap";
    edits.push(first_entry(file, spec, kind)?);
    let reference = format!(
        "paramRef:\n  name: {}\n  namespace: {NAMESPACE}\n  parameterNotFoundAction: Deny",
        word(&object)
    );
    let mut documents = String::new();
    let bindings = bindings(file, policy, name)?;
    for binding in &bindings {
        let spec = binding.spec()?.as_mapping()?;
        edits.push(first_entry(file, spec, &reference)?);
    }
    if bindings.is_empty() {
        let reference = reference.replace('\n', "\n  ");
        let binding = binding(file, policy, name);
        documents = format!("\n---\n{}\n  {reference}", binding.trim_end());
    }
    documents.push_str(&format!(
        "\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {}\n  namespace: {NAMESPACE}\ndata:\n  {key}: {}",
        word(&object),
        quoted(&list.elements.join(","))
    ));
    edits.push(insert_after(file, policy, &documents)?);
    let after = applied(file, &edits)?;
    let title = format!("Replace the list with a parameter `{key}`");
    (!is_worse(file, &after)).then(|| action(title, edits))
}

fn action(title: String, edits: Vec<TextEdit>) -> CodeAction {
    CodeAction {
        safety: Safety::Unsafe,
        ..refactoring(title, ActionKind::Rewrite, edits)
    }
}

/// Returns the expression that reads the elements of a list from a key of a ConfigMap.
fn split_value(list: &ConstantList, key: &str) -> String {
    if list.is_of_strings {
        format!("params.data.{key}.split(',')")
    } else {
        format!("params.data.{key}.split(',').map(item, int(item))")
    }
}

/// Returns a name for the ConfigMap that is unused in the project.
fn free_name(file: &SourceFile, policy: &str) -> String {
    let objects = file.surroundings().objects("v1", "ConfigMap");
    let is_known = objects.iter().any(|it| it.name == policy);
    if is_known {
        format!("{policy}-params")
    } else {
        policy.to_owned()
    }
}

/// Returns the bindings of a policy. `None` if one is in another file, or cannot
/// refer to the parameter.
fn bindings<'f>(
    file: &'f SourceFile,
    policy: &PolicyDocument,
    name: &str,
) -> Option<Vec<&'f PolicyDocument>> {
    let surroundings = file.surroundings();
    let unnamed = surroundings.bindings_of(policy.kind(), None);
    let known = surroundings.bindings_of(policy.kind(), Some(name));
    if !unnamed.is_empty() || !known.iter().all(|it| surroundings.is_own(&it.location)) {
        return None;
    }
    let own = file.policies().iter().filter(|document| {
        let binding = surroundings.binding(document);
        binding.is_some_and(|it| known.iter().any(|known| known.location == it.location))
    });
    let own: Vec<&PolicyDocument> = own.map(|it| &**it).collect();
    let is_free = |it: &&PolicyDocument| it.binding().is_some_and(|it| it.param_ref.is_none());
    let can_refer = own.len() == known.len() && own.iter().all(is_free);
    can_refer.then_some(own)
}

/// Returns the edit that adds lines before the first entry of a block mapping.
fn first_entry(file: &SourceFile, mapping: Mapping<'_>, lines: &str) -> Option<TextEdit> {
    let first = mapping.entries().next()?;
    let (line, indent) = line_of(file, first.key, "")?;
    let end = file.editor().line_break();
    let text = lines.lines().map(|line| format!("{indent}{line}{end}"));
    let at = TextRange::at(line.start(), TextSize::new(0));
    Some(TextEdit::replace(at, text.collect::<String>()))
}

#[cfg(test)]
mod tests;
