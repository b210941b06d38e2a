//! Errors in inputs, as findings.

use crate::Severity;
use crate::diagnostics::diagnose;
use crate::file::{FileInputs, SourceFile};
use crate::fixture::{changes, check_diagnostics, findings, fixed, render};
use crate::settings::{Level, Settings};
use evaluation::input::{CommentError, InputError, InputErrorKind};
use expect_test::expect;
use text::TextRange;

#[test]
fn every_error_of_an_inputs_file_is_a_finding() {
    check_diagnostics(
        "\
# p.inputs.yaml
objct: {apiVersion: v1, kind: Pod}
#<^^^ error[invalid-input]: Unknown key `objct`. Did you mean `object`?
---
object: {apiVersion: v1, kind: Pod}
expect: {decision: perhaps}
#                  ^^^^^^^ error[invalid-input]: `perhaps` is not a valid value of `decision`.
---
object: {apiVersion: v1, kind: Pod}
name: 'x
#     ^ error[invalid-input]: Missing closing `'` of this string.
",
    );
}

#[test]
fn a_comment_suppresses_the_finding_and_must_have_one() {
    check_diagnostics(
        "\
# p.inputs.yaml
# admissible: ignore[invalid-input] the key is not supported yet
objct: {apiVersion: v1, kind: Pod}
---
object: {apiVersion: v1, kind: Pod} # admissible: ignore[invalid-input]
#                                                        ^^^^^^^^^^^^^ information[unknown-suppression]: no `invalid-input` finding
---
objct: {apiVersion: v1, kind: Pod} # admissible: ignore[invalid-inputs]
#<^^^ error[invalid-input]: Unknown key
#                                                       ^^^^^^^^^^^^^^ information[unknown-suppression]: no rule `invalid-inputs`
",
    );
}

#[test]
fn a_comment_at_the_top_suppresses_the_findings_of_the_file() {
    check_diagnostics(
        "\
# admissible: ignore-file[invalid-input]
# p.inputs.yaml
---
objct: {apiVersion: v1, kind: Pod}
",
    );
}

#[test]
fn a_syntax_error_in_a_policy_is_reported_once() {
    let text = "\
# p.inputs.yaml
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: 'x
";
    expect![[r#"
        4:18-4:19 "'" Error[yaml-syntax]: Missing closing `'` of this string.
    "#]]
    .assert_eq(&render(text, &findings(text)));
}

#[test]
fn settings_and_comments_decide_about_the_comment_of_a_policy() {
    let policy = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b}
spec: {policyName: p, validationActions: [Deny]}
";
    let check = |before: &str, level: Option<Level>| {
        let text = format!("{before}# admissible: input\n{policy}");
        let start = text.find("input\n").unwrap();
        let size = |offset: usize| text::TextSize::try_from(offset).unwrap();
        let error = InputError {
            range: TextRange::new(size(start), size(start + "input".len())),
            kind: InputErrorKind::Comment(CommentError::NoPath),
        };
        let inputs = FileInputs {
            is_inputs_file: false,
            errors: vec![error],
        };
        let mut settings = Settings::default();
        let level = level.map(|level| ("invalid-input".to_owned(), level));
        settings.rules.extend(level);
        let file = SourceFile::new(text.as_str()).with_inputs(inputs);
        render(&text, &diagnose(&file, &settings))
    };
    expect![[r#"
        1:15-1:20 "input" Error[invalid-input]: The comment does not name a file. Write a path relative to this file.
    "#]]
    .assert_eq(&check("", None));
    expect![[r#"
        1:15-1:20 "input" Hint[invalid-input]: The comment does not name a file. Write a path relative to this file.
    "#]]
    .assert_eq(&check("", Some(Level::At(Severity::Hint))));
    assert_eq!(check("", Some(Level::Off)), "");
    let silenced = "# admissible: ignore-file[invalid-input]\n";
    assert_eq!(check(silenced, None), "");
}

#[test]
fn a_word_that_is_probably_meant_is_a_fix() {
    let text = "\
# p.inputs.yaml
object: {apiVersion: v1, kind: Pod}
request: {operation: \"create\"}
expect: {decision: denny}
";
    let once = fixed(text, "invalid-input");
    expect![[r#"
        -request: {operation: "create"}
        -expect: {decision: denny}
        +request: {operation: "CREATE"}
        +expect: {decision: deny}
    "#]]
    .assert_eq(&changes(text, &fixed(&once, "invalid-input")));
}

#[test]
fn an_object_of_a_kind_that_no_server_has_is_reported() {
    let text = "\
# p.inputs.yaml
object: {apiVersion: v1, kind: service}
#                              ^^^^^^^ error[invalid-input]: There is no kind `service` in `v1`. Did you mean `Service`?
---
request: {object: {apiVersion: apps/v1, kind: Service}}
#                                             ^^^^^^^ error[invalid-input]: There is no kind `Service` in `apps/v1`. It is in `v1`.
---
apiVersion: v1
kind: Pods
#     ^^^^ error[invalid-input]: Did you mean `Pod`?
---
object: {apiVersion: example.com/v1, kind: service}
params: [{apiVersion: v1, kind: ConfigMap}, {apiVersion: v1, kind: Limits}]
---
object: {apiVersion: autoscaling/v1, kind: Scale}
---
object: {apiVersion: v1, kind: PodExecOptions}
request: {operation: CONNECT, subResource: exec}
";
    check_diagnostics(text);
}
