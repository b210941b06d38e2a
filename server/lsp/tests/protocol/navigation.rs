//! Navigation and renames in the files of a folder, with the analysis of the product.

mod inputs;
mod links;
mod params;

use crate::server::{TestServer, range};
use lsp::Options;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const POLICY: &str = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: limit
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  variables:
  - {name: replicas, expression: \"'😀' == '' ? 0 : object.spec.replicas\"}
  validations:
  - expression: '\"😀\" != \"\" && variables.replicas <= 5'
";

const BINDING: &str = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata:
  name: limit-binding
spec:
  policyName: limit
  validationActions: [Deny]
";

/// Returns the capabilities of a client with everything that navigation can use, or with none.
fn capabilities(full: bool) -> Value {
    // Findings are not pushed to a client that requests them.
    if !full {
        return json!({ "textDocument": { "diagnostic": {} } });
    }
    let link = json!({ "linkSupport": true });
    json!({
        "textDocument": {
            "diagnostic": {},
            "definition": link,
            "declaration": link,
            "rename": { "prepareSupport": true },
        },
        "workspace": { "workspaceEdit": { "documentChanges": true } },
    })
}

/// A server for a folder with the policy and its binding, with both open.
struct Workspace {
    folder: tempfile::TempDir,
    server: TestServer,
    policy: String,
    binding: String,
}

impl Workspace {
    async fn open(capabilities: Value) -> Self {
        Self::open_with(capabilities, &[]).await
    }

    /// Opens a folder with more files, or with another content of the two.
    async fn open_with(capabilities: Value, files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap();
        let uri = |path: &Path| format!("file://{}", path.display());
        fs::write(path.join("policy.yaml"), POLICY).unwrap();
        fs::write(path.join("binding.yaml"), BINDING).unwrap();
        for (name, text) in files {
            fs::write(path.join(name), text).unwrap();
        }
        let mut server = TestServer::start(Options::default());
        server
            .initialize(json!({
                "processId": null,
                "capabilities": capabilities,
                "workspaceFolders": [{ "uri": uri(&path), "name": "w" }],
            }))
            .await;
        let (policy, binding) = (path.join("policy.yaml"), path.join("binding.yaml"));
        Self {
            folder,
            server,
            policy: uri(&policy),
            binding: uri(&binding),
        }
    }

    /// Sends a request for a position.
    async fn request(&mut self, method: &str, uri: &str, at: (u32, u32), more: Value) -> Value {
        let mut params = json!({
            "textDocument": { "uri": uri },
            "position": { "line": at.0, "character": at.1 },
        });
        let fields = params.as_object_mut().unwrap();
        fields.extend(more.as_object().unwrap().clone());
        let method = format!("textDocument/{method}");
        self.server.request(&method, params).await
    }

    /// Sends a request for a position until it finds something: documents that were opened become
    /// a part of the project in the background.
    async fn request_until_found(
        &mut self,
        method: &str,
        uri: &str,
        at: (u32, u32),
        more: Value,
    ) -> Value {
        loop {
            let answer = self.request(method, uri, at, more.clone()).await;
            if answer["result"] != Value::Null && answer["result"] != json!([]) {
                return answer;
            }
        }
    }

    /// Opens both documents, and waits until each has the other in its project.
    async fn open_both(&mut self) {
        let (policy, binding) = (self.policy.clone(), self.binding.clone());
        // The line above is not on disk yet.
        self.server
            .open(&policy, 7, &format!("# new\n{POLICY}"))
            .await;
        self.server.open(&binding, 3, BINDING).await;
        self.request_until_found("definition", &binding, (5, 14), json!({}))
            .await;
    }

    async fn finish(self) {
        self.server.finish().await;
    }
}

#[tokio::test]
async fn a_definition_is_linked_with_the_name_that_refers_to_it() {
    let mut workspace = Workspace::open(capabilities(true)).await;
    workspace.open_both().await;
    let (policy, binding) = (workspace.policy.clone(), workspace.binding.clone());
    for method in ["definition", "declaration"] {
        let answer = workspace
            .request(method, &binding, (5, 14), json!({}))
            .await;
        let link = &answer["result"][0];
        assert_eq!(link["targetUri"], policy.as_str());
        assert_eq!(range(&link["originSelectionRange"]), "5:14-5:19");
        assert_eq!(range(&link["targetSelectionRange"]), "4:8-4:13");
        assert_eq!(range(&link["targetRange"]), "1:0-12:55");
    }
    let answer = workspace
        .request("definition", &policy, (12, 41), json!({}))
        .await;
    assert_eq!(
        range(&answer["result"][0]["targetSelectionRange"]),
        "10:11-10:19"
    );
    workspace.finish().await;
}

#[tokio::test]
async fn references_are_in_all_files() {
    let mut workspace = Workspace::open(capabilities(false)).await;
    workspace.open_both().await;
    let policy = workspace.policy.clone();
    let mut all = Vec::new();
    for declaration in [true, false] {
        let context = json!({ "context": { "includeDeclaration": declaration } });
        let answer = workspace
            .request("references", &policy, (4, 8), context)
            .await;
        let found = answer["result"].as_array().unwrap().iter();
        all.push(found.map(|it| range(&it["range"])).collect::<Vec<_>>());
    }
    assert_eq!(all, [vec!["4:8-4:13", "5:14-5:19"], vec!["5:14-5:19"]]);
    let answer = workspace
        .request("definition", &policy, (12, 41), json!({}))
        .await;
    assert_eq!(answer["result"][0]["uri"], policy.as_str());
    workspace.finish().await;
}

#[tokio::test]
async fn a_definition_is_highlighted_as_written() {
    let mut workspace = Workspace::open(capabilities(false)).await;
    workspace.open_both().await;
    let policy = workspace.policy.clone();
    let answer = workspace
        .request("documentHighlight", &policy, (10, 12), json!({}))
        .await;
    let found = answer["result"].as_array().unwrap().iter();
    let found: Vec<_> = found.map(|it| (range(&it["range"]), &it["kind"])).collect();
    let (write, read) = (json!(3), json!(2));
    assert_eq!(
        found,
        [
            ("10:11-10:19".to_owned(), &write),
            ("12:41-12:49".to_owned(), &read)
        ]
    );
    workspace.finish().await;
}

#[tokio::test]
async fn a_policy_is_renamed_in_all_files_with_their_versions() {
    let mut workspace = Workspace::open(capabilities(true)).await;
    workspace.open_both().await;
    let (policy, binding) = (workspace.policy.clone(), workspace.binding.clone());
    let answer = workspace
        .request("prepareRename", &policy, (4, 10), json!({}))
        .await;
    assert_eq!(answer["result"]["placeholder"], "limit");
    assert_eq!(range(&answer["result"]["range"]), "4:8-4:13");
    let new = json!({ "newName": "on" });
    let answer = workspace.request("rename", &policy, (4, 10), new).await;
    let changes: Vec<_> = answer["result"]["documentChanges"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let (document, edit) = (&it["textDocument"], &it["edits"][0]);
            let text = edit["newText"].as_str().unwrap();
            (
                document["uri"].as_str().unwrap(),
                document["version"].as_i64(),
                format!("{} {text}", range(&edit["range"])),
            )
        })
        .collect();
    assert_eq!(
        changes,
        [
            (policy.as_str(), Some(7), "4:8-4:13 \"on\"".to_owned()),
            (binding.as_str(), Some(3), "5:14-5:19 \"on\"".to_owned()),
        ]
    );
    workspace.finish().await;
}

