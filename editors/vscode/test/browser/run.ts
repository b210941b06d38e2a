/** What a user sees: drives the workbench in a real browser, with the extension as it is installed. */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { openWorkbench, surroundings } from "../workbench";
import { goTo, openFile, rectanglesOf, run, squiggles, type Rectangle } from "./page";

const place = surroundings();
const { browser, page } = await openWorkbench(place);
const steps: [string, (page: Page) => Promise<void>][] = [
  ["the walkthrough begins with a policy", walkthroughShown],
  ["findings are underlined at their ranges", underlined],
  ["an expression is colored as CEL", colored],
  ["the message appears under the pointer", hovered],
  ["the list of problems has every finding", listed],
  ["a quick fix changes the text", fixed],
  ["an input that is chosen in the list changes the lens", inputChosen],
  ["a click on a lens shows the values beside the text", valuesShown],
  ["the status of the language has the versions and the mode", statusShown],
  ["the view lists the policies with their state", overviewShown],
  ["the Test Explorer shows the tests and what became of them", testsShown],
  ["a click on a lens compares the object before and after a mutation", mutationShown],
  ["a server that is not there opens a message with a way out", missing],
];

try {
  for (const [name, step] of steps) {
    const start = Date.now();
    await step(page);
    console.log(`ok  ${name} (${Date.now() - start} ms)`);
    await page.screenshot({ path: join(place.shots, `${step.name}.png`) });
  }
} catch (error) {
  await page.screenshot({ path: join(place.shots, "browser-failure.png") });
  console.error(error);
  process.exitCode = 1;
} finally {
  await browser.close();
}

async function underlined(page: Page): Promise<void> {
  await run(page, "View: Close All Editors");
  await openFile(page, "replicas.yaml");
  await page.locator(".squiggly-error").nth(3).waitFor({ state: "attached" });
  // The lenses move the lines while they appear, so what was measured may be of two moments.
  await retried(() => compared(page));
}

/** Does a step again until it succeeds, and fails as the last time. */
async function retried(step: () => Promise<void>): Promise<void> {
  for (let left = 20; left > 0; left -= 1) {
    try {
      return await step();
    } catch {
      await page.waitForTimeout(100);
    }
  }
  await step();
}

/** Measures the squiggles and the words below which they belong. */
async function compared(page: Page): Promise<void> {
  const drawn = await squiggles(page);
  assert.equal(drawn.length, 4);
  for (const [index, [line, word]] of [
    ["failurePolicy: Fial", "Fial"],
    ["variables.replica <=", "replica"],
    ["paused = false", "="],
    ["mesage: A", "mesage"],
  ].entries()) {
    const expected = await rectanglesOf(page, line ?? "", word ?? "");
    assert.equal(expected.length, 1, `'${line}' is on the screen once`);
    assertUnder(drawn[index], expected[0], word ?? "");
  }
}

/** A squiggle lies on the line of its word and has the same left and right ends. */
function assertUnder(drawn: Rectangle | undefined, word: Rectangle | undefined, name: string): void {
  assert(drawn && word);
  const message = `'${name}' is at ${JSON.stringify(word)}, the squiggle at ${JSON.stringify(drawn)}`;
  assert(Math.abs(drawn.left - word.left) < 2 && Math.abs(drawn.right - word.right) < 2, message);
  assert(drawn.bottom > word.top && drawn.top < word.bottom && drawn.bottom <= word.bottom + 2, message);
}

async function colored(page: Page): Promise<void> {
  const color = (text: RegExp) =>
    page
      .locator(".view-line span[class^=mtk]", { hasText: text })
      .evaluate((element) => getComputedStyle(element).color);
  const [keyword, text] = [await color(/^.?false$/), await color(/At\smost\sfive/)];
  assert.notEqual(keyword, text, "a keyword of CEL does not look like a YAML string");
}

async function hovered(page: Page): Promise<void> {
  await page.locator(".view-line span", { hasText: /^Fial$/ }).last().hover();
  const hover = page.locator(".monaco-hover:visible", { hasText: "cannot be `Fial`" });
  await hover.waitFor();
  await hover.getByRole("link", { name: "unsupported-value" }).waitFor();
}

async function listed(page: Page): Promise<void> {
  await page.keyboard.press("Control+Shift+M");
  const rows = page.locator(".markers-panel .monaco-list-row .marker-line, .markers-panel .monaco-list-row .marker");
  await rows.nth(3).waitFor();
  const text = (await page.locator(".markers-panel").innerText()).replaceAll("\u00a0", " ");
  for (const [code, line, column] of [
    ["unsupported-value", 7, 18],
    ["undefined-variable", 18, 42],
    ["cel-syntax", 22, 26],
    ["unknown-field", 25, 5],
  ]) {
    assert.match(text, new RegExp(`admissible\\W+${code}\\W*\\[Ln ${line}, Col ${column}\\]`));
  }
}

