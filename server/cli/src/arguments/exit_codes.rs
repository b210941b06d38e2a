//! The exit codes of each command, for its help.
//!
//! One table for all commands, so that one code means the same everywhere.

use crate::exit::Exit;
use crate::exit::Exit::{Clean, Failed, Findings, Interrupted};

/// The column in which the meaning of a code begins, and the width of the help.
const INDENT: usize = 7;
const WIDTH: usize = 90;

/// The exit codes of a command, each with its meaning.
pub(crate) type ExitCodes = &'static [(Exit, &'static str)];

pub(crate) const CHECK: ExitCodes = &[
    (
        Clean,
        "no finding of at least the fail level, or nothing to check; with --diff, nothing to fix",
    ),
    (
        Findings,
        "findings of at least the fail level; with --diff, something to fix",
    ),
    (
        Failed,
        "could not run: invalid arguments, an error in the configuration file, a file that cannot \
         be read (the others are checked)",
    ),
];

pub(crate) const FMT: ExitCodes = &[
    (Clean, "all expressions are formatted"),
    (
        Findings,
        "with --check or --diff: an expression would change",
    ),
    (
        Failed,
        "could not run: invalid arguments, an error in the configuration file, a file that cannot \
         be read or written (the others are formatted)",
    ),
];

pub(crate) const EVAL: ExitCodes = &[
    (Clean, "every request is allowed"),
    (Findings, "a request is denied"),
    (
        Failed,
        "could not run, or not for all inputs: invalid arguments, a file that cannot be read, no \
         policy, an error in an input, an expression that does not compile, or no policy that \
         matches the given object or input",
    ),
];

pub(crate) const TEST: ExitCodes = &[
    (
        Clean,
        "all tests pass, or there are none and neither a path nor a filter is given",
    ),
    (
        Findings,
        "a test fails, or coverage is below --fail-uncovered",
    ),
    (
        Failed,
        "could not run: invalid arguments, an error in an input, a policy that does not compile, \
         no test in a given path (the other tests are run)",
    ),
];

pub(crate) const INIT: ExitCodes = &[
    (Clean, "the files are written, or already exist"),
    (
        Failed,
        "could not run: invalid arguments, an intent that does not fit the kind, a file that \
         cannot be written",
    ),
];

pub(crate) const INIT_INPUT: ExitCodes = &[
    (Clean, "the input is written"),
    (
        Failed,
        "could not run: invalid arguments, a file that cannot be read, a file without a policy, an \
         inputs file that already exists",
    ),
];

pub(crate) const REPLAY: ExitCodes = &[
    (Clean, "no object has an effect that --fail-on names"),
    (
        Findings,
        "an object would be denied, or a policy fails (depends on --fail-on)",
    ),
    (
        Failed,
        "could not run, or not for all objects: invalid arguments, a file that cannot be read, no \
         policy, an expression that does not compile, invalid objects, or missing namespaces or \
         parameters (all other objects are evaluated)",
    ),
    (
        Interrupted,
        "interrupted by Ctrl-C; the results so far are shown",
    ),
];

pub(crate) const RULES: ExitCodes = &[
    (Clean, "the rules are listed, or the rule is explained"),
    (Failed, "invalid arguments, or an unknown code"),
];

pub(crate) const EXPLAIN: ExitCodes = &[
    (Clean, "the name is explained"),
    (Failed, "invalid arguments, or an unknown name"),
];

pub(crate) const SCHEMA: ExitCodes = &[
    (Clean, "the schema is printed"),
    (Failed, "invalid arguments"),
];

pub(crate) const COMPLETIONS: ExitCodes = &[
    (Clean, "the completions are printed"),
    (Failed, "invalid arguments"),
];

pub(crate) const LSP: ExitCodes = &[
    (Clean, "the client sent `shutdown` before `exit`"),
    (Findings, "the client left without `shutdown`"),
    (Failed, "invalid arguments, or the server cannot start"),
];

/// The codes of any command.
pub(crate) const ANY: ExitCodes = &[
    (Clean, "done, and nothing to report"),
    (
        Findings,
        "findings, differences, denied requests or failing tests",
    ),
    (
        Failed,
        "could not run, or not for everything; the message states why",
    ),
    (Interrupted, "interrupted by Ctrl-C"),
];

/// Returns the end of the help of a command.
pub(crate) fn help(codes: ExitCodes) -> String {
    let mut help = "Exit codes:".to_owned();
    for (exit, meaning) in codes {
        help.push_str(&format!("\n  {:<width$}", exit.code(), width = INDENT - 2));
        let mut column = INDENT;
        for (index, word) in meaning.split(' ').enumerate() {
            if index > 0 && column + 1 + word.len() > WIDTH {
                help.push_str(&format!("\n{:INDENT$}", ""));
                column = INDENT;
            } else if index > 0 {
                help.push(' ');
                column += 1;
            }
            help.push_str(word);
            column += word.len();
        }
    }
    help
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::Arguments;
    use clap::CommandFactory as _;
    use expect_test::expect;

    #[test]
    fn long_meanings_are_wrapped() {
        expect![[r#"
            Exit codes:
              0    all expressions are formatted
              1    with --check or --diff: an expression would change
              2    could not run: invalid arguments, an error in the configuration file, a file that
                   cannot be read or written (the others are formatted)"#]]
        .assert_eq(&help(FMT));
    }

    #[test]
    fn every_command_states_its_exit_codes() {
        for command in Arguments::command().get_subcommands() {
            let help = command.clone().render_help().to_string();
            assert!(help.contains("\nExit codes:\n  0    "), "{help}");
            assert!(help.contains("\n  2    "), "{help}");
        }
    }
}
