/**
 * What the user sees of the server: an item in the status bar, and a message with a way out when the
 * server cannot run.
 */
import * as vscode from "vscode";
import { documentSelector } from "./client";

/** The states of the server that the user can tell apart. */
export type ServerState =
  | { readonly kind: "starting" }
  | { readonly kind: "running"; readonly version: string | undefined }
  | { readonly kind: "missing"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

/** The item in the status bar of a YAML or JSON document. */
export class ServerStatus implements vscode.Disposable {
  private readonly item: vscode.LanguageStatusItem;

  constructor() {
    this.item = vscode.languages.createLanguageStatusItem("admissible.server", documentSelector);
    this.item.name = "Admissible";
  }

  /** Shows `state`. A server that cannot run also gets a message, which does not wait for an answer. */
  show(state: ServerState): void {
    const broken = state.kind === "missing" || state.kind === "failed";
    this.item.busy = state.kind === "starting";
    this.item.severity = broken ? vscode.LanguageStatusSeverity.Error : vscode.LanguageStatusSeverity.Information;
    this.item.text = title(state);
    this.item.detail = broken ? state.reason : "";
    this.item.command = broken
      ? { title: "Show Output", command: "admissible.showOutput" }
      : { title: "Restart", command: "admissible.restartServer" };
    if (broken) {
      void offerWayOut(state);
    }
  }

  dispose(): void {
    this.item.dispose();
  }
}

function title(state: ServerState): string {
  switch (state.kind) {
    case "starting":
      return "Admissible starts";
    case "running":
      return state.version === undefined ? "Admissible" : `Admissible ${state.version}`;
    case "missing":
      return "Admissible: no server";
    case "failed":
      return "Admissible: the server does not run";
  }
}

async function offerWayOut(state: { kind: "missing" | "failed"; reason: string }): Promise<void> {
  const openSetting = "Open Setting";
  const showOutput = "Show Output";
  const buttons = state.kind === "missing" ? [openSetting] : [showOutput, openSetting];
  const answer = await vscode.window.showErrorMessage(`Admissible cannot start. ${state.reason}`, ...buttons);
  if (answer === openSetting) {
    await vscode.commands.executeCommand(settingsPage(), { query: "admissible.server.path" });
  }
  if (answer === showOutput) {
    await vscode.commands.executeCommand("admissible.showOutput");
  }
}

/** The page of the settings that shows where the path is set, or may be: on a remote machine, not the user's page. */
function settingsPage(): string {
  const path = vscode.workspace.getConfiguration("admissible").inspect("server.path");
  if (path?.workspaceValue !== undefined) {
    return "workbench.action.openWorkspaceSettings";
  }
  return vscode.env.remoteName === undefined ? "workbench.action.openSettings2" : "workbench.action.openRemoteSettings";
}
