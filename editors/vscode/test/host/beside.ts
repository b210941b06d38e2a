/**
 * The entry inside the extension host for YAML by Red Hat beside this extension: nothing is there twice.
 * `cargo xtask editors --only vscode --beside FILE.vsix` installs it.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { findings, only, open, until } from "./editor";
import { runCases } from "./outcomes";

/** The identifier of the other extension. */
const other = "redhat.vscode-yaml";

export function run(): Promise<void> {
  return runCases({
    "both extensions run": bothRun,
    "a misspelled field has one finding": misspelled,
    "broken YAML has one finding for a place": broken,
    "a hover has one part for a thing": hover,
    "a key and a variable are completed once": completion,
  });
}

async function bothRun(): Promise<void> {
  await vscode.extensions.getExtension(other)?.activate();
  assert.equal(vscode.extensions.getExtension(other)?.isActive, true);
  const { document } = await open("other.yaml");
  // What only the other extension reports.
  await vscode.window.showTextDocument(document);
  const symbols = async () =>
    (await vscode.commands.executeCommand<unknown[]>("vscode.executeDocumentSymbolProvider", document.uri)).length > 0;
  await until(symbols, true);
}

async function misspelled(): Promise<void> {
  const { document } = await open("replicas.yaml");
  await until(() => findings(document).length, 4);
  await assertOnce(document);
}

async function broken(): Promise<void> {
  const editor = await open("replicas.yaml");
  await until(() => findings(editor.document).length, 4);
  await editor.edit((edit) => edit.insert(new vscode.Position(4, 8), '"'));
  try {
    await until(() => sources(editor.document, 4), ["YAML"]);
    await assertOnce(editor.document);
    // What the other extension does not report stays.
    assert.equal(findings(editor.document).length, 4);
  } finally {
    await vscode.commands.executeCommand("workbench.action.files.revert");
  }
}

/** The extensions with a finding on a line, counted from 0. */
function sources(document: vscode.TextDocument, line: number): (string | undefined)[] {
  const all = vscode.languages.getDiagnostics(document.uri);
  return all.filter(({ range }) => range.start.line === line).map(({ source }) => source);
}

/** No line has findings of both extensions. The other one gets time to answer. */
async function assertOnce(document: vscode.TextDocument): Promise<void> {
  await new Promise((resume) => setTimeout(resume, 3_000));
  const all = vscode.languages.getDiagnostics(document.uri);
  const described = all.map((it) => `${it.range.start.line + 1} ${it.source}: ${it.message}`);
  const lines = (isOurs: boolean) =>
    new Set(all.filter((it) => (it.source === "admissible") === isOurs).map((it) => it.range.start.line));
  const [ours, theirs] = [lines(true), lines(false)];
  const both = [...ours].filter((line) => theirs.has(line));
  assert.deepEqual(both, [], described.join("\n"));
}

async function hover(): Promise<void> {
  const { document } = await open("limit.yaml");
  for (const place of ["matchConstraints", "spec.replicas"]) {
    const position = only(document, place).start.translate(0, place.length - 1);
    const parts = async () => {
      const found = await vscode.commands.executeCommand<vscode.Hover[]>(
        "vscode.executeHoverProvider",
        document.uri,
        position,
      );
      return found.flatMap(({ contents }) => contents.map((it) => (typeof it === "string" ? it : it.value)));
    };
    await until(async () => (await parts()).length > 0, true);
    assert.equal((await parts()).length, 1, `${place}:\n${(await parts()).join("\n---\n")}`);
  }
}

async function completion(): Promise<void> {
  const editor = await open("limit.yaml");
  const { document } = editor;
  for (const [text, label] of [
    ["matchConstraints", "matchConstraints"],
    ["object.spec.replicas", "object"],
  ] as const) {
    const position = only(document, text).start.translate(0, 3);
    const labels = async () => {
      const found = await vscode.commands.executeCommand<vscode.CompletionList>(
        "vscode.executeCompletionItemProvider",
        document.uri,
        position,
      );
      return found.items.map((it) => (typeof it.label === "string" ? it.label : it.label.label));
    };
    await until(async () => (await labels()).includes(label), true);
    const said = await labels();
    assert.equal(said.filter((it) => it === label).length, 1, said.join(", "));
  }
}
