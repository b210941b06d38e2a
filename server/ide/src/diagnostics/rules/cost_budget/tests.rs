//! Expressions that exceed their budget, and expressions that do not.

use crate::file::SourceFile;
use crate::fixture::{
    self, Fixture, Objects, apply, changes, findings, outcome, report, untyped_policy as policy,
};
use crate::hover::hover;
use expect_test::expect;

fn crd(properties: &str, rule: &str) -> String {
    fixture::crd(&format!(
        "
          properties:
            spec:
              type: object
              required: [names, namespace, labels, min]
              properties:
{properties}
              x-kubernetes-validations:
                - rule: {rule}
"
    ))
}

const NAMES: &str = "                names:
                  type: array
                  items:
                    type: string";

fn validation(expression: &str) -> String {
    policy(&format!(
        "  validations:\n    - expression: \"{expression}\"\n"
    ))
}

/// Returns the result of an expression for a Deployment.
fn evaluate(text: &str, spec: &str) -> String {
    let object = format!(
        "{{apiVersion: example.com/v1, kind: Widget, metadata: {{name: a}}, spec: {spec}}}"
    );
    outcome(text, Objects::created(&object))
}

const CHECK: &str = "authorizer.group('apps').resource('deployments').check('get').allowed()";

#[test]
fn the_authorizer_is_asked_too_often() {
    let text = validation(&format!("[{CHECK}, {CHECK}, {CHECK}].size() == 3"));
    assert!(
        report(&text).contains("Error[cost-budget]: This expression costs at least 1,050,"),
        "{}",
        report(&text)
    );
    assert!(evaluate(&text, "{}").contains("actual cost limit exceeded"));
    let two = validation(&format!("[{CHECK}, {CHECK}].size() == 3"));
    assert_eq!(report(&two), "");
    assert_eq!(evaluate(&two, "{}"), "false");
}

#[test]
fn a_loop_within_loops_is_expensive() {
    let text = validation(
        "object.spec.a.all(v, object.spec.a.all(w, object.spec.a.all(x, object.spec.a.all(y, object.spec.a.all(z, v + w + x + y + z != '')))))",
    );
    assert!(
        report(&text).contains("Warning[cost-budget]: With 10 elements in each list,"),
        "{}",
        report(&text)
    );
    let list = ["'a'"; 10].join(", ");
    assert!(evaluate(&text, &format!("{{a: [{list}]}}")).contains("actual cost limit exceeded"));
    let loops = validation(&format!("object.spec.a.all(x, {CHECK})"));
    assert!(report(&loops).contains("authorizer checks in loops"));
    assert!(evaluate(&loops, "{a: [1, 2, 3]}").contains("actual cost limit exceeded"));
    let two = validation("object.spec.a.all(x, object.spec.b.all(y, y.c.all(z, x + z != '')))");
    assert_eq!(report(&two), "");
}

#[test]
fn lists_of_a_calculated_length_are_ordinary() {
    for expression in [
        "lists.range(size(object.spec.a)).all(i, object.spec.a[i] != '😀')",
        "object.spec.a.slice(1, size(object.spec.a)).all(a, a != '')",
        "[[1]].flatten(object.spec.n).size() == 1",
        "lists.range(object.spec.n)[0] == 0",
        "lists.range(object.spec.n).distinct().size() == 1",
    ] {
        assert_eq!(report(&validation(expression)), "", "{expression}");
    }
    let small = validation("lists.range(size(object.spec.a)).all(i, object.spec.a[i] != '')");
    assert_eq!(evaluate(&small, "{a: ['b']}"), "true");
}

#[test]
fn what_may_not_run_is_a_warning() {
    let report = report(&validation(
        "object.spec.n == 1 && lists.range(2000000) == []",
    ));
    assert!(report.contains("Warning[cost-budget]"), "{report}");
}

#[test]
fn what_is_certain_is_an_error() {
    for expression in [
        "lists.range(1000000).size() == object.spec.n",
        "lists.range(2000).map(x, lists.range(2000).map(y, x * y)).size() > object.spec.n",
    ] {
        let text = validation(expression);
        assert!(
            report(&text).contains("Error[cost-budget]"),
            "{}",
            report(&text)
        );
        assert!(evaluate(&text, "{n: 1}").contains("actual cost limit exceeded"));
    }
}

#[test]
fn an_index_beyond_the_list_is_no_cost() {
    for expression in [
        "[1, 2].slice(255, 9223372036854775807) == []",
        "object.spec.list.slice(9223372036854775807, 65536).size() == 0",
    ] {
        let report = report(&validation(expression));
        assert!(!report.contains("cost-budget"), "{report}");
    }
}

#[test]
fn the_parts_of_a_url_are_bounded_since_1_38() {
    let properties = "                urls:
                  type: array
                  maxItems: 1000
                  items: {type: string, maxLength: 100}";
    let matches = "self.urls.all(u, url(u).getHostname().matches('^[a-z]+$'))";
    let on = |target: &str| {
        let text = crd(properties, matches);
        report(&format!("# kubernetes = \"{target}\"\n{text}")).contains("Error[cost-budget]")
    };
    assert!(on("1.37"));
    assert!(!on("1.38"));
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
    let report = report(&text);
    assert!(
        report.contains("The match conditions up to this one cost at least 2,800,"),
        "{report}"
    );
    assert_eq!(report.matches("cost-budget").count(), 1);
}

