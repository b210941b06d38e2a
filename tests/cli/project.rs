//! A directory with files, and the binary run in it.

use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// Limit: a run that takes longer hangs. Far above what any run needs on a slow machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// A policy that nothing is wrong with.
pub(crate) const GOOD: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata:
  name: replica-limit
spec:
  matchConstraints:
    resourceRules:
      - apiGroups: [apps]
        apiVersions: [v1]
        operations: [CREATE, UPDATE]
        resources: [deployments]
  validations:
    - expression: object.spec.replicas <= 5
";

/// The same with an unclosed parenthesis, which is an error.
pub(crate) fn bad() -> String {
    GOOD.replace("object.spec.replicas <=", "(object.spec.replicas <=")
}

/// The same with a variable that is never used, which is a warning.
pub(crate) fn suspicious() -> String {
    GOOD.replace(
        "  validations:",
        "  variables:\n    - name: unused\n      expression: '1'\n  validations:",
    )
}

/// A directory of its own.
pub(crate) struct Project {
    directory: TempDir,
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// Checks that standard output contains a string.
    #[track_caller]
    pub(crate) fn prints(&self, text: &str) {
        assert!(self.stdout.contains(text), "{text}\n{}", self.stdout);
    }

    /// Checks that standard error contains a string.
    #[track_caller]
    pub(crate) fn reports(&self, text: &str) {
        assert!(self.stderr.contains(text), "{text}\n{}", self.stderr);
    }
}

impl Project {
    /// A directory with these files.
    pub(crate) fn new<T: AsRef<[u8]>>(files: &[(&str, T)]) -> Self {
        let project = Self {
            directory: tempfile::tempdir().unwrap(),
        };
        for (path, content) in files {
            project.write(path, content);
        }
        project
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Runs the binary here.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Run {
        self.run_with_input(arguments, b"")
    }

    /// Runs the binary here, with something on standard input.
    pub(crate) fn run_with_input<S: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = S>,
        input: &[u8],
    ) -> Run {
        let mut command = self.command();
        command.args(arguments);
        finish(command.spawn().unwrap(), input)
    }

    /// The binary, to be run here.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_admissible"));
        self.prepare(&mut command);
        command
    }

    /// Lets a command run here, with streams of its own.
    pub(crate) fn prepare(&self, command: &mut Command) {
        command
            .current_dir(self.path())
            .env_remove("NO_COLOR")
            .env_remove("CLICOLOR")
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
    }

    /// Returns the output of `check --format json`.
    pub(crate) fn json<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Value {
        let mut command = self.command();
        command.args(["check", "--format", "json"]).args(arguments);
        let run = finish(command.spawn().unwrap(), b"");
        serde_json::from_str(&run.stdout).unwrap()
    }
}

/// Waits for the end of a run, but not for ever.
pub(crate) fn finish(mut child: Child, input: &[u8]) -> Run {
    let (mut stdin, mut stdout, mut stderr) = (
        child.stdin.take().unwrap(),
        child.stdout.take().unwrap(),
        child.stderr.take().unwrap(),
    );
    let input = input.to_vec();
    // A program that needs no input may have ended before it is written.
    thread::spawn(move || drop(stdin.write_all(&input)));
    let errors = thread::spawn(move || read(&mut stderr));
    let (sender, output) = mpsc::channel();
    thread::spawn(move || sender.send(read(&mut stdout)));
    let Ok(stdout) = output.recv_timeout(PATIENCE) else {
        child.kill().unwrap();
        panic!("the run did not end within {PATIENCE:?}");
    };
    let status = child.wait().unwrap();
    Run {
        code: status.code().unwrap_or(-1),
        stdout,
        stderr: errors.join().unwrap(),
    }
}

fn read(stream: &mut dyn Read) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}
