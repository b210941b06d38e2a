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

/// Returns the messages of the next findings of a document.
fn messages(server: &mut Server, uri: &str) -> Vec<String> {
    loop {
        let message = server.message();
        let params = &message["params"];
        if message["method"] == "textDocument/publishDiagnostics" && params["uri"] == uri {
            let found = params["diagnostics"].as_array().unwrap().iter();
            return found
                .map(|it| it["message"].as_str().unwrap().to_owned())
                .collect();
        }
    }
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
    let found = messages(&mut server, &hostile);
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
    let config = format!("file://{}/admissible.toml", folder.display());
    assert_eq!(messages(&mut server, &config).len(), 2);
    let other = open(&mut server, &folder, "other.yaml", POLICY);
    assert_eq!(messages(&mut server, &other).len(), 1);
    server.hang_up();
}
