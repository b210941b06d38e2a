//! Documents that were made to stop the server. Others get their findings meanwhile.

use crate::process::Server;
use std::fs;
use std::path::Path;

const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: replicas.example.com}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
  validations:
  - expression: object.spec.replicas <= (5
";

/// Opens a document of a folder.
fn open(server: &mut Server, folder: &Path, name: &str, text: &str) -> String {
    let uri = format!("file://{}/{name}", folder.display());
    server.open(&uri, text);
    uri
}

/// Returns the messages of the next findings of any document, with its URI.
fn next_messages(server: &mut Server) -> (String, Vec<String>) {
    loop {
        let message = server.message();
        if message["method"] == "textDocument/publishDiagnostics" {
            let params = &message["params"];
            let found = params["diagnostics"].as_array().unwrap().iter();
            let messages = found.map(|it| it["message"].as_str().unwrap().to_owned());
            return (
                params["uri"].as_str().unwrap().to_owned(),
                messages.collect(),
            );
        }
    }
}

/// Returns the messages of the next findings of a document.
fn messages(server: &mut Server, uri: &str) -> Vec<String> {
    loop {
        let (found, messages) = next_messages(server);
        if found == uri {
            return messages;
        }
    }
}

/// Returns the messages of two documents that have findings, which come in any order.
#[cfg(unix)]
fn messages_of_both(server: &mut Server, left: &str, right: &str) -> (Vec<String>, Vec<String>) {
    let (mut of_left, mut of_right) = (Vec::new(), Vec::new());
    while of_left.is_empty() || of_right.is_empty() {
        let (uri, messages) = next_messages(server);
        if uri == left {
            of_left = messages;
        } else if uri == right {
            of_right = messages;
        }
    }
    (of_left, of_right)
}

#[cfg(unix)]
#[test]
fn a_path_that_blocks_stops_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    for pipe in ["schemas-pipe", "a/input-pipe", "a/p.inputs.yaml"] {
        fs::create_dir_all(folder.join("a")).unwrap();
        let status = std::process::Command::new("mkfifo")
            .arg(folder.join(pipe))
            .status();
        assert!(status.unwrap().success());
    }
    let schemas = "schemas = ['/dev/stdin', 'schemas-pipe']\n";
    fs::write(folder.join("admissible.toml"), schemas).unwrap();
    let mut server = Server::initialized(None);
    let comments = "# admissible: input /dev/stdin\n# admissible: input input-pipe\n";
    let hostile = open(
        &mut server,
        &folder,
        "a/p.yaml",
        &format!("{comments}{POLICY}"),
    );
    let config = format!("file://{}/admissible.toml", folder.display());
    let (found, of_config) = messages_of_both(&mut server, &hostile, &config);
    assert!(
        found
            .iter()
            .any(|it| it.contains("`/dev/stdin` cannot be read: outside the project")),
        "{found:?}"
    );
    assert!(
        found
            .iter()
            .any(|it| it.contains("`input-pipe` cannot be read: not a regular file")),
        "{found:?}"
    );
    assert_eq!(of_config.len(), 2, "{of_config:?}");
    let other = open(&mut server, &folder, "other.yaml", POLICY);
    assert_eq!(messages(&mut server, &other).len(), 1);
    server.hang_up();
}

/// Returns the resident memory of a process in MiB.
#[cfg(target_os = "linux")]
fn memory(server: &Server) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap();
    line.split_whitespace()
        .nth(1)
        .unwrap()
        .parse::<u64>()
        .unwrap()
        / 1024
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_closed_documents_is_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let mut server = Server::initialized(None);
    let text = format!("{POLICY}# {}", "x".repeat(10_000));
    let round = |server: &mut Server, from: usize| {
        for number in from..from + 1000 {
            let uri = open(server, &folder, &format!("{number}/{number}.yaml"), &text);
            assert_eq!(messages(server, &uri).len(), 1);
            server.notify(
                "textDocument/didClose",
                &serde_json::json!({ "textDocument": { "uri": uri } }),
            );
            assert_eq!(messages(server, &uri).len(), 0);
        }
    };
    round(&mut server, 0);
    let before = memory(&server);
    round(&mut server, 1000);
    let after = memory(&server);
    assert!(after < before + 8, "{before} MiB, then {after} MiB");
    server.hang_up();
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_of_documents_that_are_too_large_is_given_back() {
    let mut server = Server::initialized(None);
    server.open("file:///nowhere/small.yaml", POLICY);
    assert_eq!(messages(&mut server, "file:///nowhere/small.yaml").len(), 1);
    let before = memory(&server);
    let text = "# 34567890\n".repeat(3_700_000);
    for number in 0..4 {
        let uri = format!("file:///nowhere/large{number}.yaml");
        server.open(&uri, &text);
        assert_eq!(messages(&mut server, &uri).len(), 0);
    }
    // The allocator returns memory to the system while it is used.
    let mut after = memory(&server);
    for number in 0..40 {
        let uri = format!("file:///nowhere/{number}.yaml");
        server.open(&uri, POLICY);
        assert_eq!(messages(&mut server, &uri).len(), 1);
        after = memory(&server);
        if after < before + 80 {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    assert!(after < before + 80, "{before} MiB, then {after} MiB");
    server.hang_up();
}

#[test]
fn slow_documents_do_not_delay_the_findings_of_others() {
    let rule = |number: usize| format!("            - rule: has(self.a) && self.b > {number}\n");
    let rules: String = (0..1500).map(rule).collect();
    let slow = format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {{name: as.example.com}}
spec:
  group: example.com
  names: {{kind: A, plural: as}}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              a: {{type: integer}}
              b: {{type: integer}}
            x-kubernetes-validations:
{rules}"
    );
    let mut server = Server::initialized(None);
    for number in 0..6 {
        server.open(&format!("file:///nowhere/slow{number}.yaml"), &slow);
    }
    let started = std::time::Instant::now();
    let uri = "file:///nowhere/small.yaml";
    server.open(uri, POLICY);
    assert_eq!(messages(&mut server, uri).len(), 1);
    eprintln!("{:?}", started.elapsed());
    assert!(started.elapsed() < std::time::Duration::from_secs(5));
    server.hang_up();
}
