//! Optional fields in the rules of a CustomResourceDefinition.

use crate::fixture::{self, apply, check_diagnostics, creation, findings, render, slice};

const SCHEMA: &str = "
          properties:
            spec:
              type: object
              required: [items, must, empty]
              properties:
                must: {type: integer}
                may: {type: integer}
                namespace: {type: string, maxLength: 9}
                when: {type: string, format: date-time}
                ready: {type: integer, default: 1}
                empty: {type: string, nullable: true}
                names: {type: array, maxItems: 9, items: {type: string, maxLength: 9}}
                labels: {type: object, maxProperties: 9, additionalProperties: {type: string}}
                sub: {type: object, properties: {by: {type: string, maxLength: 9}}}
                one: {type: object, minProperties: 1, properties: {a: {type: integer}}}
                or:
                  type: object
                  oneOf: [{required: [left]}, {required: [right]}]
                  properties: {left: {type: integer}, right: {type: integer}}
                pod:
                  type: object
                  x-kubernetes-embedded-resource: true
                  x-kubernetes-preserve-unknown-fields: true
                items:
                  type: array
                  maxItems: 9
                  x-kubernetes-list-type: map
                  x-kubernetes-list-map-keys: [name]
                  items:
                    type: object
                    required: [name]
                    properties:
                      name: {type: string, maxLength: 9}
                      size: {type: integer}
                    x-kubernetes-validations:
                    - rule: self.name != ''
OF_ITEMS
              x-kubernetes-validations:
                - rule: self.must > 0
RULES
";

/// Returns a definition with rules for `spec`, and for the items of a list in it.
fn crd(rules: &str, of_items: &str) -> String {
    fixture::crd(SCHEMA)
        .replace("RULES", rules)
        .replace("OF_ITEMS", of_items)
}

fn rule(text: &str) -> String {
    crd(&format!("                - rule: \"{text}\"\n"), "")
}

/// Returns the unguarded fields.
fn unguarded(text: &str) -> Vec<String> {
    let found = findings(text);
    let of = found.iter().filter(|it| it.code.starts_with("unguarded"));
    let fields: Vec<_> = of.map(|it| slice(text, it.range).to_owned()).collect();
    assert_eq!(fields.len(), found.len(), "{}", render(text, &found));
    fields
}

fn object(spec: &str) -> String {
    format!("{{apiVersion: example.com/v1, kind: Demo, metadata: {{name: a}}, spec: {spec}}}")
}

const LEAST: &str = "{must: 1, empty: ~, items: [{name: a}]}";

#[test]
fn the_place_is_the_field() {
    let rules = "                - rule: self.items.exists(i, i.name == '😀') || self.may > 1
                                                                   #^^^ warning[unguarded-field]: the rule fails and the API server rejects
                - rule: \"self.items.exists(i, i.name == '\\u00e9') || self.__namespace__ != 'x'\"
                                                                         #^^^^^^^^^^^^^ warning[unguarded-field]: `__namespace__`
                - rule: >-
                    self.must > 1 &&
                    self.labels.size() > 1
                        #^^^^^^ warning[unguarded-field]
";
    let of_items = "                    - rule: self.size > 1
                                #^^^^ warning[unguarded-field]";
    check_diagnostics(&crd(rules, of_items));
    check_diagnostics(&crd(rules, of_items).replace('\n', "\r\n"));
}

#[test]
fn without_the_field_the_object_is_rejected_and_the_fixes_mend_it() {
    for (text, field) in [
        ("self.may > 1", "may"),
        ("self.namespace != 'x'", "namespace"),
        ("self.empty != 'x'", "empty"),
        ("self.names.all(n, n != 'x')", "names"),
        ("self.when < timestamp('2030-01-01T00:00:00Z')", "when"),
        ("self.sub.by == 'a'", "sub"),
        ("has(self.sub.by)", "sub"),
        ("self.items.all(i, i.size > 1)", "size"),
        ("self.pod.metadata.name != ''", "pod"),
        ("self.must > 1 || self.must > self.may", "may"),
        ("self.may == oldSelf.may", "may"),
        ("!has(oldSelf.sub) || self.sub == oldSelf.sub", "sub"),
    ] {
        let crd = rule(text);
        let fields = unguarded(&crd);
        assert_eq!(fields.first().map(String::as_str), Some(field), "{text}");
        let old = if text.contains("oldSelf") {
            object("{must: 1, empty: ~, items: [], sub: {by: a}}")
        } else {
            String::new()
        };
        let said = creation(&crd, &object(LEAST), &old);
        assert!(
            said.contains(&format!("no such key: {field} ")),
            "{text}: {said}"
        );
        for finding in findings(&crd) {
            for fix in &finding.fixes {
                let after = apply(&crd, fix);
                let said = creation(&after, &object(LEAST), &old);
                let fails = said.contains(&format!("no such key: {field} "));
                assert!(!fails || fields.len() > 1, "{said}\n{after}");
            }
        }
    }
}

#[test]
fn what_is_there_is_silent() {
    for text in [
        "self.must > 1 && self.ready > 0",
        "has(self.may) && self.may > 1",
        "!has(self.__namespace__) || self.namespace == 'a'",
        "has(self.namespace) ? self.__namespace__ != '' : true",
        "self.?may.orValue(3) > 2",
        "self.items.all(i, i.name != 'b' && (!has(i.size) || i.size > 1))",
        "!has(self.labels) || !('a' in self.labels) || self.labels['a'] != ''",
        "has(self.pod) && self.pod.kind == 'Pod'",
        "!has(self.one) || self.one.a > 1",
        "!has(self.or) || (has(self.or.left) ? self.or.left > 1 : self.or.right > 1)",
        "!has(oldSelf.may) || has(self.may) && self.may >= oldSelf.may",
    ] {
        assert_eq!(unguarded(&rule(text)), [""; 0], "{text}");
    }
}

#[test]
fn other_rules_of_the_object_are_guards() {
    let two = |one: &str, other: &str| {
        let rules =
            format!("                - rule: \"{one}\"\n                - rule: \"{other}\"\n");
        unguarded(&crd(&rules, ""))
    };
    assert_eq!(two("has(self.may)", "self.may > 1"), [""; 0]);
    assert_eq!(
        two(
            "!has(oldSelf.may) || has(self.may)",
            "!has(oldSelf.may) || self.may == oldSelf.may"
        ),
        [""; 0]
    );
    // A transition rule does not run for the creation of an object.
    assert_eq!(
        two("has(self.may) && self.must == oldSelf.must", "self.may > 1"),
        ["may"]
    );
    let outer = "                - rule: self.items.all(i, has(i.size))\n";
    let inner = "                    - rule: self.size > 1";
    assert_eq!(unguarded(&crd(outer, inner)), [""; 0]);
    assert_eq!(unguarded(&crd("", inner)), ["size"]);
}

#[test]
fn an_optional_old_value_is_read_without_failure() {
    let optional = |text: &str| {
        let rules = format!("                - {{rule: \"{text}\", optionalOldSelf: true}}\n");
        unguarded(&crd(&rules, ""))
    };
    assert_eq!(optional("oldSelf.may.orValue(1) == 1"), [""; 0]);
    assert_eq!(optional("oldSelf.?may.orValue(1) == 1"), [""; 0]);
    assert_eq!(
        optional("!oldSelf.hasValue() || oldSelf.value().may == 1"),
        ["may"]
    );
    assert_eq!(
        optional("oldSelf.optMap(o, o.may == 1).orValue(true)"),
        ["may"]
    );
}
