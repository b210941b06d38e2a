//! Server bugs that affect a policy.

use crate::fixture::{check_diagnostics, check_project};

fn patch(target: &str, value: &str) -> String {
    format!(
        "\
# kubernetes = \"{target}\"
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {{name: a}}
spec:
  matchConstraints:
    resourceRules: [{{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}}]
  failurePolicy: Fail
  reinvocationPolicy: Never
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: >-
          [JSONPatch{{op: 'replace', path: '/spec/tolerations', value:
           {value}
"
    )
}

/// Returns a value with the finding below it, which covers the whole value.
fn under(value: &str, finding: &str) -> String {
    let carets = "^".repeat(value.chars().count());
    format!("{value}}}]\n          #{carets} {finding}")
}

#[test]
fn an_object_in_a_list_of_a_json_patch_panics() {
    let value = "[Object.spec.tolerations{key: '🌍'}]";
    let panics = "[server-bug]: The API server panics";
    check_diagnostics(&patch("1.36", &under(value, &format!("error{panics}"))));
    check_diagnostics(&patch("1.37", &format!("{value}}}]")));
    check_diagnostics(&patch(
        "1.36..1.37",
        &under(value, &format!("warning{panics}")),
    ));
}

#[test]
fn what_may_be_empty_is_a_warning_and_maps_are_fine() {
    let keys = "['a'].filter(k, k != object.kind).map(k, Object.spec.tolerations{key: k})";
    let finding = "warning[server-bug]: 1.36.0 to 1.36.3";
    check_diagnostics(&patch("1.36", &under(keys, finding)));
    check_diagnostics(&patch("1.36", "[{'key': 'a'}]}]"));
    // A value that is an `Object` itself does not panic, even if it has other errors.
    let object = "Object.spec{a: [Object.spec.a{b: 'c'}]}";
    let finding = "error[json-patch-value]: the value is `Object.spec`";
    check_diagnostics(&patch("1.36", &under(object, finding)));
}

#[test]
fn ranges_are_compared_too_strictly_by_old_servers() {
    let policy = |target: &str, finding: &str| {
        format!(
            "\
# kubernetes = \"{target}\"
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {{name: a}}
spec:
  matchConstraints:
    resourceRules: [{{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}}]
  validations:
    - expression: cidr('10.0.0.0/8').containsCIDR(object.metadata.name)
{finding}"
        )
    };
    let finding =
        "                                    #^^^^^^^^^^^^ warning[server-bug]: 1.32.0 to 1.32.3\n";
    check_diagnostics(&policy("1.32", finding));
    check_diagnostics(&policy("1.32..1.36", finding));
    check_diagnostics(&policy("1.33", ""));
}

fn scalers(name: &str, versions: &str, finding: &str) -> String {
    // A single version has a separate finding.
    let lone = match versions {
        "v1" | "v2" => format!("{:60}#^^ warning[unmergeable-kind]\n", ""),
        _ => String::new(),
    };
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata:
  name: {name}
{finding}spec:
  matchConstraints:
    resourceRules: [{{apiGroups: [autoscaling], apiVersions: [{versions}], operations: [CREATE], resources: [horizontalpodautoscalers]}}]
{lone}  failurePolicy: Fail
  reinvocationPolicy: Never
  mutations:
    - patchType: ApplyConfiguration
      applyConfiguration: {{expression: \"Object{{metadata: Object.metadata{{labels: {{'a': 'b'}}}}}}\"}}
"
    )
}

#[test]
fn policies_for_different_versions_lose_mutations() {
    let finding =
        "       #^^^ warning[server-bug]: mutates another version of `horizontalpodautoscalers`\n";
    check_project(&format!(
        "//- a/one.yaml\n{}//- a/two.yaml\n{}//- b/three.yaml\n{}",
        scalers("one", "v1", finding),
        scalers("two", "v2", finding),
        scalers("more", "v1", "")
    ));
    check_project(&format!(
        "//- a/one.yaml\n{}//- a/two.yaml\n{}",
        scalers("one", "v1, v2", ""),
        scalers("two", "v2", "")
    ));
}
