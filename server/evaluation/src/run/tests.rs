//! The outcome of a policy for a sample manifest.

use super::*;
use crate::input::Input;
use crate::samples;
use crate::samples::Sample;
use admission::Resources;
use expect_test::{Expect, expect};
use kubernetes::Target;
use kubernetes::openapi::Catalog;
use policy::ParsedFile;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: limit
spec:
  matchConstraints:
    resourceRules:
    - apiGroups: [apps]
      apiVersions: [v1]
      operations: [CREATE]
      resources: [deployments]
  matchConditions:
  - name: not-exempt
    expression: object.metadata.name != 'exempt'
  variables:
  - name: replicas
    expression: object.spec.replicas
  - name: broken
    expression: object.spec.nothing
  validations:
  - expression: variables.replicas <= 5
    messageExpression: \"'too many: ' + string(variables.replicas)\"
  - expression: >-
      variables.replicas > 0 ||
      variables.broken
    message: A deployment must run.
  auditAnnotations:
  - key: count
    valueExpression: string(variables.replicas)
";

macro_rules! deployment {
    ($name:literal, $replicas:literal) => {
        concat!(
            "{apiVersion: apps/v1, kind: Deployment, metadata: {name: ",
            $name,
            "}, spec: {replicas: ",
            $replicas,
            ", selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, \
             spec: {containers: [{name: a, image: b}]}}}}\n"
        )
    };
}

const OBJECTS: &str = concat!(
    deployment!("few", 1),
    "---\n",
    deployment!("many", 9),
    "---\n",
    deployment!("none", 0),
    "---\n",
    deployment!("exempt", 9),
    "---\n{apiVersion: v1, kind: Pod, metadata: {name: other}, spec: {containers: [{name: a, image: b}]}}\n"
);

fn kinds() -> Arc<Catalog> {
    Catalog::built_in(Target::default().newest())
}

/// Runs `test` with a file and samples.
fn with<T>(policy: &str, objects: &str, test: impl FnOnce(&Evaluator<'_>) -> T) -> T {
    let file = ParsedFile::new(policy.into(), Target::default());
    let programs = Programs::new(file.policies());
    let samples = samples::read(Path::new("/w/objects.yaml"), objects);
    let related = related_server_with(&kinds(), Resources::default(), [], &samples);
    test(&Evaluator {
        policies: file.policies(),
        programs: &programs,
        server: &PolicyServer::new(file.policies(), &programs, &related),
        inputs: &inputs(&samples),
        limits: &EvaluationLimits::default(),
    })
}

fn inputs(samples: &[Sample]) -> Vec<Arc<PreparedInput>> {
    let kinds = kinds();
    let input = |sample| {
        let input = Arc::new(Input::from_sample(sample));
        Arc::new(PreparedInput::new(input, &kinds, &Resources::default()))
    };
    samples.iter().map(input).collect()
}

#[track_caller]
fn check_summary(policy: &str, expected: &Expect) {
    let text = with(policy, OBJECTS, |evaluator| {
        let mut out = String::new();
        for outcome in evaluator.summary(0).outcomes {
            let label = outcome.input.input().label();
            let _ = writeln!(out, "{label}: {:?}", outcome.kind);
            let Some(answer) = outcome.answer else {
                continue;
            };
            for (_, evaluation) in answer.evaluations() {
                for objection in evaluation.objections() {
                    let message = objection.message().unwrap();
                    let _ = writeln!(out, "  {}: {message}", objection.path);
                }
                for (key, value) in &evaluation.audit_annotations {
                    let _ = writeln!(out, "  {key}={value}");
                }
            }
        }
        out
    });
    expected.assert_eq(&text);
}

#[test]
fn a_manifest_without_a_namespace_is_in_the_default_one() {
    const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limit}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: ['*'], resources: [pods]}
  validations:
  - expression: object.metadata.name == params.data.name
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: limit}
spec:
  policyName: limit
  validationActions: [Deny]
  paramRef: {name: limit, parameterNotFoundAction: Deny}
";
    let objects = "\
{apiVersion: v1, kind: Pod, metadata: {name: right}, spec: {containers: [{name: a, image: b}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: right, namespace: other}, spec: {containers: [{name: a, image: b}]}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: limit}, data: {name: right}}
";
    let allowed = with(POLICY, objects, |evaluator| {
        let answers = evaluator.inputs.iter().take(2);
        answers
            .map(|input| evaluator.answer(input).unwrap().response.allowed)
            .collect::<Vec<bool>>()
    });
    assert_eq!(allowed, [true, false]);
}

