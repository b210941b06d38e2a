/** Inputs with `expect` in the Test Explorer: found, run, watched, and run with coverage. */
import { relative, resolve } from "node:path";
import * as vscode from "vscode";
import { PolicyCoverage } from "./tests/coverage";
import { linesOf } from "./tests/places";
import { runTests, type Report, type TestResult } from "./tests/report";
import { FolderRun } from "./tests/run";
import { isIn, showTests } from "./tests/tree";

/** How long the files have to be unchanged before the tests are run or listed again, in milliseconds. */
const pause = 250;

/** The files whose change can change a test. */
const watched = "**/{*.yaml,*.yml,*.json,admissible.toml}";

/** A test with its last result and its place. */
export interface ListedTest {
  readonly result: TestResult;
  readonly uri: vscode.Uri;
  readonly range: vscode.Range | undefined;
}

/** The Test Explorer of the extension. */
export class PolicyTests implements vscode.Disposable {
  readonly controller = vscode.tests.createTestController("admissible", "Admissible");
  /** Runs tests without coverage. */
  readonly run = this.profile("Run", vscode.TestRunProfileKind.Run);
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly listed = new vscode.EventEmitter<void>();
  /** The tests were listed again. */
  readonly onDidList = this.listed.event;
  /** The last report of each folder. */
  private readonly reports = new Map<string, Report>();
  private isListed = false;
  private timer: NodeJS.Timeout | undefined;
  private readonly registrations: vscode.Disposable;

  /** `program` returns the path of `admissible`, or `undefined` if there is none. */
  constructor(private readonly program: () => string | undefined) {
    const watcher = vscode.workspace.createFileSystemWatcher(watched);
    const changed = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.changes.fire(), pause);
    };
    this.controller.resolveHandler = async (item) => (item === undefined ? this.list() : undefined);
    this.controller.refreshHandler = (token) => this.list(token);
    this.registrations = vscode.Disposable.from(
      this.controller,
      this.changes,
      this.listed,
      watcher,
      watcher.onDidChange(changed),
      watcher.onDidCreate(changed),
      watcher.onDidDelete(changed),
      this.changes.event(() => (this.isListed ? this.list() : undefined)),
      vscode.workspace.onDidOpenTextDocument((document) => this.listWith(document)),
      { dispose: () => clearTimeout(this.timer) },
    );
    this.profile("Run with Coverage", vscode.TestRunProfileKind.Coverage).loadDetailedCoverage = async (_, file) =>
      file instanceof PolicyCoverage ? file.details() : [];
    vscode.workspace.textDocuments.forEach((document) => this.listWith(document));
  }

  dispose(): void {
    this.registrations.dispose();
  }

  private profile(name: string, kind: vscode.TestRunProfileKind): vscode.TestRunProfile {
    const start = (request: vscode.TestRunRequest, token: vscode.CancellationToken) => this.start(request, token);
    return this.controller.createRunProfile(name, kind, start, true, undefined, true);
  }

  /** Lists the tests once a document with inputs is open: they are marked in its margin. */
  private listWith({ uri }: vscode.TextDocument): void {
    if (!this.isListed && /\.inputs(\.ya?ml|\/[^/]*)$/.test(uri.path)) {
      void this.list();
    }
  }

  /** Finds the tests of all folders. A run is the way to find them, and takes milliseconds. */
  async list(token = new vscode.CancellationTokenSource().token): Promise<void> {
    this.isListed = true;
    for (const folder of folders()) {
      try {
        const report = await this.report(folder, [], token);
        this.reports.set(folder, report);
        showTests(this.controller, folder, report);
      } catch {
        // A run shows the reason.
      }
    }
    this.listed.fire();
  }

  /** Lists the tests unless they are listed, or will be. */
  async listOnce(): Promise<void> {
    if (!this.isListed) {
      await this.list();
    }
  }

  /** Returns the tests of a policy in a file, as they were when the tests were last listed. */
  of(file: vscode.Uri, policy: string): ListedTest[] {
    return [...this.reports].flatMap(([folder, { files }]) => {
      const found = files.filter(({ path }) => resolve(folder, path) === file.fsPath);
      const tests = found.flatMap(({ tests }) => tests.filter((test) => test.policy === policy));
      return tests.map((result) => ({
        result,
        uri: vscode.Uri.file(resolve(folder, result.input)),
        range: result.range === null ? undefined : linesOf(result.range),
      }));
    });
  }

  /** Runs tests once, or after each change until the user stops. */
  private async start(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    if (!request.continuous) {
      return this.runOnce(request, token);
    }
    const again = this.changes.event(() => void this.runOnce(request, token));
    token.onCancellationRequested(() => again.dispose());
  }

  private async runOnce(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    const covers = request.profile?.kind === vscode.TestRunProfileKind.Coverage;
    for (const folder of folders()) {
      const paths = filesOf(request, folder);
      if (paths === undefined || paths.length > 0) {
        const target = new FolderRun(this.controller, request, run, folder);
        await this.runFolder(target, [...(covers ? ["--coverage"] : []), ...(paths ?? [])], token);
      }
    }
    run.end();
  }

  private async runFolder(target: FolderRun, args: readonly string[], token: vscode.CancellationToken): Promise<void> {
    target.begin();
    try {
      target.show(await this.report(target.folder, args, token));
    } catch (error) {
      target.fail(token.isCancellationRequested ? undefined : String(error));
    }
  }

  private report(folder: string, args: readonly string[], token: vscode.CancellationToken): Promise<Report> {
    const program = this.program();
    if (program === undefined) {
      return Promise.reject(new Error("The program 'admissible' is not installed."));
    }
    const scope = vscode.Uri.file(folder);
    const target = vscode.workspace.getConfiguration("admissible", scope).get("kubernetes", "").trim();
    return runTests(program, folder, [...(target === "" ? [] : ["--kubernetes", target]), ...args], token);
  }
}

/** The folders of the workspace that are on disk. */
function folders(): string[] {
  const all = vscode.workspace.workspaceFolders ?? [];
  return all.filter(({ uri }) => uri.scheme === "file").map(({ uri }) => uri.fsPath);
}

/** The files in a folder whose tests a request selects, relative to it; `undefined` for all files. */
function filesOf({ include }: vscode.TestRunRequest, folder: string): string[] | undefined {
  const files = include?.map((item) => (item.parent ?? item).uri).filter((uri) => uri !== undefined && isIn(uri, folder));
  return files && [...new Set(files.map((uri) => relative(folder, uri?.fsPath ?? "")))];
}
