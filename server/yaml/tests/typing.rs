//! Types policies, and measures how much of them stays readable meanwhile.
//!
//! A language server sees a broken file most of the time. How well completions and findings on
//! other lines work depends on how much of it the parser keeps.

#[path = "typing/measure.rs"]
mod measure;

use measure::Score;

/// Checks a mean in percent against its floor.
#[track_caller]
fn check(score: &Score, floor: f64) -> f64 {
    let mean = score.mean();
    assert!(mean >= floor, "{mean:.2} %, worst {:?}", score.worst());
    mean
}

/// Checks the states of a file against the floors for typing it whole and line by line.
#[track_caller]
fn check_file(text: &str, prefixes: f64, lines: f64) -> f64 {
    check(&measure::prefixes(text), prefixes);
    check(&measure::lines(text), lines)
}

#[test]
fn policies_stay_readable_while_they_are_typed() {
    let means = [
        check_file(include_str!("typing/folded.yaml"), 100.0, 99.5),
        check_file(include_str!("typing/literal.yaml"), 99.9, 98.5),
        check_file(include_str!("typing/quoted.yaml"), 100.0, 97.0),
        check_file(include_str!("typing/flow.yaml"), 100.0, 96.0),
    ];
    let mean = means.iter().sum::<f64>() / means.len() as f64;
    assert!(mean >= 97.9, "{mean:.2} %");
}

#[test]
fn a_slip_on_a_new_line_leaves_the_others_alone() {
    let slips = [
        "mess",
        "message: \"foo",
        "message: 'it",
        "foo: [a, ",
        "foo: {a: ",
        "expression: >-",
        "foo: *",
        "&",
        "!",
        "@x",
        "%x",
        "a: b: c",
        "{{ if x }}",
        "\"",
        "'",
        "?",
        ": x",
        "foo:bar",
        "[",
        "{",
        "]",
        "}",
        ",",
        "`",
        "foo: - a",
        "foo: \"\\q\"",
        "foo: 'a' b",
        "\tfoo: x",
    ];
    for (text, floor) in [
        (include_str!("typing/folded.yaml"), 98.5),
        (include_str!("typing/literal.yaml"), 97.0),
        (include_str!("typing/quoted.yaml"), 97.0),
    ] {
        for slip in slips {
            check(&measure::insertions(text, slip), floor);
        }
    }
}
