//! Writes the level of a rule into a configuration file.
//!
//! The rest of the file is kept, with its comments and its layout.

use toml_edit::{DocumentMut, Item, Table, Value};

/// Returns the text of a configuration file in which a rule is off. `None` if the file is not valid
/// TOML, or `rules` is not a table.
#[must_use]
pub fn with_rule_off(text: &str, code: &str) -> Option<String> {
    let mut document: DocumentMut = text.parse().ok()?;
    let is_last = !document.is_empty();
    let item = document.entry("rules").or_insert_with(|| {
        let mut table = Table::new();
        table
            .decor_mut()
            .set_prefix(if is_last { "\n" } else { "" });
        Item::Table(table)
    });
    let rules = item.as_table_like_mut()?;
    let mut off = Value::from("off");
    if let Some(level) = rules.get_mut(code) {
        // A comment after the value stays.
        *off.decor_mut() = level.as_value()?.decor().clone();
        *level = Item::Value(off);
    } else {
        rules.insert(code, Item::Value(off));
        if let Some(line) = item.as_inline_table_mut() {
            line.fmt();
        }
    }
    let written = document.to_string();
    let with_breaks = || written.replace("\r\n", "\n").replace('\n', "\r\n");
    Some(if text.contains("\r\n") {
        with_breaks()
    } else {
        written
    })
}

#[cfg(test)]
mod tests {
    use super::with_rule_off;
    use crate::Config;
    use ide::Level;
    use std::path::Path;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let after = with_rule_off(text, "unused-variable").unwrap();
        assert_eq!(after, expected);
        let config = Config::parse(Path::new("admissible.toml"), after);
        let level = config.settings().rules.get("unused-variable");
        assert_eq!(level, Some(&Level::Off));
        assert_eq!(config.problems(), []);
    }

    #[test]
    fn the_level_is_added_and_the_rest_stays() {
        const OFF: &str = "[rules]\nunused-variable = \"off\"\n";
        check("", OFF);
        check(
            "# é\nkubernetes = \"1.33\"  # why\n",
            &format!("# é\nkubernetes = \"1.33\"  # why\n\n{OFF}"),
        );
        check(
            "[rules] # a\nunknown-name = 'off' # b\n\n# c\n[format]\nline-width = 90\n# d\n",
            "[rules] # a\nunknown-name = 'off' # b\nunused-variable = \"off\"\n\n# c\n[format]\nline-width = 90\n# d\n",
        );
        check(
            "rules = { unknown-name = 'off' }\n",
            "rules = { unknown-name = 'off', unused-variable = \"off\" }\n",
        );
        check(
            "rules.unknown-name = 'off'\nkubernetes = '1.33'",
            "rules.unknown-name = 'off'\nrules.unused-variable = \"off\"\nkubernetes = '1.33'\n",
        );
    }

    #[test]
    fn the_level_is_replaced_and_its_comment_stays() {
        check(
            "[rules]\r\nunused-variable = 'error' # why\r\n",
            "[rules]\r\nunused-variable = \"off\" # why\r\n",
        );
    }

    #[test]
    fn a_file_that_cannot_be_read_stays() {
        for text in ["[rules", "rules = 1", "[rules.unused-variable]\na = 1"] {
            assert_eq!(with_rule_off(text, "unused-variable"), None, "{text}");
        }
    }
}
