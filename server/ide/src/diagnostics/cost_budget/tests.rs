//! Expressions that cost too much, and those that do not.

use crate::fixture::{Fixture, apply, changes, findings, show, untyped_policy as policy};
use crate::{SourceFile, hover};
use expect_test::expect;
use policy::admission::{CompiledPolicy, EvaluationLimits, Inputs, Request, Resources};

fn definition(properties: &str, rule: &str) -> String {
    format!(
        "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: demos.example.com}}
spec:
  group: example.com
  scope: Namespaced
  names: {{plural: demos, singular: demo, kind: Demo, listKind: DemoList}}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
{properties}
              x-kubernetes-validations:
                - rule: {rule}
"
    )
}

const NAMES: &str = "                names:
                  type: array
                  items:
                    type: string";

#[track_caller]
fn said(text: &str) -> String {
    show(text, &findings(text))
}

fn validation(expression: &str) -> String {
    policy(&format!(
        "  validations:\n    - expression: \"{expression}\"\n"
    ))
}

/// What comes of an expression for a Deployment.
fn evaluate(text: &str, spec: &str) -> String {
    let file = SourceFile::new(text);
    let [document] = file.policies() else {
        panic!("one policy")
    };
    let object = format!(
        "{{apiVersion: example.com/v1, kind: Widget, metadata: {{name: a}}, spec: {spec}}}"
    );
    let stream = std::sync::Arc::new(yaml::parse(object.as_str().into()));
    let root = stream.documents().next().unwrap().root().unwrap();
    let inputs = Inputs {
        object: policy::admission::object(root),
        ..Inputs::default()
    };
    let request = Request::new(inputs, &Resources::default()).unwrap();
    let (result, _) = CompiledPolicy::new(document)
        .evaluate_expression(document, 0, &request, &EvaluationLimits::default())
        .unwrap();
    match result.result {
        Ok(value) => value.to_string(),
        Err(failure) => failure.to_string(),
    }
}

const CHECK: &str = "authorizer.group('apps').resource('deployments').check('get').allowed()";

#[test]
fn the_authorizer_is_asked_too_often() {
    let text = validation(&format!("[{CHECK}, {CHECK}, {CHECK}].size() == 3"));
    assert!(
        said(&text).contains("Error[cost-budget]: This expression costs 1,050,"),
        "{}",
        said(&text)
    );
    assert!(evaluate(&text, "{}").contains("actual cost limit exceeded"));
    let two = validation(&format!("[{CHECK}, {CHECK}].size() == 3"));
    assert_eq!(said(&two), "");
    assert_eq!(evaluate(&two, "{}"), "false");
}

#[test]
fn a_loop_within_loops_is_expensive() {
    let text = validation(
        "object.spec.a.all(v, object.spec.a.all(w, object.spec.a.all(x, object.spec.a.all(y, object.spec.a.all(z, v + w + x + y + z != '')))))",
    );
    assert!(
        said(&text).contains("Warning[cost-budget]: With 10 entries in each list"),
        "{}",
        said(&text)
    );
    let list = ["'a'"; 10].join(", ");
    assert!(evaluate(&text, &format!("{{a: [{list}]}}")).contains("actual cost limit exceeded"));
    let loops = validation(&format!("object.spec.a.all(x, !{CHECK})"));
    assert!(said(&loops).contains("ask the authorizer outside of loops"));
    assert!(evaluate(&loops, "{a: [1, 2, 3]}").contains("actual cost limit exceeded"));
    let two = validation("object.spec.a.all(x, object.spec.b.all(y, y.c.all(z, x + z != '')))");
    assert_eq!(said(&two), "");
}

#[test]
fn match_conditions_share_a_budget() {
    let conditions: String = (0..8)
        .map(|at| {
            format!("    - {{name: a{at}, expression: \"{CHECK} || request.name == '{at}'\"}}\n")
        })
        .collect();
    let text = policy(&format!(
        "  matchConditions:\n{conditions}  validations:\n    - expression: has(object.spec)\n"
    ));
    let said = said(&text);
    assert!(
        said.contains("The match conditions up to here cost 2,800,"),
        "{said}"
    );
    assert_eq!(said.matches("cost-budget").count(), 1);
}

#[test]
fn a_refused_rule_gets_limits() {
    let text = definition(NAMES, "self.names.all(a, self.names.exists(b, a == b))");
    let found = findings(&text);
    let [found] = found.as_slice() else {
        panic!("{}", said(&text))
    };
    assert_eq!(found.code, "cost-budget");
    assert!(
        found
            .upstream
            .as_deref()
            .unwrap_or("")
            .contains("exceeds budget")
    );
    expect![[r#"
        -                  items:
        -                    type: string
        +                  maxItems: 128
        +                  items:
        +                    type: string
        +                    maxLength: 512
    "#]]
    .assert_eq(&changes(&text, &apply(&text, &found.fixes[0])));
    assert_eq!(said(&apply(&text, &found.fixes[0])), "");
}

#[test]
fn a_rule_near_the_budget_is_named() {
    let properties = "                names:
                  type: array
                  maxItems: 1000
                  items: {type: string, maxLength: 5}";
    let text = definition(
        properties,
        "self.names.all(a, self.names.exists(b, a == b))",
    );
    let said = said(&text);
    assert!(said.contains("Information[cost-budget]"), "{said}");
}

#[test]
fn what_is_cheap_is_silent() {
    let properties = "                names:
                  type: array
                  maxItems: 10
                  items: {type: string, maxLength: 5}";
    assert_eq!(
        said(&definition(properties, "self.names.all(a, a != '')")),
        ""
    );
    let text = validation("object.spec.a.all(x, x.b.all(y, y != ''))");
    assert_eq!(said(&text), "");
}

#[test]
fn the_key_of_an_expression_tells_the_cost() {
    let shown = |text: &str| {
        let fixture = Fixture::parse(text);
        let cursor = fixture.cursor.expect("a cursor");
        hover(&SourceFile::new(fixture.text), cursor)
            .expect("a hover")
            .markdown
    };
    let key = |text: &str| text.replacen("- expression", "- expr$0ession", 1);
    expect!["Costs at most 2 of 1,000,000 cost units (0 %)."]
        .assert_eq(&shown(&key(&validation("object.spec.replicas == 1"))));
    expect!["Costs 2 cost units or more. With 10 entries in each list it costs up to 52 of 1,000,000 (0 %)."]
        .assert_eq(&shown(&key(&validation("object.spec.a.all(x, x == 1)"))));
    let rule = definition(NAMES, "self.names.all(a, a != '')").replace("- rule", "- ru$0le");
    expect!["The API server counts 4,194,303 of 10,000,000 cost units (41 %)."]
        .assert_eq(&shown(&rule));
}
