//! Manifests of the workspace whose objects a policy is evaluated against, and the kinds that
//! its CustomResourceDefinitions define.
//!
//! Completion offers the fields of these objects, and evaluation uses them as the object of a
//! request. Incomplete manifests and templates are skipped: a missing field would make a
//! correct policy look wrong.

use admission::{Inputs, PLUGIN_KINDS, Request, Resources, matching};
use cel::Value;
use kubernetes::names::GroupVersion;
use kubernetes::{TypeMeta, metadata, object};
use policy::{Kind, PolicyDocument};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::TextRange;
use yaml::Node;

/// The maximum number of samples of a file.
///
/// Limit: a dump of a cluster has thousands, and further objects of a kind add little. Those that
/// [govern others](Sample::governs_others) are not counted: each of them may decide a request.
const MAX_SAMPLES: usize = 200;

/// A manifest.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The file of the manifest.
    pub path: PathBuf,
    /// The index of its document in the file, from 0.
    pub document: usize,
    /// `apiVersion`, such as `apps/v1`.
    pub api_version: String,
    /// `kind`, such as `Deployment`.
    pub kind: String,
    /// `metadata.name`, empty if missing.
    pub name: String,
    /// `metadata.namespace`, empty if missing.
    pub namespace: String,
    /// The whole object as a CEL value.
    pub value: Value,
}

impl Sample {
    /// Returns the group of [`Sample::api_version`]: `apps` of `apps/v1`, empty of `v1`.
    #[must_use]
    pub fn group(&self) -> &str {
        GroupVersion::parse(&self.api_version).group
    }

    /// Returns the version of [`Sample::api_version`]: `v1` of `apps/v1` and of `v1`.
    #[must_use]
    pub fn version(&self) -> &str {
        GroupVersion::parse(&self.api_version).version
    }

    /// Returns the label of the sample: `Deployment shop/web`.
    #[must_use]
    pub fn label(&self) -> String {
        let name = match (self.namespace.as_str(), self.name.as_str()) {
            (_, "") => return self.kind.clone(),
            ("", name) => name.to_owned(),
            (namespace, name) => format!("{namespace}/{name}"),
        };
        format!("{} {name}", self.kind)
    }

    /// Returns whether a server uses the object in requests for others: a namespace, a service
    /// account, a priority class, a role or its binding.
    #[must_use]
    pub fn governs_others(&self) -> bool {
        governs_others(&self.api_version, &self.kind)
    }

    /// Returns whether the policy, or a webhook of the configuration, matches a request with
    /// the sample as its object, with any operation.
    pub fn is_matched_by(&self, document: &PolicyDocument, resources: &Resources) -> bool {
        let object = || Some(self.value.clone());
        let inputs = [(object(), None), (object(), object()), (None, object())];
        inputs.into_iter().any(|(object, old_object)| {
            let inputs = Inputs {
                object,
                old_object,
                ..Inputs::default()
            };
            let Ok(request) = Request::new(inputs, resources) else {
                return false;
            };
            let mut webhooks = document.webhooks().iter();
            matching::matches(document, &request).is_ok()
                || webhooks.any(|it| matching::resources_match(&it.matching, &request).is_ok())
        })
    }

    /// Returns whether the sample is of the kind of the policy's parameters.
    pub fn is_param_of(&self, document: &PolicyDocument) -> bool {
        let policy = document.policy();
        let kind = policy.and_then(|policy| policy.param_kind.as_ref());
        kind.is_some_and(|it| (it.api_version(), it.kind()) == (&*self.api_version, &*self.kind))
    }
}

/// Returns the samples in a source, in file order. Each item of a list is a sample.
#[must_use]
pub fn read(path: &Path, text: &str) -> Vec<Sample> {
    let documents: Vec<(usize, TextRange)> = yaml::split(text)
        .enumerate()
        .filter(|(_, range)| may_be_object(text, *range))
        .collect();
    let ranges: Vec<TextRange> = documents.iter().map(|(_, range)| *range).collect();
    if ranges.is_empty() {
        return Vec::new();
    }
    let stream = yaml::parse_documents(Arc::from(text), &ranges);
    let mut found = Found::default();
    for ((index, _), document) in documents.iter().zip(stream.documents()) {
        if let Some(root) = document.root().filter(|_| !document.recovered()) {
            add(path, *index, root, &mut found);
        }
    }
    found.samples
}

