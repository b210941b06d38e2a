//! The work for a file grows with the file and not with its square.

mod widgets;
mod work;

use ide::{Settings, SourceFile, diagnose};
use widgets::definition;
use work::work;

#[track_caller]
fn check_linear(file: impl Fn(usize) -> String) {
    let [one, two] = [100, 200].map(|count| {
        let text = file(count);
        work(u32::MAX, || {
            diagnose(&SourceFile::new(text), &Settings::default())
        })
    });
    assert!(two * 10 < one * 23, "{one} for the half, {two} for all");
    assert!(one > 20, "{one} counts nothing");
}

/// Returns a line as often as that, each with its number in place of `#`.
fn lines(count: usize, line: &str) -> String {
    let numbers = (0..count).map(|number| number.to_string());
    let lines: Vec<String> = numbers
        .map(|number| line.replace('#', &number) + "\n")
        .collect();
    lines.concat()
}

/// A definition with `count` properties, and a rule for each with its number in place of `#`.
fn rules(count: usize, rule: &str) -> String {
    let rules = lines(count, &format!("            - {rule}"));
    let property = "              p#: {type: string, maxLength: 9}";
    definition(&format!(
        "            x-kubernetes-validations:\n{rules}            properties:\n{}",
        lines(count, property)
    ))
}

/// A policy with `count` items in a list of its `spec`, each with its number in place of `#`.
fn policy(count: usize, before: &str, item: &str, after: &str) -> String {
    let items = lines(count, &format!("  - {item}"));
    format!(
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {{name: demo}}
spec:
  matchConstraints:
    resourceRules:
    - {{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}}
{before}{items}{after}"
    )
}

#[test]
fn rules_of_an_object() {
    check_linear(|count| rules(count, "rule: self.p#.startsWith('a')"));
    check_linear(|count| rules(count, "rule: \"!has(self.p#) || self.p# != 'a'\""));
    check_linear(|count| {
        let expression = "messageExpression: \"'p is ' + self.p#\"";
        rules(count, &format!("{{rule: self.p# != 'a', {expression}}}"))
    });
}

#[test]
fn a_guard_counts_among_many_rules() {
    let text = rules(300, "rule: \"!has(self.p#) || self.p# != 'a'\"");
    let found = diagnose(&SourceFile::new(text), &Settings::default());
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn rules_of_an_object_that_have_a_property_in_common() {
    check_linear(|count| rules(count + 300, "rule: \"self.p0 != 'p#' || has(self.p#)\""));
}

#[test]
fn rules_of_properties() {
    check_linear(|count| {
        let rules = "x-kubernetes-validations: [{rule: self != 'a'}]";
        let property = format!("              p#: {{type: string, maxLength: 9, {rules}}}");
        definition(&format!(
            "            properties:\n{}",
            lines(count, &property)
        ))
    });
}

#[test]
fn rules_of_nested_objects() {
    check_linear(|count| {
        let rules = "x-kubernetes-validations: [{rule: self.a == self.b}]";
        let fields = "a: {type: string, maxLength: 9}, b: {type: string, maxLength: 9}";
        let property = format!("{{type: object, properties: {{{fields}}}, {rules}}}");
        definition(&format!(
            "            x-kubernetes-validations:\n{}            properties:\n{}",
            lines(count, "            - rule: self.p#.a != 'a'"),
            lines(count, &format!("              p#: {property}"))
        ))
    });
}

#[test]
fn validations() {
    let list = "  validations:\n";
    check_linear(|count| policy(count, list, "expression: object.spec.replicas != #", ""));
    check_linear(|count| {
        let item = "expression: object.metadata.labels.app != 'a#'";
        policy(count, list, item, "")
    });
    check_linear(|count| {
        let message = "messageExpression: \"'has ' + object.metadata.labels.app\"";
        let item = format!("{{expression: object.spec.replicas != #, {message}}}");
        policy(count, list, &item, "")
    });
}

#[test]
fn variables() {
    let item = "{name: v#, expression: object.spec.replicas + #}";
    let after = "  validations:\n  - expression: variables.v0 > 1\n";
    check_linear(|count| policy(count, "  variables:\n", item, after));
    check_linear(|count| {
        let uses = lines(count, "  - expression: variables.v# > 1");
        policy(
            count,
            "  variables:\n",
            item,
            &format!("  validations:\n{uses}"),
        )
    });
}

#[test]
fn match_conditions() {
    let item =
        "{name: m#, expression: \"has(object.spec.paused) && object.metadata.name != 'a#'\"}";
    let after = "  validations:\n  - expression: object.spec.paused\n";
    check_linear(|count| policy(count + 300, "  matchConditions:\n", item, after));
}

#[test]
fn policies_of_a_file() {
    let validations = "  validations:\n";
    check_linear(|count| {
        let documents = (0..count).map(|number| {
            let expression = format!("expression: object.spec.replicas != {number}");
            policy(1, validations, &expression, "")
        });
        documents.collect::<Vec<String>>().join("---\n")
    });
}
