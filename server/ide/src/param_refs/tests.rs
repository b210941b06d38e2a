//! Parameters and the bindings that select them.

use super::{
    files_with_param_refs, files_with_params, param_object, param_refs, param_selection, params,
};
use crate::file::SourceFile;
use crate::fixture::{Fixture, files, params_policy, project};
use expect_test::{Expect, expect};
use text::TextRange;

const OBJECTS: &str = "apiVersion: v1
kind: ConfigMap
metadata:
  name: small
  namespace: shop
  labels: {size: '1', 🦊: \"y\"}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: \"sm\\u0061ll\"}
---
apiVersion: v1
kind: Secret
metadata: {name: small}
";

fn all(binding: &str, objects: &str) -> Vec<(Fixture, SourceFile)> {
    let binding = format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {{name: b}}\nspec:\n  policyName: demo\n  paramRef: {binding}\n"
    );
    let text = project([
        (
            "policy.yaml",
            &*params_policy("ConfigMap", "params != null"),
        ),
        ("binding.yaml", &binding),
        ("objects.yaml", objects),
        (
            "others.yaml",
            "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: other\n",
        ),
    ]);
    files(&text, |project| project)
}

fn line(file: &SourceFile, range: TextRange) -> String {
    let line = file.line_index().line(range.start()) + 1;
    format!("{}:{line} {}\n", file.path().display(), file.slice(range))
}

/// Compares the parameters for the cursor in `paramRef`.
#[track_caller]
fn check(reference: &str, expected: &Expect) {
    for ending in ["\n", "\r\n"] {
        let all = all(reference, &OBJECTS.replace('\n', ending));
        let (fixture, file) = all.iter().find(|(it, _)| it.cursor.is_some()).unwrap();
        let Some((range, selection)) = param_selection(file, fixture.cursor.unwrap()) else {
            return expected.assert_eq("nothing");
        };
        let mut shown = format!("from {}\n", file.slice(range));
        for path in files_with_params(file, &selection) {
            let (_, other) = all.iter().find(|(_, it)| *it.path() == path).unwrap();
            for object in params(other, &selection) {
                assert!(object.whole.contains_range(object.range));
                shown.push_str(&line(other, object.range));
            }
        }
        expected.assert_eq(&shown);
    }
}

#[test]
fn a_name_leads_to_the_objects_of_the_kind() {
    check(
        "{name: sm$0all}",
        &expect![[r#"
            from small
            objects.yaml:4 small
            objects.yaml:10 "sm\u0061ll"
        "#]],
    );
    check(
        "{name: 'small', namespace: sh$0op}",
        &expect![[r#"
            from shop
            objects.yaml:4 small
            objects.yaml:10 "sm\u0061ll"
        "#]],
    );
    check(
        "{name: small, name$0space: other}",
        &expect![[r#"
            from namespace
            objects.yaml:10 "sm\u0061ll"
        "#]],
    );
    check(
        "{name: small, parameterNotFoundAction: De$0ny}",
        &expect!["nothing"],
    );
}

#[test]
fn a_selector_leads_to_the_objects_with_the_labels() {
    check(
        "{selector: {matchLabels: {size: '$01'}, matchExpressions: [{key: 🦊, operator: Exists}]}}",
        &expect![[r#"
            from {matchLabels: {size: '1'}, matchExpressions: [{key: 🦊, operator: Exists}]}
            objects.yaml:4 small
        "#]],
    );
    check(
        "{sel$0ector: {matchLabels: {size: '2'}}}",
        &expect!["from selector\n"],
    );
}

/// Compares the references to the object at the cursor.
#[track_caller]
fn check_back(reference: &str, objects: &str, expected: &Expect) {
    let all = all(reference, objects);
    let (fixture, file) = all.iter().find(|(it, _)| it.cursor.is_some()).unwrap();
    let Some(object) = param_object(file, fixture.cursor.unwrap()) else {
        return expected.assert_eq("nothing");
    };
    let mut shown = String::new();
    for path in files_with_param_refs(file) {
        let (_, other) = all.iter().find(|(_, it)| *it.path() == path).unwrap();
        for range in param_refs(other, &object) {
            shown.push_str(&line(other, range));
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn an_object_leads_to_the_bindings_that_select_it() {
    let at_first = OBJECTS.replacen("name: small", "name: sm$0all", 1);
    check_back(
        "{name: 'small'}",
        &at_first,
        &expect!["binding.yaml:6 'small'\n"],
    );
    check_back(
        "{selector: {}}",
        &at_first,
        &expect!["binding.yaml:6 selector\n"],
    );
    check_back("{name: small, namespace: other}", &at_first, &expect![""]);
    let at_secret = OBJECTS.replace("{name: small}", "{name: $0small}");
    check_back("{name: small}", &at_secret, &expect![""]);
    let at_kind = OBJECTS.replace("kind: Secret", "kind: $0Secret");
    check_back("{name: small}", &at_kind, &expect!["nothing"]);
}

#[test]
fn an_item_of_a_list_is_a_parameter() {
    let list = "apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: small, namespace: shop}
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: large, namespace: shop}
";
    for ending in ["\n", "\r\n"] {
        let objects = list.replace('\n', ending);
        let all = all("{name: sm$0all, namespace: shop}", &objects);
        let (fixture, file) = all.iter().find(|(it, _)| it.cursor.is_some()).unwrap();
        let (_, selection) = param_selection(file, fixture.cursor.unwrap()).unwrap();
        let names: Vec<String> = files_with_params(file, &selection)
            .iter()
            .map(|it| it.display().to_string())
            .collect();
        assert_eq!(names, ["objects.yaml"]);
        let find = |name: &str| {
            all.iter()
                .find(|(_, it)| it.path().ends_with(name))
                .unwrap()
        };
        let (_, objects) = find("objects.yaml");
        let found = params(objects, &selection);
        let lines: Vec<String> = found.iter().map(|it| line(objects, it.range)).collect();
        assert_eq!(lines, ["objects.yaml:6 small\n"]);
        let at = found.first().unwrap().range.start();
        assert_eq!(param_object(objects, at).as_ref(), found.first());
    }
}
