//! The parts that expressions read.

use super::{PartId, Parts, PolicyReads};
use crate::recognize;
use std::fmt::Write as _;
use std::sync::Arc;

/// Writes parts as paths: `*` is read as a whole, `#` is counted.
fn print_part(parts: &Parts, id: PartId, path: &str, out: &mut String) {
    let part = parts.part(id).unwrap();
    if part.is_whole {
        let _ = write!(out, "{path}* ");
        return;
    }
    if !part.counting.is_empty() {
        let _ = write!(out, "{path}# ");
    }
    let mut fields = part.fields.clone();
    fields.sort();
    if fields.is_empty() && part.elements.is_none() && part.counting.is_empty() {
        let _ = write!(out, "{path} ");
    }
    for (name, field) in &fields {
        print_part(parts, *field, &format!("{path}.{name}"), out);
    }
    if let Some(each) = part.each.or(part.elements) {
        print_part(parts, each, &format!("{path}[]"), out);
    }
}

#[track_caller]
fn check_policy(variables: &[&str], validations: &[&str], expected: &str) {
    let mut text = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: demo}
spec:
"
    .to_owned();
    for (field, expressions) in [("variables", variables), ("validations", validations)] {
        let _ = writeln!(text, "  {field}:");
        for (index, expression) in expressions.iter().enumerate() {
            let name = match field {
                "variables" => format!("    name: v{index}\n"),
                _ => String::new(),
            };
            let _ = write!(text, "  - expression: >-\n      {expression}\n{name}");
        }
    }
    let found = recognize(&Arc::new(yaml::parse(text.into())));
    let document = found.policies.first().expect("a policy");
    for checked in document.all_checked() {
        assert!(checked.answer().is_ok(), "{:?}", checked.answer().errors());
    }
    let parts = PolicyReads::new(document).others.object;
    let mut out = String::new();
    print_part(&Parts::join(&[parts]), Parts::ROOT, "", &mut out);
    assert_eq!(out.trim_end(), expected, "{validations:?}");
}

#[track_caller]
fn check(expression: &str, expected: &str) {
    check_policy(&[], &[expression], expected);
}

#[test]
fn a_field_is_a_part() {
    check("object.spec.replicas <= 5", ".spec.replicas*");
    check(
        "oldObject.spec['a-b'] == object.spec.c",
        ".spec.a-b* .spec.c*",
    );
    check("has(object.spec.a.b)", ".spec.a.b");
    check("object.spec.?a.?b.orValue(1) > 0", ".spec.a.b*");
    check("object[?'spec'].hasValue()", ".spec");
    check("request.operation == 'CREATE'", "");
    check("request.name == object.b", ".b*");
}

#[test]
fn a_macro_reads_fields_of_elements() {
    check(
        "object.spec.containers.all(c, c.image.startsWith('a') && has(c.limits))",
        ".spec.containers[].image* .spec.containers[].limits",
    );
    check("object.a.all(x, true)", ".a[]");
    check("object.a.exists(k, object.a[k].b)", ".a[]*");
    check("object.a.all(k, v, v.b)", ".a[].b*");
    check(
        "object.a.filter(x, x.b).map(x, x.c).exists(x, x == 'd')",
        ".a[].b* .a[].c#",
    );
    check("object.a.map(x, x.b).map(y, y.c).size() > 0", ".a[].b.c");
    check("[object.a, object.b].all(x, x.c)", ".a.c* .b.c*");
    check("object.?a.optMap(x, x.b).orValue(true)", ".a.b*");
    check("object.a.all(object, object.b)", ".a[].b*");
    check("object.a.all(x, x.b.all(x, x.c))", ".a[].b[].c*");
    check("object.a.sortBy(x, x.b).size() > 0", ".a*");
    check(
        "object.a.transformMap(k, v, v.b).exists(k, k == 'c')",
        ".a[].b#",
    );
    check(
        "(object.a ? object.b : object.c + object.d).all(x, x.e)",
        ".a* .b[].e* .c[].e* .d[].e*",
    );
}

#[test]
fn what_is_not_followed_is_read_as_a_whole() {
    check("size(object.a) > 0 && object.b.size() > 0", ".a# .b#");
    check("object == null || object.a != 'b'", "# .a#");
    check("object.a == object.b", ".a* .b*");
    check("object.a in object.b", ".a* .b*");
    check("object.a[object.b] == 1", ".a[]# .b*");
    check("type(object.a) == map", ".a*");
    check("[[object.a]].all(x, x[0].b)", ".a*");
    check("object.a.b && string(object.a).size() > 0", ".a*");
    check("object == oldObject", "*");
}

#[test]
fn a_constant_key_is_a_field_of_a_map_or_an_element_of_a_list() {
    check("'a' in object.b", ".b# .b.a .b[]*");
    check(
        "'a' in object.b && object.b.all(k, v, v.c)",
        ".b# .b.a.c* .b[].c*",
    );
    check("'a' in [object.b, object.c]", ".b* .c*");
    check("'a' in object", "# .a []*");
}

#[test]
fn variables_are_what_they_are_made_of() {
    check_policy(
        &["object.spec", "variables.v0.a + variables.v0.b"],
        &["variables.v1.all(x, x.c)", "variables.v0.?d.orValue(true)"],
        ".spec.a[].c* .spec.b[].c* .spec.d*",
    );
    check_policy(&["object.a"], &["object.b"], ".a .b*");
    check_policy(&["[object.a]"], &["variables.v0[0].b == 1"], ".a.b#");
}

#[test]
fn what_is_read_of_all_values_is_read_of_one_of_them() {
    check(
        "object.a.x.b && object.a.all(k, v, v.c)",
        ".a.x.b* .a.x.c* .a[].c*",
    );
}

#[test]
fn paths_are_added_as_a_whole() {
    let mut parts = Parts::default();
    parts.add_path(&["metadata", "name"]);
    let parts = Parts::join(&[parts]);
    assert!(!parts.is_whole());
    let mut out = String::new();
    print_part(&parts, Parts::ROOT, "", &mut out);
    assert_eq!(out, ".metadata.name* ");
}
