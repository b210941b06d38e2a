/**
 * Runs the cases in a real extension host: opens the workbench with a payload that makes the host load
 * the extension from its folder and run a suite, and prints what the suite writes.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openWorkbench, required, surroundings } from "../workbench";
import type { Outcome } from "./outcomes";

/** How long the host may be silent, in milliseconds. It is silent longest while it starts. */
const silence = 180_000;

const place = surroundings();
const result = required("ADMISSIBLE_TEST_RESULT");
const suite = join(import.meta.dirname, `${process.env["ADMISSIBLE_TEST_SUITE"] ?? "host"}.js`);
const remote = (path: string) => `vscode-remote://${place.server.host}${path}`;
const { browser, page } = await openWorkbench(place, [
  ["extensionDevelopmentPath", remote(place.extension)],
  ["extensionTestsPath", remote(suite)],
]);
const end = await follow();
if (end?.failure !== undefined || end === undefined) {
  await page.screenshot({ path: join(place.shots, "host-failure.png") });
  console.error(end?.failure ?? `the extension host was silent for ${silence / 1000} s`);
  process.exitCode = 1;
}
await browser.close();

/** Prints the outcomes as they come, and returns the last one; `undefined` when it never comes. */
async function follow(): Promise<Outcome | undefined> {
  let printed = 0;
  let last = Date.now();
  while (Date.now() - last < silence) {
    const lines = existsSync(result) ? readFileSync(result, "utf8").split("\n").slice(0, -1) : [];
    for (const line of lines.slice(printed)) {
      const outcome = JSON.parse(line) as Outcome;
      if (outcome.name === undefined) {
        return outcome;
      }
      const figure = outcome.figure ?? `${outcome.milliseconds} ms`;
      console.log(`${outcome.failure === undefined ? "ok" : "FAILED"}  ${outcome.name} (${figure})`);
      if (outcome.failure !== undefined) {
        console.log(outcome.failure.replace(/^/gm, "    "));
      }
      last = Date.now();
    }
    printed = lines.length;
    await new Promise((resume) => setTimeout(resume, 100));
  }
  return undefined;
}
