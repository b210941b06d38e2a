//! The keys and values offered outside the expressions.

use crate::file::SourceFile;
use crate::fixture::{Fixture, binding, crd, named_policy, policy};
use crate::project::{FileSummary, Project};
use admission::Resources;
use kubernetes::Target;
use std::path::Path;
use std::sync::Arc;
use text::apply_edits;

/// Returns the completions in a file of a project with other files, and the text of the file.
fn offered(path: &str, source: &str, others: &[&str]) -> (String, Vec<crate::Completion>) {
    let fixture = Fixture::parse(source);
    let cursor = fixture.cursor.expect("a cursor");
    let others = others.iter().enumerate().map(|(index, text)| {
        let file = Arc::from(Path::new(&format!("{index}.yaml")));
        Arc::new(FileSummary::read(&file, text))
    });
    let project = Arc::new(Project::new(Target::default()).with_files(others));
    let file =
        SourceFile::in_project(fixture.text.as_str(), project).at(Arc::from(Path::new(path)));
    let items = crate::completion(&file, cursor, &[], &Resources::default());
    (fixture.text, items)
}

/// Returns the labels of the first completions.
fn labels(source: &str, count: usize) -> Vec<String> {
    let (_, items) = offered("policy.yaml", source, &[]);
    items
        .into_iter()
        .map(|item| item.label)
        .take(count)
        .collect()
}

/// Returns the text after a completion is accepted.
#[track_caller]
fn taken(source: &str, label: &str) -> String {
    let (text, items) = offered("policy.yaml", source, &[]);
    let item = items.iter().find(|item| item.label == label);
    let item = item.unwrap_or_else(|| panic!("{label} is not offered: {items:?}"));
    apply_edits(&text, std::slice::from_ref(&item.edit)).unwrap()
}

const HEAD: &str = "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n";

#[test]
fn keys_are_the_fields_that_are_missing_required_ones_first() {
    let spec = labels(&format!("{HEAD}spec:\n  $0\n"), 99);
    assert!(spec.contains(&"validations".to_owned()), "{spec:?}");
    let rest = labels(&format!("{HEAD}spec:\n  validations: []\n  $0\n"), 99);
    assert_eq!(rest.len() + 1, spec.len());
    let of_validation = labels(&format!("{HEAD}spec:\n  validations:\n  - $0\n"), 9);
    assert_eq!(
        of_validation.first().map(String::as_str),
        Some("expression")
    );
    assert_eq!(
        labels(&format!("{HEAD}spec: {{$0}}\n"), 99),
        spec,
        "in braces"
    );
    let pod = "apiVersion: v1\nkind: Pod\nspec:\n  $0\n  restartPolicy: Never\n";
    assert_eq!(labels(pod, 1), ["containers"]);
    assert_eq!(
        labels("apiVersion: v1\nkind: Unknown\nspec:\n  $0\n", 1),
        [""; 0]
    );
    assert_eq!(labels(&format!("{HEAD}# $0\n"), 1), [""; 0]);
    assert_eq!(
        labels(&format!("{HEAD}metadata: {{name: a}} $0\n"), 1),
        [""; 0]
    );
}

#[test]
fn a_manifest_without_a_known_kind_has_the_first_keys_of_objects() {
    for version in ["admissionregistration.k8s.io/v1", "v1", "example.com/v1"] {
        let head = format!("apiVersion: {version}\n");
        assert_eq!(labels(&format!("{head}$0"), 9), ["kind", "metadata"]);
        assert_eq!(
            labels(
                &format!("{head}ki$0\nmetadata: {{name: a}}\nspec: {{}}\n"),
                9
            ),
            ["kind"]
        );
        assert_eq!(labels(&format!("---\na: 1\n---\n{head}k$0\n"), 1), ["kind"]);
    }
    assert_eq!(labels("kind: ConfigMap\n$0", 9), ["apiVersion", "metadata"]);
    let (_, items) = offered("p.inputs.yaml", "apiVersion: v1\n$0", &[]);
    assert_eq!(items.first().unwrap().label, "kind", "an input");
    assert_eq!(labels("spec: {}\n$0", 9), [""; 0], "another document");
}

