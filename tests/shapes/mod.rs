//! Policies in chains, depths and widths far beyond what a cluster accepts.
//!
//! Each shape grows in one direction, so that what does not end, or takes more than a linear part
//! of time, memory or stack, has a name.

use std::fmt::Write as _;

/// An object that the policies match.
pub(crate) const OBJECT: &str =
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: b}}\n";

/// A policy or a definition, and inputs for it.
pub(crate) struct Shape {
    pub(crate) policy: String,
    pub(crate) inputs: String,
    pub(crate) object: String,
}

impl Shape {
    fn new(policy: String, object: &str) -> Self {
        Self {
            policy,
            inputs: format!("expect: allow\nobject: {object}"),
            object: object.to_owned(),
        }
    }

    /// A policy with these lines below `spec`.
    fn policy(kind: &str, rest: &str) -> Self {
        let text = format!(
            "apiVersion: admissionregistration.k8s.io/v1
kind: {kind}AdmissionPolicy
metadata: {{name: a.example.com}}
spec:
  matchConstraints:
    resourceRules:
    - {{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}}
{rest}"
        );
        Self::new(text, OBJECT)
    }

    /// A policy with this validation.
    fn validation(expression: &str) -> Self {
        let line = format!("  validations:\n  - expression: \"{expression}\"\n");
        Self::policy("Validating", &line)
    }

    /// A policy whose metadata has this value in a block.
    fn metadata(value: &str) -> Self {
        let shape = Self::validation("object.metadata.name != 'x'");
        let block = format!("metadata:\n  name: a.example.com\n  annotations:\n{value}\n");
        let policy = shape
            .policy
            .replace("metadata: {name: a.example.com}\n", &block);
        Self { policy, ..shape }
    }

