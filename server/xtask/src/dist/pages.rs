//! Completions and man pages, from the definition of the command line.

use super::archive::Entry;
use crate::error::Error;
use clap_complete::Shell;

/// The completions of each shell, under the file name that the shell looks for.
const COMPLETIONS: &[(Shell, &str)] = &[
    (Shell::Bash, "completions/admissible.bash"),
    (Shell::Elvish, "completions/admissible.elv"),
    (Shell::Fish, "completions/admissible.fish"),
    (Shell::PowerShell, "completions/_admissible.ps1"),
    (Shell::Zsh, "completions/_admissible"),
];

/// Returns the completions of all shells.
pub(super) fn completions() -> impl Iterator<Item = Entry> {
    COMPLETIONS.iter().map(|(shell, path)| {
        let mut script = Vec::new();
        clap_complete::generate(*shell, &mut cli::command(), "admissible", &mut script);
        Entry::page(*path, script)
    })
}

/// Returns the man pages: `admissible(1)`, and one for each command.
///
/// # Errors
/// When a page cannot be written.
pub(super) fn man_pages() -> Result<Vec<Entry>, Error> {
    let mut program = cli::command()
        .name("admissible")
        .disable_help_subcommand(true);
    program.build();
    let commands = program.get_subcommands().cloned();
    let pages = std::iter::once(program.clone()).chain(commands);
    pages
        .map(|command| {
            let man = clap_mangen::Man::new(command);
            let path = format!("man/man1/{}", man.get_filename());
            let mut page = Vec::new();
            man.render(&mut page)?;
            Ok(Entry::page(path, page))
        })
        .collect()
}
