/** Draws the pictures for the README: the findings in a policy with a fix for one, and a policy that is evaluated. */
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import UPNG from "upng-js";
import { openWorkbench, required, surroundings } from "../workbench";
import { goTo, openFile, run } from "./page";

const place = surroundings();
const { browser, page } = await openWorkbench(place);
try {
  await findings(page);
  await draw(page, "vscode.png");
  await evaluation(page);
  await draw(page, "evaluate.png");
} finally {
  await browser.close();
}

async function findings(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 840 });
  await show(page, "require-owner.yaml");
  await page.keyboard.press("Control+B");
  await page.keyboard.press("Control+Shift+M");
  await page.locator(".markers-panel").getByText("cel-syntax").waitFor();
  await goTo(page, 6, 19);
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget .monaco-list-row", { hasText: "Fail" }).first().waitFor();
  await page.mouse.move(900, 300);
}

async function evaluation(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await run(page, "View: Close All Editors");
  await page.keyboard.press("Control+J");
  await page.keyboard.press("Control+B");
  await page.setViewportSize({ width: 1280, height: 600 });
  // The policy would be evaluated against it, too.
  rmSync(join(place.workspace, "web.yaml"));
  copy("own-registry.inputs.yaml");
  await show(page, "own-registry.yaml");
  await page.keyboard.press("Control+B");
  await run(page, "Admissible: Toggle Live Values");
  await page.locator(".codelens-decoration a", { hasText: "inputs: 1 allowed, 2 denied" }).click();
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "denied" }).first().click();
  await page.locator(".codelens-decoration a", { hasText: "evaluate: false" }).first().waitFor();
  await page.locator(".codelens-decoration a", { hasText: "inputs: 1 allowed, 2 denied" }).click();
  await page.locator(".quick-input-list .monaco-list-row").nth(2).waitFor();
}

/** Puts a file beside this one into the workspace. */
function copy(name: string): void {
  copyFileSync(join(import.meta.dirname, "..", "test", "browser", name), join(place.workspace, name));
}

async function show(page: Page, name: string): Promise<void> {
  copy(name);
  await openFile(page, name);
}

/** Writes what the page shows. */
async function draw(page: Page, name: string): Promise<void> {
  // A list that fades in is drawn in its final state.
  const picture = await page.screenshot({ animations: "disabled" });
  writeFileSync(join(required("ADMISSIBLE_TEST_PICTURES"), name), small(picture));
  console.log(`ok  ${name} is drawn`);
}

/** The picture with 256 colours, which is a third of its size and looks the same. */
function small(png: Buffer): Buffer {
  const picture = UPNG.decode(new Uint8Array(png).buffer);
  return Buffer.from(UPNG.encode(UPNG.toRGBA8(picture), picture.width, picture.height, 256));
}
