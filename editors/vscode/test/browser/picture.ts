/** Draws the picture for the README: a policy with its mistakes underlined and listed, and a fix for one. */
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import UPNG from "upng-js";
import { openWorkbench, required, surroundings } from "../workbench";
import { goTo, openFile } from "./page";

const name = "require-owner.yaml";
const place = surroundings();
copyFileSync(join(import.meta.dirname, "..", "test", "browser", name), join(place.workspace, name));
const { browser, page } = await openWorkbench(place);
try {
  await page.setViewportSize({ width: 1280, height: 840 });
  await openFile(page, name);
  await page.keyboard.press("Control+B");
  await page.keyboard.press("Control+Shift+M");
  await page.locator(".markers-panel").getByText("cel-syntax").waitFor();
  await goTo(page, 6, 19);
  await page.keyboard.press("Control+.");
  await page.locator(".action-widget .monaco-list-row", { hasText: "Fail" }).first().waitFor();
  await page.mouse.move(900, 300);
  writeFileSync(required("ADMISSIBLE_TEST_PICTURE"), small(await page.screenshot()));
  console.log("ok  the picture is drawn");
} finally {
  await browser.close();
}

/** The picture with 256 colours, which is a third of its size and looks the same. */
function small(png: Buffer): Buffer {
  const picture = UPNG.decode(new Uint8Array(png).buffer);
  return Buffer.from(UPNG.encode(UPNG.toRGBA8(picture), picture.width, picture.height, 256));
}
