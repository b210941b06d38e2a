/** What the tests do in the editor, and what they see there. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";

/** How long the editor may take until it shows what a test expects, in milliseconds. */
export const patience = 30_000;

/** Opens a file of the workspace in the editor, as it is on disk. */
export async function open(name: string): Promise<vscode.TextEditor> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert(folder, "the workspace has a folder");
  const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder.uri, name));
  const editor = await vscode.window.showTextDocument(document);
  if (document.isDirty) {
    await vscode.commands.executeCommand("workbench.action.files.revert");
  }
  assert(!document.isDirty, "the document is as it is on disk");
  return editor;
}

/** Does `step` while the workspace has the setting `admissible.<name>`. */
export async function withSetting(name: string, value: unknown, step: () => Promise<void>): Promise<void> {
  const settings = vscode.workspace.getConfiguration("admissible");
  await settings.update(name, value, vscode.ConfigurationTarget.Workspace);
  try {
    await step();
  } finally {
    await settings.update(name, undefined, vscode.ConfigurationTarget.Workspace);
  }
}

/** The range of the only place of `text` in the document. */
export function only(document: vscode.TextDocument, text: string): vscode.Range {
  const start = document.getText().indexOf(text);
  assert(start >= 0, `'${text}' is in the document`);
  assert.equal(document.getText().lastIndexOf(text), start, `'${text}' is in the document once`);
  return new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
}

/** Types `text` over the only place of `old`, as a user does with the keyboard. */
export async function typeOver(editor: vscode.TextEditor, old: string, text: string): Promise<void> {
  const range = only(editor.document, old);
  await select(editor, range);
  await vscode.commands.executeCommand("type", { text });
}

/** Selects a range. The cursor is at its end. */
export async function select(editor: vscode.TextEditor, range: vscode.Range): Promise<void> {
  await vscode.window.showTextDocument(editor.document, { selection: range });
  // The editor learns the new selection a moment later than this call returns.
  await until(() => vscode.window.activeTextEditor?.selection.isEqual(range), true);
}

/** The findings of the server: code, place counted from 1 as the editor shows it, the text there. */
export function findings(document: vscode.TextDocument): string[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter((diagnostic) => diagnostic.source === "admissible")
    .sort((a, b) => a.range.start.compareTo(b.range.start))
    .map((diagnostic) => {
      const { start, end } = diagnostic.range;
      const place = `${start.line + 1}:${start.character + 1}-${end.line + 1}:${end.character + 1}`;
      const severity = vscode.DiagnosticSeverity[diagnostic.severity].toLowerCase();
      return `${severity} ${code(diagnostic)} ${place} ${document.getText(diagnostic.range)}`;
    });
}

/** The lenses of the server, with what they say, from top to bottom. The editor gives first what was answered first. */
export async function lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    document.uri,
    10,
  );
  return [...found].sort((a, b) => a.range.start.compareTo(b.range.start));
}

/** What the lenses say, from top to bottom, those of one line in the order of the alphabet. */
export async function titles(document: vscode.TextDocument): Promise<string[]> {
  const said = (await lenses(document)).map(({ range, command }) => ({ range, title: command?.title ?? "" }));
  said.sort((a, b) => a.range.start.compareTo(b.range.start) || a.title.localeCompare(b.title));
  return said.map(({ title }) => title);
}

/** The lens that says `title`. */
export async function lensWith(document: vscode.TextDocument, title: string): Promise<vscode.CodeLens> {
  const lens = (await lenses(document)).find(({ command }) => command?.title === title);
  assert(lens, `a lens says '${title}'`);
  return lens;
}

/** Clicks on the lens that says `title`. */
export async function click(document: vscode.TextDocument, title: string): Promise<void> {
  const { command } = await lensWith(document, title);
  assert(command);
  await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
}

/** The code action with a title, once it is offered at a place. */
export async function codeAction(
  document: vscode.TextDocument,
  range: vscode.Range,
  title: string,
): Promise<vscode.CodeAction> {
  let found: vscode.CodeAction | undefined;
  await until(async () => {
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      "vscode.executeCodeActionProvider",
      document.uri,
      range,
    );
    found = actions.find((action) => action.title === title);
    return found !== undefined;
  }, true);
  assert(found);
  return found;
}

/** The open documents of the extension that are no files, by the name at the end of their place. */
export function virtual(name: string): vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === "admissible" && uri.path === `/${name}`);
}

/** What `promise` gives, once it has given something. */
export function settled<T>(promise: Thenable<T>): { value: T | undefined } {
  const state: { value: T | undefined } = { value: undefined };
  void promise.then((value) => {
    state.value = value;
  });
  return state;
}

/** The values beside the expressions, with their lines counted from 1. */
export async function hints(document: vscode.TextDocument): Promise<string[]> {
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  const found = await vscode.commands.executeCommand<vscode.InlayHint[]>(
    "vscode.executeInlayHintProvider",
    document.uri,
    all,
  );
  return found.map((hint) => `${hint.position.line + 1}: ${String(hint.label)}`);
}

function code({ code }: vscode.Diagnostic): string {
  return String(typeof code === "object" ? code.value : code);
}

/** The processes of the program that the installed extension contains. */
export function servers(): string[] {
  const folder = vscode.extensions.getExtension("admissible.admissible")?.extensionPath;
  assert(folder, "the extension is installed");
  const program = join(folder, "server", "admissible");
  return readdirSync("/proc").filter((id) => /^\d+$/.test(id) && commandLine(id)[0] === program);
}

function commandLine(id: string): string[] {
  try {
    return readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0");
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

/** Waits until `see` gives what is expected, and fails with the difference when it never does. */
export async function until<T>(see: () => T | Thenable<T>, expected: T): Promise<void> {
  const end = Date.now() + patience;
  let seen = await see();
  while (!equal(seen, expected) && Date.now() < end) {
    await new Promise((resume) => setTimeout(resume, 20));
    seen = await see();
  }
  assert.deepEqual(seen, expected);
}

function equal(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b);
    return true;
  } catch {
    return false;
  }
}
