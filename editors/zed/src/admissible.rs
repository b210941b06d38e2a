//! The extension for Zed: starts the program on `PATH`, or the one of the settings, and passes the
//! settings of Zed to it.

use zed_extension_api::serde_json::{Value, json};
use zed_extension_api::settings::LspSettings;
use zed_extension_api::{self as zed, Command, LanguageServerId, Result, Worktree};

/// The name of the server in the settings of Zed.
const SERVER: &str = "admissible";

struct Admissible;

impl zed::Extension for Admissible {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let binary = LspSettings::for_worktree(SERVER, worktree)?.binary;
        let (path, arguments) = binary.map_or((None, None), |it| (it.path, it.arguments));
        let path = path.or_else(|| worktree.which("admissible"));
        let command = path.ok_or(
            "The program 'admissible' is not on PATH. Install it, or set `lsp.admissible.binary.path`.",
        )?;
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".to_owned()]),
            env: worktree.shell_env(),
        })
    }

    fn language_server_workspace_configuration(
        &mut self,
        _: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Option<Value>> {
        let settings = LspSettings::for_worktree(SERVER, worktree)?.settings;
        // The server requests the section of its name.
        Ok(Some(
            json!({ SERVER: settings.unwrap_or_else(|| json!({})) }),
        ))
    }
}

zed::register_extension!(Admissible);
