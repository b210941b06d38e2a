//! The normal form.

use super::{Lines, is_same};
use crate::syntax::tests::meaning;
use crate::syntax::{Parse, parse};
use expect_test::{Expect, expect};

fn format(parse: &Parse) -> Option<String> {
    super::format(parse, &Lines::with_width(80))
}

fn format_to_width(parse: &Parse, width: usize) -> Option<String> {
    super::format(parse, &Lines::with_width(width))
}

/// Formats an expression whose author has broken lines.
#[track_caller]
fn check_kept(text: &str, expected: &Expect) {
    let kept = |text: &str| {
        let lines = Lines::keeping_breaks(text, 80);
        super::format(&parse(text), &lines).unwrap()
    };
    let formatted = kept(text);
    assert!(is_same(&parse(text), &parse(&formatted)));
    assert_eq!(kept(&formatted), formatted);
    expected.assert_eq(&formatted);
}

#[track_caller]
fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&format(&parse(text)).unwrap());
}

#[test]
fn one_line_if_it_fits() {
    for (text, expected) in [
        ("a&&b||!c", "a && b || !c"),
        ("f ( a,b )", "f(a, b)"),
        ("[ 1,2, ]", "[1, 2]"),
        ("[,]", "[]"),
        ("{ 'a':1 , ?b : c , }", "{'a': 1, ?b: c}"),
        ("T { a:1,?b:x.y }", "T{a: 1, ?b: x.y}"),
        (". a . b { }", ".a.b{}"),
        ("a . ?b [ ?0 ] . c ( )", "a.?b[?0].c()"),
        ("a?b:c", "a ? b : c"),
        ("- 1 - - 1", "-1 - -1"),
        ("! ! a", "!!a"),
        ("((a))", "((a))"),
        ("'''a\nb'''+r'\\d'", "'''a\nb''' + r'\\d'"),
        ("x.all( y , y>0 )", "x.all(y, y > 0)"),
        ("a in b", "a in b"),
        ("a\n\n&&\n\nb", "a && b"),
    ] {
        let printed = format(&parse(text)).unwrap_or_default();
        assert_eq!(printed, expected, "{text}");
    }
}

