//! Manifests of the workspace whose objects a policy is evaluated against, and the kinds that
//! its CustomResourceDefinitions define.
//!
//! Completion offers the fields of these objects, and evaluation uses them as the object of a
//! request. Incomplete manifests and templates are skipped: a missing field would make a
//! correct policy look wrong.

use admission::{Inputs, OmittedKinds, PLUGIN_KINDS, Request, Resources, matching};
use cel::Value;
use kubernetes::names::GroupVersion;
use kubernetes::{TypeMeta, metadata, object};
use policy::{Kind, PolicyDocument};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use text::TextRange;
use yaml::Node;

/// The maximum number of samples of a file.
///
/// Limit: a dump of a cluster has thousands, and further objects of a kind add little. Those that
/// [govern others](Sample::governs_others) and those of [`ParamKinds`] are not counted: each of them
/// may decide a request.
pub const MAX_SAMPLES: usize = 200;

/// The kinds of parameters that policies name: `apiVersion` and `kind`.
pub type ParamKinds = BTreeSet<(String, String)>;

/// The samples of a source, as far as they fit a limit.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// The samples, in file order.
    pub samples: Vec<Sample>,
    /// The kinds of the others.
    pub omitted: OmittedKinds,
}

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

/// Returns all samples in a source, in file order. Each item of a list is a sample.
#[must_use]
pub fn read(path: &Path, text: &str) -> Vec<Sample> {
    read_most(path, text, usize::MAX, &ParamKinds::new()).samples
}

/// Returns the samples in a source: those that govern others, those of the wanted kinds, and some
/// others up to a limit.
#[must_use]
pub fn read_most(path: &Path, text: &str, limit: usize, wanted: &ParamKinds) -> Samples {
    let documents: Vec<(usize, TextRange)> = yaml::split(text)
        .enumerate()
        .filter(|(_, range)| may_be_object(text, *range))
        .collect();
    let ranges: Vec<TextRange> = documents.iter().map(|(_, range)| *range).collect();
    if ranges.is_empty() {
        return Samples::default();
    }
    let stream = yaml::parse_documents(Arc::from(text), &ranges);
    let mut found = Found {
        samples: Samples::default(),
        left: limit,
        wanted,
    };
    for ((index, _), document) in documents.iter().zip(stream.documents()) {
        if let Some(root) = document.root().filter(|_| !document.recovered()) {
            add(path, *index, root, None, &mut found);
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

/// Returns the kinds of parameters that policies name.
#[must_use]
pub fn param_kinds(policies: &[Arc<PolicyDocument>]) -> ParamKinds {
    let kinds = policies.iter().filter_map(|document| {
        let kind = document.policy()?.param_kind.as_ref()?;
        Some((kind.api_version().to_owned(), kind.kind().to_owned()))
    });
    kinds.collect()
}

/// The samples found so far.
struct Found<'w> {
    samples: Samples,
    /// The number of samples that may still be added, besides those that always are.
    left: usize,
    wanted: &'w ParamKinds,
}

impl Found<'_> {
    /// Returns whether a sample of a kind is counted.
    fn counts(&self, api_version: &str, kind: &str) -> bool {
        let mut wanted = self.wanted.iter();
        !governs_others(api_version, kind)
            && !wanted.any(|it| (&*it.0, &*it.1) == (api_version, kind))
    }
}

/// Adds the samples of a document, or of an item of a list with the type of its items.
fn add(
    path: &Path,
    document: usize,
    root: Node<'_>,
    of_item: Option<(&str, &str)>,
    found: &mut Found<'_>,
) {
    let written = TypeMeta::read(root).strings();
    let Some((api_version, kind)) = written.or(of_item) else {
        return;
    };
    if kind.ends_with("List")
        && let Some(items) = kubernetes::items(root)
    {
        // A server leaves out the type of the items of such a list as `ConfigMapList`.
        let of_item = kind.strip_suffix("List").filter(|kind| !kind.is_empty());
        let of_item = of_item.map(|kind| (api_version, kind));
        let items = items.items();
        items.for_each(|item| add(path, document, item, of_item, found));
        return;
    }
    if Kind::parse(kind).is_some() {
        return;
    }
    let is_counted = found.counts(api_version, kind);
    if is_counted && found.left == 0 {
        return found.samples.omitted.add(api_version, kind);
    }
    let metadata = |field: &str| metadata(root, field)?.as_str().map(str::to_owned);
    let mut value = object(root);
    let Some(fields) = value.as_mut().and_then(Value::as_map_mut) else {
        return;
    };
    if written.is_none() {
        fields.set_str("apiVersion", Value::string(api_version));
        fields.set_str("kind", Value::string(kind));
    }
    let value = Value::Map(fields.clone());
    found.left -= usize::from(is_counted);
    found.samples.samples.push(Sample {
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
    fn items_have_the_type_of_their_list() {
        check(
            "{apiVersion: v1, kind: PodList, items: [{metadata: {name: a}}, {apiVersion: x.io/v1, kind: B, metadata: {name: b}}]}\n---\n\
             {apiVersion: v1, kind: List, items: [{metadata: {name: c}}]}\n",
            &expect![[r#"
                0 v1 Pod /a
                0 x.io/v1 B /b"#]],
        );
        let list = "{apiVersion: v1, kind: PodList, items: [{metadata: {name: a}}]}";
        let found = read(Path::new("a.yaml"), list);
        assert!(kubernetes::is_of_kind(&found[0].value, "v1", "Pod"));
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
        let read = |wanted| read_most(Path::new("a.yaml"), &text, MAX_SAMPLES, &wanted);
        let found = read(ParamKinds::new());
        let governing = found
            .samples
            .iter()
            .filter(|it| it.governs_others())
            .count();
        assert_eq!(governing, 2 * MAX_SAMPLES);
        assert_eq!(found.samples.len() - governing, MAX_SAMPLES);
        assert!(found.omitted.contains("v1", "Pod") && !found.omitted.contains("v1", "Secret"));
        let found = read(ParamKinds::from([("v1".to_owned(), "Pod".to_owned())]));
        assert_eq!(found.samples.len() - governing, 2 * MAX_SAMPLES);
        assert!(found.omitted.is_empty());
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
