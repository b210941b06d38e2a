//! Harmless warnings in the status.

use crate::fixture::{check_diagnostics, findings, fixed, policy, validation};

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
                                                                             #^^^^^^ information[status-warning]: it has no type for `spec.template.spec.containers[].resources.limits`
",
    ));
}

#[test]
fn objects_are_plain_at_admission() {
    check_diagnostics(&policy_for(
        "",
        "secrets",
        "
  validations:
    - expression: \"!has(object.data) || object.data.all(key, object.data[key] != '')\"
                                                            #^^^^^^^^^^^^^^^^^^^^^^ information[status-warning]: for Secret
    - expression: object['kind'] == 'Secret'
                 #^^^^^^^^^^^^^^ information[status-warning]
    - expression: authorizer.requestResource.check('get').allowed()
                 #^^^^^^^^^^^^^^^^^^^^^^^^^^ information[status-warning]
",
    ));
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
fn dyn_keeps_the_type_checker_from_looking() {
    for (resource, expression, fixed_to) in [
        (
            "/v1/pods",
            "object['kind'] == 'a'",
            "dyn(object)['kind'] == 'a'",
        ),
        (
            "/v1/pods",
            "object.spec.containers.all(c, has(c.resources.limits))",
            "object.spec.containers.all(c, has(dyn(c).resources.limits))",
        ),
        (
            "/v1/pods",
            "object.metadata.creationTimestamp == '2024-01-01T00:00:00Z'",
            "dyn(object).metadata.creationTimestamp == '2024-01-01T00:00:00Z'",
        ),
    ] {
        let policy = validation(resource, "CREATE", expression);
        let after = fixed(&policy, "status-warning");
        assert_eq!(after, policy.replace(expression, fixed_to));
        assert_eq!(findings(&after), []);
    }
}
