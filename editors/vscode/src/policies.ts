/**
 * Detects whether the active document has a policy, for the context menu. It has one if the server returns
 * lenses for it, so the text is not parsed a second time.
 */
import * as vscode from "vscode";
import type { ProvideCodeLensesSignature } from "vscode-languageclient";

const withPolicy = new Set<string>();

/** Sets the context key for the menus of the extension. */
export function watchPolicies(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(tell),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => withPolicy.delete(uri.toString())),
  );
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
  }
  return lenses;
}

function tell(editor: vscode.TextEditor | undefined): void {
  const hasPolicy = editor !== undefined && withPolicy.has(editor.document.uri.toString());
  void vscode.commands.executeCommand("setContext", "admissible.hasPolicy", hasPolicy);
}
