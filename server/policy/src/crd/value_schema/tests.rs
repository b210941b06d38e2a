//! The errors of values, as the server writes them.

use super::{Formats, ValueSchema};
use crate::json_schema::JsonSchema;
use cel::Value;
use expect_test::{Expect, expect};
use kubernetes::object;
use kubernetes::versions::ServerVersion;
use std::fmt::Write;
use std::sync::Arc;

/// Returns the schema of a YAML source, for a server.
fn schema(text: &str, server: ServerVersion) -> Arc<ValueSchema> {
    let stream = yaml::parse(text.into());
    let root = stream.documents().find_map(yaml::Document::root);
    let schema = root.and_then(JsonSchema::new).expect("a schema");
    ValueSchema::new(schema, Formats::Supported(server)).expect("a schema")
}

fn value(text: &str) -> Value {
    let stream = yaml::parse(text.into());
    let root = stream.documents().find_map(yaml::Document::root);
    root.and_then(object).expect("a value")
}

/// Returns the errors of a new value, or of one that replaces an old value.
fn errors(text: &str, new: &str, old: Option<&str>, server: ServerVersion) -> String {
    let (new, old) = (value(new), old.map(value));
    let found = schema(text, server).validate("", &new, old.as_ref(), server);
    let mut out = String::new();
    for error in found {
        let _ = writeln!(out, "{} {}: {}", error.kind, error.field, error.message);
    }
    out
}

fn check(text: &str, new: &str, expected: &Expect) {
    expected.assert_eq(&errors(text, new, None, ServerVersion(36)));
}

/// Checks an update from one value to another.
fn check_update(text: &str, old: &str, new: &str, expected: &Expect) {
    expected.assert_eq(&errors(text, new, Some(old), ServerVersion(36)));
}

