//! A list in an expression becomes a parameter, in every scalar style.

use crate::code_actions::refactorings::refactorings;
use crate::fixture::{binding, changes, crd, findings, policy};
use crate::project::{FileSummary, Project};
use crate::report::{Safety, Severity};
use crate::{CodeAction, SourceFile};
use expect_test::expect;
use std::path::Path;
use std::sync::Arc;
use text::{TextRange, TextSize, apply_edits};

const LIST: &str = "['a', 'é😀']";

fn validation(expression: &str) -> String {
    policy(&format!(
        "  validations:\n    - message: a\n      expression: {expression}\n"
    ))
}

/// Returns the actions at the first bracket of a list of constants, in a project with this file and
/// another one.
fn actions(text: &str, list: &str, other: &str) -> Vec<CodeAction> {
    let files = [("a.yaml", text), ("b.yaml", other)];
    let files =
        files.map(|(path, text)| Arc::new(FileSummary::read(&Arc::from(Path::new(path)), text)));
    let project = Arc::new(Project::default().with_files(files));
    let file = SourceFile::in_project(text, project).at(Arc::from(Path::new("a.yaml")));
    let at = TextSize::of(text.split_once(list).unwrap().0);
    let mut found = refactorings(&file, TextRange::empty(at));
    found.retain(|it| it.title.starts_with("Replace the list"));
    assert!(found.iter().all(|it| it.safety == Safety::Unsafe));
    found
}

#[track_caller]
fn replaced(text: &str, list: &str) -> String {
    let found = actions(text, list, "");
    let [action] = found.as_slice() else {
        panic!("one action, not {found:?}")
    };
    let after = apply_edits(text, &action.edits).unwrap();
    let problems = |text: &str| {
        let found = findings(text).into_iter();
        found.filter(|it| it.severity >= Severity::Warning).count()
    };
    assert_eq!(problems(&after), problems(text), "{after}");
    after
}

#[test]
fn a_list_becomes_a_value_of_a_config_map_that_the_binding_selects() {
    let text = validation("\"object.metadata.name in ['a', 'b']\"")
        + "---\n"
        + &binding("demo", "policyName: demo");
    expect![[r#"
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata:
          name: demo
        spec:
          paramKind:
            apiVersion: v1
            kind: ConfigMap
          matchConstraints:
            resourceRules:
              - {apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}
          validations:
            - message: a
              expression: "object.metadata.name in params.data.names.split(',')"
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: demo
          namespace: default
        data:
          names: "a,b"
        ---
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicyBinding
        metadata:
          name: demo
        spec:
          paramRef:
            name: demo
            namespace: default
            parameterNotFoundAction: Deny
          policyName: demo
          validationActions: [Deny]
    "#]]
    .assert_eq(&replaced(&text, "['a'"));
}

#[test]
fn a_policy_without_a_binding_gets_one() {
    let text = validation("object.spec.replicas in [1, 3]");
    let after = replaced(&text, "[1");
    let value = "params.data.replicas.split(',').map(item, int(item))";
    for part in [
        &format!("expression: object.spec.replicas in {value}\n"),
        "\n---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\n",
        "\n  paramRef:\n    name: demo\n    namespace: default\n    parameterNotFoundAction: Deny\n---\n",
        "\n  replicas: \"1,3\"\n",
    ] {
        assert!(after.contains(part), "{part}:\n{after}");
    }
}

#[test]
fn the_expression_keeps_its_style() {
    for (written, expected) in [
        (
            format!("object.metadata.name in {LIST} # why"),
            "object.metadata.name in V # why",
        ),
        (
            format!("'object.metadata.name in {}'", LIST.replace('\'', "''")),
            "'object.metadata.name in V'",
        ),
        (
            format!("\"object.metadata.name in {LIST}\""),
            "\"object.metadata.name in V\"",
        ),
        (
            format!("|\n        object.metadata.name in\n          {LIST}"),
            "|\n        object.metadata.name in\n          V",
        ),
        (
            format!(">-\n        object.metadata.name in\n        {LIST}"),
            ">-\n        object.metadata.name in\n        V",
        ),
        (
            format!("\n        object.metadata.name in {LIST}"),
            "\n        object.metadata.name in V",
        ),
    ] {
        for end in ["\n", "\r\n"] {
            let text = validation(&written).replace('\n', end);
            let after = replaced(&text, "['").replace("\r\n", "\n");
            let quote = if expected.starts_with('\'') {
                "''"
            } else {
                "'"
            };
            let value = format!("params.data.names.split({quote},{quote})");
            let expected = format!("expression: {}\n", expected.replace('V', &value));
            assert!(after.contains(&expected), "{expected}:\n{after}");
        }
    }
}

#[test]
fn a_list_in_braces_becomes_a_parameter() {
    let flow = policy(&format!(
        "  validations: [{{expression: \"object.metadata.name in {LIST}\"}}]\n"
    ));
    assert!(
        replaced(&flow, "['")
            .contains("{expression: \"object.metadata.name in params.data.names.split(',')\"}")
    );
}

#[test]
fn equal_lists_become_one_parameter() {
    let text = validation("object.metadata.name in ['a'] || object.metadata.namespace in ['a']");
    let value = "params.data.names.split(',')";
    let expected =
        format!("object.metadata.name in {value} || object.metadata.namespace in {value}\n");
    assert!(replaced(&text, "['a'] ||").contains(&expected));
}

#[test]
fn a_list_of_the_parameters_takes_its_place() {
    let definition = crd(
        "        required: [spec]\n        properties:\n          spec:\n            type: object\n            required: [names]\n            properties:\n              names: {type: array, items: {type: string}}\n              others: {type: array, items: {type: string}}\n              ports: {type: array, items: {type: integer}}\n",
    );
    let text = validation("object.metadata.name in ['a']").replace(
        "spec:\n",
        "spec:\n  paramKind: {apiVersion: example.com/v1, kind: Demo}\n",
    );
    let found = actions(&text, "['a'", &definition);
    let written = found.iter().map(|it| {
        let after = apply_edits(&text, &it.edits).unwrap();
        format!("{}\n{}", it.title, changes(&text, &after))
    });
    expect![[r#"
        Replace the list with `params.spec.names`
        -      expression: object.metadata.name in ['a']
        +      expression: object.metadata.name in params.spec.names
        Replace the list with `params.spec.others`
        -      expression: object.metadata.name in ['a']
        +      expression: object.metadata.name in params.?spec.?others.orValue([])
    "#]]
    .assert_eq(&written.collect::<String>());
}

#[test]
fn a_list_that_is_no_constant_or_has_its_binding_elsewhere_stays() {
    let elsewhere = binding("demo", "policyName: demo");
    for (expression, other) in [
        ("object.metadata.name in ['a,b']", ""),
        (
            "object.metadata.name in ['a', object.metadata.namespace]",
            "",
        ),
        ("object.metadata.name in ['a']", elsewhere.as_str()),
    ] {
        let found = actions(&validation(expression), "['a", other);
        assert_eq!(found, [], "{expression}");
    }
}
