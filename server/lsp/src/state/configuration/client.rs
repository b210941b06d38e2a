//! Parsing the settings of the client from JSON.
//!
//! They arrive as `initializationOptions`, with `workspace/didChangeConfiguration` or as the
//! response to `workspace/configuration`, as the section itself or nested under its name. An
//! error only invalidates its entry.

use super::ScopeSettings;
use ide::{HintSettings, Level, Settings, diagnostics::RULES};
use kubernetes::Target;
use serde_json::{Map, Value};

/// The name of the section in the settings of a client.
pub(crate) const SECTION: &str = "admissible";

/// The keys that the server reads.
const KEYS: [&str; 7] = [
    "completion",
    "format",
    "rules",
    "kubernetes",
    "liveValues",
    "inlayHints",
    "workspaceDiagnostics",
];

/// The settings in a JSON value.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ParsedSettings {
    /// The settings. `None` if the value has none.
    pub(crate) settings: Option<ScopeSettings>,
    /// Messages for errors.
    pub(crate) problems: Vec<String>,
}

/// Parses a value. Other keys are settings of the client itself, such as the path of the
/// server. An object without any of our keys has no settings: some clients send an empty one
/// for settings that they do not have.
pub(crate) fn parse(value: &Value) -> ParsedSettings {
    let named = value.get(SECTION);
    let mut out = ParsedSettings::default();
    match named.unwrap_or(value) {
        Value::Null => {}
        Value::Object(section) if named.is_none() && !is_ours(section) => {}
        Value::Object(section) => out.settings = Some(parse_section(section, &mut out.problems)),
        _ => out
            .problems
            .push("`admissible` must be an object. Write { \"rules\": { … } }.".to_owned()),
    }
    out
}

fn is_ours(section: &Map<String, Value>) -> bool {
    KEYS.iter().any(|key| section.contains_key(*key))
}

fn parse_section(section: &Map<String, Value>, problems: &mut Vec<String>) -> ScopeSettings {
    let mut levels = Settings::default();
    let rules = parse_object(section, "rules", r#"{ "<code>": "<level>" }"#, problems);
    if let Some(rules) = rules {
        parse_rules(rules, &mut levels, problems);
    }
    let target = parse_target(section.get("kubernetes"), problems);
    let live_values = parse_flag(section, "liveValues", problems).unwrap_or(false);
    let only_open = !parse_flag(section, "workspaceDiagnostics", problems).unwrap_or(true);
    let format = parse_object(section, "format", r#"{ "lineWidth": 100 }"#, problems);
    let width = format.and_then(|it| it.get("lineWidth"));
    let line_width = width.and_then(|it| parse_line_width(it, problems));
    let example = r#"{ "manifestKeys": "off" }"#;
    let keys = parse_object(section, "completion", example, problems)
        .and_then(|it| it.get("manifestKeys"))
        .and_then(|it| parse_manifest_keys(it, problems));
    let example = r#"{ "variableTypes": false }"#;
    let hints = parse_object(section, "inlayHints", example, problems);
    ScopeSettings {
        levels,
        target,
        live_values,
        only_open,
        line_width,
        without_manifest_keys: keys == Some("off"),
        hints: hints.map_or_else(HintSettings::default, |it| parse_hints(it, problems)),
    }
}

/// Parses a setting that contains other settings.
fn parse_object<'v>(
    section: &'v Map<String, Value>,
    name: &str,
    example: &str,
    problems: &mut Vec<String>,
) -> Option<&'v Map<String, Value>> {
    match section.get(name)? {
        Value::Null => None,
        Value::Object(object) => Some(object),
        _ => {
            problems.push(format!(
                "`admissible.{name}` must be an object. Write {example}."
            ));
            None
        }
    }
}

/// Parses the hints. One that is not set has its default.
fn parse_hints(section: &Map<String, Value>, problems: &mut Vec<String>) -> HintSettings {
    let default = HintSettings::default();
    let mut flag = |path| parse_flag(section, path, problems);
    HintSettings {
        variable_types: flag("inlayHints.variableTypes").unwrap_or(default.variable_types),
        macro_types: flag("inlayHints.macroTypes").unwrap_or(default.macro_types),
        cost: flag("inlayHints.cost").unwrap_or(default.cost),
    }
}

