/** Documents that are not files: the editor does not offer to save them, and no server checks them. */
import * as vscode from "vscode";

/** The scheme of the documents. */
export const scheme = "admissible";

/** The URI of a document. The extension of `name` sets its language; `key` distinguishes documents of the same name. */
export function virtualUri(name: string, key = ""): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${name}`, query: key });
}

/** The documents that are currently shown. */
export class VirtualDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly registrations = vscode.Disposable.from(
    this.changes,
    vscode.workspace.registerTextDocumentContentProvider(scheme, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
  );
  readonly onDidChange = this.changes.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    // A tab that a new window restores no longer has content.
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Sets the content of a document, even if it is already shown. */
  set(uri: vscode.Uri, text: string): void {
    this.texts.set(uri.toString(), text);
    this.changes.fire(uri);
  }

  dispose(): void {
    this.registrations.dispose();
  }
}
