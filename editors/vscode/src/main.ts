/** The entry point of the extension: starts the server, and restarts it on command or when a setting changes. */
import { homedir } from "node:os";
import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import { createClient } from "./client";
import { registerCreation } from "./create";
import { DocumentStatus } from "./document-status";
import { registerCommands } from "./evaluation";
import { registerNewInput } from "./new-input";
import { Overview } from "./overview";
import { watchPolicies } from "./policies";
import { findServer, isProgram, type ServerLocation } from "./server";
import { followShared } from "./shared-findings";
import { ServerStatus } from "./status";
import { PolicyTests } from "./tests";

let running: Extension | undefined;

/** What the tests of the extension see of it. */
export interface Exports {
  readonly tests: PolicyTests;
  readonly overview: Overview;
}

export async function activate(context: vscode.ExtensionContext): Promise<Exports> {
  const output = vscode.window.createOutputChannel("Admissible", { log: true });
  const extension = new Extension(context.extensionPath, output, new ServerStatus());
  running = extension;
  const tests = new PolicyTests(() => extension.program());
  const overview = new Overview(tests);
  context.subscriptions.push(
    output,
    extension.status,
    new DocumentStatus(),
    tests,
    overview,
    registerCommands(),
    registerCreation(),
    registerNewInput(),
    watchPolicies(),
    vscode.commands.registerCommand("admissible.restartServer", () => extension.restart()),
    vscode.commands.registerCommand("admissible.showOutput", () => output.show()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => extension.restart()),
    vscode.workspace.onDidChangeConfiguration((change) =>
      change.affectsConfiguration("admissible.server.path") || change.affectsConfiguration("yaml.schemas")
        ? extension.restart()
        : undefined,
    ),
  );
  await extension.restart();
  overview.refresh();
  return { tests, overview };
}

export async function deactivate(): Promise<void> {
  await running?.stop();
  running = undefined;
}

/** The running extension. At most one server runs: starts and stops wait for each other. */
class Extension {
  private client: LanguageClient | undefined;
  private shared: vscode.Disposable | undefined;
  private last: Promise<void> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly output: vscode.LogOutputChannel,
    readonly status: ServerStatus,
  ) {}

  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.dropClient();
      await this.start();
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.dropClient());
  }

  /** The path of the program. `undefined` if there is none. */
  program(): string | undefined {
    const location = this.locate();
    return location.found ? location.program : undefined;
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    this.last = this.last.then(step, step);
    return this.last;
  }

  private async start(): Promise<void> {
    const location = this.locate();
    if (!location.found) {
      this.output.error(location.reason);
      this.status.show({ kind: "missing", reason: location.reason });
      return;
    }
    this.output.info(`The server is ${location.program}`);
    this.status.show({ kind: "starting" });
    const client = createClient(location.program, this.output);
    this.client = client;
    this.shared = followShared(client);
    try {
      await client.start();
      this.status.show({ kind: "running", version: client.initializeResult?.serverInfo?.version });
    } catch (error) {
      const reason = `${location.program} did not respond: ${error instanceof Error ? error.message : String(error)}`;
      this.output.error(reason);
      this.status.show({ kind: "failed", reason });
      await this.dropClient();
    }
  }

  private locate(): ServerLocation {
    return findServer({
      configured: vscode.workspace.getConfiguration("admissible").get("server.path", ""),
      extensionFolder: this.folder,
      workspaceFolder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
      isTrusted: vscode.workspace.isTrusted,
      homeFolder: homedir(),
      path: process.env["PATH"] ?? "",
      platform: process.platform,
      isProgram,
    });
  }

  private async dropClient(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.shared?.dispose();
    try {
      await client?.dispose();
    } catch (error) {
      // A server that has already ended cannot shut down; a new one starts anyway.
      this.output.warn(`The server did not shut down cleanly: ${String(error)}`);
    }
  }
}
