/**
 * The commands that write something new: a policy, a binding, an input. The text comes from the server, which
 * completes whole documents in an empty one.
 */
import * as vscode from "vscode";
import { hasPolicy } from "./policies";
import { serverCommand } from "./protocol";

/** A policy of the workspace. */
interface Policy extends vscode.QuickPickItem {
  /** The kind. */
  readonly detail: string;
  readonly location: vscode.Location;
}

/** Registers the commands. */
export function registerCreation(): vscode.Disposable {
  const commands = {
    "admissible.newPolicy": newPolicy,
    "admissible.newBinding": newBinding,
    "admissible.newInput": newInput,
  };
  const registered = Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run));
  return vscode.Disposable.from(...registered);
}

async function newPolicy(): Promise<void> {
  const kinds = [
    { label: "ValidatingAdmissionPolicy", detail: "Denies requests, or warns about them" },
    { label: "MutatingAdmissionPolicy", detail: "Changes the objects of requests" },
    { label: "CustomResourceDefinition", detail: "Defines a kind with validation rules" },
  ];
  const picked = await vscode.window.showQuickPick(kinds, { title: "New Policy", placeHolder: "Kind of the policy" });
  if (picked !== undefined) {
    await openSkeleton(picked.label);
  }
}

async function newBinding(): Promise<void> {
  const policies = await policiesOfWorkspace();
  if (policies.length === 0) {
    void vscode.window.showInformationMessage("There is no policy to bind in the workspace. Create one first, and save it.");
    return;
  }
  const options = { title: "New Binding", placeHolder: "Policy to put into effect", matchOnDetail: true };
  const picked = await vscode.window.showQuickPick(policies, options);
  if (picked !== undefined) {
    await openSkeleton(`${picked.detail}Binding`, picked.label);
  }
}

async function newInput(): Promise<void> {
  const place = placeInEditor() ?? (await pickPlace());
  if (place !== undefined) {
    const { line, character } = place.range.start;
    const argument = { uri: place.uri.toString(), position: { line, character } };
    await vscode.commands.executeCommand(serverCommand.createInput, argument);
  }
}

/** The cursor, if the active document has a policy. */
function placeInEditor(): vscode.Location | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor !== undefined && hasPolicy(editor.document)
    ? new vscode.Location(editor.document.uri, editor.selection.active)
    : undefined;
}

/** The policy of the workspace that the user picks, in an editor: the server creates inputs for open documents. */
async function pickPlace(): Promise<vscode.Location | undefined> {
  const policies = await policiesOfWorkspace();
  if (policies.length === 0) {
    void vscode.window.showInformationMessage("There is no policy in the workspace. Create one first, and save it.");
    return undefined;
  }
  const options = { title: "New Input", placeHolder: "Policy to evaluate", matchOnDetail: true };
  const picked = await vscode.window.showQuickPick(policies, options);
  if (picked !== undefined) {
    await vscode.window.showTextDocument(picked.location.uri, { selection: picked.location.range });
  }
  return picked?.location;
}

/** The policies of the workspace, by their names. */
async function policiesOfWorkspace(): Promise<Policy[]> {
  const symbols = await vscode.commands.executeCommand<vscode.SymbolInformation[]>(
    "vscode.executeWorkspaceSymbolProvider",
    "",
  );
  return symbols
    .filter(({ containerName }) => /^(Validating|Mutating)AdmissionPolicy$/.test(containerName))
    .map(({ name, containerName, location }) => ({
      label: name,
      description: vscode.workspace.asRelativePath(location.uri),
      detail: containerName,
      location,
    }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

/** Opens a new document with the skeleton of a kind, with the cursor in its first blank. */
async function openSkeleton(kind: string, policy?: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: "yaml", content: "" });
  const editor = await vscode.window.showTextDocument(document);
  const skeleton = await skeletonOf(document, kind);
  if (skeleton === undefined) {
    void vscode.window.showErrorMessage(`Admissible offers no ${kind} here. Is its server running?`);
    return;
  }
  const bound = policy === undefined ? skeleton : skeleton.replace(/\$\{\d+:policy\}/, () => escaped(policy));
  await editor.insertSnippet(new vscode.SnippetString(bound), new vscode.Position(0, 0));
}

async function skeletonOf(document: vscode.TextDocument, kind: string): Promise<string | undefined> {
  const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
    "vscode.executeCompletionItemProvider",
    document.uri,
    new vscode.Position(0, 0),
  );
  const found = items.find(({ label, kind: of }) => label === kind && of === vscode.CompletionItemKind.Snippet);
  const text = found?.insertText;
  return text instanceof vscode.SnippetString ? text.value : text;
}

/** `text` as a part of a snippet. */
function escaped(text: string): string {
  return text.replace(/[\\$}]/g, "\\$&");
}
