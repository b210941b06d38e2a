//! The outline of a file.

use policy::manifest::{CrdVersion, List, StringField, Webhook};
use policy::{Expression, FieldStep, Kind, ParsedFile, PolicyDocument, Role};
use text::TextRange;
use yaml::{Entry, Node};

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// A whole policy, binding, webhook configuration or custom resource definition.
    Document,
    /// A group of entries, such as `validations`.
    Group,
    /// A variable.
    Variable,
    /// A deciding expression: a validation, a match condition, a rule, a mutation.
    Expression,
    /// An audit annotation.
    Annotation,
}

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name to show.
    pub name: String,
    /// Additional information, such as the kind of a document or the source of an expression.
    pub detail: Option<String>,
    /// The kind.
    pub kind: SymbolKind,
    /// The whole range.
    pub range: TextRange,
    /// The range of its name, inside `range`.
    pub selection: TextRange,
    /// Whether users search for it in the workspace: it has a name, or is the rule of a property.
    pub is_searched: bool,
    /// The children.
    pub children: Vec<Symbol>,
}

/// Returns the outline of the policies in a file, in the order of the file.
#[must_use]
pub fn document_symbols(file: &ParsedFile) -> Vec<Symbol> {
    file.policies().iter().map(|it| document(it)).collect()
}

/// Returns the outline of one policy, binding, webhook configuration or definition.
pub(crate) fn document(policy: &PolicyDocument) -> Symbol {
    let root = policy.root();
    let title = policy.name_node().or(policy.type_meta().kind);
    Symbol {
        name: policy
            .name()
            .filter(|name| !name.is_empty())
            .unwrap_or(policy.kind().as_str())
            .to_owned(),
        detail: Some(policy.kind().to_string()),
        kind: SymbolKind::Document,
        range: root.range(),
        selection: inside(root.range(), title.map(Node::range)),
        is_searched: policy.name_node().is_some(),
        children: match policy.kind() {
            Kind::ValidatingAdmissionPolicy | Kind::MutatingAdmissionPolicy => {
                policy.lists().map(group).collect()
            }
            Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
                webhooks(policy)
            }
            Kind::CustomResourceDefinition => versions(policy),
            Kind::ValidatingAdmissionPolicyBinding | Kind::MutatingAdmissionPolicyBinding => {
                Vec::new()
            }
        },
    }
}

