//! All findings of a policy, from its source.
//!
//! An editor does this after every keystroke: parsing, compiling ten validations, the API
//! server's rules, the types of the kind that the policy matches, and every finding.
//! `cargo bench -p bench --bench diagnostics`.

use divan::{Bencher, black_box};
use ide::{LINE_WIDTH, Project, Settings, SourceFile, diagnose, formatting};
use std::sync::Arc;

/// A policy with ten validations of a Deployment.
const POLICY: &str = include_str!("policies/deployment.yaml");
/// A policy of 294 lines for four kinds, with fifty expressions.
const LARGE: &str = include_str!("../fixtures/policy.yaml");

/// The allocator of the product.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

/// Runs once per keystroke. The project was read before.
#[divan::bench(args = ["10 validations", "294 lines, 4 kinds"])]
fn policy(bencher: Bencher<'_, '_>, name: &str) {
    let text = match name {
        "10 validations" => POLICY,
        _ => LARGE,
    };
    let project = Arc::new(Project::default());
    let settings = Settings::default();
    bencher.bench(|| {
        let file = SourceFile::in_project(black_box(text), Arc::clone(&project));
        diagnose(&file, &settings)
    });
}

/// Runs when an author formats the large policy: every expression, and the proof that the edited
/// file has the same trees. The file was parsed before.
#[divan::bench]
fn format(bencher: Bencher<'_, '_>) {
    let text = LARGE.replace(" && ", "&&").replace(" == ", "==");
    let file = SourceFile::new(text);
    assert!(formatting(&file, LINE_WIDTH, None).changed > 0);
    bencher.bench(|| formatting(black_box(&file), LINE_WIDTH, None));
}
