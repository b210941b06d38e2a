//! Paths of patches that lead nowhere, each with what then happens.

use crate::fixture::findings;
use policy::admission::{CompiledPolicy, EvaluationLimits, Inputs, Request, Resources, object};
use policy::openapi::Catalog;

const DEPLOYMENT: &str = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}, spec: \
     {replicas: 1, selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: \
     {containers: [{name: a, image: b}]}}}}";

fn policy(expression: &str) -> String {
    format!(
        "\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {{name: demo}}
spec:
  reinvocationPolicy: Never
  matchConstraints:
    resourceRules:
      - {{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}}
  mutations:
    - patchType: JSONPatch
      jsonPatch:
        expression: >-
          {expression}
"
    )
}

/// Whether the server applies the patch to the Deployment.
fn works(expression: &str) -> Result<(), String> {
    let file = crate::SourceFile::new(policy(expression));
    let document = &file.policies()[0];
    let stream = yaml::parse(DEPLOYMENT.into());
    let inputs = Inputs {
        object: stream.documents().next().and_then(|it| object(it.root()?)),
        ..Inputs::default()
    };
    let request = Request::new(inputs, &Resources::default()).unwrap();
    let catalog = Catalog::built_in(cel::library::Version(36));
    let compiled = CompiledPolicy::new(document);
    let mutation = compiled.mutate(document, &request, &catalog, &EvaluationLimits::default());
    mutation.steps[0].result.clone()
}

#[test]
fn what_is_found_fails_at_admission() {
    for (operation, path, hint) in [
        (
            "op: 'add', path: '/spec/replica', value: 1",
            "spec.replica",
            " Did you mean `replicas`?",
        ),
        ("op: 'remove', path: '/spec/none'", "spec.none", ""),
        (
            "op: 'add', path: '/spec/template/spec/containers/0/img', value: 'a'",
            "spec.template.spec.containers[].img",
            "",
        ),
    ] {
        let expression = format!("[JSONPatch{{{operation}}}]");
        let found = findings(&policy(&expression));
        assert_eq!(found.len(), 1, "{found:#?}");
        let start = format!("Deployment: there is no field `{path}`, so the mutation fails");
        assert!(found[0].message.starts_with(&start), "{}", found[0].message);
        assert!(
            found[0].message.ends_with(&format!(".{hint}")),
            "{}",
            found[0].message
        );
        assert!(works(&expression).is_err(), "{expression}");
    }
}

#[test]
fn what_is_there_is_silent_and_works() {
    for operation in [
        "op: 'replace', path: '/spec/replicas', value: 1",
        "op: 'add', path: '/metadata/labels', value: {'a': 'b'}",
        "op: 'add', path: '/spec/template/metadata/labels/a~1b', value: 'c'",
        "op: 'add', path: '/spec/template/spec/containers/-', value: {'name': 'b', 'image': 'c'}",
        "op: 'add', path: '/spec/' + 'paused', value: true",
    ] {
        let expression = format!("[JSONPatch{{{operation}}}]");
        let found = findings(&policy(&expression));
        assert!(found.is_empty(), "{found:#?}");
        assert_eq!(works(&expression), Ok(()), "{expression}");
    }
}
