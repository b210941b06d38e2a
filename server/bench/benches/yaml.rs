//! Parsing manifests, compared with a parser that only yields events.
//!
//! A check of a repository parses every manifest in it, and an editor its file at every keystroke.
//! Ours builds the tree with positions and decoded scalars; `granit-parser` is the strict
//! parser with byte spans and builds nothing. `cargo bench -p bench --bench yaml`.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};
use std::sync::Arc;

/// A policy with folded, quoted and plain expressions.
const POLICY: &str = include_str!("../fixtures/policy.yaml");

/// The allocator of the product.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// Returns the files: a policy, the same policy with a quote that is not closed in the middle, and
/// a stream of many.
fn file(name: &str) -> Arc<str> {
    match name {
        "policy" => POLICY.into(),
        "broken" => {
            let middle = POLICY.len() / 2;
            let line = POLICY.get(..middle).and_then(|text| text.rfind('\n'));
            let (before, after) = POLICY.split_at(line.unwrap_or(0));
            format!("{before}\n  \"{after}").into()
        }
        _ => vec![POLICY; 100].join("\n---\n").into(),
    }
}

#[divan::bench(args = ["policy", "broken", "stream"])]
fn ours(bencher: Bencher<'_, '_>, name: &str) {
    let text = file(name);
    assert_eq!(
        yaml::parse(Arc::clone(&text)).errors().is_empty(),
        name != "broken"
    );
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| yaml::parse(black_box(Arc::clone(&text))));
}

#[divan::bench(args = ["policy", "stream"])]
fn granit_parser(bencher: Bencher<'_, '_>, name: &str) {
    let text = file(name);
    let events = |text: &str| {
        granit_parser::Parser::new_from_str(text)
            .filter(Result::is_ok)
            .count()
    };
    assert!(events(&text) > 100);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| events(black_box(&text)));
}

#[divan::bench(args = ["policy", "stream"])]
fn split(bencher: Bencher<'_, '_>, name: &str) {
    let text = file(name);
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| yaml::split(black_box(&text)).count());
}
