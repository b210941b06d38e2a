//! The summary reports the result, regardless of the output of the runners.

use super::{Done, Outcome, summary};
use crate::error::Error;
use crate::outcome::Counts;
use expect_test::expect;
use std::time::Duration;

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

#[track_caller]
fn check(counts: Counts, passed: usize, failed: usize) {
    assert_eq!(counts, Counts { passed, failed });
}

#[test]
fn nextest_is_counted() {
    let text = "   Starting 10 tests\n     Summary [   0.052s] 10 tests run: 10 passed, 0 skipped";
    check(Counts::from_nextest(true, &lines(text)), 10, 0);
    let text =
        "     Summary [   1.1s] 10 tests run: 7 passed (1 slow), 2 failed, 1 timed out, 0 skipped";
    check(Counts::from_nextest(false, &lines(text)), 7, 3);
    let text = "     Summary [   1.1s] 3/10 tests run: 2 passed, 1 failed, 0 skipped";
    check(Counts::from_nextest(false, &lines(text)), 2, 1);
}

#[test]
fn cargo_is_counted() {
    let text = "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured\n\
                test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured";
    check(Counts::from_cargo(false, &lines(text)), 15, 2);
}

#[test]
fn what_cannot_be_built_is_a_failure() {
    check(Counts::from_nextest(false, &[]), 0, 1);
    check(
        Counts::from_cargo(false, &lines("error: could not compile")),
        0,
        1,
    );
}

fn done() -> Vec<Done> {
    let step = |name, outcome| Done {
        name,
        time: Duration::from_millis(1500),
        outcome,
    };
    let ran = Outcome::Ran(Counts {
        passed: 3,
        failed: 0,
    });
    vec![
        step("tests", Ok(ran)),
        step("lints", Err(Error::Failed("no clippy".into()))),
        step("editors", Ok(Outcome::Missing("no Neovim".into()))),
    ]
}

#[test]
fn what_is_missing_fails_only_in_ci() {
    let mut out = Vec::new();
    check(summary(&done(), false, &mut out).unwrap(), 3, 1);
    expect![[r#"

        == summary ==
        tests                   1.5 s  3 passed, 0 failed
        lints                   1.5 s  FAILED: no clippy
        editors                 1.5 s  NOT RUN: no Neovim
    "#]]
    .assert_eq(&String::from_utf8(out).unwrap());
    check(summary(&done(), true, &mut Vec::new()).unwrap(), 3, 2);
}
