//! Refactorings change the source, not the decisions.

use super::refactorings;
use crate::code_actions::CodeAction;
use crate::file::SourceFile;
use crate::fixture::{Fixture, changes, findings, policy};
use crate::project::{FileSummary, Project};
use crate::report::Severity;
use crate::skeleton;
use admission::{ApiServer, EvaluationLimits};
use evaluation::input;
use evaluation::run::{Evaluator, PolicyServer, PreparedInput, Programs};
use evaluation::samples::resources;
use expect_test::{Expect, expect};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use text::{TextRange, TextSize, apply_edits};

/// Prints the titles of the actions at the cursor, and the changes of the first that begins
/// with `title`.
#[track_caller]
fn check(title: &str, rest: &str, expected: &Expect) {
    let fixture = Fixture::parse(&policy(rest));
    let cursor = TextRange::empty(fixture.cursor.expect("a cursor"));
    let file = SourceFile::new(&*fixture.text);
    let actions = refactorings(&file, cursor);
    let action = actions.iter().find(|it| it.title.starts_with(title));
    let shown = action.map_or("none\n".to_owned(), |action| {
        let after = apply_edits(&fixture.text, &action.edits).unwrap();
        check_errors(&fixture.text, &after, action);
        changes(&fixture.text, &after)
    });
    expected.assert_eq(&shown);
}

/// Fails if the errors differ. Of an expression that can fail, the analysis stops at the first place,
/// so warnings are compared only if there are none before.
#[track_caller]
fn check_errors(before: &str, after: &str, action: &CodeAction) {
    let codes = |text: &str, lowest: Severity| {
        let found = findings(text).into_iter();
        let found = found.filter(|it| it.severity >= lowest);
        let mut codes: Vec<_> = found.map(|it| it.code).collect();
        codes.sort_unstable();
        codes
    };
    let has_warnings = !codes(before, Severity::Warning).is_empty();
    let lowest = if has_warnings {
        Severity::Error
    } else {
        Severity::Warning
    };
    let (before, left) = (codes(before, lowest), codes(after, lowest));
    assert_eq!(before, left, "{}:\n{after}", action.title);
}

