/** The connection to the server, and the documents that it gets. The server requests its settings itself. */
import * as vscode from "vscode";
import { LanguageClient } from "vscode-languageclient/node";
import { provideCompletionItem } from "./completion";
import { execute } from "./evaluation";
import { applyEdit, provideCodeActions } from "./new-input";
import { provideCodeLenses } from "./policies";
import { announcements } from "./protocol";
import { withoutShared } from "./shared-findings";
import { completesKubernetes, withManifestKeys } from "./yaml-schemas";

/** The documents that may have a policy: YAML and JSON, saved or not, YAML files that another extension claims,
 * and the configuration file. */
export const documentSelector = [
  ...["yaml", "json", "jsonc"].flatMap((language) => ["file", "untitled"].map((scheme) => ({ language, scheme }))),
  { pattern: "**/*.{yaml,yml}", scheme: "file" },
  { pattern: "**/admissible.toml", scheme: "file" },
];

/** Creates a client for the server program, without starting it. */
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
        provideCodeActions,
        provideCodeLenses,
        provideCompletionItem,
        provideDiagnostics: async (document, _, token, next) => {
          const uri = document instanceof vscode.Uri ? document : document.uri;
          // Without the identifier of the last result the answer is complete, so that it can be filtered anew.
          const report = await next(document, undefined, token);
          return report && "items" in report ? { ...report, items: withoutShared(uri, report.items) } : report;
        },
        workspace: {
          configuration: async (params, token, next) => {
            const found = await next(params, token);
            if (!Array.isArray(found)) {
              return found;
            }
            return found.map((settings: unknown, at) => {
              const scope = params.items[at]?.scopeUri;
              return withManifestKeys(settings, isCompletedByYaml(scope ? vscode.Uri.parse(scope) : undefined));
            });
          },
          handleApplyEdit: applyEdit,
          didChangeConfiguration: async (sections, next) => {
            try {
              await next(sections);
            } catch (error) {
              // A change of the path restarts the server, so this one does not need to be notified.
              if (client.isRunning()) {
                throw error;
              }
            }
          },
        },
      },
    },
  );
  client.registerFeature(announcements);
  return client;
}

/** Returns whether YAML by Red Hat completes the keys of manifests. */
function isCompletedByYaml(scope: vscode.Uri | undefined): boolean {
  const isInstalled = vscode.extensions.getExtension("redhat.vscode-yaml") !== undefined;
  return isInstalled && completesKubernetes(vscode.workspace.getConfiguration("yaml", scope).get("schemas"));
}