#[test]
fn types_are_compared_before_what_is_inside() {
    check(
        "{type: object, properties: {a: {type: integer}, b: {type: string}, c: {type: array, items: {type: boolean}}, d: {type: object}, e: {type: number}, f: {type: string, nullable: true}, g: {type: string}}}",
        "{a: {x: 1}, b: 1, c: [true, 1], d: [], e: 1, f: null, g: null}",
        &expect![[r#"
            FieldValueTypeInvalid a: Invalid value: "object": a in body must be of type integer: "object"
            FieldValueTypeInvalid b: Invalid value: "integer": b in body must be of type string: "integer"
            FieldValueTypeInvalid c[1]: Invalid value: "integer": c[1] in body must be of type boolean: "integer"
            FieldValueTypeInvalid d: Invalid value: "array": d in body must be of type object: "array"
            FieldValueTypeInvalid g: Invalid value: "null": g in body must be of type string: "null"
        "#]],
    );
    let port = "{type: object, properties: {port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}}}";
    check(port, "{port: 1}", &expect![[""]]);
    check(port, "{port: http}", &expect![[""]]);
    check(
        port,
        "{port: true}",
        &expect![[r#"
        FieldValueTypeInvalid port: Invalid value: "boolean": port in body must be of type integer,string: "boolean"
        FieldValueInvalid <nil>: Invalid value: "": "port" must validate at least one schema (anyOf)
        FieldValueTypeInvalid port: Invalid value: "boolean": port in body must be of type integer: "boolean"
    "#]],
    );
}

#[test]
fn strings_have_one_error_of_their_length_or_pattern() {
    let name = "{type: object, properties: {name: {type: string, minLength: 2, maxLength: 3, pattern: '^[a-z]*$'}, s: {type: string, maxLength: 1}, e: {type: string, enum: [a, b]}}}";
    check(
        name,
        "{name: A, s: xy, e: c}",
        &expect![[r#"
            FieldValueInvalid name: Invalid value: "A": name in body should be at least 2 chars long
            FieldValueTooLong s: Too long: may not be more than 1 byte
            FieldValueNotSupported e: Unsupported value: "c": supported values: "a", "b"
        "#]],
    );
    check(
        name,
        "{name: A😀}",
        &expect![[r#"
            FieldValueInvalid name: Invalid value: "A😀": name in body should match '^[a-z]*$'
        "#]],
    );
    check(
        name,
        "{name: ABCD}",
        &expect![[r#"
        FieldValueTooLong name: Too long: may not be more than 3 bytes
    "#]],
    );
}

#[test]
fn a_value_is_converted_to_the_type_of_each_choice() {
    let choice = |choices: &str, value: &str| {
        let text = format!("{{enum: {choices}}}");
        errors(&text, value, None, ServerVersion(36))
    };
    assert_eq!(choice("[1, 2]", "1"), "");
    assert_eq!(choice("[1]", "1.5"), "");
    assert_eq!(choice("['A']", "65"), "");
    assert_eq!(choice("[{a: 1}]", "{a: 1}"), "");
    let expected = expect![[r#"
        FieldValueNotSupported <nil>: Unsupported value: null: supported values: "null", "{\"a\":[1,\"\\u003c\"]}"
    "#]];
    expected.assert_eq(&choice("[null, {a: [1, '<']}]", "null"));
}

#[test]
fn limits_of_integers_are_integers() {
    check(
        "{type: object, properties: {a: {type: integer, minimum: 1, maximum: 5}, b: {type: number, minimum: 1.5, exclusiveMinimum: true}, c: {type: integer, multipleOf: 5}, d: {type: number, multipleOf: 0.1}, e: {type: number, maximum: 1e6, exclusiveMaximum: true}, f: {type: number, multipleOf: 0.5}}}",
        "{a: 0, b: 1.5, c: 7, d: 0.25, e: 1.5e6, f: 1}",
        &expect![[r#"
            FieldValueInvalid a: Invalid value: 0: a in body should be greater than or equal to 1
            FieldValueInvalid b: Invalid value: 1.5: b in body should be greater than 1.5
            FieldValueInvalid c: Invalid value: 7: c in body should be a multiple of 5
            FieldValueInvalid d: Invalid value: 0.25: d in body should be a multiple of 0.1
            FieldValueInvalid e: Invalid value: 1500000: e in body should be less than 1000000
            FieldValueInvalid f: Invalid value: 0: factor MultipleOf declared for f must be positive: 0
        "#]],
    );
}

#[test]
fn the_range_of_a_format_is_checked_since_1_36() {
    let text =
        "{type: object, properties: {a: {type: integer, format: int32}, b: {type: integer}}}";
    let found = |server| errors(text, "{a: 3000000000, b: 1.5}", None, server);
    let expected = expect![[r#"
        FieldValueInvalid <nil>: Invalid value: "": Checked value must be of type integer with format int32 in a
        FieldValueTypeInvalid b: Invalid value: "number": b in body must be of type integer: "number"
        FieldValueInvalid <nil>: Invalid value: "": Checked value must be of type integer (default format) in b
    "#]];
    expected.assert_eq(&found(ServerVersion(36)));
    let expected = expect![[r#"
        FieldValueTypeInvalid b: Invalid value: "number": b in body must be of type integer: "number"
    "#]];
    expected.assert_eq(&found(ServerVersion(35)));
}

#[test]
fn too_few_elements_are_an_error_of_their_own_since_1_38() {
    let text = "{type: object, minProperties: 3, properties: {l: {type: array, minItems: 1}}}";
    let found = |server| errors(text, "{l: []}", None, server);
    let expected = expect![[r#"
        FieldValueInvalid <nil>: Invalid value: 1:  in body should have at least 3 properties
        FieldValueInvalid l: Invalid value: 0: l in body should have at least 1 items
    "#]];
    expected.assert_eq(&found(ServerVersion(37)));
    let expected = expect![[r#"
        FieldValueTooFew <nil>: Too few: 1: must have at least 3 items
        FieldValueTooFew l: Too few: 0: must have at least 1 item
    "#]];
    expected.assert_eq(&found(ServerVersion(38)));
}

#[test]
fn required_follows_the_properties_and_lengths_precede_them() {
    check(
        "{type: object, required: [z, b], minProperties: 3, properties: {a: {type: string}, b: {type: string}, l: {type: array, minItems: 3, items: {type: integer}}, m: {type: array, maxItems: 1}, o: {type: object, maxProperties: 1}}}",
        "{a: 1, l: [x]}",
        &expect![[r#"
            FieldValueInvalid <nil>: Invalid value: 2:  in body should have at least 3 properties
            FieldValueTypeInvalid a: Invalid value: "integer": a in body must be of type string: "integer"
            FieldValueTypeInvalid l[0]: Invalid value: "string": l[0] in body must be of type integer: "string"
            FieldValueInvalid l: Invalid value: 1: l in body should have at least 3 items
            FieldValueRequired z: Required value
            FieldValueRequired b: Required value
        "#]],
    );
    check(
        "{type: object, properties: {m: {type: array, maxItems: 1}, o: {type: object, maxProperties: 0, additionalProperties: {type: string}}}}",
        "{m: [1, 2], o: {a.b: 1}}",
        &expect![[r#"
            FieldValueTooMany m: Too many: 2: must have at most 1 item
            FieldValueTooMany o: Too many: 1: must have at most 0 items
            FieldValueTypeInvalid o.a.b: Invalid value: "integer": o.a.b in body must be of type string: "integer"
        "#]],
    );
}

#[test]
fn a_key_at_the_beginning_has_a_dot() {
    check(
        "{type: object, additionalProperties: {type: string, minLength: 2}}",
        "{a: b}",
        &expect![[r#"
            FieldValueInvalid a: Invalid value: "b": .a in body should be at least 2 chars long
        "#]],
    );
}

#[test]
fn combinations_show_the_schema_with_the_most_checks_that_hold() {
    let text = "{type: object, properties: {a: {type: integer}, b: {type: string}}, oneOf: [{required: [a]}, {required: [b], properties: {b: {maxLength: 1}}}], not: {required: [c]}, allOf: [{maxProperties: 1}, {minProperties: 1}]}";
    check(
        text,
        "{}",
        &expect![[r#"
            FieldValueInvalid <nil>: Invalid value: "": "" must validate one and only one schema (oneOf). Found none valid
            FieldValueRequired a: Required value
            FieldValueInvalid <nil>: Invalid value: 0:  in body should have at least 1 properties
            FieldValueInvalid <nil>: Invalid value: "": "" must validate all the schemas (allOf)
        "#]],
    );
    check(
        text,
        "{a: 1, b: x, c: 1}",
        &expect![[r#"
            FieldValueInvalid <nil>: Invalid value: "": "" must validate one and only one schema (oneOf). Found 2 valid alternatives
            FieldValueTooMany <nil>: Too many: 3: must have at most 1 item
            FieldValueInvalid <nil>: Invalid value: "": "" must validate all the schemas (allOf)
            FieldValueInvalid <nil>: Invalid value: "": "" must not validate the schema (not)
        "#]],
    );
    check(
        text,
        "{b: xyz}",
        &expect![[r#"
            FieldValueInvalid <nil>: Invalid value: "": "" must validate one and only one schema (oneOf). Found none valid
            FieldValueTooLong b: Too long: may not be more than 1 byte
        "#]],
    );
}

const FORMATS: &[(&str, &[&str], &[&str])] = &[
    (
        "bsonobjectid",
        &["507f1f77bcf86cd799439011"],
        &["507f1f77bcf86cd79943901", "z07f1f77bcf86cd799439011"],
    ),
    ("byte", &["aGk="], &["a", "", "aGk=\n"]),
    (
        "cidr",
        &["10.0.0.0/8", "010.0.0.0/08", "::/0"],
        &["10.0.0.0", "10.0.0.0/33", "1.2.3/8"],
    ),
    (
        "creditcard",
        &["4111 1111 1111 1111"],
        &["4111 1111 1111 1112", ""],
    ),
    ("date", &["2024-02-29"], &["2023-02-29", "2024-2-9"]),
    (
        "date-time",
        &["2024-02-29T12:30:45Z"],
        &["2024-02-29", "2024-02-29T25:00:00Z"],
    ),
    (
        "duration",
        &["1h30m", "22 ns", "3 hours", "-1s"],
        &["", "1", "3 lightyears"],
    ),
    (
        "email",
        &["a@b.io", "Ann <a@b>", "\"a b\"@c.d"],
        &["a", "a@", "a@b@c", "a..b@c", "a@b, c@d"],
    ),
    ("hexcolor", &["#FFF", "a1b2c3"], &["#FFFF"]),
    (
        "hostname",
        &["example.com", "a-b"],
        &["a b", "a..b", "exa_mple.com"],
    ),
    (
        "ipv4",
        &["1.2.3.4", "01.2.3.004"],
        &["1.2.3", "1.2.3.256", "::1"],
    ),
    ("ipv6", &["::1", "::ffff:1.2.3.4"], &["1.2.3.4", "::g"]),
    ("isbn", &["0321751043", "978-0321751041"], &["0321751044"]),
    (
        "isbn10",
        &["0-321-75104-3", "080442957X"],
        &["978-0321751041"],
    ),
    ("isbn13", &["978-0321751041"], &["0321751043"]),
    ("k8s-long-name", &["a.b-c"], &["A.b", "a..b"]),
    ("k8s-short-name", &["a-b"], &["a.b", "-a"]),
    (
        "mac",
        &["01:23:45:67:89:ab", "0123.4567.89ab"],
        &["01:23:45:67:89", "01:23:45:67:89-ab"],
    ),
    ("password", &["anything"], &[]),
    ("rgbcolor", &["rgb(255, 0,1)"], &["rgb(256,0,0)"]),
    ("ssn", &["111-22-3333"], &["111223333", "11-22-33333"]),
    ("uri", &["https://example.com/", "/a"], &["a b", ""]),
    (
        "uuid",
        &["123e4567-e89b-12d3-a456-426614174000"],
        &["123e4567"],
    ),
    (
        "uuid3",
        &["bcd02e22-68f0-3046-a512-327cca9def8f"],
        &["123e4567-e89b-12d3-a456-426614174000"],
    ),
    (
        "uuid4",
        &["025b0d74-00a2-4048-bf57-227c5111bb34"],
        &["123e4567-e89b-12d3-a456-426614174000"],
    ),
    (
        "uuid5",
        &["886313e1-3b8a-5372-9b90-0c9aee199e5d"],
        &["123e4567-e89b-12d3-a456-426614174000"],
    ),
];

#[test]
fn formats_are_those_of_the_server() {
    for (format, valid, invalid) in FORMATS {
        let text = format!("{{type: string, format: {format}}}");
        let schema = schema(&text, ServerVersion(36));
        let found = |text: &str| {
            schema
                .validate("", &Value::string(text), None, ServerVersion(36))
                .len()
        };
        for text in *valid {
            assert_eq!(found(text), 0, "{format}: {text}");
        }
        for text in *invalid {
            assert_eq!(found(text), 1, "{format}: {text}");
        }
    }
}

#[test]
fn a_format_that_the_server_does_not_know_has_no_effect() {
    let found = |schema: &str, value: &str, server| errors(schema, value, None, server);
    let short = "{type: string, format: k8s-short-name}";
    assert_eq!(found(short, "'A'", ServerVersion(33)), "");
    let expected = expect![[r#"
        FieldValueTypeInvalid <nil>: Invalid value: "A":  in body must be of type k8s-short-name: "A"
    "#]];
    expected.assert_eq(&found(short, "'A'", ServerVersion(34)));
    let expected = expect![[r#"
        FieldValueTypeInvalid <nil>: Invalid value: "integer":  in body must be of type string: "integer"
    "#]];
    expected.assert_eq(&found(
        "{type: string, format: color}",
        "1",
        ServerVersion(36),
    ));
}

const RATCHETED: &str = "{type: object, required: [apiVersion, z], properties: {apiVersion: {type: string, maxLength: 2}, a: {type: string, maxLength: 2}, list: {type: array, items: {type: string, maxLength: 2}}, keyed: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, properties: {k: {type: string}, v: {type: string, maxLength: 2}}}}, m: {type: object, additionalProperties: {type: string, maxLength: 2}}, o: {type: object, allOf: [{properties: {a: {maxLength: 2}}}], properties: {a: {type: string}, b: {type: string}}}}}";

#[test]
fn unchanged_values_stay_invalid() {
    let old = "{apiVersion: v1x, a: xyz, list: [abc], keyed: [{k: '1', v: abc}, {k: '2', v: abc}], m: {x: abc}, o: {a: abc, b: x}}";
    check_update(RATCHETED, old, old, &expect![[""]]);
    check_update(
        RATCHETED,
        old,
        "{apiVersion: v1x, a: xyz, list: [abc, d], keyed: [{k: '2', v: abc}, {k: '1', v: abcd}, {k: '3', v: abc}], m: {x: abc, y: abc}, o: {a: abc, b: y}}",
        &expect![[r#"
            FieldValueTooLong apiVersion: Too long: may not be more than 2 bytes
            FieldValueTooLong list[0]: Too long: may not be more than 2 bytes
            FieldValueTooLong keyed[1].v: Too long: may not be more than 2 bytes
            FieldValueTooLong keyed[2].v: Too long: may not be more than 2 bytes
            FieldValueTooLong m.true: Too long: may not be more than 2 bytes
            FieldValueTooLong o.a: Too long: may not be more than 2 bytes
            FieldValueInvalid <nil>: Invalid value: "": "o" must validate all the schemas (allOf). None validated
            FieldValueTypeInvalid o.b: Invalid value: "boolean": o.b in body must be of type string: "boolean"
            FieldValueRequired z: Required value
        "#]],
    );
}

#[test]
fn repeated_elements_are_found_by_their_keys() {
    let text = "{type: object, properties: {set: {type: array, x-kubernetes-list-type: set, items: {type: string}}, one: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object}}, two: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k, l], items: {type: object}}}}";
    let new = value(
        "{set: [a, b, a, a], one: [{k: 1}, {v: 1}, {k: 1, v: 2}, {v: 2}], two: [{k: x, l: 1}, {l: 1, k: x}, {k: x}]}",
    );
    let found: Vec<String> = schema(text, ServerVersion(36))
        .repeated_elements(&new)
        .iter()
        .map(|it| format!("{}: {}", it.field, it.message))
        .collect();
    let expected = expect![[r#"
        set[2]: Duplicate value: "a"
        one[2]: Duplicate value: {"k":1}
        one[3]: Duplicate value: {}
        two[1]: Duplicate value: {"k":"x","l":1}"#]];
    expected.assert_eq(&found.join("\n"));
}

#[test]
fn schemas_that_multiply_are_bounded() {
    let many = |name: &str| vec![name; 40].join(", ");
    let text = format!(
        "- &a {{maxLength: 5}}\n- &b {{allOf: [{}]}}\n- {{allOf: [{}]}}\n",
        many("*a"),
        many("*b"),
    );
    let stream = yaml::parse(text.as_str().into());
    let root = stream.documents().find_map(yaml::Document::root).unwrap();
    let last = root.as_sequence().unwrap().items().last().unwrap();
    let schema =
        ValueSchema::new(JsonSchema::new(last).unwrap(), Formats::Written).expect("a schema");
    let mut visits = 1_000;
    let found = schema.errors(
        &Value::string("abcdef"),
        None,
        ServerVersion(36),
        &mut visits,
    );
    assert_eq!((found.len() < 500, visits), (true, 0));
}

#[test]
fn rules_in_combined_schemas_never_run() {
    let rules = "x-kubernetes-validations: [{rule: 'true'}]";
    let has_rules = |text: &str| schema(text, ServerVersion(36)).has_rules();
    for field in ["allOf", "anyOf", "oneOf"] {
        assert!(!has_rules(&format!(
            "{{type: object, {field}: [{{{rules}}}]}}"
        )));
    }
    assert!(!has_rules(&format!("{{type: object, not: {{{rules}}}}}")));
    assert!(has_rules(&format!(
        "{{type: object, properties: {{a: {{{rules}}}}}}}"
    )));
}
