/** The coverage of policies: which expressions and branches the tests evaluate. */
import * as vscode from "vscode";
import { rangeIn } from "./places";
import type { Count, Coverage } from "./report";

/** The words of an expression or branch that no test evaluates. */
const neverEvaluated = "never evaluated";

/** The coverage of a file. Its details are created when the editor shows them. */
export class PolicyCoverage extends vscode.FileCoverage {
  constructor(
    uri: vscode.Uri,
    private readonly coverage: Coverage,
  ) {
    const { expressions, branches } = coverage;
    super(uri, count(expressions), branches.total > 0 ? count(branches) : undefined);
  }

  /** Returns each expression as a statement, with the branches that are not covered. */
  async details(): Promise<vscode.StatementCoverage[]> {
    const document = await vscode.workspace.openTextDocument(this.uri);
    const statements: { readonly range: vscode.Range; readonly executed: boolean; readonly branches: vscode.BranchCoverage[] }[] = [];
    for (const { range } of this.coverage.covered) {
      if (range !== null) {
        statements.push({ range: rangeIn(document, range), executed: true, branches: [] });
      }
    }
    for (const { text, missing, range } of this.coverage.missing) {
      if (range === null) {
        continue;
      }
      const place = rangeIn(document, range);
      const branch = () => new vscode.BranchCoverage(false, place, `${text} is ${missing}`);
      const within = statements.find((statement) => statement.range.contains(place));
      if (within !== undefined) {
        within.branches.push(branch());
      } else {
        const executed = missing !== neverEvaluated;
        statements.push({ range: place, executed, branches: executed ? [branch()] : [] });
      }
    }
    return statements.map(({ range, executed, branches }) => new vscode.StatementCoverage(executed, range, branches));
  }
}

function count({ covered, total }: Count): vscode.TestCoverageCount {
  return new vscode.TestCoverageCount(covered, total);
}
