/** The report of `admissible test --format json`: see `server/docs/command-line.md`. */
import { spawn } from "node:child_process";
import type * as vscode from "vscode";

/** A place in a file. Lines and columns begin at 1; columns count characters. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** A part of a file. */
export interface Range {
  readonly start: Place;
  readonly end: Place;
}

/** A difference between an outcome and its expectation. */
export interface Failure {
  readonly message: string;
  readonly expected: string;
  readonly actual: string | null;
  readonly path: string;
  readonly range: Range | null;
}

/** What decided the outcome. */
export interface Decider {
  readonly field: string;
  readonly message: string;
  readonly trace: readonly { readonly text: string; readonly value: string | null; readonly error: string | null }[];
}

/** A test that was run. */
export interface TestResult {
  readonly name: string;
  readonly policy: string;
  readonly input: string;
  /** The expectation in the input. */
  readonly range: Range | null;
  readonly status: "passed" | "failed" | "error";
  /** What the request got, as a word. `null` if the test could not run. */
  readonly outcome: string | null;
  readonly error: string | null;
  readonly failures: readonly Failure[];
  readonly decidedBy: readonly Decider[];
  readonly milliseconds: number;
}

/** A part of a whole. */
export interface Count {
  readonly covered: number;
  readonly total: number;
}

/** The coverage of a file with policies. */
export interface Coverage {
  readonly expressions: Count;
  readonly branches: Count;
  readonly covered: readonly { readonly field: string; readonly range: Range | null }[];
  readonly missing: readonly Missing[];
}

/** An outcome that no test has. */
export interface Missing {
  readonly field: string;
  readonly text: string;
  readonly missing: string;
  readonly range: Range | null;
}

/** A file with policies and its tests. */
export interface FileReport {
  readonly path: string;
  readonly tests: readonly TestResult[];
  readonly coverage: Coverage | null;
}

/** A run. */
export interface Report {
  readonly version: 1;
  readonly files: readonly FileReport[];
  readonly problems: readonly { readonly path: string; readonly message: string; readonly range: Range | null }[];
}

/** Runs the tests of a folder and returns the report. The program is ended when `token` is canceled. */
export function runTests(
  program: string,
  folder: string,
  args: readonly string[],
  token: vscode.CancellationToken,
): Promise<Report> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["test", "--format", "json", ...args], { cwd: folder, windowsHide: true });
    const stop = token.onCancellationRequested(() => child.kill());
    const [output, errors]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on("data", (part: Buffer) => output.push(part));
    child.stderr.on("data", (part: Buffer) => errors.push(part));
    child.on("error", reject);
    child.on("close", () => {
      stop.dispose();
      try {
        resolve(JSON.parse(Buffer.concat(output).toString()) as Report);
      } catch {
        reject(new Error(Buffer.concat(errors).toString().trim() || "admissible test wrote no report"));
      }
    });
  });
}
