/**
 * The document that shows an evaluation: the parts of the expression with their values, each a link to its place,
 * folded by what contains what, in the colors of the theme.
 */
import * as vscode from "vscode";
import type { Evaluation, TracePart } from "./protocol";
import { VirtualDocuments, scheme, virtualUri } from "./virtual";

/** The language of the document. Its brackets are not colored: long values end in the middle. */
const language = "admissible-evaluation";

const uri = virtualUri("Evaluation");

/** The lines above the parts. */
const headLines = 3;

const colors = {
  true: decoration("testing.iconPassed"),
  false: decoration("testing.iconFailed"),
  error: decoration("list.errorForeground"),
  value: decoration("symbolIcon.numberForeground"),
  aside: decoration("descriptionForeground"),
};

type Color = keyof typeof colors;

/** An evaluation and the document of its expression. */
interface Shown {
  readonly source: vscode.Uri;
  readonly evaluation: Evaluation;
}

/** The view. */
export class EvaluationView
  implements vscode.FoldingRangeProvider, vscode.DocumentLinkProvider, vscode.Disposable
{
  private shown: Shown | undefined;
  private readonly registrations: vscode.Disposable;

  constructor(private readonly documents: VirtualDocuments) {
    const selector = { scheme, language };
    this.registrations = vscode.Disposable.from(
      vscode.languages.registerFoldingRangeProvider(selector, this),
      vscode.languages.registerDocumentLinkProvider(selector, this),
      vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach((editor) => this.color(editor))),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.colorAll(document)),
      ...Object.values(colors),
    );
  }

  dispose(): void {
    this.registrations.dispose();
  }

  /** Shows an evaluation of an expression in `source`, beside it if the view is not open. */
  async show(source: vscode.Uri, evaluation: Evaluation): Promise<void> {
    this.shown = { source, evaluation };
    this.documents.set(uri, [...head(evaluation), ...evaluation.trace.map(line)].join("\n"));
    const opened = await vscode.workspace.openTextDocument(uri);
    const document = await vscode.languages.setTextDocumentLanguage(opened, language);
    const isVisible = vscode.window.visibleTextEditors.some((editor) => editor.document === document);
    if (!isVisible) {
      const viewColumn = vscode.ViewColumn.Beside;
      await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true, preview: true });
    }
    this.colorAll(document);
  }

  /** Returns a range for each part that contains others. */
  provideFoldingRanges(): vscode.FoldingRange[] {
    const parts = this.shown?.evaluation.trace ?? [];
    return parts.flatMap(({ depth }, index) => {
      const after = parts.findIndex((part, at) => at > index && part.depth <= depth);
      const last = (after < 0 ? parts.length : after) - 1;
      return last > index ? [new vscode.FoldingRange(headLines + index, headLines + last)] : [];
    });
  }

  /** Returns a link for the expression, and one for each part. */
  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    if (this.shown === undefined) {
      return [];
    }
    const { source, evaluation } = this.shown;
    const link = (range: vscode.Range, { start }: Evaluation["range"]) => {
      const target = source.with({ fragment: `L${start.line + 1},${start.character + 1}` });
      const created = new vscode.DocumentLink(range, target);
      created.tooltip = "Show in the policy";
      return created;
    };
    const parts = evaluation.trace.flatMap((part, index) => {
      const at = headLines + index;
      const start = indentOf(part).length;
      const isThere = at < document.lineCount;
      return isThere ? [link(new vscode.Range(at, start, at, start + part.text.length), part.range)] : [];
    });
    return [link(new vscode.Range(0, 0, 0, evaluation.path.length), evaluation.range), ...parts];
  }

  private colorAll(document: vscode.TextDocument): void {
    const editors = vscode.window.visibleTextEditors.filter((editor) => editor.document === document);
    editors.forEach((editor) => this.color(editor));
  }

  private color(editor: vscode.TextEditor): void {
    if (this.shown === undefined || editor.document.uri.toString() !== uri.toString()) {
      return;
    }
    const { evaluation } = this.shown;
    const ranges: Record<Color, vscode.Range[]> = { true: [], false: [], error: [], value: [], aside: [] };
    ranges.aside.push(new vscode.Range(0, evaluation.path.length, 0, Number.MAX_VALUE));
    const result = `= ${resultOf(evaluation)}`;
    ranges[colorOf(evaluation)].push(new vscode.Range(1, 2, 1, result.length));
    ranges.aside.push(new vscode.Range(1, result.length, 1, Number.MAX_VALUE));
    evaluation.trace.forEach((part, index) => {
      const at = headLines + index;
      const start = indentOf(part).length + part.text.length + separator.length;
      ranges[part.decided ? colorOf(part) : "aside"].push(new vscode.Range(at, start, at, Number.MAX_VALUE));
    });
    for (const [color, places] of Object.entries(ranges)) {
      editor.setDecorations(colors[color as Color], places);
    }
  }
}

/** What is between a part and its value. */
const separator = "  =  ";

function head(evaluation: Evaluation): string[] {
  const { path, input, cost } = evaluation;
  const units = cost === 1 ? "1 cost unit" : `${cost} cost units`;
  return [`${path} with ${input.label}`, `= ${resultOf(evaluation)}   (${units})`, ""];
}

function line(part: TracePart): string {
  return `${indentOf(part)}${part.text}${separator}${resultOf(part)}`;
}

function indentOf({ depth }: TracePart): string {
  return "  ".repeat(depth);
}

function resultOf({ value, error }: Pick<Evaluation, "value" | "error">): string {
  return value ?? `error: ${error}`;
}

function colorOf({ value }: Pick<Evaluation, "value">): Color {
  return value === null ? "error" : value === "true" || value === "false" ? value : "value";
}

function decoration(color: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({ color: new vscode.ThemeColor(color) });
}
