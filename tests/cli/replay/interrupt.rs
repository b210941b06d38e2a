//! Ctrl-C while a replay is under way.

use super::{NO_LATEST, lines, pod, policy};
use crate::project::Project;
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Limit: a run that takes longer hangs. Far above what any run needs on a slow machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A replay that waits for more on standard input.
struct Replay {
    child: Child,
    /// Ends once all that there is was taken.
    writing: Option<JoinHandle<ChildStdin>>,
    /// Stays open.
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    _project: Project,
}

impl Replay {
    /// A replay of so many pods that are all denied, of which the end does not come.
    fn start(pods: usize, arguments: &[&str]) -> Self {
        let project = Project::new(&[("p.yaml", policy("tags", "UPDATE", NO_LATEST))]);
        let pods = (0..pods).map(|index| pod(&format!("pod-{index}"), "a:latest"));
        let text = lines(&pods.collect::<Vec<_>>());
        let mut command = project.command();
        let mut child = command
            .args(["replay", "p.yaml", "-"])
            .args(arguments)
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        Self {
            writing: Some(thread::spawn(move || {
                // An interrupted program does not read everything.
                let _ = stdin.write_all(text.as_bytes());
                stdin
            })),
            stdin: None,
            stdout: BufReader::new(child.stdout.take().unwrap()),
            child,
            _project: project,
        }
    }

    /// Waits until all that there is was taken.
    fn wait(&mut self) {
        let writing = self.writing.take().unwrap();
        self.stdin = Some(writing.join().unwrap());
    }

    fn first_line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line
    }

    fn interrupt(&self) {
        let id = self.child.id().to_string();
        let sent = Command::new("kill").args(["-INT", &id]).status().unwrap();
        assert!(sent.success());
    }

    /// Waits for the end. Gives the exit code and the rest of both outputs.
    fn end(mut self) -> (Option<i32>, String, String) {
        let mut stderr = self.child.stderr.take().unwrap();
        let mut stdout = self.stdout;
        let reading = thread::spawn(move || {
            let mut text = String::new();
            stdout.read_to_string(&mut text).unwrap();
            text
        });
        let code = end(&mut self.child);
        let mut errors = String::new();
        stderr.read_to_string(&mut errors).unwrap();
        (code, reading.join().unwrap(), errors)
    }
}

/// The exit code. `None` for a program that a signal has ended.
fn end(child: &mut Child) -> Option<i32> {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("the run did not end within {PATIENCE:?}");
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// More than waits in pipes: when it was taken, the program has begun.
const SOME: usize = 12_000;

#[test]
fn an_interrupted_replay_says_what_it_has_found() {
    let mut replay = Replay::start(SOME, &["--format", "ndjson"]);
    let first = replay.first_line();
    assert!(first.contains("pod-0"), "{first}");
    replay.interrupt();
    let (code, rest, errors) = replay.end();
    assert_eq!(code, Some(130));
    let count = rest.lines().count() + 1;
    for line in rest.lines() {
        let _: Value = serde_json::from_str(line).unwrap();
    }
    let mut digits = count.to_string();
    digits.insert(digits.len() - 3, ',');
    assert_eq!(
        errors,
        format!("warning: interrupted after {digits} objects; the others were not evaluated\n")
    );
}

#[test]
fn a_summary_says_that_it_is_partial() {
    let mut replay = Replay::start(SOME, &[]);
    replay.wait();
    replay.interrupt();
    let (code, output, errors) = replay.end();
    assert_eq!(code, Some(130));
    let last = output.lines().last().unwrap();
    assert!(last.contains(" before the interruption: "), "{last}");
    assert!(
        errors.starts_with("warning: interrupted after "),
        "{errors}"
    );

    let mut replay = Replay::start(SOME, &["--format", "json"]);
    replay.wait();
    replay.interrupt();
    let (code, output, _) = replay.end();
    assert_eq!(code, Some(130));
    let output: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(output["summary"]["partial"], true);
    assert!(output["summary"]["objects"].as_u64().unwrap() <= SOME as u64);
}

#[test]
fn a_second_interrupt_ends_it_at_once() {
    let mut replay = Replay::start(SOME, &["--format", "ndjson"]);
    // The output is not read further, so the program cannot write its results.
    replay.first_line();
    replay.interrupt();
    thread::sleep(Duration::from_millis(300));
    assert!(replay.child.try_wait().unwrap().is_none());
    replay.interrupt();
    assert_eq!(end(&mut replay.child), Some(130));
}
