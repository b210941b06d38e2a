//! Input that was made to hurt: each costs bounded time and memory and ends in a report.
//!
//! The limits are far above what the runs need, so that a slow machine passes, and far
//! below what a cost that grows with the square or the power of the size would reach.

#[cfg(test)]
mod aliases;
#[cfg(test)]
mod inputs;
#[cfg(all(test, unix))]
mod names;
#[cfg(test)]
mod shapes;
#[cfg(test)]
mod variables;

use crate::project::{GOOD, Project, Run, finish};
use std::process::Command;
use std::time::{Duration, Instant};

/// Limit: for one hostile file in a build without optimization.
const LONGEST: Duration = Duration::from_secs(30);

/// Limit: the address space of a run in KiB, where the system can set one. Address space is
/// more than memory: every thread has its own heap and stack in it.
const MOST_KIB: u64 = 2 * 1024 * 1024;

/// Checks one file and gives the report, which must not take long nor need much.
#[track_caller]
fn check(name: &str, text: impl AsRef<[u8]>) -> Run {
    let project = Project::new(&[(name, text)]);
    let mut command = limited();
    project.prepare(&mut command);
    command
        .env("RAYON_NUM_THREADS", "2")
        .args(["check", "--quiet", name]);
    let start = Instant::now();
    let run = finish(command.spawn().unwrap(), b"");
    let took = start.elapsed();
    assert!(took < LONGEST, "{took:?}");
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    assert!((0..=2).contains(&run.code), "{run:?}");
    assert!(run.stdout.len() < 2_000_000, "{}", run.stdout.len());
    run
}

#[cfg(target_os = "linux")]
fn limited() -> Command {
    let mut command = Command::new("sh");
    command.args([
        "-c",
        &format!("ulimit -v {MOST_KIB} && exec \"$0\" \"$@\""),
        env!("CARGO_BIN_EXE_admissible"),
    ]);
    command
}

#[cfg(not(target_os = "linux"))]
fn limited() -> Command {
    let _ = MOST_KIB;
    Command::new(env!("CARGO_BIN_EXE_admissible"))
}

/// A policy with this expression, as a literal block.
fn with_expression(expression: &str) -> String {
    GOOD.replace(
        "object.spec.replicas <= 5",
        &format!("|-\n        {expression}"),
    )
}

/// A policy with this value somewhere in its metadata.
fn with_value(value: &str) -> String {
    GOOD.replace("metadata:", &format!("metadata:\n  annotations: {value}"))
}

const MANY: usize = 100_000;
const TEN_MB: usize = 10_000_000;

#[test]
fn a_line_of_ten_megabytes() {
    let run = check("a.yaml", with_expression(&"x".repeat(TEN_MB)));
    assert_eq!(run.code, 1, "{}", run.stderr);
    let value = "é".repeat(TEN_MB / 2);
    let run = check("a.yaml", with_value(&format!("{{a: {value}}}")));
    run.prints("[invalid-value]");
    let run = check("a.yaml", format!("# {value}\n{GOOD}"));
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    let run = check("a.yaml", format!("a: {}", "x".repeat(TEN_MB)));
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
}