#[test]
fn a_key_is_written_with_the_beginning_of_its_value() {
    assert_eq!(
        taken(&format!("{HEAD}spec:\n  val$0\n"), "validations"),
        format!("{HEAD}spec:\n  validations:\n    - \n")
    );
    assert_eq!(
        taken(&format!("{HEAD}spec:\r\n  fail$0\r\n"), "failurePolicy"),
        format!("{HEAD}spec:\r\n  failurePolicy: \r\n")
    );
    assert_eq!(
        taken(&format!("{HEAD}spec: {{😀: 1, par$0}}\n"), "paramKind"),
        format!("{HEAD}spec: {{😀: 1, paramKind: }}\n")
    );
}

#[test]
fn values_are_those_of_an_enum() {
    let of = |field: &str| labels(&format!("{HEAD}spec:\n  {field}\n"), 9);
    assert_eq!(of("failurePolicy: $0"), ["Fail", "Ignore"]);
    assert_eq!(of("failurePolicy: '$0'"), ["Fail", "Ignore"]);
    assert_eq!(
        of("matchConstraints: {namespaceSelector: {matchExpressions: [{key: a, operator: $0}]}}"),
        ["In", "NotIn", "Exists", "DoesNotExist"]
    );
    assert_eq!(
        of("validations: [{reason: $0}]"),
        ["Invalid", "Forbidden", "RequestEntityTooLarge"]
    );
    let pod = "apiVersion: v1\nkind: Pod\nspec: {tolerations: [{operator: $0}]}\n";
    assert!(
        !labels(pod, 9).contains(&"NotIn".to_owned()),
        "another type"
    );
    let operations = "spec: {matchConstraints: {resourceRules: [{operations: [$0]}]}}\n";
    let mutating = HEAD.replace("Validating", "Mutating");
    assert_eq!(
        labels(&format!("{mutating}{operations}"), 9),
        ["CREATE", "UPDATE", "CONNECT", "*"]
    );
    let actions = binding("a", "policyName: a").replace("[Deny]", "[$0]");
    assert_eq!(labels(&actions, 9), ["Deny", "Warn", "Audit"]);
    assert_eq!(
        labels("apiVersion: v1\nkind: Pod\nspec: {hostNetwork: $0}\n", 9),
        ["true", "false"]
    );
}

#[test]
fn rules_offer_what_the_servers_have() {
    let of = |rule: &str| {
        let rules = format!("  matchConstraints: {{resourceRules: [{{{rule}}}]}}\n");
        labels(&format!("{HEAD}spec:\n{rules}"), 3)
    };
    assert_eq!(
        of("apiGroups: [$0], resources: []"),
        ["apps", "\"\"", "batch"]
    );
    assert_eq!(
        of("apiGroups: [apps], resources: [\"$0\"]"),
        ["deployments", "statefulsets", "daemonsets"]
    );
    assert_eq!(
        of("apiGroups: [batch], apiVersions: [$0], resources: [jobs]"),
        ["v1", "*"]
    );
    assert_eq!(of("operations: [$0]"), ["CREATE", "UPDATE", "DELETE"]);
    assert_eq!(
        taken(
            &format!(
                "{HEAD}spec: {{matchConstraints: {{resourceRules: [{{apiGroups: [$0], resources: []}}]}}}}\n"
            ),
            "*"
        ),
        format!(
            "{HEAD}spec: {{matchConstraints: {{resourceRules: [{{apiGroups: [\"*\"], resources: []}}]}}}}\n"
        )
    );
}

#[test]
fn names_come_from_the_project() {
    let of = |path: &str, source: &str, others: &[&str]| {
        let (_, items) = offered(path, source, others);
        let labels = items.into_iter().map(|item| item.label);
        labels.collect::<Vec<String>>()
    };
    let spec = |spec: &str| binding("b", spec);
    let other = named_policy("limits");
    let map = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\n";
    assert_eq!(of("b.yaml", &spec("policyName: $0"), &[&other]), ["limits"]);
    let param_ref = |field: &str| spec(&format!("policyName: limits\n  paramRef: {{{field}: $0}}"));
    assert_eq!(
        of("b.yaml", &param_ref("name"), &[&other, map]),
        ["settings"]
    );
    assert_eq!(
        of("b.yaml", &param_ref("namespace"), &[&other, map]),
        ["shop"]
    );
    let custom = crd("          properties: {}\n");
    let kind = policy("  paramKind: {apiVersion: example.com/v1, kind: $0}\n");
    assert_eq!(of("p.yaml", &kind, &[&custom]), ["Demo"]);
    assert_eq!(
        labels("apiVersion: $0\n", 1),
        ["admissionregistration.k8s.io/v1"]
    );
}

