//! An editor shows the findings of `check`, also in files that are not open.

use crate::process::Server;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A finding.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Shown {
    path: String,
    /// Starts at 0.
    line: u64,
    code: String,
}

#[test]
fn the_findings_of_a_workspace_are_those_of_check() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    for files in ["editors/fixtures", "examples"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join(files);
        for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
            fs::copy(file.path(), folder.join(file.file_name())).unwrap();
        }
    }
    // An input whose policy does not exist, and objects that a definition rejects.
    let input = "object: {}\npolicies: [none]\n";
    fs::write(folder.join("require-owner.inputs.yaml"), input).unwrap();
    fs::write(
        folder.join("admissible.toml"),
        "[rules]\ninvalid-object = 'on'\n",
    )
    .unwrap();

    let checked = checked(&folder);
    let has_input = checked.iter().any(|it| it.code == "invalid-input");
    assert!(has_input && checked.len() > 5, "{checked:#?}");
    let uri = format!("file://{}", folder.display());
    let folders = json!([{ "uri": uri, "name": "w" }]);
    let params = json!({ "processId": null, "capabilities": {}, "workspaceFolders": folders });
    let mut server = Server::start();
    server.request(1, "initialize", &params);
    server.notify("initialized", &json!({}));
    wait_for(&checked, &mut server);
}

fn checked(folder: &Path) -> BTreeSet<Shown> {
    let output = Command::new(env!("CARGO_BIN_EXE_admissible"))
        .args(["check", "--format", "json"])
        .arg(folder)
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap().iter();
    let shown = |finding: &Value| Shown {
        path: finding["path"].as_str().unwrap().to_owned(),
        line: finding["range"]["start"]["line"].as_u64().unwrap() - 1,
        code: finding["code"].as_str().unwrap().to_owned(),
    };
    findings.map(shown).collect()
}

/// Reads the findings that the server pushes until they are the expected ones.
fn wait_for(expected: &BTreeSet<Shown>, server: &mut Server) {
    let mut found = BTreeSet::new();
    while found != *expected {
        let message = server.message();
        if message["method"] != "textDocument/publishDiagnostics" {
            continue;
        }
        let uri = message["params"]["uri"].as_str().unwrap();
        let path = uri.strip_prefix("file://").unwrap();
        found.retain(|shown: &Shown| shown.path != path);
        for item in message["params"]["diagnostics"].as_array().unwrap() {
            found.insert(Shown {
                path: path.to_owned(),
                line: item["range"]["start"]["line"].as_u64().unwrap(),
                code: item["code"].as_str().unwrap().to_owned(),
            });
        }
        let unexpected: Vec<_> = found.difference(expected).collect();
        assert!(unexpected.is_empty(), "{unexpected:#?}");
    }
}