#[test]
fn a_policy_of_ten_megabytes_on_one_line() {
    let mut json = String::from(
        r#"{"apiVersion":"admissionregistration.k8s.io/v1","kind":"ValidatingAdmissionPolicy","metadata":{"name":"a"},"spec":{"validations":["#,
    );
    while json.len() < TEN_MB {
        json.push_str(r#"{"expression":"has(object.spec.replicas"},"#);
    }
    json.push_str(r#"{"expression":"true"}]}}"#);
    let run = check("a.json", json);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stdout.lines().all(|line| line.chars().count() < 1_000));
}

#[test]
fn brackets_without_end() {
    for open in [
        "[", "{a: ", "- ", "? ", "!a ", "\"", "'", "&a ", "*a ", "!<",
    ] {
        check("a.yaml", with_value(&open.repeat(MANY)));
        check("b.yaml", open.repeat(MANY));
    }
    for open in [
        "(", "[", "{", "!", "-", "a.", "a ? ", "f(", "{'a': ", "a[", "[?", "'", "a || (",
    ] {
        let run = check("a.yaml", with_expression(&open.repeat(MANY)));
        assert_eq!(run.code, 1, "{open} {}", run.stdout);
    }
    let balanced = format!("{}{}", "[".repeat(MANY), "]".repeat(MANY));
    assert_eq!(check("a.yaml", with_expression(&balanced)).code, 1);
    check("a.yaml", with_value(&balanced));
}

#[test]
fn chains_without_end() {
    for link in [" + 1", " && a", ".a", " ? 1 : 1", "[0]", ".f()", " < 1"] {
        let run = check(
            "a.yaml",
            with_expression(&format!("1{}", link.repeat(MANY))),
        );
        assert!(run.code <= 1, "{link} {}", run.stderr);
    }
}

#[test]
fn blocks_that_go_deeper_with_every_line() {
    let mut deep = String::from("\n");
    for depth in 0..3_000 {
        deep.push_str(&" ".repeat(depth + 4));
        deep.push_str("a:\n");
    }
    check("a.yaml", with_value(&deep));
}

#[test]
fn a_schema_that_goes_deeper_with_every_property() {
    let deep = "{type: object, properties: {a: ".repeat(20_000);
    let text = format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec:\n  versions:\n  - schema:\n      openAPIV3Schema: {deep}"
    );
    check("a.yaml", text);
}

#[test]
fn aliases_that_multiply() {
    let mut bomb = String::from("\n    a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..40 {
        let below = vec![format!("*a{}", level - 1); 10].join(", ");
        bomb.push_str(&format!("    a{level}: &a{level} [{below}]\n"));
    }
    check("a.yaml", with_value(&bomb));

    let mut merges = String::from("\n    a0: &a0 {x: y}\n");
    for level in 1..40 {
        let below = vec![format!("*a{}", level - 1); 10].join(", ");
        merges.push_str(&format!("    a{level}: &a{level}\n      <<: [{below}]\n"));
    }
    check("a.yaml", with_value(&merges));

    // The expressions themselves are behind the aliases.
    let mut list = String::from("&v0\n    - expression: has(\n");
    for level in 1..25 {
        list = format!(
            "&v{level}\n{list}    - *v{}\n    - *v{}\n",
            level - 1,
            level - 1
        );
    }
    let policy = GOOD.replace("\n    - expression: object.spec.replicas <= 5", &list);
    check("a.yaml", policy);
    check("a.yaml", with_value("&a [*a, *a]"));
}

#[test]
fn documents_lines_and_keys_without_end() {
    check("a.yaml", "---\n".repeat(1_000_000));
    check(
        "a.yaml",
        format!("{GOOD}{}", "# admissible: ignore[x]\n".repeat(MANY)),
    );
    check("a.yaml", format!("{GOOD}{}", "\n".repeat(TEN_MB)));
    let keys: Vec<String> = (0..MANY).map(|key| format!("k{key}: 1")).collect();
    check("a.yaml", with_value(&format!("{{{}}}", keys.join(", "))));
    check("a.yaml", format!("{GOOD}{}", "a: b\n".repeat(MANY)));
    check("a.yaml", format!("{GOOD}---\n").repeat(2_000));
    check(
        "a.yaml",
        format!("{}---\n", GOOD.replace("<=", "<= (")).repeat(2_000),
    );
}

#[test]
fn variables_and_conditions_without_end() {
    let mut variables = String::from("  variables:\n");
    for number in 0..5_000 {
        variables.push_str(&format!(
            "    - name: v{number}\n      expression: variables.v{} + variables.v{}\n",
            (number + 1) % 5_000,
            (number + 7) % 5_000
        ));
    }
    let policy = GOOD.replace("  validations:", &format!("{variables}  validations:"));
    let run = check("a.yaml", policy);
    assert_eq!(run.code, 1);
}

