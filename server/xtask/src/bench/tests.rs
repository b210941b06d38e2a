//! Figures are read and written exactly.

use super::instructions::{self, Counted, references};
use super::measure::{Check, Curve, Function, Growth, Keystroke, Latency, Live, Replay, parse};
use super::page::{self, OwnFigures};
use expect_test::expect;
use serde_json::json;

fn functions() -> Vec<Function> {
    let text = "\
Timer precision: 17 ns
diagnostics    fastest       │ slowest       │ median        │ mean          │ samples │ iters
╰─ all         350.3 µs      │ 380.3 µs      │ 360.3 µs      │ 361.3 µs      │ 100     │ 200
Timer precision: 17 ns
parse          fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ cel_crate                 │               │               │               │         │
│  ├─ compare  8.185 µs      │ 6.793 ms      │ 8.658 µs      │ 76.92 µs      │ 100     │ 100
│  │           3.054 MB/s    │ 3.68 KB/s     │ 2.887 MB/s    │ 325 KB/s      │         │
│  ╰─ policy   1.052 ms      │ 41.5 ms       │ 1.398 ms      │ 4.882 ms      │ 100     │ 100
│              3.827 MB/s    │ 97.1 KB/s     │ 2.881 MB/s    │ 825.4 KB/s    │         │
╰─ ours                      │               │               │               │         │
   ├─ compare  350.3 ns      │ 28.26 µs      │ 360.3 ns      │ 745.2 ns      │ 100     │ 200
   │           71.35 MB/s    │ 884.4 KB/s    │ 69.37 MB/s    │ 33.54 MB/s    │         │
   ╰─ policy   43.88 µs      │ 8.181 ms      │ 49.56 µs      │ 131.9 µs      │ 100     │ 100
               91.83 MB/s    │ 492.5 KB/s    │ 81.31 MB/s    │ 30.54 MB/s    │         │
";
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    parse(&lines)
}

fn latency(factor: f64) -> Latency {
    Latency {
        initialize: 12.3 * factor,
        open: 4.56 * factor,
        p50: factor,
        p99: 2.345 * factor,
        memory: Some(17),
    }
}

