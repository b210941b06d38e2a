//! Refactorings change the source, but not the decisions.

use super::refactorings;
use crate::code_actions::CodeAction;
use crate::diagnostics::diagnose;
use crate::file::SourceFile;
use crate::fixture::{Fixture, changes, findings, json_policy, policy, untyped_policy};
use crate::project::{FileSummary, Project};
use crate::report::{Safety, Severity};
use crate::settings::Settings;
use crate::skeleton;
use admission::{ApiServer, EvaluationLimits};
use evaluation::input;
use evaluation::run::{Evaluator, PolicyServer, PreparedInput, Programs};
use evaluation::samples::resources;
use expect_test::{Expect, expect};
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use text::{TextRange, TextSize, apply_edits};

/// Compares the changes of the first action at the cursor whose title begins with `title`.
#[track_caller]
pub(super) fn check(title: &str, rest: &str, expected: &Expect) {
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

/// Fails if an action at the cursor begins with `title`.
#[track_caller]
pub(super) fn check_none(title: &str, rest: &str) {
    let fixture = Fixture::parse(&policy(rest));
    let cursor = TextRange::empty(fixture.cursor.expect("a cursor"));
    let actions = refactorings(&SourceFile::new(&*fixture.text), cursor);
    let found = actions.iter().find(|it| it.title.starts_with(title));
    assert_eq!(found, None, "{}", fixture.text);
}

/// Fails if the errors differ. The analysis of an expression stops at its first failing part, so
/// warnings are compared only if there are none before.
#[track_caller]
fn check_errors(before: &str, after: &str, action: &CodeAction) {
    compare_errors(&SourceFile::new(before), &SourceFile::new(after), action);
}

#[track_caller]
fn compare_errors(before: &SourceFile, after: &SourceFile, action: &CodeAction) {
    let codes = |file: &SourceFile, lowest: Severity| {
        let found = diagnose(file, &Settings::default())
            .into_iter()
            .filter(|it| it.severity >= lowest);
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
    let (old, left) = (codes(before, lowest), codes(after, lowest));
    assert_eq!(old, left, "{}:\n{}", action.title, after.text());
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
        "Convert to a literal block",
        "  validations:\n    - expression: \"object.metadata.na$0me != 'é😀'\"\n      message: a\n",
        &expect![[r#"
            -    - expression: "object.metadata.name != 'é😀'"
            +    - expression: |-
            +        object.metadata.name != 'é😀'
        "#]],
    );
    check(
        "Convert to a single-quoted string",
        "  validations:\n    - expression: |\n        object.metadata.na$0me != 'é😀'\n      message: a\n",
        &expect![[r#"
            -    - expression: |
            -        object.metadata.name != 'é😀'
            +    - expression: 'object.metadata.name != ''é😀'''
        "#]],
    );
}

#[test]
fn in_brackets_and_in_json_no_lines_are_added() {
    let entries =
        "\"expression\": \"object.spec.replicas > 1 && object.spec.paused\",\n\"message\": \"a\"";
    let braces = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: demo}
spec: {
  matchConstraints: {resourceRules: [{apiGroups: [apps], apiVersions: [v1], operations: [UPDATE], resources: [deployments]}]},
  validations: [
    {
      expression: object.spec.replicas > 1,
      message: a
    }
  ]
}
";
    let json = "-\"message\": \"a\"\n+\"messageExpression\": \"'a'\"\n";
    let yaml = "-      message: a\n+      messageExpression: \"'a'\"\n";
    for (text, changed) in [(json_policy(entries), json), (braces.to_owned(), yaml)] {
        let file = SourceFile::new(&*text);
        let at = TextSize::of(text.split_once("object.spec.rep").unwrap().0) + TextSize::new(12);
        let actions = refactorings(&file, TextRange::empty(at));
        let is_guard = |it: &&CodeAction| it.title.contains("has(") || it.title.contains("orValue");
        let actions: Vec<&CodeAction> = actions.iter().filter(|it| !is_guard(it)).collect();
        let titles: Vec<&str> = actions.iter().map(|it| it.title.as_str()).collect();
        assert_eq!(
            titles,
            ["Convert `message` to `messageExpression`"],
            "{text}"
        );
        let after = apply_edits(&text, &actions[0].edits).unwrap();
        assert_eq!(changes(&text, &after), changed);
    }
}

#[test]
fn an_anchor_a_tag_and_the_comment_of_a_list_stay() {
    check_none(
        "Convert to a literal block",
        "  validations:\n    - expression: &x object.spec.repl$0icas > 1\n    - expression: *x\n",
    );
    for message in ["&m a", "!!str yes"] {
        check_none(
            "Convert `message`",
            &format!(
                "  validations:\n    - expression: object.spec.repl$0icas > 1\n      message: {message}\n"
            ),
        );
    }
    check_none(
        "Inline",
        "  variables:\n    - name: r\n      expression: &e object.spec.replicas > 1\n  validations:\n    - expression: variables.$0r\n    - expression: *e\n",
    );
    check_none(
        "Inline",
        "  variables: # all\n    - name: r\n      expression: object.spec.replicas\n  validations:\n    - expression: variables.$0r > 1\n",
    );
}

#[test]
fn a_validation_gets_a_message() {
    check(
        "Add a `message`",
        "  validations:\n    - expression: |\n        object.metadata.na$0me != 'é😀' &&\n        object.spec.paused != true\n",
        &expect![[r#"
            +      message: "The object must satisfy: object.metadata.name != 'é😀' && object.spec.paused != true"
        "#]],
    );
    check(
        "Add a `message`",
        "  validations:\n    - {\"expression\": \"object.metadata.na$0me != ''\"}\n",
        &expect![[r#"
            -    - {"expression": "object.metadata.name != ''"}
            +    - {"expression": "object.metadata.name != ''", "message": "The object must satisfy: object.metadata.name != ''"}
        "#]],
    );
}

#[test]
fn a_message_never_looks_like_a_template() {
    check(
        "Add a `message`",
        "  validations:\n    - expression: object.spec.template.spec.containers[0].na$0me != ''\n",
        &expect![[r#"
            +      message: "The object is not allowed."
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

/// Returns the decisions about inputs as text. Without inputs, generates them for the file.
fn decisions(file: &SourceFile, inputs: &mut Option<String>) -> String {
    let programs = Programs::new(file.policies());
    let kinds = file.project().kinds();
    let resources = resources(file.text());
    let api_server = ApiServer::new(Arc::clone(kinds), resources.clone()).evaluating_unbound();
    let server = PolicyServer::new(file.policies(), &programs, &api_server);
    let limits = EvaluationLimits::default();
    let evaluator = |inputs| Evaluator {
        policies: file.policies(),
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
    let prepared: Vec<_> = read
        .inputs
        .into_iter()
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
            let mut objections = evaluation.objections();
            // One or several validations can deny for the same reason.
            let is_denied = objections.any(|it| it.outcome.denies());
            let kind = answer.kind_of(policy.policy);
            out.push_str(&format!("{} {kind:?} {is_denied}\n", policy.policy));
        }
    }
    out
}

#[test]
fn refactorings_of_the_examples_keep_findings_and_decisions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut actions, mut evaluated) = (HashMap::new(), 0);
    for folder in ["examples", "tests/examples/good", "tests/examples/bad"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let file = file_of(&text);
            let mut inputs = None;
            let before = decisions(&file, &mut inputs);
            evaluated += usize::from(!before.is_empty());
            let mut seen = Vec::new();
            for offset in (0..u32::try_from(text.len()).unwrap()).step_by(13) {
                let cursor = TextRange::empty(TextSize::new(offset));
                for action in refactorings(&file, cursor) {
                    if seen.contains(&action) {
                        continue;
                    }
                    let after = file.edited(apply_edits(&text, &action.edits).unwrap());
                    compare_errors(&file, &after, &action);
                    seen.push(action.clone());
                    if action.safety == Safety::Unsafe {
                        continue;
                    }
                    let kept = decisions(&after, &mut inputs.clone());
                    let what = (path.display(), &action.title);
                    assert_eq!(before, kept, "{what:?}\n{}", after.text());
                    let verb = action.title.split(' ').next().unwrap().to_owned();
                    *actions.entry(verb).or_insert(0) += 1;
                }
            }
        }
    }
    assert!(evaluated > 5, "{evaluated}");
    for verb in ["Add", "Convert", "Extract", "Inline"] {
        assert!(actions.contains_key(verb), "{verb}: {actions:?}");
    }
    assert!(actions.values().sum::<i32>() > 60, "{actions:?}");
}

#[test]
fn a_conjunction_becomes_several_validations() {
    check(
        "Split",
        "  validations:\n    - expression: object.metadata.na$0me != 'a' && (object.metadata.name != 'b' || true) && object.metadata.name != 'é😀'\n      message: it's\n      reason: Forbidden",
        &expect![[r#"
            -    - expression: object.metadata.name != 'a' && (object.metadata.name != 'b' || true) && object.metadata.name != 'é😀'
            +    - expression: object.metadata.name != 'a'
            +      message: it's
            +      reason: Forbidden
            +    - expression: object.metadata.name != 'b' || true
            +      message: it's
            +      reason: Forbidden
            +    - expression: object.metadata.name != 'é😀'
        "#]],
    );
    check(
        "Split",
        "  validations:\n    - messageExpression: \"'no '\"\n      expression: |\n        object.metadata.na$0me != 'a' &&\n        (\n          object.metadata.name != 'b'\n        )\n    - expression: 'true'\n",
        &expect![[r#"
            -        object.metadata.name != 'a' &&
            -        (
            -          object.metadata.name != 'b'
            -        )
            +        object.metadata.name != 'a'
            +    - messageExpression: "'no '"
            +      expression: |
            +        object.metadata.name != 'b'
        "#]],
    );
}

#[test]
fn each_condition_keeps_the_style_of_the_scalar() {
    check(
        "Split",
        "  validations:\n    - expression: >-\n        object.metadata.na$0me != 'a' &&\n        !object.metadata.name.startsWith(\"b\")\n",
        &expect![[r#"
            -        object.metadata.name != 'a' &&
            +        object.metadata.name != 'a'
            +    - expression: >-
        "#]],
    );
    check(
        "Split",
        "  validations:\n    - expression: object.metadata.na$0me != 'a' && !object.metadata.name.startsWith(\"b\")\n",
        &expect![[r#"
            -    - expression: object.metadata.name != 'a' && !object.metadata.name.startsWith("b")
            +    - expression: object.metadata.name != 'a'
            +    - expression: '!object.metadata.name.startsWith("b")'
        "#]],
    );
}

#[test]
fn a_condition_stays_with_what_it_guards() {
    for rest in [
        "  validations:\n    - expression: has(object.spec.paused) && object.spec.pau$0sed\n",
        "  validations:\n    - expression: object.spec.rep$0licas > 1 || true\n",
        "  validations:\n    - expression: object.metadata.name != 'a' && object.metadata.na$0me != 'b'\n      message: a # why\n",
        "  validations: [{expression: \"object.metadata.name != 'a' && object.metadata.na$0me != 'b'\"}]\n",
    ] {
        check_none("Split", rest);
    }
}

#[test]
fn repeated_conditions_are_not_split() {
    for second in ["object.spec.replicas > 1", "object . spec.replicas>1"] {
        let rest =
            format!("  validations:\n    - expression: object.spec.rep$0licas > 1 && {second}\n");
        check_none("Split", &rest);
    }
}

#[test]
fn neighbors_with_one_message_become_one_validation() {
    check(
        "Join",
        "  validations:\n    - expression: object.metadata.na$0me != 'a' || false\n      message: a\n    - message: 'a'\n      expression: \"object.metadata.name != 'é😀'\"\n    - expression: 'true'\n",
        &expect![[r#"
            -    - expression: object.metadata.name != 'a' || false
            -      message: a
            -    - message: 'a'
            -      expression: "object.metadata.name != 'é😀'"
            +    - expression: (object.metadata.name != 'a' || false) && object.metadata.name != 'é😀'
            +      message: a
        "#]],
    );
    check(
        "Join",
        "  validations:\n    - expression: |\n        object.metadata.na$0me != 'a'\n\n    - expression: |\n        object.metadata.name != 'b' &&\n        object.metadata.name != 'c'\n",
        &expect![[r#"
            -    - expression: |
            -        object.metadata.name != 'a'
            -
            -    - expression: |
            +    - expression: |-
            +        object.metadata.name != 'a' &&
        "#]],
    );
    for rest in [
        "  validations:\n    - expression: object.metadata.na$0me != 'a'\n      message: a\n    - expression: object.metadata.name != 'b'\n      message: b\n",
        "  validations:\n    - expression: object.metadata.na$0me != 'a'\n      # why\n    - expression: object.metadata.name != 'b'\n",
        "  validations:\n    - expression: object.metadata.na$0me != 'a'\n",
    ] {
        check_none("Join", rest);
    }
}

#[test]
fn a_rule_for_updates_is_split_only_if_all_its_parts_are_for_updates() {
    let split = |rule: &str| {
        let text = crate::fixture::crd(&format!(
            "        properties:
          spec:
            type: object
            required: [low, high]
            properties: {{low: {{type: integer}}, high: {{type: integer}}}}
            x-kubernetes-validations:
            - rule: {rule}
              fieldPath: .low
"
        ));
        let cursor = TextSize::of(text.split_once("rule: ").unwrap().0) + TextSize::new(7);
        let file = SourceFile::new(&*text);
        let actions = refactorings(&file, TextRange::empty(cursor));
        let action = actions.into_iter().find(|it| it.title.starts_with("Split"));
        action.map(|it| changes(&text, &apply_edits(&text, &it.edits).unwrap()))
    };
    assert_eq!(split("self.low > 1 && self.high >= oldSelf.high"), None);
    for rule in [
        "self.low > 1 && self.high > 2",
        "self.low > oldSelf.low && self.high > oldSelf.high",
    ] {
        let (low, high) = rule.split_once(" && ").unwrap();
        let changed = format!(
            "-            - rule: {rule}\n+            - rule: {low}\n+              fieldPath: .low\n+            - rule: {high}\n"
        );
        assert_eq!(split(rule), Some(changed));
    }
}

/// Returns inputs in which each of two keys has the expected value, another value, or is missing.
fn inputs_of_two_keys() -> String {
    let values = ["'1'", "'2'", "null"];
    let inputs = values.iter().flat_map(|a| {
        values.iter().map(move |b| {
            let data = format!("{{a: {a}, b: {b}}}").replace("a: null, ", "");
            let data = data.replace(", b: null", "").replace("b: null", "");
            format!("object: {{apiVersion: example.com/v1, kind: Widget, metadata: {{name: a}}, data: {data}}}\n")
        })
    });
    inputs.collect::<Vec<_>>().join("---\n")
}

/// The truth table of `&&` with errors: a split and a join keep every decision.
#[test]
fn a_split_and_a_join_keep_decisions_about_failing_conditions() {
    let mut counts = Vec::new();
    for failure_policy in ["Fail", "Ignore"] {
        let rest = format!(
            "  failurePolicy: {failure_policy}\n  validations:\n    - expression: object.data.a == '1' && object.data.b == '1'\n      message: a\n"
        );
        let whole = untyped_policy(&rest).replace("[UPDATE]", "[CREATE]");
        let act = |text: &str, verb: &str| {
            let at = TextSize::of(text.split_once("object.data.a").unwrap().0);
            let actions = refactorings(&file_of(text), TextRange::empty(at));
            let action = actions.iter().find(|it| it.title.starts_with(verb));
            let action =
                action.unwrap_or_else(|| panic!("no {verb}: {:?}\n{text}", findings(text)));
            apply_edits(text, &action.edits).unwrap()
        };
        let parts = act(&whole, "Split");
        assert_eq!(act(&parts, "Join"), whole);
        let mut inputs = Some(inputs_of_two_keys());
        let mut denials = |text: &str| {
            let decisions = decisions(&file_of(text), &mut inputs);
            let denials = decisions.lines().map(|it| it.ends_with("true"));
            denials.collect::<Vec<bool>>()
        };
        let before = denials(&whole);
        assert_eq!(denials(&parts), before);
        counts.push(before.into_iter().filter(|is_denied| *is_denied).count());
    }
    // Two missing values, and a missing one with a valid one, are errors.
    assert_eq!(counts, [8, 5]);
}
