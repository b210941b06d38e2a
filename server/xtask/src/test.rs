//! `cargo xtask test`: everything that must hold before a change lands.
//!
//! One command for people and for CI, so that a change that passes locally also passes in CI. It
//! continues after a step that fails, because other steps may also fail. Missing requirements are
//! reported; in CI (`CI` is set) it is a failure, since a test that is silently skipped proves
//! nothing.

#[cfg(test)]
mod tests;

use crate::error::Error;
use crate::outcome::{Counts, Outcome};
use crate::{editors, process, yaml_test_suite};
use clap::Args;
use std::io::Write;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// The options of the command.
#[derive(Args)]
pub(crate) struct Options {
    /// Leave out the tests in real editors.
    #[arg(long)]
    skip_editors: bool,
}

/// A step of the run: its name and its function.
struct TestStep {
    name: &'static str,
    run: fn(&mut dyn Write) -> Result<Outcome, Error>,
}

/// The workspace without the benchmarks, which pull in the peers that they compare with.
const PRODUCT: &[&str] = &["--workspace", "--exclude", "bench"];

const STEPS: &[TestStep] = &[
    TestStep {
        name: "formatting",
        run: |_| one(process::cargo(&["fmt", "--all", "--check"])),
    },
    TestStep {
        name: "lints",
        run: |_| lints(),
    },
    TestStep {
        name: "tests",
        run: tests_of_the_product,
    },
    TestStep {
        name: "documentation tests",
        run: |_| documentation(),
    },
    TestStep {
        name: "yaml-test-suite",
        run: yaml_test_suite::run,
    },
];

const EDITORS: TestStep = TestStep {
    name: "editors",
    run: |out| editors::run(process::tested_program(PRODUCT)?, out),
};

/// The outcome of a step.
struct Done {
    name: &'static str,
    time: Duration,
    outcome: Result<Outcome, Error>,
}

/// Runs every step and prints a summary.
///
/// # Errors
/// If a step failed, or a requirement is missing in CI.
pub(crate) fn run(options: &Options, out: &mut dyn Write) -> Result<(), Error> {
    // Downloads take time and little of the processor, so they run in parallel with the compiler.
    let set_up = (!options.skip_editors).then(|| thread::spawn(editors::set_up));
    let mut done = Vec::new();
    for step in STEPS {
        done.push(do_step(step, out)?);
    }
    if let Some(set_up) = set_up {
        out.write_all(&set_up.join().unwrap_or_default())?;
        done.push(do_step(&EDITORS, out)?);
    }
    let total = summary(&done, in_ci(), out)?;
    if options.skip_editors {
        writeln!(out, "left out: the tests in real editors")?;
    }
    writeln!(out, "{total}")?;
    match total.failed {
        0 => Ok(()),
        _ => Err(Error::Failed("not everything passed".into())),
    }
}

fn do_step(step: &TestStep, out: &mut dyn Write) -> Result<Done, Error> {
    writeln!(out, "\n== {} ==", step.name)?;
    out.flush()?;
    let start = Instant::now();
    let outcome = (step.run)(out);
    Ok(Done {
        name: step.name,
        time: start.elapsed(),
        outcome,
    })
}

/// Returns whether this runs on a CI machine, where all requirements must be available.
fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// Prints a line for each step. Returns the sum of all.
fn summary(done: &[Done], in_ci: bool, out: &mut dyn Write) -> Result<Counts, Error> {
    writeln!(out, "\n== summary ==")?;
    let mut total = Counts::default();
    for Done {
        name,
        time,
        outcome,
    } in done
    {
        let (counts, text) = match outcome {
            Ok(Outcome::Ran(counts)) => (*counts, counts.to_string()),
            Ok(Outcome::Missing(why)) if in_ci => (Counts::FAILED, format!("MISSING: {why}")),
            Ok(Outcome::Missing(why)) => (Counts::default(), format!("NOT RUN: {why}")),
            Err(error) => (Counts::FAILED, format!("FAILED: {error}")),
        };
        total = total.and(counts);
        writeln!(out, "{name:<20} {:>6.1} s  {text}", time.as_secs_f64())?;
    }
    Ok(total)
}

/// Returns a program that passes or fails as a whole.
fn one(command: Command) -> Result<Outcome, Error> {
    let passed = process::run(command)?.success();
    Ok(Outcome::Ran(Counts::one(passed)))
}

fn lints() -> Result<Outcome, Error> {
    let strict = ["--", "-D", "warnings"];
    let product = [&["clippy"], PRODUCT, &["--all-targets"], &strict].concat();
    let bench = [&["clippy", "-p", "bench", "--bins"][..], &strict].concat();
    let product = process::run(process::cargo(&product))?.success();
    let bench = process::run(process::cargo(&bench))?.success();
    Ok(Outcome::Ran(Counts::one(product).and(Counts::one(bench))))
}

fn tests_of_the_product(out: &mut dyn Write) -> Result<Outcome, Error> {
    if process::is_there(process::cargo(&["nextest", "--version"])) {
        let run = ["nextest", "run", "--no-fail-fast", "--status-level", "slow"];
        let (status, lines) = process::watch(process::cargo(&[&run, PRODUCT].concat()))?;
        return Ok(Outcome::Ran(Counts::from_nextest(status.success(), &lines)));
    }
    writeln!(
        out,
        "cargo-nextest is not installed: running the slower `cargo test`. \
         Install it with `cargo install cargo-nextest --locked`."
    )?;
    let run = [&["test", "--no-fail-fast", "--all-targets"], PRODUCT].concat();
    let (status, lines) = process::watch(process::cargo(&run))?;
    Ok(Outcome::Ran(Counts::from_cargo(status.success(), &lines)))
}

fn documentation() -> Result<Outcome, Error> {
    let run = [&["test", "--doc", "--quiet"], PRODUCT].concat();
    let (status, lines) = process::watch(process::cargo(&run))?;
    Ok(Outcome::Ran(Counts::from_cargo(status.success(), &lines)))
}
