/** What a new user sees first: opens an example, and its evaluation is above the expressions. */
import { join } from "node:path";
import { openWorkbench, surroundings } from "../workbench";
import { fillQuickInput } from "./page";

const place = surroundings();
const start = Date.now();
const { browser, page } = await openWorkbench(place);
try {
  await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
  await fillQuickInput(page, "Control+P", "require-owner.yaml");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "require-owner.yaml" }).first().click();
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
