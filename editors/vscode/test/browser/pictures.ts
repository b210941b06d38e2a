/** Draws the pictures of the documentation: findings, an evaluation, and each feature of the editor. */
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import UPNG from "upng-js";
import { openWorkbench, required, surroundings } from "../workbench";
import { FEATURES } from "./features";
import { goTo, openFile, run } from "./page";

const place = surroundings();
const { browser, page } = await openWorkbench(place);
try {
  await findings(page);
  write("vscode.png", [await shot(page)]);
  await evaluation(page);
  write("evaluate.png", [await shot(page)]);
  await features(page);
} catch (error) {
  await page.screenshot({ path: join(place.shots, "pictures.png") });
  throw error;
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

/** Draws each feature in the policy that is open, without what surrounds the text. */
async function features(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await run(page, "Admissible: Toggle Live Values");
  await page.setViewportSize({ width: 900, height: 420 });
  for (const [name, show] of FEATURES) {
    const shots: Buffer[] = [];
    await show(page, async () => {
      // The pointer would cover what is shown.
      await page.mouse.move(895, 395);
      shots.push(await shot(page));
    });
    write(`${name}.png`, shots);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await run(page, "File: Revert File");
  }
}

/** Puts a file beside this one into the workspace. */
function copy(name: string): void {
  copyFileSync(join(import.meta.dirname, "..", "test", "browser", name), join(place.workspace, name));
}

async function show(page: Page, name: string): Promise<void> {
  copy(name);
  await openFile(page, name);
}

/** What the page shows. A list that fades in is in its final state. */
function shot(page: Page): Promise<Buffer> {
  return page.screenshot({ animations: "disabled" });
}

/** Writes a picture, or an animation that shows each for three seconds, with 256 colors: a third of the size looks the same. */
function write(name: string, shots: readonly Buffer[]): void {
  const decoded = shots.map((png) => UPNG.decode(new Uint8Array(png).buffer));
  const [first] = decoded;
  if (first === undefined) {
    throw new Error(`${name} shows nothing`);
  }
  const pixels = decoded.flatMap((picture) => UPNG.toRGBA8(picture));
  const durations = shots.map(() => 3000);
  const encoded = UPNG.encode(pixels, first.width, first.height, 256, durations);
  writeFileSync(join(required("ADMISSIBLE_TEST_PICTURES"), name), Buffer.from(encoded));
  console.log(`ok  ${name} is drawn`);
}
