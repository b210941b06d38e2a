//! Bindings with different actions for the same objects.

use crate::fixture::{binding, check_project, named_policy, project};

const LABEL: &str =
    "                    #^^^^^^^^^^^^^ information[conflicting-bindings]: `deny` denies\n";

/// Returns a policy, a binding that denies, and one with weaker actions.
fn files() -> String {
    let audit = binding("audit", "policyName: demo").replace("[Deny]\n", "[Audit, Warn]\n");
    project([
        ("policies/policy.yaml", &named_policy("demo")),
        ("policies/deny.yaml", &binding("deny", "policyName: demo")),
        ("policies/audit.yaml", &audit),
    ])
}

#[test]
fn the_milder_of_two_bindings_has_no_effect() {
    check_project(&format!("{}{LABEL}", files()));
}

#[test]
fn bindings_for_other_objects_or_clusters_are_fine() {
    let quiet = files();
    let narrowed =
        format!("{quiet}  matchResources: {{namespaceSelector: {{matchLabels: {{a: b}}}}}}\n");
    check_project(&narrowed);
    check_project(&quiet.replace("policies/audit.yaml", "test/audit.yaml"));
    check_project(&quiet.replace("[Audit, Warn]", "[Deny]"));
}
