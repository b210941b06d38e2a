//! Bindings and the manifests of their parameters.

use super::inputs::locations;
use super::{BINDING, POLICY, Workspace, capabilities};
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
    let mut answer = json!(null);
    // The project is read in the background.
    while answer["result"].is_null() {
        answer = workspace
            .request("definition", &uri, (7, 20), json!({}))
            .await;
    }
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
        .request("references", &params, (4, 12), context.clone())
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
