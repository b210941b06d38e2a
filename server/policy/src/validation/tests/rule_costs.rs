//! Rules of a CustomResourceDefinition and the server's errors about their cost.

use super::{check, definition};
use expect_test::expect;

/// Rules, some of which cost too much.
const EXPENSIVE: &str = "        type: object
        properties:
          many:
            type: array
            items:
              type: string
              x-kubernetes-validations: [{rule: \"self.matches('^a+$')\"}]
          some:
            type: array
            maxItems: 1200
            items:
              type: array
              maxItems: 1000
              items:
                type: integer
                x-kubernetes-validations:
                - {rule: 'self > 1 && self < 5 && self != 3', messageExpression: \"'a'\"}
          few:
            type: array
            maxItems: 50
            items: {type: integer, x-kubernetes-validations: [{rule: 'self > 1'}]}
          one:
            type: string
            x-kubernetes-validations:
            - {rule: \"self != ''\", messageExpression: \"self.split('').map(x, self).join()\"}
";

#[test]
fn rules_that_can_cost_too_much_are_refused() {
    check(
        &definition(EXPENSIVE),
        &expect![[r#"
            Forbidden spec.validation.openAPIV3Schema "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)" at "openAPIV3Schema"
            Forbidden spec.validation.openAPIV3Schema.properties[many].items.x-kubernetes-validations[0].rule "estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)" at "\"self.matches('^a+$')\""
            Forbidden spec.validation.openAPIV3Schema.properties[many].items.x-kubernetes-validations[0].rule "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema" at "\"self.matches('^a+$')\""
            Forbidden spec.validation.openAPIV3Schema.properties[some].items.items.x-kubernetes-validations[0].rule "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema" at "'self > 1 && self < 5 && self != 3'"
            Forbidden spec.validation.openAPIV3Schema.properties[one].x-kubernetes-validations[0].messageExpression "estimated messageExpression cost exceeds budget by factor of more than 100x (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)" at "\"self.split('').map(x, self).join()\""
            Forbidden spec.validation.openAPIV3Schema.properties[one].x-kubernetes-validations[0].messageExpression "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema" at "\"self.split('').map(x, self).join()\""
        "#]],
    );
}

#[test]
fn the_dotted_name_of_a_type_costs_nothing_but_itself() {
    check(
        &definition(
            "        type: object
        properties:
          when: {type: string, format: date-time}
        x-kubernetes-validations:
        - rule: type(self.when) == google.protobuf.Timestamp
        - rule: type(ip('::1')) != net.IP
",
        ),
        &expect![""],
    );
}

#[test]
fn a_rule_needs_a_schema_that_cel_has_a_type_for() {
    check(
        &definition(
            "        type: object
        properties:
          raw:
            x-kubernetes-preserve-unknown-fields: true
            x-kubernetes-validations: [{rule: 'true'}]
",
        ),
        &expect![[r#"
            InternalError spec.validation.openAPIV3Schema.properties[raw].x-kubernetes-validations "internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations" at "x-kubernetes-validations"
        "#]],
    );
}
