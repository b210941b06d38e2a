//! Syntax errors are reported only in documents of supported kinds.

use crate::fixture::{check_diagnostics, findings, policy, slice};

fn codes(text: &str) -> Vec<&'static str> {
    findings(text).iter().map(|found| found.code).collect()
}

#[test]
fn an_error_is_found_in_a_policy() {
    let text = policy("  validations:\n    - expression: 'true'\n      message: \"no end\n");
    assert_eq!(codes(&text), ["yaml-syntax"]);
}

#[test]
fn a_document_that_cannot_be_read_at_all_is_ours_by_its_kind() {
    let text = "kind: ValidatingAdmissionPolicy\napiVersion: [\n";
    assert!(codes(text).contains(&"yaml-syntax"));
    let text = "kind: 'CustomResourceDefinition'\n\tapiVersion: v1\n";
    assert!(codes(text).contains(&"yaml-syntax"));
}

#[test]
fn other_documents_are_left_alone() {
    for text in [
        "kind: ConfigMap\ndata: {a: [\n# ValidatingAdmissionPolicy\n",
        "{{ if true }}\nkind: ValidatingAdmissionPolicyStatus\n{{ end }}\n",
        "ValidatingAdmissionPolicy: 'no end\n",
    ] {
        assert_eq!(codes(text), [""; 0], "{text}");
    }
    let after = policy("  validations: [{expression: 'true'}]\n---\nkind: ConfigMap\na: [\n");
    assert_eq!(codes(&after), [""; 0]);
}

#[test]
fn text_after_a_separator_hides_policies_around_it() {
    let policy = policy("  validations: [{expression: 'true'}]\n");
    let other = "kind: ConfigMap\n";
    for text in [
        format!("--- 😀\n{policy}"),
        format!("{policy}--- 😀"),
        format!("--- # c\r\n{}--- 😀\r\n", policy.replace('\n', "\r\n")),
        format!("--- 😀\n{other}---\n{other}---\n{policy}"),
        format!("{other}--- 😀\n---\n---\n{policy}"),
    ] {
        let found = findings(&text);
        let places = found
            .iter()
            .map(|found| (found.code, slice(&text, found.range)));
        assert_eq!(
            places.collect::<Vec<_>>(),
            [("yaml-syntax", "😀")],
            "{text}"
        );
    }
    for text in [
        format!("{policy}---\n{other}--- 😀\n{other}"),
        format!("{policy}---\n--- 😀\n"),
        format!("--- 😀\n{other}"),
    ] {
        assert_eq!(codes(&text), [""; 0], "{text}");
    }
}

#[test]
fn what_kubernetes_ignores_is_said() {
    let text = policy("  validations: [{expression: 'true'}]\n...\nmore: 1\n");
    let [found] = findings(&text).try_into().unwrap();
    assert_eq!(slice(&text, found.range), "more: 1");
    assert!(
        found
            .message
            .starts_with("Kubernetes ignores everything from here to the next `---`")
    );
}

#[test]
fn a_template_is_only_pointed_at() {
    check_diagnostics(
        "\
{{- if .Values.enabled }}
#<^^^^^^^^^^^^^^^^^^^^^^^ information[yaml-syntax]: This document is a template
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  labels:
    {{- include \"labels\" . | nindent 4 }}
spec:
  {{- if .Values.strict }}
  failurePolicy: Fail
  {{- else }}
  failurePolicy: Ignore
  {{- end }}
  validations:
    - mesage: m
      expression: object.spec.replicas < {{ .Values.max }}
    - expression: 'object.spec.replicas << 5'
                                       #^^ error[cel-syntax]
{{- end }}
",
    );
}

#[test]
fn tabs_are_reported_once() {
    let text = policy("  validations:\n\t- expression: 'true'\n\t  message: a\n");
    let found = findings(&text);
    let tabs = found.iter().filter(|it| it.message.contains("tabs"));
    assert_eq!(tabs.count(), 1, "{found:?}");
}
