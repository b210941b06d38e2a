//! The GitHub Action: the shell steps of its `action.yml`, run as a runner does.

use crate::project::{GOOD, Project, Run, bad, finish};
use std::fs;
use std::path::Path;
use std::process::Command;

const ACTION: &str = include_str!("../../deploy/github-action/action.yml");

/// Returns the script of a step.
fn script(step: &str) -> String {
    let (_, rest) = ACTION.split_once(&format!("    - name: {step}\n")).unwrap();
    let (_, rest) = rest.split_once("      run: |\n").unwrap();
    let lines = rest.lines();
    let lines = lines.take_while(|line| line.is_empty() || line.starts_with("        "));
    let lines: Vec<&str> = lines.map(|it| it.get(8..).unwrap_or("")).collect();
    lines.join("\n")
}

/// Returns the environment of a step: names, and values with the inputs in them.
fn environment(step: &str, inputs: &[(&str, &str)]) -> Vec<(String, String)> {
    let (_, rest) = ACTION.split_once(&format!("    - name: {step}\n")).unwrap();
    let (_, rest) = rest.split_once("      env:\n").unwrap();
    let lines = rest.lines().take_while(|line| line.starts_with("        "));
    let variables = lines.map(|line| {
        let (name, value) = line.trim().split_once(": ").unwrap();
        let input = value.strip_prefix("${{ inputs.");
        let input = input.and_then(|it| it.strip_suffix(" }}"));
        let value = input.map_or(value, |input| value_of(input, inputs));
        (name.to_owned(), value.to_owned())
    });
    variables.collect()
}

/// Returns the value of an input: the given one, or its default.
fn value_of<'a>(input: &str, inputs: &[(&str, &'a str)]) -> &'a str {
    if let Some((_, value)) = inputs.iter().find(|(name, _)| *name == input) {
        return value;
    }
    let (_, rest) = ACTION.split_once(&format!("\n  {input}:\n")).unwrap();
    let (_, rest) = rest.split_once("    default: ").unwrap();
    rest.lines().next().unwrap().trim_matches('\'')
}

/// Runs a step in a project. `more` overrides its environment.
fn run(project: &Project, step: &str, inputs: &[(&str, &str)], more: &[(&str, &str)]) -> Run {
    let program = Path::new(env!("CARGO_BIN_EXE_admissible"));
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", program.parent().unwrap().display());
    let mut command = Command::new("bash");
    project.prepare(&mut command);
    let script = script(step);
    command
        .args(["--noprofile", "--norc", "-c", &script])
        .env("PATH", path)
        .env("RUNNER_TEMP", project.path().join("runner"))
        .env("GITHUB_PATH", project.path().join("path.txt"))
        .env("GITHUB_STEP_SUMMARY", project.path().join("summary.md"))
        .envs(environment(step, inputs))
        .envs(more.iter().copied());
    finish(command.spawn().unwrap(), b"")
}

#[test]
fn findings_are_annotations_a_summary_and_sarif() {
    let project = Project::new(&[("a b/bad.yaml", bad()), ("good.yaml", GOOD.to_owned())]);
    let inputs = [("sarif", "out.sarif"), ("paths", "a b/*.yaml\ngood.yaml")];
    let checked = run(&project, "Check", &inputs, &[]);
    assert_eq!(checked.code, 1, "{checked:?}");
    assert!(
        checked
            .stdout
            .starts_with("::error file=a b/bad.yaml,line=13"),
        "{checked:?}"
    );
    let summary = fs::read_to_string(project.path().join("summary.md")).unwrap();
    assert!(summary.starts_with("## Admissible\n\n"), "{summary}");
    assert!(summary.contains("| error | a b/bad.yaml:13:"), "{summary}");
    assert!(summary.contains("1 error in 1 of 2 files"), "{summary}");
    let sarif = fs::read_to_string(project.path().join("out.sarif")).unwrap();
    let sarif: serde_json::Value = serde_json::from_str(&sarif).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "cel-syntax");
}

#[test]
fn the_inputs_are_options() {
    let project = Project::new(&[("bad.yaml", bad())]);
    let passed = run(&project, "Check", &[("fail-level", "never")], &[]);
    assert_eq!(passed.code, 0, "{passed:?}");
    let wrong = run(&project, "Check", &[("kubernetes", "9.9")], &[]);
    assert_eq!(wrong.code, 2, "{wrong:?}");
}

/// Writes a release with an archive for Linux, and gives the address of the releases.
fn release(project: &Project) -> String {
    let folder = project.path().join("releases/v9.9.9");
    let name = "admissible-x86_64-unknown-linux-musl";
    fs::create_dir_all(folder.join(name)).unwrap();
    fs::write(folder.join(name).join("admissible"), "a program").unwrap();
    let pack =
        format!("tar -czf {name}.tar.gz {name} && sha256sum {name}.tar.gz >{name}.tar.gz.sha256");
    let packed = Command::new("bash")
        .args(["-ec", &pack])
        .current_dir(&folder)
        .status();
    assert!(packed.unwrap().success());
    format!("file://{}", project.path().join("releases").display())
}

#[test]
#[cfg(target_os = "linux")]
fn a_release_is_installed_if_its_checksum_is_right() {
    let project = Project::new(&[("good.yaml", GOOD)]);
    let releases = release(&project);
    let runner = [
        ("RELEASES", releases.as_str()),
        ("RUNNER_OS", "Linux"),
        ("RUNNER_ARCH", "X64"),
    ];
    let installed = run(&project, "Install", &[("version", "9.9.9")], &runner);
    assert_eq!(installed.code, 0, "{installed:?}");
    let path = fs::read_to_string(project.path().join("path.txt")).unwrap();
    let program = Path::new(path.trim_end()).join("admissible");
    assert_eq!(fs::read_to_string(program).unwrap(), "a program");

    let archive = "releases/v9.9.9/admissible-x86_64-unknown-linux-musl.tar.gz";
    project.write(archive, "something else");
    project.write("path.txt", "");
    let refused = run(&project, "Install", &[("version", "v9.9.9")], &runner);
    assert_ne!(refused.code, 0, "{refused:?}");
    assert_eq!(
        fs::read_to_string(project.path().join("path.txt")).unwrap(),
        ""
    );
}
