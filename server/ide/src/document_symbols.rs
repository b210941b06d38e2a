//! The outline of a file.

use crate::file::SourceFile;
use policy::FieldStep;
use policy::{Expression, Role};
use policy::{Kind, PolicyDocument};
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
    /// An expression that decides: a validation, a match condition, a rule, a mutation.
    Expression,
    /// An audit annotation.
    Annotation,
}

/// An entry of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// The name to show.
    pub name: String,
    /// More about it, such as the kind of a document or the text of an expression.
    pub detail: Option<String>,
    /// The kind.
    pub kind: SymbolKind,
    /// All of it.
    pub range: TextRange,
    /// Its name in the file, inside `range`.
    pub selection: TextRange,
    /// The children.
    pub children: Vec<Symbol>,
}

/// The outline of the policies in a file, in the order of the file.
#[must_use]
pub fn document_symbols(file: &SourceFile) -> Vec<Symbol> {
    file.policies().iter().map(|it| document(it)).collect()
}

fn document(policy: &PolicyDocument) -> Symbol {
    let root = policy.root();
    let name = root
        .get("metadata")
        .and_then(|metadata| metadata.get("name"));
    let title = name.or_else(|| root.get("kind"));
    let spec = root.get("spec");
    Symbol {
        name: policy
            .name()
            .filter(|name| !name.is_empty())
            .unwrap_or(policy.kind().as_str())
            .to_owned(),
        detail: Some(policy.kind().to_string()),
        kind: SymbolKind::Document,
        range: root.range(),
        selection: inside(root.range(), title),
        children: match policy.kind() {
            Kind::ValidatingAdmissionPolicy | Kind::MutatingAdmissionPolicy => {
                groups(spec, &POLICY)
            }
            Kind::ValidatingWebhookConfiguration | Kind::MutatingWebhookConfiguration => {
                webhooks(root)
            }
            Kind::CustomResourceDefinition => versions(policy),
            Kind::ValidatingAdmissionPolicyBinding | Kind::MutatingAdmissionPolicyBinding => {
                Vec::new()
            }
        },
    }
}

/// A list of entries, and what an entry shows.
struct List {
    field: &'static str,
    /// The field of an entry that names it; entries without one are numbered.
    name: Option<&'static str>,
    /// The fields that can hold its expression, outermost first.
    expressions: &'static [&'static [&'static str]],
    kind: SymbolKind,
}

const MATCH_CONDITIONS: List = List {
    field: "matchConditions",
    name: Some("name"),
    expressions: &[&["expression"]],
    kind: SymbolKind::Expression,
};

const POLICY: [List; 5] = [
    MATCH_CONDITIONS,
    List {
        field: "variables",
        name: Some("name"),
        expressions: &[&["expression"]],
        kind: SymbolKind::Variable,
    },
    List {
        field: "validations",
        name: None,
        expressions: &[&["expression"]],
        kind: SymbolKind::Expression,
    },
    List {
        field: "auditAnnotations",
        name: Some("key"),
        expressions: &[&["valueExpression"]],
        kind: SymbolKind::Annotation,
    },
    List {
        field: "mutations",
        name: None,
        expressions: &[
            &["applyConfiguration", "expression"],
            &["jsonPatch", "expression"],
        ],
        kind: SymbolKind::Expression,
    },
];

/// A symbol for each of the lists that `owner` has, in the order of the file.
fn groups(owner: Option<Node<'_>>, lists: &[List]) -> Vec<Symbol> {
    let entries = owner.and_then(Node::as_mapping);
    let group_of = |entry: Entry<'_>| {
        let name = entry.key.key_text();
        let list = lists.iter().find(|list| list.field == name)?;
        let children = items(entry.value)
            .map(|(index, item)| entry_symbol(list, index, item))
            .collect();
        Some(Symbol {
            name: list.field.to_owned(),
            detail: None,
            kind: SymbolKind::Group,
            range: entry.key.range().cover(entry.value.range()),
            selection: entry.key.range(),
            children,
        })
    };
    entries
        .into_iter()
        .flat_map(yaml::Mapping::entries)
        .filter_map(group_of)
        .collect()
}

