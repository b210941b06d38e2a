//! The objects of a file that can be parameters of policies.
//!
//! Most manifests contain no policy and are never parsed. Their objects are found by scanning
//! for the few identifying lines in their usual form: a missed object costs a hint, a misread
//! one would cause a wrong finding.

use kubernetes::names::GroupVersion;
use kubernetes::{TypeMeta, metadata};
use std::ops::Range;
use std::sync::Arc;
use yaml::Node;

/// Limit: bytes of a list of objects. All ConfigMaps of a cluster need about as many.
const MAX_LIST: usize = 1 << 20;

/// An object that can be the parameters of a policy.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectSummary {
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`.
    pub kind: String,
    /// `metadata.namespace`, empty if missing.
    pub namespace: String,
    /// `metadata.name`.
    pub name: String,
}

/// The objects of a text. Those that are surely no parameters, such as a Deployment, are
/// left out.
pub(super) fn find(text: &str) -> Vec<ObjectSummary> {
    let documents = yaml::split(text).flat_map(|range| {
        let text = text.get(Range::<usize>::from(range)).unwrap_or_default();
        if is_list(text) {
            items_of(text)
        } else {
            object(text).into_iter().collect()
        }
    });
    documents.filter(can_be_params).collect()
}

/// Returns whether a document is a list of objects that is small enough to be parsed, and whose
/// objects can be parameters.
fn is_list(text: &str) -> bool {
    let field = |name: &str| {
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(name));
        lines.next().map_or("", str::trim)
    };
    let can_hold_params = |kind: &str| match GroupVersion::parse(field("apiVersion:")).group {
        "" => matches!(kind, "List" | "ConfigMapList"),
        group => can_define_params(group),
    };
    let kind = field("kind:");
    text.len() <= MAX_LIST && kind.ends_with("List") && can_hold_params(kind)
}

/// Returns the items of a list.
fn items_of(text: &str) -> Vec<ObjectSummary> {
    let stream = yaml::parse(Arc::from(text));
    let root = stream.documents().find_map(yaml::Document::root);
    let items = root.and_then(kubernetes::items);
    // A server leaves out the type of the items of such a list as `ConfigMapList`.
    let of_list = root.and_then(|root| TypeMeta::read(root).strings());
    let of_item = of_list.and_then(|(version, kind)| Some((version, kind.strip_suffix("List")?)));
    let items = items.into_iter().flat_map(yaml::Sequence::items);
    items.filter_map(|it| item(it, of_item)).collect()
}

fn item(item: Node<'_>, of_list: Option<(&str, &str)>) -> Option<ObjectSummary> {
    let (api_version, kind) = TypeMeta::read(item).strings().or(of_list)?;
    let text = |node: Option<Node<'_>>| node.and_then(Node::as_str).map(str::to_owned);
    Some(ObjectSummary {
        api_version: api_version.to_owned(),
        kind: kind.to_owned(),
        namespace: text(metadata(item, "namespace")).unwrap_or_default(),
        name: text(metadata(item, "name"))?,
    })
}

/// Returns whether an object can be the parameters of a policy. People keep them in config maps and
/// in kinds of their own.
fn can_be_params(object: &ObjectSummary) -> bool {
    let group = GroupVersion::parse(&object.api_version).group;
    can_define_params(group) && (!group.is_empty() || object.kind == "ConfigMap")
}

/// Returns whether a policy can have objects of a kind in this group as parameters.
fn can_define_params(group: &str) -> bool {
    group.is_empty() || group.contains('.') && !group.ends_with(".k8s.io")
}

fn object(text: &str) -> Option<ObjectSummary> {
    let mut object = ObjectSummary {
        api_version: String::new(),
        kind: String::new(),
        namespace: String::new(),
        name: String::new(),
    };
    // The indentation of the fields of `metadata`, while in there.
    let mut metadata: Option<usize> = None;
    let mut in_metadata = false;
    for line in text.lines() {
        // Most lines of a long manifest are of no interest.
        if !in_metadata && line.starts_with(' ') {
            continue;
        }
        let content = line.trim_start_matches(' ');
        let indent = line.len() - content.len();
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let Some((key, value)) = content.split_once(':') else {
            continue;
        };
        if indent == 0 {
            in_metadata = key == "metadata";
            metadata = None;
            read_field(&mut object, key, value)?;
        } else if in_metadata && *metadata.get_or_insert(indent) == indent {
            match key {
                "name" => object.name = plain(value)?,
                "namespace" => object.namespace = plain(value)?,
                _ => {}
            }
        }
    }
    let has_all = !object.api_version.is_empty() && !object.kind.is_empty();
    (has_all && !object.name.is_empty()).then_some(object)
}

/// Reads a field of the object. `None` if it cannot be read, or if objects of this group cannot be
/// parameters.
fn read_field(object: &mut ObjectSummary, key: &str, value: &str) -> Option<()> {
    match key {
        "apiVersion" => {
            object.api_version = plain(value)?;
            // Nothing else in such a document matters.
            let group = GroupVersion::parse(&object.api_version).group;
            return can_define_params(group).then_some(());
        }
        "kind" => object.kind = plain(value)?,
        "metadata" if !is_blank(value) => read_flow(object, value)?,
        _ => {}
    }
    Some(())
}

/// Reads metadata in braces. `None` if it has no name on its line.
fn read_flow(object: &mut ObjectSummary, metadata: &str) -> Option<()> {
    let stream = yaml::parse(Arc::from(metadata));
    let metadata = stream.documents().next()?.root()?;
    let field = |name| metadata.get(name).and_then(Node::as_str);
    object.name = plain(field("name")?)?;
    object.namespace = field("namespace").unwrap_or_default().to_owned();
    Some(())
}

fn is_blank(value: &str) -> bool {
    let value = value.trim();
    value.is_empty() || value.starts_with('#')
}

/// Returns a value that is written on the line and needs no unescaping.
fn plain(value: &str) -> Option<String> {
    let value = value.split_once(" #").map_or(value, |(value, _)| value);
    let value = value.trim();
    let value = match value.chars().next()? {
        quote @ ('"' | '\'') => value.strip_prefix(quote)?.strip_suffix(quote)?,
        _ => value,
    };
    let is_simple = |byte: u8| byte.is_ascii_alphanumeric() || b"-._/".contains(&byte);
    (!value.is_empty() && value.bytes().all(is_simple)).then(|| value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        let found = find(text).into_iter().map(|object| {
            let ObjectSummary {
                api_version,
                kind,
                namespace,
                name,
            } = object;
            format!("{api_version} {kind} {namespace}/{name}\n")
        });
        expected.assert_eq(&found.collect::<String>());
    }

    #[test]
    fn objects_are_found_without_a_parser() {
        check(
            "\
# parameters
apiVersion: v1
kind: ConfigMap
metadata:
  labels:
    name: other
  name: 'limits' # the limits
  namespace: \"shop\"
data:
  name: x
---
apiVersion: rules.example.com/v1
kind: ReplicaLimit
metadata: # nothing more
    name: small
",
            &expect![[r#"
                v1 ConfigMap shop/limits
                rules.example.com/v1 ReplicaLimit /small
            "#]],
        );
    }

    #[test]
    fn the_items_of_a_list_are_found() {
        let list = "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: '😀', namespace: b}\n- {apiVersion: apps/v1, kind: Deployment, metadata: {name: c}}\n";
        for text in [list.to_owned(), list.replace('\n', "\r\n")] {
            check(&text, &expect![["v1 ConfigMap b/😀\n"]]);
        }
    }

    #[test]
    fn every_item_of_a_typed_list_is_found() {
        let items: String = (0..300)
            .map(|name| format!("- metadata: {{name: c{name}}}\n"))
            .collect();
        let list = |kind: &str| format!("apiVersion: v1\nkind: {kind}\nitems:\n{items}");
        assert_eq!(find(&list("ConfigMapList")).len(), 300);
        check(&list("PodList"), &expect![[""]]);
    }

    #[test]
    fn what_is_written_otherwise_is_passed_over() {
        check(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n",
            &expect![["v1 ConfigMap b/a\n"]],
        );
        check(
            "apiVersion: v1\nkind: ConfigMap\nmetadata: {labels: {a: b},\n  name: a}\n",
            &expect![[""]],
        );
        check(
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .name }}\n",
            &expect![[""]],
        );
        check(
            "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\n",
            &expect![[""]],
        );
        check(
            "{\"apiVersion\": \"v1\", \"kind\": \"ConfigMap\"}\n",
            &expect![[""]],
        );
    }
}
