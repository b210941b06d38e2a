//! Values outside an enumeration.

use crate::fixture::{apply, binding, changes, check_diagnostics, crd, findings, fixed, policy};
use expect_test::expect;

#[test]
fn the_values_are_listed() {
    check_diagnostics(&policy(
        "
  failurePolicy: \"fail\"
                #^^^^^^ error[unsupported-value]: `spec.failurePolicy` cannot be `fail`. Use `Fail` or `Ignore`.
  validations:
    - expression: 'true'
      reason: Nope
             #^^^^ error[unsupported-value]: Use `Forbidden`, `Invalid` or `RequestEntityTooLarge`.
    - expression: 'true'
      reason: Invalid
",
    ));
}

#[test]
fn the_nearest_value_is_offered_in_the_same_quotes() {
    let text = policy("  failurePolicy: \"fial\"\n  validations: [{expression: 'true'}]\n");
    expect![[r#"
        -  failurePolicy: "fial"
        +  failurePolicy: "Fail"
    "#]]
    .assert_eq(&changes(&text, &fixed(&text, "unsupported-value")));
}

#[test]
fn a_value_with_nothing_near_is_removed_from_its_list() {
    let text = "apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: demo}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
      - {apiGroups: [apps], apiVersions: [v1], operations: [create, DELETE], resources: [deployments]}
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: >-
          [JSONPatch{op: 'replace', path: '/spec/replicas', value: 1}]
";
    let mut fixes: Vec<_> = findings(text).into_iter().flat_map(|it| it.fixes).collect();
    let fix = fixes.pop().unwrap();
    assert_eq!(fix.title, "Remove `DELETE`");
    let titles: Vec<&str> = fixes.iter().map(|fix| &*fix.title).collect();
    // The API server reports the value twice: the second check also rejects `DELETE`.
    assert_eq!(titles, ["Change to `CREATE`", "Change to `CREATE`"]);
    let after = apply(text, &fix);
    assert!(after.contains("operations: [create],"), "{after}");
}

#[test]
fn abbreviations_and_words_of_other_languages() {
    let selector = |operator: &str| {
        binding(
            "b",
            &format!(
                "policyName: p\n  matchResources:\n    objectSelector:\n      matchExpressions:\n        - {{key: a, operator: {operator}, values: [b]}}"
            ),
        )
    };
    for (written, right) in [("Equals", "In"), ("'!='", "NotIn"), ("notin", "NotIn")] {
        let text = selector(written);
        let found = findings(&text);
        assert_eq!(found.len(), 1, "{written}");
        assert_eq!(found[0].code, "unsupported-value");
        assert_eq!(found[0].fixes[0].title, format!("Change to `{right}`"));
    }
    for (written, right) in [("int", "integer"), ("bool", "boolean"), ("list", "array")] {
        let text = crd(&format!(
            "\n        properties:\n          a: {{type: {written}}}\n"
        ));
        let found = findings(&text);
        assert_eq!(found[0].fixes[0].title, format!("Change to `{right}`"));
    }
}
