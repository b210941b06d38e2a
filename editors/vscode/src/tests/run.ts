/** One run of the tests of a folder, as the editor shows it. */
import { resolve } from "node:path";
import * as vscode from "vscode";
import { PolicyCoverage } from "./coverage";
import { messagesOf } from "./messages";
import type { Report, TestResult } from "./report";
import { terminalText } from "./terminal";
import { isIn, itemOfFile, itemOfTest, showTests } from "./tree";

/** A run of tests in a folder. */
export class FolderRun {
  constructor(
    private readonly controller: vscode.TestController,
    private readonly request: vscode.TestRunRequest,
    private readonly run: vscode.TestRun,
    readonly folder: string,
  ) {}

  /** Marks the tests as running. */
  begin(): void {
    this.tests().forEach((test) => this.run.started(test));
  }

  /** Shows the results of the selected tests, and the tests that are new. */
  show(report: Report): void {
    if (this.request.include === undefined) {
      showTests(this.controller, this.folder, report);
    }
    const selected = new Set(this.tests());
    for (const file of report.files) {
      const parent = itemOfFile(this.controller, this.folder, file.path);
      for (const test of parent === undefined ? [] : file.tests) {
        const item = parent && itemOfTest(parent, test);
        if (item !== undefined && selected.delete(item)) {
          this.showResult(item, test);
        }
      }
      if (file.coverage !== null) {
        this.run.addCoverage(new PolicyCoverage(vscode.Uri.file(resolve(this.folder, file.path)), file.coverage));
      }
    }
    selected.forEach((gone) => this.run.skipped(gone));
    for (const { path, message, range } of report.problems) {
      const place = range === null ? path : `${path}:${range.start.line}:${range.start.column}`;
      this.run.appendOutput(terminalText(`${place}: ${message}\n`));
    }
  }

  /** Marks the tests as not run, with a reason unless the user stopped them. */
  fail(reason: string | undefined): void {
    for (const test of this.tests()) {
      if (reason === undefined) {
        this.run.skipped(test);
      } else {
        this.run.errored(test, new vscode.TestMessage(reason));
      }
    }
    if (reason !== undefined) {
      this.run.appendOutput(terminalText(`${reason}\n`));
    }
  }

  private showResult(item: vscode.TestItem, test: TestResult): void {
    switch (test.status) {
      case "passed":
        this.run.passed(item, test.milliseconds);
        break;
      case "failed":
        this.run.failed(item, messagesOf(test, this.folder), test.milliseconds);
        break;
      case "error":
        this.run.errored(item, new vscode.TestMessage(test.error ?? "The test could not run."), test.milliseconds);
        break;
    }
  }

  /** The tests of this folder that the request selects. */
  private tests(): vscode.TestItem[] {
    const { include, exclude = [] } = this.request;
    const found: vscode.TestItem[] = [];
    const add = (item: vscode.TestItem): void => {
      if (exclude.includes(item)) {
        return;
      }
      if (item.parent !== undefined) {
        found.push(item);
      }
      item.children.forEach(add);
    };
    const isHere = (item: vscode.TestItem) => isIn((item.parent ?? item).uri ?? vscode.Uri.file("/"), this.folder);
    if (include === undefined) {
      this.controller.items.forEach((item) => (isHere(item) ? add(item) : undefined));
    } else {
      include.filter(isHere).forEach(add);
    }
    return found;
  }
}
