/** Records the animation at the top of the README: a validation is written, with live values and a quick fix. */
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import UPNG from "upng-js";
import { openWorkbench, required, surroundings } from "../workbench";
import { goTo, openFile, run } from "./page";

/** The size of the animation, in pixels. */
const SIZE = { width: 1000, height: 600 };

/** A picture, and how long it is shown, in milliseconds. */
interface Frame {
  readonly picture: Buffer;
  readonly duration: number;
}

const place = surroundings();
const { browser, page } = await openWorkbench(place);
const frames: Frame[] = [];
try {
  await openPolicy(page);
  await write(page);
  await fix(page);
  writeFileSync(join(required("ADMISSIBLE_TEST_PICTURES"), "recording.png"), animation());
  console.log(`ok  recording.png has ${frames.length} frames`);
} catch (error) {
  await page.screenshot({ path: join(place.shots, "recording.png") });
  throw error;
} finally {
  await browser.close();
}

/** Shows the policy with the live values of an input. */
async function openPolicy(page: Page): Promise<void> {
  await page.setViewportSize(SIZE);
  rmSync(join(place.workspace, "web.yaml"), { force: true });
  for (const name of ["own-registry.inputs.yaml", "own-registry.yaml"]) {
    copyFileSync(join(import.meta.dirname, "..", "test", "browser", name), join(place.workspace, name));
  }
  await openFile(page, "own-registry.yaml");
  await page.keyboard.press("Control+B");
  // The commands exist once the extension is active.
  await lens(page, "inputs: 1 allowed, 2 denied").waitFor();
  await run(page, "Admissible: Toggle Live Values");
  await lens(page, "inputs: 1 allowed, 2 denied").click();
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "denied" }).first().click();
  await lens(page, "evaluate: false").waitFor();
  await goTo(page, 19, 1);
  await page.keyboard.press("End");
  await capture(page, 2500);
}

/** Types a validation with a misspelled field. */
async function write(page: Page): Promise<void> {
  await page.keyboard.press("Enter");
  // The new line has the indentation of the key above.
  await page.keyboard.press("Backspace");
  await type(page, "- expression: object.spec.");
  const replicas = page.locator(".suggest-widget .monaco-list-row", { hasText: "replicas" }).first();
  await replicas.waitFor();
  await capture(page, 1800);
  await page.keyboard.press("Escape");
  await type(page, "replica >= 2");
  await page.keyboard.press("Escape");
  await page.locator(".squiggly-warning, .squiggly-error").first().waitFor();
  await lens(page, "evaluate: error").waitFor();
  await capture(page, 1500);
}

/** Corrects it by a quick fix. */
async function fix(page: Page): Promise<void> {
  await goTo(page, 20, 30);
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget .monaco-list-row", { hasText: "replicas" }).first().waitFor();
  await capture(page, 2000);
  await page.keyboard.press("Enter");
  await page.locator(".view-line", { hasText: "object.spec.replicas >= 2" }).waitFor();
  await page.locator(".squiggly-warning, .squiggly-error").first().waitFor({ state: "detached" });
  await lens(page, "evaluate: error").waitFor({ state: "detached" });
  await capture(page, 3500);
}

/** A code lens. */
function lens(page: Page, text: string) {
  return page.locator(".codelens-decoration a", { hasText: text }).first();
}

/** Types `text`, with a frame every few characters. */
async function type(page: Page, text: string): Promise<void> {
  for (const part of text.match(/.{1,3}/g) ?? []) {
    await page.keyboard.type(part);
    await capture(page, 150);
  }
}

async function capture(page: Page, duration: number): Promise<void> {
  frames.push({ picture: await page.screenshot({ animations: "disabled", caret: "initial" }), duration });
}

/** The frames as an animated PNG with 256 colors, which only has what changes from frame to frame. */
function animation(): Buffer {
  const pictures = frames.map(({ picture }) => {
    const decoded = UPNG.decode(new Uint8Array(picture).buffer);
    const [pixels] = UPNG.toRGBA8(decoded);
    if (pixels === undefined) {
      throw new Error("a screenshot has no pixels");
    }
    return pixels;
  });
  const durations = frames.map(({ duration }) => duration);
  return Buffer.from(UPNG.encode(pictures, SIZE.width, SIZE.height, 256, durations));
}