/// The items of a list with their numbers, without those that hold nothing yet.
fn items(list: Node<'_>) -> impl Iterator<Item = (usize, Node<'_>)> {
    let items = list
        .as_sequence()
        .into_iter()
        .flat_map(yaml::Sequence::items);
    items.enumerate().filter(|(_, item)| !item.is_null())
}

fn entry_symbol(list: &List, index: usize, item: Node<'_>) -> Symbol {
    let expression = list.expressions.iter().find_map(|path| {
        let mut fields = path.iter();
        fields.try_fold(item, |node, field| node.get(field))
    });
    let shown = expression.and_then(|expression| first_line(expression.text()));
    let name = list.name.and_then(|field| item.get(field));
    let named = name.filter(|name| !name.text().trim().is_empty());
    let (title, detail) = match (named, shown) {
        (Some(name), shown) => (name.text().to_owned(), shown),
        (None, Some(shown)) => (format!("[{index}] {shown}"), None),
        (None, None) => (format!("[{index}]"), None),
    };
    Symbol {
        name: title,
        detail,
        kind: list.kind,
        range: item.range(),
        selection: inside(item.range(), named.or(expression)),
        children: Vec::new(),
    }
}

fn webhooks(root: Node<'_>) -> Vec<Symbol> {
    let webhook = |(index, webhook): (usize, Node<'_>)| {
        let name = webhook.get("name");
        let named = name.filter(|name| !name.text().trim().is_empty());
        Symbol {
            name: named.map_or_else(|| format!("[{index}]"), |name| name.text().to_owned()),
            detail: None,
            kind: SymbolKind::Group,
            range: webhook.range(),
            selection: inside(webhook.range(), named),
            children: groups(Some(webhook), &[MATCH_CONDITIONS]),
        }
    };
    let list = root.get("webhooks");
    list.into_iter().flat_map(items).map(webhook).collect()
}

/// A symbol for each version of a custom resource definition that has rules.
fn versions(policy: &PolicyDocument) -> Vec<Symbol> {
    let list = policy
        .root()
        .get("spec")
        .and_then(|spec| spec.get("versions"));
    let version = |(index, version): (usize, Node<'_>)| {
        let name = version.get("name");
        let named = name.filter(|name| !name.text().trim().is_empty());
        let children: Vec<Symbol> = policy
            .expressions()
            .iter()
            .filter(|expression| matches!(expression.role, Role::CrdRule { .. }))
            .filter_map(|expression| rule(policy, expression, index))
            .filter(|rule| version.range().contains_range(rule.range))
            .collect();
        (!children.is_empty()).then(|| Symbol {
            name: named.map_or_else(|| format!("[{index}]"), |name| name.text().to_owned()),
            detail: None,
            kind: SymbolKind::Group,
            range: version.range(),
            selection: inside(version.range(), named),
            children,
        })
    };
    list.into_iter()
        .flat_map(items)
        .filter_map(version)
        .collect()
}

/// The symbol of a rule of the version with the number `version`: the property that it
/// guards and what it says.
fn rule(policy: &PolicyDocument, expression: &Expression, version: usize) -> Option<Symbol> {
    let steps = expression.path.steps();
    let own = steps.get(policy.base().steps().len()..)?;
    // `spec.versions[0].schema.openAPIV3Schema` and what follows.
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
            Some(policy.node(expression.node)),
        ),
        children: Vec::new(),
    })
}

/// A path through schemas as one through the objects that they describe: `spec.ports[]`,
/// or `self` for the whole object.
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

/// The first line of an expression that says something, cut where it gets long.
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

/// The range of `node` where it lies in `range`, as it does unless there is an alias between
/// them; else the beginning of `range`.
fn inside(range: TextRange, node: Option<Node<'_>>) -> TextRange {
    let selection = node.map(Node::range);
    selection
        .filter(|selection| range.contains_range(*selection))
        .unwrap_or(TextRange::empty(range.start()))
}

#[cfg(test)]
mod tests;
