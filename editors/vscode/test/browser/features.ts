/** The features of the editor, each brought on the screen to be drawn. */
import type { Locator, Page } from "playwright-core";
import { goTo, run } from "./page";

/** Brings a feature on the screen, and calls `capture` for each picture of it. */
type Feature = (page: Page, capture: () => Promise<void>) => Promise<void>;

/** The features by the names of their pictures. They begin in `own-registry.yaml`. */
export const FEATURES: readonly (readonly [string, Feature])[] = [
  ["signature-help", signatureHelp],
  ["highlighting", highlighting],
  ["references", references],
  ["refactorings", refactorings],
  ["formatting", formatting],
  ["completion", completion],
  ["hover", hover],
];

async function signatureHelp(page: Page, capture: () => Promise<void>): Promise<void> {
  await write(page, "object.metadata.name.replace('a', ");
  await page.locator(".parameter-hints-widget.visible", { hasText: "replace" }).waitFor();
  await capture();
}

async function highlighting(page: Page, capture: () => Promise<void>): Promise<void> {
  await write(page, "|\n    request.operation == 'CREATE' &&\nvariables.images.all(i, i.matches('^[a-z./]+:.+$')) // Tagged.");
  await page.keyboard.press("Escape");
  // The tokens come after the text.
  await page.locator(".view-line", { hasText: /i:\sstring,\si\.matches/ }).waitFor();
  await capture();
}

async function references(page: Page, capture: () => Promise<void>): Promise<void> {
  await goTo(page, 13, 13);
  await run(page, "Peek References");
  await page.locator(".reference-zone-widget .ref-tree .monaco-list-row").nth(1).waitFor();
  await capture();
}

async function refactorings(page: Page, capture: () => Promise<void>): Promise<void> {
  await goTo(page, 18, 25);
  await run(page, "Refactor...");
  await row(page, ".action-widget", "variable").waitFor();
  await capture();
}

async function formatting(page: Page, capture: () => Promise<void>): Promise<void> {
  await write(page, "|\n    object.spec.replicas>1&&(object.spec.paused==false||\nobject.metadata.name.size()<20");
  await page.keyboard.press("Escape");
  await capture();
  await run(page, "Format Document");
  await page.locator(".view-line", { hasText: /replicas\s>\s1\s&&/ }).waitFor();
  await capture();
}

async function completion(page: Page, capture: () => Promise<void>): Promise<void> {
  await write(page, "object.spec.template.spec.containers.all(c, c.");
  await row(page, ".suggest-widget", "image").waitFor();
  await capture();
}

async function hover(page: Page, capture: () => Promise<void>): Promise<void> {
  await goTo(page, 18, 31);
  await run(page, "Show or Focus Hover");
  await page.locator(".monaco-hover:visible", { hasText: "replicas" }).waitFor();
  await capture();
}

/** Writes the expression of a new validation at the end of the policy. The editor adds closing brackets. */
async function write(page: Page, expression: string): Promise<void> {
  await goTo(page, 19, 1);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  // The new line has the indentation of the key above.
  await page.keyboard.press("Backspace");
  await page.keyboard.type(`- expression: ${expression}`);
}

/** The first row of a list that has `text`. */
function row(page: Page, list: string, text: string): Locator {
  return page.locator(`${list} .monaco-list-row`, { hasText: text }).first();
}
