//! A short run of the targets: the inputs that are kept, and variations that are the same in every
//! run.

use fuzz::variation::Variations;
use fuzz::{corpus, run};

#[track_caller]
fn check(target: &str, variations: usize) {
    let inputs = corpus(target).unwrap_or_default();
    assert!(!inputs.is_empty());
    for input in &inputs {
        run(target, input);
    }
    let mut varied = Variations::new(inputs, 0x9e37_79b9_7f4a_7c15);
    for _ in 0..variations {
        run(target, &varied.next_input());
    }
}

#[test]
fn any_text_is_parsed() {
    check("parse", 5_000);
}

#[test]
fn any_text_is_checked() {
    check("check", 2_000);
}

#[test]
fn any_text_is_evaluated_on_any_values() {
    check("evaluate", 2_000);
}

#[test]
fn any_file_is_checked() {
    check("yaml", 200);
}

#[test]
fn any_inputs_are_evaluated() {
    check("inputs", 200);
}

#[test]
fn any_mutation_is_evaluated() {
    check("mutation", 200);
}

#[test]
fn any_message_has_its_answer() {
    check("protocol", 20);
}
