//! Every refactoring changes an expression in the same way in every scalar style.

use super::{refactorings, words};
use crate::file::SourceFile;
use crate::fixture::{policy, untyped_policy};
use text::{TextRange, TextSize, apply_edits};
use yaml::edit::single_quoted;

/// A style of an expression after its key, in a block mapping at column four.
type Style = (&'static str, fn(&str) -> String);

/// Writes an expression on several lines, each with the indentation of the block.
fn lines(header: &str, expression: &str) -> String {
    format!(
        "{header}\n        {}",
        expression.replace(" && ", " &&\n        ")
    )
}

fn double_quoted(expression: &str) -> String {
    format!(
        "\"{}\"",
        expression.replace('\\', "\\\\").replace('"', "\\\"")
    )
}

const BLOCK_STYLES: [Style; 9] = [
    ("plain", str::to_owned),
    ("plain on the next line", |it| format!("\n        {it}")),
    ("plain on several lines", |it| lines("", it)),
    ("single-quoted", single_quoted),
    ("double-quoted", double_quoted),
    ("double-quoted with an escape", |it| {
        double_quoted(it).replace('\'', "\\x27")
    }),
    ("literal", |it| lines("|", it)),
    ("folded", |it| lines(">-", it)),
    ("folded with an indicator", |it| lines(">2-", it)),
];

/// A refactoring: the beginning of its title, the text at the cursor, the expression, and its
/// surroundings.
struct Case {
    title: &'static str,
    cursor: &'static str,
    expression: &'static str,
    before: &'static str,
    after: &'static str,
    is_typed: bool,
}

const CASES: [Case; 6] = [
    Case {
        title: "Extract",
        cursor: "replicas > 1",
        expression: "object.spec.replicas > 1 && object.spec.replicas < 9 && '😀' != 'é'",
        before: "",
        after: "",
        is_typed: true,
    },
    Case {
        title: "Inline",
        cursor: "low && o",
        expression: "variables.low && object.spec.replicas > 1 && '😀' != 'é'",
        before: "  variables:\n    - name: low\n      expression: object.spec.replicas < 9 || object.spec.replicas > 99\n",
        after: "",
        is_typed: true,
    },
    Case {
        title: "Split",
        cursor: "name != 'é😀'",
        expression: "object.metadata.name != 'é😀' && object.metadata.name != 'b'",
        before: "",
        after: "",
        is_typed: true,
    },
    Case {
        title: "Join",
        cursor: "name != 'é😀'",
        expression: "object.metadata.name != 'é😀'",
        before: "",
        after: "    - expression: object.metadata.name != 'b'\n",
        is_typed: true,
    },
    Case {
        title: "Deny if",
        cursor: "size == '😀'",
        expression: "object.data.size == '😀' && object.metadata.name != 'b'",
        before: "",
        after: "",
        is_typed: false,
    },
    Case {
        title: "Add a `message`",
        cursor: "name != 'é😀'",
        expression: "object.metadata.name != 'é😀' && object.metadata.name != 'b'",
        before: "",
        after: "",
        is_typed: true,
    },
];

/// Returns the expressions and messages of the file after a refactoring. `None` if it is not
/// offered.
fn changed(case: &Case, written: &str) -> Option<Vec<String>> {
    let rest = format!("{}  validations:\n{written}{}", case.before, case.after);
    let text = if case.is_typed {
        policy(&rest)
    } else {
        untyped_policy(&rest)
    };
    // The text at the cursor without quotes, which a style may escape.
    let word = case.cursor.split(['\'', ' ']).next()?;
    let start = text.find("  validations:")?;
    let at = start + text.get(start..)?.find(&format!(".{word}"))? + 1;
    let file = SourceFile::new(&*text);
    let cursor = TextRange::empty(TextSize::new(u32::try_from(at).ok()?));
    let action = refactorings(&file, cursor)
        .into_iter()
        .into_iter()
        .find(|it| it.title.starts_with(case.title))?;
    let after = SourceFile::new(apply_edits(&text, &action.edits).unwrap());
    let expressions = after.policies().iter().flat_map(|document| {
        document.expressions().iter().map(|it| {
            let owner = document.node(it.owner);
            let message = owner.get("message").map_or("", yaml::Node::text);
            format!("{} {message}", words(it.text()))
        })
    });
    Some(expressions.collect())
}

#[test]
fn a_refactoring_is_the_same_in_every_block_style() {
    for case in &CASES {
        let plain = format!("    - expression: {}\n", case.expression);
        let expected = changed(case, &plain).unwrap_or_else(|| panic!("no {}", case.title));
        assert_ne!(expected, [format!("{} ", case.expression)]);
        for (style, write) in BLOCK_STYLES {
            let written = format!("    - expression: {}\n", write(case.expression));
            for written in [written.clone(), written.replace('\n', "\r\n")] {
                let found = changed(case, &written);
                assert_eq!(found.as_ref(), Some(&expected), "{} {style}", case.title);
            }
        }
    }
}

/// An entry in braces has no separate lines, so some refactorings are not offered there.
#[test]
fn a_refactoring_that_is_offered_in_braces_is_the_same() {
    let mut offered = 0;
    for case in &CASES {
        let plain = format!("    - expression: {}\n", case.expression);
        let expected = changed(case, &plain);
        for write in [single_quoted, double_quoted] {
            let written = format!("    - {{expression: {}}}\n", write(case.expression));
            let found = changed(case, &written);
            offered += usize::from(found.is_some());
            assert!(found.is_none() || found == expected, "{}", case.title);
        }
    }
    assert!(offered >= 6, "{offered}");
}
