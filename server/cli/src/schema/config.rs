//! The schema of `admissible.toml`.

use super::head;
use super::value::{Format, insert};
use crate::report::page::summary;
use ide::diagnostics::RULES;
use ide::{CONFIG_KEYS, Level};
use kubernetes::ServerVersion;
use serde_json::{Map, Value, json};

pub(super) fn schema() -> Value {
    let mut schema = head(
        "admissible.schema.json",
        "Configuration of Admissible",
        "The file admissible.toml, which governs its directory and everything below it.",
    );
    let mut keys = Format::Toml.keys(CONFIG_KEYS);
    if let Some(properties) = keys.get_mut("properties") {
        if let Some(kubernetes) = properties.get_mut("kubernetes") {
            insert(kubernetes, "pattern", json!(versions()));
            insert(kubernetes, "examples", json!(["1.33", "1.30..1.36"]));
        }
        if let Some(levels) = properties.get_mut("rules") {
            insert(levels, "properties", rules());
            insert(levels, "additionalProperties", Value::Bool(false));
        }
    }
    if let (Some(schema), Value::Object(keys)) = (schema.as_object_mut(), keys) {
        schema.extend(keys);
    }
    schema
}

/// Returns the levels of each rule.
fn rules() -> Value {
    let rules = RULES.iter().map(|rule| {
        let default = if rule.is_optional { "off" } else { "on" };
        let level = json!({
            "description": summary(rule.page),
            "enum": Level::NAMES,
            "default": default,
        });
        (rule.code.to_owned(), level)
    });
    Value::Object(rules.collect::<Map<String, Value>>())
}

/// Returns a pattern of the known versions, and of the ranges that do not go backward.
fn versions() -> String {
    let all = ServerVersion::OLDEST.up_to(ServerVersion::NEWEST);
    let ranges: Vec<String> = all
        .map(|oldest| {
            let newest = oldest.up_to(ServerVersion::NEWEST);
            let newest: Vec<String> = newest.map(|it| it.to_string()).collect();
            format!("{oldest}( *\\.\\. *v?({}))?", newest.join("|"))
        })
        .collect();
    let ranges = ranges.join("|").replace("1.", "1\\.");
    format!("^ *v?({ranges}) *$")
}
