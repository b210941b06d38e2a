/** The entry inside the extension host for what is measured in a root without Rust. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as vscode from "vscode";
import { findings, lenses, open, patience, servers, until } from "./editor";
import { runCases } from "./outcomes";

/** From starting the server to the first findings of an open file, in milliseconds. Limit: the goal of the project. */
const soon = 500;

/** The memory of the server, in megabytes. Limit: the goal of the project. */
const small = 60;

export function run(): Promise<void> {
  return runCases({
    "the first findings of a server that has just started": firstFindings,
    "the memory of the server with the examples": memory,
  });
}

/** VS Code has already loaded the extension when a test begins, so the clock starts with the server. */
async function firstFindings(): Promise<string> {
  const { document } = await open("tests/examples/bad/folded-comment.yaml");
  await until(() => findings(document).length > 0, true);
  const start = performance.now();
  const restarted = vscode.commands.executeCommand("admissible.restartServer");
  await soonest(() => findings(document).length === 0);
  await soonest(() => findings(document).length > 0);
  const time = Math.round(performance.now() - start);
  await restarted;
  assert(time < soon, `${time} ms`);
  return `${time} ms`;
}

/**
 * Waits until `holds`. VS Code collects changes of findings for some time before it reports them, so
 * a fast server would replace them between two events.
 */
async function soonest(holds: () => boolean): Promise<void> {
  const end = Date.now() + patience;
  while (!holds()) {
    assert(Date.now() < end, "the findings do not change");
    await new Promise((resume) => setTimeout(resume, 1));
  }
}

async function memory(): Promise<string> {
  for (const file of await vscode.workspace.findFiles("**/*.yaml")) {
    const { document } = await vscode.window.showTextDocument(file);
    await lenses(document);
  }
  const [server, ...others] = servers();
  assert(server !== undefined && others.length === 0, "one server runs");
  const status = readFileSync(`/proc/${server}/status`, "utf8");
  const megabytes = (name: string) =>
    Math.round((Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)?.[1]) * 1024) / 1_000_000);
  const [now, highest] = [megabytes("VmRSS"), megabytes("VmHWM")];
  assert(now < small, `${now} MB`);
  return `${now} MB, at most ${highest} MB`;
}
