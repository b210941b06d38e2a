//! The variable `request`.

use super::*;
use kubernetes::object;

fn read(text: &str) -> Value {
    let stream = yaml::parse(text.into());
    object(stream.documents().next().unwrap().root().unwrap()).unwrap()
}

#[test]
fn a_trial_says_so_in_its_options() {
    let inputs = Inputs {
        object: Some(read("{apiVersion: v1, kind: Pod, metadata: {name: a}}")),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, &Resources::default()).unwrap();
    request.dry_run = true;
    let options = |request: &Request| {
        let variable = request.variable();
        variable
            .as_map()
            .unwrap()
            .get_str("options")
            .unwrap()
            .to_string()
    };
    assert_eq!(
        options(&request),
        "{apiVersion: meta.k8s.io/v1, kind: CreateOptions, fieldManager: kubectl-create, \
         fieldValidation: Strict, dryRun: [All]}"
    );
    request.options = map([]);
    assert_eq!(options(&request), "{}");
}

#[test]
fn a_subresource_has_a_kind_of_its_own() {
    let inputs = Inputs {
        object: Some(read(
            "{apiVersion: apps/v1, kind: Deployment, metadata: {name: a}}",
        )),
        ..Inputs::default()
    };
    let mut request = Request::new(inputs, &Resources::default()).unwrap();
    request.subresource = "scale".to_owned();
    let seen = |request: &Request| {
        let variable = request.variable();
        let field = |name: &str| variable.as_map()?.get_str(name).map(Value::to_string);
        ["kind", "resource", "requestKind", "subResource"].map(|name| field(name).unwrap())
    };
    let [kind, ..] = seen(&request);
    assert_eq!(kind, "{group: apps, version: v1, kind: Deployment}");
    let scale = "{apiVersion: autoscaling/v1, kind: Scale, metadata: {name: a}}";
    request.inputs.object = Some(read(scale));
    assert_eq!(
        seen(&request),
        [
            "{group: autoscaling, version: v1, kind: Scale}",
            "{group: apps, version: v1, resource: deployments}",
            "{group: autoscaling, version: v1, kind: Scale}",
            "scale"
        ]
    );
}
