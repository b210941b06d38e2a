//! The cursor is found in the text of its expression, however it is written.

use super::*;
use crate::fixture::{Fixture, policy};

/// Returns the part of the expression before the cursor.
fn before(expression: &str) -> Option<String> {
    let source = policy(&format!(
        "  validations:\n    - expression: {expression}\n      reason: Invalid\n"
    ));
    let fixture = Fixture::parse(&source);
    let file = SourceFile::new(fixture.text.as_str());
    let target = Target::at(&file, fixture.cursor?)?;
    let text = target.text().get(..target.offset as usize)?;
    Some(text.to_owned())
}

#[test]
fn every_style_leads_to_the_text() {
    assert_eq!(before("a.b$0.c").as_deref(), Some("a.b"));
    assert_eq!(before("'a == ''b$0'''").as_deref(), Some("a == 'b"));
    assert_eq!(before("\"'\\u00e9😀$0' == b\"").as_deref(), Some("'é😀"));
    assert_eq!(
        before(">-\n        a &&\n        b$0").as_deref(),
        Some("a && b")
    );
    assert_eq!(
        before("|\r\n        a &&\r\n        b$0 &&\r\n        c").as_deref(),
        Some("a &&\nb")
    );
}

#[test]
fn white_space_behind_the_text_belongs_to_it() {
    assert_eq!(before("a == $0").as_deref(), Some("a =="));
    assert_eq!(
        before("|\n        a ==\n        $0").as_deref(),
        Some("a ==\n")
    );
    assert_eq!(before("$0").as_deref(), Some(""));
}

#[test]
fn what_is_beside_is_outside() {
    assert_eq!(before("true # a$0"), None);
    assert_eq!(before("true\n    $0"), None);
    assert_eq!(before("$0'true'"), None);
    assert_eq!(before("\"'\\u00$0e9' == a\""), None);
}