#[test]
fn a_policy_is_tried_on_every_sample_that_it_matches() {
    check_summary(
        POLICY,
        &expect![[r#"
            Deployment few: Allowed
              count=1
            Deployment many: Denied
              spec.validations[0].expression: too many: 9
              count=9
            Deployment none: Error
              spec.validations[1].expression: expression 'variables.replicas > 0 || variables.broken' resulted in error: composited variable "broken" fails to evaluate: no such key: nothing
              count=0
            Deployment exempt: NotEvaluated
        "#]],
    );
}

/// The server rejects a job without the fields that it has set.
#[test]
fn the_update_of_a_manifest_sends_what_is_stored() {
    let policy = POLICY
        .replace("apiGroups: [apps]", "apiGroups: [batch]")
        .replace("[deployments]", "[jobs]")
        .replace("[CREATE]", "[UPDATE]");
    let job = "{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: {spec: \
               {restartPolicy: Never, containers: [{name: a, image: i}]}}}}\n";
    with(&policy, job, |evaluator| {
        let outcomes = evaluator.summary(0).outcomes;
        let answer = outcomes.first().unwrap().answer.as_ref().unwrap();
        assert_eq!(
            answer.evaluations().count(),
            1,
            "{}",
            answer.response.message
        );
    });
}

#[test]
fn a_failure_is_ignored_where_the_policy_says_so() {
    let policy = POLICY.replace("spec:\n", "spec:\n  failurePolicy: Ignore\n");
    check_summary(
        &policy,
        &expect![[r#"
            Deployment few: Allowed
              count=1
            Deployment many: Denied
              spec.validations[0].expression: too many: 9
              count=9
            Deployment none: Error
              spec.validations[1].expression: expression 'variables.replicas > 0 || variables.broken' resulted in error: composited variable "broken" fails to evaluate: no such key: nothing
              count=0
            Deployment exempt: NotEvaluated
        "#]],
    );
}

#[test]
fn a_message_falls_back() {
    let policy = POLICY
        .replace("'too many: ' + ", "'\\n' + ")
        .replace("variables.broken\n", "false\n");
    check_summary(
        &policy,
        &expect![[r#"
            Deployment few: Allowed
              count=1
            Deployment many: Denied
              spec.validations[0].expression: failed expression: variables.replicas <= 5
              count=9
            Deployment none: Denied
              spec.validations[1].expression: A deployment must run.
              count=0
            Deployment exempt: NotEvaluated
        "#]],
    );
}

#[track_caller]
fn check_report(policy: &str, objects: &str, path: &str, expected: &Expect) {
    let text = with(policy, objects, |evaluator| {
        let expressions = evaluator.policies[0].expressions();
        let index = expressions
            .iter()
            .position(|it| it.path.to_string() == path)
            .unwrap();
        let sample = evaluator.chosen(0, 0, None).unwrap();
        let evaluation = evaluator.expression(0, index, sample).unwrap();
        report(&evaluation, &sample.input().label())
    });
    expected.assert_eq(&text);
}

#[test]
fn an_expression_shows_the_value_of_each_part() {
    let many = OBJECTS.split("---\n").nth(1).unwrap();
    check_report(
        POLICY,
        many,
        "spec.validations[1].expression",
        &expect![[r#"
            spec.validations[1].expression with Deployment many
            = true   (6 cost units)
              variables.replicas > 0 || variables.broken  =  true
                variables.replicas > 0  =  true
                  variables.replicas  =  9
        "#]],
    );
    check_report(
        POLICY,
        many,
        "spec.variables[1].expression",
        &expect![[r#"
            spec.variables[1].expression with Deployment many
            = error: no such key: nothing   (3 cost units)
              object.spec.nothing  =  error: no such key: nothing
                object.spec  =  {"replicas": 9, "selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labels": {"a": "b"}}, "s… (6 fields)
        "#]],
    );
}

#[test]
fn a_part_has_its_place_in_a_folded_scalar() {
    let places = with(POLICY, OBJECTS, |evaluator| {
        let sample = evaluator.chosen(0, 0, None).unwrap();
        let index = evaluator.policies[0].expressions().len() - 2;
        let evaluation = evaluator.expression(0, index, sample).unwrap();
        let steps = evaluation.trace.iter();
        let slice = |range: TextRange| POLICY.get(Range::<usize>::from(range)).unwrap();
        steps
            .map(|step| slice(step.range).to_owned())
            .collect::<Vec<_>>()
    });
    assert_eq!(
        places[0],
        "variables.replicas > 0 ||\n      variables.broken"
    );
    assert_eq!(places[1], "variables.replicas > 0");
}

#[test]
fn what_the_server_would_not_take_says_why() {
    let policy = POLICY.replace("variables.replicas <= 5", "variables.replica <= 5");
    check_report(
        &policy,
        OBJECTS,
        "spec.validations[0].expression",
        &expect![[r#"
            spec.validations[0].expression with Deployment few
            = error: does not compile: undefined field 'replica'   (0 cost units)
        "#]],
    );
}

#[test]
fn an_update_is_tried_where_no_creation_matches() {
    let policy = POLICY.replace("[CREATE]", "[DELETE]").replace(
        "object.metadata.name != 'exempt'",
        "object == null && oldObject != null",
    );
    let count = with(&policy, OBJECTS, |evaluator| evaluator.matching(0).len());
    assert_eq!(count, 4);
    check_report(
        &policy,
        OBJECTS,
        "spec.matchConditions[0].expression",
        &expect![[r#"
            spec.matchConditions[0].expression with Deployment few
            = true   (4 cost units)
              object == null && oldObject != null  =  true
                object == null  =  true
                  object  =  null
                oldObject != null  =  true
        "#]],
    );
}

#[test]
fn the_wanted_sample_is_chosen_as_long_as_it_matches() {
    with(POLICY, OBJECTS, |evaluator| {
        let key = |document, name: &str| InputKey {
            path: Path::new("/w/objects.yaml").into(),
            document,
            name: name.to_owned(),
        };
        let chosen = |wanted: &InputKey| evaluator.chosen(0, 0, Some(wanted)).unwrap();
        let many = key(1, "Deployment many");
        assert_eq!(chosen(&many).key(), &many);
        assert_eq!(chosen(&key(4, "Pod other")).key().name, "Deployment few");
        assert!(evaluator.chosen(1, 0, None).is_none());
    });
}

#[test]
fn near_samples_come_first() {
    let object = OBJECTS.split("---\n").next().unwrap();
    let mut found = samples::read(Path::new("/w/a/far/b.yaml"), object);
    found.extend(samples::read(Path::new("/w/z/near.yaml"), object));
    let mut found = inputs(&found);
    order(&mut found, Some(Path::new("/w/z/policy.yaml")));
    assert_eq!(&*found[0].key().path, Path::new("/w/z/near.yaml"));
}

#[test]
fn a_canceled_evaluation_ends() {
    let limits = EvaluationLimits::default();
    let canceled = EvaluationLimits {
        canceled: Some(std::sync::Arc::new(true.into())),
        ..EvaluationLimits::default()
    };
    let count = |limits: &EvaluationLimits| {
        with(POLICY, OBJECTS, |evaluator| {
            Evaluator {
                limits,
                ..*evaluator
            }
            .summary(0)
            .outcomes
            .len()
        })
    };
    assert_eq!((count(&limits), count(&canceled)), (4, 0));
}

#[test]
fn parameters_of_an_input_are_given_each_in_turn() {
    let policy = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: limit}
spec:
  paramKind: {apiVersion: v1, kind: ConfigMap}
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}
  validations:
  - expression: object.metadata.name == params.data.name
    messageExpression: \"'no by ' + params.metadata.name\"
";
    let input = "\
object: {apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [{name: a, image: b}]}}
params:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: first}, data: {name: web}}
- {apiVersion: v1, kind: ConfigMap, metadata: {name: second}, data: {name: api}}
";
    let input = crate::input::read(Path::new("a.inputs.yaml"), input);
    assert_eq!(input.errors, []);
    with(policy, "", |evaluator| {
        let kinds = &kinds();
        let input = Arc::new(input.inputs[0].clone());
        let input = PreparedInput::new(input, kinds, &Resources::default());
        let answer = evaluator.answer(&input).unwrap();
        let params: Vec<_> = answer
            .policies
            .iter()
            .map(|it| it.params.as_deref())
            .collect();
        assert_eq!(params, [Some("ConfigMap first"), Some("ConfigMap second")]);
        expect![[r#"pods "web" is forbidden: ValidatingAdmissionPolicy 'limit' denied request: no by second"#]]
            .assert_eq(&answer.response.message);
    });
}

#[test]
fn an_answer_is_found_once_unless_it_was_cut_short() {
    use std::sync::atomic::AtomicBool;
    with(POLICY, OBJECTS, |evaluator| {
        let input = evaluator.chosen(0, 0, None).unwrap();
        let request = |evaluator: &Evaluator<'_>| {
            let answer = evaluator.answer_for(0, input).unwrap();
            let (_, evaluation) = answer.evaluations().next().unwrap();
            Arc::clone(&evaluation.request)
        };
        let canceled = EvaluationLimits {
            canceled: Some(Arc::new(AtomicBool::new(true))),
            ..EvaluationLimits::default()
        };
        let short = Evaluator {
            limits: &canceled,
            ..*evaluator
        };
        let cut = short.answer_for(0, input).unwrap();
        assert_eq!(cut.kind_of(0), AnswerKind::Error);
        let first = request(evaluator);
        assert!(Arc::ptr_eq(&first, &request(evaluator)));
        assert!(Arc::ptr_eq(&first, &request(&short)));
    });
}

/// Returns a policy whose variables double, until they need too much memory.
fn doubling() -> String {
    let variables = |(before, after): (usize, usize)| {
        let sum = format!("variables.v{before} + variables.v{before}");
        format!("  - {{name: v{after}, expression: '{sum}'}}\n")
    };
    let variables: String = (0..60).zip(1..).map(variables).collect();
    let first = "  variables:\n  - {name: v0, expression: '[1, 2]'}\n";
    let validations = "  validations:\n  - expression: variables.v60.size() > 1\n";
    let head = POLICY.split_once("  variables:").unwrap().0;
    format!("{head}{first}{variables}{validations}")
}

#[test]
fn a_policy_that_is_stopped_shows_the_values_before() {
    let values = |limits: &EvaluationLimits| {
        with(&doubling(), OBJECTS, |evaluator| {
            let evaluator = Evaluator {
                limits,
                ..*evaluator
            };
            let input = evaluator.chosen(0, 0, None).unwrap();
            let value = |index| {
                evaluator
                    .expression(0, index, input)
                    .unwrap()
                    .result
                    .clone()
            };
            [1, 2, 62].map(|index| value(index).text())
        })
    };
    let (first, second) = ("[1, 2]".to_owned(), "[1, 2, 1, 2]".to_owned());
    let last = "error: stopped: the values need more than 64 MiB of memory".to_owned();
    let all = [first, second, last];
    assert_eq!(values(&EvaluationLimits::default()), all);
    let [first, ..] = values(&EvaluationLimits::within(Duration::ZERO));
    assert_eq!(first, all[0]);
}

#[test]
fn a_report_of_many_nested_parts_is_cut() {
    let (open, close) = ("1 + (".repeat(110), ")".repeat(110));
    let sum = format!("{open}object.spec.replicas{close}");
    let validations = format!("  validations:\n  - expression: \"{sum} > 0\"\n");
    let head = POLICY.split_once("  variables:").unwrap().0;
    with(&(head.to_owned() + &validations), OBJECTS, |evaluator| {
        let input = evaluator.chosen(0, 0, None).unwrap();
        let report = report(&evaluator.expression(0, 1, input).unwrap(), "a");
        assert!(report.len() < 25_000, "{}", report.len());
        assert!(report.ends_with("  … and 13 more\n"), "{report}");
    });
}

const ROLES: &str = "\
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: scaler}, rules: [{apiGroups: [apps], resources: [deployments], verbs: [scale]}]}
---
{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: scalers}, roleRef: {kind: ClusterRole, name: scaler}, subjects: [{kind: User, name: jane}]}
";

/// A policy and a webhook, for whose expressions an editor shows values.
#[test]
fn the_authorizer_of_a_lens_has_the_roles_of_the_project() {
    let right = "authorizer.group('apps').resource('deployments').check('scale').allowed()";
    let rules =
        "[{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]";
    let policy = format!(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nspec:\n  \
         matchConstraints: {{resourceRules: {rules}}}\n  validations:\n  - expression: {right}\n---\n\
         apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n\
         webhooks:\n- name: a.example.com\n  rules: {rules}\n  matchConditions:\n  - {{name: a, \
         expression: \"{right}\"}}\n"
    );
    let input = "object: {apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, \
                 spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, \
                 spec: {containers: [{name: a, image: b}]}}}}\nrequest: {userInfo: {username: jane}}\n";
    let values = |authorizer: &str| {
        let text = format!("{input}{authorizer}");
        let found = crate::input::read(Path::new("i.yaml"), &text);
        let input = Arc::new(found.inputs.into_iter().next().unwrap());
        let input = PreparedInput::new(input, &kinds(), &Resources::default());
        with(&policy, ROLES, |evaluator| {
            [0, 1].map(|policy| {
                let found = evaluator.expression(policy, 0, &input).unwrap();
                match &found.result {
                    ResultText::Value { text, .. } | ResultText::Failure(text) => text.clone(),
                }
            })
        })
    };
    assert_eq!(values("authorizer: RBAC\n"), ["true", "true"]);
    assert_eq!(values(""), ["false", "false"]);
}
