//! The recipes of the documentation, carried out: the files of a page are written to an empty
//! directory, its commands are run there, and their output is what the page shows.
//!
//! A fence `yaml file=NAME` is a file, which replaces an earlier one with that name. In a fence
//! `console`, a line `$ COMMAND` is run if the command is `admissible`, and the lines after it are
//! its output. `UPDATE_EXPECT=1` writes the output into the page.

use crate::project::Project;
use expect_test::expect_file;
use std::fs;
use std::path::{Path, PathBuf};

fn pages() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("server/docs/recipes");
    let mut pages: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    pages.sort();
    pages
}

/// Returns the page with the output of its commands, and how many commands were run.
fn carried_out(page: &str) -> (String, usize) {
    let project = Project::new::<&str>(&[]);
    let mut result = String::new();
    let mut commands = 0;
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        result += &format!("{line}\n");
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let Some((_, name)) = info.split_once(" file=") {
            project.write(name, block.join("\n") + "\n");
        }
        if info == "console" {
            for command in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
                result += &format!("$ {command}\n{}", output(&project, command));
                commands += 1;
            }
        } else {
            result.extend(block.iter().map(|line| format!("{line}\n")));
        }
        result += "```\n";
    }
    (result, commands)
}

/// Returns what a command prints to both outputs.
fn output(project: &Project, command: &str) -> String {
    let words = shlex(command);
    assert_eq!(words[0], "admissible", "{command}");
    let run = project.run(&words[1..]);
    let text = run.stdout + &run.stderr;
    let stable = text.lines().map(|line| match line.rsplit_once(" in ") {
        Some((start, time)) if time.ends_with(" s") => format!("{start} in 0.01 s\n"),
        _ => format!("{line}\n"),
    });
    stable.collect()
}

/// Splits a command at its spaces, except in single quotes.
fn shlex(command: &str) -> Vec<String> {
    let parts = command.split('\'').enumerate();
    parts
        .flat_map(|(at, part)| match at % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

#[test]
fn every_recipe_does_what_its_page_shows() {
    let pages = pages();
    assert!(pages.len() >= 5, "{pages:?}");
    for path in pages {
        let page = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
        let (result, commands) = carried_out(&page);
        assert!(commands > 0, "{} has no command", path.display());
        expect_file![path].assert_eq(&result);
    }
}
