//! Objects as rules see them: without the fields that their schema does not declare.

use super::errors_on;

/// Properties that preserve unknown fields, and others.
const PROPERTIES: &str = "              open: &open
                type: object
                x-kubernetes-preserve-unknown-fields: true
              half:
                type: object
                x-kubernetes-preserve-unknown-fields: true
                properties: {known: {type: integer}, none: {type: string, nullable: true}}
              inner:
                type: object
                x-kubernetes-embedded-resource: true
                x-kubernetes-preserve-unknown-fields: true
              opens: {type: array, maxItems: 3, items: *open}
              any: {x-kubernetes-preserve-unknown-fields: true}
              map: {type: object, maxProperties: 5, additionalProperties: {type: string, maxLength: 5}}
              objects:
                type: object
                maxProperties: 5
                additionalProperties:
                  type: object
                  nullable: true
                  properties: {a: {type: string, maxLength: 5}}
              set: {type: array, maxItems: 5, x-kubernetes-list-type: set, items: {type: string, maxLength: 5}}
              keyed:
                type: array
                maxItems: 5
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [k]
                items: {type: object, required: [k], properties: {k: {type: string, maxLength: 5}}}
              number: {type: integer}
";

const OVERLOAD: &str = "'no such overload'";

/// Checks that a rule passes (empty), is false (`failed rule`) or fails with an error.
#[track_caller]
fn check(rule: &str, spec: &str, old: &str, expected: &str) {
    for server in ["1.36", "1.37"] {
        check_on(server, rule, spec, old, expected);
    }
}

#[track_caller]
fn check_on(server: &str, rule: &str, spec: &str, old: &str, expected: &str) {
    let found = errors_on(server, (PROPERTIES, rule), spec, old).join("\n");
    let is_right = found.contains(expected) && found.is_empty() == expected.is_empty();
    assert!(is_right, "{server}: {rule}: {found}");
}

#[test]
fn an_undeclared_field_that_only_one_object_has_is_not_compared() {
    let equal = "self.open == oldSelf.open && self.open in [oldSelf.open] \
                 && !(self.open != oldSelf.open)";
    for (new, old, expected) in [
        ("{u: 1}", "{v: {a: [2]}}", ""),
        ("{u: null}", "{v: 1}", ""),
        ("{u: 1, v: 2}", "{v: 2, w: 3}", ""),
        ("{u: 1}", "{u: 2}", "failed rule"),
        ("{u: 1}", "{u: 1.5}", "failed rule"),
        ("{u: {a: [1]}}", "{u: {a: [2]}}", "failed rule"),
        ("{u: {a: [1]}}", "{u: {a: [1]}}", ""),
        ("{u: 1}", "{u: 1, v: 2}", "failed rule"),
        ("{u: null}", "{}", "failed rule"),
    ] {
        check(
            equal,
            &format!("{{open: {new}}}"),
            &format!("{{open: {old}}}"),
            expected,
        );
    }
}

#[test]
fn a_declared_field_is_compared_where_others_are_preserved() {
    for (new, old, expected) in [
        ("{known: 1, u: 1}", "{known: 1, v: 1}", ""),
        ("{known: 1, u: 1}", "{known: 2, v: 1}", "failed rule"),
        ("{known: 1}", "{u: 1}", "failed rule"),
        ("{none: null}", "{none: a}", "failed rule"),
        ("{none: null}", "{}", "failed rule"),
    ] {
        let (new, old) = (format!("{{half: {new}}}"), format!("{{half: {old}}}"));
        check("self.half == oldSelf.half", &new, &old, expected);
    }
    // Only the second object determines whether a field of the first is compared.
    check(
        "self.half == oldSelf.half",
        "{half: {u: 1}}",
        "{half: {known: 1}}",
        "",
    );
}

#[test]
fn elements_and_embedded_resources_are_compared_as_views() {
    let inner = |rest: &str| {
        format!("{{inner: {{apiVersion: v1, kind: A, metadata: {{name: a, {rest}}}}}}}")
    };
    let rule = "self.inner == oldSelf.inner";
    check(
        rule,
        &inner("labels: {a: b}"),
        &inner("annotations: {c: d}"),
        "",
    );
    check(
        rule,
        &inner("labels: {a: b}"),
        &inner("labels: {a: c}"),
        "failed rule",
    );
    let rule = "self.opens == oldSelf.opens";
    check(rule, "{opens: [{u: 1}]}", "{opens: [{v: 2}]}", "");
    check(
        rule,
        "{any: 1, opens: [{u: 1}]}",
        "{opens: [{u: 2}]}",
        "failed rule",
    );
    // Data of any type is compared as a whole.
    check(
        "dyn(self) == dyn(oldSelf)",
        "{any: {u: 1}}",
        "{any: {v: 1}}",
        "failed rule",
    );
    check(
        "dyn(self) == dyn(oldSelf)",
        "{any: {u: 1}}",
        "{any: {u: 1}}",
        "",
    );
}

