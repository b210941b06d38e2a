//! Parsing a configuration file, key by key.
//!
//! A derived deserializer stops at the first error. This parser continues and keeps the range of
//! each, which an editor underlines and the command line prints.

use super::{Config, ConfigProblem, SchemaPath};
use ide::{CONFIG_KEYS, Level};
use ignore::gitignore::GitignoreBuilder;
use kubernetes::Target;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use text::{TextRange, TextSize, keys_below, listed_names};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Limit: the problems of one file that are reported.
const MAX_PROBLEMS: usize = 100;

/// Parses the text of the file at `path`, given the codes of all rules. Invalid entries are left
/// out and reported.
pub(super) fn parse(path: &Path, text: &Arc<str>, codes: &[&str]) -> Config {
    let (table, errors) = DeTable::parse_recoverable(text);
    let mut reader = Reader {
        codes,
        // Patterns are matched against paths that are already relative.
        exclude: GitignoreBuilder::new(""),
        config: Config {
            path: Some(path.to_path_buf()),
            text: Arc::clone(text),
            ..Config::default()
        },
    };
    for error in errors {
        let span = error.span().unwrap_or(text.len()..text.len());
        reader.problem(
            span,
            format!("This is not valid TOML: {}.", error.message()),
        );
    }
    reader.top_level(table.get_ref());
    reader.finish()
}

struct Reader<'a> {
    codes: &'a [&'a str],
    exclude: GitignoreBuilder,
    config: Config,
}

