//! `lsp`: the command that editors start.

use crate::project::Project;
use serde_json::{Value, json};

fn message(content: &Value) -> String {
    let content = content.to_string();
    format!("Content-Length: {}\r\n\r\n{content}", content.len())
}

#[test]
fn the_server_answers_and_ends_with_its_client() {
    let project = Project::new::<&str>(&[]);
    let initialize = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {"processId": null, "rootUri": null, "capabilities": {}},
    });
    let input = [
        message(&initialize),
        message(&json!({"jsonrpc": "2.0", "method": "initialized", "params": {}})),
        message(&json!({"jsonrpc": "2.0", "id": 2, "method": "shutdown"})),
        message(&json!({"jsonrpc": "2.0", "method": "exit"})),
    ];
    // Some clients pass `--stdio`, although there is no other way.
    for arguments in [vec!["lsp"], vec!["lsp", "--stdio"]] {
        let run = project.run_with_input(arguments, input.concat().as_bytes());
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(run.stdout.starts_with("Content-Length: "), "{}", run.stdout);
        run.prints("\"capabilities\"");
        run.prints("\"id\":2");
    }
}
