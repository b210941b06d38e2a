//! The runner reports which cases pass for any content of the files, and a case that passed is
//! never lost.

use super::case::Case;
use super::case_files::{Check, SyntaxCheck, run, tally};
use super::report::{Report, Tally};
use super::{compilation, difference, encode, engine, floor, formatting, own_folder, traps};
use crate::repository;
use cel::eval::Bindings;
use cel::syntax::ParseOptions;
use expect_test::expect;
use policy::environment::{EnvironmentKind, NEWEST, env};

#[test]
fn nothing_that_passed_is_lost() {
    let folder = own_folder();
    let reports = run(&folder).unwrap();
    let below = floor::below(&floor::read(&folder).unwrap(), &reports);
    assert!(below.is_empty(), "below the floor:\n{}", below.join("\n"));
}

#[test]
fn every_expression_can_be_formatted() {
    for file in ["cel.jsonl", "cel-traps.jsonl"] {
        let text = repository::read(&own_folder().join(file)).unwrap();
        let tally = tally(text.as_bytes(), formatting::check_expressions);
        assert_eq!(tally.failed, [], "{file}");
        assert!(tally.passed > 100, "{file}");
    }
}

#[test]
fn every_example_can_be_formatted() {
    for folder in [
        "examples",
        "tests/examples",
        "editors/fixtures",
        "server/bench",
    ] {
        let files = repository::files(&repository::root().join(folder)).unwrap();
        for (name, path) in files.iter().filter(|(name, _)| name.ends_with(".yaml")) {
            let text = repository::read(path).unwrap();
            assert_eq!(formatting::check_file(&text), Ok(()), "{name}");
        }
    }
}

