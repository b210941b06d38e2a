/** The connection to the server: which documents it sees. It asks by itself for the settings that it knows. */
import type * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { execute } from "./evaluation";
import { provideCodeLenses } from "./policies";
import { showsResults } from "./protocol";

/** The documents that may hold a policy: YAML and JSON, saved or not. */
export const documentSelector = ["yaml", "json", "jsonc"].flatMap((language) =>
  ["file", "untitled"].map((scheme) => ({ language, scheme })),
);

/** Makes a client for the server program. It is not started yet. */
export function createClient(program: string, output: vscode.LogOutputChannel): LanguageClient {
  const client: LanguageClient = new LanguageClient(
    // The client reads `admissible.trace.server` by this name.
    "admissible",
    "Admissible",
    { command: program, args: ["lsp"] },
    {
      documentSelector,
      outputChannel: output,
      middleware: {
        executeCommand: execute,
        provideCodeLenses,
        workspace: {
          didChangeConfiguration: async (sections, next) => {
            try {
              await next(sections);
            } catch (error) {
              // A change of the path stops this server at the same moment, which then need not hear of it.
              if (client.isRunning()) {
                throw error;
              }
            }
          },
        },
      },
    },
  );
  client.registerFeature(showsResults);
  return client;
}