#[test]
fn the_schema_of_a_definition_offers_what_fits_its_type() {
    let of = |schema: &str| {
        let properties = format!("          properties:\n            size: {{{schema}}}\n");
        labels(&crd(&properties), 2)
    };
    assert_eq!(of("$0 type: integer"), ["description", "format"]);
    assert_eq!(of("type: string, $0"), ["description", "enum"]);
    assert_eq!(
        of("type: array, items: {type: array, $0}"),
        ["items", "description"]
    );
    assert_eq!(of("type: $0"), ["string", "integer"]);
}

#[test]
fn admission_inputs_offer_their_keys_and_the_fields_of_their_objects() {
    let of = |source: &str| {
        let (_, items) = offered("demo.inputs.yaml", source, &[]);
        let labels = items.into_iter().map(|item| item.label);
        labels.take(2).collect::<Vec<String>>()
    };
    assert_eq!(of("name: a\n$0\n"), ["object", "expect"]);
    assert_eq!(of("object:\n  $0\n"), ["apiVersion", "kind"]);
    assert_eq!(of("$0"), ["Admission input", "object"]);
    assert_eq!(of("exp$0"), ["expect", "Admission input"]);
    assert_eq!(of("request:\n  $0\n"), ["operation", "userInfo"]);
    assert_eq!(of("request: {operation: $0}\n"), ["CREATE", "UPDATE"]);
    assert_eq!(of("request:\n  resource:\n    $0\n"), ["group", "version"]);
    let (_, keys) = offered("demo.inputs.yaml", "name: a\n$0\n", &[]);
    assert!(keys.iter().all(|key| key.documentation.is_some()));
    assert_eq!(of("expect: $0\n"), ["allow", "deny"]);
    assert_eq!(of("authorizer: $0\n"), ["RBAC"]);
    let label = "namespaceObject: {metadata: {labels: {$0}}}";
    let of_namespaces = "kubernetes.io/metadata.name";
    for source in [label, &format!("request: {{{label}}}")] {
        assert_eq!(of(source).first().map(String::as_str), Some(of_namespaces));
    }
    let object = "object:\n  apiVersion: v1\n  kind: Pod\n  spec:\n    $0\n";
    assert_eq!(of(object).first().map(String::as_str), Some("containers"));
    assert_eq!(labels("replicas: 1\n$0\n", 9), [""; 0], "another file");
}

#[test]
fn an_empty_document_offers_whole_documents() {
    let all = labels("$0", 9);
    assert_eq!(
        all.first().map(String::as_str),
        Some("ValidatingAdmissionPolicy")
    );
    let typed = labels(&format!("{HEAD}---\nVal$0"), 9);
    assert_eq!(
        typed.get(..3).unwrap_or(&typed),
        [
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "ValidatingWebhookConfiguration"
        ]
    );
    assert_eq!(labels(&format!("{HEAD}$0"), 2), ["spec", "metadata"]);
    assert_eq!(labels("ap$0", 1), ["apiVersion"]);
    let (_, items) = offered("policy.yaml", "$0", &[]);
    let keys = ["apiVersion", "kind"];
    for item in items.iter().filter(|item| !keys.contains(&&*item.label)) {
        let kinds = policy::ParsedFile::new(item.edit.insert.as_str().into(), Target::default());
        assert_eq!(kinds.policies().len(), 1, "{}", item.label);
    }
}

const BINDING: &str = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: demo}
spec:
  policyName: demo
";

