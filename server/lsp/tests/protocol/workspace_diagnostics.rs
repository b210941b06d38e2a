//! Findings in files of the workspace that are not open.

use crate::analysis::Scripted;
use crate::server::{TestServer, ranges};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;
use tempfile::TempDir;

/// A policy in which the scripted analysis has one finding.
const BAD: &str = "{kind: ValidatingAdmissionPolicy, metadata: {name: bad}}";
const GOOD: &str = "{kind: ValidatingAdmissionPolicy, metadata: {name: good}}";

/// A folder with files.
struct Workspace {
    _folder: TempDir,
    path: PathBuf,
}

impl Workspace {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap();
        let workspace = Self {
            _folder: folder,
            path,
        };
        for (name, text) in files {
            workspace.write(name, text);
        }
        workspace
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn uri(&self, name: &str) -> String {
        uri(&self.path.join(name))
    }

    async fn open(&self, analysis: &std::sync::Arc<Scripted>, capabilities: Value) -> TestServer {
        let params = json!({
            "processId": null,
            "capabilities": capabilities,
            "workspaceFolders": [{ "uri": uri(&self.path), "name": "w" }],
        });
        TestServer::with_params(analysis, params).await
    }
}

fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

async fn changed(server: &mut TestServer, uri: &str) {
    let changes = json!({ "changes": [{ "uri": uri, "type": 2 }] });
    server
        .notify("workspace/didChangeWatchedFiles", changes)
        .await;
}

fn findings(count: usize) -> Vec<String> {
    let at = BAD.find("bad").unwrap();
    vec![format!("0:{at}-0:{}", at + 3); count]
}

#[tokio::test]
async fn findings_in_files_that_are_not_open_are_pushed() {
    let workspace = Workspace::new(&[("a.yaml", BAD), ("sub/b.yaml", GOOD)]);
    let mut server = workspace.open(&Scripted::new(), json!({})).await;
    let a = workspace.uri("a.yaml");
    assert_eq!(server.published(&a).await, (Value::Null, findings(1)));
    // The other file has no findings, so nothing is sent for it.
    server.finish().await;
}

#[tokio::test]
async fn an_open_document_replaces_its_file_until_it_is_closed() {
    let workspace = Workspace::new(&[("a.yaml", BAD)]);
    let mut server = workspace.open(&Scripted::new(), json!({})).await;
    let a = workspace.uri("a.yaml");
    assert_eq!(server.published(&a).await, (Value::Null, findings(1)));
    server.open(&a, 1, "good").await;
    assert_eq!(server.published(&a).await, (json!(1), vec![]));
    server.close(&a).await;
    assert_eq!(server.published(&a).await, (Value::Null, findings(1)));
    server.finish().await;
}

#[tokio::test]
async fn changes_on_disk_are_followed() {
    let workspace = Workspace::new(&[("a.yaml", BAD), (".gitignore", "ignored\n")]);
    let mut server = workspace.open(&Scripted::new(), json!({})).await;
    let [a, b] = ["a.yaml", "b.yaml"].map(|it| workspace.uri(it));
    server.published(&a).await;
    workspace.write("a.yaml", GOOD);
    changed(&mut server, &a).await;
    assert_eq!(server.published(&a).await, (Value::Null, vec![]));
    workspace.write("ignored/c.yaml", BAD);
    changed(&mut server, &workspace.uri("ignored/c.yaml")).await;
    workspace.write("b.yaml", BAD);
    changed(&mut server, &b).await;
    assert_eq!(server.published(&b).await, (Value::Null, findings(1)));
    fs::remove_file(workspace.path.join("b.yaml")).unwrap();
    changed(&mut server, &b).await;
    assert_eq!(server.published(&b).await, (Value::Null, vec![]));
    server.finish().await;
}

#[tokio::test]
async fn only_files_that_are_affected_are_checked_again() {
    let analysis = Scripted::new();
    let workspace = Workspace::new(&[("a.yaml", BAD), ("b.yaml", BAD), ("c.yaml", "a: 1")]);
    let mut server = workspace.open(&analysis, json!({})).await;
    let [a, b] = ["a.yaml", "b.yaml"].map(|it| workspace.uri(it));
    server.published(&a).await;
    server.published(&b).await;
    while analysis.analyzed.load(Ordering::SeqCst) < 3 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    workspace.write("a.yaml", &format!("# bad\n{BAD}"));
    changed(&mut server, &a).await;
    assert_eq!(server.published(&a).await.1.len(), 2);
    assert_eq!(analysis.analyzed.load(Ordering::SeqCst), 4);
    server.finish().await;
}

#[tokio::test]
async fn a_setting_limits_the_findings_to_open_documents() {
    let workspace = Workspace::new(&[("a.yaml", BAD)]);
    let mut server = workspace.open(&Scripted::new(), json!({})).await;
    let a = workspace.uri("a.yaml");
    assert_eq!(server.published(&a).await, (Value::Null, findings(1)));
    let settings = |on: bool| json!({ "settings": { "workspaceDiagnostics": on } });
    let method = "workspace/didChangeConfiguration";
    server.notify(method, settings(false)).await;
    assert_eq!(server.published(&a).await, (Value::Null, vec![]));
    server.open(&a, 1, "bad").await;
    assert_eq!(server.published(&a).await.1.len(), 1);
    server.close(&a).await;
    assert_eq!(server.published(&a).await, (Value::Null, vec![]));
    server.finish().await;
}

