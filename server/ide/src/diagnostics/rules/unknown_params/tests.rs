//! Parameters that are not in the project.

use crate::fixture::{check_project, check_project_with};
use crate::project::Project;

const FILES: &str = "\
//- policy.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
  validations:
    - expression: params.data.a == object.metadata.name
//- binding.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: b
spec:
  policyName: demo
  paramRef: {name: limtis, parameterNotFoundAction: Deny}
                  #^^^^^^ information[unknown-params]: Did you mean `limits`?
  validationActions: [Deny]
//- params.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: limits
";

#[test]
fn a_name_that_is_close_is_the_one_that_is_meant() {
    check_project(FILES);
}

#[test]
fn it_is_silent_where_it_cannot_know() {
    let label = "                  #^^^^^^ information[unknown-params]: Did you mean `limits`?\n";
    let quiet = FILES.replace(label, "");
    check_project_with(&quiet, Project::cut);
    check_project(&quiet.replace("name: limtis", "name: something-else-there"));
    check_project(&quiet.replace("name: limtis", "name: limits"));
}
