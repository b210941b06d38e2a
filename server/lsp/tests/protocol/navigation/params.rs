//! Bindings and the manifests of their parameters.

use super::inputs::locations;
use super::{BINDING, POLICY, Workspace, capabilities};
use crate::evaluation::execute;
use serde_json::json;

const PARAMS: &str = "apiVersion: v1
kind: ConfigMap
metadata:
  name: 'small' # 😀
  labels: {size: small}
";

#[tokio::test]
async fn a_binding_leads_to_its_parameters_and_back() {
    let policy = POLICY.replace(
        "spec:\n",
        "spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}\n",
    );
    let files = [("policy.yaml", &*policy), ("params.yaml", PARAMS)];
    let mut workspace = Workspace::open_with(capabilities(false), &files).await;
    let by_name = format!("{BINDING}  paramRef: {{name: small}}\n");
    let by_label = BINDING.replace("limit-binding", "second")
        + "  paramRef: {selector: {matchLabels: {size: small}}}\n";
    let uri = workspace.binding.clone();
    let text = format!("{by_name}---\n{by_label}");
    workspace.server.open(&uri, 1, &text).await;
    let answer = workspace
        .request_until_found("definition", &uri, (7, 20), json!({}))
        .await;
    assert_eq!(locations(&answer), ["params.yaml 3:8-3:15"]);
    let answer = workspace
        .request("definition", &uri, (16, 16), json!({}))
        .await;
    assert_eq!(locations(&answer), ["params.yaml 3:8-3:15"]);
    let params = uri.replace("binding.yaml", "params.yaml");
    let changed = format!("# not saved\n{PARAMS}");
    workspace.server.open(&params, 1, &changed).await;
    let context = json!({ "context": { "includeDeclaration": false } });
    let back = workspace
        .request_until_found("references", &params, (4, 12), context.clone())
        .await;
    assert_eq!(
        locations(&back),
        ["binding.yaml 16:13-16:21", "binding.yaml 7:19-7:24"]
    );
    let same = workspace
        .request("references", &uri, (7, 20), context)
        .await;
    assert_eq!(locations(&same), locations(&back));
    workspace.finish().await;
}

#[tokio::test]
async fn the_list_of_policies_has_their_bindings_and_parameters() {
    let policy = POLICY.replace(
        "spec:\n",
        "spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}\n",
    );
    let files = [("policy.yaml", &*policy), ("params.yaml", PARAMS)];
    let mut workspace = Workspace::open_with(capabilities(false), &files).await;
    let uri = workspace.binding.clone();
    let text = format!("{BINDING}  paramRef: {{name: small}}\n");
    workspace.server.open(&uri, 1, &text).await;
    let mut listed = json!([]);
    // The project is read in the background.
    while listed.pointer("/0/bindings/0/parameters/0").is_none() {
        let answer = execute(&mut workspace.server, "admissible.listPolicies", json!({})).await;
        listed = answer["result"].clone();
    }
    let [policy, binding, parameter] = ["/0", "/0/bindings/0", "/0/bindings/0/parameters/0"]
        .map(|path| listed.pointer(path).unwrap());
    assert_eq!(policy["kind"], "ValidatingAdmissionPolicy");
    assert_eq!(policy["name"], "limit");
    assert_eq!(binding["name"], "limit-binding");
    assert_eq!(binding["location"]["uri"], uri);
    assert_eq!(parameter["kind"], "ConfigMap");
    assert_eq!(parameter["name"], "small");
    let params = uri.replace("binding.yaml", "params.yaml");
    assert_eq!(parameter["uri"], params);
    workspace.finish().await;
}
