//! The message of each syntax error.
//!
//! A message states what is wrong, then what to write. Messages are short, since they appear next
//! to the underlined code, and plain, since not every reader is a native speaker.

use super::error::{EscapedPlace, SyntaxError, SyntaxErrorKind};
use super::foreign::ARROW_ADVICE;
use super::limits::{MAX_CODE_POINTS, MAX_NESTING};
use super::literal::EscapeError;
use super::macros::MacroKind;
use super::reserved::{has_identifier_form, is_reserved};
use SyntaxErrorKind as Kind;

impl SyntaxError {
    /// Returns the problem and its remedy: one or more sentences on one line.
    #[must_use]
    pub fn message(&self) -> String {
        self.kind.message()
    }
}

impl SyntaxErrorKind {
    /// Returns the problem and its remedy.
    fn message(&self) -> String {
        self.bracket_message()
            .or_else(|| self.structure_message())
            .or_else(|| self.foreign_message())
            .or_else(|| self.character_message())
            .or_else(|| self.value_message())
            .unwrap_or_else(|| self.rule_message())
    }

    /// Returns the message for errors in brackets and commas.
    fn bracket_message(&self) -> Option<String> {
        Some(match self {
            Kind::Unclosed(bracket) => format!(
                "The `{}` is never closed. Add `{}`.",
                bracket.open(),
                bracket.close()
            ),
            Kind::Unopened(bracket) => format!(
                "Unmatched `{}`. Remove it, or add `{}` before it.",
                bracket.close(),
                bracket.open()
            ),
            Kind::WrongCloser { expected, found } => format!(
                "`{}` cannot close `{}`. Write `{}`.",
                found.close(),
                expected.open(),
                expected.close()
            ),
            Kind::MissingComma { found } if is_reserved(found) => reserved(found),
            Kind::MissingComma { found } => format!("A comma is missing before `{found}`."),
            Kind::TrailingComma => {
                "Trailing commas are not allowed in calls. Remove the comma, or add an argument."
                    .to_owned()
            }
            _ => return None,
        })
    }

    /// Returns the message for errors in the structure of an expression.
    fn structure_message(&self) -> Option<String> {
        Some(match self {
            Kind::Empty => "The expression is empty. Write a CEL expression.".to_owned(),
            Kind::ExpectedExpression { after, found } => expected("an expression", after.as_deref(), found.as_deref()),
            Kind::Unexpected { found } => format!(
                "Unexpected `{found}` after the end of the expression. Remove it, or join the two expressions with an operator such as `&&`."
            ),
            Kind::ExpectedField { found } => expected("a name", Some("."), found.as_deref()),
            Kind::ExpectedFieldName { found } => match found {
                Some(found) => field_name(found),
                None => "Missing field name. Write `name: value`.".to_owned(),
            },
            Kind::ExpectedColon { found } => {
                let found = found.as_deref().map(|it| format!(" before `{it}`"));
                format!("Missing `:`{}. Write `key: value`.", found.unwrap_or_default())
            }
            Kind::ConditionalWithoutElse { .. } => {
                "The conditional has no `:` branch. Write `condition ? value : other`.".to_owned()
            }
            Kind::NestedConditional => {
                "A conditional nested between `?` and `:` needs parentheses: `a ? (b ? c : d) : e`.".to_owned()
            }
            Kind::MixedUnary { second } => {
                format!("`!` and `-` cannot be combined directly. Put the operand starting at `{second}` in parentheses.")
            }
            Kind::NotCallable => {
                "Only functions can be called. Write a function name before `(`.".to_owned()
            }
            Kind::NotAType => {
                "Unexpected `{`. Write a type name before it, as in `Object{field: value}`. CEL has no blocks.".to_owned()
            }
            _ => return None,
        })
    }

    /// Returns the message for syntax of other languages.
    fn foreign_message(&self) -> Option<String> {
        Some(match self {
            Kind::ForeignOperator { found, advice } => format!("CEL has no `{found}`. {advice}"),
            Kind::Arrow { found } => format!("CEL has no `{found}`. {ARROW_ADVICE}"),
            Kind::ListInParentheses => {
                "Parentheses hold one expression. Write a list in brackets: `['a', 'b']`."
                    .to_owned()
            }
            Kind::WordOperator { found, advice } => {
                format!("CEL has no `{found}` operator. {advice}")
            }
            Kind::HashComment => "`#` does not begin a comment in CEL. Write `//`.".to_owned(),
            Kind::BlockComment => {
                "CEL has no `/* … */` comments. Write `//` at the beginning of each line."
                    .to_owned()
            }
            _ => return None,
        })
    }

