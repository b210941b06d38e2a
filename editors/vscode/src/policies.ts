/**
 * Detects whether the active document has a policy, for the context menu. It has one if the server returns
 * lenses for it, so the text is not parsed a second time.
 */
import * as vscode from "vscode";
import type { ProvideCodeLensesSignature } from "vscode-languageclient";

const withPolicy = new Set<string>();
const lensesProvided = new vscode.EventEmitter<vscode.TextDocument>();

/** Lenses of a document have come: its text, an input or a setting may have changed. */
export const onDidProvideLenses = lensesProvided.event;

/** Sets the context key for the menus of the extension. */
export function watchPolicies(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(tell),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => withPolicy.delete(uri.toString())),
  );
}

/** Returns whether a document has a policy, as far as the server has said. */
export function hasPolicy({ uri }: vscode.TextDocument): boolean {
  return withPolicy.has(uri.toString());
}

/** Requests the lenses of a document from the server. */
export async function provideCodeLenses(
  document: vscode.TextDocument,
  token: vscode.CancellationToken,
  next: ProvideCodeLensesSignature,
): Promise<vscode.CodeLens[] | null | undefined> {
  const lenses = await next(document, token);
  if (!token.isCancellationRequested && !document.isClosed) {
    const uri = document.uri.toString();
    if (lenses?.length) {
      withPolicy.add(uri);
    } else {
      withPolicy.delete(uri);
    }
    tell(vscode.window.activeTextEditor);
    lensesProvided.fire(document);
  }
  return lenses;
}

function tell(editor: vscode.TextEditor | undefined): void {
  const shown = editor !== undefined && hasPolicy(editor.document);
  void vscode.commands.executeCommand("setContext", "admissible.hasPolicy", shown);
}
