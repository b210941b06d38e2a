/**
 * Evaluations. The editor shows lenses and inlay hints itself; this shows the rest: the report of an
 * expression, the list of inputs, and the change of a mutation.
 */
import * as vscode from "vscode";
import type { ExecuteCommandSignature } from "vscode-languageclient";
import { EvaluationView } from "./evaluation-view";
import { pickInput } from "./inputs";
import { serverCommand, type Evaluation, type InputChoice, type LiveValues, type Mutation } from "./protocol";
import { VirtualDocuments, virtualUri } from "./virtual";

/** How long a message stays in the status bar, in milliseconds. */
const noteTime = 4000;

const documents = new VirtualDocuments();
const view = new EvaluationView(documents);

/** Runs a command of the server and shows its result. If there is none, the server shows the reason. */
export async function execute(command: string, args: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
  const result: unknown = await next(command, args);
  switch (command) {
    case serverCommand.evaluate:
      await showEvaluation(result as Evaluation | null, args);
      break;
    case serverCommand.selectInput:
      // The result of selecting an input is empty.
      if (Array.isArray(result)) {
        await choose(result as InputChoice[], args, next);
      }
      break;
    case serverCommand.liveValues:
      showLiveMode(result as LiveValues);
      break;
    case serverCommand.showMutation:
      await showMutation(result as Mutation | null, args);
      break;
  }
  return result;
}

/** The commands of the palette. Each acts on the policy or expression at the cursor. */
export function registerCommands(): vscode.Disposable {
  const commands = {
    "admissible.evaluateHere": () => runHere(serverCommand.evaluate),
    "admissible.chooseInputHere": () => runHere(serverCommand.selectInput),
    "admissible.toggleLiveValuesHere": () => runHere(serverCommand.liveValues),
    "admissible.showMutationHere": () => runHere(serverCommand.showMutation),
    "admissible.hideValuesHere": () => runHere(serverCommand.hideValues),
  };
  const registered = Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run));
  return vscode.Disposable.from(documents, view, ...registered);
}

/** Runs a command of the server for the position of the cursor. */
async function runHere(command: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor !== undefined) {
    const { line, character } = editor.selection.active;
    const argument = { uri: editor.document.uri.toString(), position: { line, character } };
    await vscode.commands.executeCommand(command, argument);
  }
}

async function showEvaluation(result: Evaluation | null, [argument]: unknown[]): Promise<void> {
  if (result !== null) {
    await view.show(vscode.Uri.parse((argument as { readonly uri: string }).uri), result);
  }
}

async function choose(choices: InputChoice[], args: unknown[], next: ExecuteCommandSignature): Promise<void> {
  if (choices.length === 0) {
    return;
  }
  const picked = await pickInput(choices);
  if (picked !== undefined) {
    await next(serverCommand.selectInput, [{ ...(args[0] as object), input: picked.input }]);
  }
}

function showLiveMode({ on }: LiveValues): void {
  const editor = vscode.window.activeTextEditor;
  const hints = vscode.workspace.getConfiguration("editor.inlayHints", editor?.document).get("enabled");
  if (on && hints === "off") {
    void vscode.window.showWarningMessage("Values are shown as inlay hints, but the setting editor.inlayHints.enabled is off.");
    return;
  }
  vscode.window.setStatusBarMessage(on ? "Live values on." : "Live values off.", noteTime);
}

async function showMutation(result: Mutation | null, args: unknown[]): Promise<void> {
  if (result === null) {
    return;
  }
  if (result.errors.length > 0) {
    void vscode.window.showWarningMessage(result.errors.join(" "));
  }
  const policy = JSON.stringify(args[0]);
  const [before, after] = [virtualUri("before.yaml", policy), virtualUri("after.yaml", policy)];
  documents.set(before, result.before);
  documents.set(after, result.after);
  await vscode.commands.executeCommand("vscode.diff", before, after, result.title);
}
