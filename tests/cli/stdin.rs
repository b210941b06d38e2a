//! `check -`: a manifest from another program.

use crate::project::{GOOD, Project, bad};

#[test]
fn standard_input_is_a_file_without_a_name() {
    let project = Project::new::<&str>(&[]);
    let run = project.run_with_input(["check", "-"], bad().as_bytes());
    assert_eq!((run.code, run.stderr.as_str()), (1, ""));
    run.prints(" --> <stdin>:13:");
    let run = project.run_with_input(["check", "-"], GOOD.as_bytes());
    assert_eq!(run.stdout, "No findings in 1 file (1 policy)\n");
}

#[test]
fn it_can_stand_for_a_file_and_be_checked_with_others() {
    let project = Project::new(&[
        (
            "dir/admissible.toml",
            "[rules]\ncel-syntax = 'warning'\n".to_owned(),
        ),
        ("other.yaml", bad()),
    ]);
    let arguments = ["check", "other.yaml", "-", "--stdin-filename", "dir/a.yaml"];
    let run = project.run_with_input(arguments, bad().as_bytes());
    run.prints("warning[cel-syntax]");
    run.prints(" --> dir/a.yaml:13:");
    run.prints("error[cel-syntax]");
    assert!(
        run.stdout
            .contains("1 error, 1 warning in 2 of 2 files (2 policies)"),
        "{}",
        run.stdout
    );
}

#[test]
fn what_is_no_text_is_a_problem() {
    let run = Project::new::<&str>(&[]).run_with_input(["check", "-"], b"a: \0");
    assert_eq!(run.code, 2);
    assert_eq!(
        run.stderr,
        "error: <stdin>: not a text file: it has a NUL byte at offset 3\n"
    );
}

#[test]
fn an_empty_input_is_nothing_to_complain_about() {
    let run = Project::new::<&str>(&[]).run(["check", "-"]);
    assert_eq!(
        run.stdout,
        "Nothing to check: no policy, binding, webhook or CRD in 1 file\n"
    );
}
