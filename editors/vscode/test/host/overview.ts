/** The cases about the view of the policies. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Exports } from "../../src/main";
import { open, until } from "./editor";

export const overview: Record<string, () => Promise<void>> = {
  "the view has the policies with their findings and tests": async () => {
    await vscode.commands.executeCommand("admissible.refreshOverview");
    await until(lines, [
      "limit: validating · no findings",
      "  small: allowed",
      "  large: denied",
      "owner: mutating · no findings",
      "pods: validating · no findings",
      "replicas: validating · 1 error",
      "replicas: validating · 4 errors",
    ]);
  },

  "a line of the view opens its place": async () => {
    await open("other.yaml");
    const [limit] = await view().getChildren();
    assert(limit);
    const [small] = await view().getChildren(limit);
    assert(small);
    for (const [entry, place] of [[limit, "limit.yaml:4"], [small, "limit.inputs.yaml:9"]] as const) {
      const { command } = view().getTreeItem(entry);
      assert(command);
      await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
      await until(() => {
        const editor = vscode.window.activeTextEditor;
        return `${editor?.document.uri.path.split("/").at(-1)}:${editor?.selection.start.line}`;
      }, place);
    }
  },
};

function view(): Exports["overview"] {
  const extension = vscode.extensions.getExtension<Exports>("admissible.admissible");
  assert(extension?.isActive);
  return extension.exports.overview;
}

/** The lines of the view, with those of the tests below their policies. */
async function lines(): Promise<string[]> {
  const all: string[] = [];
  for (const entry of await view().getChildren()) {
    all.push(text(view().getTreeItem(entry)));
    for (const child of await view().getChildren(entry)) {
      all.push(`  ${text(view().getTreeItem(child))}`);
    }
  }
  return all;
}

function text({ label, description }: vscode.TreeItem): string {
  return `${String(label)}: ${String(description)}`;
}
