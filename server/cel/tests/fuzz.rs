//! A short run of the fuzz targets: their corpus, and variations of it that are the same in
//! every run.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test, and what it shares with the fuzz targets"
)]

#[path = "../fuzz/src/harness.rs"]
#[expect(
    unreachable_pub,
    reason = "the fuzz targets, another crate, use it too"
)]
mod harness;

use cel::Env;
use cel::env::{EnvBuilder, Rules};
use std::fs;
use std::path::Path;

/// How many variations of the corpus are tried.
const VARIATIONS: u32 = 10_000;

/// The inputs that are kept for a target.
fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fuzz/corpus")
        .join(target);
    let files = fs::read_dir(folder).expect("a corpus");
    let mut inputs: Vec<Vec<u8>> = files
        .map(|file| fs::read(file.expect("a file").path()).expect("its bytes"))
        .collect();
    inputs.sort();
    assert!(!inputs.is_empty());
    inputs
}

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap_or_default() % end.max(1)
    }
}

/// A part of one input within another, with a byte changed.
fn vary(inputs: &[Vec<u8>], numbers: &mut Numbers) -> Vec<u8> {
    let mut pick = || {
        let input = &inputs[numbers.below(inputs.len())];
        let (one, other) = (
            numbers.below(input.len() + 1),
            numbers.below(input.len() + 1),
        );
        (input, one.min(other), one.max(other))
    };
    let (outer, start, end) = pick();
    let (inner, from, to) = pick();
    let mut made = outer[..start].to_vec();
    made.extend(&inner[from..to]);
    made.extend(&outer[end..]);
    if !made.is_empty() {
        let at = numbers.below(made.len());
        made[at] = u8::try_from(numbers.below(256)).unwrap_or_default();
    }
    made
}

fn run(target: &str, promise: impl Fn(&[u8])) {
    let inputs = corpus(target);
    for input in &inputs {
        promise(input);
    }
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    for _ in 0..VARIATIONS {
        promise(&vary(&inputs, &mut numbers));
    }
}

fn env() -> Env {
    let builder = cel::ext::PLAIN_CEL
        .into_iter()
        .fold(Env::builder(), EnvBuilder::library);
    let strict = Rules {
        specification: false,
        validates_constants: true,
        ..Rules::SPECIFICATION
    };
    builder
        .rules(strict)
        .build()
        .expect("the libraries are sound")
}

#[test]
fn any_text_is_read() {
    run("parse", harness::parse);
}

#[test]
fn any_text_is_checked() {
    let env = env();
    run("check", |input| harness::check(input, &env));
}

#[test]
fn any_text_runs_on_any_values() {
    let env = env();
    run("evaluate", |input| harness::evaluate(input, &env));
}
