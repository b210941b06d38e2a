//! Shapes far beyond what a cluster has, in every command.

use super::variables::run_on;
use crate::shapes::{LINKS, SHAPES, Shape, chain};

#[track_caller]
fn run(shape: &Shape) {
    run_on(&shape.policy, &shape.inputs, &shape.object);
}

/// Runs every command on a shape of a size.
#[track_caller]
fn check(name: &str, size: usize) {
    let (_, make) = SHAPES.iter().find(|(it, _)| *it == name).unwrap();
    run(&make(size));
}

macro_rules! shapes {
    ($($name:ident: $size:literal;)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name), $size);
            }
        )*

        #[test]
        fn every_shape_is_checked() {
            assert_eq!([$(stringify!($name)),*], SHAPES.map(|(name, _)| name));
        }
    };
}

shapes! {
    parentheses: 20_000;
    conjunctions: 5_000;
    lists: 30_000;
    strings: 1_000_000;
    macros: 2_000;
    maps: 2_000;
    uses: 2_000;
    loops: 1_000;
    validations: 1_000;
    conditions: 500;
    depths: 20_000;
    keys: 20_000;
    inputs: 500;
    patches: 1_000;
    configurations: 200;
    rules: 500;
    schemas: 2_000;
    webhooks: 200;
    ternaries: 5_000;
    literals: 5_000;
    selections: 5_000;
    flows: 20_000;
    blocks: 20_000;
    aliases: 40;
    documents: 100;
    one_line: 1_000;
    comments: 1_000;
    properties: 300;
    combinations: 3_000;
    items: 3_000;
}

#[test]
fn chains_of_links() {
    for step in [1, 3] {
        let link = |index: usize, it: &str| LINKS[index * step % LINKS.len()](it);
        run(&chain("1", 200, link));
    }
}
