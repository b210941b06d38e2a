/** Texts that the editor shows and that are no files: nobody is asked to save them, and no server checks them. */
import * as vscode from "vscode";

const scheme = "admissible";

/** The place of a text. The end of `name` says its language; `key` tells texts of one name apart. */
export function virtualUri(name: string, key = ""): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${name}`, query: key });
}

/** The texts that are shown at the moment. */
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
    // A tab that a new window restores has no text any more.
    return this.texts.get(uri.toString()) ?? "";
  }

  /** Gives a text to a place, also where it is shown already. */
  set(uri: vscode.Uri, text: string): void {
    this.texts.set(uri.toString(), text);
    this.changes.fire(uri);
  }

  dispose(): void {
    this.registrations.dispose();
  }
}