#[test]
fn items_of_a_list_are_offered_once() {
    let rule = |operations: &str| {
        let rules = "matchConstraints:\n    resourceRules:\n    - apiGroups: [apps]\n";
        labels(&format!("{HEAD}spec:\n  {rules}      {operations}"), 2)
    };
    assert_eq!(rule("operations: [$0]\n"), ["CREATE", "UPDATE"]);
    assert_eq!(rule("operations: [CREATE, $0]\n"), ["UPDATE", "DELETE"]);
    assert_eq!(
        rule("operations:\n      - CREATE\n      - $0\n"),
        ["UPDATE", "DELETE"]
    );
    let actions = format!("{BINDING}  validationActions: [Deny, $0]\n");
    assert_eq!(labels(&actions, 9), ["Audit"]);
}

#[test]
fn selectors_offer_labels() {
    let selector = |keys: &str| {
        let resources = format!("matchResources:\n    namespaceSelector:\n      {keys}");
        labels(&format!("{BINDING}  {resources}"), 1)
    };
    let name = ["kubernetes.io/metadata.name"];
    assert_eq!(selector("matchLabels:\n        $0\n"), name);
    assert_eq!(selector("matchExpressions:\n      - key: $0\n"), name);
    assert_eq!(
        selector("matchLabels: {kubernetes.io/metadata.name: $0}\n"),
        ["kube-system"]
    );
}

#[test]
fn comments_offer_directives_and_rules() {
    let of = |comment: &str| labels(&format!("# {comment}\n{HEAD}spec: {{}}\n"), 2);
    assert_eq!(of("admissible: $0"), ["ignore", "ignore-file"]);
    assert_eq!(
        of("admissible: ignore[$0]"),
        ["unguarded-field", "unused-variable"]
    );
    assert_eq!(
        of("admissible: ignore[$0, unguarded-field]"),
        ["unused-variable", "unguarded-key"]
    );
    assert_eq!(of("admissible: ignore[unguarded-field] $0"), [""; 0]);
    assert_eq!(of("something else $0"), [""; 0]);
}

#[test]
fn the_configuration_file_offers_keys_rules_and_levels() {
    let of = |source: &str| {
        let (_, items) = offered("admissible.toml", source, &[]);
        let labels = items.into_iter().map(|item| item.label);
        labels.take(2).collect::<Vec<String>>()
    };
    assert_eq!(of("$0"), ["kubernetes", "exclude"]);
    assert_eq!(of("kubernetes = \"1.30\"\n$0"), ["exclude", "schemas"]);
    assert_eq!(of("kubernetes = \"$0\""), ["1.38", "1.37"]);
    assert_eq!(of("[$0]"), ["rules", "format"]);
    assert_eq!(of("[format]\n$0"), ["line-width"]);
    assert_eq!(of("[format]\nline-width = 100\n$0"), [""; 0]);
    assert_eq!(
        of("[rules]\nunguarded-field = \"off\"\n$0"),
        ["unused-variable", "unguarded-key"]
    );
    assert_eq!(of("[rules]\nunused-variable = $0"), ["off", "warning"]);
    assert_eq!(
        of("rules.unused-var$0"),
        ["unused-variable", "unused-loop-variable"]
    );
    assert_eq!(of("rules.unused-variable = $0"), ["off", "warning"]);
    assert_eq!(of("kubernetes = \"1.37..$0\""), ["1.38", "1.37"]);
    assert_eq!(of("# a comment $0"), [""; 0]);
}

#[test]
fn labels_are_those_of_the_kind_that_is_selected() {
    let of = |resource: &str| {
        let rule = format!("resourceRules: [{{resources: [{resource}]}}]");
        let matching = format!("{{{rule}, objectSelector: {{matchLabels: {{$0}}}}}}");
        labels(
            &format!("{HEAD}spec: {{matchConstraints: {matching}}}\n"),
            1,
        )
    };
    assert_eq!(of("nodes"), ["kubernetes.io/os"]);
    assert_eq!(of("namespaces"), ["kubernetes.io/metadata.name"]);
    assert_eq!(of("nodes, pods"), ["app.kubernetes.io/name"]);
    let pod =
        "apiVersion: v1\nkind: Pod\nspec:\n  topologySpreadConstraints:\n  - topologyKey: $0\n";
    assert_eq!(labels(pod, 1), ["topology.kubernetes.io/zone"]);
}

const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n";

/// The schema of an object with these properties besides those of every object.
fn schema_with(properties: &str) -> String {
    format!(
        "{{type: object, properties: {{apiVersion: {{type: string}}, kind: {{type: string}}, \
         metadata: {{type: object, properties: {{name: {{type: string}}}}}}, {properties}}}}}"
    )
}

