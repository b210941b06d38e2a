/** Shows an input that the server has created, beside its policy, with its name selected. */
import * as vscode from "vscode";
import type {
  ApplyWorkspaceEditParams,
  ApplyWorkspaceEditRequest,
  ApplyWorkspaceEditResult,
  ProvideCodeActionsSignature,
} from "vscode-languageclient";

/** The command of the code action, after its edit. */
const showCommand = "admissible.showNewInput";

/** Registers the command that shows an input after the edit of a code action. */
export function registerNewInput(): vscode.Disposable {
  return vscode.commands.registerCommand(showCommand, (uri: vscode.Uri, line: number) => show(uri, line));
}

/** Applies an edit of the server. The only edits that it sends by itself create inputs. */
export async function applyEdit(
  params: ApplyWorkspaceEditParams,
  next: ApplyWorkspaceEditRequest.HandlerSignature,
): Promise<ApplyWorkspaceEditResult> {
  const result = (await next(params, new vscode.CancellationTokenSource().token)) as ApplyWorkspaceEditResult;
  for (const change of result.applied ? (params.edit.documentChanges ?? []) : []) {
    const edit = "edits" in change ? change.edits[0] : undefined;
    if ("textDocument" in change && edit !== undefined && "range" in edit) {
      await show(vscode.Uri.parse(change.textDocument.uri), edit.range.start.line);
    }
  }
  return result;
}

/** Requests code actions. Those that create an input show it afterward. */
export async function provideCodeActions(
  document: vscode.TextDocument,
  range: vscode.Range,
  context: vscode.CodeActionContext,
  token: vscode.CancellationToken,
  next: ProvideCodeActionsSignature,
): Promise<(vscode.Command | vscode.CodeAction)[] | null | undefined> {
  const actions = await next(document, range, context, token);
  for (const action of actions ?? []) {
    const [uri, edits] = ("edit" in action ? action.edit?.entries()[0] : undefined) ?? [];
    const start = edits?.[0]?.range.start;
    if ("edit" in action && uri !== undefined && start !== undefined && isInputsFile(uri, document.uri)) {
      action.command = { title: "Show Input", command: showCommand, arguments: [uri, start.line] };
    }
  }
  return actions;
}

function isInputsFile(uri: vscode.Uri, policy: vscode.Uri): boolean {
  return uri.path !== policy.path && uri.path.endsWith(".inputs.yaml");
}

/** Opens the inputs file beside the policy, unless it is already visible, and selects the first name after a line. */
async function show(uri: vscode.Uri, line: number): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  const visible = vscode.window.visibleTextEditors.find((editor) => editor.document === document);
  const viewColumn = visible?.viewColumn ?? vscode.ViewColumn.Beside;
  const selection = firstName(document, line);
  await vscode.window.showTextDocument(document, { viewColumn, ...(selection && { selection }) });
}

function firstName(document: vscode.TextDocument, from: number): vscode.Range | undefined {
  for (let line = from; line < document.lineCount; line += 1) {
    const text = document.lineAt(line).text;
    if (text.startsWith("name: ")) {
      return new vscode.Range(line, "name: ".length, line, text.length);
    }
  }
  return undefined;
}