#[test]
fn the_floor_holds_every_file() {
    let folder = own_folder();
    let floor = floor::read(&folder).unwrap();
    let files = repository::files(&folder).unwrap();
    let cases = files.iter().filter(|(name, _)| name.ends_with(".jsonl"));
    let missing: Vec<_> = cases
        .filter(|(name, _)| !floor.contains_key(name))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

fn report(text: &str, whole: Check, syntax: Option<SyntaxCheck>) -> Report {
    Report {
        file: "cases.jsonl".into(),
        whole: tally(text.as_bytes(), |case| Some(whole(case))),
        syntax: syntax.map(|syntax| tally(text.as_bytes(), syntax)),
        findings: None,
        formatted: Tally::default(),
    }
}

#[test]
fn a_case_that_panics_or_cannot_be_read_fails_alone() {
    let cases = "{\"id\":\"a\"}\n\n[1]\n{\"id\":\n{\"id\":\"b\"}\n{\"file\":\"f\",\"section\":\"s\",\"name\":\"n\"}\n{}\n";
    let report = report(
        cases,
        |case| {
            assert!(case.id != "a", "no {}", case.id);
            Ok(())
        },
        None,
    );
    expect![[r#"
        cases.jsonl 3/6
          a: panicked: no a
          line 3: malformed: not a JSON object
          line 4: malformed: EOF while parsing a value at line 1 column 6
    "#]]
    .assert_eq(&report.text(true));
    expect![[r#"{"file":"cases.jsonl","passed":3,"total":6,"failed":["a","line 3","line 4"]}"#]]
        .assert_eq(&report.json().to_string());
}

#[test]
fn a_line_that_is_not_utf_8_fails_alone() {
    let cases = b"{\"id\":\"\xff\"}\r\n{\"id\":\"b\"}\r\n";
    let tally = tally(cases, |_| Some(Ok(())));
    assert_eq!((tally.passed, tally.total()), (1, 2));
}

#[test]
fn syntax_errors_are_compared_by_their_line_and_others_by_their_text() {
    let cases = [
        r#"{"id":"line","expr":"1 +","expect":{"error":"compilation failed: ERROR: <input>:1:4: Syntax error: mismatched input\n | 1 +\n | ...^"}}"#,
        r#"{"id":"other line","expr":"1 +","expect":{"error":"compilation failed: ERROR: <input>:2:1: Syntax error: mismatched input\n | \n | ^"}}"#,
        r#"{"id":"text","expr":"if","expect":{"error":"compilation failed: ERROR: <input>:1:1: reserved identifier: if\n | if\n | ^"}}"#,
        r#"{"id":"other place","expr":"if","expect":{"error":"compilation failed: ERROR: <input>:1:2: reserved identifier: if\n | if\n | .^"}}"#,
        r#"{"id":"types","env":"vapParams","expr":"1 + '1'","expect":{"error":"compilation failed: ERROR: <input>:1:3: found no matching overload\n | 1 + '1'\n | ..^"}}"#,
        r#"{"id":"accepted","env":"vapParams","expr":"1 +","expect":{"cost":0,"outputType":"int","value":{"int":"1"}}}"#,
    ];
    let report = report(
        &cases.join("\n"),
        compilation::check,
        Some(compilation::check_syntax),
    );
    expect![[r#"
        cases.jsonl 2/6
          other line: we say [1:4: Syntax error: ]; Kubernetes says [2:1: Syntax error: mismatched input]
          other place: we say [1:1: reserved identifier: if]; Kubernetes says [1:2: reserved identifier: if]
          types: error: we say this:
            ERROR: <input>:1:3: found no matching overload for '_+_' applied to '(int, string)'
             | 1 + '1'
             | ..^; Kubernetes says this:
            ERROR: <input>:1:3: found no matching overload
             | 1 + '1'
             | ..^
          accepted: we refuse it: Expected an expression after `+`, found the end of the expression.
        cases.jsonl (syntax verdicts) 5/6
          accepted: we refuse it: Expected an expression after `+`, found the end of the expression.
    "#]].assert_eq(&report.text(true));
    expect![[r#"
        cases.jsonl 2/6
          failed: other line, other place, types, accepted
        cases.jsonl (syntax verdicts) 5/6
          failed: accepted
    "#]]
    .assert_eq(&report.text(false));
}

#[test]
fn a_list_of_errors_is_compared_like_a_text() {
    let cases = [
        r#"{"expr":"if","k8s_1_36":{"parse_error":[{"line":1,"col":0,"msg":"reserved identifier: if"}]}}"#,
        r#"{"expr":"if","k8s_1_36":{"parse_error":[]}}"#,
        r#"{"expr":"1","k8s_1_36":{"check_error":[{"line":1,"col":0,"msg":"undeclared"}]}}"#,
    ];
    let report = report(&cases.join("\n"), traps::check, Some(traps::check_syntax));
    expect![[r#"
        cases.jsonl 1/3
          line 2: malformed: no error in the result
          line 3: we accept it
        cases.jsonl (syntax verdicts) 3/3
    "#]]
    .assert_eq(&report.text(true));
}

#[test]
fn types_values_failures_and_costs_are_compared() {
    let case = |id: &str, expr: &str, expect: &str| {
        format!(r#"{{"id":"{id}","env":"vapParams","expr":"{expr}","expect":{expect}}}"#)
    };
    let three = r#"{"outputType":"int","value":{"int":"3"},"valueType":"int","cost":1}"#;
    let cases = [
        case("right", "1 + 2", three),
        case("value", "1 + 1", three),
        case("cost", "2 + size([1])", three),
        case("type", "dyn(3)", three),
        case(
            "failure",
            "1 / 0",
            r#"{"outputType":"int","evalError":"division by zero","cost":1}"#,
        ),
        case("no failure", "1 / 0", three),
    ];
    let report = report(&cases.join("\n"), compilation::check, None);
    expect![[r#"
        cases.jsonl 2/6
          value: value: we say {"int":"2"}; Kubernetes says {"int":"3"}
          cost: cost: we say 2; Kubernetes says Some(1)
          type: type: we say `dyn`; Kubernetes says `int`
          no failure: error: we say `division by zero`; Kubernetes says nothing
    "#]]
    .assert_eq(&report.text(true));
}

#[test]
fn values_are_written_as_kubernetes_writes_them() {
    let written = [
        ("b'hello'", r#"{"bytes":"aGVsbG8="}"#),
        ("1.5", r#"{"double":"1.5"}"#),
        ("1e9", r#"{"double":"1e+09"}"#),
        (
            "{'b': 1u, 'a': 2u}",
            r#"{"map":[["a",{"uint":"2"}],["b",{"uint":"1"}]]}"#,
        ),
        ("optional.of('x')", r#"{"optional":"x"}"#),
        ("duration('90s')", r#"{"duration":"1m30s"}"#),
        ("quantity('1.5Gi')", r#"{"kubernetes.Quantity":"1536Mi"}"#),
    ];
    for (expr, expected) in written {
        assert_eq!(
            encode::value(&value_of(expr)).to_string(),
            expected,
            "{expr}"
        );
    }
    assert_eq!(
        encode::printed(&value_of("{'a': [{'b': true}]}")),
        "map[a:[{b: true}]]"
    );
}

fn value_of(expr: &str) -> cel::Value {
    let kind = EnvironmentKind::Admission {
        params: false,
        authorizer: false,
        patch_types: false,
    };
    let env = env(NEWEST, kind);
    let variables = Bindings::new();
    match engine::answer(expr, ParseOptions::default(), &env, &variables) {
        engine::Answer::Compiled { outcome, .. } => outcome.unwrap().result.unwrap(),
        _ => panic!("{expr} does not compile"),
    }
}

#[test]
fn the_specification_has_names_in_backticks() {
    let case = |file, expr| {
        let text = format!(r#"{{"file":"{file}","section":"s","name":"n","expr":"{expr}"}}"#);
        Case::read(1, text.as_bytes()).unwrap()
    };
    let check = |file, expr| traps::check_specification(&case(file, expr));
    assert_eq!(check("fields", "a.`b`"), Some(Ok(())));
    assert!(check("fields", "a.`b").unwrap().is_err());
    assert_eq!(check("block_ext", "[1].map(cel.iterVar(0, 0), 1)"), None);
}

#[test]
fn the_floor_sees_what_is_lost() {
    let case = r#"{"id":"a","expr":"if","expect":{"error":"compilation failed: ERROR: <input>:1:1: reserved identifier: if\n | if\n | ^"}}"#;
    let with = report(case, compilation::check, Some(compilation::check_syntax));
    let without = report(case, |_| Err("broken".into()), None);
    let folder = std::env::temp_dir().join(format!("floor-{}", std::process::id()));
    floor::write(&folder, &[with]).unwrap();
    let floor = floor::read(&folder).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    expect![[r#"
        cases.jsonl: 0 passed, 1 before
        cases.jsonl: 0 right by syntax, 1 before"#]]
    .assert_eq(&floor::below(&floor, &[without]).join("\n"));
    expect!["cases.jsonl is gone"].assert_eq(&floor::below(&floor, &[]).join("\n"));
}

#[test]
fn known_differences_are_set_apart_and_have_to_differ() {
    const PANIC: &str =
        "internal error: interface conversion: *types.Err is not traits.Lister: missing method Add";
    let case = |id: &str, cost: u64| {
        format!(
            r#"{{"id":"{id}","env":"vapParams","expr":"object.absent.distinct()","expect":{{"outputType":"list(dyn)","evalError":"{PANIC}","cost":{cost}}}}}"#
        )
    };
    let none = difference::Kubernetes::new();
    let cases = [case("differs", 2), case("costs something else", 3)].join("\n");
    let mut report = report(&cases, compilation::check, None);
    difference::set_apart("cel.jsonl", cases.as_bytes(), &none, &mut report.whole);
    expect![[r#"
        cases.jsonl 0/2
          1 known to differ: Kubernetes reports a panic of Go; we say what failed, at the same cost
          costs something else: cost: we say 2; Kubernetes says Some(3)
    "#]]
    .assert_eq(&report.text(true));
    let mut tally = tally(cases.as_bytes(), |_| Some(Ok(())));
    difference::set_apart("cel.jsonl", cases.as_bytes(), &none, &mut tally);
    assert_eq!((tally.passed, tally.failed.len()), (2, 1));
}
