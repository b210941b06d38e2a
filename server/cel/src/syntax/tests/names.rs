//! Names, macros and scopes.

use super::{parse, right};
use crate::syntax::{Ast, IdentRole, MacroKind};

/// Returns each identifier with `!` where a macro declares it, `=` where it is bound, otherwise
/// bare.
fn roles(ast: &Ast) -> String {
    let uses = ast.idents(ast.root(), &[]);
    let shown = uses.iter().map(|it| {
        let name = ast.name(it.name);
        match it.role {
            IdentRole::Declaration(_) => format!("{name}!"),
            IdentRole::Bound(binding) => format!("{name}={}", binding.name.span.start()),
            IdentRole::Free => name.to_owned(),
        }
    });
    shown.collect::<Vec<_>>().join(" ")
}

#[test]
fn macro_variables_are_bound_in_the_body_only() {
    for (text, expected) in [
        ("x.all(x, x > y)", "x x! x=6 y"),
        ("l.map(a, l.map(b, a + b + c))", "l a! l b! a=6 b=15 c"),
        ("l.map(a, l.map(a, a) + a)", "l a! l a! a=15 a=6"),
        ("l.exists(x, true) && x", "l x! x"),
        ("m.transformMap(k, v, k != v, v)", "m k! v! k=15 v=18 v=18"),
        ("o.optMap(v, v.x).orValue(v)", "o v! v=9 v"),
        ("l.sortBy(e, -e)", "l e! e=9"),
        ("l.all(x, .x)", "l x! x"),
        ("l.all((x), x)", "l x! x=7"),
        ("l.all(x, y, z, x)", "l x y z x"),
        ("l.existsOne(x, x)", "l x x"),
        ("l.all(x.y, x)", "l x x"),
        ("has(a.b)", "a"),
        ("f(x, y)", "x y"),
    ] {
        assert_eq!(roles(&parse(text).ast), expected, "{text}");
    }
}

#[test]
fn variables_in_scope_at_a_cursor() {
    let text = "l.map(a, m.filter(b, a.x && b.y) + ";
    let ast = parse(text).ast;
    let names = |offset: usize| -> Vec<&str> {
        let offset = u32::try_from(offset).unwrap();
        let bindings = ast.bindings_at(offset);
        bindings
            .iter()
            .map(|binding| ast.name(binding.name))
            .collect()
    };
    assert!(names(1).is_empty());
    assert!(names(6).is_empty());
    assert_eq!(names(9), ["a"]);
    assert_eq!(names(text.find("a.x").unwrap()), ["a", "b"]);
    assert_eq!(names(text.len()), ["a"]);
    let shadowed = parse("l.map(a, l.map(a, a))").ast;
    let bindings = shadowed.bindings_at(18);
    assert_eq!(bindings.len(), 1);
    assert_eq!(bindings[0].name.span.start(), 15);
}

#[test]
fn calls_that_are_macros() {
    let ast = right("has(a.b) && l.all(x, has(x.c)) && l.all(a, b, c, d) && f(x).map(x, x, x)");
    let kinds: Vec<MacroKind> = ast.macro_calls().map(|call| call.kind).collect();
    assert_eq!(
        kinds,
        [
            MacroKind::Has,
            MacroKind::Has,
            MacroKind::All,
            MacroKind::Map
        ]
    );
    let map = ast.macro_calls().last().unwrap();
    assert_eq!((map.variables.len(), map.body.len()), (1, 2));
}

#[test]
fn qualified_names() {
    for (text, expected) in [
        ("a", Some("a")),
        ("a.b.c", Some("a.b.c")),
        ("(a.b).c", Some("a.b.c")),
        (".a.b", Some("a.b")),
        ("a.?b", None),
        ("a[0].b", None),
        ("f().b", None),
        ("'x'.b", None),
    ] {
        let ast = right(text);
        let name = ast.qualified_name(ast.root()).map(|name| name.join(&ast));
        assert_eq!(name.as_deref(), expected, "{text}");
    }
}
