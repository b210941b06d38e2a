//! Findings that depend on other files, with the analysis of the product.

use crate::server::TestServer;
use lsp::Options;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: limit
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  validations:
  - expression: object.spec.replicas <= 5
";

const BINDING: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: limit-binding
spec:
  policyName: limits
  validationActions: [Deny]
";

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Returns a server for a folder, and a client that shows related locations.
async fn start(folder: &Path) -> TestServer {
    let mut server = TestServer::start(Options::default());
    let params = json!({
        "processId": null,
        "capabilities": {
            "textDocument": { "publishDiagnostics": { "relatedInformation": true } },
        },
        "workspaceFolders": [{ "uri": uri(folder), "name": "w" }],
    });
    server.initialize(params).await;
    server
}

/// Returns the findings of a document, once they have the code or no longer have it.
pub(crate) async fn wait_for(server: &mut TestServer, uri: &str, code: &str, there: bool) -> Value {
    loop {
        let message = server.notification("textDocument/publishDiagnostics").await;
        let found = message["diagnostics"].as_array().unwrap().clone();
        let is_there = found.iter().find(|it| it["code"] == code);
        if message["uri"] == uri && is_there.is_some() == there {
            return is_there.cloned().unwrap_or_default();
        }
    }
}

#[tokio::test]
async fn a_binding_sees_the_policy_of_another_file() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    fs::write(folder.join("policy.yaml"), POLICY).unwrap();
    let (policy, binding) = (
        uri(&folder.join("policy.yaml")),
        uri(&folder.join("binding.yaml")),
    );
    let mut server = start(&folder).await;
    server.open(&binding, 1, BINDING).await;
    let finding = wait_for(&mut server, &binding, "unknown-policy", true).await;
    let related = &finding["relatedInformation"][0]["location"];
    assert_eq!(related["uri"], policy.as_str());
    assert_eq!(related["range"]["start"]["line"], 3);

    // The unsaved text of the policy counts.
    let renamed = POLICY.replace("name: limit", "name: limits");
    server.open(&policy, 1, &renamed).await;
    wait_for(&mut server, &binding, "unknown-policy", false).await;
    // It is closed without being saved.
    server.close(&policy).await;
    wait_for(&mut server, &binding, "unknown-policy", true).await;
    // It changes on disk.
    fs::write(folder.join("policy.yaml"), renamed).unwrap();
    let change = json!({ "changes": [{ "uri": policy, "type": 2 }] });
    server
        .notify("workspace/didChangeWatchedFiles", change)
        .await;
    wait_for(&mut server, &binding, "unknown-policy", false).await;
    server.finish().await;
}

#[tokio::test]
async fn an_object_is_validated_by_the_rules_of_another_file() {
    const DEFINITION: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer, x-kubernetes-validations: [{rule: self < 5}]}
";
    const OBJECT: &str = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nsize: 7\n";
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    fs::write(folder.join("crd.yaml"), DEFINITION).unwrap();
    let config = "[rules]\ninvalid-object = 'on'\n";
    fs::write(folder.join("admissible.toml"), config).unwrap();
    let (definition, object) = (uri(&folder.join("crd.yaml")), uri(&folder.join("a.yaml")));
    let mut server = start(&folder).await;
    server.open(&object, 1, OBJECT).await;
    let found = wait_for(&mut server, &object, "invalid-object", true).await;
    let range = json!({"start": {"line": 3, "character": 6}, "end": {"line": 3, "character": 7}});
    assert_eq!(found["range"], range);
    // Only a rule changes, which no type shows.
    let changed = DEFINITION.replace("self < 5", "self < 9");
    server.open(&definition, 1, &changed).await;
    wait_for(&mut server, &object, "invalid-object", false).await;
    server.finish().await;
}

#[tokio::test]
async fn a_client_without_watchers_reports_files_and_folders() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let policies = folder.join("policies 😀");
    fs::write(folder.join("other.yaml"), POLICY.replace("limit", "other")).unwrap();
    let binding = uri(&folder.join("binding.yaml"));
    let mut server = TestServer::start(Options::default());
    let operations = json!({ "didCreate": true, "didRename": true, "didDelete": true });
    let params = json!({
        "processId": null,
        "capabilities": { "workspace": { "fileOperations": operations } },
        "workspaceFolders": [{ "uri": uri(&folder), "name": "w" }],
    });
    let result = server.initialize(params).await;
    let announced = &result["capabilities"]["workspace"]["fileOperations"];
    for operation in ["didCreate", "didRename", "didDelete"] {
        let filters = announced[operation]["filters"].as_array().unwrap();
        assert_eq!(filters.len(), 4, "{announced}");
    }
    let text = BINDING.replace("limits", "limit");
    server.open(&binding, 1, &text).await;
    wait_for(&mut server, &binding, "unknown-policy", true).await;

    fs::create_dir(&policies).unwrap();
    fs::write(policies.join("policy.yaml"), POLICY).unwrap();
    let created = uri(&policies.join("policy.yaml"));
    let files = json!({ "files": [{ "uri": created }, { "uri": 1 }] });
    server.notify("workspace/didCreateFiles", files).await;
    wait_for(&mut server, &binding, "unknown-policy", false).await;

    // With everything in it.
    let outside = tempfile::tempdir().unwrap();
    let gone = outside.path().join("policies");
    fs::rename(&policies, &gone).unwrap();
    let files = json!({ "files": [{ "oldUri": uri(&policies), "newUri": uri(&gone) }] });
    server.notify("workspace/didRenameFiles", files).await;
    wait_for(&mut server, &binding, "unknown-policy", true).await;
    // The other policy is removed, so the names of policies are unknown.
    let other = folder.join("other.yaml");
    fs::remove_file(&other).unwrap();
    let files = json!({ "files": [{ "uri": uri(&other) }] });
    server.notify("workspace/didDeleteFiles", files).await;
    wait_for(&mut server, &binding, "unknown-policy", false).await;
    server.finish().await;
}
