//! The words for each mistake.
//!
//! First what is wrong, then what to write. The words are short, since they stand beside the
//! underlined place, and plain, since not everybody reads English with ease.

use super::error::{EscapedPlace, SyntaxError, SyntaxErrorKind};
use super::limits::{MAX_CODE_POINTS, MAX_NESTING};
use super::literal::EscapeError;
use super::macros::MacroKind;
use super::reserved::has_identifier_form;
use SyntaxErrorKind as Kind;

impl SyntaxError {
    /// What is wrong, and what to write instead: one or more sentences on one line.
    #[must_use]
    pub fn message(&self) -> String {
        self.kind.message()
    }
}

impl SyntaxErrorKind {
    /// What is wrong, and what to write instead.
    fn message(&self) -> String {
        self.bracket_message()
            .or_else(|| self.structure_message())
            .or_else(|| self.foreign_message())
            .or_else(|| self.character_message())
            .or_else(|| self.value_message())
            .unwrap_or_else(|| self.rule_message())
    }

    /// Mistakes with brackets and commas.
    fn bracket_message(&self) -> Option<String> {
        Some(match self {
            Kind::Unclosed(bracket) => format!(
                "The `{}` is never closed. Add `{}`.",
                bracket.open(),
                bracket.close()
            ),
            Kind::Unopened(bracket) => format!(
                "This `{}` closes nothing. Remove it, or add `{}` before.",
                bracket.close(),
                bracket.open()
            ),
            Kind::WrongCloser { expected, found } => format!(
                "`{}` cannot close `{}`. Write `{}`.",
                found.close(),
                expected.open(),
                expected.close()
            ),
            Kind::MissingComma { found } => format!("A comma is missing before `{found}`."),
            Kind::TrailingComma => {
                "A call cannot end with a comma. Remove it, or add an argument.".to_owned()
            }
            _ => return None,
        })
    }

    /// Mistakes in how the parts stand together.
    fn structure_message(&self) -> Option<String> {
        Some(match self {
            Kind::Empty => "The expression is empty. Write a CEL expression.".to_owned(),
            Kind::ExpectedExpression { after, found } => expected("an expression", after.as_deref(), found.as_deref()),
            Kind::Unexpected { found } => format!(
                "`{found}` does not belong here: the expression is complete before it. Join two expressions with an operator such as `&&`, or remove it."
            ),
            Kind::ExpectedField { found } => expected("a name", Some("."), found.as_deref()),
            Kind::ExpectedFieldName { found } => match found {
                Some(found) => field_name(found),
                None => "The name of a field is missing. Write a name, then `:` and the value.".to_owned(),
            },
            Kind::ExpectedColon { found } => {
                let found = found.as_deref().map(|it| format!(" before `{it}`"));
                format!("A `:` is missing{}. Write `key: value`.", found.unwrap_or_default())
            }
            Kind::ConditionalWithoutElse { .. } => {
                "The condition has no `:` part. Write all three parts: `condition ? value : other`.".to_owned()
            }
            Kind::NestedConditional => {
                "A condition within the middle part of another one needs parentheses: `a ? (b ? c : d) : e`.".to_owned()
            }
            Kind::MixedUnary { second } => {
                format!("`!` and `-` cannot follow each other. Put the part from `{second}` on in parentheses.")
            }
            Kind::NotCallable => {
                "Only a function can be called: a name has to stand before `(`.".to_owned()
            }
            Kind::NotAType => {
                "`{` cannot follow here. Only the name of a type can, as in `Object{field: value}`. CEL has no blocks.".to_owned()
            }
            _ => return None,
        })
    }

    /// Habits from other languages.
    fn foreign_message(&self) -> Option<String> {
        Some(match self {
            Kind::ForeignOperator { found, advice } => format!("CEL has no `{found}`. {advice}"),
            Kind::WordOperator { found, advice } => {
                format!("`{found}` is no operator in CEL. {advice}")
            }
            Kind::HashComment => "`#` does not begin a comment in CEL. Write `//`.".to_owned(),
            Kind::BlockComment => {
                "CEL has no `/* … */` comments. Write `//` at the beginning of each line."
                    .to_owned()
            }
            _ => return None,
        })
    }

