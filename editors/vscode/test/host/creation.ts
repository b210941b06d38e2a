/** The cases about what the commands create. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { findings, only, open, select, settled, titles, until } from "./editor";

/** The walkthroughs in the manifest of the extension. */
interface Walkthrough {
  readonly steps: readonly { readonly description: string; readonly media: { readonly markdown: string } }[];
}

export const creation: Record<string, () => Promise<void>> = {
  "a new policy is a draft with the cursor in its name": async () => {
    const editor = await created("admissible.newPolicy");
    assert.match(editor.document.getText(), /^apiVersion: .*\nkind: ValidatingAdmissionPolicy\nmetadata:\n {2}name: name\n/);
    assert.equal(editor.document.getText(editor.selection), "name");
    assert.equal(editor.selection.start.line, 3);
    assert.deepEqual(findings(editor.document).filter((finding) => finding.startsWith("error")), []);
    await close();
  },

  "a new binding names the policy that was picked": async () => {
    const editor = await created("admissible.newBinding");
    assert.match(editor.document.getText(), /^kind: ValidatingAdmissionPolicyBinding$/m);
    assert.match(editor.document.getText(), /^ {2}policyName: limit$/m);
    await close();
  },

  "a new input is beside its policy with its name selected": async () => {
    const policy = await open("pods.yaml");
    await until(() => titles(policy.document), ["no input: Create an admission input"]);
    await select(policy, only(policy.document, "has(object"));
    await vscode.commands.executeCommand("admissible.newInput");
    const name = () => {
      const editor = vscode.window.activeTextEditor;
      return editor?.document.uri.path.endsWith("/pods.inputs.yaml") ? editor.document.getText(editor.selection) : "";
    };
    await until(name, "allowed by pods");
    assert.equal(vscode.window.activeTextEditor?.viewColumn, vscode.ViewColumn.Two);
    const uri = vscode.window.activeTextEditor?.document.uri;
    assert(uri);
    await close();
    // The edit created the file, without its text.
    await vscode.workspace.fs.delete(uri);
    await until(() => titles(policy.document), ["no input: Create an admission input"]);
  },

  "every step of the walkthrough has its page and its command": async () => {
    const extension = vscode.extensions.getExtension("admissible.admissible");
    assert(extension);
    const commands = await vscode.commands.getCommands();
    const { walkthroughs } = extension.packageJSON.contributes as { walkthroughs: Walkthrough[] };
    for (const { description, media } of walkthroughs.flatMap(({ steps }) => steps)) {
      await vscode.workspace.fs.stat(vscode.Uri.joinPath(extension.extensionUri, media.markdown));
      const [, command] = /\(command:(.*)\)/.exec(description) ?? [];
      assert(command === undefined || commands.includes(command), command);
    }
  },
};

/** The editor of the untitled document that a command opens, when the first choices are taken. */
async function created(command: string): Promise<vscode.TextEditor> {
  const ended = settled(vscode.commands.executeCommand(command).then(() => true));
  await until(async () => {
    await vscode.commands.executeCommand("workbench.action.acceptSelectedQuickOpenItem");
    return ended.value;
  }, true);
  const editor = vscode.window.activeTextEditor;
  assert(editor?.document.isUntitled);
  return editor;
}

async function close(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
}