#[tokio::test]
async fn a_panic_costs_the_findings_of_one_file() {
    let panics = BAD.replace("bad", "panic");
    let workspace = Workspace::new(&[("a.yaml", &panics), ("b.yaml", BAD)]);
    let mut server = workspace.open(&Scripted::new(), json!({})).await;
    let b = workspace.uri("b.yaml");
    assert_eq!(server.published(&b).await, (Value::Null, findings(1)));
    let log = server.notification("window/logMessage").await;
    assert!(log["message"].as_str().unwrap().contains("a.yaml"), "{log}");
    server.finish().await;
}

fn pulls() -> Value {
    json!({ "textDocument": { "diagnostic": {} } })
}

/// Returns the reports of a response: URI, result and ranges.
fn reports(answer: &Value) -> Vec<(String, Value, Vec<String>)> {
    let items = answer["result"]["items"].as_array().unwrap().iter();
    let read = |it: &Value| {
        let uri = it["uri"].as_str().unwrap().to_owned();
        (uri, it["resultId"].clone(), ranges(&it["items"]))
    };
    items.map(read).collect()
}

#[tokio::test]
async fn a_client_that_requests_findings_gets_what_has_changed() {
    let workspace = Workspace::new(&[("a.yaml", BAD), ("b.yaml", GOOD)]);
    let mut server = workspace.open(&Scripted::new(), pulls()).await;
    let [a, b] = ["a.yaml", "b.yaml"].map(|it| workspace.uri(it));
    let method = "workspace/diagnostic";
    let first = server
        .request(method, json!({ "previousResultIds": [] }))
        .await;
    let first = reports(&first);
    let [(uri, id, found)] = &*first else {
        panic!("{first:?}")
    };
    assert_eq!((uri, found), (&a, &findings(1)));

    // Without a change the response waits for one.
    let known = json!({ "previousResultIds": [{ "uri": a, "value": id }] });
    let waiting = server.ask(method, known).await;
    server.request("no/such", Value::Null).await;
    workspace.write("b.yaml", BAD);
    changed(&mut server, &b).await;
    let second = reports(&server.answer(waiting).await);
    let [(uri, other, found)] = &*second else {
        panic!("{second:?}")
    };
    assert_eq!((uri, found), (&b, &findings(1)));

    // An open document has a separate report, and a deleted file has none.
    server.open(&b, 1, "bad").await;
    fs::remove_file(workspace.path.join("a.yaml")).unwrap();
    changed(&mut server, &a).await;
    let known = [(&a, id), (&b, other)].map(|(uri, value)| json!({ "uri": uri, "value": value }));
    let known = json!({ "previousResultIds": known });
    let third = reports(&server.request(method, known).await);
    assert_eq!(third, [(a.clone(), Value::Null, vec![])]);
    server.finish().await;
}

#[tokio::test]
async fn a_request_that_waits_ends_with_the_session() {
    let workspace = Workspace::new(&[]);
    let mut server = workspace.open(&Scripted::new(), pulls()).await;
    let waiting = server
        .ask("workspace/diagnostic", json!({ "previousResultIds": [] }))
        .await;
    server.request("no/such", Value::Null).await;
    server.close_input().await;
    assert_eq!(reports(&server.answer(waiting).await), []);
    server.exit().await;
}

#[tokio::test]
async fn long_work_is_shown_and_can_be_canceled() {
    let analysis = Scripted::new();
    let workspace = Workspace::new(&[("a.yaml", BAD), ("b.yaml", BAD), ("c.yaml", BAD)]);
    analysis.gate.close();
    let shows = json!({ "window": { "workDoneProgress": true } });
    let mut server = workspace.open(&analysis, shows).await;
    analysis.gate.holds(1).await;
    // Longer than work that is not shown.
    tokio::time::sleep(Duration::from_millis(600)).await;
    analysis.gate.open();
    server.published(&workspace.uri("a.yaml")).await;
    let create = server
        .server_request("window/workDoneProgress/create")
        .await;
    let token = create["params"]["token"].clone();
    server
        .notify("window/workDoneProgress/cancel", json!({ "token": token }))
        .await;
    let log = server.notification("window/logMessage").await;
    assert!(
        log["message"]
            .as_str()
            .unwrap()
            .contains("2 files will not be checked"),
        "{log}"
    );
    server.reply(&create, Value::Null).await;
    let begin = server.notification("$/progress").await;
    assert_eq!(begin["value"]["kind"], "begin");
    assert_eq!(begin["value"]["title"], "Checking the workspace");
    assert_eq!(begin["value"]["cancellable"], true);
    let mut last = begin;
    while last["value"]["kind"] != "end" {
        last = server.notification("$/progress").await;
    }
    // The remaining files have no findings, and the server has checked no others.
    assert_eq!(analysis.analyzed.load(Ordering::SeqCst), 1);
    server.finish().await;
}

#[tokio::test]
async fn a_configuration_file_is_checked_without_an_open_document() {
    let workspace = Workspace::new(&[("sub/admissible.toml", "[rules]\nnone = 'off'\n")]);
    let mut server = workspace.open(&Scripted::new(), pulls()).await;
    let config = workspace.uri("sub/admissible.toml");
    let (_, found) = server.published(&config).await;
    assert_eq!(found, ["1:0-1:4"]);
    server.finish().await;
}
