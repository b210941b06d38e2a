//! What a file gives to try policies on: its manifests that are no policies, and the kinds
//! that its CustomResourceDefinitions bring.
//!
//! What is half-written or a template is left out: an object with fields missing would make
//! a policy look wrong that is right.

use crate::Sample;
use cel::Value;
use policy::Kind;
use policy::admission::{Resources, object};
use std::path::Path;
use std::sync::Arc;
use text::TextRange;
use yaml::{Node, Sequence};

/// The most samples that one file gives.
///
/// Limit: a dump of a cluster has thousands, and more of a kind say nothing new.
const MAX_SAMPLES: usize = 200;

/// The samples in a text, in the order of the file. A list gives each of its items.
#[must_use]
pub fn samples(path: &Path, text: &str) -> Vec<Sample> {
    let documents: Vec<(usize, TextRange)> = yaml::split(text)
        .enumerate()
        .filter(|(_, range)| may_be_object(text, *range))
        .collect();
    let ranges: Vec<TextRange> = documents.iter().map(|(_, range)| *range).collect();
    if ranges.is_empty() {
        return Vec::new();
    }
    let stream = yaml::parse_documents(Arc::from(text), &ranges);
    let mut found = Vec::new();
    for ((index, _), document) in documents.iter().zip(stream.documents()) {
        if let Some(root) = document.root().filter(|_| !document.recovered()) {
            add(path, *index, root, &mut found);
        }
    }
    found.truncate(MAX_SAMPLES);
    found
}

/// The kinds that the CustomResourceDefinitions in a text bring.
#[must_use]
pub fn resources(text: &str) -> Resources {
    let mut resources = Resources::default();
    if !text.contains(Kind::CustomResourceDefinition.as_str()) {
        return resources;
    }
    let ranges = policy::candidates(text);
    let stream = Arc::new(yaml::parse_documents(Arc::from(text), &ranges));
    for document in &policy::recognise(&stream).policies {
        resources.add(document);
    }
    resources
}

/// A quick look at the bytes, so that most files are never parsed.
fn may_be_object(text: &str, range: TextRange) -> bool {
    let text = text.get(std::ops::Range::<usize>::from(range));
    text.is_some_and(|text| {
        text.contains("apiVersion")
            && text.contains("kind")
            && !text.contains("{{")
            && !is_policy(text)
    })
}

/// Whether a document says at its outermost level that it is a policy. These change with
/// every key and have nothing to find.
fn is_policy(text: &str) -> bool {
    let mut kinds = text.lines().filter_map(|line| line.strip_prefix("kind: "));
    kinds.any(|kind| {
        let kind = kind.trim_end();
        kind == Kind::ValidatingAdmissionPolicy.as_str()
            || kind == Kind::MutatingAdmissionPolicy.as_str()
    })
}

fn add(path: &Path, document: usize, root: Node<'_>, found: &mut Vec<Sample>) {
    if found.len() >= MAX_SAMPLES {
        return;
    }
    let text = |field: &str| root.get(field).and_then(Node::as_str);
    let (Some(api_version), Some(kind)) = (text("apiVersion"), text("kind")) else {
        return;
    };
    if kind.ends_with("List")
        && let Some(items) = root.get("items").and_then(Node::as_sequence)
    {
        let items: Sequence<'_> = items;
        items
            .items()
            .for_each(|item| add(path, document, item, found));
        return;
    }
    if Kind::parse(kind).is_some() {
        return;
    }
    let metadata = |field: &str| {
        let value = root.get("metadata")?.get(field)?;
        value.as_str().map(str::to_owned)
    };
    let Some(value) = object(root).filter(|value| matches!(value, Value::Map(_))) else {
        return;
    };
    found.push(Sample {
        path: path.to_path_buf(),
        document,
        api_version: api_version.to_owned(),
        kind: kind.to_owned(),
        name: metadata("name").unwrap_or_default(),
        namespace: metadata("namespace").unwrap_or_default(),
        value,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        let found: Vec<String> = samples(Path::new("a.yaml"), text)
            .iter()
            .map(|it| {
                let Sample {
                    document,
                    api_version,
                    kind,
                    name,
                    namespace,
                    ..
                } = it;
                format!("{document} {api_version} {kind} {namespace}/{name}")
            })
            .collect();
        expected.assert_eq(&found.join("\n"));
    }

    #[test]
    fn every_manifest_of_a_file_is_one() {
        check(
            "a: 1\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\n---\n{\"apiVersion\": \"apps/v1\", \"kind\": \"Deployment\"}\n",
            &expect![[r#"
                1 v1 Pod shop/web
                2 apps/v1 Deployment /"#]],
        );
    }

    #[test]
    fn a_list_gives_its_items() {
        check(
            "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: a}}\n- {apiVersion: v1, kind: Pod, metadata: {name: b}}\n",
            &expect![[r#"
                0 v1 Pod /a
                0 v1 Pod /b"#]],
        );
    }

    #[test]
    fn policies_templates_and_broken_documents_are_none() {
        let policy =
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n";
        check(policy, &expect![""]);
        check(
            "apiVersion: v1\nkind: Pod\nname: {{ .name }}\n",
            &expect![""],
        );
        check("apiVersion: v1\nkind: Pod\n  name: x\n", &expect![""]);
        check("kind: Pod\n# apiVersion\n", &expect![""]);
    }
}