/// Returns the symbol of a list whose entries have expressions.
fn group((list, entry): (&List, Entry<'_>)) -> Symbol {
    let entries = items(entry.value);
    Symbol {
        name: list.field.to_owned(),
        detail: None,
        kind: SymbolKind::Group,
        range: entry.key.range().cover(entry.value.range()),
        selection: entry.key.range(),
        is_searched: false,
        children: entries
            .map(|(index, item)| entry_symbol(list, index, item))
            .collect(),
    }
}

/// Returns the items of a list with their indexes, without empty ones.
fn items(list: Node<'_>) -> impl Iterator<Item = (usize, Node<'_>)> {
    let items = list
        .as_sequence()
        .into_iter()
        .flat_map(yaml::Sequence::items);
    items.enumerate().filter(|(_, item)| !item.is_null())
}

fn entry_symbol(list: &List, index: usize, item: Node<'_>) -> Symbol {
    let expression = list.expression(item);
    let shown = expression.and_then(|expression| first_line(expression.text()));
    let name = list.name(item);
    let named = name.filter(|name| !name.text().trim().is_empty());
    let (title, detail) = match (named, shown) {
        (Some(name), shown) => (name.text().to_owned(), shown),
        (None, Some(shown)) => (format!("[{index}] {shown}"), None),
        (None, None) => (format!("[{index}]"), None),
    };
    Symbol {
        name: title,
        detail,
        kind: match list.role() {
            Some(Role::Variable { .. }) => SymbolKind::Variable,
            Some(Role::AuditAnnotation) => SymbolKind::Annotation,
            _ => SymbolKind::Expression,
        },
        range: item.range(),
        selection: inside(item.range(), named.or(expression).map(Node::range)),
        is_searched: named.is_some(),
        children: Vec::new(),
    }
}

fn webhooks(policy: &PolicyDocument) -> Vec<Symbol> {
    let webhooks = policy.webhooks().iter().enumerate();
    let symbol = |(index, webhook): (usize, &Webhook)| {
        let node = policy.node(webhook.at.node);
        let lists = policy.webhook_lists(webhook).map(group);
        (!node.is_null()).then(|| Symbol {
            is_searched: webhook.name.is_some(),
            ..named_group(index, node, webhook.name.as_ref(), lists.collect())
        })
    };
    webhooks.filter_map(symbol).collect()
}

/// Returns a symbol for each version of a custom resource definition that has rules.
fn versions(policy: &PolicyDocument) -> Vec<Symbol> {
    let versions = policy.crd().into_iter().flat_map(|it| &it.versions);
    let symbol = |(index, version): (usize, &CrdVersion)| {
        let node = policy.node(version.at.node);
        let children: Vec<Symbol> = policy
            .expressions()
            .iter()
            .filter(|expression| matches!(expression.role, Role::CrdRule { .. }))
            .filter_map(|expression| rule(policy, expression, index))
            .filter(|rule| node.range().contains_range(rule.range))
            .collect();
        (!children.is_empty()).then(|| named_group(index, node, version.name.as_ref(), children))
    };
    versions.enumerate().filter_map(symbol).collect()
}

/// Returns the symbol of an entry with children.
fn named_group(
    index: usize,
    entry: Node<'_>,
    name: Option<&StringField>,
    children: Vec<Symbol>,
) -> Symbol {
    let name = name.filter(|name| !name.text.trim().is_empty());
    Symbol {
        name: name.map_or_else(|| format!("[{index}]"), |name| name.text.to_string()),
        detail: None,
        kind: SymbolKind::Group,
        range: entry.range(),
        selection: inside(entry.range(), name.map(|name| name.at.range)),
        is_searched: false,
        children,
    }
}

/// Returns the symbol of a rule of the version with the index `version`: the property that it
/// validates and its expression.
fn rule(policy: &PolicyDocument, expression: &Expression, version: usize) -> Option<Symbol> {
    let steps = expression.path.steps();
    let own = steps.get(policy.base().steps().len()..)?;
    // `spec.versions[0].schema.openAPIV3Schema` and the rest.
    let [_, _, FieldStep::Index(index), _, _, inner @ ..] = own else {
        return None;
    };
    if *index != version {
        return None;
    }
    let shown = first_line(expression.text());
    Some(Symbol {
        name: property(inner),
        detail: shown,
        kind: SymbolKind::Expression,
        range: policy.node(expression.owner).range(),
        selection: inside(
            policy.node(expression.owner).range(),
            Some(policy.node(expression.node).range()),
        ),
        is_searched: true,
        children: Vec::new(),
    })
}

/// Returns a path through schemas as one through the objects that they describe: `spec.ports[]`, or
/// `self` for the whole object.
fn property(steps: &[FieldStep]) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            FieldStep::Key(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(name);
            }
            FieldStep::Field(field) if &**field == "items" => path.push_str("[]"),
            FieldStep::Field(field) if &**field == "additionalProperties" => path.push_str("{}"),
            FieldStep::Field(_) | FieldStep::Index(_) => {}
        }
    }
    if path.is_empty() {
        path.push_str("self");
    }
    path
}

/// Returns the first line of an expression that is not blank, truncated if it is too long.
fn first_line(expression: &str) -> Option<String> {
    // Limit: outlines are narrow.
    const LONGEST: usize = 60;
    let line = expression
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with("//"))?;
    Some(match line.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", line.get(..cut).unwrap_or(line).trim_end()),
        None => line.to_owned(),
    })
}

/// Returns the range `selection` if it is in `range`, which is false only with an alias between
/// them; otherwise the beginning of `range`.
fn inside(range: TextRange, selection: Option<TextRange>) -> TextRange {
    selection
        .filter(|selection| range.contains_range(*selection))
        .unwrap_or(TextRange::empty(range.start()))
}

#[cfg(test)]
mod tests;
