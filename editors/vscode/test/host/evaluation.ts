/** The cases about the document that shows an evaluation. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { click, only, open, titles, until, virtual } from "./editor";

const limitTitles = ["inputs: 1 allowed, 2 denied", "evaluate: true · small"];

export const evaluation: Record<string, () => Promise<void>> = {
  "an evaluation has its parts as links, folded by what contains them": async () => {
    const { document } = await open("limit.yaml");
    await until(() => titles(document), limitTitles);
    await click(document, "evaluate: true · small");
    const [shown] = virtual("Evaluation");
    assert(shown);
    assert.equal(shown.languageId, "admissible-evaluation");
    assert.match(
      shown.getText(),
      /^spec\.validations\[0\]\.expression with small\n= true {3}\(\d+ cost units\)\n\nobject\.spec\.replicas <= 5 {2}= {2}true\n {2}object\.spec\.replicas {2}= {2}3\n/,
    );
    const folds = await vscode.commands.executeCommand<vscode.FoldingRange[]>(
      "vscode.executeFoldingRangeProvider",
      shown.uri,
    );
    assert.deepEqual(folds.map(({ start, end }) => [start, end]), [[3, 5], [4, 5]]);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>("vscode.executeLinkProvider", shown.uri);
    const part = links.find(({ range }) => shown.getText(range) === "object.spec.replicas");
    const place = only(document, "object.spec.replicas").start;
    assert.equal(part?.target?.path, document.uri.path);
    assert.equal(part.target.fragment, `L${place.line + 1},${place.character + 1}`);
    await vscode.window.showTextDocument(document, vscode.ViewColumn.One);
    await vscode.commands.executeCommand("admissible.hideValuesHere");
  },
};