async function fixed(page: Page): Promise<void> {
  await goTo(page, 7, 19);
  const fix = page.locator(".action-widget .monaco-list-row", { hasText: "Fail" }).first();
  // The key opens nothing while the answer to an earlier request is on its way.
  await retried(async () => {
    await page.keyboard.press("Control+.");
    await fix.waitFor({ timeout: 5_000 });
  });
  await fix.click();
  await page.locator(".view-line", { hasText: /failurePolicy:\sFail$/ }).waitFor();
  const problems = page.locator(".markers-panel");
  await problems.getByText("unsupported-value").waitFor({ state: "detached" });
  await problems.getByText("undefined-variable").waitFor();
}

async function inputChosen(page: Page): Promise<void> {
  await openFile(page, "limit.yaml");
  await lens(page, "evaluate: true · small").waitFor();
  await lens(page, "inputs: 1 allowed, 2 denied").click();
  const choices = page.locator(".quick-input-list .monaco-list-row");
  await choices.nth(2).waitFor();
  const [first] = await choices.allInnerTexts();
  assert.match(first ?? "", /small[^]*allowed/);
  const denied = choices.filter({ hasText: "large" });
  assert.equal(await denied.locator(".codicon-error").count(), 1, "a denied input has its icon");
  await denied.click();
  await lens(page, "evaluate: false · large").waitFor();
}

async function valuesShown(page: Page): Promise<void> {
  await lens(page, "evaluate: false · large").click();
  await page.locator(".view-line", { hasText: /replicas\s<=\s5\s*=\sfalse\s·\sobject\.spec\.replicas\s=\s9/ }).waitFor();
  const report = page.locator(".editor-instance .view-line", { hasText: /object\.spec\.replicas\s{2,}=\s{2,}9/ });
  await report.waitFor();
  const tabs = page.locator(".tabs-container .tab");
  assert.equal(await tabs.filter({ hasText: "Evaluation" }).count(), 1);
}

async function statusShown(page: Page): Promise<void> {
  await page.locator(".editor-instance .view-line").first().click();
  await page.locator('.statusbar-item[id="status.languageStatus"]').hover();
  const status = page.locator(".monaco-hover:visible", { hasText: "Live values: off" });
  await status.waitFor();
  assert.match(await status.innerText(), /Kubernetes: no target versions[^]*Admissible \d+\.\d+\.\d+/);
}

async function walkthroughShown(page: Page): Promise<void> {
  await page.locator(".explorer-folders-view .monaco-list-row").first().waitFor();
  await run(page, "Open Walkthrough");
  await page.locator(".quick-input-list .monaco-list-row", { hasText: "Write an Admission Policy" }).click();
  await page.locator(".getting-started-step").nth(5).waitFor();
}

async function overviewShown(page: Page): Promise<void> {
  await page.locator(".pane-header", { hasText: "Admissible" }).click();
  const rows = page.locator('.pane:has(.pane-header:has-text("Admissible")) .monaco-list-row');
  const limit = rows.filter({ hasText: "limit" }).filter({ hasText: "validating · no findings" });
  await limit.click();
  await limit.locator(".monaco-tl-twistie").click();
  await rows.filter({ hasText: "small" }).filter({ hasText: "allowed" }).waitFor();
  await rows.filter({ hasText: "large" }).filter({ hasText: "denied" }).waitFor();
}

async function testsShown(page: Page): Promise<void> {
  await run(page, "Testing: Focus on Test Explorer View");
  const rows = page.locator(".test-explorer .monaco-list-row");
  await rows.filter({ hasText: "limit.yaml" }).locator(".monaco-tl-twistie").click();
  await run(page, "Test: Run All Tests");
  for (const name of ["limit.yaml", "small", "large"]) {
    await rows.filter({ hasText: name }).locator(".codicon-testing-passed-icon").waitFor();
  }
}

async function mutationShown(page: Page): Promise<void> {
  await run(page, "View: Show Explorer");
  await openFile(page, "owner.yaml");
  await lens(page, "show changes").click();
  const sides = page.locator(".monaco-diff-editor");
  await sides.locator(".modified .view-line", { hasText: /owner:\splatform/ }).waitFor();
  assert.equal(await sides.locator(".original .view-line", { hasText: /owner:\splatform/ }).count(), 0);
}

/** A lens by what it says. */
function lens(page: Page, title: string): Locator {
  return page.locator(".codelens-decoration a", { hasText: title });
}

async function missing(page: Page): Promise<void> {
  const settings = join(place.workspace, ".vscode", "settings.json");
  mkdirSync(join(place.workspace, ".vscode"), { recursive: true });
  writeFileSync(settings, JSON.stringify({ "admissible.server.path": "/nowhere/admissible" }));
  // Under the driver for tests the workbench shows no message by itself: the bell lists them.
  await page.locator("#status\\.notifications").click();
  const message = page.locator(".notifications-center .monaco-list-row", { hasText: "Admissible cannot start" }).first();
  await message.waitFor();
  assert.match(await message.innerText(), /'\/nowhere\/admissible'/);
  await message.getByRole("button", { name: "Open Setting" }).click();
  const input = page.locator(".settings-editor .setting-item", { hasText: "Server: Path" }).locator("input");
  assert.equal(await input.inputValue(), "/nowhere/admissible");
}
