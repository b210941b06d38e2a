/** What a new user sees first: opens an example, and its evaluation is above the expressions. */
import { join } from "node:path";
import { openWorkbench, surroundings } from "../workbench";

const place = surroundings();
// As `code . examples/require-owner.yaml` opens it.
const example = `vscode-remote://${place.server.host}${place.workspace}/examples/require-owner.yaml`;
const start = Date.now();
const { browser, page } = await openWorkbench(place, [["openFile", example]]);
try {
  await page.locator(".codelens-decoration a", { hasText: "inputs: 2 allowed, 2 denied, 1 skipped" }).waitFor();
  await page.locator(".codelens-decoration a", { hasText: "evaluate: true" }).first().waitFor();
  console.log(`ok  an evaluated policy is on the screen (${Date.now() - start} ms)`);
} catch (error) {
  await page.screenshot({ path: join(place.shots, "installed-failure.png") });
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
}
