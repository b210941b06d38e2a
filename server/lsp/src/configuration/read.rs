//! The settings of the client, read from JSON.
//!
//! They come in three ways, as options of the start, with a change, and as an answer, and
//! in two shapes: the section alone or with its name around it. A mistake costs its entry
//! only, and is told in words that name it.

use super::Chosen;
use ide::{Level, Settings, Target, diagnostics::RULES};
use serde_json::{Map, Value};

/// The name of the section in the settings of a client.
pub(crate) const SECTION: &str = "admissible";

/// The keys that the server reads.
const KEYS: [&str; 3] = ["rules", "kubernetes", "liveValues"];

const LEVELS: [&str; 5] = ["off", "hint", "information", "warning", "error"];

/// What a value says.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Read {
    /// The settings; `None` when the value says nothing.
    pub(crate) settings: Option<Chosen>,
    /// What is wrong, in a sentence or two each.
    pub(crate) problems: Vec<String>,
}

/// Reads a value. Other keys are those of the client's own settings, such as the path of
/// the server. An object without any of our keys says nothing: some clients send an empty
/// one for settings that they do not have.
pub(crate) fn read(value: &Value) -> Read {
    let named = value.get(SECTION);
    let mut out = Read::default();
    match named.unwrap_or(value) {
        Value::Null => {}
        Value::Object(section) if named.is_none() && !is_ours(section) => {}
        Value::Object(section) => {
            let mut chosen = Chosen::default();
            match section.get("rules") {
                None | Some(Value::Null) => {}
                Some(Value::Object(rules)) => {
                    read_rules(rules, &mut chosen.settings, &mut out.problems);
                }
                Some(_) => out.problems.push(
                    "`admissible.rules` is not an object. Write { \"<code>\": \"<level>\" }."
                        .to_owned(),
                ),
            }
            chosen.target = read_target(section.get("kubernetes"), &mut out.problems);
            chosen.live_values = read_live(section.get("liveValues"), &mut out.problems);
            out.settings = Some(chosen);
        }
        _ => out
            .problems
            .push("`admissible` is not an object. Write { \"rules\": { … } }.".to_owned()),
    }
    out
}

fn is_ours(section: &Map<String, Value>) -> bool {
    KEYS.iter().any(|key| section.contains_key(*key))
}

fn read_live(value: Option<&Value>, problems: &mut Vec<String>) -> bool {
    match value {
        None | Some(Value::Null) => false,
        Some(Value::Bool(live)) => *live,
        Some(_) => {
            problems.push("`admissible.liveValues` is not `true` or `false`.".to_owned());
            false
        }
    }
}

/// Reads a version or a range. An empty text names none: editors send it for a setting that
/// nobody has touched.
fn read_target(value: Option<&Value>, problems: &mut Vec<String>) -> Option<Target> {
    let text = match value? {
        Value::Null => return None,
        Value::String(text) if text.trim().is_empty() => return None,
        Value::String(text) => text,
        _ => {
            problems.push(
                "`admissible.kubernetes` is not a string. Write \"1.33\" or \"1.30..1.36\"."
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

fn read_rules(rules: &Map<String, Value>, settings: &mut Settings, problems: &mut Vec<String>) {
    for (code, level) in rules {
        if !RULES.iter().any(|rule| rule.code == code) {
            let codes = RULES.iter().map(|rule| rule.code);
            let hint = hint(code, codes, "`admissible rules` lists them all.");
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
    let choice = "Write `off`, `hint`, `information`, `warning` or `error`.";
    let hint = hint(&written, LEVELS, choice);
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
        let read = read(value);
        let mut text = match read.settings {
            None => "nothing\n".to_owned(),
            Some(chosen) => {
                let target = chosen.target.map(|target| format!(" {target}"));
                let target = target.unwrap_or_default();
                let live = if chosen.live_values { " live" } else { "" };
                format!("{:?}{target}{live}\n", chosen.settings.rules)
            }
        };
        for problem in read.problems {
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
            `admissible.kubernetes`: The range goes backwards. Write the older version first.
        "]],
        );
        check(
            &json!({"kubernetes": 1.33}),
            &expect![[r#"
            {}
            `admissible.kubernetes` is not a string. Write "1.33" or "1.30..1.36".
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
            `admissible.liveValues` is not `true` or `false`.
        "]],
        );
    }

    #[test]
    fn mistakes_are_named() {
        check(
            &json!([]),
            &expect![[r#"
            nothing
            `admissible` is not an object. Write { "rules": { … } }.
        "#]],
        );
        check(
            &json!({"rules": ["a"]}),
            &expect![[r#"
            {}
            `admissible.rules` is not an object. Write { "<code>": "<level>" }.
        "#]],
        );
        check(
            &json!({"rules": {"zzzzzzzzzzzz": "off"}}),
            &expect![["
            {}
            There is no rule `zzzzzzzzzzzz`. `admissible rules` lists them all.
        "]],
        );
        assert_eq!(
            unknown_level("some-rule", &json!("eror")),
            "The rule `some-rule` has no level `eror`. Did you mean `error`?"
        );
        assert_eq!(
            unknown_level("some-rule", &json!(1)),
            "The rule `some-rule` has no level `1`. Write `off`, `hint`, `information`, `warning` or `error`."
        );
    }
}
