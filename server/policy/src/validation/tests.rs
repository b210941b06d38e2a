//! The rules answer as the API server does.

mod crds;
mod embedded;
mod numbers;
mod programs;
mod registration;
mod rule_costs;

use super::*;
use crate::field_path::FieldPath;
use crate::recognize;
use expect_test::{Expect, expect};
use std::fmt::Write;
use std::sync::Arc;

/// Prints the errors of every document, each with its range.
#[track_caller]
fn check(text: &str, expected: &Expect) {
    let found = recognize(&Arc::new(yaml::parse(text.into())));
    let mut shown = String::new();
    for policy in &found.policies {
        for error in validate(policy) {
            let at = policy.stream().slice(error.range);
            let kind = error.kind.as_str().trim_start_matches("FieldValue");
            writeln!(shown, "{kind} {} {:?} at {at:?}", error.field, error.detail).unwrap();
        }
    }
    expected.assert_eq(&shown);
}

/// Returns the errors of a document, each as its type, its field and its detail.
fn errors(text: &str) -> Vec<(String, String, String)> {
    let found = recognize(&Arc::new(yaml::parse(text.into())));
    let errors = found.policies.iter().flat_map(|it| validate(it));
    errors
        .map(|error| {
            let kind = error.kind.as_str().trim_start_matches("FieldValue");
            (kind.to_owned(), error.field, error.detail)
        })
        .collect()
}

const HEAD: &str = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: demo}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
";

fn policy(rest: &str) -> String {
    format!("{HEAD}{rest}")
}

