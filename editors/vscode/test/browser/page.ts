/** Ways to act on the workbench and to measure what it draws. */
import type { Page } from "playwright-core";

/** A rectangle on the screen, in CSS pixels. */
export interface Rectangle {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Opens a file of the workspace by its name. */
export async function openFile(page: Page, name: string): Promise<void> {
  await page.locator(".explorer-folders-view .monaco-list-row", { hasText: name }).dblclick();
  await page.locator(".editor-instance .view-line").first().waitFor();
}

/**
 * Opens the quick input by `key` and fills it with `text`.
 *
 * The workbench closes the quick input when an editor that is still opening takes the focus, so the
 * key is pressed again if the input is gone before it is filled.
 */
export async function fillQuickInput(page: Page, key: string, text: string): Promise<void> {
  const input = page.locator(".quick-input-widget input[type=text]");
  for (let attempt = 1; ; attempt += 1) {
    await page.keyboard.press(key);
    try {
      await input.fill(text, { timeout: 5000 });
      return;
    } catch (error) {
      if (attempt === 4) throw error;
    }
  }
}

/** Runs a command of the palette. */
export async function run(page: Page, command: string): Promise<void> {
  await fillQuickInput(page, "F1", `>${command}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: command }).first().click();
}

/** Puts the cursor at a place, counted from 1. */
export async function goTo(page: Page, line: number, column: number): Promise<void> {
  await fillQuickInput(page, "Control+G", `:${line}:${column}`);
  await page.keyboard.press("Enter");
  await page.locator(".editor-instance .monaco-editor.focused").waitFor();
  await page.locator(".statusbar-item", { hasText: `Ln ${line}, Col ${column}` }).waitFor();
}

/** The wavy lines under errors, from top to bottom. */
export async function squiggles(page: Page): Promise<Rectangle[]> {
  const found = await page.locator(".squiggly-error").evaluateAll((elements) =>
    elements.map((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { left, right, top, bottom };
    }),
  );
  return found.sort((a, b) => a.top - b.top);
}

/** Where `word` is drawn in each line of the editor that contains `line`, which contains `word`. */
export function rectanglesOf(page: Page, line: string, word: string): Promise<Rectangle[]> {
  return page.locator(".view-line").evaluateAll(
    (elements, { line, word }) => {
      const plain = (text: string) => text.replaceAll("\u00a0", " ");
      return elements
        .filter((element) => plain(element.textContent ?? "").includes(line))
        .map((element) => {
          const whole = plain(element.textContent ?? "");
          const start = whole.indexOf(line) + line.indexOf(word);
          const range = document.createRange();
          const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
          let offset = 0;
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            const length = node.textContent?.length ?? 0;
            if (start >= offset && start < offset + length) {
              range.setStart(node, start - offset);
            }
            if (start + word.length > offset && start + word.length <= offset + length) {
              range.setEnd(node, start + word.length - offset);
            }
            offset += length;
          }
          const { left, right, top, bottom } = range.getBoundingClientRect();
          return { left, right, top, bottom };
        });
    },
    { line, word },
  );
}
