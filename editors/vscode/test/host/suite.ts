/**
 * The entry inside the extension host: runs every case and leaves one line of JSON per case in the file
 * that the environment names, where `run.ts` waits for it.
 */
import { appendFileSync } from "node:fs";
import { cases } from "./cases";
import { creation } from "./creation";
import { evaluation } from "./evaluation";
import { overview } from "./overview";
import { explorer } from "./tests";

/** How a case ended. The last line of the file has no name. */
export interface Outcome {
  readonly name: string | undefined;
  readonly milliseconds: number;
  readonly failure: string | undefined;
}

export async function run(): Promise<void> {
  const begin = Date.now();
  let failed = 0;
  for (const [name, check] of Object.entries({ ...cases, ...creation, ...explorer, ...overview, ...evaluation })) {
    const start = Date.now();
    const failure = await check().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    failed += failure === undefined ? 0 : 1;
    report({ name, milliseconds: Date.now() - start, failure });
  }
  report({ name: undefined, milliseconds: Date.now() - begin, failure: failed > 0 ? `${failed} failed` : undefined });
}

function report(outcome: Outcome): void {
  appendFileSync(process.env["ADMISSIBLE_TEST_RESULT"] ?? "", `${JSON.stringify(outcome)}\n`);
}