fn governs_others(api_version: &str, kind: &str) -> bool {
    let group = GroupVersion::parse(api_version).group;
    group == "rbac.authorization.k8s.io" || PLUGIN_KINDS.contains(&(api_version, kind))
}

/// Returns the kinds that the CustomResourceDefinitions in a source define.
#[must_use]
pub fn resources(text: &str) -> Resources {
    let mut resources = Resources::default();
    if !text.contains(Kind::CustomResourceDefinition.as_str()) {
        return resources;
    }
    let ranges = policy::possible_documents(text);
    let stream = Arc::new(yaml::parse_documents(Arc::from(text), &ranges));
    for document in &policy::recognize(&stream).policies {
        resources.add(document);
    }
    resources
}

/// Returns whether a document may be an object: a quick check, so that most files are never parsed.
fn may_be_object(text: &str, range: TextRange) -> bool {
    let text = text.get(std::ops::Range::<usize>::from(range));
    text.is_some_and(|text| {
        text.contains("apiVersion")
            && text.contains("kind")
            && !text.contains("{{")
            && !is_policy(text)
    })
}

/// Returns whether the `kind` of a document is that of a policy. Policies are never samples, and
/// they change with every keystroke.
fn is_policy(text: &str) -> bool {
    let mut kinds = text.lines().filter_map(|line| line.strip_prefix("kind: "));
    kinds.any(|kind| {
        let kind = kind.trim_end();
        kind == Kind::ValidatingAdmissionPolicy.as_str()
            || kind == Kind::MutatingAdmissionPolicy.as_str()
    })
}

/// The samples found so far.
#[derive(Default)]
struct Found {
    samples: Vec<Sample>,
    /// The number of those that do not govern others.
    counted: usize,
}

fn add(path: &Path, document: usize, root: Node<'_>, found: &mut Found) {
    let Some((api_version, kind)) = TypeMeta::read(root).strings() else {
        return;
    };
    if kind.ends_with("List")
        && let Some(items) = kubernetes::items(root)
    {
        items
            .items()
            .for_each(|item| add(path, document, item, found));
        return;
    }
    if Kind::parse(kind).is_some() {
        return;
    }
    let is_counted = !governs_others(api_version, kind);
    if is_counted && found.counted >= MAX_SAMPLES {
        return;
    }
    let metadata = |field: &str| metadata(root, field)?.as_str().map(str::to_owned);
    let Some(value) = object(root).filter(|value| matches!(value, Value::Map(_))) else {
        return;
    };
    found.counted += usize::from(is_counted);
    found.samples.push(Sample {
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

    fn sample(api_version: &str) -> Sample {
        Sample {
            path: PathBuf::new(),
            document: 0,
            api_version: api_version.to_owned(),
            kind: String::new(),
            name: String::new(),
            namespace: String::new(),
            value: Value::Null,
        }
    }

    #[test]
    fn the_core_group_has_no_name() {
        let core = sample("v1");
        assert_eq!((core.group(), core.version()), ("", "v1"));
        let apps = sample("apps/v1");
        assert_eq!((apps.group(), apps.version()), ("apps", "v1"));
    }

    #[track_caller]
    fn check(text: &str, expected: &Expect) {
        let found: Vec<String> = read(Path::new("a.yaml"), text)
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
    fn nothing_hides_what_governs_others() {
        let document = |kind: &str, name: usize| {
            format!("---\napiVersion: {kind}\nmetadata: {{name: n{name}}}\n")
        };
        let role = "rbac.authorization.k8s.io/v1\nkind: ClusterRole";
        let text: String = (0..2 * MAX_SAMPLES)
            .flat_map(|number| ["v1\nkind: Pod", role].map(|kind| document(kind, number)))
            .collect();
        let found = read(Path::new("a.yaml"), &text);
        let governing = found.iter().filter(|it| it.governs_others()).count();
        assert_eq!(governing, 2 * MAX_SAMPLES);
        assert_eq!(found.len() - governing, MAX_SAMPLES);
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
