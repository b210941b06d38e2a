/** Places of a report as positions of the editor, which count UTF-16 units. */
import * as vscode from "vscode";
import type { Place, Range } from "./report";

/** Returns the range in a document. */
export function rangeIn(document: vscode.TextDocument, { start, end }: Range): vscode.Range {
  return new vscode.Range(positionIn(document, start), positionIn(document, end));
}

/** Returns the range of whole lines, for a document that is not loaded. */
export function linesOf({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line - 1, 0, end.line - 1, 0);
}

function positionIn(document: vscode.TextDocument, { line, column }: Place): vscode.Position {
  if (line > document.lineCount) {
    return document.lineAt(document.lineCount - 1).range.end;
  }
  const before = Array.from(document.lineAt(line - 1).text).slice(0, column - 1);
  return new vscode.Position(line - 1, before.join("").length);
}
