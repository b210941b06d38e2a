//! Resolution of names, and the resulting tree.

use super::{builder, checked, checked_in};
use crate::check::{Checked, Reference};
use crate::env::Env;
use crate::expand::NodeKind;
use crate::types::Type;

fn variable(checked: &Checked) -> Option<String> {
    match checked.reference(checked.expansion().root())? {
        Reference::Variable(name) => Some(name.to_string()),
        _ => None,
    }
}

#[test]
fn the_longest_name_is_meant() {
    let abc = checked("a.b.c");
    assert_eq!(variable(&abc).as_deref(), Some("a.b.c"));
    let root = abc.expansion().root();
    assert_eq!(abc.expansion().kind(root), &NodeKind::Ident("a.b.c".into()));
    assert_eq!(*checked("a.b").output_type(), Type::Int);
    // After the name, it is a field.
    assert_eq!(
        checked("a.b.x").errors()[0].message(),
        "type 'int' does not support field selection"
    );
}

#[test]
fn a_variable_of_a_macro_hides_a_name() {
    let hidden = checked("[{'b': 'x'}].map(a, a.b)");
    assert_eq!(hidden.output_type().to_string(), "list(string)");
    let absolute = checked("[{'b': 'x'}].map(a, .a.b)");
    assert_eq!(absolute.output_type().to_string(), "list(int)");
    let nodes = absolute.expansion().ids();
    let mut names = nodes.filter_map(|id| match absolute.reference(id)? {
        Reference::Variable(name) if name.starts_with('.') => Some(name.to_string()),
        _ => None,
    });
    assert_eq!(names.next().as_deref(), Some(".a.b"));
}

#[test]
fn a_function_with_a_namespace_has_no_target() {
    let checked = checked("[1].all(sets, sets.contains([1], [sets]))");
    assert!(checked.is_ok());
    let has_target = |kind: &NodeKind| matches!(kind, NodeKind::Call { target: Some(_), function, .. } if function.contains("contains"));
    let expansion = checked.expansion();
    assert!(!expansion.ids().any(|id| has_target(expansion.kind(id))));
}

#[test]
fn types_are_references() {
    let int = checked("int");
    let root = int.expansion().root();
    assert_eq!(int.reference(root), Some(&Reference::Type(Type::Int)));
    let pod = checked("acme.Pod{}");
    let root = pod.expansion().root();
    let expected = Reference::Type(Type::object("acme.Pod"));
    assert_eq!(pod.reference(root), Some(&expected));
}

fn in_acme() -> Env {
    builder()
        .container("acme.apps")
        .variable("acme.x", Type::Int)
        .variable("acme.apps.x", Type::String)
        .variable("x", Type::Bool)
        .build()
        .unwrap()
}

#[test]
fn names_are_looked_for_in_the_namespace_first() {
    let env = in_acme();
    let ty = |text: &str| checked_in(text, &env).output_type().to_string();
    assert_eq!(ty("x"), "string");
    assert_eq!(ty(".x"), "bool");
    assert_eq!(ty("acme.x"), "int");
    assert_eq!(ty("Pod{name: 'a'}"), "acme.Pod");
    assert_eq!(ty("[1].map(x, x)"), "list(int)");
    assert_eq!(ty("[1].map(x, .x)"), "list(bool)");
    assert_eq!(ty("size('a')"), "int");
    assert_eq!(
        checked_in("y", &env).errors()[0].message(),
        "undeclared reference to 'y' (in container 'acme.apps')"
    );
}
