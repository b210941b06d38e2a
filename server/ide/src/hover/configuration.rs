//! Hovers in `admissible.toml`: the meaning of a key, and the page of a rule.
//!
//! Only the line of the cursor is read, as in completion, so the rest of the file may be
//! half-written.

use super::Hover;
use crate::diagnostics::RULES;
use crate::file::SourceFile;
use crate::settings::{CONFIG_FILE, CONFIG_KEYS};
use text::{Key, TextRange, TextSize, key_of, keys_below};

/// Returns the hover in a configuration file. `None` in other files.
pub(super) fn hover(file: &SourceFile, offset: TextSize) -> Option<Option<Hover>> {
    (file.path().file_name()? == CONFIG_FILE).then(|| at(file.text(), offset))
}

fn at(text: &str, offset: TextSize) -> Option<Hover> {
    let (before, after) = text.split_at_checked(usize::from(offset))?;
    let (above, start) = before.rsplit_once('\n').unwrap_or(("", before));
    let end = after.lines().next().unwrap_or_default();
    if start.contains('#') {
        return None;
    }
    if let Some((key, value)) = start.split_once('=') {
        // The meaning of a value is the meaning of its key.
        let at_key = offset - TextSize::of(value) - TextSize::from(1);
        let at_key = at_key - TextSize::of(key) + TextSize::of(key.trim_end());
        let is_blank = value.trim().is_empty() && end.trim().is_empty();
        return at(text, at_key).filter(|_| !is_blank);
    }
    let is_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_');
    let head = start.len() - start.trim_end_matches(is_word).len();
    let tail = end.len() - end.trim_start_matches(is_word).len();
    let from = offset - TextSize::try_from(head).ok()?;
    let range = TextRange::new(from, offset + TextSize::try_from(tail).ok()?);
    let word = text.get(std::ops::Range::<usize>::from(range))?;
    let tables = above.lines().rev();
    let table = tables
        .filter_map(|line| line.trim().strip_prefix('['))
        .find_map(|line| line.split(']').next())
        .filter(|_| !start.trim_start().starts_with('['));
    // `rules.CODE = LEVEL` outside the table.
    let lead = start.get(..start.len() - head)?.trim_start();
    let table = table.or_else(|| lead.strip_suffix('.'));
    let markdown = match table {
        Some("rules") => RULES.iter().find(|rule| rule.code == word)?.page.to_owned(),
        Some(table) => meaning(key_of(keys_below(CONFIG_KEYS, &[table]), word)?),
        None => meaning(key_of(CONFIG_KEYS, word)?),
    };
    Some(Hover {
        range,
        part: None,
        markdown,
    })
}

fn meaning(key: &Key) -> String {
    let mut shown = format!("```toml\n{}\n```\n\n{}", key.name, key.description);
    if let Some(default) = key.default {
        shown.push_str(&format!("\n\nDefaults to `{default}`."));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::super::hover;
    use crate::file::SourceFile;
    use crate::fixture::{Fixture, slice};
    use std::path::Path;
    use std::sync::Arc;

    #[test]
    fn the_configuration_file_explains_its_keys_and_rules() {
        let at = |source: &str| {
            let fixture = Fixture::parse(source);
            let file = SourceFile::new(fixture.text.as_str())
                .at(Arc::from(Path::new("a/admissible.toml")));
            let hover = hover(&file, fixture.cursor.expect("a cursor"))?;
            let word = slice(&fixture.text, hover.range).to_owned();
            Some((word, hover.markdown))
        };
        let (word, markdown) = at("exclude = []\r\nkuber$0netes = '1.33' # 🦊\r\n").unwrap();
        assert_eq!(word, "kubernetes");
        assert!(markdown.contains("the oldest and the newest"), "{markdown}");
        let (word, markdown) = at("[rules]\n# 🦊\n$0null-object = 'off'\n").unwrap();
        assert_eq!(word, "null-object");
        assert!(markdown.starts_with("# "), "{markdown}");
        let (_, markdown) = at("[format]\nline-width$0 = 80\n").unwrap();
        assert!(markdown.contains("Defaults to `100`."), "{markdown}");
        assert_eq!(at("[rules]\n[for$0mat]\n").unwrap().0, "format");
        assert_eq!(at("[format]\nrules$0 = 1\n"), None);
        assert_eq!(at("# rules$0\n"), None);
        let (word, _) = at("kubernetes = '1.$032'\n").unwrap();
        assert_eq!(word, "kubernetes");
        assert_eq!(at("exclude = [] # ru$0les\n"), None);
        let (word, markdown) = at("rules.null-$0object = 'off'\n").unwrap();
        assert_eq!(word, "null-object");
        assert!(markdown.starts_with("# "), "{markdown}");
        assert_eq!(at("ru$0les.null-object = 'off'\n").unwrap().0, "rules");
        let (_, markdown) = at("format.line-$0width = 80\n").unwrap();
        assert!(markdown.contains("Defaults to `100`."), "{markdown}");
    }
}