impl Reader<'_> {
    fn top_level(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "rules" => self.rules(value),
                "exclude" => self.exclude(value),
                "format" => self.format(value),
                "kubernetes" => self.kubernetes(value),
                "schemas" => self.schemas(value),
                unknown => self.unknown_key(unknown, key.span(), None),
            }
        }
    }

    /// Reports an unknown key at the top, or below another one.
    fn unknown_key(&mut self, unknown: &str, span: Range<usize>, below: Option<&str>) {
        let path: Vec<&str> = below.into_iter().collect();
        let names: Vec<&str> = keys_below(CONFIG_KEYS, &path)
            .iter()
            .map(|key| key.name)
            .collect();
        let all_keys = match names.as_slice() {
            [only] => format!("The key is `{only}`."),
            names => format!("The keys are {}.", listed_names(names, "and")),
        };
        let hint = hint(unknown, names, &all_keys);
        let location = below.map_or(String::new(), |below| format!(" below `{below}`"));
        self.problem(span, format!("Unknown key `{unknown}`{location}. {hint}"));
    }

    fn rules(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(table) = value.get_ref().as_table() else {
            let message = "`rules` must be a table of rule codes and levels. Write `[rules]` on its own line, followed by `unused-variable = \"off\"`.";
            return self.problem(value.span(), message.to_owned());
        };
        for (code, level) in table {
            if self.codes.contains(&code.get_ref().as_ref()) {
                self.rule(code.get_ref(), level);
                continue;
            }
            let codes = self.codes.iter().copied();
            let hint = hint(
                code.get_ref(),
                codes,
                "Run `admissible rules` to list them.",
            );
            let message = format!("There is no rule `{}`. {hint}", code.get_ref());
            self.problem(code.span(), message);
        }
    }

    fn rule(&mut self, code: &str, level: &Spanned<DeValue<'_>>) {
        let Some(word) = level.get_ref().as_str() else {
            let message = format!(
                "The level of a rule must be a string. Write one of {}.",
                levels()
            );
            return self.problem(level.span(), message);
        };
        let Some(level) = Level::parse(word) else {
            let choice = format!("Write one of {}.", levels());
            let hint = hint(word, Level::NAMES, &choice);
            return self.problem(level.span(), format!("There is no level `{word}`. {hint}"));
        };
        self.config.settings.rules.insert(code.to_owned(), level);
    }

    fn exclude(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(patterns) = value.get_ref().as_array() else {
            let message =
                "`exclude` must be a list of patterns. Write `exclude = [\"charts/**\"]`.";
            return self.problem(value.span(), message.to_owned());
        };
        for pattern in patterns {
            let Some(text) = pattern.get_ref().as_str() else {
                let message = "A pattern must be a string. Quote it.";
                self.problem(pattern.span(), message.to_owned());
                continue;
            };
            if let Err(error) = self.exclude.add_line(None, text) {
                let reason = pattern_reason(&error);
                self.problem(pattern.span(), format!("Invalid pattern: {reason}."));
            }
        }
    }

    fn format(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(table) = value.get_ref().as_table() else {
            let message = "`format` must be a table. Write `[format]` on its own line, followed by `line-width = 100`.";
            return self.problem(value.span(), message.to_owned());
        };
        for (key, value) in table {
            if key.get_ref() != "line-width" {
                self.unknown_key(key.get_ref(), key.span(), Some("format"));
                continue;
            }
            let number = value.get_ref().as_integer();
            let number = number.and_then(|it| i64::from_str_radix(it.as_str(), it.radix()).ok());
            self.config.line_width = number.and_then(ide::line_width);
            if self.config.line_width.is_none() {
                let message = format!("Invalid `line-width`: {}.", ide::LINE_WIDTHS);
                self.problem(value.span(), message);
            }
        }
    }

    fn kubernetes(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(text) = value.get_ref().as_str() else {
            // `1.30` without quotes is the number 1.3.
            let message = "A version must be a string. Quote it: `kubernetes = \"1.33\"`, or `\"1.30..1.36\"` for a range.";
            return self.problem(value.span(), message.to_owned());
        };
        match Target::parse(text) {
            Ok(target) => self.config.target = Some(target),
            Err(error) => self.problem(value.span(), error.to_string()),
        }
    }

    fn schemas(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(paths) = value.get_ref().as_array() else {
            let message = "`schemas` must be a list of files, directories and patterns. Write `schemas = [\"crds\"]`.";
            return self.problem(value.span(), message.to_owned());
        };
        let mut schemas = Vec::new();
        for path in paths {
            match path.get_ref().as_str() {
                Some(text) if !text.is_empty() => schemas.push(SchemaPath {
                    path: text.to_owned(),
                    range: text_range(path.span()),
                }),
                _ => {
                    let message = "A path must be a non-empty string.";
                    self.problem(path.span(), message.to_owned());
                }
            }
        }
        self.config.schemas = Some(schemas);
    }

    fn problem(&mut self, span: Range<usize>, message: String) {
        let range = text_range(span);
        // After a syntax error the parser yields values that the user has not written.
        let touches = |known: &ConfigProblem| known.range.intersect(range).is_some();
        let problems = &mut self.config.problems;
        if problems.len() < MAX_PROBLEMS && !problems.iter().any(touches) {
            problems.push(ConfigProblem { range, message });
        }
    }

    fn finish(mut self) -> Config {
        let problems = &mut self.config.problems;
        problems.sort_by_cached_key(|problem| problem.range.start());
        match self.exclude.build() {
            Ok(exclude) => self.config.exclude = exclude,
            Err(error) => problems.push(ConfigProblem {
                range: TextRange::default(),
                message: format!("The patterns are not valid together: {error}."),
            }),
        }
        self.config
    }
}

fn text_range(span: Range<usize>) -> TextRange {
    let size = |at| TextSize::new(u32::try_from(at).unwrap_or(u32::MAX));
    TextRange::new(size(span.start), size(span.end.max(span.start)))
}

fn hint<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>, otherwise: &str) -> String {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let longer = |candidate: &&&str| !word.is_empty() && candidate.starts_with(word);
    let near = candidates.iter().find(longer).copied();
    match near.or_else(|| text::nearest(word, candidates)) {
        Some(near) => format!("Did you mean `{near}`?"),
        None => otherwise.to_owned(),
    }
}

fn levels() -> String {
    listed_names(&Level::NAMES.map(|level| format!("\"{level}\"")), "or")
}

/// Returns the reason alone: the pattern itself is shown at its range.
fn pattern_reason(error: &ignore::Error) -> String {
    match error {
        ignore::Error::Glob { err, .. } => err.clone(),
        other => other.to_string(),
    }
}
