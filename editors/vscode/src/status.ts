/**
 * The state of the server: an item in the status bar, and a message with actions when the server cannot
 * run.
 */
import * as vscode from "vscode";
import { documentSelector } from "./client";

/** The states of the server that are shown. */
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

  /** Shows `state`. If the server cannot run, it also shows a message, without waiting for the user. */
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
      return "Admissible: starting";
    case "running":
      return state.version === undefined ? "Admissible" : `Admissible ${state.version}`;
    case "missing":
      return "Admissible: server not found";
    case "failed":
      return "Admissible: server not running";
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

/** The settings page on which the path is set: on a remote machine, not the one of the user. */
function settingsPage(): string {
  const path = vscode.workspace.getConfiguration("admissible").inspect("server.path");
  if (path?.workspaceValue !== undefined) {
    return "workbench.action.openWorkspaceSettings";
  }
  return vscode.env.remoteName === undefined ? "workbench.action.openSettings2" : "workbench.action.openRemoteSettings";
}
