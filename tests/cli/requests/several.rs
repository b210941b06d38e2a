//! `eval` and `test`: several inputs, and several bindings that say the same.

use super::*;

#[test]
fn an_input_for_a_policy_that_is_not_there_is_a_mistake() {
    let policy = policy("  validations: [{expression: 'true'}]\n");
    let input = "policy: gard\nobject: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n";
    let said = expect![[r#"
        error: Policy `gard` not found in p.yaml. Did you mean `guard`?
         --> i.yaml:1:9
          |
        1 | policy: gard
          |         ^^^^

    "#]];
    inputs(&policy, input, 2, &said);
    let files = [
        ("p.yaml", policy.as_str()),
        ("p.inputs.yaml", input),
        (
            "p.inputs/other.yaml",
            "object: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\n",
        ),
    ];
    let run = Project::new(&files).run(["eval", "p.yaml"]);
    assert_eq!(run.code, 2);
    assert!(run.stdout.starts_with("other ("), "{}", run.stdout);
    run.reports("p.inputs.yaml:1:9");
}

#[test]
fn bindings_that_say_the_same_say_it_once() {
    let policy =
        policy("  validations:\n    - {expression: has(object.data), message: data is missing}\n");
    let bindings = [
        binding("a", "Deny", ""),
        binding("b", "Deny, Audit", ""),
        binding("c", "Warn", ""),
    ];
    let bindings = bindings.join("---\n");
    let files = [
        ("p.yaml", policy.as_str()),
        ("bindings.yaml", bindings.as_str()),
        (
            "p.inputs.yaml",
            "name: i\nobject: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}\nexpect: allow\n",
        ),
    ];
    let run = Project::new(&files).run(["eval", "p.yaml"]);
    let said = |words: &str| run.stdout.matches(words).count();
    assert_eq!(
        said("error: denied: data is missing (2 bindings)\n"),
        1,
        "{}",
        run.stdout
    );
    assert_eq!(
        said("warning: warned about: data is missing\n"),
        1,
        "{}",
        run.stdout
    );
    assert_eq!(said("Denied: "), 2, "{}", run.stdout);
    let run = Project::new(&files).run(["test"]);
    let words = "does not hold: data is missing (3 bindings)";
    assert_eq!(run.stdout.matches(words).count(), 1, "{}", run.stdout);
}

#[test]
fn inputs_beside_the_policy_need_no_argument() {
    let policy = policy("  validations: [{expression: 'size(object.metadata.name) > 1'}]\n");
    let files = [
        ("p.yaml", policy.as_str()),
        (
            "p.inputs.yaml",
            "name: long\nobject: {apiVersion: v1, kind: ConfigMap, metadata: {name: aa}}\n---\nname: short\nobject: {apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n",
        ),
    ];
    check(
        &files,
        &["--name", "long"],
        0,
        &expect![[r#"
            long (p.inputs.yaml)
            Allowed: CREATE of configmaps (v1) by guard (no binding found, assuming Deny; cost 5)
            HTTP 201: allowed
            note: not validated here: the total size
        "#]],
    );
    check(
        &files,
        &[],
        1,
        &expect![[r#"
            long (p.inputs.yaml)
            Allowed: CREATE of configmaps (v1) by guard (no binding found, assuming Deny; cost 5)
            HTTP 201: allowed
            note: not validated here: the total size

            short (p.inputs.yaml)
            error: denied: failed expression: size(object.metadata.name) > 1
             --> p.yaml:6:30
              |
            6 |   validations: [{expression: 'size(object.metadata.name) > 1'}]
              |                              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^

            Denied: CREATE of configmaps (v1) by guard (no binding found, assuming Deny; cost 5)
            HTTP 422 Invalid: configmaps "a" is forbidden: ValidatingAdmissionPolicy 'guard' denied request: failed expression: size(object.metadata.name) > 1
        "#]],
    );
}
