//! Figures are read and written as they are.

use super::measure::{Check, Latency, parse};
use super::page;
use expect_test::expect;

#[test]
fn a_tree_of_divan_is_read() {
    let text = "\
Timer precision: 20 ns
parse                fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ four_kilobytes                  │               │               │               │         │
│  ├─ admissible     12.1 µs       │ 20.3 µs       │ 12.5 µs       │ 12.9 µs       │ 100     │ 100
│  │                 330 MB/s      │ 201 MB/s      │ 327 MB/s      │ 317 MB/s      │         │
│  ╰─ cel            301.2 µs      │ 410.9 µs      │ 310.4 µs      │ 312.1 µs      │ 100     │ 100
╰─ small             90 ns         │ 110 ns        │ 95 ns         │ 96 ns         │ 100     │ 6400
";
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let read = parse(&lines)
        .into_iter()
        .map(|it| format!("{}: {}", it.name, it.median));
    expect![[r#"
        parse / four_kilobytes / admissible: 12.5 µs
        parse / four_kilobytes / cel: 310.4 µs
        parse / small: 95 ns"#]]
    .assert_eq(&read.collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_table_replaces_the_one_before() {
    let latency = Latency {
        initialize: 12.3,
        open: 4.56,
        p50: 1.0,
        p99: 2.345,
        memory: Some(17),
    };
    let check = Check {
        time: 1234.5,
        memory: None,
        exit: Some(0),
    };
    let table = page::table(&[], &[("Admissible".into(), latency)], &check);
    let old = "# Benchmarks\n<!-- begin: cargo xtask bench --write -->\nold\n<!-- end -->\nafter\n";
    let new = page::with_table(old, &table).unwrap();
    expect![[r#"
        # Benchmarks
        <!-- begin: cargo xtask bench --write -->
        | what | figure |
        |---|---|
        | Admissible: change to findings | p50 1.00 ms, p99 2.35 ms |
        | Admissible: start, open to findings | 12 ms, 4.6 ms |
        | Admissible: memory | 17 MB |
        | `admissible check`, 5,000 files of 26 MB, one in ten a policy | 1.23 s |
        | `admissible check`, peak memory | not measured on this system |
        <!-- end -->
        after
    "#]]
    .assert_eq(&new);
    assert!(page::with_table("# Benchmarks\n", &table).is_err());
}
