//! Properties of every input.

use super::samples::{PIECES, REALISTIC};
use super::{meaning, parse};
use crate::format::{LINE_WIDTH, Lines, format, is_same};
use crate::syntax::{Ast, ExprId, ExprKind, Parse, tokens};
use proptest::collection::vec;
use proptest::prelude::{Strategy, any, prop_oneof, proptest};
use proptest::sample::select;
use text::Span;

/// Returns a source of meaningful pieces in random order.
fn soup() -> impl Strategy<Value = String> {
    vec(select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

/// Returns a right expression with some of it cut out or doubled.
fn damaged() -> impl Strategy<Value = String> {
    (select(REALISTIC), any::<(u16, u16, u16)>()).prop_map(|(text, (from, to, at))| {
        let chars: Vec<char> = text.chars().collect();
        let index = |it: u16| usize::from(it) % (chars.len() + 1);
        let (from, to) = (index(from).min(index(to)), index(from).max(index(to)));
        let at = index(at);
        let mut out: Vec<char> = chars[..at].to_vec();
        out.extend(&chars[from..to]);
        out.extend(&chars[at..]);
        out.into_iter().collect()
    })
}

const LEAVES: &[&str] = &[
    "a",
    "object",
    "1",
    "1u",
    "1.5",
    "'s'",
    "b'x'",
    "true",
    "null",
    "r'\\'",
    "'''m\n'''",
    ". x",
    "[ ]",
    "{ }",
    "T { }",
    "f ( )",
];

/// Operands with placeholders for expressions.
const FORMS: &[&str] = &[
    "( $ )",
    "[ $ , ? $ ]",
    "[ $ , ]",
    "{ $ : $ , ? 'k' : $ }",
    "T . U { a : $ , ? b : $ }",
    "f ( $ , $ )",
    "has ( a . b )",
    "- 1",
    "! ! a",
    "- ( $ )",
];

/// The suffixes of an operand, with placeholders for expressions.
const SUFFIXES: &[&str] = &[
    ". b",
    ". ? b",
    "[ $ ]",
    "[ ? $ ]",
    ". f ( $ )",
    ". all ( x , $ )",
    ". map ( x , $ , $ )",
    ". transformList ( i , x , $ )",
];

/// Tokens of a right operand.
fn operand() -> impl Strategy<Value = Vec<String>> {
    let leaf = select(LEAVES).prop_map(|it| fill(it, &[]));
    leaf.prop_recursive(4, 40, 4, |inner| {
        let parts = vec(expr(inner.clone().boxed()), 4);
        let form = (select(FORMS), parts.clone()).prop_map(|(form, parts)| fill(form, &parts));
        let suffix = (inner, select(SUFFIXES), parts).prop_map(|(operand, suffix, parts)| {
            [parenthesized(operand), fill(suffix, &parts)].concat()
        });
        prop_oneof![form, suffix]
    })
}

/// Returns an operand that a suffix can follow: all but those that begin with an operator.
fn parenthesized(operand: Vec<String>) -> Vec<String> {
    if operand
        .first()
        .is_some_and(|first| ["-", "!"].contains(&first.as_str()))
    {
        return [vec!["(".to_owned()], operand, vec![")".to_owned()]].concat();
    }
    operand
}

/// Operands joined by operators.
fn expr(
    operand: impl Strategy<Value = Vec<String>> + Clone + 'static,
) -> impl Strategy<Value = Vec<String>> + Clone {
    let operators = select(vec![
        "&&", "&&", "||", "||", "==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "%",
    ]);
    let chain = (operand.clone(), vec((operators, operand), 0..5)).prop_map(|(first, rest)| {
        let mut out = first;
        for (operator, operand) in rest {
            out.push(operator.to_owned());
            out.extend(operand);
        }
        out
    });
    let conditional = (chain.clone(), chain.clone(), chain.clone())
        .prop_map(|(a, b, c)| [a, vec!["?".to_owned()], b, vec![":".to_owned()], c].concat());
    prop_oneof![4 => chain, 1 => conditional]
        .boxed()
        .prop_map(|it| it)
}

fn fill(form: &str, parts: &[Vec<String>]) -> Vec<String> {
    let mut parts = parts.iter();
    let mut out = Vec::new();
    for word in form.split(' ') {
        match word {
            "$" => out.extend(parts.next().cloned().unwrap_or_default()),
            word => out.push(word.to_owned()),
        }
    }
    out
}

/// Returns a right expression with white space and comments anywhere.
fn generated() -> impl Strategy<Value = String> {
    let gaps = vec(
        select(vec![
            "",
            "",
            "",
            " ",
            "\n",
            " // c\n",
            "\n// own\n",
            "\r\n\t",
        ]),
        1..40,
    );
    (expr(operand().boxed()), gaps).prop_map(|(tokens, gaps)| {
        let mut out = String::new();
        for (token, gap) in tokens.iter().zip(gaps.iter().cycle()) {
            let is_word = |c: char| c.is_ascii_alphanumeric() || "_'./".contains(c);
            let touches = out.ends_with(is_word) && token.starts_with(is_word);
            out.push_str(if gap.is_empty() && touches { " " } else { gap });
            out.push_str(token);
        }
        out
    })
}

fn spans_are_nested(ast: &Ast, id: ExprId) {
    let span = ast.span(id);
    assert!(
        ast.text().get(span.range()).is_some(),
        "{span:?} splits a character"
    );
    let mut end = span.start();
    for child in ast.children(id) {
        assert!(child < id, "a child has the smaller number");
        let inner = ast.span(child);
        assert!(span.contains(inner), "{inner:?} is not in {span:?}");
        assert!(end <= inner.start(), "{inner:?} overlaps the one before");
        end = inner.end();
    }
    let names: Vec<Span> = match ast.kind(id) {
        ExprKind::Ident { name, .. } => vec![name.span],
        ExprKind::Select {
            operator, field, ..
        } => vec![*operator, field.span],
        ExprKind::Call {
            function, parens, ..
        } => vec![function.span, *parens],
        ExprKind::Index { brackets, .. } => vec![*brackets],
        ExprKind::Unary { operator_span, .. } | ExprKind::Binary { operator_span, .. } => {
            vec![*operator_span]
        }
        ExprKind::Conditional {
            question, colon, ..
        } => vec![*question, *colon],
        ExprKind::Struct {
            type_name, braces, ..
        } => type_name
            .iter()
            .map(|name| name.span)
            .chain([*braces])
            .collect(),
        _ => vec![],
    };
    for name in names {
        assert!(span.contains(name), "{name:?} is not in {span:?}");
    }
}

fn holds(text: &str) -> Parse {
    let parse = parse(text);
    let ast = &parse.ast;
    for id in ast.descendants(ast.root()) {
        spans_are_nested(ast, id);
    }
    for error in &parse.errors {
        assert!(text.get(error.span.range()).is_some(), "{error:?}");
        assert!(!error.message().is_empty());
        assert!(
            error
                .upstream_offset()
                .is_none_or(|at| at as usize <= text.len())
        );
    }
    assert!(parse.errors.is_sorted_by_key(|error| error.span.start()));
    let joined: String = tokens(text).map(|token| token.span.slice(text)).collect();
    assert_eq!(joined, text);
    for offset in 0..=u32::try_from(text.len()).unwrap() {
        let path = ast.path_at(offset);
        assert!(path.is_sorted_by(|outer, inner| outer > inner));
        let _ = ast.bindings_at(offset);
    }
    let _ = (ast.idents(ast.root(), &[]), ast.macro_calls().count());
    let has_error_node = ast
        .descendants(ast.root())
        .any(|id| matches!(ast.kind(id), ExprKind::Error(_)));
    assert!(
        !(parse.is_ok() && has_error_node),
        "an error node without an error"
    );
    parse
}

fn prints_back(text: &str, width: usize) {
    let parsed = holds(text);
    for keeps in [false, true] {
        let lines = |text: &str| {
            if keeps {
                Lines::keeping_breaks(text, width)
            } else {
                Lines::with_width(width)
            }
        };
        let printed = format(&parsed, &lines(text)).unwrap();
        let again = parse(&printed);
        assert_eq!(meaning(&again.ast), meaning(&parsed.ast), "{printed}");
        assert!(is_same(&again, &parsed), "{printed}");
        assert_eq!(format(&again, &lines(&printed)).unwrap(), printed, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text(text in any::<String>()) {
        holds(&text);
    }

    #[test]
    fn any_soup(text in soup()) {
        if holds(&text).is_ok() {
            prints_back(&text, 20);
        }
    }

    #[test]
    fn any_damage(text in damaged()) {
        if holds(&text).is_ok() {
            prints_back(&text, 80);
        }
    }

    #[test]
    fn any_expression_prints_back(text in generated(), width in 0_usize..100) {
        let parse = holds(&text);
        assert!(parse.is_ok(), "{text}\n{:?}", parse.errors);
        prints_back(&text, width);
    }
}

#[test]
fn real_expressions_print_back() {
    for text in REALISTIC {
        for width in [0, 20, 80, usize::MAX] {
            prints_back(text, width);
        }
        assert!(format(&parse(text), &Lines::with_width(LINE_WIDTH)).is_some());
    }
}

#[test]
fn every_prefix_has_few_mistakes() {
    for text in REALISTIC {
        for (end, _) in text.char_indices() {
            let prefix = text.get(..end).unwrap();
            let parse = holds(prefix);
            assert!(
                parse.errors.len() <= 2,
                "{prefix}\n{}",
                super::render(&parse)
            );
        }
    }
}