    /// Characters that CEL does not read.
    fn character_message(&self) -> Option<String> {
        Some(match self {
            Kind::SmartQuote(quote) => {
                format!(
                    "`{quote}` is a typographic quotation mark. Write `'` or `\"` around a text."
                )
            }
            Kind::Template { open } => format!(
                "`{open}` begins a placeholder of a template, which is no CEL. Check the text that the template renders."
            ),
            Kind::QuoteInString { quote } => format!(
                "This `{quote}` ends the text. Write `\\{quote}` for one within it, or put the other quotes around it."
            ),
            Kind::InvisibleCharacter(c) => format!(
                "There is a character that cannot be seen (U+{:04X}). Replace it by a space, or remove it.",
                u32::from(*c)
            ),
            Kind::NonAsciiName { name } => format!(
                "`{name}` is no name in CEL: a name has only letters a to z, digits and `_`. Write a text in quotes."
            ),
            Kind::UnknownCharacter(c) => {
                format!("CEL has no `{c}`. Remove it, or write a text in quotes.")
            }
            Kind::Backticks { name, .. } if name.is_empty() => {
                "CEL has no `` ` `` around a text. Write `'` or `\"`.".to_owned()
            }
            Kind::Backticks { name, place: EscapedPlace::Literal } => format!(
                "Kubernetes reads names in backticks from version 1.37 on. {}", map_instead(&format!("'{name}'"))
            ),
            Kind::Backticks { name, place: EscapedPlace::Selection } => format!(
                "Kubernetes reads names in backticks from version 1.37 on. Write `['{name}']` for the key of a map. A typed field has an escaped name, such as `a__dash__b` for `a-b`."
            ),
            Kind::Backticks { .. } => {
                "Only a field can have a name in backticks. Write the name without them, or a text in `'`.".to_owned()
            }
            _ => return None,
        })
    }

    /// Constants that are wrong in themselves.
    fn value_message(&self) -> Option<String> {
        Some(match self {
            Kind::UnterminatedString { quote, at_line_end } => unterminated(quote, *at_line_end),
            Kind::BadEscape(error) => escape(*error),
            Kind::StringPrefix { found } => string_prefix(found),
            Kind::IntRange { fits_uint } => {
                let advice = if *fits_uint {
                    " As a uint it fits: write `u` behind it."
                } else {
                    ""
                };
                format!(
                    "The number does not fit an int, which goes from {} to {}.{advice}",
                    i64::MIN,
                    i64::MAX
                )
            }
            Kind::UintRange => format!(
                "The number does not fit a uint, which goes up to {}.",
                u64::MAX
            ),
            Kind::DoubleRange => {
                "The number is too large for a double, which goes up to about 1.8e308.".to_owned()
            }
            Kind::MalformedNumber { found, advice } => format!("`{found}` is no number. {advice}"),
            _ => return None,
        })
    }

    /// Rules on names, macros and sizes.
    fn rule_message(&self) -> String {
        match self {
            Kind::Reserved { word } => reserved(word),
            Kind::KeywordAsField { keyword } => format!(
                "`{keyword}` is a keyword and cannot follow a dot. Write `['{keyword}']` for the key of a map, or `__{keyword}__` for a typed field."
            ),
            Kind::HasArgument => "`has()` needs a field, as in `has(object.spec.replicas)`. To test for a key write `'key' in map`.".to_owned(),
            Kind::MacroVariable(kind) => macro_variable(*kind),
            Kind::DuplicateVariable { name } => {
                format!("Both variables are called `{name}`. Give one of them another name.")
            }
            Kind::AccumulatorVariable => {
                "`__result__` is a name that CEL uses itself. Choose another name.".to_owned()
            }
            Kind::SortByTarget => "`sortBy()` works on lists only.".to_owned(),
            Kind::TooLong { code_points } => format!(
                "The expression has {code_points} characters. The API server reads at most {MAX_CODE_POINTS}."
            ),
            Kind::NestedTooDeep => format!(
                "The expression nests too deep here. The API server reads at most {MAX_NESTING} levels."
            ),
            Kind::SkippedTooMuch => "The API server reads nothing after the mistake before.".to_owned(),
            Kind::ChainTooLong => format!(
                "This chain of operators, fields or calls is too long. The API server reads at most {MAX_NESTING} in a row. Group parts of it in parentheses, or use a list."
            ),
            _ => String::new(),
        }
    }
}

