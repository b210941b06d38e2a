//! The items at a cursor, and the file after each is accepted.

use super::*;
use crate::fixture::{Fixture, crd, policy, source_file, untyped_policy};
use evaluation::samples;
use expect_test::{Expect, expect};
use std::fmt::Write as _;
use std::path::Path;
use text::apply_edits;

const POD: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata:
  name: demo
  labels: {app.kubernetes.io/name: demo, tier: web}
spec:
  replicas: 3
  template:
    spec:
      containers:
      - {name: a, image: 'nginx:1'}
      - {name: b, image: 'nginx:2', ports: [{containerPort: 80}]}
";

fn offered(source: &str) -> (String, Vec<Completion>) {
    let fixture = Fixture::parse(source);
    let cursor = fixture.cursor.expect("a cursor");
    let samples = samples::read(Path::new("demo.yaml"), POD);
    let file = source_file(&fixture.text);
    let items = completion(&file, cursor, &samples, &Resources::default());
    (fixture.text, items)
}

/// Compares the first items, each with its detail.
#[track_caller]
fn check(source: &str, count: usize, expected: &Expect) {
    let (_, items) = offered(source);
    let mut shown = String::new();
    for item in items.iter().take(count) {
        let detail = item.detail.as_deref().unwrap_or("-");
        writeln!(shown, "{:?} {}: {detail}", item.kind, item.label).unwrap();
    }
    expected.assert_eq(&shown);
}

/// Returns the line of the file after the item `label` is accepted, with `|` at the cursor.
#[track_caller]
fn taken(source: &str, label: &str) -> String {
    let (text, items) = offered(source);
    let labels: Vec<&str> = items.iter().map(|item| item.label.as_str()).collect();
    let item = items
        .iter()
        .find(|item| item.label == label)
        .unwrap_or_else(|| panic!("{label} is not offered, but {labels:?}"));
    let mut edit = item.edit.clone();
    if let Some(stop) = item.stops.last() {
        edit.insert.insert(stop.start as usize, '|');
    }
    let after = apply_edits(&text, &[edit]).unwrap();
    let mut lines = after.lines().zip(text.lines().chain(std::iter::repeat("")));
    let changed = lines.find(|(after, before)| after != before);
    changed
        .map(|(after, _)| after.trim().to_owned())
        .unwrap_or_default()
}

fn validation(expression: &str) -> String {
    policy(&format!("  validations:\n    - expression: {expression}\n"))
}

