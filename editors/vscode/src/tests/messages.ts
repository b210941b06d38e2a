/** What the editor shows about a test that fails. */
import { resolve } from "node:path";
import * as vscode from "vscode";
import { linesOf } from "./places";
import type { TestResult } from "./report";

/** Returns a message for each difference, at the line of its expectation. */
export function messagesOf(test: TestResult, folder: string): vscode.TestMessage[] {
  const decided = test.decidedBy.map(({ field, message, trace }) => {
    const parts = trace.map(({ text, value, error }) => `  ${text} = ${value ?? error}`);
    return [`${field} ${message}`.trim(), ...parts].join("\n");
  });
  return test.failures.map(({ message, expected, actual, path, range }) => {
    const text = [message, ...decided].join("\n\n");
    const shown = vscode.TestMessage.diff(text, expected, actual ?? "");
    if (range !== null) {
      shown.location = new vscode.Location(vscode.Uri.file(resolve(folder, path)), linesOf(range));
    }
    return shown;
  });
}
