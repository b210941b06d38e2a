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

#[test]
fn directive_hides_every_document_after_it() {
    let policy = policy("  validations: [{expression: 'true'}]\n");
    for directive in ["%YAML 1.1", "%TAG ! tag:a,2000:", "%😀"] {
        for text in [
            format!("{directive}\n---\n{policy}"),
            format!("# c\r\n\r\n{directive}\r\n---\r\nkind: ConfigMap\r\n---\r\n{policy}"),
            format!("{directive}\n{policy}"),
        ] {
            let found = findings(&text);
            let places = found.iter().map(|it| (it.code, slice(&text, it.range)));
            assert_eq!(
                places.collect::<Vec<_>>(),
                [("yaml-syntax", directive)],
                "{text}"
            );
        }
        let other = format!("{directive}\n---\nkind: ConfigMap # ValidatingAdmissionPolicy\n");
        assert_eq!(codes(&other), [""; 0]);
    }
}

#[test]
fn byte_order_mark_hides_the_first_key() {
    let policy = policy("  validations: [{expression: 'true'}]\n");
    for text in [
        format!("---\n\u{FEFF}{policy}"),
        format!("kind: ConfigMap\napiVersion: v1\n\u{FEFF}---\n{policy}"),
    ] {
        let found = findings(&text);
        let places = found.iter().map(|it| (it.code, slice(&text, it.range)));
        assert_eq!(
            places.collect::<Vec<_>>(),
            [("yaml-syntax", "\u{FEFF}")],
            "{text}"
        );
    }
    assert_eq!(codes(&format!("a: 1\n---\n\u{FEFF}{policy}")), [""; 0]);
}

#[test]
fn list_of_policies_is_no_document() {
    let item = "apiVersion: admissionregistration.k8s.io/v1\n  kind: ValidatingAdmissionPolicy\n";
    let text = format!("# 😀\n- a: b\n- {item}");
    let [found] = findings(&text).try_into().unwrap();
    assert_eq!(
        (found.code, slice(&text, found.range)),
        ("yaml-syntax", "-")
    );
    let text =
        "[{\"kind\": \"CustomResourceDefinition\", \"apiVersion\": \"apiextensions.k8s.io/v1\"}]";
    assert_eq!(codes(text), ["yaml-syntax"]);
    for text in [
        "- kind: ValidatingAdmissionPolicy\n  apiVersion: example.com/v1\n",
        "- op: add\n  path: /kind\n  value: ValidatingAdmissionPolicy\n",
    ] {
        assert_eq!(codes(text), [""; 0], "{text}");
    }
}

#[test]
fn comment_before_json_is_reported() {
    let json = "{\"apiVersion\": \"admissionregistration.k8s.io/v1\", \"kind\": \
                \"ValidatingAdmissionPolicyBinding\", \"metadata\": {\"name\": \"a\"}, \"spec\": \
                {\"policyName\": \"a\", \"validationActions\": [\"Deny\"]}}";
    let text = format!("/* 😀 */{json}");
    let found = findings(&text);
    let errors = found.iter().filter(|it| it.code == "yaml-syntax");
    let places: Vec<_> = errors.map(|it| slice(&text, it.range)).collect();
    assert_eq!(places, ["/* 😀 */"]);
}
