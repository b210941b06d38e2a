//! Parameters that are missing from the project.

use crate::fixture::{binding, check_project, check_project_with, params_policy, project};
use crate::project::Project;

const LABEL: &str =
    "\n                  #^^^^^^ information[unknown-params]: Did you mean `limits`?";

/// Returns a policy with its parameters, and a binding that names other parameters.
fn files() -> String {
    let policy = params_policy("ConfigMap", "params.data.a == object.metadata.name");
    let reference = "paramRef: {name: limtis, parameterNotFoundAction: Deny}";
    let binding = binding("b", &format!("policyName: demo\n  {reference}{LABEL}"));
    let params = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: limits\n";
    project([
        ("policy.yaml", &policy),
        ("binding.yaml", &binding),
        ("params.yaml", params),
    ])
}

#[test]
fn a_name_that_is_close_is_the_one_that_is_meant() {
    check_project(&files());
}

#[test]
fn it_is_silent_where_it_cannot_know() {
    let quiet = files().replace(LABEL, "");
    check_project_with(&quiet, Project::cut);
    check_project(&quiet.replace("name: limtis", "name: something-else-there"));
    check_project(&quiet.replace("name: limtis", "name: limits"));
}
