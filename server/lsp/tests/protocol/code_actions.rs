//! Quick fixes.

use crate::analysis::{RULE, Scripted};
use crate::projects::wait_for;
use crate::server::{TestServer, URI, range};
use lsp::Options;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Returns a client that supports code actions, and if `versioned` also versions in edits.
fn client(versioned: bool) -> Value {
    let kinds = json!({ "codeActionKind": { "valueSet": ["quickfix"] } });
    json!({
        "textDocument": {
            "diagnostic": {},
            "codeAction": { "codeActionLiteralSupport": kinds, "isPreferredSupport": true },
        },
        "workspace": { "workspaceEdit": { "documentChanges": versioned } },
    })
}

fn params(character: u32, only: Value) -> Value {
    let at = json!({ "line": 0, "character": character });
    json!({
        "textDocument": { "uri": URI },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [], "only": only },
    })
}

#[tokio::test]
async fn a_fix_ends_the_finding_under_the_cursor() {
    let mut server = TestServer::with(&Scripted::new(), client(true)).await;
    server.open(URI, 4, "😀 bad, bad").await;
    let answer = server
        .request("textDocument/codeAction", params(4, Value::Null))
        .await;
    let actions = answer["result"].as_array().unwrap();
    assert_eq!(actions.len(), 1);
    let action = &actions[0];
    assert_eq!(action["kind"], "quickfix");
    assert_eq!(action["isPreferred"], true);
    assert_eq!(action["diagnostics"][0]["code"], RULE);
    let change = &action["edit"]["documentChanges"][0];
    assert_eq!(change["textDocument"], json!({ "uri": URI, "version": 4 }));
    assert_eq!(range(&change["edits"][0]["range"]), "0:3-0:6");
    assert_eq!(change["edits"][0]["newText"], "good");
    server.finish().await;
}

#[tokio::test]
async fn a_client_without_versions_gets_plain_edits() {
    let mut server = TestServer::with(&Scripted::new(), client(false)).await;
    server.open(URI, 4, "bad").await;
    let answer = server
        .request("textDocument/codeAction", params(0, Value::Null))
        .await;
    let edit = &answer["result"][0]["edit"];
    assert_eq!(range(&edit["changes"][URI][0]["range"]), "0:0-0:3");
    server.finish().await;
}

#[tokio::test]
async fn other_kinds_of_actions_are_not_answered_with_fixes() {
    let mut server = TestServer::with(&Scripted::new(), client(true)).await;
    server.open(URI, 4, "bad").await;
    let params = params(0, json!(["source.organizeImports"]));
    let answer = server.request("textDocument/codeAction", params).await;
    assert_eq!(answer["result"], Value::Null);
    server.finish().await;
}

/// An edit without a version would be applied to the new text.
#[tokio::test]
async fn a_fix_for_an_old_text_is_refused_where_it_cannot_say_so() {
    for versioned in [false, true] {
        let analysis = Scripted::new();
        let mut server = TestServer::with(&analysis, client(versioned)).await;
        server.open(URI, 1, "bad").await;
        analysis.gate.close();
        let id = server
            .ask("textDocument/codeAction", params(0, Value::Null))
            .await;
        analysis.gate.holds(1).await;
        server.replace(URI, 2, "x bad").await;
        server.request("no/such", Value::Null).await;
        analysis.gate.open();
        let answer = server.answer(id).await;
        if versioned {
            let document = &answer["result"][0]["edit"]["documentChanges"][0]["textDocument"];
            assert_eq!(document["version"], 1);
        } else {
            assert_eq!(answer["error"]["code"], -32801, "{answer}");
        }
        server.finish().await;
    }
}

const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: demo}
spec:
  failurePolicy: fail
  matchConstraints:
    resourceRules:
      - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  validations:
    - expression: objct.spec.replicas > 1
    - expression: objct.spec.replicas < 9
    - expression: object.spec.paused == false
";

/// Returns a client that resolves edits and lets a user confirm them.
fn resolving_client() -> Value {
    let mut client = client(true);
    client["textDocument"]["codeAction"]["dataSupport"] = json!(true);
    client["textDocument"]["codeAction"]["resolveSupport"] = json!({ "properties": ["edit"] });
    client["workspace"]["workspaceEdit"]["changeAnnotationSupport"] = json!({});
    client
}

