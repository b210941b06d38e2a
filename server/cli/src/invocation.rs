//! The name that the user calls the program by.
//!
//! kubectl runs the plugin `kubectl-admissible` for `kubectl admissible`, so help and errors must
//! show the latter.

use std::path::Path;

/// The file name of a plugin of kubectl.
const PLUGIN: &str = "kubectl-admissible";

/// Names a command line after the file that this process was started as.
pub(crate) fn named(command: clap::Command) -> clap::Command {
    let program = std::env::args_os().next();
    if program.is_some_and(|program| is_plugin(Path::new(&program))) {
        return command.bin_name("kubectl admissible");
    }
    command
}

/// Returns whether kubectl started the program.
fn is_plugin(program: &Path) -> bool {
    // On Windows the name ends with `.exe`.
    program.file_stem().is_some_and(|name| name == PLUGIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_is_recognized_by_its_file_name() {
        for plugin in [
            "kubectl-admissible",
            "/a/kubectl-admissible",
            "kubectl-admissible.exe",
        ] {
            assert!(is_plugin(Path::new(plugin)), "{plugin}");
        }
        for other in ["admissible", "kubectl-admissible/admissible", "kubectl"] {
            assert!(!is_plugin(Path::new(other)), "{other}");
        }
    }
}
