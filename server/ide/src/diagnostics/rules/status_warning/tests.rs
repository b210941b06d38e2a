//! Harmless warnings in the status.

use crate::fixture::{check_diagnostics, findings, policy};

fn policy_for(group: &str, resources: &str, rest: &str) -> String {
    let text = policy(rest).replace("[apps]", &format!("['{group}']"));
    text.replace(
        "[UPDATE], resources: [deployments]",
        &format!("[CREATE], resources: [{resources}]"),
    )
}

#[test]
fn quantities_have_no_type() {
    check_diagnostics(&policy_for(
        "apps",
        "deployments",
        "
  validations:
    - expression: object.spec.template.spec.containers.all(c, has(c.resources.limits))
                                                                             #^^^^^^ information[status-warning]: no type for `spec.template.spec.containers[].resources.limits`
",
    ));
}

#[test]
fn objects_are_plain_at_admission() {
    for validation in [
        "\"!has(object.data) || object.data.all(key, object.data[key] != '')\"
                                                            #^^^^^^^^^^^^^^^^^^^^^^ information[status-warning]: for Secret",
        "object['kind'] == 'Secret'
                 #^^^^^^^^^^^^^^ information[status-warning]",
        "authorizer.requestResource.check('get').allowed()
                 #^^^^^^^^^^^^^^^^^^^^^^^^^^ information[status-warning]",
    ] {
        let validations = format!("\n  validations:\n    - expression: {validation}\n");
        check_diagnostics(&policy_for("", "secrets", &validations));
    }
}

#[test]
fn a_field_of_some_kinds_behind_a_condition() {
    check_diagnostics(&policy_for(
        "apps",
        "deployments, daemonsets",
        "
  validations:
    - expression: \"!has(object.spec.replicas) || object.spec.replicas < 5\"
                                   #^^^^^^^^ information[status-warning]: DaemonSet has no field `spec.replicas`
                                                            #^^^^^^^^ information[status-warning]: DaemonSet has no field `spec.replicas`
",
    ));
}

#[test]
fn nobody_warns_of_other_expressions() {
    check_diagnostics(&policy_for(
        "",
        "pods",
        "
  variables:
    - {name: limits, expression: 'object.spec.containers.map(c, c.?resources.limits)'}
  validations:
    - expression: variables.limits.size() > 0
",
    ));
}

#[test]
fn a_policy_has_one_warning_for_its_kinds() {
    let limits = "  validations:
    - expression: object.spec.containers.all(c, has(c.resources.limits))
    - expression: object.spec.containers.all(c, 'cpu' in c.resources.limits)
    - expression: object['kind'] == 'Pod'
";
    let found = findings(&policy_for("", "pods", limits));
    let found: Vec<_> = found
        .iter()
        .filter(|it| it.code == "status-warning")
        .collect();
    let [warning] = found.as_slice() else {
        panic!("{found:#?}");
    };
    assert!(warning.message.contains("2 more parts"), "{warning:#?}");
    assert!(warning.fixes.is_empty(), "{warning:#?}");
}