#[test]
fn a_refused_rule_gets_limits() {
    let text = crd(NAMES, "self.names.all(a, self.names.exists(b, a == b))");
    let found = findings(&text);
    let [found] = found.as_slice() else {
        panic!("{}", report(&text))
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
    assert_eq!(report(&apply(&text, &found.fixes[0])), "");
}

#[test]
fn a_rule_near_the_budget_is_named() {
    let properties = "                names:
                  type: array
                  maxItems: 1000
                  items: {type: string, maxLength: 5}";
    let text = crd(
        properties,
        "self.names.all(a, self.names.exists(b, a == b))",
    );
    let report = report(&text);
    assert!(report.contains("Information[cost-budget]"), "{report}");
}

#[test]
fn what_is_cheap_is_silent() {
    let properties = "                names:
                  type: array
                  maxItems: 10
                  items: {type: string, maxLength: 5}";
    assert_eq!(report(&crd(properties, "self.names.all(a, a != '')")), "");
    let text = validation("object.spec.a.all(x, x.b.all(y, y != ''))");
    assert_eq!(report(&text), "");
}

#[test]
fn the_key_of_an_expression_tells_the_cost() {
    let shown = |text: &str| {
        let fixture = Fixture::parse(text);
        let cursor = fixture.cursor.expect("a cursor");
        let hover = hover(&SourceFile::new(fixture.text), cursor).expect("a hover");
        let cost = hover.markdown.split("\n\n").next();
        cost.unwrap_or_default().to_owned()
    };
    let key = |text: &str| text.replacen("- expression", "- expr$0ession", 1);
    expect!["Costs at most 2 of 1,000,000 cost units (0%)."]
        .assert_eq(&shown(&key(&validation("object.spec.replicas == 1"))));
    expect!["With 10 entries in each list, it costs up to 52 of 1,000,000 cost units (0%)."]
        .assert_eq(&shown(&key(&validation("object.spec.a.all(x, x == 1)"))));
    let asks = validation(&format!("object.spec.a.all(x, x == 1) == {CHECK}"));
    expect!["Costs at least 350,003 cost units. With 10 entries in each list, it costs up to 350,057 of 1,000,000 cost units (35%)."]
        .assert_eq(&shown(&key(&asks)));
    let rule = crd(NAMES, "self.names.all(a, a != '')").replace("- rule", "- ru$0le");
    expect!["The API server estimates 4,194,303 of 10,000,000 cost units (41%)."]
        .assert_eq(&shown(&rule));
}

/// Compares the advice for a rule and the changes of its fix, after which no finding remains.
#[track_caller]
fn rewritten(properties: &str, rule: &str, expected: &expect_test::Expect) {
    let text = crd(properties, rule);
    let found = findings(&text);
    let [found] = found.as_slice() else {
        panic!("{}", report(&text))
    };
    let after = apply(&text, &found.fixes[0]);
    let advice = found
        .message
        .split_once("10,000,000. ")
        .map_or("", |it| it.1);
    expected.assert_eq(&format!("{advice}\n{}", changes(&text, &after)));
    assert_eq!(report(&after), "");
}

#[test]
fn what_the_estimate_does_not_know_is_written_so_that_it_does() {
    rewritten(
        "                namespace: {type: string}",
        "\"self.namespace == oldSelf.namespace || self.namespace != '\\U0001F600'\"",
        &expect![[r#"
            The API server does not know the size of `namespace`, which is a reserved word in CEL. Write `__namespace__`.
            -                - rule: "self.namespace == oldSelf.namespace || self.namespace != '\U0001F600'"
            +                - rule: "self.__namespace__ == oldSelf.__namespace__ || self.__namespace__ != '\U0001F600'"
        "#]],
    );
    rewritten(
        "                labels: {type: object, additionalProperties: {type: string}}",
        ">-\n                    has(self.labels.app) &&\n                    self.labels.app.endsWith(self.labels.app)",
        &expect![[r#"
            The API server does not know the size of the map entry `.app`. Write `['app']`.
            -                    self.labels.app.endsWith(self.labels.app)
            +                    self.labels['app'].endsWith(self.labels['app'])
        "#]],
    );
    rewritten(
        "                min: {type: integer}",
        "self.min > 3\n                  messageExpression: \"'min ' + string(self.min)\"",
        &expect![[r#"
            The API server does not know the length of the result of `string()`. Write `'min %s'.format([self.min])`.
            -                  messageExpression: "'min ' + string(self.min)"
            +                  messageExpression: "'min %s'.format([self.min])"
        "#]],
    );
}

#[test]
fn a_rule_without_a_loop_gets_no_advice_about_loops() {
    let text = crd(
        "                min: {type: integer}",
        "string(self.min).contains(string(self.min))",
    );
    let report = report(&text);
    assert!(report.contains("The result of a function"), "{report}");
    assert!(!report.contains("loop"), "{report}");
}

/// The fixes of other rules for a message of a rule, whose concatenation would cost too much.
#[test]
fn fixes_of_messages_stay_within_the_budget() {
    let of = |message: &str| {
        let properties = "                min: {type: integer}";
        crd(
            properties,
            &format!("self.min > 3\n                  {message}"),
        )
    };
    for (message, expected) in [
        (
            "message: at least ${self.min} 😀, 100%",
            "messageExpression: \"'at least %s 😀, 100%%'.format([self.min])\"",
        ),
        (
            "messageExpression: \"'min ' + self.min + ' of ' + string(self.min)\"",
            "messageExpression: \"'min %s of %s'.format([self.min, self.min])\"",
        ),
    ] {
        let text = of(message);
        let found = findings(&text);
        let [found] = found.as_slice() else {
            panic!("{}", report(&text))
        };
        let after = apply(&text, &found.fixes[0]);
        assert_eq!(after, of(expected));
        assert_eq!(report(&after), "");
    }
}
