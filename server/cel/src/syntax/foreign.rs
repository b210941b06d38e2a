//! What people write from habit in other languages.
//!
//! CEL looks like many languages and is none of them. For each sign and word that does not
//! exist in it there is one sentence on what to write instead, and where the meaning is
//! plain the operator that was meant, so that the rest of the expression is read as well.

use super::ast::BinaryOperator;

/// For `not`.
pub(super) const NOT_ADVICE: &str = "Write `!` before the operand.";

/// For `1.`.
pub(super) const FRACTION_ADVICE: &str = "Write a digit after the point, as in `1.0`.";

/// For `list.0`.
pub(super) const INDEX_ADVICE: &str = "Write the index in brackets, as in `list[0]`.";

/// The operator that a sign between two operands stands for, and the advice.
pub(super) fn sign_operator(sign: &str) -> Option<(BinaryOperator, &'static str)> {
    let operator = match sign {
        "=" | "===" => BinaryOperator::Equals,
        "&" => BinaryOperator::And,
        "|" => BinaryOperator::Or,
        _ => return None,
    };
    Some((operator, sign_advice(sign)))
}

/// What to write instead of a sign.
pub(super) fn sign_advice(sign: &str) -> &'static str {
    match sign {
        "=" => "Write `==` to compare. Nothing can be assigned.",
        "===" => "Write `==` to compare.",
        "&" => "Write `&&` for \"and\".",
        "|" => "Write `||` for \"or\".",
        "=>" | "->" => "Write the variable, a comma, then the expression: `list.all(x, x > 0)`.",
        "=~" => "Write `text.matches('pattern')` to match a pattern.",
        "^" => "Write `!=` between two conditions for \"either … or\".",
        "~" => "There are no bitwise operators.",
        ";" => "An expression has no statements. Remove it, or join conditions with `&&`.",
        _ => pair_advice(sign).unwrap_or("Remove it."),
    }
}

/// What to write instead of two signs that stand together, the first one a right operator.
pub(super) fn pair_advice(signs: &str) -> Option<&'static str> {
    Some(match signs {
        "!==" => "Write `!=` to compare.",
        "<>" => "Write `!=` for \"not equal\".",
        "=<" => "Write `<=`.",
        ">>" | "<<" => "There are no bitwise operators.",
        "**" => "Multiply instead, as in `x * x`.",
        "++" | "--" => "Nothing can be changed. Write `+ 1` or `- 1`.",
        "+=" | "-=" | "*=" | "/=" | "%=" => {
            "Nothing can be changed. Write the operator without `=`."
        }
        "&&&" => "Write `&&`.",
        "|||" => "Write `||`.",
        "??" => "For a default write `value.?field.orValue(default)`.",
        "?:" => {
            "Write all three parts: `condition ? value : other`. For a default write `value.?field.orValue(default)`."
        }
        "?." => "Write `.?` to select a field that may be absent.",
        ":=" => "Write `==` to compare. Nothing can be assigned.",
        "!~" => "Write `!text.matches('pattern')` to match a pattern.",
        ".." => "Write one dot before a field. There are no ranges.",
        "::" => "Write a dot between names.",
        _ => return None,
    })
}

/// The words between operands, the operators that they stand for, and the advice.
const WORDS: [(&str, BinaryOperator, &str); 14] = [
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
    (
        "contains",
        BinaryOperator::In,
        "Write `text.contains('part')` for texts and `value in list` for lists.",
    ),
    (
        "matches",
        BinaryOperator::In,
        "Write `text.matches('pattern')`.",
    ),
    (
        "like",
        BinaryOperator::In,
        "Write `text.matches('pattern')`.",
    ),
    (
        "startsWith",
        BinaryOperator::In,
        "Write `text.startsWith('part')`.",
    ),
    (
        "endsWith",
        BinaryOperator::In,
        "Write `text.endsWith('part')`.",
    ),
];

/// The operator that a word between two operands stands for, and the advice.
pub(super) fn word_operator(word: &str) -> Option<(BinaryOperator, &'static str)> {
    WORDS
        .iter()
        .find(|(known, ..)| known.eq_ignore_ascii_case(word))
        .map(|(_, operator, advice)| (*operator, *advice))
}

/// What to write instead of digits that go on with something else.
pub(super) fn number_advice(written: &str) -> &'static str {
    let written = written.to_ascii_lowercase();
    if written.contains('_') {
        return "Write the digits without `_`.";
    }
    if written.starts_with("0b") || written.starts_with("0o") {
        return "Write it in decimal, or in hexadecimal as in `0x1f`.";
    }
    if written.starts_with("0x") {
        return "Write hexadecimal digits after a small `x`, as in `0x1f`.";
    }
    if written.contains('.') && written.ends_with('u') {
        return "Write `u` after a whole number only.";
    }
    if written.matches('.').count() > 1 {
        return "Write a version or an address as a text: `'1.2.3'`.";
    }
    if written.ends_with('e') {
        return "Write digits after the `e`, as in `1e3`.";
    }
    "Write a quantity with a unit as a text, as in `quantity('100Mi')` or `duration('10s')`. A name cannot begin with a digit."
}
