//! The parts of policies that tests cover.

use super::{Count, ExpressionCoverage, Totals, coverage, totals};
use admission::{CompiledPolicy, EvaluationLimits, Inputs, PolicyCoverage, Request, Resources};
use expect_test::{Expect, expect};
use kubernetes::{Target, object};
use policy::ParsedFile;
use std::sync::Arc;

/// Returns a policy that continues with `rest`, fields of its `spec`, for a kind without a
/// schema.
fn policy(rest: &str) -> String {
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: demo
spec:
  matchConstraints:
    resourceRules:
      - {{apiGroups: [example.com], apiVersions: [v1], operations: [UPDATE], resources: [widgets]}}
{}",
        rest.trim_start_matches('\n')
    )
}

fn parsed(text: impl Into<Arc<str>>) -> ParsedFile {
    ParsedFile::new(text.into(), Target::default())
}

/// Returns a request with a Widget that has this `spec`.
fn request(spec: &str) -> Request {
    let text = format!(
        "{{apiVersion: example.com/v1, kind: Widget, metadata: {{name: w, namespace: a}}, \
         spec: {spec}}}"
    );
    let stream = yaml::parse(text.as_str().into());
    let inputs = Inputs {
        object: object(stream.documents().next().unwrap().root().unwrap()),
        ..Inputs::default()
    };
    Request::new(inputs, &Resources::default()).unwrap()
}

/// Returns the coverage of the first policy of a file with these specs of Widgets.
fn coverage_of(file: &ParsedFile, specs: &[&str]) -> Vec<ExpressionCoverage> {
    let document = file.policies().first().expect("a policy");
    // Each with its own recorder, so that they must be merged.
    let recorded: Vec<PolicyCoverage> = specs
        .iter()
        .map(|spec| {
            let recorded = PolicyCoverage::new(document);
            let compiled = CompiledPolicy::recorded(document, &recorded);
            let _ = compiled.evaluate(document, &request(spec), &EvaluationLimits::default());
            recorded
        })
        .collect();
    coverage(document, &recorded)
}

fn shown(file: &ParsedFile, expressions: &[ExpressionCoverage]) -> String {
    let mut out = String::new();
    for expression in expressions {
        let missing = expression.missing.map_or("covered", |it| it.description());
        let branches = expression.totals().branches;
        out.push_str(&format!(
            "{}: {missing} ({}/{})\n",
            expression.path, branches.covered, branches.total
        ));
        for branch in &expression.branches {
            let missing = branch.missing.map_or("covered", |it| it.description());
            out.push_str(&format!("  {}: {missing}\n", branch.text));
            // The quotes of a single-quoted scalar are written twice.
            let written = file.slice(branch.range).replace("''", "'");
            let written: Vec<&str> = written.split_whitespace().collect();
            assert_eq!(written.join(" "), branch.text);
        }
    }
    out
}

#[track_caller]
fn check(rest: &str, specs: &[&str], expected: &Expect) {
    let file = parsed(policy(rest));
    let expressions = coverage_of(&file, specs);
    expected.assert_eq(&shown(&file, &expressions));
}

/// Checks the branches of one validation.
#[track_caller]
fn check_validation(expression: &str, specs: &[&str], expected: &Expect) {
    let rest = format!("  validations:\n    - expression: |-\n        {expression}\n");
    check(&rest, specs, expected);
}

const EVERY_ROLE: &str = "
  matchConditions:
    - name: a
      expression: object.spec.size > 0
  variables:
    - name: big
      expression: object.spec.size > 5
    - name: nobody
      expression: 'true'
  validations:
    - expression: variables.big || object.spec.ok
      messageExpression: string(object.spec.words)
    - expression: 'false'
  auditAnnotations:
    - key: k
      valueExpression: string(object.spec.words)
";