#[test]
fn an_expression_begins_with_a_root() {
    check(
        &validation("$0"),
        8,
        &expect![[r#"
            Variable object: dyn
            Macro has: has(object.field) -> bool
            Variable request: kubernetes.AdmissionRequest
            Variable oldObject: dyn
            Variable namespaceObject: kubernetes.Namespace
            Variable authorizer: kubernetes.authorization.Authorizer
            Function matches: matches(string, string) -> bool
            Function size: size(bytes) -> int
        "#]],
    );
    let with_variables = policy(
        "  variables: [{name: a, expression: '1'}]\n  paramKind: {apiVersion: v1, kind: ConfigMap}
  validations:\n    - {expression: 'true', messageExpression: p$0}\n",
    );
    check(
        &with_variables,
        6,
        &expect![[r#"
            Variable params: dyn
            Variable namespaceObject: kubernetes.Namespace
            Function ip: ip(string) -> net.IP
            Function isIP: isIP(string) -> bool
            Namespace optional: -
            Function timestamp: timestamp(timestamp) -> timestamp
        "#]],
    );
    assert_eq!(taken(&validation("$0"), "object"), "- expression: object");
    assert_eq!(
        taken(&validation("has(obj$0)"), "object"),
        "- expression: has(object)"
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn samples_say_what_an_object_has() {
    check(
        &validation("object.spec.$0"),
        3,
        &expect![[r#"
            Field template: PodTemplateSpec
            Field selector: LabelSelector
            Field replicas: int
        "#]],
    );
    check(
        &validation("object.spec.template.spec.containers.all(c, c.$0"),
        4,
        &expect![[r#"
            Field name: string
            Field image: string
            Field securityContext: SecurityContext
            Field resources: ResourceRequirements
        "#]],
    );
    check(
        &validation("object.metadata.labels.$0"),
        2,
        &expect![[r#"
        Field app.kubernetes.io/name: string
        Field tier: string
    "#]],
    );
    let labels = validation("object.metadata.labels.$0");
    // In a flow collection, brackets would be YAML syntax.
    let in_braces = policy("  validations: [{expression: object.metadata.labels.$0}]\n");
    let (_, items) = offered(&in_braces);
    assert!(
        items
            .iter()
            .all(|item| item.label != "app.kubernetes.io/name")
    );
    assert_eq!(
        taken(&labels, "app.kubernetes.io/name"),
        "- expression: object.metadata.labels['app.kubernetes.io/name']"
    );
    let key = validation("\"object.metadata.labels['ti$0']\"");
    assert_eq!(
        taken(&key, "tier"),
        "- expression: \"object.metadata.labels['tier']\""
    );
}

#[test]
fn a_key_without_quotes_is_written_with_them() {
    for index in ["$0]", "?$0]", "$0"] {
        let source = validation(&format!(">-\n        object.metadata.labels[{index}"));
        check(
            &source,
            3,
            &expect![[r#"
                Field 'app.kubernetes.io/name': string
                Field 'tier': string
                Field 'app.kubernetes.io/instance': -
            "#]],
        );
    }
    let source = validation("object.metadata.labels.all(k, object.metadata.labels[$0] != '')");
    let (_, items) = offered(&source);
    let place = |label| items.iter().position(|item| item.label == label);
    assert!(place("'tier'") < place("k") && place("k") < place("object"));
    let (_, items) = offered(&validation("object.spec.template.spec.containers[$0]"));
    assert!(!items.iter().any(|item| item.label.starts_with('\'')));
    assert_eq!(
        taken(&validation("'object.metadata.labels[ti$0]'"), "'tier'"),
        "- expression: 'object.metadata.labels[''tier'']'"
    );
}

#[test]
fn the_first_argument_of_a_macro_is_a_new_variable() {
    let containers = "object.spec.template.spec.containers";
    for (call, name) in [
        (".all($0", "c"),
        (".all($0)", "c"),
        (".all(c$0, true)", "c"),
        (".map(c, c.image).all($0, true)", "c"),
        (".all(c, c.ports.exists($0))", "p"),
        (".transformList($0)", "i"),
        ("[0].resources.limits.exists($0)", "k"),
    ] {
        let (_, items) = offered(&validation(&format!("{containers}{call}")));
        let labels: Vec<&str> = items.iter().map(|item| item.label.as_str()).collect();
        assert_eq!(labels, [name], "{call}");
    }
}

#[test]
fn variables_are_followed_to_the_samples() {
    let source = policy(
        "
  variables:
    - name: containers
      expression: object.spec.template.spec.containers
    - name: later
      expression: variables.$0
  validations:
    - expression: variables.containers.exists(c, has(c.ports))
",
    );
    check(
        &source,
        3,
        &expect![[r#"
        Field containers: dyn
    "#]],
    );
    let source = source.replace("$0", "x").replace("has(c.ports)", "c.$0");
    check(
        &source,
        3,
        &expect![[r#"
            Field name: string
            Field image: string
            Field securityContext: SecurityContext
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn functions_fit_the_type() {
    check(
        &validation("request.name.$0"),
        4,
        &expect![[r#"
            Method startsWith: string.startsWith(string) -> bool
            Method contains: string.contains(string) -> bool
            Method endsWith: string.endsWith(string) -> bool
            Method matches: string.matches(string) -> bool
        "#]],
    );
    check(
        &validation("request.$0"),
        4,
        &expect![[r#"
            Field operation: string
            Field userInfo: kubernetes.UserInfo
            Field namespace: string
            Field name: string
        "#]],
    );
    check(
        &validation("optional.$0"),
        4,
        &expect![[r#"
            Function none: optional.none() -> optional_type(V)
            Function of: optional.of(V) -> optional_type(V)
            Function ofNonZeroValue: optional.ofNonZeroValue(V) -> optional_type(V)
            Function unwrap: optional.unwrap(list(optional_type(V))) -> list(V)
        "#]],
    );
    check(
        &validation("'[1, 2].$0'"),
        4,
        &expect![[r#"
            Macro all: list.all(x, condition) -> bool
            Macro exists: list.exists(x, condition) -> bool
            Method sum: list(int).sum() -> int
            Macro filter: list.filter(x, condition) -> list
        "#]],
    );
    assert_eq!(
        taken(&validation("request.name.sta$0"), "startsWith"),
        "- expression: request.name.startsWith(|)"
    );
    assert_eq!(
        taken(&validation("request.name.sta$0('a')"), "startsWith"),
        "- expression: request.name.startsWith('a')"
    );
    assert_eq!(
        taken(&validation("'[1].al$0'"), "all"),
        "- expression: '[1].all(x, x|)'"
    );
    assert_eq!(
        taken(
            &validation("object.spec.template.spec.containers.exi$0"),
            "exists"
        ),
        "- expression: object.spec.template.spec.containers.exists(c, c.|)"
    );
}

#[test]
fn fields_of_objects_that_are_built_are_offered() {
    let source = "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: demo}
spec:
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: >-
          [JSONPatch{op: 'add', $0}]
";
    check(
        source,
        5,
        &expect![[r#"
            Field path: string
            Field value: dyn
        "#]],
    );
    assert_eq!(taken(source, "path"), "[JSONPatch{op: 'add', path: }]");
}

#[test]
fn every_style_of_scalar_is_written_as_it_wants() {
    let key = "object.metadata.labels.$0";
    let taken = |expression: &str| taken(&validation(expression), "app.kubernetes.io/name");
    assert_eq!(
        taken(&format!("'{key}'")),
        "- expression: 'object.metadata.labels[''app.kubernetes.io/name'']'"
    );
    assert_eq!(
        taken(&format!("\"'\\u00e9😀' == {key}\"")),
        "- expression: \"'\\u00e9😀' == object.metadata.labels['app.kubernetes.io/name']\""
    );
    assert_eq!(
        taken(&format!(">-\n        true &&\n        {key}")),
        "object.metadata.labels['app.kubernetes.io/name']"
    );
    assert_eq!(
        taken(&format!("|\r\n        '😀' == 'é' ||\r\n        {key}\r\n")),
        "object.metadata.labels['app.kubernetes.io/name']"
    );
}

#[test]
fn an_expression_goes_on_behind_its_end() {
    assert_eq!(
        taken(&validation("1 == $0"), "object"),
        "- expression: 1 == object"
    );
    assert_eq!(
        taken(&validation("|\n        true &&\n        $0"), "object"),
        "object"
    );
    assert_eq!(taken(&validation(">\n        $0"), "object"), "object");
    let bare = policy("  validations:\n    - expression:$0\n");
    assert_eq!(taken(&bare, "object"), "- expression: object");
}

#[test]
fn nothing_is_offered_in_texts_numbers_and_comments() {
    for expression in [
        "\"'a$0'\"",
        "1$0",
        "\"true // a$0\"",
        "object $0",
        "x.$0y.z('",
    ] {
        let (_, items) = offered(&validation(expression));
        let only_members = items
            .iter()
            .all(|item| item.kind != CompletionKind::Variable);
        assert!(only_members, "{expression}: {items:?}");
    }
    let key = policy("  validations:\n    - expressi$0on: 'true'\n");
    assert_eq!(labels(&key, 1), ["expression"]);
    assert_eq!(
        taken(&key.replace("expressi$0on", "mess$0"), "message"),
        "- message: 'true'"
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn rules_of_a_definition_see_their_schema() {
    let source = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: points.example.com}
spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              x-max: {type: integer}
              list: {type: array, items: {type: object, properties: {name: {type: string}}}}
            x-kubernetes-validations:
            - rule: 'self.list.all(e, e.$0'
";
    check(
        source,
        1,
        &expect![[r#"
        Field name: string
    "#]],
    );
    check(
        &source.replace("self.list.all(e, e.$0", "self.$0"),
        3,
        &expect![[r#"
            Field x__dash__max: int
            Field list: list(selfType.list.@idx)
        "#]],
    );
    check(
        &source.replace("self.list.all(e, e.$0", "$0"),
        3,
        &expect![[r#"
            Variable self: selfType
            Macro has: has(object.field) -> bool
            Variable oldSelf: selfType
        "#]],
    );
}

/// Returns the completions that come last because the oldest server of a target lacks them.
#[track_caller]
fn later(target: &str, expression: &str) -> String {
    let text = format!("# kubernetes = \"{target}\"\n{}", validation(expression));
    let (_, items) = offered(&text);
    let is_later = |item: &&Completion| item.rank == RANK_OF_LATER;
    let mut shown = String::new();
    for item in items.iter().filter(is_later) {
        let detail = item.detail.as_deref().unwrap_or("-");
        writeln!(shown, "{}: {detail}", item.label).unwrap();
    }
    let last = items.iter().rev().take_while(is_later);
    assert_eq!(last.count(), shown.lines().count());
    shown
}

#[test]
fn what_the_oldest_server_lacks_comes_last_and_says_so() {
    expect![[r#"
        cidr: cidr(string) -> net.CIDR, since Kubernetes 1.31
        format: since Kubernetes 1.32
        ip: ip(string) -> net.IP, since Kubernetes 1.31
        isCIDR: isCIDR(string) -> bool, since Kubernetes 1.31
        isIP: isIP(string) -> bool, since Kubernetes 1.31
        isSemver: isSemver(string) -> bool, since Kubernetes 1.34
        lists: since Kubernetes 1.35
        semver: semver(string) -> kubernetes.Semver, since Kubernetes 1.34
    "#]]
    .assert_eq(&later("1.30..1.36", "$0"));
    expect![[r#"
        distinct: list(T).distinct() -> list(T), since Kubernetes 1.35
        flatten: list(list(T)).flatten() -> list(T), since Kubernetes 1.35
        major: kubernetes.Semver.major() -> int, since Kubernetes 1.34
        minor: kubernetes.Semver.minor() -> int, since Kubernetes 1.34
        patch: kubernetes.Semver.patch() -> int, since Kubernetes 1.34
        reverse: list(T).reverse() -> list(T), since Kubernetes 1.35
        slice: list(T).slice(int, int) -> list(T), since Kubernetes 1.35
        sort: list(int).sort() -> list(int), since Kubernetes 1.35
        sortBy: list.sortBy(x, key) -> list, since Kubernetes 1.35
    "#]]
    .assert_eq(&later("1.33..1.36", "dyn([1]).$0"));
    assert_eq!(later("1.36", "$0"), "");
    assert_eq!(later("1.30", "$0"), "");
}

#[test]
fn schemas_know_the_fields_of_objects() {
    let params = "  paramKind: {apiVersion: v1, kind: ConfigMap}\n";
    check(
        &policy(&format!(
            "{params}  validations:\n    - expression: params.$0\n"
        )),
        7,
        &expect![[r#"
            Field metadata: ObjectMeta
            Field data: map(string, string)
            Field apiVersion: string
            Field binaryData: map(string, string)
            Field immutable: bool
            Field kind: string
        "#]],
    );
}

#[test]
fn the_fields_of_several_kinds_are_joined() {
    let source =
        validation("object.spec.strategy.$0").replace("[deployments]", "[deployments, daemonsets]");
    check(
        &source,
        2,
        &expect![[r#"
            Field type: string
            Field rollingUpdate: RollingUpdateDeployment
        "#]],
    );
    check(
        &validation("oldObject.spec['$0']"),
        3,
        &expect![[r#"
            Field template: PodTemplateSpec
            Field selector: LabelSelector
            Field replicas: int
        "#]],
    );
    assert_eq!(
        taken(
            &validation("object.spec.template.spec.volumes.exists(v, v.?$0"),
            "hostPath"
        ),
        "- expression: object.spec.template.spec.volumes.exists(v, v.?hostPath",
    );
}

/// Returns the labels of the first `count` completions.
#[track_caller]
fn labels(source: &str, count: usize) -> Vec<String> {
    let (_, items) = offered(source);
    let labels = items.into_iter().map(|item| item.label);
    labels.take(count).collect()
}

#[test]
fn a_value_without_methods_offers_none() {
    for expression in [
        "object.spec.replicas.$0",
        "object.spec.paused.$0",
        "object.spec.missing.$0",
        "missing.$0",
    ] {
        assert_eq!(labels(&validation(expression), 5), [""; 0], "{expression}");
    }
    let of_string = labels(&validation("object.metadata.name.$0"), 99);
    assert_eq!(of_string.len(), 17, "{of_string:?}");
    let of_object = labels(&validation("object.spec.$0"), 99);
    assert!(!of_object.contains(&"all".to_owned()), "{of_object:?}");
    let of_optional = labels(&validation("object.spec.?replicas.$0"), 1);
    assert_eq!(of_optional, ["orValue"]);
    assert_eq!(labels(&validation("\"'%s'.$0\""), 1), ["format"]);
}

#[test]
fn a_name_that_the_policy_uses_comes_first() {
    let source = policy(
        "
  validations:
    - expression: object.spec.minReadySeconds > 1
    - expression: object.spec.$0
",
    );
    assert_eq!(labels(&source, 2), ["minReadySeconds", "template"]);
}

#[test]
fn a_string_offers_what_the_other_operand_can_be() {
    let all = |expression: &str| labels(&validation(expression), 9);
    assert_eq!(all("request.operation == '$0'"), ["UPDATE"]);
    assert_eq!(
        all("object.spec.strategy.type == \"$0\""),
        ["RollingUpdate", "Recreate"]
    );
    assert_eq!(
        all("\"'$0' != object.spec.strategy.type\""),
        ["RollingUpdate", "Recreate"]
    );
    assert_eq!(
        all("object.spec.strategy.type in ['Recreate', '$0']"),
        ["RollingUpdate"]
    );
    assert_eq!(
        all("object.spec.template.spec.containers.all(c, c.image == '$0')"),
        ["nginx:1", "nginx:2"]
    );
    assert_eq!(
        labels(&validation("\"'$0' in object.metadata.labels\""), 2),
        ["app.kubernetes.io/name", "tier"]
    );
    assert_eq!(all("object.spec.replicas == '$0'"), [""; 0]);
    assert_eq!(
        taken(
            &validation("\"'Re$0' == object.spec.strategy.type\""),
            "Recreate"
        ),
        "- expression: \"'Recreate' == object.spec.strategy.type\""
    );
}

#[test]
fn arguments_of_the_authorizer_offer_what_it_can_be_asked() {
    let all = |expression: &str| labels(&validation(expression), 99);
    assert_eq!(
        all("authorizer.group('apps').resource('$0')"),
        [
            "controllerrevisions",
            "daemonsets",
            "deployments",
            "replicasets",
            "statefulsets"
        ]
    );
    let verbs = all("authorizer.group('apps').resource('deployments').check('$0')");
    assert_eq!(verbs.first().map(String::as_str), Some("get"));
    assert!(all("authorizer.group('$0')").contains(&"apps".to_owned()));
    assert!(all("format.named('$0')").contains(&"dns1123Label".to_owned()));
    assert_eq!(all("object.metadata.name.startsWith('$0')"), [""; 0]);
}

/// Returns a mutating policy for Deployments.
fn mutation(patch: &str, expression: &str) -> String {
    let field = match patch {
        "JSONPatch" => "jsonPatch",
        _ => "applyConfiguration",
    };
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {{name: demo}}
spec:
  matchConstraints:
    resourceRules:
    - {{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}}
  mutations:
    - patchType: {patch}
      {field}:
        expression: >-
          {expression}
"
    )
}

#[test]
fn types_of_a_mutation_have_the_fields_of_the_kinds() {
    let apply = |expression: &str| mutation("ApplyConfiguration", expression);
    assert_eq!(labels(&apply("Object{$0}"), 2), ["spec", "metadata"]);
    assert_eq!(
        taken(&apply("Object{sp$0}"), "spec"),
        "Object{spec: Object.spec{|}}"
    );
    let spec = "Object{spec: Object.spec{$0, paused: true}}";
    let fields = labels(&apply(spec), 99);
    assert_eq!(fields.first().map(String::as_str), Some("template"));
    assert!(!fields.contains(&"paused".to_owned()), "{fields:?}");
    assert_eq!(
        taken(&apply(spec), "replicas"),
        "Object{spec: Object.spec{replicas: |, paused: true}}"
    );
    assert_eq!(
        taken(&apply("Object{metadata: Object.metadata{$0}}"), "labels"),
        "Object{metadata: Object.metadata{labels: {|}}}"
    );
    let containers = "Object.spec.template.spec{$0}";
    assert_eq!(
        taken(&apply(containers), "containers"),
        "Object.spec.template.spec{containers: [Object.spec.template.spec.containers{|}]}"
    );
    assert_eq!(
        labels(&apply("Object.spec.$0"), 9),
        ["template", "selector", "strategy"]
    );
    assert_eq!(
        labels(&apply("Object.spec.strategy{type: '$0'}"), 9),
        ["RollingUpdate", "Recreate"]
    );
}

#[test]
fn json_patches_offer_operations_and_paths() {
    let patch = |fields: &str| mutation("JSONPatch", &format!("[JSONPatch{{{fields}}}]"));
    assert_eq!(
        labels(&patch("op: '$0'"), 9),
        ["add", "replace", "remove", "test", "copy", "move"]
    );
    assert_eq!(
        labels(&patch("op: 'add', path: '/spec/$0'"), 3),
        ["/spec/template", "/spec/selector", "/spec/replicas"]
    );
    assert_eq!(
        taken(&patch("path: '/spec/str$0'"), "/spec/strategy"),
        "[JSONPatch{path: '/spec/strategy'}]"
    );
    assert_eq!(
        labels(&patch("path: '/spec/template/spec/containers/0/$0'"), 1),
        ["/spec/template/spec/containers/0/name"]
    );
    assert_eq!(
        labels(&patch("path: '/spec/template/spec/containers/$0'"), 1),
        ["/spec/template/spec/containers/-"]
    );
}

#[test]
fn what_has_the_expected_type_comes_first() {
    let first = |expression: &str| labels(&validation(expression), 1);
    assert_eq!(first("object.spec.$0 > 1"), ["replicas"]);
    assert_eq!(first("\"!object.spec.$0\""), ["paused"]);
    assert_eq!(first("object.spec.paused && object.spec.$0"), ["paused"]);
    assert_eq!(
        first("object.metadata.name.size() < object.spec.$0"),
        ["replicas"]
    );
    let source = policy(
        "
  variables:
    - {name: all, expression: object.spec.template}
    - {name: small, expression: 1 < 2}
  validations:
    - expression: variables.$0
",
    );
    assert_eq!(labels(&source, 2), ["small", "all"]);
}

#[test]
fn what_is_always_null_is_not_offered() {
    let condition = "  matchConditions:\n    - {name: a, expression: $0}\n";
    let names = labels(&policy(condition), 99);
    assert!(names.contains(&"object".to_owned()), "{names:?}");
    assert!(!names.contains(&"namespaceObject".to_owned()), "{names:?}");
}

#[test]
fn an_unknown_name_offers_nothing_at_any_depth() {
    let all = |expression: &str| labels(&validation(expression), 9);
    assert_eq!(all("nothing.$0"), [""; 0]);
    assert_eq!(all("nothing.spec.$0"), [""; 0]);
    assert_eq!(all("object.spec.nothing.more.$0"), [""; 0]);
}

#[test]
fn the_variables_of_a_macro_without_a_body_are_offered() {
    let first = |expression: &str| labels(&validation(expression), 2);
    let containers = "object.spec.template.spec.containers";
    assert_eq!(first(&format!("{containers}.all(c, $0)"))[0], "c");
    let nested = format!("{containers}.all(c, c.ports.exists(p, $0))");
    assert_eq!(first(&nested), ["c", "p"]);
}

#[test]
fn a_long_list_keeps_what_fits_the_typed_letters() {
    let fields = (0..600).map(|it| format!("  field{it}: {it}\n"));
    let start = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n";
    let sample = start.to_owned() + &fields.collect::<String>();
    let samples = samples::read(Path::new("demo.yaml"), &sample);
    let text = untyped_policy("  validations:\n    - expression: object.spec.d599$0\n");
    let fixture = Fixture::parse(&text);
    let file = source_file(&fixture.text);
    let cursor = fixture.cursor.unwrap();
    let items = completion(&file, cursor, &samples, &Resources::default());
    assert_eq!(items.len(), MAX_COMPLETIONS);
    assert_eq!(items[0].label, "field599");
}

#[test]
fn objects_of_unknown_kinds_have_metadata() {
    let of = |expression: &str| {
        let rest = format!("  validations:\n    - expression: {expression}\n");
        labels(&untyped_policy(&rest), 99)
    };
    assert_eq!(of("object.$0"), ["spec", "metadata", "apiVersion", "kind"]);
    assert_eq!(of("oldObject.metadata.$0").first().unwrap(), "name");
    assert_eq!(of("object.metadata.name.$0").first().unwrap(), "startsWith");
    let unknown = of("object.spec.$0");
    assert!(unknown.contains(&"startsWith".to_owned()), "{unknown:?}");
    assert!(!unknown.contains(&"orValue".to_owned()), "{unknown:?}");
}

#[test]
fn a_name_that_a_rule_does_not_have_offers_nothing() {
    let of = |rule: &str| {
        let schema = format!(
            "
        properties:
          spec: {{type: object, properties: {{size: {{type: integer}}}}}}
        x-kubernetes-validations:
        - rule: {rule}
"
        );
        labels(&crd(&schema), 3)
    };
    for rule in [
        "nosuch.$0",
        "object.$0",
        "request.$0",
        "self.nosuch.$0",
        "self.spec.nosuch.$0",
    ] {
        assert_eq!(of(rule), [""; 0], "{rule}");
    }
    assert_eq!(of("self.$0"), ["spec", "metadata", "kind"]);
    assert_eq!(of("self.spec.$0"), ["size"]);
}