    /// Characters that CEL does not have.
    fn character_message(&self) -> Option<String> {
        Some(match self {
            Kind::SmartQuote(quote) => {
                format!(
                    "`{quote}` is a typographic quotation mark. Quote strings with `'` or `\"`."
                )
            }
            Kind::Template { open } => format!(
                "`{open}` starts a template placeholder, which is not CEL. Check the rendered output of the template instead."
            ),
            Kind::QuoteInString { quote } => format!(
                "This `{quote}` ends the string. Escape it as `\\{quote}`, or quote the string with the other kind of quotes."
            ),
            Kind::InvisibleCharacter(c) => format!(
                "Invisible character U+{:04X}. Replace it with a space, or remove it.",
                u32::from(*c)
            ),
            Kind::NonAsciiName { name } => format!(
                "`{name}` is not a valid name: names contain only ASCII letters, digits and `_`. Put strings in quotes."
            ),
            Kind::UnknownCharacter(c) => {
                format!("Unexpected character `{c}`. Remove it, or put strings in quotes.")
            }
            Kind::Backticks { name, .. } if name.is_empty() => {
                "Strings cannot be quoted with `` ` ``. Use `'` or `\"`.".to_owned()
            }
            Kind::Backticks { name, place: EscapedPlace::Literal } => format!(
                "Names in backticks are not supported. {}", map_instead(&format!("'{name}'"))
            ),
            Kind::Backticks { name, place: EscapedPlace::Selection } => format!(
                "Names in backticks are not supported. For a map key write `['{name}']`; a typed field has an escaped name, such as `a__dash__b` for `a-b`."
            ),
            Kind::Backticks { .. } => {
                "Only field names can be in backticks. Remove the backticks, or quote a string with `'`.".to_owned()
            }
            _ => return None,
        })
    }

    /// Returns the message for invalid literals.
    fn value_message(&self) -> Option<String> {
        Some(match self {
            Kind::UnterminatedString { quote, at_line_end } => unterminated(quote, *at_line_end),
            Kind::BadEscape(error) => escape(*error),
            Kind::StringPrefix { found } => string_prefix(found),
            Kind::IntRange { fits_uint } => {
                let advice = if *fits_uint {
                    " It fits in a uint: add the suffix `u`."
                } else {
                    ""
                };
                format!(
                    "The number is out of range for an int, {} to {}.{advice}",
                    i64::MIN,
                    i64::MAX
                )
            }
            Kind::UintRange => format!(
                "The number is out of range for a uint, at most {}.",
                u64::MAX
            ),
            Kind::DoubleRange => {
                "The number is out of range for a double, at most about 1.8e308.".to_owned()
            }
            Kind::MalformedNumber { found, advice } => {
                format!("`{found}` is not a valid number. {advice}")
            }
            _ => return None,
        })
    }

    /// Returns the message for rules on names, macros and sizes.
    fn rule_message(&self) -> String {
        match self {
            Kind::Reserved { word } => reserved(word),
            Kind::KeywordAsField { keyword } => format!(
                "`{keyword}` is a keyword and cannot follow a dot. Write `['{keyword}']` for a map key, or `__{keyword}__` for a typed field."
            ),
            Kind::HasArgument => "`has()` requires a field selection, as in `has(object.spec.replicas)`. To test for a map key, write `'key' in map`.".to_owned(),
            Kind::MacroVariable(kind) => macro_variable(*kind),
            Kind::DuplicateVariable { name } => {
                format!("Both variables are named `{name}`. Rename one of them.")
            }
            Kind::AccumulatorVariable => {
                "`__result__` is reserved for CEL. Choose another name.".to_owned()
            }
            Kind::SortByTarget => "`sortBy()` works on lists only.".to_owned(),
            Kind::TooLong { code_points } => format!(
                "The expression has {code_points} characters; the maximum is {MAX_CODE_POINTS}."
            ),
            Kind::NestedTooDeep => format!(
                "The expression is nested too deeply; the maximum is {MAX_NESTING} levels."
            ),
            Kind::SkippedTooMuch => "Parsing stops at the previous error.".to_owned(),
            Kind::ChainTooLong => format!(
                "This chain of operators, fields or calls is too long; the maximum is {MAX_NESTING} in a row. Group parts of it in parentheses, or use a list."
            ),
            _ => String::new(),
        }
    }
}