#[tokio::test]
async fn a_file_that_is_not_open_is_renamed_on_disk() {
    let mut workspace = Workspace::open(capabilities(false)).await;
    workspace.open_both().await;
    let (policy, binding) = (workspace.policy.clone(), workspace.binding.clone());
    workspace.server.close(&policy).await;
    let new = json!({ "newName": "maximum" });
    let answer = workspace.request("rename", &binding, (5, 14), new).await;
    let edit = &answer["result"]["changes"][&policy][0];
    // Without the line that was never saved.
    assert_eq!(range(&edit["range"]), "3:8-3:13");
    workspace.finish().await;
}

#[tokio::test]
async fn a_conflict_is_an_error_with_the_reason() {
    let mut workspace = Workspace::open(capabilities(true)).await;
    workspace.open_both().await;
    let policy = workspace.policy.clone();
    let new = json!({ "newName": "in" });
    let answer = workspace.request("rename", &policy, (12, 41), new).await;
    assert_eq!(answer["error"]["code"], -32803);
    assert_eq!(answer["error"]["message"], "`in` is reserved in CEL.");
    let answer = workspace
        .request("prepareRename", &policy, (0, 0), json!({}))
        .await;
    assert_eq!(answer["result"], Value::Null);
    workspace.finish().await;
}

#[tokio::test]
async fn the_structure_of_a_policy_is_served() {
    let mut workspace = Workspace::open(capabilities(false)).await;
    workspace.open_both().await;
    let policy = workspace.policy.clone();
    let answer = workspace
        .request("foldingRange", &policy, (0, 0), json!({}))
        .await;
    let first = &answer["result"][0];
    assert_eq!(
        (&first["startLine"], &first["endLine"]),
        (&json!(1), &json!(12))
    );
    let at = json!({ "positions": [{ "line": 12, "character": 41 }] });
    let answer = workspace
        .request("selectionRange", &policy, (0, 0), at)
        .await;
    let innermost = &answer["result"][0];
    assert_eq!(range(&innermost["range"]), "12:41-12:49");
    assert_eq!(range(&innermost["parent"]["range"]), "12:31-12:49");
    let answer = workspace
        .request("prepareCallHierarchy", &policy, (12, 41), json!({}))
        .await;
    let item = answer["result"][0].clone();
    assert_eq!(item["name"], "replicas");
    let server = &mut workspace.server;
    let params = json!({ "item": item });
    let answer = server.request("callHierarchy/incomingCalls", params).await;
    let call = &answer["result"][0];
    assert_eq!(call["from"]["name"], "spec.validations[0].expression");
    assert_eq!(range(&call["fromRanges"][0]), "12:41-12:49");
    let params = json!({ "item": call["from"] });
    let answer = server.request("callHierarchy/outgoingCalls", params).await;
    assert_eq!(answer["result"][0]["to"]["name"], "replicas");
    workspace.finish().await;
}

