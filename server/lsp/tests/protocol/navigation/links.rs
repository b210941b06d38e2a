//! Links to files and to pages of rules.

use super::{POLICY, Workspace, capabilities};
use crate::server::range;
use serde_json::{Value, json};

/// Returns the range of each link and the end of its target.
fn links(answer: &Value) -> Vec<String> {
    let links = answer["result"].as_array().unwrap().iter().map(|it| {
        let end = it["target"].as_str().unwrap().rsplit('/').next().unwrap();
        format!("{} {end}", range(&it["range"]))
    });
    links.collect()
}

#[tokio::test]
async fn files_and_rules_in_comments_are_links() {
    let mut workspace = Workspace::open(capabilities(false)).await;
    let uri = workspace.policy.clone();
    // Neither a missing file, nor a folder, nor a file outside the project is a link.
    let text = format!(
        "# admissible: input ./binding.yaml\n# admissible: input ../é.yaml\n# admissible: input .\n\
         # admissible: input /etc/passwd\n{}",
        POLICY.replace(
            "  validations:",
            "  # 😀\n  # admissible: ignore[null-object, x]\n  validations:"
        )
    );
    workspace.server.open(&uri, 1, &text).await;
    let answer = workspace
        .request("documentLink", &uri, (0, 0), json!({}))
        .await;
    assert_eq!(
        links(&answer),
        ["0:20-0:34 binding.yaml", "15:23-15:34 rules.md#null-object"]
    );
    workspace.finish().await;
}

#[tokio::test]
async fn schemas_in_the_configuration_are_links() {
    let mut workspace = Workspace::open(capabilities(false)).await;
    let uri = workspace.policy.replace("policy.yaml", "admissible.toml");
    let text = "# 😀\nschemas = ['binding.yaml', \"crds/\", 'missing.yaml']\n";
    workspace.server.open(&uri, 1, text).await;
    let answer = workspace
        .request("documentLink", &uri, (0, 0), json!({}))
        .await;
    assert_eq!(links(&answer), ["1:11-1:25 binding.yaml"]);
    workspace.finish().await;
}
