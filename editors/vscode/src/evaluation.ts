/**
 * What the server evaluates. The lenses and the values beside the expressions come from the server; this
 * shows the values of the parts of an expression, and lets the user choose the manifest that is tried.
 */
import * as vscode from "vscode";
import type { ClientCapabilities, ExecuteCommandSignature, StaticFeature } from "vscode-languageclient";

/** The commands of the server. Their arguments and results are in the server's `to_lsp/evaluation.rs`. */
const evaluate = "admissible.evaluate";
const selectSample = "admissible.selectSample";
const hideValues = "admissible.hideValues";

/** The result of `admissible.evaluate`, as far as it is shown here. */
interface Result {
  readonly report: string;
}

/** A manifest among the result of `admissible.selectSample`. */
interface Sample {
  readonly label: string;
  readonly decision: string;
  readonly messages: readonly string[];
  readonly chosen: boolean;
  readonly sample: { readonly path: string };
}

/** Tells the server that the results of its commands are shown, so that it sends no messages about them. */
export const showsResults: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const others = capabilities.experimental as object | undefined;
    capabilities.experimental = { ...others, admissible: { showsResults: true } };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};

/** Runs a command of the server and shows its result. */
export async function execute(command: string, args: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
  const result: unknown = await next(command, args);
  if (command === evaluate) {
    await showTrace(result as Result | null);
  }
  if (command === selectSample && Array.isArray(result)) {
    await choose(result as Sample[], args, next);
  }
  return result;
}

/** The commands of the palette, which act on the expression or the document with the cursor. */
export function registerCommands(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(trace.uri.scheme, trace),
    vscode.commands.registerTextEditorCommand("admissible.evaluateHere", ({ document, selection }) => {
      const { line, character } = selection.active;
      void vscode.commands.executeCommand(evaluate, { uri: document.uri.toString(), position: { line, character } });
    }),
    vscode.commands.registerTextEditorCommand("admissible.hideValuesHere", ({ document }) => {
      void vscode.commands.executeCommand(hideValues, { uri: document.uri.toString() });
    }),
  );
}

/** The document that shows the values of the parts of the expression that was evaluated last. */
class Trace implements vscode.TextDocumentContentProvider {
  readonly uri = vscode.Uri.parse("admissible-trace:Evaluation");
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changes.event;
  private text = "";

  provideTextDocumentContent(): string {
    return this.text;
  }

  show(text: string): void {
    this.text = text;
    this.changes.fire(this.uri);
  }
}

const trace = new Trace();

async function showTrace(result: Result | null): Promise<void> {
  if (result === null) {
    const reason = "There is no expression here, or no manifest in the workspace that the policy matches.";
    void vscode.window.showInformationMessage(reason);
    return;
  }
  trace.show(result.report);
  const document = await vscode.workspace.openTextDocument(trace.uri);
  const isVisible = vscode.window.visibleTextEditors.some((editor) => editor.document === document);
  if (!isVisible) {
    const viewColumn = vscode.ViewColumn.Beside;
    await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true, preview: true });
  }
}

async function choose(samples: Sample[], args: unknown[], next: ExecuteCommandSignature): Promise<void> {
  const items = samples.map((sample) => ({
    label: `${sample.chosen ? "$(check) " : ""}${sample.label}`,
    description: `${sample.decision}  ${vscode.workspace.asRelativePath(sample.sample.path)}`,
    detail: sample.messages.join(" "),
    sample,
  }));
  if (items.length === 0) {
    await showTrace(null);
    return;
  }
  const title = "Which manifest shall the policy be tried on?";
  const picked = await vscode.window.showQuickPick(items, { title });
  if (picked !== undefined) {
    await next(selectSample, [{ ...(args[0] as object), sample: picked.sample.sample }]);
  }
}
