//! Writes a string as a scalar, in any style and with any layout that keeps it.

use proptest::prelude::*;

/// How a string is written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Style {
    Plain,
    Single,
    Double,
    Literal,
    Folded,
}

/// The layout choices of a style.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Spaces before the keys, and more of them before the text.
    outer: usize,
    inner: usize,
    line_break: &'static str,
    byte_order_mark: bool,
    anchor: bool,
    comment: bool,
    /// The decision for each choice.
    choices: Vec<u8>,
}

/// Words, blanks, line breaks and characters that need care.
pub(crate) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec!["object", "a", "x == 'y'", "it''s", "\"", "\\", "b.c", "&&", "a:b", "#x"]),
        3 => prop::sample::select(vec![" ", " ", "  ", "\n", "\n", "\n\n", "\n  ", "\t"]),
        2 => prop::sample::select(vec!["é", "😀", "ß", "日本", "{", "]", ",", "- ", ": ", " #", "?", "%", "@"]),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

pub(crate) fn style() -> impl Strategy<Value = Style> {
    prop::sample::select(vec![
        Style::Plain,
        Style::Single,
        Style::Double,
        Style::Literal,
        Style::Folded,
    ])
}

pub(crate) fn layout() -> impl Strategy<Value = Layout> {
    (
        (
            0usize..4,
            1usize..5,
            prop::sample::select(vec!["\n", "\r\n"]),
        ),
        any::<(bool, bool, bool)>(),
        prop::collection::vec(any::<u8>(), 16),
    )
        .prop_map(|((outer, inner, line_break), flags, choices)| Layout {
            outer,
            inner,
            line_break,
            byte_order_mark: flags.0,
            anchor: flags.1,
            comment: flags.2,
            choices,
        })
}

/// Returns a file with the text under `first`, and `end` under `last`. A style that cannot hold the
/// text is replaced by double quotes.
pub(crate) fn write(text: &str, style: Style, layout: &Layout) -> String {
    let mut writer = Writer { layout, choice: 0 };
    let style = if fits(text, style) {
        style
    } else {
        Style::Double
    };
    let scalar = match style {
        Style::Plain => writer.folded(text, &str::to_owned),
        Style::Single => format!(
            "'{}'",
            writer.folded(text, &|line| line.replace('\'', "''"))
        ),
        Style::Double => format!("\"{}\"", writer.double(text)),
        Style::Literal => writer.block(text, '|'),
        Style::Folded => writer.block(text, '>'),
    };
    let mut file = String::new();
    if layout.byte_order_mark {
        file.push('\u{FEFF}');
    }
    if layout.comment {
        file.push_str("# A comment.\n\n");
    }
    let outer = " ".repeat(layout.outer);
    let anchor = if layout.anchor { "&a " } else { "" };
    file.push_str(&format!(
        "{outer}first: {anchor}{scalar}\n{outer}last: end\n"
    ));
    file.replace('\n', layout.line_break)
}

/// Returns whether a style can hold the text.
fn fits(text: &str, style: Style) -> bool {
    let lines: Vec<&str> = text.split('\n').collect();
    let blank = |line: &&str| line.starts_with([' ', '\t']) || line.ends_with([' ', '\t']);
    // Quotes fold line breaks, which keeps a string whose lines have no blanks at their ends.
    let folds = !lines.iter().any(blank) && lines.first() != Some(&"") && lines.last() != Some(&"");
    match style {
        Style::Double => true,
        Style::Single => folds || lines.len() == 1,
        Style::Plain => {
            let special = |line: &&str| {
                line.starts_with(|first: char| !first.is_alphanumeric())
                    || line.contains(": ")
                    || line.ends_with(':')
                    || line.contains(" #")
                    || line.contains("\t")
            };
            folds && !text.is_empty() && !lines.iter().any(|line| !line.is_empty() && special(line))
        }
        Style::Literal | Style::Folded => {
            let body = text.trim_end_matches('\n');
            let starts_well = body.starts_with(|first: char| !first.is_whitespace());
            let more_indented = style == Style::Folded && body.contains("\n ");
            starts_well && !text.contains('\t') && !more_indented
        }
    }
}