/// The paths for a key of a version with this schema.
fn paths(schema: &str, rest: &str) -> Vec<String> {
    let version = format!("{{name: v1, schema: {{openAPIV3Schema: {schema}}}, {rest}}}");
    labels(&format!("{DEFINITION}spec: {{versions: [{version}]}}\n"), 9)
}

#[test]
fn paths_lead_to_fields_of_the_definition() {
    let schema = schema_with(
        "spec: {type: object, properties: {replicas: {type: integer}, until: {type: string, \
         format: date-time}, a.b: {type: integer}, hosts: {type: array}}}",
    );
    let of = |rest: &str| paths(&schema, rest);
    assert_eq!(
        of("additionalPrinterColumns: [{type: date, jsonPath: $0}]"),
        [".spec.until", ".metadata.creationTimestamp"]
    );
    assert_eq!(
        of("additionalPrinterColumns: [{type: string, jsonPath: $0}]"),
        [".spec.until"]
    );
    assert_eq!(
        of("selectableFields: [{jsonPath: $0}]"),
        [".spec.replicas", ".spec.until"]
    );
    let scale = |key: &str| of(&format!("subresources: {{scale: {{{key}: $0}}}}"));
    assert_eq!(scale("specReplicasPath"), [".spec.replicas"]);
    assert_eq!(scale("statusReplicasPath"), [""; 0]);
    assert_eq!(scale("labelSelectorPath"), [".spec.until"]);
}

#[test]
fn paths_behind_many_other_fields_are_found() {
    let fields: Vec<String> = (0..400)
        .map(|it| format!("f{it}: {{type: string}}"))
        .collect();
    let schema = schema_with(&format!(
        "spec: {{type: object, properties: {{{}}}}}, status: {{type: object, properties: \
         {{replicas: {{type: integer}}}}}}",
        fields.join(", ")
    ));
    assert_eq!(
        paths(&schema, "subresources: {scale: {statusReplicasPath: $0}}"),
        [".status.replicas"]
    );
}

#[test]
fn what_another_key_excludes_is_not_offered() {
    let param_ref = binding("a", "paramRef: {name: a, $0}");
    let keys = labels(&param_ref, 9);
    assert_eq!(keys, ["parameterNotFoundAction", "namespace"]);
    let requirement = "{key: a, operator: Exists, $0}";
    let selector = format!("{{matchExpressions: [{requirement}]}}");
    let spec = format!("spec: {{matchConstraints: {{objectSelector: {selector}}}}}\n");
    assert_eq!(labels(&format!("{HEAD}{spec}"), 9), [""; 0]);
    let webhook = "apiVersion: admissionregistration.k8s.io/v1\n\
                   kind: ValidatingWebhookConfiguration\n\
                   webhooks: [{clientConfig: {url: a, $0}}]\n";
    assert_eq!(labels(webhook, 9), ["caBundle"]);
    let schema = "{openAPIV3Schema: {type: object, properties: {}, $0}}";
    let keys = labels(
        &format!("{DEFINITION}spec: {{versions: [{{schema: {schema}}}]}}\n"),
        99,
    );
    assert!(keys.contains(&"required".to_owned()), "{keys:?}");
    assert!(!keys.contains(&"additionalProperties".to_owned()));
    let metadata = labels(&format!("{HEAD}metadata: {{$0}}\n"), 99);
    assert!(!metadata.contains(&"namespace".to_owned()), "{metadata:?}");
    let pod = labels("apiVersion: v1\nkind: Pod\nmetadata: {$0}\n", 2);
    assert_eq!(pod, ["name", "namespace"]);
}

#[test]
fn the_plural_of_a_kind_is_english() {
    let of = |kind: &str| {
        let names = format!("{DEFINITION}spec: {{names: {{kind: {kind}, plural: $0}}}}\n");
        labels(&names, 9).join(" ")
    };
    assert_eq!(of("Policy"), "policies");
    assert_eq!(of("Gateway"), "gateways");
    assert_eq!(of("XMesh"), "xmeshes");
    assert_eq!(of("Bus"), "buses");
    assert_eq!(of("Widget"), "widgets");
}
