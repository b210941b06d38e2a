//! The lines of the schema for names at a cursor.

use super::{files_with_schema, schema_line, schema_paths};
use crate::fixture::{crd, files, params_policy, project};
use expect_test::{Expect, expect};

const SCHEMA: &str = "
        properties:
          limits:
            type: array
            items:
              type: object
              properties:
                maximum: {type: integer}
          labels:
            type: object
            additionalProperties: {type: string}
";

/// Compares the file and the line of each schema for the cursor in a policy with parameters.
#[track_caller]
fn check(policy: &str, follow: bool, expected: &Expect) {
    expected.assert_eq(&shown(policy, follow));
}

fn shown(policy: &str, follow: bool) -> String {
    let definition = crd(SCHEMA);
    let text = project([("crd.yaml", &*definition), ("policy.yaml", policy)]);
    let all = files(&text, |project| project);
    let (fixture, file) = all.iter().find(|(it, _)| it.cursor.is_some()).unwrap();
    let Some((origin, paths)) = schema_paths(file, fixture.cursor.unwrap(), follow) else {
        return "nothing".to_owned();
    };
    let mut shown = format!("from {}\n", file.slice(origin));
    for path in &paths {
        for other in files_with_schema(file, path) {
            let (_, other) = all.iter().find(|(_, it)| *it.path() == other).unwrap();
            let Some(line) = schema_line(other, path) else {
                continue;
            };
            assert!(line.whole.contains_range(line.name));
            let at = other.line_index().line(line.name.start()) + 1;
            let name = other.slice(line.name);
            shown.push_str(&format!("{}:{at} {name}\n", other.path().display()));
        }
    }
    shown
}

fn with_params(expression: &str) -> String {
    params_policy("Demo", expression).replace(
        "{apiVersion: v1, kind: Demo}",
        "{apiVersion: example.com/v1, kind: Demo}",
    )
}

#[test]
fn fields_of_parameters_lead_to_the_schema() {
    check(
        &with_params("params.lim$0its.size() > 1"),
        false,
        &expect![[r#"
            from limits
            crd.yaml:16 limits
        "#]],
    );
    check(
        &with_params("params.limits[0].max$0imum > 1"),
        false,
        &expect![[r#"
            from maximum
            crd.yaml:21 maximum
        "#]],
    );
    check(
        &with_params("params.limits.all(l, l.max$0imum > 1)"),
        false,
        &expect![[r#"
            from maximum
            crd.yaml:21 maximum
        "#]],
    );
    check(
        &with_params("has(params.?labels.fo$0o)"),
        false,
        &expect![[r#"
            from foo
            crd.yaml:24 additionalProperties
        "#]],
    );
}

#[test]
fn names_lead_to_the_type_of_their_value() {
    check(
        &with_params("par$0ams == 1"),
        true,
        &expect![[r#"
        from params
        crd.yaml:7 Demo
    "#]],
    );
    check(&with_params("par$0ams == 1"), false, &expect!["nothing"]);
    check(
        &with_params("params.limits.all(l, l$0 != 1)"),
        true,
        &expect![[r#"
            from l
            crd.yaml:18 items
        "#]],
    );
}

#[test]
fn the_kind_of_parameters_leads_to_its_definition() {
    let policy = with_params("true").replace("kind: Demo}", "kind: De$0mo}");
    check(
        &policy,
        false,
        &expect![[r#"
        from Demo
        crd.yaml:7 Demo
    "#]],
    );
}

#[test]
fn fields_of_custom_resources_lead_to_the_schema() {
    let policy = with_params("object.lim$0its == oldObject.limits")
        .replace("apiGroups: [apps]", "apiGroups: [example.com]")
        .replace("[deployments]", "[demos]");
    check(
        &policy,
        false,
        &expect![[r#"
        from limits
        crd.yaml:16 limits
    "#]],
    );
}

#[test]
fn a_variable_is_followed_to_the_type_of_its_value() {
    let variables = "  variables: [{name: a, expression: 'params.limits'}]\n  validations:";
    let policy = with_params("variables.a$0.size() == 1").replace("  validations:", variables);
    check(
        &policy,
        true,
        &expect![[r#"
        from a
        crd.yaml:16 limits
    "#]],
    );
    check(&policy, false, &expect!["nothing"]);
    let policy = policy.replace("a$0.size() == 1", "a[0].max$0imum == 1");
    check(
        &policy,
        false,
        &expect![[r#"
        from maximum
        crd.yaml:21 maximum
    "#]],
    );
}

#[test]
fn built_in_kinds_have_no_line() {
    check(
        &with_params("object.sp$0ec.replicas == 1"),
        false,
        &expect![[r#"
            from spec
        "#]],
    );
}

/// A mutation of custom resources.
fn mutation(expression: &str) -> String {
    format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingAdmissionPolicy\n\
         metadata: {{name: demo}}\nspec:\n  matchConstraints: {{resourceRules: [{{apiGroups: [example.com], \
         apiVersions: [v1], operations: [CREATE], resources: [demos]}}]}}\n  \
         mutations:\n  - applyConfiguration:\n      expression: \"{expression}\"\n"
    )
}

#[test]
fn types_and_fields_of_mutations_lead_to_the_schema() {
    check(
        &mutation("Object{limits: [Object.lim$0its{maximum: 1}]}"),
        false,
        &expect![[r#"
            from limits
            crd.yaml:16 limits
        "#]],
    );
    check(
        &mutation(
            "Object{limits: ['\\U0001F600' == '' ? Object.limits{} : Object.limits{max$0imum: 1}]}",
        ),
        false,
        &expect![[r#"
            from maximum
            crd.yaml:21 maximum
        "#]],
    );
    check(
        &mutation("Obj$0ect{limits: []}"),
        false,
        &expect![[r#"
        from Object
        crd.yaml:7 Demo
    "#]],
    );
    check(
        &mutation("Object{lab$0els: {'a': 'b'}}"),
        true,
        &expect![[r#"
        from labels
        crd.yaml:22 labels
    "#]],
    );
}

#[test]
fn a_key_of_a_manifest_or_an_input_leads_to_the_schema() {
    let object = "apiVersion: example.com/v1\nkind: Demo\nlimits:\n- 😀: 1\n  max$0imum: 3\n";
    let input = format!(
        "name: a\nobject:\n  {}",
        object.trim_end().replace('\n', "\n  ")
    );
    let list = "kind: List\nitems:\n- {apiVersion: example.com/v1, kind: Demo, \"limits\": [{'max$0imum': 3}]}\n";
    for text in [object, &input, list, &object.replace('\n', "\r\n")] {
        let quote = if text == list { "'" } else { "" };
        let expected = format!("from {quote}maximum{quote}\ncrd.yaml:21 maximum\n");
        let shown = shown(&format!("{text}\n"), false);
        assert_eq!(shown, expected, "{text}");
    }
    let kind = "apiVersion: example.com/v1\nkind: De$0mo\n";
    assert_eq!(shown(kind, false), "from Demo\ncrd.yaml:7 Demo\n");
    let built_in = "apiVersion: apps/v1\nkind: Deployment\nsp$0ec: {}\n";
    assert_eq!(shown(built_in, false), "from spec\n");
}
