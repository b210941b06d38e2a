//! Shapes far beyond what a cluster has, in every feature of the server.

use crate::every_offset::ask_everything;
use crate::hostile::shown;
use crate::shape::{LINKS, SHAPES, Shape, chain};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::time::{Duration, Instant};

/// Limit: for all features on one file in a build without optimization.
const LONGEST: Duration = Duration::from_secs(30);

/// Requests every feature for a shape. The server must respond in time.
fn check_shape(shape: &Shape) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().build().unwrap();
    let started = Instant::now();
    runtime.block_on(async {
        let objects = format!("{}---\n{}", shape.object, shape.inputs);
        shown(&objects, &shape.policy).await;
        ask_everything(&shape.policy).await;
    });
    let took = started.elapsed();
    assert!(took < LONGEST, "{took:?}");
}

fn check<S: Strategy>(cases: u32, strategy: &S, show: impl Fn(S::Value)) {
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    });
    let run = |value| {
        show(value);
        Ok(())
    };
    runner.run(strategy, run).unwrap();
}

#[test]
fn every_shape_of_any_size_is_answered() {
    for (name, make) in SHAPES {
        eprintln!("{name}");
        let largest: usize = match name {
            "strings" => 100_000,
            "keys" | "lists" | "depths" | "parentheses" => 5_000,
            _ => 300,
        };
        check(2, &(1..largest), |size| check_shape(&make(size)));
    }
}

#[test]
fn every_chain_of_links_is_answered() {
    let links = prop::collection::vec(0..LINKS.len(), 1..200);
    check(24, &links, |links| {
        let link = |index: usize, it: &str| LINKS[links[index - 1]](it);
        check_shape(&chain("[1, 2]", links.len() + 1, link));
    });
}
