//! Parsing an expression, compared with the peers.
//!
//! An editor parses every expression of a policy at every keystroke. Ours keeps comments, spans and
//! macros as written, and decodes constants; the peers expand macros. All three create a tree of
//! the whole expression for each sample. `cargo bench -p bench --bench parse`.

use divan::counter::BytesCount;
use divan::{Bencher, black_box};

/// The checks of a whole policy in one expression of about 4 KB.
const POLICY: &str = include_str!("../fixtures/restricted.cel");

/// The expressions, from small to large.
const EXPRESSIONS: [(&str, &str); 4] = [
    ("compare", "object.spec.replicas <= 5"),
    (
        "guard",
        "!has(object.spec.template.spec.hostNetwork) || object.spec.template.spec.hostNetwork == false",
    ),
    (
        "macros",
        "object.spec.template.spec.containers.all(c, params.registries.exists(r, c.image.startsWith(r + '/')))",
    ),
    ("policy", POLICY),
];

const NAMES: [&str; 4] = ["compare", "guard", "macros", "policy"];

/// The allocator of the product.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

fn expression(name: &str) -> &'static str {
    EXPRESSIONS
        .iter()
        .find(|(known, _)| *known == name)
        .map_or("", |(_, text)| text)
}

#[divan::bench(args = NAMES)]
fn ours(bencher: Bencher<'_, '_>, name: &str) {
    let text = expression(name);
    assert!(cel::parse(text).is_ok());
    bencher
        .counter(BytesCount::of_str(text))
        .bench(|| cel::parse(black_box(text)));
}

#[divan::bench(args = NAMES)]
fn cel_crate(bencher: Bencher<'_, '_>, name: &str) {
    let text = expression(name);
    let parse = |text: &str| {
        cel_peer::parser::Parser::default()
            .enable_optional_syntax(true)
            .parse(text)
    };
    assert!(parse(text).is_ok());
    bencher
        .counter(BytesCount::of_str(text))
        .bench(|| parse(black_box(text)));
}

#[divan::bench(args = NAMES)]
fn cel_core(bencher: Bencher<'_, '_>, name: &str) {
    let text = expression(name);
    assert!(cel_core::parser::parse(text).is_ok());
    bencher
        .counter(BytesCount::of_str(text))
        .bench(|| cel_core::parser::parse(black_box(text)));
}
