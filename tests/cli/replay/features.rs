//! What needs a feature of the program: files in stores.

use super::{NO_LATEST, dump, policy};
use crate::project::Project;

#[cfg(not(feature = "s3"))]
#[test]
fn a_missing_feature_is_named() {
    let project = Project::new(&[
        ("p.yaml", policy("tags", "UPDATE", NO_LATEST)),
        ("pods.ndjson", dump()),
    ]);
    let check = |arguments: &[&str], expected: &str| {
        let run = project.run([&["replay", "p.yaml"], arguments].concat());
        assert_eq!((run.code, run.stdout.as_str()), (2, ""));
        assert!(run.stderr.contains(expected), "{}", run.stderr);
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
}