#[test]
fn a_policy_that_is_right_has_no_error() {
    check(
        &policy(
            "  failurePolicy: Ignore
  paramKind: {apiVersion: example.com/v1, kind: Limit}
  matchConditions: [{name: a.b/c, expression: 'params.x == 1'}]
  variables: [{name: a, expression: '1'}]
  validations:
  - {expression: 'variables.a > 0', messageExpression: \"'a'\", reason: Forbidden}
  auditAnnotations: [{key: k, valueExpression: \"'a'\"}]
",
        ),
        &expect![[r#""#]],
    );
}

#[test]
fn a_policy_without_anything_lacks_what_it_needs() {
    check(
        "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n",
        &expect![[r#"
            Required spec.matchConstraints "" at "apiVersion"
            Required spec.validations "validations or auditAnnotations must contain at least one item" at "apiVersion"
            Required spec.auditAnnotations "validations or auditAnnotations must contain at least one item" at "apiVersion"
            Required metadata.name "name or generateName is required" at "apiVersion"
        "#]],
    );
}

#[test]
fn entries_lack_what_they_need() {
    check(
        &policy(
            "  matchConditions: [{}, {name: 'a b', expression: ' '}]
  variables:
  - {name: namespace}
  - {expression: '1'}
  validations:
  - message: ' '
  - {expression: 'true', messageExpression: ' ', message: \"a\\nb\", reason: NotFound}
  auditAnnotations: [{key: 'a b'}]
",
        ),
        &expect![[r#"
            Required spec.matchConditions[0].expression "" at "{}"
            Required spec.matchConditions[0].name "" at "{}"
            Invalid spec.matchConditions[1].name "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')" at "'a b'"
            Required spec.matchConditions[1].expression "" at "' '"
            Required spec.variables[0].expression "expression is not specified" at "name"
            Invalid spec.variables[0].name "must be a valid CEL identifier" at "namespace"
            Required spec.variables[1].name "name is not specified" at "expression"
            Required spec.validations[0].expression "expression is not specified" at "message"
            Invalid spec.validations[0].message "must be non-empty if specified" at "' '"
            Invalid spec.validations[1].messageExpression "must be non-empty if specified" at "' '"
            Invalid spec.validations[1].message "must not contain line breaks" at "\"a\\nb\""
            NotSupported spec.validations[1].reason "supported values: \"Forbidden\", \"Invalid\", \"RequestEntityTooLarge\"" at "NotFound"
            Required spec.auditAnnotations[0].valueExpression "valueExpression is not specified" at "key"
            Invalid spec.auditAnnotations[0].key "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')" at "'a b'"
        "#]],
    );
}

#[test]
fn values_of_the_wrong_type_are_the_business_of_others() {
    check(
        &policy(
            "  failurePolicy: 1
  paramKind: v1
  matchConditions: {a: b}
  variables: [{name: y, expression: 1}]
  validations: [{expression: true, message: 1}]
  auditAnnotations: [1, [2]]
",
        ),
        &expect![""],
    );
}

#[test]
fn wildcards_stand_alone() {
    check(
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: demo}
spec:
  policyName: Demo
  validationActions: [Deny, Warn, Deny, deny]
  paramRef: {name: a/b, selector: {matchExpressions: [{key: a, operator: In}]}}
  matchResources:
    matchPolicy: exact
    resourceRules:
    - apiGroups: ['*', a]
      apiVersions: ['*', '']
      operations: ['*', READ]
      resources: ['*/*', pods/*, pods/log, '*', nodes, '']
      scope: Global
      resourceNames: [a, a, ..]
",
        &expect![[r#"
            Invalid spec.policyName "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')" at "Demo"
            Invalid spec.validationActions "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)" at "validationActions"
            Duplicate spec.validationActions[2] "" at "Deny"
            NotSupported spec.validationActions[3] "supported values: \"Audit\", \"Deny\", \"Warn\"" at "deny"
            Required spec.paramRef.parameterNotFoundAction "" at "paramRef"
            Invalid spec.paramRef.name "may not contain '/'" at "a/b"
            Forbidden spec.paramRef.name "name and selector are mutually exclusive" at "a/b"
            Forbidden spec.paramRef.selector "name and selector are mutually exclusive" at "selector"
            Required spec.paramRef.selector.matchExpressions[0].values "must be specified when `operator` is 'In' or 'NotIn'" at "key"
            NotSupported spec.matchResources.matchPolicy "supported values: \"Equivalent\", \"Exact\"" at "exact"
            Invalid spec.matchResources.resourceRules[0].apiGroups "if '*' is present, must not specify other API groups" at "apiGroups"
            Invalid spec.matchResources.resourceRules[0].apiVersions "if '*' is present, must not specify other API versions" at "apiVersions"
            Required spec.matchResources.resourceRules[0].apiVersions[1] "" at "''"
            Invalid spec.matchResources.resourceRules[0].operations "if '*' is present, must not specify other operations" at "operations"
            NotSupported spec.matchResources.resourceRules[0].operations[1] "supported values: \"*\", \"CONNECT\", \"CREATE\", \"DELETE\", \"UPDATE\"" at "READ"
            Invalid spec.matchResources.resourceRules[0].resources "if '*/*' is present, must not specify other resources" at "resources"
            Invalid spec.matchResources.resourceRules[0].resources "if '*' is present, must not specify other resources without subresources" at "resources"
            Invalid spec.matchResources.resourceRules[0].resources[1] "if '*/*' is present, must not specify pods/*" at "pods/*"
            Invalid spec.matchResources.resourceRules[0].resources[2] "if 'pods/*' is present, must not specify pods/log" at "pods/log"
            Required spec.matchResources.resourceRules[0].resources[5] "" at "''"
            NotSupported spec.matchResources.resourceRules[0].scope "supported values: \"*\", \"Cluster\", \"Namespaced\"" at "Global"
            Duplicate spec.matchResources.resourceRules[0].resourceNames[1] "" at "a"
            Invalid spec.matchResources.resourceRules[0].resourceNames[2] "may not be '..'" at ".."
        "#]],
    );
}

#[test]
fn mutations_have_the_patch_of_their_type() {
    check(
        "apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: demo}
spec:
  reinvocationPolicy: Always
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [DELETE], resources: [pods]}
  mutations:
  - {}
  - {patchType: Merge}
  - {patchType: JSONPatch, applyConfiguration: {expression: 'Object{}'}}
  - {patchType: ApplyConfiguration, applyConfiguration: {expression: ''}}
  - {patchType: ApplyConfiguration, applyConfiguration: {expression: '1'}}
",
        &expect![[r#"
            NotSupported spec.reinvocationPolicy "supported values: \"IfNeeded\", \"Never\"" at "Always"
            NotSupported spec.matchConstraints.resourceRules.operations "supported values: \"*\", \"CONNECT\", \"CREATE\", \"UPDATE\"" at "DELETE"
            Required spec.mutations[0].patchType "" at "{}"
            NotSupported spec.mutations[1].patchType "supported values: \"ApplyConfiguration\", \"JSONPatch\"" at "Merge"
            Required spec.mutations[2].jsonPatch "must be specified when patchType is JSONPatch" at "patchType"
            Invalid spec.mutations[2].applyConfiguration "must not be specified when patchType is JSONPatch" at "applyConfiguration"
            Required spec.mutations[3].applyConfiguration.expression "" at "''"
            Invalid spec.mutations[4].applyConfiguration.expression "must evaluate to Object but got int" at "'1'"
        "#]],
    );
}

#[test]
fn webhooks_have_names_and_a_client() {
    check(
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: demo}
webhooks:
- name: a.b
  sideEffects: Some
  admissionReviewVersions: [v2]
  timeoutSeconds: 60
  clientConfig: {url: 'http://user@host/x?y'}
- name: a.example.com
  admissionReviewVersions: [v1, v1]
  clientConfig: {service: {name: a, path: x//, port: 0}}
- {name: a.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: {}}
",
        &expect![[r#"
            Invalid webhooks[0].name "should be a domain with at least three segments separated by dots" at "a.b"
            NotSupported webhooks[0].sideEffects "supported values: \"None\", \"NoneOnDryRun\"" at "Some"
            Invalid webhooks[0].admissionReviewVersions "must include at least one of v1, v1beta1" at "admissionReviewVersions"
            Invalid webhooks[0].timeoutSeconds "the timeout value must be between 1 and 30 seconds" at "60"
            Invalid webhooks[0].clientConfig.url "'https' is the only allowed URL scheme; desired format: https://host[/path]" at "'http://user@host/x?y'"
            Invalid webhooks[0].clientConfig.url "user information is not permitted in the URL" at "'http://user@host/x?y'"
            Invalid webhooks[0].clientConfig.url "query parameters are not permitted in the URL" at "'http://user@host/x?y'"
            Required webhooks[1].sideEffects "must specify one of None, NoneOnDryRun" at "name"
            Invalid webhooks[1].admissionReviewVersions[1] "duplicate version" at "v1"
            Required webhooks[1].clientConfig.service.name "" at "service"
            Invalid webhooks[1].clientConfig.service.path "must start with a '/'" at "x//"
            Invalid webhooks[1].clientConfig.service.path "segment[0] may not be empty" at "x//"
            Invalid webhooks[1].clientConfig.service.path "segment[1] may not be empty" at "x//"
            Invalid webhooks[1].clientConfig.service.port "port is not valid: must be between 1 and 65535, inclusive" at "0"
            Duplicate webhooks[2].name "" at "a.example.com"
            Required webhooks[2].clientConfig "exactly one of url or service is required" at "clientConfig"
        "#]],
    );
}

#[test]
fn metadata_follows_the_rules_of_all_objects() {
    check(
        "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  generateName: demo-
  namespace: default
  labels: {'a b': c, d: 'e f'}
  annotations: {'A/B': x, '/': y}
  finalizers: [a, b c]
  ownerReferences: [{apiVersion: v1, kind: Pod, controller: true}]
",
        &expect![[r#"
            Forbidden metadata.namespace "not allowed on this type" at "default"
            Invalid metadata.labels "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')" at "'a b'"
            Invalid metadata.labels "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')" at "'e f'"
            Invalid metadata.annotations "prefix part must be non-empty" at "'/'"
            Invalid metadata.annotations "name part must be non-empty" at "'/'"
            Invalid metadata.annotations "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')" at "'/'"
            Invalid metadata.finalizers "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')" at "b c"
            Invalid metadata.ownerReferences.name "must not be empty" at "apiVersion"
            Invalid metadata.ownerReferences.uid "must not be empty" at "apiVersion"
        "#]],
    );
}

#[test]
fn an_expression_is_reported_as_the_server_sees_it() {
    check(
        &policy(
            "  matchConditions: [{name: a, expression: \"\\n  nope == 'é' && variables.x\"}]
  variables: [{name: a, expression: '  nope'}]
  validations:
  - expression: |
      true &&
      \tnope.x
  - expression: request.name
  - expression: 1 +
",
        ),
        &expect![[r#"
            Invalid spec.matchConditions[0].expression "compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope == 'é' && variables.x\n | ^\nERROR: <input>:1:16: undeclared reference to 'variables' (in container '')\n | nope == 'é' && variables.x\n | .........．.....^" at "\"\\n  nope == 'é' && variables.x\""
            Invalid spec.variables[0].expression "compilation failed: ERROR: <input>:1:3: undeclared reference to 'nope' (in container '')\n |   nope\n | ..^" at "'  nope'"
            Invalid spec.validations[0].expression "compilation failed: ERROR: <input>:2:2: undeclared reference to 'nope' (in container '')\n |  nope.x\n | .^" at "|\n      true &&\n      \tnope.x"
            Invalid spec.validations[1].expression "must evaluate to bool but got string" at "request.name"
            Invalid spec.validations[2].expression "compilation failed: ERROR: <input>:1:4: Syntax error: Expected an expression after `+`, found the end of the expression.\n | 1 +\n | ...^" at "1 +"
        "#]],
    );
}

const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
";

/// Returns a definition with one version that has the schema, which is indented.
fn definition(schema: &str) -> String {
    let head =
        "  versions:\n  - name: v1\n    storage: true\n    schema:\n      openAPIV3Schema:\n";
    format!("{DEFINITION}{head}{schema}")
}

#[test]
fn versions_with_one_schema_are_reported_as_the_server_converts_them() {
    let schema = "{openAPIV3Schema: {type: object, properties: {spec: {type: object, \
                  x-kubernetes-validations: [{rule: self.x}]}}}}";
    let version = |name: &str, storage: bool| {
        format!("  - {{name: {name}, served: true, storage: {storage}, schema: {schema}}}\n")
    };
    let one = format!("{DEFINITION}  versions:\n{}", version("v1", true));
    let two = format!("{one}{}", version("v2", false));
    let other = format!(
        "{one}  - {{name: v2, schema: {{openAPIV3Schema: {{type: object, x-kubernetes-validations: [{{rule: nope}}]}}}}}}\n"
    );
    check(
        &one,
        &expect![[r#"
        Invalid spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule "compilation failed: ERROR: <input>:1:5: undefined field 'x'\n | self.x\n | ....^" at "self.x"
    "#]],
    );
    check(
        &two,
        &expect![[r#"
        Invalid spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule "compilation failed: ERROR: <input>:1:5: undefined field 'x'\n | self.x\n | ....^" at "self.x"
    "#]],
    );
    check(
        &other,
        &expect![[r#"
        Invalid spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule "compilation failed: ERROR: <input>:1:5: undefined field 'x'\n | self.x\n | ....^" at "self.x"
        Invalid spec.versions[1].schema.openAPIV3Schema.x-kubernetes-validations[0].rule "compilation failed: ERROR: <input>:1:1: undeclared reference to 'nope' (in container '')\n | nope\n | ^" at "nope"
    "#]],
    );
}

#[test]
fn a_definition_needs_names_and_one_storage_version() {
    check(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: demo}
spec:
  group: example
  names: {plural: Widgets, kind: Widget, listKind: Widget}
  conversion: {strategy: Webhook}
  versions:
  - {name: V1, deprecationWarning: old}
  - {name: V1, schema: {openAPIV3Schema: {type: object}}}
",
        &expect![[r#"
            Invalid metadata.name "must be spec.names.plural+\".\"+spec.group" at "demo"
            Required spec.scope "" at "spec"
            Invalid spec.group "should be a domain with at least one dot" at "example"
            Invalid spec.names.plural "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')" at "Widgets"
            Invalid spec.names.listKind "kind and listKind may not be the same" at "Widget"
            Required spec.conversion.webhookClientConfig "required when strategy is set to Webhook" at "conversion"
            Required spec.conversion.conversionReviewVersions "" at "conversion"
            Invalid spec.versions "must contain unique version names" at "versions"
            Invalid spec.versions "must have exactly one version marked as storage version" at "versions"
            Invalid status.storedVersions "must have at least one stored version" at "versions"
            Required spec.versions[0].schema.openAPIV3Schema "" at "name"
            Invalid spec.versions[0].name "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')" at "V1"
            Invalid spec.version "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')" at "V1"
            Invalid spec.versions[0].deprecationWarning "can only be set for deprecated versions" at "old"
            Invalid spec.versions[1].name "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')" at "V1"
        "#]],
    );
}

#[test]
fn rules_are_compiled_only_in_a_schema_that_is_right() {
    check(
        &definition(
            "        type: object
        properties:
          list:
            type: array
            x-kubernetes-list-type: map
            x-kubernetes-validations: [{rule: nope}]
          spec:
            type: object
            x-kubernetes-validations:
            - {rule: '', message: ' ', reason: Nope, fieldPath: ' '}
            - {rule: \"true\\n&& true\", messageExpression: ' '}
            - {rule: nope, message: \"a\\nb\"}
          other: {uniqueItems: true, type: null}
",
        ),
        &expect![[r#"
            Required spec.validation.openAPIV3Schema.properties[list].items "must be specified" at "list"
            Required spec.validation.openAPIV3Schema.properties[list].x-kubernetes-list-map-keys "must not be empty if x-kubernetes-list-type is map" at "list"
            Required spec.validation.openAPIV3Schema.properties[list].items "must have a schema if x-kubernetes-list-type is map" at "list"
            Required spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule "rule is not specified" at "''"
            NotSupported spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].reason "supported values: \"FieldValueDuplicate\", \"FieldValueForbidden\", \"FieldValueInvalid\", \"FieldValueRequired\"" at "Nope"
            Invalid spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].fieldPath "must be non-empty if specified" at "' '"
            Invalid spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].fieldPath "must be a valid path" at "' '"
            Required spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[1].message "message must be specified if rule contains line breaks" at "rule"
            Required spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[1].messageExpression "messageExpression must be non-empty if specified" at "' '"
            Invalid spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[2].message "must not contain line breaks" at "\"a\\nb\""
            Forbidden spec.validation.openAPIV3Schema.properties[other].uniqueItems "uniqueItems cannot be set to true since the runtime complexity becomes quadratic" at "true"
            Required spec.validation.openAPIV3Schema.properties[other].type "must not be empty for specified object fields" at "type"
        "#]],
    );
}

#[test]
fn old_values_exist_only_where_items_correspond() {
    check(
        &definition(
            "        type: object
        properties:
          list:
            type: array
            maxItems: 10
            items:
              type: string
              maxLength: 10
              x-kubernetes-validations: [{rule: self == oldSelf}]
          spec:
            type: string
            x-kubernetes-validations:
            - {rule: self == oldSelf}
            - {rule: 'self == self', optionalOldSelf: true}
",
        ),
        &expect![[r#"
            Invalid spec.validation.openAPIV3Schema.properties[list].items.x-kubernetes-validations[0].rule "oldSelf cannot be used on the uncorrelatable portion of the schema within spec.validation.openAPIV3Schema.properties[list]" at "self == oldSelf"
            Invalid spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[1].optionalOldSelf "may not be set if oldSelf is not used in rule" at "true"
        "#]],
    );
}

#[test]
fn the_verdict_stops_where_the_server_stops() {
    let shown = |text: &str| {
        let verdict = verdict(text);
        let fields = |list: &[FieldPath]| {
            let fields: Vec<String> = list.iter().map(ToString::to_string).collect();
            fields.join(" ")
        };
        format!(
            "decode {} [{}] strict [{}] errors {}",
            verdict.decode.len(),
            fields(&verdict.decode),
            fields(&verdict.strict),
            verdict.errors.len()
        )
    };
    let cases = [
        policy("  validations: [{expression: 'true'}]\n"),
        policy("  validations: [{expression: '1'}]\n"),
        policy("  validations: [{expression: '1', x: 1}]\n  paramKind: {a: 1, a: 2}\n"),
        policy("  validations: [{expression: 1, x: 1}]\n"),
        policy("  validations: [\n"),
        "kind: ValidatingAdmissionPolicy\n".to_owned(),
        String::new(),
    ];
    let all: Vec<String> = cases.iter().map(|case| shown(case)).collect();
    expect![[r#"
        decode 0 [] strict [] errors 0
        decode 0 [] strict [] errors 1
        decode 0 [] strict [spec.paramKind.a spec.validations[0].x spec.paramKind.a spec.paramKind.a] errors 0
        decode 1 [spec.validations[0].expression] strict [] errors 0
        decode 1 [] strict [] errors 0
        decode 1 [] strict [] errors 0
        decode 1 [] strict [] errors 0"#]].assert_eq(&all.join("\n"));
}

#[test]
fn each_alias_of_an_expression_is_checked_in_its_own_field() {
    check(
        &policy(
            "  validations:
  - &v {expression: &e object.spec.replicas, messageExpression: *e}
  - *v
  - {expression: 'true', messageExpression: *e}
",
        ),
        &expect![[r#"
            Invalid spec.validations[0].expression "must evaluate to bool but got dyn" at "object.spec.replicas"
            Invalid spec.validations[1].expression "must evaluate to bool but got dyn" at "object.spec.replicas"
            Invalid spec.validations[0].messageExpression "must evaluate to string but got dyn" at "*e"
            Invalid spec.validations[1].messageExpression "must evaluate to string but got dyn" at "*e"
            Invalid spec.validations[2].messageExpression "must evaluate to string but got dyn" at "*e"
        "#]],
    );
}