fn at(line: u32, character: u32, only: Value) -> Value {
    let at = json!({ "line": line, "character": character });
    json!({
        "textDocument": { "uri": URI },
        "range": { "start": at, "end": at },
        "context": { "diagnostics": [], "only": only },
    })
}

/// Returns the server with the analysis of the product.
async fn start(client: Value) -> TestServer {
    let mut server = TestServer::start(Options::default());
    let params = json!({ "capabilities": client, "processId": null, "rootUri": null });
    server.initialize(params).await;
    server
}

fn titled<'a>(answer: &'a Value, title: &str) -> &'a Value {
    let actions = answer["result"].as_array().unwrap();
    let found = actions.iter().find(|action| action["title"] == title);
    found.unwrap_or_else(|| panic!("no {title}: {answer}"))
}

#[tokio::test]
async fn all_findings_of_a_rule_are_fixed_when_the_action_is_chosen() {
    const TITLE: &str = "Fix all 2 findings of `unknown-name`";
    let mut server = start(resolving_client()).await;
    server.open(URI, 1, POLICY).await;
    let answer = server
        .request("textDocument/codeAction", at(9, 20, Value::Null))
        .await;
    let action = titled(&answer, TITLE).clone();
    assert_eq!(action["edit"], Value::Null);
    let resolved = server.request("codeAction/resolve", action.clone()).await;
    let edits = &resolved["result"]["edit"]["documentChanges"][0]["edits"];
    let text = "    - expression: object.spec.replicas > 1\n    - expression: \
                object.spec.replicas < 9\n";
    assert_eq!(edits[0]["newText"], text);
    server.replace(URI, 2, "a: b").await;
    let resolved = server.request("codeAction/resolve", action).await;
    assert_eq!(resolved["error"]["code"], -32801);
    server.finish().await;

    let mut server = start(client(true)).await;
    server.open(URI, 1, POLICY).await;
    let answer = server
        .request("textDocument/codeAction", at(9, 20, Value::Null))
        .await;
    let edits = &titled(&answer, TITLE)["edit"]["documentChanges"][0]["edits"];
    assert_eq!(edits[0]["newText"], text);
    server.finish().await;
}

#[tokio::test]
async fn all_safe_fixes_are_applied_where_the_client_names_the_kind() {
    let mut server = start(resolving_client()).await;
    server.open(URI, 1, POLICY).await;
    let params = at(0, 0, json!(["source.fixAll"]));
    let answer = server.request("textDocument/codeAction", params).await;
    let action = titled(&answer, "Apply all safe fixes");
    assert_eq!(action["kind"], "source.fixAll.admissible");
    let edits = action["edit"]["documentChanges"][0]["edits"]
        .as_array()
        .unwrap();
    assert_eq!(edits.len(), 2);
    assert_eq!(edits[0]["newText"], "  failurePolicy: Fail\n");
    let answer = server
        .request("textDocument/codeAction", at(0, 0, Value::Null))
        .await;
    assert_eq!(answer["result"], json!([]));
    server.finish().await;
}

#[tokio::test]
async fn an_unsafe_fix_is_confirmed() {
    let mut server = start(resolving_client()).await;
    server.open(URI, 1, POLICY).await;
    let answer = server
        .request("textDocument/codeAction", at(11, 35, Value::Null))
        .await;
    let action = titled(&answer, "Deny if `paused` is missing");
    let edit = &action["edit"];
    assert_eq!(
        edit["documentChanges"][0]["edits"][0]["annotationId"],
        "unsafe"
    );
    assert_eq!(
        edit["changeAnnotations"]["unsafe"]["needsConfirmation"],
        true
    );
    assert_eq!(action["isPreferred"], Value::Null);
    let ignore = titled(&answer, "Ignore `unguarded-field` here");
    let change = &ignore["edit"]["documentChanges"][0]["edits"][0];
    assert_eq!(
        change["newText"],
        "    # admissible: ignore[unguarded-field]\n"
    );
    assert_eq!(range(&change["range"]), "11:0-11:0");
    server.finish().await;
}