#[test]
fn a_part_becomes_a_variable() {
    check(
        "Extract",
        "  validations:\n    - expression: object.spec.rep$0licas > 1 && object.spec.replicas < 9\n",
        &expect![[r#"
            -  validations:
            -    - expression: object.spec.replicas > 1 && object.spec.replicas < 9
            +  variables:
            +    - name: replicas
            +      expression: 'object.spec.replicas'
            +  validations:
            +    - expression: variables.replicas > 1 && variables.replicas < 9
        "#]],
    );
    check(
        "Extract",
        "  variables:\n    - name: spec\n      expression: object.spec\n  validations:\n    - expression: >-\n        variables.spec.template.sp$0ec.containers.all(c, c.name != '')\n",
        &expect![[r#"
            -  validations:
            -    - expression: >-
            -        variables.spec.template.spec.containers.all(c, c.name != '')
            +    - name: spec2
            +      expression: 'variables.spec.template.spec'
            +  validations:
            +    - expression: >-
            +        variables.spec2.containers.all(c, c.name != '')
        "#]],
    );
    check(
        "Extract",
        "  variables:\n    - name: names\n      expression: object.spec.template.spec.cont$0ainers.map(c, c.name)\n  validations:\n    - expression: \"'a' in variables.names\"\n",
        &expect![[r#"
            -    - name: names
            -      expression: object.spec.template.spec.containers.map(c, c.name)
            +    - name: containers
            +      expression: 'object.spec.template.spec.containers'
            +    - name: names
            +      expression: variables.containers.map(c, c.name)
        "#]],
    );
}

#[test]
fn a_part_without_a_value_of_its_own_stays() {
    for rest in [
        "  validations:\n    - expression: object.spec.template.spec.containers.all(c, c.na$0me != '')\n",
        "  validations:\n    - expression: has(object.spec.rep$0licas)\n",
        "  validations:\n    - expression: obj$0ect == oldObject\n      message: a\n  matchConditions:\n    - {name: a, expression: 'true'}\n",
        "  matchConditions:\n    - name: a\n      expression: object.spec.rep$0licas > 1\n  validations:\n    - expression: 'true'\n",
    ] {
        let fixture = Fixture::parse(&policy(rest));
        let cursor = TextRange::empty(fixture.cursor.unwrap());
        let actions = refactorings(&SourceFile::new(&*fixture.text), cursor);
        let extracts = actions
            .iter()
            .filter(|it| it.title.contains("`name`") || it.title.contains("`replicas`"));
        assert_eq!(extracts.count(), 0, "{rest}");
    }
}

#[test]
fn a_variable_is_inlined_with_its_uses() {
    check(
        "Inline",
        "  variables:\n    - name: low\n      expression: object.spec.replicas < 9 || object.spec.replicas > 99\n  validations:\n    - expression: variables.lo$0w && object.spec.replicas > 1\n    - expression: '!variables.low'\n",
        &expect![[r#"
            -  variables:
            -    - name: low
            -      expression: object.spec.replicas < 9 || object.spec.replicas > 99
            -  validations:
            -    - expression: variables.low && object.spec.replicas > 1
            -    - expression: '!variables.low'
            +  validations:
            +    - expression: (object.spec.replicas < 9 || object.spec.replicas > 99) && object.spec.replicas > 1
            +    - expression: '!(object.spec.replicas < 9 || object.spec.replicas > 99)'
        "#]],
    );
    check(
        "Inline",
        "  variables:\n    - name: spec\n      expression: object.spec\n  validations:\n    - expression: has(variables.sp$0ec)\n",
        &expect![[r#"
            none
        "#]],
    );
}

#[test]
fn an_expression_is_written_in_another_style() {
    check(
        "Write the expression as a block",
        "  validations:\n    - expression: \"object.metadata.na$0me != 'é😀'\"\n      message: a\n",
        &expect![[r#"
            -    - expression: "object.metadata.name != 'é😀'"
            +    - expression: |-
            +        object.metadata.name != 'é😀'
        "#]],
    );
    check(
        "Write the expression in single quotes",
        "  validations:\n    - expression: |\n        object.metadata.na$0me != 'é😀'\n      message: a\n",
        &expect![[r#"
            -    - expression: |
            -        object.metadata.name != 'é😀'
            +    - expression: 'object.metadata.name != ''é😀'''
        "#]],
    );
}

#[test]
fn a_validation_gets_the_default_message() {
    check(
        "Add a `message`",
        "  validations:\n    - expression: |\n        object.metadata.na$0me != 'é😀' &&\n        object.spec.paused != true\n",
        &expect![[r#"
            +      message: "failed expression: object.metadata.name != 'é😀' && object.spec.paused != true"
        "#]],
    );
    check(
        "Add a `message`",
        "  validations:\n    - {\"expression\": \"object.metadata.na$0me != ''\"}\n",
        &expect![[r#"
            -    - {"expression": "object.metadata.name != ''"}
            +    - {"expression": "object.metadata.name != ''", "message": "failed expression: object.metadata.name != ''"}
        "#]],
    );
}

#[test]
fn a_message_that_looks_like_a_template_is_not_added() {
    check(
        "Add a `message`",
        "  validations:\n    - expression: object.spec.template.spec.containers[0].na$0me != ''\n",
        &expect![[r#"
            none
        "#]],
    );
}

#[test]
fn a_message_becomes_an_expression() {
    check(
        "Convert",
        "  validations:\n    - expression: object.metadata.name != ''\n      message: it's $0é😀 \\ # why\n",
        &expect![[r#"
            -      message: it's é😀 \ # why
            +      messageExpression: "'it\\'s é😀 \\\\'" # why
        "#]],
    );
    check(
        "Convert",
        "  validations:\n    - expression: object.metadata.name != ''\n      message: |\n        a$0\n",
        &expect![[r#"
            none
        "#]],
    );
}

fn file_of(text: &str) -> SourceFile {
    let summary = FileSummary::read(&Arc::from(Path::new("p.yaml")), text);
    let project = Project::default().with_files([Arc::new(summary)]);
    SourceFile::in_project(text, Arc::new(project))
}

/// The decisions about inputs, as text. Without inputs, those that the first file suggests.
fn decisions(file: &SourceFile, inputs: &mut Option<String>) -> String {
    let programs = Programs::new(file);
    let kinds = file.project().kinds();
    let resources = resources(file.text());
    let api_server = ApiServer::new(Arc::clone(kinds), resources.clone()).evaluating_unbound();
    let server = PolicyServer::new(file, &programs, &api_server);
    let limits = EvaluationLimits::default();
    let evaluator = |inputs| Evaluator {
        file,
        programs: &programs,
        server: &server,
        inputs,
        limits: &limits,
    };
    let written = inputs.get_or_insert_with(|| {
        let policies = 0..file.policies().len();
        let drafts = policies.filter_map(|policy| skeleton(file, &evaluator(&[]), policy));
        drafts.collect::<Vec<_>>().join("---\n")
    });
    let read = input::read(Path::new("p.inputs.yaml"), written);
    let prepared = read.inputs.into_iter();
    let prepared: Vec<_> = prepared
        .map(|it| Arc::new(PreparedInput::new(Arc::new(it), kinds, &resources)))
        .collect();
    shown(&evaluator(&prepared))
}

fn shown(evaluator: &Evaluator<'_>) -> String {
    let mut out = String::new();
    let answers = evaluator
        .inputs
        .iter()
        .filter_map(|it| evaluator.answer(it));
    for answer in answers {
        for (policy, evaluation) in answer.evaluations() {
            let objections = evaluation.objections();
            let denied = objections.map(evaluation::run::DecisionResult::denies);
            let denied: Vec<bool> = denied.collect();
            let kind = answer.kind_of(policy.policy);
            out.push_str(&format!("{} {kind:?} {denied:?}\n", policy.policy));
        }
    }
    out
}

#[test]
fn refactorings_of_the_examples_keep_findings_and_decisions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut actions, mut evaluated) = (0, 0);
    for folder in ["examples", "tests/examples/good", "tests/examples/bad"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let file = file_of(&text);
            let mut inputs = None;
            let before = decisions(&file, &mut inputs);
            evaluated += usize::from(!before.is_empty());
            let mut seen = Vec::new();
            for offset in (0..u32::try_from(text.len()).unwrap()).step_by(7) {
                let cursor = TextRange::empty(TextSize::new(offset));
                for action in refactorings(&file, cursor) {
                    if seen.contains(&action) {
                        continue;
                    }
                    let after = apply_edits(&text, &action.edits).unwrap();
                    check_errors(&text, &after, &action);
                    let kept = decisions(&file_of(&after), &mut inputs.clone());
                    assert_eq!(before, kept, "{} {}\n{after}", path.display(), action.title);
                    seen.push(action);
                    actions += 1;
                }
            }
        }
    }
    assert!(actions > 40 && evaluated > 5, "{actions} {evaluated}");
}