#[test]
fn long_chains_break_at_their_operators() {
    check(
        "object.spec.template.spec.containers.all(c,has(c.securityContext)&&has(c.securityContext.runAsNonRoot)&&c.securityContext.runAsNonRoot==true)&&(!has(object.spec.x)||object.spec.template.spec.initContainers.all(c, has(c.resources)))",
        &expect![[r#"
            object.spec.template.spec.containers.all(c,
              has(c.securityContext) &&
              has(c.securityContext.runAsNonRoot) &&
              c.securityContext.runAsNonRoot == true
            ) &&
            (
              !has(object.spec.x) ||
              object.spec.template.spec.initContainers.all(c, has(c.resources))
            )"#]],
    );
    check(
        "object.metadata.name == 'some long name' && object.metadata.namespace == 'other' || request.operation == 'CREATE'",
        &expect![[r#"
            object.metadata.name == 'some long name' &&
              object.metadata.namespace == 'other' ||
            request.operation == 'CREATE'"#]],
    );
}

#[test]
fn long_conditions_break_after_their_signs() {
    check(
        "object.metadata.name.startsWith('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') ? 'some long message' + object.metadata.name : has(object.metadata.labels) ? 'two' : 'three'",
        &expect![[r#"
            object.metadata.name.startsWith('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa') ?
              'some long message' + object.metadata.name :
            has(object.metadata.labels) ?
              'two' :
              'three'"#]],
    );
}

#[test]
fn long_lists_and_structs_have_a_line_for_each_item() {
    check(
        "[JSONPatch{op: 'add', path: '/metadata/labels/a', value: 'bbbbbbbbbbbbbbbbbbbbbbb'}, JSONPatch{op: 'remove', path: '/spec/x'}]",
        &expect![[r#"
            [
              JSONPatch{
                op: 'add',
                path: '/metadata/labels/a',
                value: 'bbbbbbbbbbbbbbbbbbbbbbb'
              },
              JSONPatch{op: 'remove', path: '/spec/x'}
            ]"#]],
    );
    check(
        "Object{spec: Object.spec{replicas: 3, template: Object.spec.template{metadata: Object.spec.template.metadata{labels: {'a': 'b'}}}}}",
        &expect![[r#"
            Object{
              spec: Object.spec{
                replicas: 3,
                template: Object.spec.template{
                  metadata: Object.spec.template.metadata{labels: {'a': 'b'}}
                }
              }
            }"#]],
    );
}

#[test]
fn comments_stay_where_they_are() {
    check(
        "// first\n\n// second\na // after a\n&& // after and\n// own line\nb\n// last",
        &expect![[r#"
            // first
            // second
            a && // after a
            // after and
            // own line
            b
            // last"#]],
    );
    check(
        "f( // open\n  a, // one\n  // before b\n  b // two\n  // close\n)",
        &expect![[r#"
            f( // open
              a, // one
              // before b
              b // two
              // close
            )"#]],
    );
    check(
        "[1, // one\n2, // two\n]",
        &expect![[r#"
        [
          1, // one
          2 // two
        ]"#]],
    );
    check(
        "a // x\n.b // y\n? c // z\n: d // w\r\n",
        &expect![[r#"
            a // x
            .b // y
            ?
              c // z
              :
              d // w"#]],
    );
}

#[test]
fn a_mistake_leaves_the_text_alone() {
    assert_eq!(format(&parse("a &&")), None);
    assert_eq!(format(&parse("")), None);
}

#[test]
fn what_would_grow_past_the_limit_stays_on_one_line() {
    let nested = format!(
        "{}{}{}",
        "[".repeat(249),
        "1,".repeat(45_000),
        "]".repeat(249)
    );
    let parsed = parse(&nested);
    assert!(parsed.is_ok());
    assert_eq!(format(&parsed), None);
    let nested = format!(
        "{}{}{}",
        "[".repeat(249),
        "1,".repeat(25_000),
        "]".repeat(249)
    );
    let printed = format(&parse(&nested)).unwrap();
    assert_eq!(printed.lines().count(), 1);
    assert_eq!(meaning(&parse(&printed).ast), meaning(&parse(&nested).ast));
}

#[test]
fn the_width_is_free() {
    let text = "a && b";
    assert_eq!(format_to_width(&parse(text), 3).unwrap(), "a &&\nb");
    assert_eq!(format_to_width(&parse(text), 0).unwrap(), "a &&\nb");
}

#[test]
fn long_chains_of_calls_break_before_each_call() {
    check(
        "authorizer.group('apps').resource('deployments').namespace(object.metadata.namespace).check('create').allowed()",
        &expect![[r#"
            authorizer
              .group('apps')
              .resource('deployments')
              .namespace(object.metadata.namespace)
              .check('create')
              .allowed()"#]],
    );
    check(
        "object.spec.template.spec.?containers.orValue([]).map(c, c.image).first().value.names.all(n, n.startsWith('a'))",
        &expect![[r#"
            object.spec.template.spec.?containers
              .orValue([])
              .map(c, c.image)
              .first()
              .value.names.all(n, n.startsWith('a'))"#]],
    );
    check(
        "object.spec.template.spec.containers.map(container, container.image).all(image, image.startsWith('registry'))",
        &expect![[r#"
            object.spec.template.spec.containers.map(container, container.image).all(image,
              image.startsWith('registry')
            )"#]],
    );
}

#[test]
fn long_sums_fill_their_lines() {
    check(
        "'container ' + object.metadata.name + ' in ' + object.metadata.namespace + ' must not use ' + string(object.spec.replicas) + ' replicas'",
        &expect![[r#"
            'container ' + object.metadata.name + ' in ' + object.metadata.namespace +
              ' must not use ' + string(object.spec.replicas) + ' replicas'"#]],
    );
}

#[test]
fn line_breaks_of_the_author_are_kept() {
    check_kept(
        "a &&\nb && c",
        &expect![[r#"
        a &&
        b &&
        c"#]],
    );
    check_kept(
        "a\n&& (b ||\nc)",
        &expect![[r#"
        a &&
        (
          b ||
          c
        )"#]],
    );
    check_kept(
        "x.all(c,\nc > 1)",
        &expect![[r#"
        x.all(c,
          c > 1
        )"#]],
    );
    check_kept(
        "Object{\nspec: Object.spec{a: 1}}",
        &expect![[r#"
        Object{
          spec: Object.spec{a: 1}
        }"#]],
    );
}

#[test]
fn line_breaks_of_the_author_are_kept_in_chains() {
    check_kept(
        "a ? b :\nc",
        &expect![[r#"
        a ?
          b :
          c"#]],
    );
    check_kept(
        "a.b\n.filter(c, c).all(d, d)",
        &expect![[r#"
        a.b
          .filter(c, c)
          .all(d, d)"#]],
    );
    check_kept(
        "'a' + b +\n'c' + d",
        &expect![[r#"
        'a' + b +
          'c' + d"#]],
    );
    // Elsewhere they have no meaning.
    check_kept(
        "f(a,\nb)[\n0] == \n[\n1,\n2] && !\nx.\ny",
        &expect![[r#"
        f(a, b)[0] == [
          1,
          2
        ] &&
        !x.y"#]],
    );
}

#[test]
fn trees_are_compared() {
    let texts = "a|b|.a|a.b|a.?b|a[b]|a[?b]|a(b)|a.b()|.a(b)|!a|!!a|-a|a + b|a - b|a ? b : c|[a]|[?a]|\
                 [a, a]|{a: b}|{?a: b}|T{a: b}|T{b: b}|T{?a: b}|U{a: b}|.T{a: b}|T.U{a: b}|(a)|1|2|\
                 '1'|b'1'|1u|1.0|true|null|a // 1|a // 2|a(c)|b(b)";
    let texts: Vec<&str> = texts.split('|').collect();
    for (index, left) in texts.iter().enumerate() {
        for (other, right) in texts.iter().enumerate() {
            let same = is_same(&parse(left), &parse(&format!(" {right}")));
            assert_eq!(same, index == other, "{left} and {right}");
        }
    }
    assert!(!is_same(&parse("a +"), &parse("a +")));
}

#[test]
fn a_comment_before_a_part_does_not_break_it() {
    for text in [
        "// one\na.b > 1 &&\n// two\na.b < 10 &&\nf(x) + 2 == y",
        "// all\na > 1",
        "[\n  // first\n  a + 1,\n  // second\n  b.c().d(e).f()\n]",
        "a ||\n// why\n(b && c)",
    ] {
        let lines = Lines::keeping_breaks(text, 80);
        let formatted = super::format(&parse(text), &lines);
        assert_eq!(formatted.as_deref(), Some(text));
    }
}

#[test]
fn one_empty_line_of_the_author_is_kept() {
    check_kept(
        "has(a.b) &&\n\n\n// c\n\n!d.all(x,\n\nx > 0\n\n) &&\ne",
        &expect![[r"
            has(a.b) &&

            // c

            !d.all(x,

              x > 0
            ) &&
            e"]],
    );
    check_kept(
        "(\n\na &&\n\nb\n\n)",
        &expect![[r"
        (
          a &&

          b
        )"]],
    );
    // No line begins there.
    check_kept("a ==\n\n  b(\n\n)", &expect!["a == b()"]);
}