#[test]
fn the_medians_of_divan_are_read() {
    let read = functions()
        .into_iter()
        .map(|it| format!("{} {} {} {}", it.bench, it.name, it.case, it.nanoseconds));
    expect![[r#"
        diagnostics all  360300
        parse cel_crate compare 8658
        parse cel_crate policy 1398000
        parse ours compare 360.3
        parse ours policy 49560"#]]
    .assert_eq(&read.collect::<Vec<_>>().join("\n"));
}

fn alone() -> OwnFigures {
    let check = |time| Check {
        time,
        memory: None,
        exit: Some(0),
    };
    let live = |p50| Live {
        p50,
        p99: 2.0 * p50,
        fewest: 1,
    };
    let keystroke = |p50| Keystroke {
        p50,
        p99: 2.0 * p50,
    };
    OwnFigures {
        keystrokes: [keystroke(1.5), keystroke(8.0)],
        live: [live(2.66), live(9.86)],
        requests: serde_json::from_value(json!({
            "textDocument/completion": { "p50": 1.0, "p99": 2.5 },
            "textDocument/hover": { "p50": 0.5, "p99": 1.5 },
            "textDocument/codeAction": { "p50": 3.0, "p99": 9.0 },
            "textDocument/codeLens": { "p50": 4.0, "p99": 5.0 },
        }))
        .unwrap(),
        checks: [check(1234.5), check(6.78)],
        growth: Growth {
            curves: vec![Curve {
                name: "rules".to_owned(),
                times: vec![(10, 3.21), (100, 7.0)],
            }],
            large: check(59.4),
        },
        replay: Replay {
            time: 4690.0,
            memory: Some(32),
            exit: Some(0),
            objects: 100_000,
        },
    }
}

#[test]
fn the_table_replaces_the_one_before() {
    let (ours, theirs) = (latency(1.0), latency(200.0));
    let table = page::table(&functions(), &ours, Some(("other", &theirs)), &alone());
    let old = "# Benchmarks\n<!-- begin: cargo xtask bench --write -->\nold\n<!-- end -->\nafter\n";
    let new = page::with_table(old, &table).unwrap();
    expect![[r#"
        # Benchmarks
        <!-- begin: cargo xtask bench --write -->
        | measurement | Admissible | peers |
        |---|---|---|
        | diagnostics / all, median | 360.3 µs |  |
        | parse `object.spec.replicas <= 5`, median | 360 ns | `cel` 8.7 µs (24.0×) |
        | parse a 4 KB expression, median | 49.6 µs | `cel` 1.40 ms (28.2×) |
        | from a change to its findings, median | 1.0 ms | other 200.0 ms (200×) |
        | from a change to its findings, 99th percentile | 2.3 ms | other 469.0 ms (200×) |
        | from opening a file to its findings | 4.6 ms | other 912.0 ms (200×) |
        | server startup | 12.3 ms | other 2460.0 ms (200×) |
        | server memory | 17 MB | other 17 MB |
        | keystroke in a 294-line policy for four kinds, median and 99th percentile | 1.5 ms, 3.0 ms |  |
        | the same in a policy with 1,000 validations | 8.0 ms, 16.0 ms |  |
        | completion or hover in the 294-line policy, slowest method (`textDocument/completion`), median and 99th percentile | 1.0 ms, 2.5 ms |  |
        | any other request in the 294-line policy, slowest method (`textDocument/codeAction`), median and 99th percentile | 3.0 ms, 9.0 ms |  |
        | from a change to live values in a policy with ten validations, median and 99th percentile | 2.7 ms, 5.3 ms |  |
        | the same in a 294-line policy for four kinds | 9.9 ms, 19.7 ms |  |
        | `check` of 5,000 files (26 MB), one in ten of them a policy | 1.23 s |  |
        | the same, peak memory | not measured |  |
        | `check` of a policy with ten validations, including process startup | 6.8 ms |  |
        | `replay` of 100,000 pods (456 MB) against ten policies | 4.7 s, 21,000 objects per second |  |
        | the same, peak memory | 32 MB |  |
        | `check` of a 1.4 MB CustomResourceDefinition with 103 rules | 59 ms |  |
        | `check` of 10, 100 rules | 3.2, 7.0 ms |  |
        <!-- end -->
        after
    "#]]
    .assert_eq(&new);
    assert!(page::with_table("# Benchmarks\n", &table).is_err());
}

#[test]
fn the_instructions_of_cachegrind_are_read() {
    let report = "==7== Cachegrind\n==7== \n==7== I   refs:      1,234,567\n";
    assert_eq!(references(report), Some(1_234_567.0));
    assert_eq!(references("==7== I refs:        89\n"), Some(89.0));
    assert_eq!(references("valgrind: no such file\n"), None);
}

#[test]
fn a_row_is_slower_beyond_its_spread_and_the_tolerance() {
    let row = |name, counts: [f64; 3]| Counted {
        name,
        counts: counts.to_vec(),
    };
    let base = [
        row("same", [100.0, 100.0, 100.0]),
        row("noisy", [100.0, 104.0, 98.0]),
        row("slower", [100.0, 100.5, 100.0]),
        row("faster", [100.0, 100.0, 100.0]),
    ];
    let ours = [
        row("same", [100.9, 100.9, 100.9]),
        row("noisy", [106.0, 106.0, 106.0]),
        row("slower", [102.0, 102.0, 102.0]),
        row("faster", [50.0, 50.0, 50.0]),
    ];
    let (table, slower) = instructions::compare(&base, &ours);
    assert_eq!(slower, ["slower"]);
    expect![[r#"
        | instructions of | base | now | change | spread |
        |---|---|---|---|---|
        | same | 100 | 101 | +0.9% | 0.0% |
        | noisy | 100 | 106 | +6.0% | 6.0% |
        | slower | 100 | 102 | +2.0% | 0.5% |
        | faster | 100 | 50 | -50.0% | 0.0% |
    "#]]
    .assert_eq(&table);
}
