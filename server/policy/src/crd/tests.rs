//! Types and costs of rules, as on the server.

use super::{Declared, SchemaSizes, rule_env};
use crate::environment::NEWEST;
use crate::json_schema::JsonSchema;
use cel::check::check;
use cel::estimate::{EstimateOptions, estimate};
use expect_test::expect;
use kubernetes::ServerVersion;
use std::sync::Arc;

/// Returns the type of a schema in YAML.
fn declared(schema: &str) -> Arc<Declared> {
    let stream = yaml::parse(schema.into());
    let root = stream.documents().find_map(yaml::Document::root);
    let schema = root.and_then(JsonSchema::new).expect("a schema");
    Declared::new(schema, false, ServerVersion::COMPARED).expect("a type")
}

/// Returns the maximum cost of a rule, or why it does not compile.
fn max_cost(schema: &str, rule: &str) -> Result<u64, String> {
    let declared = declared(schema);
    let env = rule_env(NEWEST, &declared, false);
    let checked = check(&cel::parse(rule).ast, &env);
    match checked.upstream_report() {
        Some(report) => Err(report),
        None => {
            let sizes = SchemaSizes { root: &declared };
            Ok(estimate(&checked, &env, &sizes, EstimateOptions::default()).max)
        }
    }
}

/// Schemas, rules, and the maximum cost of the rules.
const COSTS: &[(&str, &str, u64)] = &[
    (
        "{type: array, items: {type: number}}",
        "self.all(x, true)",
        4_718_591,
    ),
    (
        "{type: array, items: {type: number}, maxItems: 10}",
        "self.all(x, true)",
        32,
    ),
    (
        "{type: object, additionalProperties: {type: number}}",
        "self.all(x, true)",
        1_348_169,
    ),
    (
        "{type: object, additionalProperties: {type: number}, maxProperties: 10}",
        "self.all(x, true)",
        32,
    ),
    ("{type: string}", "self.contains('test')", 314_574),
    ("{type: string, maxLength: 10}", "self.contains('test')", 5),
    ("{type: string}", "self.startsWith('test')", 2),
    (
        "{type: string, maxLength: 15}",
        "self.startsWith('test')",
        2,
    ),
    ("{type: string}", "self.endsWith('test')", 2),
    ("{type: string, maxLength: 30}", "self.endsWith('test')", 2),
    (
        "{type: string}",
        "size(self + \"hello\") > size(\"hello\")",
        314_578,
    ),
    (
        "{type: string, maxLength: 4}",
        "size(self + \"hello\") > size(\"hello\")",
        7,
    ),
    ("{type: array, items: {type: number}}", "self[1] == 0.0", 2),
    (
        "{type: array, items: {type: number}, maxItems: 5000}",
        "self[1] == 0.0",
        2,
    ),
    (
        "{type: array, items: {type: string}}",
        "self[1] == self[1]",
        314_577,
    ),
    (
        "{type: array, items: {type: string}, maxItems: 8}",
        "self[1] == self[1]",
        314_577,
    ),
    ("{type: string}", "self.matches(\"x\")", 314_574),
    ("{type: string, maxLength: 50}", "self.matches(\"x\")", 22),
    (
        "{type: string}",
        "\"\".matches(\"(((((((((())))))))))[0-9]\")",
        7,
    ),
    (
        "{type: string, maxLength: 10}",
        "\"\".matches(\"(((((((((())))))))))[0-9]\")",
        7,
    ),
    ("{type: array, items: {type: number}}", "self[3] == 0.0", 2),
    (
        "{type: array, items: {type: number}, maxItems: 0}",
        "self[3] == 0.0",
        2,
    ),
    (
        "{type: object, additionalProperties: {type: number}}",
        "self[\"x\"] == 0.0",
        2,
    ),
    (
        "{type: object, additionalProperties: {type: number}, maxProperties: 0}",
        "self[\"x\"] == 0.0",
        2,
    ),
    ("{type: string}", "self == \"x\"", 2),
    ("{type: string, maxLength: 0}", "self == \"x\"", 1),
    ("{type: string, format: byte}", "self == b\"x\"", 2),
    (
        "{type: string, format: byte, maxLength: 0}",
        "self == b\"x\"",
        1,
    ),
    (
        "{type: array, items: {x-kubernetes-int-or-string: true}}",
        "self.all(x, true)",
        4_718_591,
    ),
    (
        "{type: array, items: {x-kubernetes-int-or-string: true}, maxItems: 10}",
        "self.all(x, true)",
        32,
    ),
    (
        "{type: array, items: {x-kubernetes-int-or-string: true}}",
        "self[0] == 5",
        3,
    ),
    (
        "{type: array, items: {x-kubernetes-int-or-string: true}, maxItems: 10}",
        "self[0] == 5",
        3,
    ),
    (
        "{type: array, items: {type: boolean}}",
        "self[0] == false",
        2,
    ),
    (
        "{type: array, items: {type: boolean}, maxItems: 25}",
        "self[0] == false",
        2,
    ),
    (
        "{type: array, items: {type: object, required: [required], properties: {required: {type: string}, optional: {type: string}}}}",
        "self[0] == null",
        2,
    ),
    (
        "{type: array, items: {type: object, required: [required], properties: {required: {type: string}, optional: {type: string}}}, maxItems: 422}",
        "self[0] == null",
        2,
    ),
    (
        "{type: array, items: {type: array, items: {type: number}}}",
        "self[0][0] == -1.0",
        3,
    ),
    (
        "{type: array, items: {type: array, items: {type: number}}, maxItems: 51}",
        "self[0][0] == -1.0",
        3,
    ),
    (
        "{type: array, items: {type: string, format: duration}}",
        "self.all(x, true)",
        2_359_295,
    ),
    (
        "{type: array, items: {type: string, format: duration}, maxItems: 5}",
        "self.all(x, true)",
        17,
    ),
    (
        "{type: array, items: {type: string, format: duration}}",
        "self[0].getHours() == 2",
        4,
    ),
    (
        "{type: array, items: {type: string, format: duration}, maxItems: 525}",
        "self[0].getHours() == 2",
        4,
    ),
    (
        "{type: array, items: {type: string, format: date}}",
        "self[2].getDayOfMonth() == 13",
        4,
    ),
    (
        "{type: array, items: {type: string, format: date}, maxItems: 42}",
        "self[2].getDayOfMonth() == 13",
        4,
    ),
    (
        "{type: array, items: {type: string, format: date-time}}",
        "self[2].getMinutes() == 45",
        4,
    ),
    (
        "{type: array, items: {type: string, format: date-time}, maxItems: 99}",
        "self[2].getMinutes() == 45",
        4,
    ),
    (
        "{type: object, additionalProperties: {x-kubernetes-int-or-string: true}}",
        "self.all(x, true)",
        1_348_169,
    ),
    (
        "{type: object, additionalProperties: {x-kubernetes-int-or-string: true}, maxProperties: 15}",
        "self.all(x, true)",
        47,
    ),
    (
        "{type: object, additionalProperties: {type: string, format: duration}}",
        "self.all(x, true)",
        1_048_577,
    ),
    (
        "{type: object, additionalProperties: {type: string, format: duration}, maxProperties: 5}",
        "self.all(x, true)",
        17,
    ),
    ("{type: string}", "self.find('[0-9]+') == ''", 629_147),
    (
        "{type: string, maxLength: 10}",
        "self.find('[0-9]+') == ''",
        11,
    ),
    (
        "{type: object, additionalProperties: {type: integer}}",
        "oldSelf.size() == self.size()",
        5,
    ),
    (
        "{type: object, additionalProperties: {type: integer}, maxProperties: 10}",
        "oldSelf.size() == self.size()",
        5,
    ),
    (
        "{type: object, additionalProperties: {type: string, format: date-time}}",
        "self[\"a\"] == self[\"b\"]",
        8,
    ),
    (
        "{type: object, additionalProperties: {type: string, format: date-time}, maxProperties: 7}",
        "self[\"a\"] == self[\"b\"]",
        8,
    ),
    (
        "{type: object, additionalProperties: {type: string, format: duration}}",
        "self[\"c\"] == self[\"d\"]",
        8,
    ),
    (
        "{type: object, additionalProperties: {type: string, format: duration}, maxProperties: 42}",
        "self[\"c\"] == self[\"d\"]",
        8,
    ),
    (
        "{type: string, enum: [A, B, C, LongValue]}",
        "self.contains('A')",
        2,
    ),
    (
        "{type: string, enum: [A, B, C, LongValue], maxLength: 1000}",
        "self.contains('A')",
        401,
    ),
];

