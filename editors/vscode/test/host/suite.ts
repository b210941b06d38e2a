/** The entry inside the extension host for the tests of the extension. */
import { cases } from "./cases";
import { creation } from "./creation";
import { evaluation } from "./evaluation";
import { runCases } from "./outcomes";
import { overview } from "./overview";
import { explorer } from "./tests";

export function run(): Promise<void> {
  return runCases({ ...cases, ...creation, ...explorer, ...overview, ...evaluation });
}
