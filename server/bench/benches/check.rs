//! Checking an expression, compared with the peer that has a checker.
//!
//! An editor checks every expression of a policy at every keystroke, in the environment of its
//! field. Both start from a parsed expression and an existing environment; ours also expands
//! macros, which the peer does in its parser. `cargo bench -p bench --bench check`.

mod expressions;

use divan::{Bencher, black_box};
use expressions::{CASES, expression};

/// Returns the expressions that the peer accepts: it does not resolve the types of the elements of
/// `dyn`, so it rejects two of them. The number of elements makes no difference here.
fn accepted() -> impl Iterator<Item = &'static str> {
    let rest = ["containers-1000", "labels-50", "nested-100x100"];
    CASES.into_iter().filter(move |case| !rest.contains(case))
}

/// The allocator of the product.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

#[divan::bench(args = accepted())]
fn ours(bencher: Bencher<'_, '_>, name: &str) {
    let builder = cel::Env::builder()
        .rules(policy::environment::rules(policy::environment::NEWEST))
        .library(&cel::stdlib::LIBRARY)
        .variable("object", cel::Type::Dyn)
        .variable("params", cel::Type::Dyn);
    let Ok(env) = builder.build() else {
        unreachable!("the standard library can be read")
    };
    let parsed = cel::parse(&expression(name));
    let checked = cel::check::check(&parsed.ast, &env);
    assert!(checked.is_ok(), "{:?}", checked.errors());
    bencher.bench(|| cel::check::check(black_box(&parsed.ast), &env));
}

#[divan::bench(args = accepted())]
fn cel_core(bencher: Bencher<'_, '_>, name: &str) {
    use cel_core::{CelType, Env};
    let env = Env::with_standard_library()
        .with_variable("object", CelType::Dyn)
        .with_variable("params", CelType::Dyn);
    let parsed = env.parse(&expression(name));
    let Some(tree) = parsed.ast else {
        unreachable!("{name} is an expression")
    };
    assert!(env.check(&tree).is_ok(), "{name}");
    bencher.bench(|| env.check(black_box(&tree)));
}