#[test]
fn every_expression_of_a_policy() {
    check(
        EVERY_ROLE,
        &["{size: 6, words: a}", "{size: 0}"],
        &expect![[r#"
            spec.matchConditions[0].expression: covered (0/0)
            spec.variables[0].expression: covered (0/0)
            spec.variables[1].expression: never evaluated (0/0)
            spec.validations[0].expression: never false (1/4)
              variables.big: never false
              object.spec.ok: never evaluated
            spec.validations[0].messageExpression: covered (0/0)
            spec.validations[1].expression: covered (0/0)
            spec.auditAnnotations[0].valueExpression: covered (0/0)
        "#]],
    );
}

#[test]
fn an_expression_may_fail_or_never_run() {
    check(
        EVERY_ROLE,
        &["{size: 1, ok: false}"],
        &expect![[r#"
            spec.matchConditions[0].expression: never false (0/0)
            spec.variables[0].expression: covered (0/0)
            spec.variables[1].expression: never evaluated (0/0)
            spec.validations[0].expression: never true (2/4)
              variables.big: never true
              object.spec.ok: never true
            spec.validations[0].messageExpression: always failed (0/0)
            spec.validations[1].expression: covered (0/0)
            spec.auditAnnotations[0].valueExpression: always failed (0/0)
        "#]],
    );
    check(
        EVERY_ROLE,
        &[],
        &expect![[r#"
        spec.matchConditions[0].expression: never evaluated (0/0)
        spec.variables[0].expression: never evaluated (0/0)
        spec.variables[1].expression: never evaluated (0/0)
        spec.validations[0].expression: never evaluated (0/4)
          variables.big: never evaluated
          object.spec.ok: never evaluated
        spec.validations[0].messageExpression: never evaluated (0/0)
        spec.validations[1].expression: never evaluated (0/0)
        spec.auditAnnotations[0].valueExpression: never evaluated (0/0)
    "#]],
    );
}

#[test]
fn the_totals_of_a_policy() {
    let file = parsed(policy(EVERY_ROLE));
    let all = totals(&coverage_of(&file, &["{size: 6, words: a}", "{size: 0}"]));
    let expected = Totals {
        expressions: Count {
            covered: 5,
            total: 7,
        },
        branches: Count {
            covered: 1,
            total: 4,
        },
    };
    assert_eq!(all, expected);
}

#[test]
fn an_operand_has_two_outcomes_and_a_side_one() {
    check_validation(
        "object.spec.a && (object.spec.b || object.spec.c) && object.spec.d",
        &["{a: true, b: false, c: true, d: true}", "{a: false}"],
        &expect![[r#"
            spec.validations[0].expression: covered (5/8)
              object.spec.a: covered
              object.spec.b: never true
              object.spec.c: never false
              object.spec.d: never false
        "#]],
    );
    check_validation(
        "(object.spec.a ? object.spec.b : object.spec.a) && !(object.spec.c || !!object.spec.d)",
        &["{a: true, b: true, c: false, d: false}"],
        &expect![[r#"
            spec.validations[0].expression: never false (5/10)
              object.spec.a ? object.spec.b : object.spec.a: never false
              object.spec.b: covered
              object.spec.a: never evaluated
              !(object.spec.c || !!object.spec.d): never false
              object.spec.c: never true
              object.spec.d: never true
        "#]],
    );
    check_validation(
        "object.spec.a ? (object.spec.b ? object.spec.c == 1 : true) : false",
        &["{a: true, b: false}"],
        &expect![[r#"
            spec.validations[0].expression: never false (2/4)
              object.spec.b ? object.spec.c == 1 : true: covered
              object.spec.c == 1: never evaluated
              true: covered
              false: never evaluated
        "#]],
    );
}

#[test]
fn a_failure_is_no_outcome() {
    check_validation(
        "object.spec.a || object.spec.b",
        &["{a: true}", "{b: true}", "{}"],
        &expect![[r#"
            spec.validations[0].expression: never false (2/4)
              object.spec.a: never false
              object.spec.b: never false
        "#]],
    );
    check_validation(
        "object.spec.a && object.spec.b",
        &["{}"],
        &expect![[r#"
            spec.validations[0].expression: always failed (0/4)
              object.spec.a: always failed
              object.spec.b: always failed
        "#]],
    );
}

#[test]
fn what_is_constant_is_no_branch() {
    check_validation(
        "(object.spec.a || true) && [1, 2].all(n, n > 0) && (1 > 0 ? object.spec.a : false)",
        &["{a: true}"],
        &expect![[r#"
            spec.validations[0].expression: never false (2/4)
              object.spec.a: never false
              1 > 0 ? object.spec.a : false: never false
        "#]],
    );
    check_validation(
        "true",
        &["{}"],
        &expect![[r#"
        spec.validations[0].expression: covered (0/0)
    "#]],
    );
}

#[test]
fn every_turn_of_a_loop_counts() {
    let specs = ["{list: [1, 2, 3]}"];
    for text in [
        "object.spec.list.all(x, x > 1 || x < 9)",
        "object.spec.list.all(i, x, x > 1 || i < 9)",
        "object.spec.list.exists(x, x > 1 && x == 3)",
        "object.spec.list.exists(i, x, x > 1 && x == 3)",
        "object.spec.list.exists_one(x, x > 1 && x == 3)",
        "object.spec.list.existsOne(i, x, x > 1 && x == 3)",
        "object.spec.list.map(x, x > 1 && x == 3)[0]",
        "object.spec.list.map(x, x > 1 && x == 3, x).size() > 0",
        "object.spec.list.filter(x, x > 1 && x == 3).size() > 0",
        "object.spec.list.sortBy(x, x > 1 ? x : -x).size() > 0",
        "object.spec.list.transformList(i, x, x > 1 && x == 3)[0]",
        "object.spec.list.transformList(i, x, x > 1 && x == 3, x).size() > 0",
        "object.spec.list.transformMap(i, x, x > 1 && x == 3)[0]",
        "object.spec.list.transformMap(i, x, x > 1 && x == 3, x).size() > 0",
        "object.spec.list.transformMapEntry(i, x, {x: x > 1 && x == 3})[1]",
        "object.spec.list.transformMapEntry(i, x, x > 1 && x == 3, {x: i}).size() > 0",
        "[object.spec.list, dyn([])].all(l, l.all(x, x > 1 || x < 9))",
        "optional.of(object.spec.list).optMap(l, l.all(x, x > 1 || x < 9)).orValue(false)",
    ] {
        let file = parsed(policy(&format!(
            "  validations:\n    - expression: |-\n        {text}\n"
        )));
        let document = file.policies().first().unwrap();
        let compiled = CompiledPolicy::new(document);
        assert_eq!(compiled.refusal(0), None, "{text}");
        let expressions = coverage_of(&file, &specs);
        let [only] = expressions.as_slice() else {
            panic!("one expression");
        };
        let first = only.branches.first().expect(text);
        assert_eq!(first.missing, None, "{text}: {}", first.text);
    }
}

#[test]
fn what_the_macros_of_optionals_hold() {
    check_validation(
        "object.spec.?flag.orValue(object.spec.a || object.spec.b) && object.spec.?c.hasValue()",
        &["{a: false, b: true, c: 1}", "{flag: false}"],
        &expect![[r#"
            spec.validations[0].expression: covered (5/8)
              object.spec.?flag.orValue(object.spec.a || object.spec.b): covered
              object.spec.a: never true
              object.spec.b: never false
              object.spec.?c.hasValue(): never false
        "#]],
    );
    check_validation(
        "object.spec.?a.optMap(x, x > 1 && x < 9).orValue(object.spec.b || true)",
        &["{a: 1}", "{a: 5}"],
        &expect![[r#"
            spec.validations[0].expression: covered (3/6)
              x > 1: covered
              x < 9: never false
              object.spec.b: never evaluated
        "#]],
    );
    check_validation(
        "(object.spec.b ? object.spec.?a : optional.none()).optFlatMap(x, x > 1 ? optional.of(x) : optional.none()).hasValue()",
        &["{a: 1, b: true}"],
        &expect![[r#"
            spec.validations[0].expression: never true (2/4)
              object.spec.?a: covered
              optional.none(): never evaluated
              optional.of(x): never evaluated
              optional.none(): covered
        "#]],
    );
}

#[test]
fn a_field_that_may_be_absent() {
    check_validation(
        "has(object.spec.a) && object.spec.a in ['x', 'y'] || object.spec[?'b'].orValue(0) > 1",
        &["{a: x}", "{b: 2}", "{}"],
        &expect![[r#"
            spec.validations[0].expression: covered (5/6)
              has(object.spec.a): covered
              object.spec.a in ['x', 'y']: never false
              object.spec[?'b'].orValue(0) > 1: covered
        "#]],
    );
}

#[test]
fn places_are_right_in_every_style() {
    let rest = "
  validations:
    - expression: |
        object.spec.words != '🦀' &&
          // 🦀
          (object.spec.a ||
           object.spec.words == 'é🦀')
    - expression: >-
        object.spec.words != '🦀'
        && (object.spec.a ||

        object.spec.words == 'é🦀')
    - expression: 'object.spec.words != ''🦀'' && object.spec.a'
    - expression: object.spec.words != '🦀'
        && object.spec.a
";
    let expected = expect![[r#"
        spec.validations[0].expression: never true (3/6)
          object.spec.words != '🦀': never false
          object.spec.a: never true
          object.spec.words == 'é🦀': never true
        spec.validations[1].expression: never true (3/6)
          object.spec.words != '🦀': never false
          object.spec.a: never true
          object.spec.words == 'é🦀': never true
        spec.validations[2].expression: never true (2/4)
          object.spec.words != '🦀': never false
          object.spec.a: never true
        spec.validations[3].expression: never true (2/4)
          object.spec.words != '🦀': never false
          object.spec.a: never true
    "#]];
    check(rest, &["{words: b, a: false}"], &expected);
    let file = parsed(policy(rest).replace('\n', "\r\n"));
    let expressions = coverage_of(&file, &["{words: b, a: false}"]);
    expected.assert_eq(&shown(&file, &expressions));
}

#[test]
fn an_expression_that_the_server_refuses_is_never_evaluated() {
    check_validation(
        "object.spec.a &&",
        &["{a: true}"],
        &expect![[r#"
        spec.validations[0].expression: never evaluated (0/0)
    "#]],
    );
    check_validation(
        "object.spec.a && 1",
        &["{a: true}"],
        &expect![[r#"
        spec.validations[0].expression: never evaluated (0/2)
          object.spec.a: never evaluated
    "#]],
    );
}

#[test]
fn other_kinds_have_no_coverage() {
    let file = parsed(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: w}
webhooks:
  - name: a.b.c
    matchConditions:
      - {name: a, expression: object.a && object.b}
",
    );
    assert!(coverage_of(&file, &["{}"]).is_empty());
}
