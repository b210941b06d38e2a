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

/// Shows the text of an expression with the values in it.
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
    let programs = Programs::new(&file);
    let samples = samples::read(Path::new("objects.yaml"), OBJECT);
    let kinds = file.project().kinds();
    let around = related_server_with(kinds, Resources::default(), [], &samples);
    let input = Arc::new(Input::from_sample(samples.first().unwrap()));
    let input = Arc::new(PreparedInput::new(input, kinds, &Resources::default()));
    let evaluator = Evaluator {
        file: &file,
        programs: &programs,
        server: &PolicyServer::new(&file, &programs, &around),
        inputs: &[Arc::clone(&input)],
        limits: &EvaluationLimits::default(),
    };
    let evaluation = evaluator.expression(0, 0, &input).unwrap();
    let mut hints = inlay_hints(&evaluation, "ConfigMap a");
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
            r#"expression: "object.data.a == '😀' && object.data.num⟨= "7"⟩ == '8'⟨= false⟩ && object.data.a != ''"⟨= false⟩"#
        ]],
    );
}

#[test]
fn all_operands_count_where_none_decides() {
    check(
        "expression: \"object.data.a == '😀' && object.data.num == '7'\"",
        &expect![[
            r#"expression: "object.data.a⟨= "😀"⟩ == '😀'⟨= true⟩ && object.data.num⟨= "7"⟩ == '7'"⟨= true⟩"#
        ]],
    );
}

#[test]
fn a_conditional_shows_its_condition_and_its_branch() {
    check(
        "expression: object.metadata.name == 'b' ? false : size(object.data) > 5",
        &expect![[
            r#"expression: object.metadata.name⟨= "a"⟩ == 'b'⟨= false⟩ ? false : size(object.data)⟨= 2⟩ > 5⟨= false⟩"#
        ]],
    );
}

#[test]
fn what_fails_shows_the_innermost_part_that_fails() {
    check(
        "expression: object.data.a == '😀' && object.data.none.startsWith('x') && true",
        &expect![
            "expression: object.data.a == '😀' && object.data.none⟨= error: no such key: none⟩.startsWith('x') && true⟨= error: no such key: none⟩"
        ],
    );
}

#[test]
fn the_turn_of_a_loop_that_decided_is_shown() {
    check(
        "expression: \"[1, 2, 3].all(x, x < 2)\"",
        &expect![[r#"expression: "[1, 2, 3].all(x, x⟨= 2⟩ < 2⟨= false⟩)"⟨= false⟩"#]],
    );
    check(
        "expression: \"[1, 2, 3].all(x, x < 4)\"",
        &expect![[r#"expression: "[1, 2, 3]⟨= [1, 2, 3]⟩.all(x, x < 4)"⟨= true⟩"#]],
    );
}

#[test]
fn the_value_of_a_block_stands_behind_its_last_line() {
    check(
        "expression: >-\n      !(object.data.num == '7') ||\n      object.data.a == 'x'\n",
        &expect![[r#"
            expression: >-
                  !(object.data.num⟨= "7"⟩ == '7'⟨= true⟩)⟨= false⟩ ||
                  object.data.a⟨= "😀"⟩ == 'x'⟨= false⟩"#]],
    );
}