#[test]
fn bytes_that_are_no_text() {
    let truncated = GOOD.replace("replicas <= 5", "name == '😀");
    for cut in 1..4 {
        let bytes = truncated.as_bytes();
        let run = check("a.yaml", &bytes[..bytes.len() - 1 - cut]);
        assert_eq!(run.code, 2, "{}", run.stdout);
        run.reports("not UTF-8");
    }
    let run = check("a.yaml", format!("{GOOD}\0"));
    run.reports("NUL byte");
    let controls: String = (1..32).map(char::from).collect();
    check("a.yaml", with_expression(&controls));
    check("a.yaml", with_value(&controls));
    check(
        "a.yaml",
        with_expression("'\u{2028}\u{85}\u{feff}\u{202e}' +"),
    );
}

#[test]
fn a_file_at_the_limit_of_size() {
    let comment = "# a line of a comment that says nothing at all\n";
    let text = format!(
        "{GOOD}{}",
        comment.repeat(32 * 1024 * 1024 / comment.len() - 100)
    );
    assert_eq!(check("a.yaml", text).code, 0);
}

/// Text that controls a terminal, hides itself, or is a command in a log.
const HOSTILE: &str = r"\x1b[31mred\n::error file=a::pwned\n##[add-path]x\n\u009b31m \u202e bidi \r over \ufffe ]]> <b>";

fn hostile_project() -> Project {
    let policy = GOOD.replace(
        "object.spec.replicas <= 5",
        &format!(
            "object.spec.replicas < 3\n      messageExpression: \"'{}'\"",
            HOSTILE.replace('\\', "\\\\")
        ),
    );
    let inputs = format!(
        "name: \"{HOSTILE}\"\nexpect: allow\nobject: {{apiVersion: apps/v1, kind: Deployment, metadata: {{name: w}}, spec: {{replicas: 9, selector: {{matchLabels: {{a: b}}}}, template: {{metadata: {{labels: {{a: b}}}}, spec: {{containers: [{{name: a, image: b}}]}}}}}}}}\n"
    );
    // Errors in names show them.
    let bad = GOOD.replace("validations:", &format!("\"{HOSTILE}\": 1\n  validations:"));
    Project::new(&[
        ("p.yaml", policy),
        ("p.inputs.yaml", inputs),
        ("bad.yaml", bad),
    ])
}

#[test]
fn no_output_controls_its_reader() {
    let project = hostile_project();
    let formats = ["human", "json", "junit", "github"];
    let tests = formats.map(|format| project.run(["test", "p.yaml", "--format", format]));
    let evaluations =
        ["human", "json"].map(|format| project.run(["eval", "p.yaml", "--format", format]));
    let formats = ["human", "json", "sarif", "github", "gitlab"];
    let checks = formats.map(|format| project.run(["check", "bad.yaml", "--format", format]));
    for run in tests.iter().chain(&evaluations).chain(&checks) {
        let all = format!("{}{}", run.stdout, run.stderr);
        assert!(all.contains("bidi"), "{run:?}");
        let hostile =
            |it: char| it.is_control() && it != '\n' || ('\u{202a}'..='\u{202e}').contains(&it);
        assert!(!all.contains(hostile), "{run:?}");
        let mut lines = all.lines().map(str::trim_start);
        assert!(
            !lines.any(|line| line.starts_with("::error file=a:")),
            "{run:?}"
        );
    }
    let human = &tests[0].stdout;
    assert!(
        human.contains(": :error file=a::pwned") && !human.contains("##["),
        "{human}"
    );
    let junit = &tests[2].stdout;
    assert!(
        junit.contains("&#x202e; bidi") && !junit.contains('\u{fffe}'),
        "{junit}"
    );
    let json: serde_json::Value = serde_json::from_str(&tests[1].stdout).unwrap();
    assert!(json.to_string().contains('\u{202e}'), "{json}");
}