#[test]
fn costs_follow_from_the_limits_of_the_schema() {
    for (schema, rule, cost) in COSTS {
        assert_eq!(max_cost(schema, rule), Ok(*cost), "{rule} in {schema}");
    }
}

#[test]
fn loops_in_loops_have_costs_without_a_useful_end() {
    let numbers = "{type: array, items: {type: number}}";
    let cost = max_cost(numbers, "self.all(x, self.all(y, true))");
    assert!(cost.is_ok_and(|cost| cost > 1_000_000_000_000));
}

const WIDGET: &str = "
type: object
x-kubernetes-embedded-resource: true
properties:
  text: {type: string}
  bytes: {type: string, format: byte}
  day: {type: string, format: date}
  span: {type: string, format: duration}
  port: {x-kubernetes-int-or-string: true}
  raw: {x-kubernetes-preserve-unknown-fields: true}
  open: {type: object, x-kubernetes-preserve-unknown-fields: true}
  names: {type: array, items: {type: string}}
  parts: {type: array, items: {type: object, properties: {size: {type: integer}}}}
  map: {type: object, additionalProperties: {type: object, properties: {set: {type: boolean}}}}
  x-y: {type: number}
  namespace: {type: string}
  $ref: {type: string}
";

/// The types of fields, as the errors of the compiler name them.
#[test]
fn fields_have_the_types_of_their_schemas() {
    let declared = declared(WIDGET);
    let env = rule_env(NEWEST, &declared, false);
    let show = |rule: &str| {
        let checked = check(&cel::parse(rule).ast, &env);
        match checked.upstream_report() {
            Some(report) => report.lines().next().unwrap_or_default().to_owned(),
            None => checked.output_type().to_string(),
        }
    };
    let rules = "self oldSelf self.text self.bytes self.day self.span self.port self.raw self.open \
                 self.open.x self.names self.parts self.parts[0].size self.map self.map['a'].set \
                 self.x__dash__y self.namespace self.__namespace__ self['$ref'] self.kind";
    let shown: Vec<String> = rules
        .split(' ')
        .map(|rule| format!("{rule}: {}", show(rule)))
        .collect();
    expect![[r#"
        self: selfType
        oldSelf: selfType
        self.text: string
        self.bytes: bytes
        self.day: timestamp
        self.span: duration
        self.port: dyn
        self.raw: ERROR: <input>:1:5: undefined field 'raw'
        self.open: selfType.open
        self.open.x: ERROR: <input>:1:10: undefined field 'x'
        self.names: list(string)
        self.parts: list(selfType.parts.@idx)
        self.parts[0].size: int
        self.map: map(string, selfType.map.@elem)
        self.map['a'].set: bool
        self.x__dash__y: double
        self.namespace: string
        self.__namespace__: string
        self['$ref']: ERROR: <input>:1:5: found no matching overload for '_[_]' applied to '(selfType, string)'
        self.kind: ERROR: <input>:1:5: undefined field 'kind'"#]].assert_eq(&shown.join("\n"));
}

#[test]
fn a_whole_resource_has_the_fields_that_all_have() {
    let schema = "{type: object, properties: {metadata: {type: object}, spec: {type: string}}}";
    let stream = yaml::parse(schema.into());
    let root = stream.documents().find_map(yaml::Document::root);
    let schema = root.and_then(JsonSchema::new).expect("a schema");
    let whole = Declared::new(schema, true, ServerVersion::COMPARED).expect("a type");
    let env = rule_env(NEWEST, &whole, true);
    for rule in [
        "self.kind",
        "self.apiVersion",
        "self.metadata.name",
        "self.metadata.generateName",
        "oldSelf.value().metadata.name",
        "oldSelf.spec.value()",
    ] {
        let checked = check(&cel::parse(rule).ast, &env);
        assert_eq!(checked.upstream_report(), None, "{rule}");
    }
    let labels = check(&cel::parse("self.metadata.labels").ast, &env);
    assert!(!labels.is_ok());
}