#[tokio::test]
async fn policies_and_bindings_are_symbols_of_the_workspace() {
    let mut workspace = Workspace::open(capabilities(false)).await;
    workspace.open_both().await;
    let (policy, binding) = (workspace.policy.clone(), workspace.binding.clone());
    let server = &mut workspace.server;
    let query = json!({ "query": "lmtb" });
    // The binding is open, then only on disk.
    for is_open in [true, false] {
        if !is_open {
            server.close(&binding).await;
        }
        let mut answer = server.request("workspace/symbol", query.clone()).await;
        // The search for files on disk may still be running.
        while answer["result"] == json!([]) {
            answer = server.request("workspace/symbol", query.clone()).await;
        }
        let symbol = &answer["result"][0];
        assert_eq!(symbol["name"], "limit-binding");
        assert_eq!(symbol["containerName"], "ValidatingAdmissionPolicyBinding");
        assert_eq!(range(&symbol["location"]["range"]), "3:8-3:21");
        assert_eq!(answer["result"].as_array().unwrap().len(), 1);
    }
    // The text in the editor counts, from the change on.
    let text = POLICY.replace("name: replicas", "name: amount");
    server.change(&policy, 8, json!([{ "text": text }])).await;
    for (query, count) in [("replicas", 0), ("amount", 1)] {
        let query = json!({ "query": query });
        let answer = server.request("workspace/symbol", query).await;
        assert_eq!(answer["result"].as_array().unwrap().len(), count);
    }
    workspace.finish().await;
}

/// A webhook configuration and a definition, each with an expression.
const QUOTA: &str = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: quota}
webhooks:
- name: pods.example.com
  matchConditions:
  - {name: no-nodes, expression: \"true\"}
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: demos.example.com}
spec:
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          ports:
            type: array
            items: {type: object, x-kubernetes-validations: [{rule: \"true\"}]}
";

#[tokio::test]
async fn entries_with_a_name_and_rules_are_symbols_of_the_workspace() {
    let mut workspace = Workspace::open(capabilities(false)).await;
    let uri = workspace.policy.clone();
    let server = &mut workspace.server;
    server.open(&uri, 1, QUOTA).await;
    for (query, name, container, at) in [
        (
            "quota",
            "quota",
            "ValidatingWebhookConfiguration",
            "2:17-2:22",
        ),
        ("pods.ex", "pods.example.com", "quota", "4:8-4:24"),
        ("no-nodes", "no-nodes", "pods.example.com", "6:11-6:19"),
        (
            "demos",
            "demos.example.com",
            "CustomResourceDefinition",
            "10:17-10:34",
        ),
        ("ports[", "ports[]", "demos.example.com", "20:68-20:74"),
    ] {
        let query = json!({ "query": query });
        let answer = server.request("workspace/symbol", query).await;
        let symbol = &answer["result"][0];
        assert_eq!(symbol["name"], name);
        assert_eq!(symbol["containerName"], container);
        assert_eq!(range(&symbol["location"]["range"]), at);
        assert_eq!(answer["result"].as_array().unwrap().len(), 1);
    }
    workspace.finish().await;
}

#[tokio::test]
async fn a_field_of_a_custom_resource_leads_to_its_schema() {
    const DEFINITION: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: demos.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: demos, singular: demo, kind: Demo, listKind: DemoList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          maximum: {type: integer}
---
";
    let text = POLICY
        .replace(
            "spec:\n",
            "spec:\n  paramKind: {apiVersion: example.com/v1, kind: Demo}\n",
        )
        .replace("variables.replicas <=", "params.maximum <=");
    let mut workspace = Workspace::open(capabilities(true)).await;
    let uri = workspace.policy.clone();
    workspace
        .server
        .open(&uri, 1, &format!("{DEFINITION}{text}"))
        .await;
    for method in ["definition", "typeDefinition"] {
        let answer = workspace.request(method, &uri, (29, 40), json!({})).await;
        let found = &answer["result"][0];
        let target = found.get("targetSelectionRange").unwrap_or(&found["range"]);
        assert_eq!(range(target), "15:10-15:17");
    }
    workspace.finish().await;
}
