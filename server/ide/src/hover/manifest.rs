//! Hovers in the YAML around the expressions: the meaning of a field, and the kind that a
//! parameter has.

use super::{Hover, cost};
use crate::file::SourceFile;
use crate::kind_fields::{facts, type_text};
use crate::manifest_schema::{field, schema_of};
use crate::signature::{add_page, code};
use kubernetes::names::GroupVersion;
use policy::manifest::ParamKind;
use text::TextSize;
use yaml::{Entry, Node};

/// Returns the hover at an offset outside of the expressions.
pub(super) fn hover(file: &SourceFile, offset: TextSize) -> Option<Hover> {
    let mut documents = file.stream().documents();
    let document = documents.find(|it| it.range().contains_inclusive(offset))?;
    let (owner, entry) = entry_at(document.root()?, offset)?;
    let cost = cost::hover(file, offset);
    let on_key = entry.key.range().contains_inclusive(offset);
    let range = if on_key {
        entry.key.range()
    } else {
        entry.value.range()
    };
    let markdown = if on_key {
        of_key(file, owner, entry)
    } else {
        param_kind(file, owner, entry)
    };
    let markdown = match (markdown, cost) {
        (Some(markdown), Some(cost)) => format!("{}\n\n{markdown}", cost.markdown),
        (Some(markdown), None) => markdown,
        (None, cost) => return cost,
    };
    Some(Hover {
        range,
        part: None,
        markdown,
    })
}

/// Returns the innermost entry whose key or scalar value is at an offset, and its mapping.
fn entry_at(root: Node<'_>, offset: TextSize) -> Option<(Node<'_>, Entry<'_>)> {
    let mut at = root;
    loop {
        if let Some(mapping) = at.as_mapping() {
            let mut entries = mapping.entries();
            let entry = entries.find(|entry| {
                let parts = [entry.key, entry.value];
                parts.iter().any(|it| it.range().contains_inclusive(offset))
            })?;
            let is_key = entry.key.range().contains_inclusive(offset);
            if is_key || entry.value.as_scalar().is_some() {
                return Some((at, entry));
            }
            at = entry.value;
        } else {
            let mut items = at.as_sequence()?.items();
            at = items.find(|item| item.range().contains_inclusive(offset))?;
        }
    }
}

/// The meaning of a field, by the schema of its kind.
fn of_key(file: &SourceFile, owner: Node<'_>, entry: Entry<'_>) -> Option<String> {
    let catalog = file.project().kinds();
    let of = schema_of(catalog, owner)?;
    let name = entry.key.key_text();
    let schema = field(catalog, of, &name)?;
    let mut shown = code([format!("{name}: {}", type_text(schema))]);
    shown.push_str(&format!("\n\n{}", facts(schema, of.is_required(&name))));
    if let Some(description) = schema.description() {
        add_page(&mut shown, description, "");
    }
    Some(shown)
}

/// The kind that `paramKind` names, with its scope.
fn param_kind(file: &SourceFile, owner: Node<'_>, entry: Entry<'_>) -> Option<String> {
    let spec = owner.parent()?;
    let param_kind = ParamKind::read(spec)?;
    if param_kind.at.node != owner.id() || !matches!(entry.key.text(), "apiVersion" | "kind") {
        return None;
    }
    let (api_version, kind) = (param_kind.api_version(), param_kind.kind());
    let GroupVersion { group, version } = param_kind.group_version();
    let catalog = file.project().kinds();
    let resource = catalog.kind(group, version, kind)?;
    let scope = if resource.namespaced {
        "Namespaced: a binding selects objects of one namespace, or of the namespace of the request"
    } else {
        "Cluster-scoped: a binding must not set `paramRef.namespace`"
    };
    let mut shown = code([format!("{api_version}, Kind={kind}")]);
    shown.push_str(&format!("\n\n{scope}."));
    let description = catalog.schema(group, version, kind)?.description();
    if let Some(description) = description {
        add_page(&mut shown, description, "");
    }
    Some(shown)
}
