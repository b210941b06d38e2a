/**
 * Runs the cases of a suite inside the extension host, and leaves one line of JSON per case in the file that the
 * environment names, where `run.ts` waits for it.
 */
import { appendFileSync } from "node:fs";

/** A case: fails with an error, and may give a figure that is printed. */
export type Cases = Record<string, () => Promise<string | void>>;

/** How a case ended. The last line of the file has no name. */
export interface Outcome {
  readonly name: string | undefined;
  readonly milliseconds: number;
  readonly figure: string | undefined;
  readonly failure: string | undefined;
}

/** Runs every case, in order. */
export async function runCases(cases: Cases): Promise<void> {
  const begin = Date.now();
  let failed = 0;
  for (const [name, check] of Object.entries(cases)) {
    const start = Date.now();
    const ended = await check().then(
      (figure) => ({ figure: figure ?? undefined, failure: undefined }),
      (error: unknown) => ({
        figure: undefined,
        failure: error instanceof Error ? (error.stack ?? error.message) : String(error),
      }),
    );
    failed += ended.failure === undefined ? 0 : 1;
    report({ name, milliseconds: Date.now() - start, ...ended });
  }
  const failure = failed > 0 ? `${failed} failed` : undefined;
  report({ name: undefined, milliseconds: Date.now() - begin, figure: undefined, failure });
}

function report(outcome: Outcome): void {
  appendFileSync(process.env["ADMISSIBLE_TEST_RESULT"] ?? "", `${JSON.stringify(outcome)}\n`);
}
