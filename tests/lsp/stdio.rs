//! Sessions over the standard streams.

use crate::process::Server;
use serde_json::{Value, json};
use std::process::{Command, Stdio};

const URI: &str = "file:///nowhere/policy.yaml";

const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: replicas
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: [apps]
        apiVersions: [v1]
        operations: [CREATE]
        resources: [deployments]
  validations:
    - expression: object.spec.replicas <= (5
";

#[test]
fn a_policy_is_diagnosed_and_the_process_ends_well() {
    let mut server = Server::initialized(Some(std::process::id()));
    server.open(URI, POLICY);
    let published = server.message();
    assert_eq!(published["method"], "textDocument/publishDiagnostics");
    assert_eq!(published["params"]["version"], 1);
    let finding = &published["params"]["diagnostics"][0];
    assert_eq!(finding["source"], "admissible", "{published}");
    assert_eq!(finding["range"]["start"]["line"], 12, "{published}");
    let params = json!({ "textDocument": { "uri": URI } });
    let outline = server.request(2, "textDocument/documentSymbol", &params);
    assert!(
        outline["result"]
            .as_array()
            .is_some_and(|it| !it.is_empty()),
        "{outline}"
    );
    assert_eq!(
        server.request(3, "shutdown", &Value::Null)["result"],
        Value::Null
    );
    // The standard input stays open.
    server.notify("exit", &Value::Null);
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn what_is_not_checked_is_said_in_an_editor() {
    let mut server = Server::initialized(None);
    let kind = "apiVersion: policies.kyverno.io/v1\nkind: ValidatingPolicy\n";
    server.open(
        URI,
        &format!("{kind}spec: {{validations: [{{expression: a}}]}}\n"),
    );
    let published = server.message();
    let finding = &published["params"]["diagnostics"][0];
    assert_eq!(finding["code"], "not-checked", "{published}");
    assert_eq!(finding["severity"], 3, "{published}");
    assert_eq!(
        finding["range"]["start"],
        json!({"line": 1, "character": 6})
    );
    server.hang_up();
}

#[test]
fn an_exit_without_shutdown_is_a_failure() {
    let mut server = Server::initialized(None);
    server.notify("exit", &Value::Null);
    assert_eq!(server.exit_code(), Some(1));
}

#[test]
fn the_end_of_the_input_ends_the_process() {
    let mut server = Server::initialized(None);
    server.hang_up();
    assert_eq!(server.exit_code(), Some(1));
}

#[test]
fn the_end_of_the_input_after_shutdown_is_no_failure() {
    let mut server = Server::initialized(None);
    server.request(2, "shutdown", &Value::Null);
    server.hang_up();
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn an_editor_that_is_killed_takes_the_process_along() {
    let mut parent = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
    let server = Server::initialized(Some(parent.id()));
    parent.kill().unwrap();
    parent.wait().unwrap();
    assert_eq!(server.exit_code(), Some(1));
}

#[test]
fn broken_bytes_cost_their_message_only() {
    let mut server = Server::initialized(None);
    for bytes in [
        b"Content-Length: 5\r\n\r\n{\"a\":".as_slice(),
        b"Content-Type: x\r\n\r\n{}",
        b"Content-Length: 99999999999999999999\r\n\r\n{}",
        b"Content-Length: 3\r\n\r\n\"\xFF\"",
        b"\x00\x01\x02\r\n\r\n",
    ] {
        server.send_bytes(bytes);
        server.notify("$/nothing", &Value::Null);
        let (log, answer) = (server.message(), server.message());
        let (log, answer) = if log["method"].is_null() {
            (answer, log)
        } else {
            (log, answer)
        };
        assert_eq!(log["method"], "window/logMessage", "{log}");
        assert_eq!(answer["id"], Value::Null, "{answer}");
        assert_eq!(answer["error"]["code"], -32700, "{answer}");
    }
    assert_eq!(
        server.request(2, "no/such", &Value::Null)["error"]["code"],
        -32601
    );
    server.request(3, "shutdown", &Value::Null);
    server.notify("exit", &Value::Null);
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn the_end_of_the_input_is_seen_while_nobody_reads() {
    let mut process = Command::new(env!("CARGO_BIN_EXE_admissible"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = process.stdin.take().unwrap();
    // More responses than the pipe and the queue of the server hold.
    let method = "x".repeat(1000);
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method }).to_string();
    let message = format!("Content-Length: {}\r\n\r\n{body}", body.len());
    std::io::Write::write_all(&mut input, message.repeat(1800).as_bytes()).unwrap();
    drop(input);
    let started = std::time::Instant::now();
    while process.try_wait().unwrap().is_none() {
        let waited = started.elapsed().as_secs();
        assert!(waited < 20, "the server still runs");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
