//! The hints and their positions.

use super::*;
use crate::file::SourceFile;
use admission::{EvaluationLimits, Resources};
use evaluation::input::Input;
use evaluation::run::{Evaluator, PolicyServer, PreparedInput, Programs, related_server_with};
use evaluation::samples;
use expect_test::{Expect, expect};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

const OBJECT: &str =
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {a: '😀', num: '7'}}";

/// Compares the text of an expression with the values in it.
#[track_caller]
fn check(field: &str, expected: &Expect) {
    let policy = format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
spec:
  matchConstraints:
    resourceRules:
    - {{apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [configmaps]}}
  validations:
  - {field}
    message: no
"
    );
    let file = SourceFile::new(policy.as_str());
    let programs = Programs::new(file.policies());
    let samples = samples::read(Path::new("objects.yaml"), OBJECT);
    let kinds = file.project().kinds();
    let related = related_server_with(kinds, Resources::default(), [], &samples);
    let input = Arc::new(Input::from_sample(samples.first().unwrap()));
    let input = Arc::new(PreparedInput::new(input, kinds, &Resources::default()));
    let evaluator = Evaluator {
        policies: file.policies(),
        programs: &programs,
        server: &PolicyServer::new(file.policies(), &programs, &related),
        inputs: &[Arc::clone(&input)],
        limits: &EvaluationLimits::default(),
    };
    let evaluation = evaluator.expression(0, 0, &input).unwrap();
    let mut hints = inlay_hints(&file, &evaluation, &"ConfigMap a".into());
    hints.sort_by_key(|hint| hint.offset);
    let (mut out, mut last) = (String::new(), policy.find(field).unwrap());
    for hint in hints {
        let at = usize::from(hint.offset);
        let _ = write!(out, "{}⟨{}⟩", policy.get(last..at).unwrap(), hint.label);
        last = at;
    }
    expected.assert_eq(&out);
}

#[test]
fn the_operand_that_is_false_says_why() {
    check(
        "expression: \"object.data.a == '😀' && object.data.num == '8' && object.data.a != ''\"",
        &expect![[
            r#"expression: "object.data.a == '😀' && object.data.num == '8' && object.data.a != ''"⟨= false · object.data.num = "7"⟩"#
        ]],
    );
}

#[test]
fn all_operands_count_where_none_decides() {
    check(
        "expression: \"object.data.a == '😀' && object.data.num == '7'\"",
        &expect![[
            r#"expression: "object.data.a == '😀' && object.data.num == '7'"⟨= true · object.data.a = "😀" · object.data.num = "7"⟩"#
        ]],
    );
}

#[test]
fn a_conditional_shows_its_condition_and_its_branch() {
    check(
        "expression: object.metadata.name == 'b' ? false : size(object.data) > 5",
        &expect![[
            r#"expression: object.metadata.name == 'b' ? false : size(object.data) > 5⟨= false · object.metadata.name = "a" · size(object.data) = 2⟩"#
        ]],
    );
}

#[test]
fn what_fails_shows_the_innermost_part_that_fails() {
    check(
        "expression: object.data.a == '😀' && object.data.none.startsWith('x') && true",
        &expect![
            "expression: object.data.a == '😀' && object.data.none.startsWith('x') && true⟨= error: no such key: none · object.data.none fails⟩"
        ],
    );
}

#[test]
fn the_turn_of_a_loop_that_decided_is_shown() {
    check(
        "expression: \"[1, 2, 3].all(x, x < 2)\"",
        &expect![[r#"expression: "[1, 2, 3].all(x, x < 2)"⟨= false · x = 2⟩"#]],
    );
}

#[test]
fn what_the_source_says_is_not_repeated() {
    check(
        "expression: \"[1, 2, 3].all(x, x < 4)\"",
        &expect![[r#"expression: "[1, 2, 3].all(x, x < 4)"⟨= true⟩"#]],
    );
    check(
        "expression: \"[] == [] && !has(object.data.x)\"",
        &expect![[
            r#"expression: "[] == [] && !has(object.data.x)"⟨= true · has(object.data.x) = false⟩"#
        ]],
    );
    check(
        "expression: object.?data.orValue({}).size() == 2",
        &expect![
            "expression: object.?data.orValue({}).size() == 2⟨= true · …bject.?data.orValue({}).size() = 2⟩"
        ],
    );
}

#[test]
fn each_line_shows_its_parts() {
    check(
        "expression: >-\n      !(object.data.num == '7') ||  \n      object.data.a == 'x'\n",
        &expect![[r#"
            expression: >-
                  !(object.data.num == '7') ||⟨object.data.num = "7"⟩  
                  object.data.a == 'x'⟨= false · object.data.a = "😀"⟩"#]],
    );
}

#[test]
fn a_line_that_goes_on_shows_the_value_at_its_end() {
    check(
        "expression: object.data.num == '8' # a comment",
        &expect![[
            r#"expression: object.data.num == '8' # a comment⟨= false · object.data.num = "7"⟩"#
        ]],
    );
}

#[test]
fn long_sources_and_many_parts_are_cut() {
    check(
        "expression: \"[object.data.num + 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'].all(x, x == 'b' || x == 'c' || x == object.data.a || x == object.metadata.name)\"",
        &expect![[
            r#"expression: "[object.data.num + 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'].all(x, x == 'b' || x == 'c' || x == object.data.a || x == object.metadata.name)"⟨= false · x = "7aaaaaaaaaaaaaaaaaaaaaaaaaaa… · object.data.a = "😀" · object.metadata.name = "a"⟩"#
        ]],
    );
}
