/** The cases that run in the extension host, in this order, each on documents as they are on disk. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { InputChoice } from "../../src/protocol";
import {
  click,
  codeAction,
  findings,
  hints,
  lensWith,
  only,
  open,
  select,
  servers,
  settled,
  titles,
  typeOver,
  until,
  virtual,
  withSetting,
} from "./editor";

const wrongPolicy = "error unsupported-value 7:18-7:22 Fial";
const wrongVariable = "error undefined-variable 18:42-18:49 replica";
const wrongOperator = "error cel-syntax 22:26-22:27 =";
const wrongField = "error unknown-field 25:5-25:11 mesage";
const limitTitles: [string, string] = ["inputs: 1 allowed, 2 denied", "evaluate: true · small"];
const ownerTitles = ["inputs: 1 allowed", "show changes", "evaluate: Object{metadata: Object.metadata{labels: {owner: platform}}} · shop"];
const podsTitles = ["no input: Create an admission input"];
const all = [wrongPolicy, wrongVariable, wrongOperator, wrongField];

export const cases: Record<string, () => Promise<void>> = {
  "a policy shows its findings at their exact places": async () => {
    const { document } = await open("replicas.yaml");
    await until(() => findings(document), all);
  },

  "the page of a rule opens in the editor": async () => {
    const { document } = await open("replicas.yaml");
    await until(() => findings(document), all);
    const [finding] = vscode.languages.getDiagnostics(document.uri);
    const code = finding?.code;
    assert(typeof code === "object", "the code of a finding is a link");
    assert.equal(code.target.toString(), `admissible-rule:/${code.value}.md`);
    const page = await vscode.workspace.openTextDocument(code.target);
    assert(page.getText().startsWith(`# \`${code.value}\`\n`), page.getText());
    assert.equal(page.languageId, "markdown");
  },

  "a file that is no policy has none": async () => {
    const { document } = await open("other.yaml");
    // The policy beside it answers later than this one, so the server has seen both.
    const policy = await open("replicas.yaml");
    await until(() => findings(policy.document), all);
    assert.deepEqual(findings(document), []);
  },

  "typing that fixes an error removes its finding": async () => {
    const editor = await open("replicas.yaml");
    await typeOver(editor, "Fial", "Fail");
    await until(() => findings(editor.document), [wrongVariable, wrongOperator, wrongField]);
  },

  "typing an error adds a finding": async () => {
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
    await until(() => titles(document), limitTitles);
    await click(document, limitTitles[1]);
    await until(() => hints(document), ["14: = true · object.spec.replicas = 3"]);
    const [report] = virtual("Evaluation");
    assert.match(report?.getText() ?? "", /object\.spec\.replicas {2}= {2}3/);
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    await vscode.commands.executeCommand("admissible.hideValuesHere");
    await until(() => hints(document), []);
  },

  "the command evaluates the expression at the cursor": async () => {
    const editor = await open("limit.yaml");
    await until(() => titles(editor.document), limitTitles);
    await select(editor, only(editor.document, "replicas <="));
    await vscode.commands.executeCommand("admissible.evaluateHere");
    await until(() => hints(editor.document), ["14: = true · object.spec.replicas = 3"]);
    await vscode.window.showTextDocument(editor.document, vscode.ViewColumn.One);
    await vscode.commands.executeCommand("admissible.hideValuesHere");
    await until(() => hints(editor.document), []);
  },

  "another input changes what the lens says": async () => {
    const { document } = await open("limit.yaml");
    await until(() => titles(document), limitTitles);
    const argument = (await lensWith(document, limitTitles[0])).command?.arguments?.[0] as object;
    // The list waits for the user: it is closed until the command ends.
    const asked = settled(vscode.commands.executeCommand<InputChoice[]>("admissible.selectInput", argument));
    await until(async () => {
      await vscode.commands.executeCommand("workbench.action.closeQuickOpen");
      return asked.value !== undefined;
    }, true);
    const choices = asked.value ?? [];
    assert.deepEqual(
      choices.map(({ label, decision, messages, chosen }) => [label, decision, messages.join(), chosen]),
      [
        ["small", "allowed", "", true],
        ["large", "denied", "At most five replicas", false],
        ["Deployment web", "denied", "At most five replicas", false],
      ],
    );
    const choose = (index: number) =>
      vscode.commands.executeCommand("admissible.selectInput", { ...argument, input: choices[index]?.input });
    await choose(1);
    await until(() => titles(document), [limitTitles[0], "evaluate: false · large"]);
    await choose(0);
    await until(() => titles(document), limitTitles);
  },

  "live values follow what is typed": async () => {
    const editor = await open("limit.yaml");
    await until(() => titles(editor.document), limitTitles);
    await vscode.commands.executeCommand("admissible.toggleLiveValuesHere");
    await until(() => hints(editor.document), ["14: = true · object.spec.replicas = 3"]);
    await typeOver(editor, "<= 5", "<= 2");
    await until(() => hints(editor.document), ["14: = false · object.spec.replicas = 3"]);
    await until(async () => (await titles(editor.document))[1], "evaluate: false · small");
    await vscode.commands.executeCommand("admissible.toggleLiveValuesHere");
    await until(() => hints(editor.document), []);
  },

  "the setting shows the values of every policy": async () => {
    // In limit.yaml the user has chosen.
    const { document } = await open("owner.yaml");
    const values = async () => (await hints(document)).length > 0;
    await until(values, false);
    await withSetting("liveValues", true, () => until(values, true));
    await until(values, false);
  },

  "a lens shows what a mutation changes": async () => {
    const { document } = await open("owner.yaml");
    await until(() => titles(document), ownerTitles);
    await click(document, "show changes");
    await assertMutation();
  },

  "the command shows what the policy at the cursor changes": async () => {
    const editor = await open("owner.yaml");
    await until(() => titles(editor.document), ownerTitles);
    await select(editor, only(editor.document, "name: owner"));
    await vscode.commands.executeCommand("admissible.showMutationHere");
    await assertMutation();
  },

  "a code action creates an input that the policy matches": async () => {
    const { document } = await open("pods.yaml");
    await until(() => titles(document), podsTitles);
    const action = await codeAction(document, only(document, "name: pods"), "Create an admission input");
    assert(action.edit);
    assert.equal(action.command?.command, "admissible.showNewInput");
    await vscode.workspace.applyEdit(action.edit);
    const place = vscode.Uri.joinPath(document.uri, "..", "pods.inputs.yaml");
    const created = await vscode.workspace.openTextDocument(place);
    try {
      assert.match(created.getText(), /kind: Pod$/m);
      await until(() => titles(document), ["inputs: 1 allowed, 1 denied", "evaluate: true · allowed by pods"]);
      assert.deepEqual(findings(created), []);
      assert(await created.save());
    } finally {
      await vscode.workspace.fs.delete(place);
    }
    await until(() => titles(document), podsTitles);
  },

  "a .cel file is CEL, and a policy stays YAML": async () => {
    const cel = await open("expression.cel");
    assert.equal(cel.document.languageId, "cel");
    const yaml = await open("replicas.yaml");
    assert.equal(yaml.document.languageId, "yaml");
  },
};

/** The tab in front shows the service of `owner.inputs.yaml` before and after its mutation. It is closed then. */
async function assertMutation(): Promise<void> {
  const sides = () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? [input.original.path, input.modified.path] : [];
  };
  await until(sides, ["/before.yaml", "/after.yaml"]);
  assert.equal(vscode.window.tabGroups.activeTabGroup.activeTab?.label, "owner: shop");
  const [before, after] = ["before.yaml", "after.yaml"].map((name) => virtual(name)[0]);
  assert(before && after);
  assert.equal(before.languageId, "yaml");
  assert.match(before.getText(), /^kind: Service$/m);
  assert.doesNotMatch(before.getText(), /owner: platform/);
  assert.match(after.getText(), /^ {4}owner: platform$/m);
  await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
}
