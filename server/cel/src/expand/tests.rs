//! The expansions of macros.

use super::{Expansion, MAX_NODES, NodeId, NodeKind, expand};
use expect_test::expect;
use std::fmt::Write;

/// Writes the tree as text.
#[expect(clippy::too_many_lines, reason = "one text for each kind")]
fn write(expansion: &Expansion, id: NodeId, out: &mut String) {
    let list = |ids: &[NodeId], out: &mut String| {
        for (at, id) in ids.iter().enumerate() {
            out.push_str(if at == 0 { "" } else { ", " });
            write(expansion, *id, out);
        }
    };
    match expansion.kind(id) {
        NodeKind::Error => out.push_str("<error>"),
        NodeKind::Literal(literal) => {
            let _ = write!(out, "{literal:?}");
        }
        NodeKind::Ident(name) => out.push_str(name),
        NodeKind::Select {
            operand,
            field,
            test_only,
        } => {
            write(expansion, *operand, out);
            let _ = write!(out, ".{field}{}", if *test_only { "~test" } else { "" });
        }
        NodeKind::Call {
            target,
            function,
            args,
        } => {
            if let Some(target) = target {
                write(expansion, *target, out);
                out.push('.');
            }
            let _ = write!(out, "{function}(");
            list(args, out);
            out.push(')');
        }
        NodeKind::List { elements, .. } => {
            out.push('[');
            list(elements, out);
            out.push(']');
        }
        NodeKind::Map(entries) => {
            out.push('{');
            for entry in entries {
                write(expansion, entry.key, out);
                out.push_str(": ");
                write(expansion, entry.value, out);
            }
            out.push('}');
        }
        NodeKind::Struct { type_name, .. } => out.push_str(type_name),
        NodeKind::Comprehension(it) => {
            let second = it.second_variable.as_deref().unwrap_or("-");
            let _ = write!(out, "loop {} {second} in ", it.variable);
            write(expansion, it.range, out);
            for (name, part) in [
                ("init", it.init),
                ("while", it.condition),
                ("step", it.step),
                ("result", it.result),
            ] {
                let _ = write!(out, "\n  {name} {}= ", it.accumulator);
                write(expansion, part, out);
            }
        }
    }
}