#[test]
fn a_view_cannot_be_compared_with_another_kind_of_value() {
    let spec = "{map: {a: x}, keyed: [{k: a}], open: {u: 1}, set: [a], number: 1, \
                 objects: {a: {a: x}}}";
    for (rule, expected) in [
        ("!(dyn(self.map) == dyn(1))", OVERLOAD),
        ("!(dyn(self.keyed) == dyn('a'))", OVERLOAD),
        ("!(dyn(self.open) == dyn([]))", OVERLOAD),
        ("!('a' in dyn(self.keyed))", OVERLOAD),
        ("!dyn(self.keyed).exists(x, x == 'a')", OVERLOAD),
        ("dyn(self.map) != dyn(1)", ""),
        ("dyn(self.map) != null && null != dyn(self.map)", ""),
        // A value that is not a view differs from one.
        (
            "dyn(1) != dyn(self.map) && !(dyn([]) == dyn(self.open))",
            "",
        ),
        // In a list or a map of the rule, only `false` is a difference.
        (
            "dyn([self.map]) == dyn([1]) && dyn({'k': self.keyed}) == dyn({'k': 1})",
            "",
        ),
        ("dyn([1]) == dyn([self.map])", "failed rule"),
        ("dyn(self.map)[0] == 'x'", OVERLOAD),
        ("0 in dyn(self.map)", OVERLOAD),
        ("dyn(self.open) == dyn({'v': 1})", OVERLOAD),
    ] {
        check(rule, spec, spec, expected);
    }
    let rule = "self.objects == oldSelf.objects";
    check(rule, spec, "{objects: {a: null}}", OVERLOAD);
    check(rule, "{objects: {a: null}}", spec, "failed rule");
}

#[test]
fn a_set_of_unhashable_values_cannot_be_compared() {
    let (rule, spec) = (
        "dyn(self.set) != dyn(self.keyed)",
        "{set: [a], keyed: [{k: a}]}",
    );
    let error = "internal error: runtime error: hash of unhashable type map[string]interface {}";
    check_on("1.36", rule, spec, spec, error);
    check_on("1.37", rule, spec, spec, "");
    let rule = "dyn(self.set) == dyn(self.keyed)";
    let error = "listSet operations are only supported on lists of scalar values";
    check_on("1.37", rule, spec, spec, error);
}

#[test]
fn an_undeclared_field_cannot_be_read_but_is_counted() {
    let spec = "{any: {u: 1}, open: {u: {x: 1}}, half: {known: 1, none: null}}";
    for (rule, expected) in [
        ("dyn(self.open).u.x == 1", "no such key: u"),
        ("dyn(self.open)['u'] != null", "no such key: u"),
        ("has(dyn(self.open).u)", "failed rule"),
        ("'u' in dyn(self.open)", "failed rule"),
        ("dyn(self.open).?u.hasValue()", "failed rule"),
        ("dyn(self.open).exists(k, k == 'u')", "failed rule"),
        (
            "dyn(self.open).size() == 1 && dyn(self.open).all(k, k == null)",
            "",
        ),
        ("dyn(self.open).all(k, v, v != 5)", OVERLOAD),
        ("dyn(self.open).transformList(k, v, v).size() > 0", OVERLOAD),
        ("dyn(self.open).transformMap(k, v, v).size() > 0", OVERLOAD),
        ("dyn(self.open).transformList(k, v, 1) == [1]", ""),
        (
            "'%s'.format([dyn(self.open)]) != ''",
            "internal error: runtime error: invalid memory address or nil pointer dereference",
        ),
        (
            "'%s'.format([dyn(self)]) != ''",
            "no formatting function for unknown",
        ),
        (
            "'%s'.format([dyn(self.half)]) != ''",
            "could not find key: \\\"none\\\"",
        ),
        (
            "dyn(self.half).exists(k, k == 'none') && !has(dyn(self.half).none)",
            "",
        ),
        ("dyn(self.half).all(k, v, v != 5)", "no such key: none"),
        ("dyn(self).any.u == 1", "no such key: u"),
        ("type(dyn(self).any) == type(1)", "failed rule"),
    ] {
        let expected = expected.replace("\\\"", "\"");
        check(rule, spec, spec, &expected);
    }
}

#[test]
fn an_old_value_of_another_type_cannot_be_read() {
    let new = "{number: 1, map: {a: x}, keyed: []}";
    for (rule, old, expected) in [
        (
            "self.number == oldSelf.number",
            "{number: a}",
            "expected int, got string",
        ),
        (
            "self.map == oldSelf.map",
            "{map: [1]}",
            "expected a map for the provided schema with type=object",
        ),
        ("self.map == oldSelf.map", "{map: {a: null}}", "failed rule"),
    ] {
        check(rule, new, old, expected);
    }
}
