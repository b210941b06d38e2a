//! The end of the help of each command: examples, and its exit codes.

use super::exit_codes::{self, ExitCodes};

/// Examples of a command: the command line and its effect.
pub(crate) type Examples = &'static [(&'static str, &'static str)];

pub(crate) const ANY: Examples = &[
    ("admissible init policies", "start with a first policy"),
    ("admissible check policies", "find errors"),
    ("admissible test policies", "run the tests"),
];

pub(crate) const INIT: Examples = &[
    ("admissible init policies", "with prompts"),
    (
        "admissible init policies --kind Deployment --intent limit-replicas",
        "without prompts",
    ),
];

pub(crate) const CHECK: Examples = &[
    ("admissible check", "the current directory"),
    ("admissible check policies --fix", "apply safe fixes"),
    (
        "admissible check --format sarif policies",
        "for code scanning",
    ),
    (
        "admissible check --kubernetes 1.30..1.36 policies",
        "for these server versions",
    ),
];

pub(crate) const FMT: Examples = &[
    ("admissible fmt policies", "format the files"),
    (
        "admissible fmt --check policies",
        "only list what would change",
    ),
];

pub(crate) const EVAL: Examples = &[
    ("admissible eval policy.yaml", "with its inputs"),
    (
        "admissible eval policy.yaml --object pod.yaml",
        "a creation",
    ),
    (
        "admissible eval policy.yaml --object new.yaml --old-object old.yaml",
        "an update",
    ),
    (
        "admissible eval policies/ --object pod.yaml",
        "by many policies",
    ),
];

pub(crate) const TEST: Examples = &[
    ("admissible test", "every test below the current directory"),
    (
        "admissible test --watch policies",
        "rerun after each change",
    ),
    (
        "admissible test --fail-uncovered 90 policies",
        "require 90% coverage",
    ),
    ("admissible test --format junit policies", "for a pipeline"),
];

pub(crate) const INIT_INPUT: Examples = &[
    (
        "admissible init-input policy.yaml",
        "write policy.inputs.yaml",
    ),
    ("admissible init-input policy.yaml -o -", "print it"),
];

pub(crate) const REPLAY: Examples = &[
    (
        "admissible replay policies pods.json",
        "the objects of a file",
    ),
    (
        "admissible replay policies -",
        "those of `kubectl get pods -A -o json`",
    ),
    (
        "admissible replay mutations.yaml pods.json --diff",
        "show the changes",
    ),
];

pub(crate) const RULES: Examples = &[
    ("admissible rules", "list them"),
    ("admissible rules unguarded-field", "explain one"),
];

pub(crate) const EXPLAIN: Examples = &[
    ("admissible explain sets.contains", "a function of CEL"),
    ("admissible explain request.operation", "a variable"),
    ("admissible explain pods.spec.containers.image", "a field"),
    ("admissible explain unguarded-field", "a rule"),
];

pub(crate) const SCHEMA: Examples = &[
    ("admissible schema config", "for admissible.toml"),
    ("admissible schema inputs", "for policy.inputs.yaml"),
];

pub(crate) const COMPLETIONS: Examples = &[("admissible completions bash", "for bash")];

pub(crate) const LSP: Examples = &[("admissible lsp", "as an editor starts it")];

/// Returns the end of the help of a command.
pub(crate) fn help(examples: Examples, codes: ExitCodes) -> String {
    let width = examples.iter().map(|(run, _)| run.len()).max();
    let width = width.unwrap_or_default();
    let lines: String = examples
        .iter()
        .map(|(run, purpose)| format!("  {run:width$}  # {purpose}\n"))
        .collect();
    format!("Examples:\n{lines}\n{}", exit_codes::help(codes))
}

#[cfg(test)]
mod tests {
    use crate::arguments::Arguments;
    use clap::{CommandFactory as _, Parser as _};

    #[test]
    fn every_example_can_be_run() {
        let mut help = Arguments::command();
        let commands: Vec<String> = help
            .get_subcommands()
            .map(|command| command.get_name().to_owned())
            .collect();
        assert!(help.render_long_help().to_string().contains("Examples:"));
        for name in commands {
            let command = help.find_subcommand_mut(&name).unwrap();
            let text = command.render_long_help().to_string();
            let examples = text.split("Examples:\n").nth(1).unwrap();
            let examples = examples.split("\n\n").next().unwrap();
            for line in examples.lines() {
                let run = line.split(" # ").next().unwrap().trim();
                assert!(run.starts_with(&format!("admissible {name}")), "{run}");
                Arguments::try_parse_from(run.split(' ')).unwrap();
            }
        }
    }

    #[test]
    fn the_long_help_has_the_whole_description() {
        let mut help = Arguments::command();
        for (name, part) in [
            ("check", "Files without a policy"),
            ("fmt", "whose scalar cannot hold the result"),
            ("eval", "the inputs that belong to the policy are used"),
            ("test", "A test is an input with `expect`"),
            ("init", "Existing files are not changed"),
            ("init-input", "Both contain the fields"),
            ("replay", "JSON objects, one JSON object per line"),
            ("explain", "Kinds can be named as in kubectl"),
        ] {
            let command = help.find_subcommand_mut(name).unwrap();
            let long = command.render_long_help().to_string();
            let long = long.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(long.contains(part), "{name}: {long}");
        }
    }
}