/// Returns the edits of `Ignore … in this project`, for a policy in a folder.
async fn ignored_in(folder: &Path, open: Option<&str>) -> Value {
    let mut client = resolving_client();
    client["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["create"]);
    let mut server = TestServer::start(Options::default());
    let params = json!({
        "capabilities": client,
        "processId": null,
        "workspaceFolders": [{ "uri": uri_of(folder), "name": "a" }],
    });
    server.initialize(params).await;
    let configuration = uri_of(&folder.join("admissible.toml"));
    if let Some(text) = open {
        server.open(&configuration, 7, text).await;
    }
    let uri = uri_of(&folder.join("a.yaml"));
    server.open(&uri, 1, POLICY).await;
    let mut params = at(11, 35, Value::Null);
    params["textDocument"]["uri"] = json!(uri);
    let answer = server.request("textDocument/codeAction", params).await;
    let action = titled(&answer, "Ignore `unguarded-field` in this project");
    let shown = action["edit"]["documentChanges"].to_string();
    server.finish().await;
    serde_json::from_str(&shown.replace(&configuration, "CONFIGURATION")).unwrap()
}

fn uri_of(path: &Path) -> String {
    format!("file://{}", path.display())
}

#[tokio::test]
async fn a_rule_is_turned_off_in_the_configuration_file() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let created = ignored_in(&folder, None).await;
    assert_eq!(created[0]["kind"], "create");
    assert_eq!(created[0]["uri"], "CONFIGURATION");
    let edit = &created[1]["edits"][0];
    assert_eq!(edit["newText"], "[rules]\nunguarded-field = \"off\"\n");

    let text = "# é\n[rules]\nunknown-name = 'off' # why\n";
    fs::write(folder.join("admissible.toml"), text).unwrap();
    let changed = ignored_in(&folder, None).await;
    assert_eq!(
        changed[0]["textDocument"],
        json!({ "uri": "CONFIGURATION", "version": null })
    );
    let edit = &changed[0]["edits"][0];
    assert_eq!(edit["newText"], "unguarded-field = \"off\"\n");
    assert_eq!(range(&edit["range"]), "3:0-3:0");

    let unsaved = ignored_in(&folder, Some("kubernetes = '1.33'\n")).await;
    assert_eq!(unsaved[0]["textDocument"]["version"], 7);
    let edit = &unsaved[0]["edits"][0];
    assert_eq!(edit["newText"], "\n[rules]\nunguarded-field = \"off\"\n");
}

/// Returns a policy in `a.yaml`, and a folder without a binding for it.
async fn unbound_policy(folder: &Path) -> (TestServer, String) {
    let other = concat!(
        "apiVersion: admissionregistration.k8s.io/v1\n",
        "kind: ValidatingAdmissionPolicyBinding\n",
        "metadata: {name: b}\nspec: {policyName: other}\n",
    );
    fs::write(folder.join("b.yaml"), other).unwrap();
    let mut client = resolving_client();
    client["textDocument"]["diagnostic"] = Value::Null;
    client["workspace"]["workspaceEdit"]["resourceOperations"] = json!(["create"]);
    let mut server = TestServer::start(Options::default());
    let params = json!({
        "capabilities": client,
        "processId": null,
        "workspaceFolders": [{ "uri": uri_of(folder), "name": "a" }],
    });
    server.initialize(params).await;
    let uri = uri_of(&folder.join("a.yaml"));
    server.open(&uri, 1, POLICY).await;
    // Only the whole project shows that there is no binding.
    wait_for(&mut server, &uri, "unbound-policy", true).await;
    (server, uri)
}

#[tokio::test]
async fn a_binding_is_created_in_a_new_file() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().canonicalize().unwrap();
    let (mut server, uri) = unbound_policy(&folder).await;
    let mut params = at(1, 8, Value::Null);
    params["textDocument"]["uri"] = json!(uri);
    let title = "Create a binding for `demo` in `demo-binding.yaml`";
    let request = "textDocument/codeAction";
    let answer = server.request(request, params.clone()).await;
    let edit = &titled(&answer, title)["edit"];
    let changes = &edit["documentChanges"];
    assert_eq!(changes[0]["kind"], "create");
    assert_eq!(changes[0]["annotationId"], "unsafe");
    let annotation = &edit["changeAnnotations"]["unsafe"];
    assert_eq!(annotation["needsConfirmation"], true);
    let created = folder.join("demo-binding.yaml");
    assert_eq!(changes[0]["uri"], json!(uri_of(&created)));
    let text = changes[1]["edits"][0]["newText"].as_str().unwrap();
    assert!(text.contains("policyName: demo\n"), "{text}");

    // A file with that name is never changed.
    fs::write(&created, "a: b\n").unwrap();
    let answer = server.request(request, params).await;
    assert!(!answer.to_string().contains(title), "{answer}");
    server.finish().await;
}