/// Parses a setting that is on or off. The last part of its path is its key in the section.
fn parse_flag(
    section: &Map<String, Value>,
    path: &str,
    problems: &mut Vec<String>,
) -> Option<bool> {
    match section.get(path.rsplit('.').next()?)? {
        Value::Null => None,
        Value::Bool(flag) => Some(*flag),
        _ => {
            problems.push(format!("`admissible.{path}` must be `true` or `false`."));
            None
        }
    }
}

fn parse_line_width(width: &Value, problems: &mut Vec<String>) -> Option<u16> {
    if width.is_null() {
        return None;
    }
    let parsed = width.as_i64().and_then(ide::line_width);
    if parsed.is_none() {
        let expected = ide::LINE_WIDTHS;
        problems.push(format!(
            "`admissible.format.lineWidth` is invalid: {expected}."
        ));
    }
    parsed
}

/// Parses whether the keys of manifests are completed. `auto` is for the client to replace; without
/// its knowledge of other servers they are.
fn parse_manifest_keys(written: &Value, problems: &mut Vec<String>) -> Option<&'static str> {
    let mut choices = ["auto", "on", "off"].into_iter();
    let found = choices.find(|choice| written.as_str() == Some(choice));
    if found.is_none() && !written.is_null() {
        problems
            .push("`admissible.completion.manifestKeys` must be `auto`, `on` or `off`.".to_owned());
    }
    found
}

/// Parses a version or a range. An empty string is no setting: editors send it as the
/// default.
fn parse_target(value: Option<&Value>, problems: &mut Vec<String>) -> Option<Target> {
    let text = match value? {
        Value::Null => return None,
        Value::String(text) if text.trim().is_empty() => return None,
        Value::String(text) => text,
        _ => {
            problems.push(
                "`admissible.kubernetes` must be a string. Write \"1.33\" or \"1.30..1.36\"."
                    .to_owned(),
            );
            return None;
        }
    };
    match Target::parse(text) {
        Ok(target) => Some(target),
        Err(error) => {
            problems.push(format!("`admissible.kubernetes`: {error}"));
            None
        }
    }
}

fn parse_rules(rules: &Map<String, Value>, settings: &mut Settings, problems: &mut Vec<String>) {
    for (code, level) in rules {
        if !RULES.iter().any(|rule| rule.code == code) {
            let codes = RULES.iter().map(|rule| rule.code);
            let hint = hint(code, codes, "Run `admissible rules` to list them.");
            problems.push(format!("There is no rule `{code}`. {hint}"));
            continue;
        }
        match level.as_str().and_then(Level::parse) {
            Some(level) => {
                settings.rules.insert(code.clone(), level);
            }
            None => problems.push(unknown_level(code, level)),
        }
    }
}

fn unknown_level(code: &str, level: &Value) -> String {
    let written = match level {
        Value::String(word) => word.clone(),
        other => other.to_string(),
    };
    let choice = "Write `off`, `warning`, `error`, `information`, `hint` or `on`.";
    let hint = hint(&written, Level::NAMES, choice);
    format!("The rule `{code}` has no level `{written}`. {hint}")
}

fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    match text::nearest(word, candidates) {
        Some(near) => format!("Did you mean `{near}`?"),
        None => otherwise.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use serde_json::json;

    #[track_caller]
    fn check(value: &Value, expected: &Expect) {
        let parsed = parse(value);
        let mut text = match parsed.settings {
            None => "nothing\n".to_owned(),
            Some(scope) => {
                let target = scope.target.map(|target| format!(" {target}"));
                let target = target.unwrap_or_default();
                let live = if scope.live_values { " live" } else { "" };
                let only = if scope.only_open { " only open" } else { "" };
                format!("{:?}{target}{live}{only}\n", scope.levels.rules)
            }
        };
        for problem in parsed.problems {
            text.push_str(&problem);
            text.push('\n');
        }
        expected.assert_eq(&text);
    }

    #[test]
    fn the_section_comes_with_or_without_its_name() {
        check(
            &json!({"rules": {}}),
            &expect![["
            {}
        "]],
        );
        check(
            &json!({"admissible": {"rules": {}}}),
            &expect![["
            {}
        "]],
        );
    }

    #[test]
    fn nothing_is_said_by_null() {
        check(
            &Value::Null,
            &expect![["
            nothing
        "]],
        );
        check(
            &json!({"admissible": null}),
            &expect![["
            nothing
        "]],
        );
        check(
            &json!({}),
            &expect![["
            nothing
        "]],
        );
    }

    #[test]
    fn settings_of_the_client_itself_are_not_ours() {
        check(
            &json!({"admissible": {"server": {"path": "/x"}}}),
            &expect![["
            {}
        "]],
        );
    }

    #[test]
    fn a_target_is_a_version_or_a_range() {
        check(
            &json!({"kubernetes": "1.30..1.36"}),
            &expect![["
            {} 1.30..1.36
        "]],
        );
        check(
            &json!({"admissible": {"rules": null, "kubernetes": ""}}),
            &expect![["
            {}
        "]],
        );
        check(
            &json!({"kubernetes": "1.36..1.30"}),
            &expect![["
            {}
            `admissible.kubernetes`: The range goes backward. Write the older version first.
        "]],
        );
        check(
            &json!({"kubernetes": 1.33}),
            &expect![[r#"
            {}
            `admissible.kubernetes` must be a string. Write "1.33" or "1.30..1.36".
        "#]],
        );
    }

    #[test]
    fn live_values_are_on_or_off() {
        check(
            &json!({"liveValues": true}),
            &expect![["
            {} live
        "]],
        );
        check(
            &json!({"liveValues": "yes"}),
            &expect![["
            {}
            `admissible.liveValues` must be `true` or `false`.
        "]],
        );
    }

    #[test]
    fn files_that_are_not_open_are_checked_unless_the_user_does_not_want_it() {
        check(
            &json!({"workspaceDiagnostics": false}),
            &expect![["
            {} only open
        "]],
        );
    }

    #[test]
    fn the_line_width_is_a_number_within_limits() {
        let width = |value: Value| {
            let parsed = parse(&json!({ "format": value }));
            (
                parsed.settings.and_then(|it| it.line_width),
                parsed.problems,
            )
        };
        assert_eq!(width(json!({ "lineWidth": 80 })), (Some(80), vec![]));
        assert_eq!(width(json!({ "lineWidth": null })), (None, vec![]));
        assert_eq!(width(json!({})), (None, vec![]));
        let (_, problems) = width(json!({ "lineWidth": 8 }));
        let message =
            "`admissible.format.lineWidth` is invalid: expected a number from 40 to 1000.";
        assert_eq!(problems, [message]);
        assert_eq!(width(json!(80)).1.len(), 1);
    }

    #[test]
    fn keys_of_manifests_can_be_left_to_another_server() {
        let parsed = |value: Value| {
            let parsed = parse(&json!({ "completion": value }));
            (
                parsed.settings.unwrap().without_manifest_keys,
                parsed.problems,
            )
        };
        assert_eq!(parsed(json!({ "manifestKeys": "off" })), (true, vec![]));
        for on in ["on", "auto"] {
            assert_eq!(parsed(json!({ "manifestKeys": on })), (false, vec![]));
        }
        assert_eq!(parsed(json!({ "manifestKeys": null })), (false, vec![]));
        assert_eq!(parsed(json!({ "manifestKeys": false })).1.len(), 1);
        assert_eq!(parsed(json!(true)).1.len(), 1);
    }

    #[test]
    fn hints_are_on_by_default() {
        let hints = |value: Value| {
            parse(&json!({ "inlayHints": value }))
                .settings
                .unwrap()
                .hints
        };
        assert_eq!(hints(Value::Null), HintSettings::default());
        let off = hints(json!({"variableTypes": false, "cost": false}));
        assert!(!off.variable_types && off.macro_types && !off.cost);
        check(
            &json!({"inlayHints": {"macroTypes": 1}}),
            &expect![["
            {}
            `admissible.inlayHints.macroTypes` must be `true` or `false`.
        "]],
        );
    }

    #[test]
    fn mistakes_are_named() {
        check(
            &json!([]),
            &expect![[r#"
            nothing
            `admissible` must be an object. Write { "rules": { … } }.
        "#]],
        );
        check(
            &json!({"rules": ["a"]}),
            &expect![[r#"
            {}
            `admissible.rules` must be an object. Write { "<code>": "<level>" }.
        "#]],
        );
        check(
            &json!({"rules": {"zzzzzzzzzzzz": "off"}}),
            &expect![["
            {}
            There is no rule `zzzzzzzzzzzz`. Run `admissible rules` to list them.
        "]],
        );
        assert_eq!(
            unknown_level("some-rule", &json!("eror")),
            "The rule `some-rule` has no level `eror`. Did you mean `error`?"
        );
        assert_eq!(
            unknown_level("some-rule", &json!(1)),
            "The rule `some-rule` has no level `1`. Write `off`, `warning`, `error`, `information`, `hint` or `on`."
        );
    }
}
