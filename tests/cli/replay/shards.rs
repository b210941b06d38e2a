//! Shards of a replay: several processes, whose results are one.

use super::{NO_LATEST, binding, policy};
use crate::project::Project;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::process::{Child, Stdio};

/// The number of shards.
const COUNT: usize = 8;

/// A pod with so many bytes that several of them fill a chunk.
fn pod(name: &str, image: &str, bytes: usize) -> Value {
    json!({
        "apiVersion": "v1", "kind": "Pod",
        "metadata": {"name": name, "namespace": "shop", "annotations": {"fill": "x".repeat(bytes)}},
        "spec": {"containers": [{"name": "app", "image": image}]},
    })
}

fn pods(prefix: &str, count: usize, bytes: usize) -> Vec<Value> {
    let image = |index: usize| match index % 3 {
        0 => format!("reg/{}:latest", index % 30),
        1 => "a:latest".to_owned(),
        _ => "a:1".to_owned(),
    };
    let pods = (0..count).map(|index| pod(&format!("{prefix}-{index}"), &image(index), bytes));
    pods.collect()
}

/// Files of all formats, with errors: lines, a list, a list that breaks, documents, nothing.
fn project() -> Project {
    let message = "  validations:
  - expression: object.spec.containers.all(c, !c.image.endsWith(':latest'))
    messageExpression: \"'moves: ' + object.spec.containers[0].image\"";
    let policies = policy("tags", "UPDATE", NO_LATEST)
        + &policy("images", "CREATE", message)
        + &binding("tags", "Deny, Warn");
    let lines: String = pods("line", 60, 150_000)
        .iter()
        .map(|pod| format!("{pod}\n"))
        .collect();
    let lines = lines.replacen("\"line-31\"", "line-31", 1);
    let list = json!({"kind": "List", "apiVersion": "v1", "items": pods("item", 30, 150_000)});
    let broken = json!({"kind": "List", "items": pods("broken", 40, 150_000)}).to_string();
    let broken = broken.replacen("\"broken-17\"", "broken-17", 1);
    let documents: String = pods("document", 9, 10)
        .iter()
        .map(|pod| format!("---\n{pod}\n"))
        .collect();
    Project::new(&[
        ("policies/policies.yaml", policies),
        ("dump/a.json", lines),
        ("dump/b.json", broken),
        ("dump/c.json", list.to_string()),
        ("dump/d.yaml", documents + "---\na: [\n"),
        ("dump/e.yaml", String::new()),
    ])
}

/// Starts a shard that writes its result to a file.
fn start(project: &Project, index: usize) -> Child {
    let result = project.path().join(format!("results/{index}.json"));
    let mut command = project.command();
    command
        .args(["replay", "policies", "dump", "--limit=7", "--shard"])
        .stdout(File::create(result).unwrap())
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    // A pod of an Indexed Job has its index in the environment.
    match index % 2 {
        0 => command.arg(format!("{index}/{COUNT}")),
        _ => command
            .arg(COUNT.to_string())
            .env("JOB_COMPLETION_INDEX", index.to_string()),
    };
    command.spawn().unwrap()
}

/// Runs all shards at once, two of which are killed.
fn start_all(project: &Project) {
    fs::create_dir(project.path().join("results")).unwrap();
    let shards: Vec<Child> = (0..COUNT).map(|index| start(project, index)).collect();
    for (index, mut shard) in shards.into_iter().enumerate() {
        if index == 2 || index == 5 {
            shard.kill().unwrap();
            shard.wait().unwrap();
            // Whatever it has written, some of it is missing.
            project.write(&format!("results/{index}.json"), "{\"version\": 1,");
            continue;
        }
        assert!(shard.wait().unwrap().success(), "{index}");
    }
}

