//! The manifest of the VS Code extension, with the codes of the rules as choices of a setting.
//!
//! VS Code completes and checks settings by its manifest, so the codes must be in it.

use super::parts;
use ide::Level;
use ide::diagnostics::RULES;
use serde_json::{Map, Value, json};

/// The current manifest.
const MANIFEST: &str = include_str!("../../../../editors/vscode/package.json");

/// Returns the description of each level, in the order of [`Level::NAMES`].
fn level(name: &str) -> String {
    match name {
        "off" => "Disables the rule.".to_owned(),
        "on" => "Enables the rule with its default severities.".to_owned(),
        severity => format!("Enables the rule. Its findings have the severity `{severity}`."),
    }
}

/// Returns the manifest with the current rules.
pub(super) fn manifest() -> String {
    let Ok(mut manifest) = serde_json::from_str::<Value>(MANIFEST) else {
        return MANIFEST.to_owned();
    };
    let setting = "/contributes/configuration/properties/admissible.rules";
    if let Some(setting) = manifest.pointer_mut(setting).and_then(Value::as_object_mut) {
        choices(setting);
    }
    format!("{manifest:#}\n")
}

/// Writes the codes and the levels into the schema of the setting.
fn choices(setting: &mut Map<String, Value>) {
    let codes: Vec<&str> = RULES.iter().map(|rule| rule.code).collect();
    let rules: Vec<String> = RULES.iter().map(|rule| parts(rule.page).0).collect();
    let levels = Level::NAMES;
    let effects: Vec<String> = levels.iter().map(|name| level(name)).collect();
    let names = json!({ "enum": codes, "markdownEnumDescriptions": rules });
    let values = json!({ "type": "string", "enum": levels, "markdownEnumDescriptions": effects });
    setting.insert("propertyNames".to_owned(), names);
    setting.insert("additionalProperties".to_owned(), values);
}

#[cfg(test)]
mod tests {
    use super::{MANIFEST, manifest};

    #[test]
    fn the_manifest_has_the_rules() {
        let manifest = manifest();
        assert!(manifest.contains("No expression uses this variable."));
        let current = MANIFEST.replace("\r\n", "\n");
        assert_eq!(current, manifest, "run `cargo xtask docs`");
    }
}
