//! Syntax of other languages that people write out of habit.
//!
//! CEL resembles many languages. For each symbol and word that CEL lacks, this module has one
//! sentence about its replacement and, if the meaning is clear, the intended operator, so that the
//! rest of the expression can be parsed.

use super::ast::BinaryOperator;

/// For `not`.
pub(super) const NOT_ADVICE: &str = "Write `!` before the operand.";

/// For `1.`.
pub(super) const FRACTION_ADVICE: &str = "Write a digit after the point, as in `1.0`.";

/// For `list[*]`.
pub(super) const ALL_ADVICE: &str =
    "Write `list.all(x, condition)` or `list.exists(x, condition)` for the elements of a list.";

/// For `/^a/`.
pub(super) const PATTERN_ADVICE: &str = "Write a regular expression as a string, as in `'^a'`.";

/// For `list.0`.
pub(super) const INDEX_ADVICE: &str = "Write the index in brackets, as in `list[0]`.";

/// For `x => x > 0`.
pub(super) const ARROW_ADVICE: &str =
    "Separate the variable from the expression with a comma: `list.all(x, x > 0)`.";

/// Returns the operator that replaces a foreign operator, and the advice.
pub(super) fn sign_operator(sign: &str) -> Option<(BinaryOperator, &'static str)> {
    let operator = match sign {
        "=" | "===" => BinaryOperator::Equals,
        "&" => BinaryOperator::And,
        "|" => BinaryOperator::Or,
        "=>" => return Some((BinaryOperator::GreaterEquals, "Write `>=`.")),
        "=<" => return Some((BinaryOperator::LessEquals, "Write `<=`.")),
        _ => return None,
    };
    Some((operator, sign_advice(sign)))
}

/// Returns the advice for a sign.
pub(super) fn sign_advice(sign: &str) -> &'static str {
    match sign {
        "=" => "Write `==` to compare.",
        "===" => "Write `==` to compare.",
        "&" => "Write `&&` for \"and\".",
        "|" => "Write `||` for \"or\".",
        "=>" | "->" => ARROW_ADVICE,
        "=~" => "Write `string.matches('pattern')` to match a pattern.",
        "^" => "For an exclusive or, write `!=` between two conditions.",
        "~" => "CEL has no bitwise operators.",
        ";" => "CEL has no statements. Remove it, or join conditions with `&&`.",
        _ => pair_advice(sign).unwrap_or("Remove it."),
    }
}

/// Returns the advice for two adjacent signs of which the first is an operator of CEL.
pub(super) fn pair_advice(signs: &str) -> Option<&'static str> {
    Some(match signs {
        "!==" => "Write `!=` to compare.",
        "<>" => "Write `!=` for \"not equal\".",
        "=<" => "Write `<=`.",
        ">>" | "<<" => "CEL has no bitwise operators.",
        "**" => "Multiply instead, as in `x * x`.",
        "++" | "--" => "Values cannot be modified. Write `+ 1` or `- 1`.",
        "+=" | "-=" | "*=" | "/=" | "%=" => {
            "Values cannot be modified. Write the operator without `=`."
        }
        "&&&" => "Write `&&`.",
        "|||" => "Write `||`.",
        "??" => "For a default, write `value.?field.orValue(default)`.",
        "?:" => {
            "Write `condition ? value : other`. For a default, write `value.?field.orValue(default)`."
        }
        "?." => "Write `.?` to select a field that may be absent.",
        ":=" => sign_advice("="),
        "!~" => "Write `!string.matches('pattern')` to match a pattern.",
        ".." => "Write one dot before a field. CEL has no ranges.",
        "::" => "Write a dot between names.",
        _ => return None,
    })
}

/// Words between operands, the operators that replace them, and the advice.
const WORDS: [(&str, BinaryOperator, &str); 15] = [
    ("and", BinaryOperator::And, "Write `&&`."),
    ("or", BinaryOperator::Or, "Write `||`."),
    (
        "xor",
        BinaryOperator::NotEquals,
        "Write `!=` between the two conditions.",
    ),
    ("is", BinaryOperator::Equals, "Write `==`."),
    ("eq", BinaryOperator::Equals, "Write `==`."),
    ("ne", BinaryOperator::NotEquals, "Write `!=`."),
    ("mod", BinaryOperator::Modulo, "Write `%`."),
    ("div", BinaryOperator::Divide, "Write `/`."),
    ("not in", BinaryOperator::In, "Write `!(value in list)`."),
    ("!in", BinaryOperator::In, "Write `!(value in list)`."),
    (
        "contains",
        BinaryOperator::In,
        "Write `string.contains('part')` for strings and `value in list` for lists.",
    ),
    (
        "matches",
        BinaryOperator::In,
        "Write `string.matches('pattern')`.",
    ),
    (
        "like",
        BinaryOperator::In,
        "Write `string.matches('pattern')`.",
    ),
    (
        "startsWith",
        BinaryOperator::In,
        "Write `string.startsWith('part')`.",
    ),
    (
        "endsWith",
        BinaryOperator::In,
        "Write `string.endsWith('part')`.",
    ),
];

/// Returns the operator that replaces a word between two operands, and the advice.
pub(super) fn word_operator(word: &str) -> Option<(BinaryOperator, &'static str)> {
    WORDS
        .iter()
        .find(|(known, ..)| known.eq_ignore_ascii_case(word))
        .map(|(_, operator, advice)| (*operator, *advice))
}

/// Returns the advice for a malformed number.
pub(super) fn number_advice(written: &str) -> &'static str {
    let written = written.to_ascii_lowercase();
    if written.contains('_') {
        return "Write the digits without `_`.";
    }
    if written.starts_with("0b") || written.starts_with("0o") {
        return "Write it in decimal, or in hexadecimal as in `0x1f`.";
    }
    if written.starts_with("0x") {
        return "Write hexadecimal digits after a lowercase `x`, as in `0x1f`.";
    }
    if written.contains('.') && written.ends_with('u') {
        return "Only integers can have the suffix `u`.";
    }
    if written.matches('.').count() > 1 {
        return "Write a version or an address as a string: `'1.2.3'`.";
    }
    if written.ends_with('e') {
        return "Write digits after the `e`, as in `1e3`.";
    }
    "Write a number with a unit as a string, as in `quantity('100Mi')` or `duration('10s')`. A name cannot start with a digit."
}