fn expected(what: &str, after: Option<&str>, found: Option<&str>) -> String {
    let after = after.map_or_else(String::new, |after| format!(" after `{after}`"));
    match found {
        Some(found) => format!("Expected {what}{after}, found `{found}`."),
        None => format!("Expected {what}{after}, but the text ends."),
    }
}

fn unterminated(quote: &str, at_line_end: bool) -> String {
    if quote.len() > 1 {
        return format!("The text has no closing `{quote}`. Add it.");
    }
    if at_line_end {
        let triple = quote.repeat(3);
        return format!(
            "The text has no closing `{quote}` on its line. Add it, write `\\n` for a line break, or use `{triple}` around a text of several lines."
        );
    }
    format!("The text has no closing `{quote}`. Add it.")
}

fn escape(error: EscapeError) -> String {
    match error {
        EscapeError::Unknown('\n' | '\r') => {
            "A backslash cannot join lines in CEL. Remove it, or write `\\\\` for a backslash."
                .to_owned()
        }
        EscapeError::Unknown(letter) => format!(
            "CEL has no escape `\\{letter}`. Write `\\\\{letter}` for a backslash, or put `r` before the quotes, as in `r'\\{letter}'`."
        ),
        EscapeError::MissingDigits { letter, digits } => {
            format!("`\\{letter}` needs {digits} hexadecimal digits after it.")
        }
        EscapeError::Octal => {
            "An octal escape has three digits, from `\\000` to `\\377`.".to_owned()
        }
        EscapeError::CodePoint(code) => format!(
            "There is no character U+{code:04X}. Write one up to U+10FFFF that is no half of a pair (U+D800 to U+DFFF)."
        ),
        EscapeError::UnicodeInBytes => {
            "`\\u` and `\\U` do not work in bytes. Write each byte as `\\x..`, or the character itself.".to_owned()
        }
    }
}

fn string_prefix(found: &str) -> String {
    if found.eq_ignore_ascii_case("rb") {
        return "Write `br` before raw bytes, not `rb`.".to_owned();
    }
    format!(
        "`{found}` cannot stand before a text. CEL has `r` (raw text), `b` (bytes) and `br` (raw bytes)."
    )
}

fn reserved(word: &str) -> String {
    let advice = match word {
        "if" | "else" => " Write `condition ? value : other`.",
        "for" | "while" | "loop" | "break" | "continue" => {
            " To go through a list write `list.all(x, condition)` or `list.map(x, value)`."
        }
        "let" | "var" | "const" => " CEL cannot assign. In a policy, add an entry to `variables`.",
        "return" => " Write the value alone.",
        "function" | "void" => " CEL cannot declare functions.",
        "namespace" => {
            " For the field of a typed object write `__namespace__`; the object of the namespace is `namespaceObject`."
        }
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
    format!("`{name}` first needs the name of a variable: `{name}{example}`.")
}

/// The advice for something that is not the name of a field of an object.
fn field_name(found: &str) -> String {
    let inner = found.trim_matches(['\'', '"']);
    if inner != found && has_identifier_form(inner) && !is_keyword(inner) {
        return format!("A field name has no quotes. Write `{inner}`.");
    }
    let is_key = inner != found || is_keyword(found);
    let advice = match is_key {
        true => map_instead(&format!("'{inner}'")),
        false => "Write a name, then `:` and the value.".to_owned(),
    };
    format!("`{found}` is not a field name. {advice}")
}

/// Whether a word that looks like a name is another token.
fn is_keyword(word: &str) -> bool {
    matches!(word, "in" | "true" | "false" | "null")
}

/// The advice for a key that is not a field name.
fn map_instead(key: &str) -> String {
    format!(
        "Write a map, which has no type before `{{`: `{{{key}: …}}`. Labels and annotations are maps."
    )
}
