//! `cargo xtask fleet`: replays on the engines that the page about fleets describes.
//!
//! Runs the code of the page on this machine: on a Spark cluster of several workers, in Ray, and
//! from an S3-compatible store. The results must be those of one replay. The engines come from PyPI
//! and have hundreds of megabytes, so that CI does not run them.

mod engines;
mod page;
mod store;

use crate::error::Error;
use crate::{process, repository};
use clap::{Args, ValueEnum};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The options of the command.
#[derive(Args)]
pub(crate) struct Options {
    /// Run only one of them.
    #[arg(long, value_enum)]
    only: Option<Engine>,
}

/// An engine of a replay, or a store of its files.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// A store from moto, which shards read as processes.
    S3,
    /// Spark, on a cluster of three workers. It needs Java.
    Spark,
    /// Ray.
    Ray,
}

/// The Python packages, in the versions that this was written for.
const PACKAGES: [&str; 3] = [
    "moto[server,s3]==5.2.5",
    "pyspark==4.3.0",
    "ray[data]==2.60.0",
];

/// The files of the dump, and the pods in each.
const FILES: usize = 4;
const PODS: usize = 3_000;

/// A policy whose findings depend on the object.
const POLICY: &str = "apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: tags}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [''], apiVersions: [v1], operations: [UPDATE], resources: [pods]}
  validations:
  - expression: object.spec.containers.all(c, !c.image.endsWith(':latest'))
    messageExpression: \"'moves: ' + object.spec.containers[0].image\"
";

/// The folder of the runs, with a dump and policies, and the program.
struct Fleet {
    folder: PathBuf,
    program: PathBuf,
}

/// Runs the engines.
///
/// # Errors
/// If one cannot be installed, or its result is not that of one replay.
pub(crate) fn run(options: &Options, out: &mut dyn Write) -> Result<(), Error> {
    let program = process::build(&["--features", "s3,parquet"])?;
    let fleet = Fleet::prepare(&repository::root().join(".cache/fleet"), program)?;
    fleet.install()?;
    for engine in [Engine::S3, Engine::Spark, Engine::Ray] {
        if options.only.is_some_and(|only| only != engine) {
            continue;
        }
        let result = match engine {
            Engine::S3 => store::run(&fleet)?,
            Engine::Spark => engines::spark(&fleet)?,
            Engine::Ray => engines::ray(&fleet)?,
        };
        writeln!(out, "{result}")?;
    }
    Ok(())
}

impl Fleet {
    /// Writes the dump and the policies.
    fn prepare(folder: &Path, program: PathBuf) -> Result<Self, Error> {
        for name in ["dump", "policies"] {
            let folder = folder.join(name);
            fs::create_dir_all(&folder).map_err(|source| Error::io("create", &folder, source))?;
        }
        repository::write(&folder.join("policies/tags.yaml"), POLICY)?;
        for file in 0..FILES {
            let path = folder.join(format!("dump/cluster-{file}.ndjson"));
            repository::write(&path, &pods(file))?;
        }
        Ok(Self {
            folder: folder.to_owned(),
            program,
        })
    }

    /// Installs the engines in a separate folder.
    fn install(&self) -> Result<(), Error> {
        let python = self.installed("python");
        if !python.is_file() {
            let mut venv = Command::new("python3");
            venv.args(["-m", "venv"]).arg(self.folder.join("venv"));
            process::output(venv)?;
        }
        let mut install = Command::new(python);
        install
            .args(["-m", "pip", "install", "--quiet"])
            .args(PACKAGES);
        process::output(install).map(drop)
    }

    /// Returns the path of an installed program.
    fn installed(&self, name: &str) -> PathBuf {
        self.folder.join("venv/bin").join(name)
    }

    /// Returns the program with arguments, run in the folder.
    fn replay(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.current_dir(&self.folder).arg("replay");
        command.args(arguments);
        command
    }

    /// Returns a path in the folder after removing any file there.
    fn removed(&self, name: &str) -> Result<PathBuf, Error> {
        let path = self.folder.join(name);
        if path.exists() {
            fs::remove_dir_all(&path).map_err(|source| Error::io("remove", &path, source))?;
        }
        Ok(path)
    }

    /// Returns the findings of one replay, without the positions of the objects.
    fn expected(&self) -> Result<Vec<String>, Error> {
        let arguments = ["policies", "dump", "--format=ndjson", "--fail-on=never"];
        findings(process::output(self.replay(&arguments))?.lines())
    }
}

/// Returns sorted lines of findings, without the positions of the objects: engines mix the lines of
/// files.
fn findings<'l>(lines: impl Iterator<Item = &'l str>) -> Result<Vec<String>, Error> {
    let line = |line: &str| {
        let mut finding: Value = serde_json::from_str(line)
            .map_err(|error| Error::Failed(format!("{error} in the result: {line}")))?;
        if let Some(finding) = finding.as_object_mut() {
            finding.retain(|key, _| !matches!(key.as_str(), "path" | "line" | "column"));
        }
        Ok(finding.to_string())
    };
    let mut findings: Vec<String> = lines.map(line).collect::<Result<_, Error>>()?;
    findings.sort_unstable();
    Ok(findings)
}

/// Returns the pods of a file, one per line. Every third is denied.
fn pods(file: usize) -> String {
    let mut pods = String::new();
    // A file has several chunks.
    let fill = "x".repeat(1_000);
    for number in 0..PODS {
        let tag = if number % 3 == 0 { "latest" } else { "1.0" };
        let image = format!("web-{}:{tag}", number % 7);
        let _ = writeln!(
            pods,
            "{{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{{\"name\":\"web-{number}\",\
             \"namespace\":\"cluster-{file}\",\"annotations\":{{\"fill\":\"{fill}\"}}}},\"spec\":\
             {{\"containers\":[{{\"name\":\"app\",\"image\":\"{image}\"}}]}}}}"
        );
    }
    pods
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_do_not_depend_on_places_and_order() {
        let lines = [
            r#"{"path":"a","line":2,"column":1,"name":"b"}"#,
            r#"{"path":"b","line":1,"column":1,"name":"a"}"#,
        ];
        let found = findings(lines.into_iter()).unwrap();
        assert_eq!(found, [r#"{"name":"a"}"#, r#"{"name":"b"}"#]);
        assert!(findings(["{"].into_iter()).is_err());
    }

    #[test]
    fn a_pod_is_an_object_on_a_line() {
        let pods = pods(1);
        assert_eq!(pods.lines().count(), PODS);
        let pod: Value = serde_json::from_str(pods.lines().nth(999).unwrap()).unwrap();
        assert_eq!(pod["spec"]["containers"][0]["image"], "web-5:latest");
    }
}
