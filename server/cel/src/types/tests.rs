//! Types are read and printed as Kubernetes writes them.

use super::Type;

#[test]
fn types_read_and_print() {
    for (text, printed) in [
        ("int", "int"),
        ("list(<A>)", "list(A)"),
        ("map(string, list(dyn))", "map(string, list(dyn))"),
        ("google.protobuf.Timestamp", "timestamp"),
        ("optional_type(<V>)", "optional_type(V)"),
        ("net.CIDR", "net.CIDR"),
        ("struct(kubernetes.UserInfo)", "kubernetes.UserInfo"),
        ("type(<A>)", "type(A)"),
    ] {
        let ty: Type = text.parse().expect(text);
        assert_eq!(ty.to_string(), printed);
    }
}

#[test]
fn broken_types_are_errors() {
    for text in [
        "",
        "list(",
        "list(int, int)",
        "map(int)",
        "<A",
        "list(int))",
        "(",
        "a(,)",
    ] {
        assert!(text.parse::<Type>().is_err(), "{text}");
    }
}

#[test]
fn lists_of_types() {
    let types = Type::read_list("list(<T>), int, map(string, dyn)").expect("types");
    assert_eq!(types.len(), 3);
    assert_eq!(Type::read_list("").expect("none"), []);
}