#[test]
fn merged_shards_are_one_replay() {
    let project = project();
    start_all(&project);
    let merge = ["replay", "--merge", "results"];
    let incomplete = project.run(merge);
    assert_eq!(incomplete.code, 2);
    for index in [2, 5] {
        let message = format!("results/{index}.json: not the result of a shard");
        incomplete.reports(&message);
        let message = format!("shard {index} of 8 is missing");
        incomplete.reports(&message);
        assert!(start(&project, index).wait().unwrap().success());
    }
    let whole = ["replay", "policies", "dump", "--limit=7", "--format=json"];
    let whole = project.run(whole);
    let merged = project.run(merge);
    assert!(
        merged.stdout == whole.stdout,
        "{}\n{}",
        merged.stdout,
        whole.stdout
    );
    assert_eq!((merged.code, whole.code), (2, 2));
    let result: Value = serde_json::from_str(&whole.stdout).unwrap();
    assert_eq!(result["summary"]["objects"], 59 + 17 + 30 + 9);
    assert_eq!(result["problems"].as_array().unwrap().len(), 3);
    // The shards that were run again have a part in it.
    let shard = fs::read_to_string(project.path().join("results/2.json")).unwrap();
    let shard: Value = serde_json::from_str(&shard).unwrap();
    let segments = shard["segments"].as_array().unwrap();
    assert!(segments.iter().any(|it| it["objects"].as_u64() > Some(0)));
}

#[test]
fn a_result_that_is_damaged_or_of_another_version_is_not_merged() {
    let project = Project::new(&[
        ("policies.yaml", policy("tags", "UPDATE", NO_LATEST)),
        ("pods.json", pod("a", "a:latest", 10).to_string()),
    ]);
    let shard = project.run(["replay", "policies.yaml", "pods.json", "--shard=0/1"]);
    let merge = |text: String| {
        project.write("0.json", &text);
        project.run(["replay", "--merge", "0.json"])
    };
    assert_ne!(merge(shard.stdout.clone()).code, 2);
    let damaged = merge(shard.stdout.replacen("\"objects\":1", "\"objects\":3", 1));
    assert_eq!(damaged.code, 2);
    damaged.reports("0.json: the result is damaged: its digest differs; run the shard again");
    let other = merge(shard.stdout.replacen("\"version\":2", "\"version\":7", 1));
    assert_eq!(other.code, 2);
    other.reports("0.json: the result has version 7, but this program reads version 2");
}

#[test]
fn lines_of_shards_follow_each_other() {
    let project = project();
    let run = |shard: &[&str]| {
        let arguments = ["replay", "policies", "dump/a.json", "--format=ndjson"];
        project.run([&arguments, shard].concat()).stdout
    };
    let shards = ["0/3", "1/3", "2/3"].map(|shard| run(&["--shard", shard]));
    assert!(shards.iter().all(|it| !it.is_empty()));
    assert_eq!(shards.concat(), run(&[]));
}

#[test]
fn results_of_different_replays_are_not_merged() {
    let project = Project::new(&[
        ("policy.yaml", policy("tags", "UPDATE", NO_LATEST)),
        ("a.json", pod("a", "a:latest", 1).to_string()),
        ("b.json", pod("b", "a:latest", 1).to_string()),
    ]);
    let shard = |dump: &str, shard: &str, result: &str| {
        let run = project.run(["replay", "policy.yaml", dump, "--shard", shard]);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        project.write(result, run.stdout);
    };
    shard("a.json", "0/2", "results/0.json");
    shard("b.json", "1/2", "results/1.json");
    let check = |message: &str| {
        let run = project.run(["replay", "--merge", "results/0.json", "results/1.json"]);
        assert_eq!(run.code, 2);
        run.reports(message);
    };
    check("results/1.json: the shard belongs to a different replay");
    shard("a.json", "0/2", "results/1.json");
    check("shard 0 of 2 appears twice");
    check("shard 1 of 2 is missing");
    let pipe = project.run(["replay", "policy.yaml", "-", "--shard", "0/2"]);
    assert_eq!(pipe.code, 2);
    pipe.reports("cannot be divided");
    let wrong = project.run(["replay", "policy.yaml", "a.json", "--shard", "2/2"]);
    wrong.reports("at most 1");
}
