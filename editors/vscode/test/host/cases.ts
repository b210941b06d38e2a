/** The cases that run in the extension host, in this order, each on documents as they are on disk. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { findings, hints, lenses, only, open, servers, typeOver, until, withSetting } from "./editor";

const wrongPolicy = "error unsupported-value 7:18-7:22 Fial";
const wrongVariable = "error undefined-variable 18:42-18:49 replica";
const wrongOperator = "error cel-syntax 22:26-22:27 =";
const wrongField = "error unknown-field 25:5-25:11 mesage";
const all = [wrongPolicy, wrongVariable, wrongOperator, wrongField];

export const cases: Record<string, () => Promise<void>> = {
  "a policy shows its findings at their exact places": async () => {
    const { document } = await open("replicas.yaml");
    await until(() => findings(document), all);
  },

  "a file that is no policy has none": async () => {
    const { document } = await open("other.yaml");
    // The policy beside it answers later than this one, so the server has seen both.
    const policy = await open("replicas.yaml");
    await until(() => findings(policy.document), all);
    assert.deepEqual(findings(document), []);
  },

  "typing that mends a mistake removes its finding": async () => {
    const editor = await open("replicas.yaml");
    await typeOver(editor, "Fial", "Fail");
    await until(() => findings(editor.document), [wrongVariable, wrongOperator, wrongField]);
  },

  "typing that makes a mistake adds a finding": async () => {
    const editor = await open("replicas.yaml");
    await typeOver(editor, "message: At", "massage: At");
    await until(() => findings(editor.document), [
      wrongPolicy,
      wrongVariable,
      "error unknown-field 19:5-19:12 massage",
      wrongOperator,
      wrongField,
    ]);
  },

  "a character of two UTF-16 units moves the findings after it by two": async () => {
    const editor = await open("replicas.yaml");
    await typeOver(editor, "😀", "😀😀");
    await until(() => findings(editor.document), [
      wrongPolicy,
      "error undefined-variable 18:44-18:51 replica",
      wrongOperator,
      wrongField,
    ]);
    await typeOver(editor, "replica <=", "replicas <=");
    await until(() => findings(editor.document), [wrongPolicy, wrongOperator, wrongField]);
  },

  "a half-written file keeps the findings of the rest": async () => {
    const editor = await open("replicas.yaml");
    // Not typed: the editor would close the quote.
    await editor.edit((edit) => edit.insert(new vscode.Position(4, 8), '"'));
    await until(() => findings(editor.document), ['error yaml-syntax 5:9-5:10 "', ...all]);
  },

  "a quick fix is offered and applied": async () => {
    const editor = await open("replicas.yaml");
    await until(() => findings(editor.document), all);
    // The editor drops an answer when it still loads the text that was reverted.
    let edit: vscode.WorkspaceEdit | undefined;
    await until(async () => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        "vscode.executeCodeActionProvider",
        editor.document.uri,
        only(editor.document, "Fial"),
        vscode.CodeActionKind.QuickFix.value,
      );
      edit = actions.find((action) => action.isPreferred)?.edit;
      return edit !== undefined;
    }, true);
    assert(edit);
    await vscode.workspace.applyEdit(edit);
    assert.equal(editor.document.lineAt(6).text, "  failurePolicy: Fail");
    await until(() => findings(editor.document), [wrongVariable, wrongOperator, wrongField]);
  },

  "the outline names the policy": async () => {
    const { document } = await open("replicas.yaml");
    const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>(
      "vscode.executeDocumentSymbolProvider",
      document.uri,
    );
    assert.deepEqual(symbols.map((symbol) => symbol.name), ["replicas"]);
  },

  "a document that was never saved has findings": async () => {
    const document = await vscode.workspace.openTextDocument({
      language: "yaml",
      content: "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata:\n  name: a\nspec:\n  mesage: x\n",
    });
    await vscode.window.showTextDocument(document);
    await until(() => findings(document).includes("error unknown-field 6:3-6:9 mesage"), true);
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
  },

  "a policy in JSON has findings": async () => {
    const { document } = await open("replicas.json");
    assert.equal(document.languageId, "json");
    await until(() => findings(document), ["error unknown-field 6:5-6:13 \"mesage\""]);
  },

  "the setting of a rule changes its severity at once": async () => {
    const { document } = await open("replicas.yaml");
    await until(() => findings(document), all);
    await withSetting("rules", { "unknown-field": "off", "cel-syntax": "information" }, () =>
      until(() => findings(document), [wrongPolicy, wrongVariable, wrongOperator.replace("error", "information")]),
    );
    await until(() => findings(document), all);
  },

  "the restart command ends the server and starts a new one": async () => {
    const editor = await open("replicas.yaml");
    await until(() => findings(editor.document), all);
    const [old, ...others] = servers();
    assert(old !== undefined && others.length === 0, "one server runs");
    await vscode.commands.executeCommand("admissible.restartServer");
    const [next, ...more] = servers();
    assert(next !== undefined && more.length === 0, "one server runs");
    assert.notEqual(next, old);
    await typeOver(editor, "Fial", "Fail");
    await until(() => findings(editor.document), [wrongVariable, wrongOperator, wrongField]);
  },

  "a wrong path in the setting stops the server, a right one starts it": async () => {
    const { document } = await open("replicas.yaml");
    await withSetting("server.path", "/nowhere/admissible", async () => {
      await until(() => findings(document), []);
      await until(servers, []);
    });
    await until(() => findings(document), all);
  },

  "a lens says what an expression gives, and a click shows its value and its parts": async () => {
    const { document } = await open("limit.yaml");
    await until(async () => (await lenses(document)).map((lens) => lens.command?.title), [
      "samples: 1 fail",
      "evaluate: false · Deployment web",
    ]);
    const click = (await lenses(document))[1]?.command;
    assert(click, "the expression has a lens");
    await vscode.commands.executeCommand(click.command, ...(click.arguments ?? []));
    await until(() => hints(document), ["14: = false"]);
    const trace = vscode.workspace.textDocuments.find((other) => other.uri.scheme === "admissible-trace");
    assert.match(trace?.getText() ?? "", /object\.spec\.replicas {2}= {2}7/);
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    await vscode.commands.executeCommand("admissible.hideValuesHere");
    await until(() => hints(document), []);
  },

  "a .cel file is CEL, and a policy stays YAML": async () => {
    const cel = await open("expression.cel");
    assert.equal(cel.document.languageId, "cel");
    const yaml = await open("replicas.yaml");
    assert.equal(yaml.document.languageId, "yaml");
  },
};
