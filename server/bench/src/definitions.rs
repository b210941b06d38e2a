//! CustomResourceDefinitions and policies of any size, the same on every machine.

use std::fmt::Write;

/// Pod templates in the large definition. Each has 13 KB.
const TEMPLATES: usize = 103;

/// Returns a definition with a schema below `spec`, whose lines begin at twelve columns.
fn definition(schema: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  \
         name: widgets.example.com\nspec:\n  group: example.com\n  names:\n    kind: Widget\n    \
         listKind: WidgetList\n    plural: widgets\n    singular: widget\n  scope: Namespaced\n  \
         versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      \
         openAPIV3Schema:\n        type: object\n        properties:\n          spec:\n            \
         type: object\n{schema}"
    )
}

/// Returns a definition with that many properties, and for each a rule of the object.
pub(crate) fn rules_of_an_object(count: usize) -> String {
    let mut schema = "            x-kubernetes-validations:\n".to_owned();
    for number in 0..count {
        let field = format!("self.field{number}");
        let _ = writeln!(
            schema,
            "            - rule: \"!has({field}) || {field}.startsWith('a')\"\n              \
             message: begins with a"
        );
    }
    schema.push_str("            properties:\n");
    for number in 0..count {
        let _ = writeln!(
            schema,
            "              field{number}:\n                type: string\n                \
             maxLength: 64"
        );
    }
    definition(&schema)
}

/// Returns a definition with that many properties, and a rule of each.
pub(crate) fn rules_of_properties(count: usize) -> String {
    let mut schema = "            properties:\n".to_owned();
    for number in 0..count {
        let _ = writeln!(
            schema,
            "              field{number}:\n                type: string\n                \
             maxLength: 64\n                x-kubernetes-validations:\n                \
             - rule: self.startsWith('a') && self != 'b{number}'\n                  \
             message: begins with a"
        );
    }
    definition(&schema)
}

/// Returns a policy with that many validations, variables and match conditions. A validation uses
/// the variable with its number.
pub(crate) fn policy(validations: usize, variables: usize, conditions: usize) -> String {
    let mut text = "apiVersion: admissionregistration.k8s.io/v1\n\
                    kind: ValidatingAdmissionPolicy\nmetadata:\n  name: demo.example.com\nspec:\n  \
                    failurePolicy: Fail\n  matchConstraints:\n    resourceRules:\n    \
                    - apiGroups: [apps]\n      apiVersions: [v1]\n      \
                    operations: [CREATE, UPDATE]\n      resources: [deployments]\n  \
                    matchConditions:\n"
        .to_owned();
    for number in 0..conditions {
        let expression = format!("object.metadata.name != 'a{number}'");
        let _ = writeln!(text, "  - name: c{number}\n    expression: {expression}");
    }
    text.push_str("  variables:\n");
    for number in 0..variables {
        let expression = format!("object.spec.replicas + {number}");
        let _ = writeln!(text, "  - name: v{number}\n    expression: {expression}");
    }
    text.push_str("  validations:\n");
    for number in 0..validations {
        let value = if number < variables {
            format!("variables.v{number}")
        } else {
            "object.spec.replicas".to_owned()
        };
        let _ = writeln!(
            text,
            "  - expression: {value} != {number}\n    message: denied"
        );
    }
    text
}

/// Returns a definition of 1.4 MB as operators publish them: pod templates below lists, with rules
/// of their objects.
pub(crate) fn large() -> String {
    let mut schema = "            properties:\n".to_owned();
    for number in 0..TEMPLATES {
        let _ = writeln!(schema, "              template{number}:");
        template(&mut schema, 16);
    }
    definition(&schema)
}

/// Writes an object with rules, a list of containers, and further objects below them.
fn template(schema: &mut String, indent: usize) {
    let line = |schema: &mut String, depth: usize, text: &str| {
        let _ = writeln!(schema, "{:1$}{text}", "", indent + 2 * depth);
    };
    let description = "description: A list of environment variables to set in the container. \
                       They cannot be changed after the pod is created.";
    for text in [
        "type: object",
        "x-kubernetes-validations:",
        "- rule: \"!has(self.name) || self.name.startsWith('a')\"",
        "  message: begins with a",
        "properties:",
        "  name: {type: string, maxLength: 63, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'}",
        "  containers:",
        "    type: array",
        "    maxItems: 16",
        "    items:",
        "      type: object",
        "      required: [name]",
        "      properties:",
        "        name: {type: string, maxLength: 63}",
    ] {
        line(schema, 0, text);
    }
    for number in 0..25 {
        line(schema, 4, &format!("field{number}:"));
        for text in [
            description,
            "type: object",
            "properties:",
            "  limit:",
            "    anyOf: [{type: integer}, {type: string}]",
            "    pattern: ^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))$",
            "    x-kubernetes-int-or-string: true",
        ] {
            line(schema, 5, text);
        }
    }
}
