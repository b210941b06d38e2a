//! Spark and Ray, which run `replay` as a pipe.

use super::{Fleet, findings, page};
use crate::error::Error;
use crate::{process, repository};
use std::env;
use std::path::Path;
use std::process::Command;

/// Three workers, each with a core and a gigabyte.
const CLUSTER: &str = "local-cluster[3,1,1024]";

/// The paths in the code of the page.
const SPARK_INPUT: &str = "s3a://dumps/*.ndjson";
const RAY_INPUT: &str = "s3://dumps/";
const RAY_OUTPUT: &str = "/results/findings";

/// Runs the code on a Spark cluster. Returns a sentence.
pub(super) fn spark(fleet: &Fleet) -> Result<String, Error> {
    let output = fleet.removed("spark-findings")?;
    let parquet = fleet.folder.join("findings.parquet");
    let written = ["--format=parquet", "--output", &text(&parquet)];
    let arguments = ["policies", "dump", "--fail-on=never"];
    process::output(fleet.replay(&[&arguments[..], &written].concat()))?;
    let code = spark_code(&text(&fleet.folder))?;
    let script = fleet.folder.join("spark.py");
    let check = compare_tables(&text(&output), &text(&parquet));
    repository::write(&script, &format!("{code}\n{check}"))?;
    archive(fleet)?;
    let mut submit = Command::new(fleet.installed("spark-submit"));
    submit
        .current_dir(&fleet.folder)
        .env("PYSPARK_PYTHON", fleet.installed("python"))
        .args(["--master", CLUSTER, "--files", &text(&fleet.program)])
        .args(["--archives", "policies.zip#policies"])
        .arg(script);
    process::output(submit)?;
    compare(fleet, "Spark", &parts(&output)?)
}

fn spark_code(folder: &str) -> Result<String, Error> {
    let input = format!("file://{folder}/dump/*.ndjson");
    page::code("Spark", &[(SPARK_INPUT, &input)])
}

/// Returns code that writes the findings, and that reads the Parquet file and expects the same.
fn compare_tables(output: &str, parquet: &str) -> String {
    let columns = "\"kind\", \"namespace\", \"name\"";
    let finding = "\"finding.policy\", \"finding.effect\", \"finding.message\"";
    format!(
        "findings.saveAsTextFile({output:?})\n\
         rows = table.selectExpr({columns}, \"explode(findings) AS finding\")\n\
         rows = rows.select({columns}, {finding})\n\
         read = spark.read.parquet({parquet:?}).select({columns}, \"policy\", \"effect\", \"message\")\n\
         assert read.count() > 0 and read.exceptAll(rows).isEmpty() and rows.exceptAll(read).isEmpty()\n"
    )
}

/// Packs the policies.
fn archive(fleet: &Fleet) -> Result<(), Error> {
    let mut zip = Command::new(fleet.installed("python"));
    zip.current_dir(fleet.folder.join("policies"));
    zip.args(["-m", "zipfile", "-c", "../policies.zip", "tags.yaml"]);
    process::output(zip).map(drop)
}

/// Runs the code in Ray. Returns a sentence.
pub(super) fn ray(fleet: &Fleet) -> Result<String, Error> {
    let output = fleet.removed("ray-findings")?;
    let script = fleet.folder.join("ray.py.txt");
    repository::write(&script, &ray_code(&text(&fleet.folder), &text(&output))?)?;
    let mut folders = vec![fleet.program.parent().unwrap_or(Path::new("")).to_owned()];
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    let path = env::join_paths(folders).map_err(|error| Error::Failed(error.to_string()))?;
    let mut python = Command::new(fleet.installed("python"));
    python
        .current_dir(&fleet.folder)
        .env("PATH", path)
        .arg(script);
    process::output(python)?;
    let lines: Vec<String> = parts(&output)?.lines().filter_map(finding_of_ray).collect();
    compare(fleet, "Ray", &lines.join("\n"))
}

fn ray_code(folder: &str, output: &str) -> Result<String, Error> {
    let input = format!("{folder}/dump/");
    let policies = format!("replay {folder}/policies -");
    let replaced = [
        (RAY_INPUT, input.as_str()),
        (RAY_OUTPUT, output),
        ("replay policies -", &policies),
    ];
    page::code("Ray", &replaced)
}

/// Returns the finding in a line that Ray writes.
fn finding_of_ray(line: &str) -> Option<String> {
    let line: serde_json::Value = serde_json::from_str(line).ok()?;
    line.get("finding")?.as_str().map(str::to_owned)
}

/// Returns the lines of all files in a folder.
fn parts(folder: &Path) -> Result<String, Error> {
    let files = repository::files(folder)?;
    let parts = files
        .iter()
        .filter(|(name, _)| !name.contains("/_") && !name.starts_with('_'));
    let mut lines = String::new();
    for (_, path) in parts.filter(|(name, _)| !name.ends_with(".crc")) {
        lines.push_str(&repository::read(path)?);
    }
    Ok(lines)
}

fn compare(fleet: &Fleet, engine: &str, lines: &str) -> Result<String, Error> {
    let (found, expected) = (findings(lines.lines())?, fleet.expected()?);
    if found == expected && !found.is_empty() {
        return Ok(format!("{engine}: {} objects with findings", found.len()));
    }
    let counts = format!("{} instead of {}", found.len(), expected.len());
    Err(Error::Failed(format!("{engine}: other findings, {counts}")))
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_the_code_to_run() {
        let spark = spark_code("/fleet").unwrap();
        assert!(
            spark.contains("textFile(\"file:///fleet/dump/*.ndjson\")"),
            "{spark}"
        );
        // The check below the code reads these variables.
        for name in ["findings =", "table =", "spark ="] {
            assert!(spark.contains(name), "{spark}");
        }
        let ray = ray_code("/fleet", "/out").unwrap();
        assert!(ray.contains("read_text(\"/fleet/dump/\")"), "{ray}");
        assert!(ray.contains("write_json(\"/out\")"), "{ray}");
    }

    #[test]
    fn a_finding_is_a_string_in_a_line() {
        let finding = finding_of_ray(r#"{"finding":"{\"a\": 1}"}"#);
        assert_eq!(finding.as_deref(), Some("{\"a\": 1}"));
    }
}
