//! What needs a feature of the program: files in stores, and tables.

use super::{NO_LATEST, dump, policy};
use crate::project::Project;

#[cfg(not(any(feature = "s3", feature = "parquet")))]
#[test]
fn a_missing_feature_is_named() {
    let project = Project::new(&[
        ("p.yaml", policy("tags", "UPDATE", NO_LATEST)),
        ("pods.ndjson", dump()),
    ]);
    let check = |arguments: &[&str], expected: &str| {
        let run = project.run([&["replay", "p.yaml"], arguments].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        run.reports(expected);
    };
    let message = |name: &str| {
        format!(
            "this program was built without the feature `{name}`; build it with `cargo build \
             --release --features {name}`"
        )
    };
    check(
        &["s3://dumps/pods.ndjson"],
        &format!("s3://dumps/pods.ndjson: {}", message("s3")),
    );
    let table = ["pods.ndjson", "--format=parquet", "--output=t.parquet"];
    check(&table, &format!("t.parquet: {}", message("parquet")));
    assert!(!project.path().join("t.parquet").exists());
}

#[test]
fn a_table_needs_a_file_and_lines_do_not() {
    let project = Project::new(&[
        ("p.yaml", policy("tags", "UPDATE", NO_LATEST)),
        ("pods.ndjson", dump()),
    ]);
    let table = project.run(["replay", "p.yaml", "pods.ndjson", "--format=parquet"]);
    assert_eq!((table.code, table.stdout.as_str()), (2, ""));
    table.reports("--output <FILE>");
    let json = ["--format=json", "--output=out.json"];
    let json = project.run([&["replay", "p.yaml", "pods.ndjson"], &json[..]].concat());
    assert_eq!(json.code, 2);
    let message = "error: out.json: `--output` is for `--format parquet`";
    json.reports(message);
}
