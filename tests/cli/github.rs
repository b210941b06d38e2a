//! `check --format github`: workflow commands.

use crate::project::{Project, bad, suspicious};
use expect_test::expect;

#[test]
fn findings_are_commands_and_the_summary_is_not() {
    let project = Project::new(&[
        ("a,b 50%.yaml", bad()),
        ("c.yaml", suspicious()),
        ("d.yaml", "a: \0".to_owned()),
    ]);
    let run = project.run(["check", "--format", "github"]);
    assert_eq!(run.code, 2);
    expect![[r#"
        ::error file=d.yaml,title=cannot check::not a text file: it has a NUL byte at offset 3
        ::error file=a%2Cb 50%25.yaml,line=13,endLine=13,col=45,endColumn=46,title=cel-syntax::The `(` is never closed. Add `)`.%0Ahelp: Write `)`
        ::warning file=c.yaml,line=13,endLine=13,col=13,endColumn=19,title=unused-variable::The variable `unused` is never used. Use it or remove it.%0Ahelp: Remove `unused`
        1 error, 1 warning in 2 of 2 files (2 policies); incomplete: 1 problem
    "#]].assert_eq(&run.stdout);
}

#[test]
fn quiet_leaves_the_commands() {
    let run = Project::new(&[("a.yaml", bad())]).run(["check", "--format", "github", "--quiet"]);
    assert!(
        run.stdout.lines().all(|line| line.starts_with("::")),
        "{}",
        run.stdout
    );
}
