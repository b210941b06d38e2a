//! Policies without a binding.

use crate::fixture::{binding, check_project, check_project_with, named_policy, project};
use crate::project::Project;

const LABEL: &str = "\n       #^^^^ information[unbound-policy]: has no effect";

/// Returns a policy without a binding, and one with its binding.
fn files() -> String {
    let bound = named_policy("bound") + "---\n" + &binding("b", "policyName: bound");
    let unbound = named_policy(&format!("demo{LABEL}"));
    project([("a.yaml", &unbound), ("b.yaml", &bound)])
}

#[test]
fn a_policy_that_no_binding_names_does_nothing() {
    check_project(&files());
}

#[test]
fn it_is_silent_where_it_cannot_know() {
    let quiet = files().replace(LABEL, "");
    let template = |indent: &str| {
        format!(
            "'{{{{ .Values.name }}}}'\n{indent}#^^^^^^^^^^^^^^^^^^^^ information[not-checked]\n"
        )
    };
    check_project_with(&quiet, Project::cut);
    // A project without any bindings has them elsewhere.
    check_project(quiet.split("---\n").next().unwrap());
    // A template may bind the policy.
    let name = format!("policyName: {}", template("             "));
    check_project(&quiet.replace("policyName: bound\n", &name));
    let name = format!("name: {}", template("       "));
    check_project(
        &quiet
            .replace("policyName: bound", "policyName: demo")
            .replace("name: bound\n", &name),
    );
}
