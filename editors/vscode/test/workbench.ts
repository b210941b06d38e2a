/** The browser that shows the workbench of VS Code. Without one, no extension host starts. */
import { chromium, type Browser, type Page } from "playwright-core";

/** What the caller of the tests decides. */
export interface Surroundings {
  /** The address of the VS Code server, as `http://127.0.0.1:1234`. */
  readonly server: URL;
  /** The folder that VS Code opens. */
  readonly workspace: string;
  /** The folder of the extension. */
  readonly extension: string;
  /** Where screenshots go. */
  readonly shots: string;
}

/** Reads the surroundings from the environment. */
export function surroundings(): Surroundings {
  return {
    server: new URL(required("ADMISSIBLE_TEST_SERVER")),
    workspace: required("ADMISSIBLE_TEST_WORKSPACE"),
    extension: required("ADMISSIBLE_TEST_EXTENSION"),
    shots: required("ADMISSIBLE_TEST_SHOTS"),
  };
}

/** A variable of the environment that must be set. */
export function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") {
    throw new Error(`${name} is not set; run these tests with 'cargo xtask editors'`);
  }
  return value;
}

/** Opens the workspace in a new browser. `payload` starts the extension host in a special way. */
export async function openWorkbench(
  { server, workspace }: Surroundings,
  payload: readonly (readonly [string, string])[] = [],
): Promise<{ browser: Browser; page: Page }> {
  const browser = await chromium.launch({
    executablePath: required("ADMISSIBLE_TEST_BROWSER"),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
  });
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  // A busy machine with two cores takes long to show the workbench.
  page.setDefaultTimeout(60_000);
  const address = new URL(server);
  address.searchParams.set("folder", workspace);
  if (payload.length > 0) {
    address.searchParams.set("payload", JSON.stringify(payload));
  }
  await page.goto(address.href, { waitUntil: "domcontentloaded" });
  return { browser, page };
}
