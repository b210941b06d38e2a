//! The value of the part under the cursor, shown above its description.

use super::Hover;
use evaluation::run::ExpressionEvaluation;

/// Limit: the characters of a value.
const MAX_VALUE: usize = 200;

impl Hover {
    /// Adds the value of the part in an evaluation of its expression. `input` is the name of the
    /// input. Unchanged if the part was not evaluated.
    #[must_use]
    pub fn with_value(mut self, evaluation: &ExpressionEvaluation, input: &str) -> Self {
        let step = self
            .part
            .and_then(|part| evaluation.trace.iter().find(|step| step.range == part));
        if let Some(step) = step {
            let value = span(&format!("= {}", step.result.short(MAX_VALUE)));
            self.markdown = format!("{value} · {}\n\n{}", escaped(input), self.markdown);
        }
        self
    }
}

/// Returns a string as inline code, even if it contains backticks.
fn span(text: &str) -> String {
    let longest = text.split(|it| it != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if text.ends_with('`') {
        format!("{fence} {text} {fence}")
    } else {
        format!("{fence}{text}{fence}")
    }
}

/// Returns a string with its markup escaped.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        if matches!(
            character,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&'
        ) {
            out.push('\\');
        }
        out.push(character);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use evaluation::run::{ResultText, TraceStep};
    use text::{TextRange, TextSize};

    fn value_text(text: &str) -> ResultText {
        ResultText::Value {
            text: text.to_owned(),
            size: None,
        }
    }

    fn shown(value: &str, at: u32) -> String {
        let range = TextRange::at(TextSize::from(at), TextSize::from(4));
        let evaluation = ExpressionEvaluation {
            range,
            end: range.end(),
            path: "spec.validations[0].expression".to_owned(),
            result: value_text("true"),
            cost: 1,
            trace: vec![TraceStep {
                range: TextRange::at(TextSize::from(3), TextSize::from(4)),
                text: "a.b".to_owned(),
                depth: 0,
                result: value_text(value),
                decided: true,
            }],
        };
        let hover = Hover {
            range,
            part: Some(range),
            markdown: "what it is".to_owned(),
        };
        hover.with_value(&evaluation, "Pod a_b").markdown
    }

    #[test]
    fn the_value_of_the_part_stands_above() {
        assert_eq!(shown("\"😀\"", 3), "`= \"😀\"` · Pod a\\_b\n\nwhat it is");
        assert_eq!(shown("1", 4), "what it is");
    }

    #[test]
    fn a_value_may_have_backticks() {
        assert_eq!(
            shown("\"`x``\"", 3),
            "```= \"`x``\"``` · Pod a\\_b\n\nwhat it is"
        );
    }
}
