/** The tests in the view of the editor: a file with policies holds its tests. */
import { basename, dirname, relative, resolve } from "node:path";
import * as vscode from "vscode";
import { linesOf } from "./places";
import type { FileReport, Report, TestResult } from "./report";

/** Shows the tests of a folder as they are in a report. Those that are gone are removed. */
export function showTests(controller: vscode.TestController, folder: string, report: Report): void {
  const files = report.files.filter(({ tests }) => tests.length > 0).map((file) => fileItem(controller, folder, file));
  const others: vscode.TestItem[] = [];
  controller.items.forEach((item) => {
    if (item.uri !== undefined && !isIn(item.uri, folder)) {
      others.push(item);
    }
  });
  controller.items.replace([...others, ...files]);
}

/** Returns the item of a file with policies. */
export function itemOfFile(controller: vscode.TestController, folder: string, path: string): vscode.TestItem | undefined {
  return controller.items.get(resolve(folder, path));
}

/** Returns the item of a test. */
export function itemOfTest(file: vscode.TestItem, test: TestResult): vscode.TestItem | undefined {
  return file.children.get(idOf(test));
}

/** Returns whether a file is in a folder. */
export function isIn(uri: vscode.Uri, folder: string): boolean {
  const owner = vscode.workspace.getWorkspaceFolder(uri);
  return owner?.uri.fsPath === folder;
}

function fileItem(controller: vscode.TestController, folder: string, file: FileReport): vscode.TestItem {
  const path = resolve(folder, file.path);
  const item = controller.items.get(path) ?? controller.createTestItem(path, basename(path), vscode.Uri.file(path));
  item.description = relative(folder, dirname(path));
  const severalPolicies = new Set(file.tests.map(({ policy }) => policy)).size > 1;
  const tests = file.tests.map((test) => {
    const [id, input] = [idOf(test), vscode.Uri.file(resolve(folder, test.input))];
    // A run that was started before holds the item.
    const found = item.children.get(id) ?? controller.createTestItem(id, test.name, input);
    found.range = test.range === null ? undefined : linesOf(test.range);
    found.description = severalPolicies ? test.policy : "";
    return found;
  });
  item.children.replace(tests);
  return item;
}

/** The name alone may be that of a test of another policy, or in another file. */
function idOf({ input, policy, name }: TestResult): string {
  return JSON.stringify([input, policy, name]);
}
