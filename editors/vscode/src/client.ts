/** The connection to the server: which documents it sees, and which settings it gets. */
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";

/** The documents that may hold a policy: YAML and JSON, saved or not. */
export const documentSelector = ["yaml", "json", "jsonc"].flatMap((language) =>
  ["file", "untitled"].map((scheme) => ({ language, scheme })),
);

/** Makes a client for the server program. It is not started yet. */
export function createClient(program: string, output: vscode.LogOutputChannel): LanguageClient {
  return new LanguageClient(
    // The client reads `admissible.trace.server` by this name.
    "admissible",
    "Admissible",
    { command: program, args: ["lsp"] },
    {
      documentSelector,
      outputChannel: output,
      initializationOptions: () => settings(),
      synchronize: { configurationSection: "admissible" },
    },
  );
}

/** The settings that the server knows, for a server that reads them at its start. */
function settings(): { rules: unknown } {
  return { rules: vscode.workspace.getConfiguration("admissible").get("rules", {}) };
}