fn expected(what: &str, after: Option<&str>, found: Option<&str>) -> String {
    let after = after.map_or_else(String::new, |after| format!(" after `{after}`"));
    match found {
        Some(found) => format!("Expected {what}{after}, found `{found}`."),
        None => format!("Expected {what}{after}, found the end of the expression."),
    }
}

fn unterminated(quote: &str, at_line_end: bool) -> String {
    if quote.len() > 1 {
        return format!("The string has no closing `{quote}`. Add it.");
    }
    if at_line_end {
        let triple = quote.repeat(3);
        return format!(
            "The string has no closing `{quote}` on its line. Add it, write `\\n` for a line break, or use `{triple}` for a string of several lines."
        );
    }
    format!("The string has no closing `{quote}`. Add it.")
}

fn escape(error: EscapeError) -> String {
    match error {
        EscapeError::Unknown('\n' | '\r') => {
            "A backslash cannot continue a line in CEL. Remove it, or write `\\\\` for a backslash."
                .to_owned()
        }
        EscapeError::Unknown(letter) => format!(
            "Unknown escape `\\{letter}`. Write `\\\\{letter}` for a backslash, or use a raw string, as in `r'\\{letter}'`."
        ),
        EscapeError::MissingDigits { letter, digits } => {
            format!("`\\{letter}` requires {digits} hexadecimal digits.")
        }
        EscapeError::Octal => {
            "An octal escape has three digits, from `\\000` to `\\377`.".to_owned()
        }
        EscapeError::CodePoint(code) => format!(
            "U+{code:04X} is not a valid character. The escape must be at most U+10FFFF and not a surrogate (U+D800 to U+DFFF)."
        ),
        EscapeError::UnicodeInBytes => {
            "`\\u` and `\\U` are not allowed in bytes. Write each byte as `\\x..`, or the character itself.".to_owned()
        }
    }
}

fn string_prefix(found: &str) -> String {
    if found.eq_ignore_ascii_case("rb") {
        return "Write `br` before raw bytes, not `rb`.".to_owned();
    }
    format!(
        "`{found}` is not a string prefix. CEL has `r` (raw string), `b` (bytes) and `br` (raw bytes)."
    )
}

fn reserved(word: &str) -> String {
    let advice = match word {
        "if" | "else" => " Write `condition ? value : other`.",
        "for" | "while" | "loop" | "break" | "continue" => {
            " To iterate over a list, write `list.all(x, condition)` or `list.map(x, value)`."
        }
        "let" | "var" | "const" => " CEL has no assignments.",
        "return" => " Write only the value.",
        "function" | "void" => " CEL has no function declarations.",
        _ => " Choose another name.",
    };
    format!("`{word}` is a reserved word and cannot be used as a name.{advice}")
}

fn macro_variable(kind: MacroKind) -> String {
    let name = kind.name();
    let example = match kind {
        MacroKind::TransformList | MacroKind::TransformMap | MacroKind::TransformMapEntry => {
            "(key, value, …)"
        }
        _ => "(x, …)",
    };
    format!("The first argument of `{name}` must be a variable name: `{name}{example}`.")
}

/// Returns the message for an invalid field name of an object.
fn field_name(found: &str) -> String {
    let inner = found.trim_matches(['\'', '"']);
    if inner != found && has_identifier_form(inner) && !is_keyword(inner) {
        return format!("Field names are not quoted. Write `{inner}`.");
    }
    let is_path = found.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && found.contains(['.', '-', '/']);
    let is_key = inner != found || is_keyword(found) || is_path;
    let advice = if is_key {
        map_instead(&format!("'{inner}'"))
    } else {
        "Write `name: value`.".to_owned()
    };
    format!("`{found}` is not a field name. {advice}")
}

/// Returns whether a word that looks like a name is a keyword.
fn is_keyword(word: &str) -> bool {
    matches!(word, "in" | "true" | "false" | "null")
}

/// Returns the advice for a key that is not a field name.
fn map_instead(key: &str) -> String {
    format!(
        "Write a map, without a type name before `{{`: `{{{key}: …}}`. Labels and annotations are maps."
    )
}