fn expanded(text: &str) -> String {
    let ast = crate::parse(text).ast;
    let expansion = expand(&ast, &|_, _| true);
    let mut out = format!("{text}\n");
    write(&expansion, expansion.root(), &mut out);
    out.push('\n');
    out
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn macros_become_loops() {
    let texts = [
        "has(a.b)",
        "has((has(a.b)))",
        "l.all(x, p)",
        "l.exists(x, p)",
        "l.exists_one(x, p)",
        "l.map(x, v)",
        "l.map(x, p, v)",
        "l.filter(x, p)",
        "l.all(i, x, p)",
        "l.exists(i, x, p)",
        "l.existsOne(i, x, p)",
        "l.transformList(i, x, v)",
        "l.transformList(i, x, p, v)",
        "m.transformMap(k, x, v)",
        "m.transformMap(k, x, p, v)",
        "m.transformMapEntry(k, x, e)",
        "m.transformMapEntry(k, x, p, e)",
        "o.f().optMap(x, v)",
        "o.optFlatMap(x, v)",
        "l.sortBy(x, v)",
    ];
    let all: String = texts.into_iter().map(expanded).collect();
    expect![[r#"
        has(a.b)
        a.b~test
        has((has(a.b)))
        a.b~test
        l.all(x, p)
        loop x - in l
          init @result= Bool(true)
          while @result= @not_strictly_false(@result)
          step @result= _&&_(@result, p)
          result @result= @result
        l.exists(x, p)
        loop x - in l
          init @result= Bool(false)
          while @result= @not_strictly_false(!_(@result))
          step @result= _||_(@result, p)
          result @result= @result
        l.exists_one(x, p)
        loop x - in l
          init @result= Int(0)
          while @result= Bool(true)
          step @result= _?_:_(p, _+_(@result, Int(1)), @result)
          result @result= _==_(@result, Int(1))
        l.map(x, v)
        loop x - in l
          init @result= []
          while @result= Bool(true)
          step @result= _+_(@result, [v])
          result @result= @result
        l.map(x, p, v)
        loop x - in l
          init @result= []
          while @result= Bool(true)
          step @result= _?_:_(p, _+_(@result, [v]), @result)
          result @result= @result
        l.filter(x, p)
        loop x - in l
          init @result= []
          while @result= Bool(true)
          step @result= _?_:_(p, _+_(@result, [x]), @result)
          result @result= @result
        l.all(i, x, p)
        loop i x in l
          init @result= Bool(true)
          while @result= @not_strictly_false(@result)
          step @result= _&&_(@result, p)
          result @result= @result
        l.exists(i, x, p)
        loop i x in l
          init @result= Bool(false)
          while @result= @not_strictly_false(!_(@result))
          step @result= _||_(@result, p)
          result @result= @result
        l.existsOne(i, x, p)
        loop i x in l
          init @result= Int(0)
          while @result= Bool(true)
          step @result= _?_:_(p, _+_(@result, Int(1)), @result)
          result @result= _==_(@result, Int(1))
        l.transformList(i, x, v)
        loop i x in l
          init @result= []
          while @result= Bool(true)
          step @result= _+_(@result, [v])
          result @result= @result
        l.transformList(i, x, p, v)
        loop i x in l
          init @result= []
          while @result= Bool(true)
          step @result= _?_:_(p, _+_(@result, [v]), @result)
          result @result= @result
        m.transformMap(k, x, v)
        loop k x in m
          init @result= {}
          while @result= Bool(true)
          step @result= cel.@mapInsert(@result, k, v)
          result @result= @result
        m.transformMap(k, x, p, v)
        loop k x in m
          init @result= {}
          while @result= Bool(true)
          step @result= _?_:_(p, cel.@mapInsert(@result, k, v), @result)
          result @result= @result
        m.transformMapEntry(k, x, e)
        loop k x in m
          init @result= {}
          while @result= Bool(true)
          step @result= cel.@mapInsert(@result, e)
          result @result= @result
        m.transformMapEntry(k, x, p, e)
        loop k x in m
          init @result= {}
          while @result= Bool(true)
          step @result= _?_:_(p, cel.@mapInsert(@result, e), @result)
          result @result= @result
        o.f().optMap(x, v)
        _?_:_(o.f().hasValue(), optional.of(loop #unused - in []
          init x= o.f().value()
          while x= Bool(false)
          step x= x
          result x= v), optional.none())
        o.optFlatMap(x, v)
        _?_:_(o.hasValue(), loop #unused - in []
          init x= o.value()
          while x= Bool(false)
          step x= x
          result x= v, optional.none())
        l.sortBy(x, v)
        loop #unused - in []
          init @__sortBy_input__= l
          while @__sortBy_input__= Bool(false)
          step @__sortBy_input__= @__sortBy_input__
          result @__sortBy_input__= @__sortBy_input__.@sortByAssociatedKeys(loop x - in @__sortBy_input__
          init @result= []
          while @result= Bool(true)
          step @result= _+_(@result, [v])
          result @result= @result)
    "#]].assert_eq(&all);
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn operators_become_calls() {
    let texts = [
        "a + b - c * d / e % f",
        "a || b && c",
        "!a",
        "!!a",
        "- -a",
        "---a",
        "a[b]",
        "a[?b]",
        "a.?b",
        "a ? b : c",
        "a in b",
        "(((a)))",
        ".a.b(.c)",
    ];
    let all: String = texts.into_iter().map(expanded).collect();
    expect![[r#"
        a + b - c * d / e % f
        _-_(_+_(a, b), _%_(_/_(_*_(c, d), e), f))
        a || b && c
        _||_(a, _&&_(b, c))
        !a
        !_(a)
        !!a
        a
        - -a
        a
        ---a
        -_(a)
        a[b]
        _[_](a, b)
        a[?b]
        _[?_](a, b)
        a.?b
        _?._(a, String("b"))
        a ? b : c
        _?_:_(a, b, c)
        a in b
        @in(a, b)
        (((a)))
        a
        .a.b(.c)
        .a.b(.c)
    "#]]
    .assert_eq(&all);
}

#[test]
fn a_macro_that_the_environment_does_not_have_stays_a_call() {
    let ast = crate::parse("l.all(i, x, x).map(y, y)").ast;
    let expansion = expand(&ast, &|_, variables| variables < 2);
    let mut out = String::new();
    write(&expansion, expansion.root(), &mut out);
    expect![[r#"
        loop y - in l.all(i, x, x)
          init @result= []
          while @result= Bool(true)
          step @result= _+_(@result, [y])
          result @result= @result"#]]
    .assert_eq(&out);
}

#[test]
fn nodes_of_a_macro_are_at_its_place_and_copies_at_theirs() {
    let text = "  o.f({1: 2}).optMap(x, y)";
    let ast = crate::parse(text).ast;
    let expansion = expand(&ast, &|_, _| true);
    let mut places = String::new();
    for id in expansion.ids() {
        let node = expansion.node(id).unwrap();
        let mut part = String::new();
        write(&expansion, id, &mut part);
        let part = part.lines().next().unwrap_or_default();
        let _ = writeln!(places, "{:2} {part}", node.offset);
    }
    expect![[r#"
         2 o
         7 Int(1)
        10 Int(2)
         6 {Int(1): Int(2)}
         5 o.f({Int(1): Int(2)})
        24 y
        20 o.f({Int(1): Int(2)}).hasValue()
         2 o
         7 Int(1)
        10 Int(2)
         6 {Int(1): Int(2)}
         5 o.f({Int(1): Int(2)})
        20 o.f({Int(1): Int(2)}).value()
        20 x
        20 []
        20 Bool(false)
        20 loop #unused - in []
        20 optional.of(loop #unused - in []
        20 optional.none()
        20 _?_:_(o.f({Int(1): Int(2)}).hasValue(), optional.of(loop #unused - in []
    "#]]
    .assert_eq(&places);
}

#[test]
fn copies_of_copies_come_to_an_end() {
    let text = format!("o{}", ".optMap(x, x)".repeat(40));
    let expansion = expand(&crate::parse(&text).ast, &|_, _| true);
    assert!(expansion.is_too_large());
    assert!(expansion.len() < MAX_NODES + 1_000);
}

#[test]
fn each_node_of_the_text_is_found() {
    let ast = crate::parse("has(a.b) && [1].map(x, (x))").ast;
    let expansion = expand(&ast, &|_, _| true);
    let missing: Vec<&str> = ast
        .ids()
        .filter(|id| expansion.of_expr(*id).is_none())
        .map(|id| ast.slice(ast.span(id)))
        .collect();
    assert_eq!(missing, ["a.b", "x"]);
}
