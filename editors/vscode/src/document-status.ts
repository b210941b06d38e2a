/** The state of the active document, beside that of the server: its target versions and its mode. */
import * as vscode from "vscode";
import { documentSelector } from "./client";
import { onDidProvideLenses } from "./policies";
import { serverCommand, type DocumentState } from "./protocol";

/** How long the server gets to read a changed setting, in milliseconds. */
const pause = 300;

/** The items in the status bar of a YAML or JSON document. */
export class DocumentStatus implements vscode.Disposable {
  private readonly kubernetes = item("admissible.kubernetes", "Target Versions");
  private readonly live = item("admissible.liveValues", "Live Values");
  private timer: NodeJS.Timeout | undefined;
  private readonly registrations = vscode.Disposable.from(
    this.kubernetes,
    this.live,
    vscode.window.onDidChangeActiveTextEditor(() => this.refresh()),
    onDidProvideLenses((document) => (document === activeDocument() ? this.refresh() : undefined)),
    vscode.workspace.onDidChangeConfiguration((change) =>
      change.affectsConfiguration("admissible") ? this.refreshLater() : undefined,
    ),
    vscode.workspace.onDidSaveTextDocument(({ uri }) =>
      uri.path.endsWith("/admissible.toml") ? this.refreshLater() : undefined,
    ),
    { dispose: () => clearTimeout(this.timer) },
  );

  constructor() {
    this.show(undefined);
    this.kubernetes.command = {
      title: "Change",
      command: "workbench.action.openSettings",
      arguments: ["admissible.kubernetes"],
    };
    this.live.command = { title: "Toggle", command: "admissible.toggleLiveValuesHere" };
  }

  /** Requests the state from the server and shows it. */
  async refresh(): Promise<void> {
    const document = activeDocument();
    const known = document !== undefined && vscode.languages.match(documentSelector, document) > 0;
    const state = known ? await stateOf(document) : undefined;
    if (document === activeDocument()) {
      this.show(state);
    }
  }

  dispose(): void {
    this.registrations.dispose();
  }

  private refreshLater(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.refresh(), pause);
  }

  private show(state: DocumentState | undefined): void {
    this.kubernetes.text = state?.kubernetes ? `Kubernetes ${state.kubernetes}` : "Kubernetes: no target versions";
    this.kubernetes.detail = state?.excluded ? "excluded by admissible.toml" : "";
    this.live.text = state?.liveValues ? "Live values: on" : "Live values: off";
  }
}

function item(id: string, name: string): vscode.LanguageStatusItem {
  const created = vscode.languages.createLanguageStatusItem(id, documentSelector);
  created.name = `Admissible: ${name}`;
  return created;
}

function activeDocument(): vscode.TextDocument | undefined {
  return vscode.window.activeTextEditor?.document;
}

/** `undefined` while the server does not run, or does not have the document. */
async function stateOf({ uri }: vscode.TextDocument): Promise<DocumentState | undefined> {
  try {
    return await vscode.commands.executeCommand<DocumentState>(serverCommand.documentStatus, { uri: uri.toString() });
  } catch {
    return undefined;
  }
}