    /// A definition with these lines of a schema, and an object of its kind.
    fn definition(schema: &str, spec: &str) -> Self {
        let text = format!(
            "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: as.example.com}}
spec:
  group: example.com
  names: {{kind: A, plural: as}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {schema}
"
        );
        let metadata = "metadata: {name: a, namespace: b}";
        let object = format!("{{apiVersion: example.com/v1, kind: A, {metadata}, spec: {spec}}}\n");
        Self::new(text, &object)
    }
}

fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// A chain of variables, in which each is made of the one before.
pub(crate) fn chain(first: &str, length: usize, next: impl Fn(usize, &str) -> String) -> Shape {
    let mut text = format!("  variables:\n  - {{name: v0, expression: \"{first}\"}}\n");
    for index in 1..length.max(1) {
        let next = next(index, &format!("variables.v{}", index - 1));
        let _ = writeln!(text, "  - {{name: v{index}, expression: \"{next}\"}}");
    }
    let last = length.max(1) - 1;
    let _ = writeln!(
        text,
        "  validations:\n  - expression: variables.v{last} == variables.v{last}\n    \
         messageExpression: string(variables.v{last} == variables.v0)"
    );
    Shape::policy("Validating", &text)
}

/// The links of chains.
pub(crate) const LINKS: [fn(&str) -> String; 8] = [
    |it| format!("[{it}, {it}]"),
    |it| format!("[[{it}][0]][0]"),
    |it| format!("{{'a': {it}, 'b': {it}}}"),
    |it| format!("{it} == {it} ? {it} : {it}"),
    |it| format!("[1, 2].map(i, {it})"),
    |it| format!("[{it}] + [{it}]"),
    |it| format!("(((((((({it}))))))))"),
    |it| format!("dyn({it})"),
];

/// Makes a shape of a depth or a width.
type Make = fn(usize) -> Shape;

/// All shapes, in which the number is the depth or the width.
pub(crate) const SHAPES: [(&str, Make); 30] = [
    ("parentheses", |count| {
        let (open, close) = ("(".repeat(count), ")".repeat(count));
        Shape::validation(&format!("{open}true{close}"))
    }),
    ("conjunctions", |count| {
        Shape::validation(&vec!["object != null"; count].join(" && "))
    }),
    ("lists", |count| {
        Shape::validation(&format!("[{}].size() > 0", vec!["1"; count].join(", ")))
    }),
    ("strings", |count| {
        Shape::validation(&format!("'{}'.size() > 0", "é".repeat(count)))
    }),
    ("macros", |count| {
        let open = lines(count, |it| format!("[{it}].all(x{it}, "));
        Shape::validation(&format!("{open}true{}", ")".repeat(count)))
    }),
    ("maps", |count| {
        let maps = ".map(x, [x, x])".repeat(count);
        Shape::validation(&format!("[object.metadata]{maps}.size() > 0"))
    }),
    ("uses", |count| {
        let uses = ".map(x, x == x ? x + x : x)".repeat(count);
        Shape::validation(&format!("[[object.metadata]]{uses}.size() > 0"))
    }),
    ("loops", |count| {
        let list = format!("[{}]", vec!["1"; count.min(1000)].join(", "));
        let inner = format!("{list}.all(b, {list}.all(c, a + b + c > 0))");
        Shape::validation(&format!("{list}.all(a, {inner})"))
    }),
    ("validations", |count| {
        let line = |it| format!("  - expression: object.metadata.name != 'x{it}'\n");
        Shape::policy(
            "Validating",
            &format!("  validations:\n{}", lines(count, line)),
        )
    }),
    ("conditions", |count| {
        let line = |it| format!("  - {{name: c{it}, expression: \"request.name != '{it}'\"}}\n");
        let conditions = format!("  matchConditions:\n{}", lines(count, line));
        let rest = "  validations:\n  - expression: 'true'\n";
        Shape::policy("Validating", &(conditions + rest))
    }),
    ("depths", |count| {
        let (open, close) = ("{a: ".repeat(count), "}".repeat(count));
        let object = OBJECT.replace("}}", &format!("}}, data: {open}1{close}}}"));
        let shape = Shape::validation("object.data == object.data");
        Shape::new(shape.policy, &object)
    }),
    ("keys", |count| {
        let keys = lines(count, |it| format!("k{it}: v, "));
        let object = OBJECT.replace("}}", &format!("}}, data: {{{keys}}}}}"));
        let shape = Shape::validation("object.data.all(k, object.data[k] == 'v')");
        Shape::new(shape.policy, &object)
    }),
    ("inputs", |count| {
        let shape = Shape::validation("object.metadata.name == 'b'");
        let input = |it| format!("---\nname: i{it}\nexpect: allow\nobject: {OBJECT}");
        let inputs = lines(count, input);
        Shape { inputs, ..shape }
    }),
    ("patches", |count| {
        let value = |it| format!("{{op: 'add', path: '/data/k{it}', value: 'v'}}");
        let patches = lines(count, |it| format!("JSONPatch{}, ", value(it)));
        let data = "JSONPatch{op: 'add', path: '/data', value: {'a': 'b'}}";
        let rest = format!(
            "  reinvocationPolicy: IfNeeded\n  mutations:\n  - patchType: JSONPatch\n    \
             jsonPatch:\n      expression: \"[{data}, {patches}]\"\n"
        );
        Shape::policy("Mutating", &rest)
    }),
    ("configurations", |count| {
        let line = |it| {
            let value = format!("Object{{data: {{'k{it}': 'v'}}}}");
            format!(
                "  - patchType: ApplyConfiguration\n    applyConfiguration:\n      expression: \
                 \"{value}\"\n"
            )
        };
        let rest = format!(
            "  reinvocationPolicy: IfNeeded\n  mutations:\n{}",
            lines(count, line)
        );
        Shape::policy("Mutating", &rest)
    }),
    ("rules", |count| {
        let rule = |it| format!("{{rule: self.a > {it}}}, ");
        let rules = format!("x-kubernetes-validations: [{}]", lines(count, rule));
        let schema = format!("{{type: object, properties: {{a: {{type: integer}}}}, {rules}}}");
        Shape::definition(&schema, "{a: 1}")
    }),
    ("schemas", |count| {
        let rule = "x-kubernetes-validations: [{rule: has(self.a)}]";
        let open = format!("{{type: object, {rule}, properties: {{a: ").repeat(count);
        let schema = format!("{open}{{type: object}}{}", "}}".repeat(count));
        let spec = format!("{}{{}}{}", "{a: ".repeat(count), "}".repeat(count));
        Shape::definition(&schema, &spec)
    }),
    ("webhooks", |count| {
        let webhook = |it| {
            format!(
                "- name: w{it}.example.com\n  clientConfig: {{url: 'https://a.example.com'}}\n  \
                 admissionReviewVersions: [v1]\n  sideEffects: None\n  rules:\n  - {{apiGroups: \
                 [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}}\n  \
                 matchConditions:\n  - {{name: c, expression: \"object.metadata.name != \
                 'x{it}'\"}}\n"
            )
        };
        let head = "apiVersion: admissionregistration.k8s.io/v1\nkind: \
                    ValidatingWebhookConfiguration\nmetadata: {name: a}\nwebhooks:\n";
        Shape::new(head.to_owned() + &lines(count, webhook), OBJECT)
    }),
    ("ternaries", |count| {
        let (open, close) = (
            "(object != null ? ".repeat(count),
            " : false)".repeat(count),
        );
        Shape::validation(&format!("{open}true{close}"))
    }),
    ("literals", |count| {
        let (open, close) = ("{'a': [".repeat(count), "]}".repeat(count));
        Shape::validation(&format!("{open}1{close} != {{}}"))
    }),
    ("selections", |count| {
        let (fields, optionals) = (".a".repeat(count), ".?a".repeat(count));
        Shape::validation(&format!("object{fields} == object{optionals}.orValue(1)"))
    }),
    ("flows", |count| {
        let (open, close) = ("{a: [".repeat(count), "]}".repeat(count));
        Shape::metadata(&format!("    a: {open}b{close}"))
    }),
    ("blocks", |count| {
        Shape::metadata(&format!("    {}b", "- ".repeat(count)))
    }),
    ("aliases", |count| {
        let level = |it: usize| {
            let below = vec![format!("*a{it}"); 10].join(", ");
            format!(
                "    a{0}: &a{0}\n      b: [{below}]\n      <<: [{below}]\n",
                it + 1
            )
        };
        Shape::metadata(&format!("    a0: &a0 {{x: y}}\n{}", lines(count, level)))
    }),
    ("documents", |count| {
        let shape = Shape::validation("object.metadata.name != 'x'");
        let named = |it| {
            shape
                .policy
                .replace("a.example.com", &format!("a{it}.example.com"))
        };
        let policy = lines(count, |it| format!("{}---\n", named(it)));
        Shape { policy, ..shape }
    }),
    ("one_line", |count| {
        let validation = |it| format!("{{expression: object.metadata.name != 'x{it}'}}, ");
        let list = lines(count, validation);
        Shape::policy("Validating", &format!("  validations: [{list}]\n"))
    }),
    ("comments", |count| {
        let shape = Shape::validation("object.metadata.name != 'x'");
        let comment = |it| format!("# admissible: input x{it}.yaml\n# admissible: ignore[x{it}]\n");
        let policy = lines(count, comment) + &shape.policy;
        Shape { policy, ..shape }
    }),
    ("properties", |count| {
        let rules = "x-kubernetes-validations: [{rule: self != 'x'}]";
        let property = |it| format!("k{it}: {{type: string, maxLength: 9, {rules}}}, ");
        let properties = lines(count, property);
        let spec = lines(count, |it| format!("k{it}: v, "));
        let schema = format!("{{type: object, properties: {{{properties}}}}}");
        Shape::definition(&schema, &format!("{{{spec}}}"))
    }),
    ("combinations", |count| {
        let open = "allOf: [{properties: {a: {minimum: 1}}}, {not: {".repeat(count);
        let properties = "properties: {a: {type: integer}}";
        let schema = format!(
            "{{type: object, {properties}, {open}{}}}",
            "}}]".repeat(count)
        );
        Shape::definition(&schema, "{a: 1}")
    }),
    ("items", |count| {
        let (open, close) = ("{type: array, items: ".repeat(count), "}".repeat(count));
        let spec = format!("{}{}", "[".repeat(count), "]".repeat(count));
        Shape::definition(&format!("{open}{{type: string}}{close}"), &spec)
    }),
];
