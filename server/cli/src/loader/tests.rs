//! The surroundings of a policy, and which of two objects with one name is used.

use super::*;
use evaluation::input::{InputKey, Origin, RequestInput};
use evaluation::run::PolicyOutcome;
use std::fs;

const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limit}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
      - {apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}
  validations:
    - expression: object.spec.size < int(params.data.max)
      messageExpression: \"'at most ' + params.data.max\"
";

const BINDING: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: limit}
spec:
  policyName: limit
  validationActions: [Deny]
  paramRef: {name: limits, namespace: ops, parameterNotFoundAction: Deny}
";

const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgetry.x.io}
spec:
  group: x.io
  scope: Cluster
  names: {kind: Gadget, plural: gadgetry}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: {size: {type: integer, default: 7}}
              x-kubernetes-validations:
                - {rule: self.size < 100, message: too large}
";

fn params(max: u32) -> String {
    format!(
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {{name: limits, namespace: ops}}\ndata: \
         {{max: '{max}'}}\n"
    )
}

fn creation(object: cel::Value) -> Arc<Input> {
    Arc::new(Input {
        key: InputKey {
            path: Arc::from(Path::new("")),
            document: 0,
            name: String::new(),
        },
        origin: Origin::Document,
        policies: None,
        request: RequestInput {
            object: Some(object),
            ..RequestInput::default()
        },
        expect: None,
    })
}

/// Returns the response to a gadget by the policy in `p/policy.yaml`.
#[track_caller]
fn answer(files: &[(&str, &str)], gadget: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    let path = folder.path().join("p/policy.yaml");
    let text = TextFile::new("policy.yaml".to_owned(), fs::read_to_string(&path).unwrap());
    let loaded = Loader::new(None).load(&path, text);
    let object = evaluation::run::read_object(gadget).unwrap();
    let prepared = loaded.prepared_input(creation(object));
    let answer = loaded.evaluator().answer(&prepared).unwrap();
    let became = |it: &evaluation::run::PolicyAnswer| match &it.outcome {
        PolicyOutcome::NotEvaluated(why) => why.reason.clone(),
        PolicyOutcome::Unknown(words) | PolicyOutcome::NotConfigured(words) => words.clone(),
        PolicyOutcome::Evaluated(it) => format!("{:?}", it.verdict),
    };
    let policies: Vec<String> = answer
        .policies
        .iter()
        .map(|it| {
            let of = |name: &Option<String>| name.clone().unwrap_or_else(|| "-".to_owned());
            format!("{} {}: {}", of(&it.binding), of(&it.params), became(it))
        })
        .collect();
    let response = answer.response.message.clone();
    [policies, vec![response]].concat().join("\n")
}

const GADGET: &str = "{apiVersion: x.io/v1, kind: Gadget, metadata: {name: g}, spec: {}}";

#[test]
fn what_lies_around_a_policy_is_found_below_its_configuration() {
    let (five, nine) = (params(5), params(9));
    let files = [
        ("admissible.toml", ""),
        ("p/policy.yaml", POLICY),
        ("q/binding.yaml", BINDING),
        ("a/params.yaml", nine.as_str()),
        ("p/params.yaml", five.as_str()),
        ("q/crd.yaml", DEFINITION),
    ];
    // The nearest parameters, the default and the plural name of the definition.
    expect_test::expect![[r#"
        limit ConfigMap ops/limits: Denied
        gadgetry.x.io "g" is forbidden: ValidatingAdmissionPolicy 'limit' with binding 'limit' denied request: at most 5"#]]
    .assert_eq(&answer(&files, GADGET));
}

#[test]
fn a_priority_class_of_the_project_gives_a_pod_its_priority() {
    let policy = POLICY
        .replace("  paramKind: {apiVersion: v1, kind: ConfigMap}\n", "")
        .replace(
            "object.spec.size < int(params.data.max)",
            "object.spec.priority != 7",
        )
        .replace(
            "'at most ' + params.data.max",
            "'priority ' + string(object.spec.priority)",
        );
    let class = "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\n\
                 value: 7\n";
    let files = [
        ("admissible.toml", ""),
        ("p/policy.yaml", policy.as_str()),
        ("q/class.yaml", class),
    ];
    let pod = "{apiVersion: v1, kind: Pod, metadata: {name: g}, spec: {priorityClassName: high, \
               containers: [{name: a, image: a}]}}";
    let words = answer(&files, pod);
    assert!(words.ends_with("denied request: priority 7"), "{words}");
}

#[test]
fn without_a_configuration_the_folder_of_the_policy_counts() {
    let five = params(5);
    let files = [
        ("p/policy.yaml", POLICY),
        ("binding.yaml", BINDING),
        ("p/near/params.yaml", five.as_str()),
    ];
    let gadget = GADGET.replace("spec: {}", "spec: {size: 1}");
    expect_test::expect!["- ConfigMap ops/limits: Allowed\n"].assert_eq(&answer(&files, &gadget));
}

#[test]
fn what_another_configuration_governs_does_not_count() {
    let files = [
        ("admissible.toml", ""),
        ("p/policy.yaml", POLICY),
        ("other/admissible.toml", ""),
        ("other/binding.yaml", BINDING),
        ("other/crd.yaml", DEFINITION),
    ];
    let gadget = GADGET.replace("spec: {}", "spec: {size: 1000}");
    expect_test::expect![[r#"
        - -: Denied
        gadgets.x.io "g" is forbidden: ValidatingAdmissionPolicy 'limit' denied request: expression 'object.spec.size < int(params.data.max)' resulted in error: no such key: data"#]]
    .assert_eq(&answer(&files, &gadget));
}

#[test]
fn the_rules_of_a_definition_are_asked_once() {
    let both = format!("{POLICY}---\n{DEFINITION}");
    let other = DEFINITION.replace("self.size < 100", "false");
    let files = [
        ("admissible.toml", ""),
        ("p/policy.yaml", both.as_str()),
        ("crd.yaml", other.as_str()),
    ];
    let gadget = GADGET.replace("spec: {}", "spec: {size: 1000}");
    expect_test::expect![[r#"
        - -: Denied
        Gadget.x.io "g" is invalid: spec: Invalid value: too large"#]]
    .assert_eq(&answer(&files, &gadget));
}
