//! Syntax errors: their positions and messages, each reported once.

mod foreign;
mod structure;
mod values;

use super::{parse, render};
use expect_test::Expect;

#[track_caller]
fn check(texts: &[&str], expected: &Expect) {
    let shown: Vec<String> = texts.iter().map(|text| render(&parse(text))).collect();
    // A snapshot shows NUL as a symbol, so that the file is not binary.
    expected.assert_eq(&shown.join("\n").replace('\0', "\u{2400}"));
}
