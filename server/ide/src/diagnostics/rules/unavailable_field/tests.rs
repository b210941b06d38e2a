//! Fields that an older server does not support.

use crate::fixture::check_diagnostics;

const WEBHOOK: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: demo.example.com
webhooks:
  - name: demo.example.com
    admissionReviewVersions: [v1]
    sideEffects: None
    clientConfig: {url: 'https://example.com/demo'}
    matchConditions:
      - name: demo
        expression: request.operation == 'CREATE'
";

fn webhook(target: &str, mark: &str) -> String {
    let field = "    matchConditions:\n";
    let marked = format!("{field}{mark}");
    format!(
        "# kubernetes = \"{target}\"\n{}",
        WEBHOOK.replace(field, &marked)
    )
}

#[test]
fn a_server_that_does_not_know_a_field_drops_it() {
    check_diagnostics(&webhook(
        "1.26..1.36",
        "   #^^^^^^^^^^^^^^^ error[unavailable-field]: `matchConditions` requires Kubernetes 1.28 \
         or later. The oldest target version is 1.26.\n",
    ));
}

#[test]
fn a_gate_that_is_off_drops_it_too() {
    check_diagnostics(&webhook(
        "1.27",
        "   #^^^^^^^^^^^^^^^ warning[unavailable-field]: unless the feature gate `AdmissionWebhookMatchConditions` is on\n",
    ));
}

#[test]
fn newer_servers_and_no_target_are_silent() {
    check_diagnostics(&webhook("1.28..1.36", ""));
    check_diagnostics(WEBHOOK);
}

#[test]
fn a_kind_that_the_server_does_not_know_is_said_once() {
    check_diagnostics(
        "\
# kubernetes = \"1.27..1.29\"
apiVersion: admissionregistration.k8s.io/v1beta1
           #^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[unavailable-api-version]: requires Kubernetes 1.28 or later
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: demo
spec:
  policyName: demo
  validationActions: [Deny]
",
    );
}