struct Writer<'a> {
    layout: &'a Layout,
    choice: usize,
}

impl Writer<'_> {
    /// Returns whether to choose the rarer of two options.
    fn choose(&mut self) -> bool {
        self.choice += 1;
        let choices = &self.layout.choices;
        let choice = choices.iter().cycle().nth(self.choice % 64);
        choice.is_some_and(|choice| choice.is_multiple_of(3))
    }

    fn indent(&self) -> String {
        " ".repeat(self.layout.outer + self.layout.inner)
    }

    /// Returns a line break in the file and the indentation of the line after it.
    fn new_line(&mut self) -> String {
        let more = if self.choose() { "  " } else { "" };
        format!("\n{}{more}", self.indent())
    }

    /// Returns a quoted or plain string: the file has one more line break between lines with text,
    /// and a space between words may be a line break.
    fn folded(&mut self, text: &str, escape: &dyn Fn(&str) -> String) -> String {
        let mut out = String::new();
        for (number, line) in text.split('\n').enumerate() {
            if number > 0 {
                out.push('\n');
            }
            if number > 0 && !line.is_empty() {
                out.push_str(&self.new_line());
            }
            out.push_str(&escape(&self.break_line(line, true)));
        }
        out
    }

    /// Breaks a line at spaces between two words, where the break is unambiguous.
    fn break_line(&mut self, line: &str, may_indent: bool) -> String {
        let is_word = |word: &str| {
            word.starts_with(char::is_alphanumeric) && !word.ends_with(':') && !word.contains('\t')
        };
        let mut out = String::new();
        let mut before = "";
        for (number, word) in line.split(' ').enumerate() {
            if number > 0 && is_word(before) && is_word(word) && self.choose() {
                let start = if may_indent {
                    self.new_line()
                } else {
                    format!("\n{}", self.indent())
                };
                out.push_str(&start);
            } else if number > 0 {
                out.push(' ');
            }
            out.push_str(word);
            before = word;
        }
        out
    }

    /// Returns the text in double quotes, with required and optional escapes, and with continued
    /// lines.
    fn double(&mut self, text: &str) -> String {
        let mut out = String::new();
        let mut continued = false;
        for character in text.chars() {
            let code = u32::from(character);
            match character {
                '"' | '\\' => out.extend(['\\', character]),
                '\n' => out.push_str("\\n"),
                '\t' => out.push_str("\\t"),
                ' ' if continued || self.choose() => out.push_str("\\ "),
                _ if self.choose() && code < 0x100 => out.push_str(&format!("\\x{code:02x}")),
                _ if self.choose() && code < 0x10000 => out.push_str(&format!("\\u{code:04X}")),
                _ if self.choose() => out.push_str(&format!("\\U{code:08X}")),
                _ => out.push(character),
            }
            continued = self.choose() && self.choose();
            if continued {
                out.push('\\');
                out.push_str(&self.new_line());
            }
        }
        out
    }

    /// Returns the text as a block scalar with its header.
    fn block(&mut self, text: &str, indicator: char) -> String {
        let body = text.trim_end_matches('\n');
        let breaks = text.len() - body.len();
        let chomping = match breaks {
            0 => "-",
            1 => "",
            _ => "+",
        };
        let explicit = if self.choose() {
            self.layout.inner.to_string()
        } else {
            String::new()
        };
        let mut out = format!("{indicator}{explicit}{chomping}\n");
        for (number, line) in body.split('\n').enumerate() {
            if number > 0 {
                out.push('\n');
            }
            if line.is_empty() {
                continue;
            }
            let is_folded = indicator == '>';
            if is_folded && number > 0 {
                // Between lines with text, one more break than the string has.
                out.push('\n');
            }
            let line = if is_folded {
                self.break_line(line, false)
            } else {
                line.to_owned()
            };
            out.push_str(&self.indent());
            out.push_str(&line);
        }
        out.push_str(&"\n".repeat(breaks.saturating_sub(1)));
        out
    }
}
