// Builds the extension into `dist` and its editor tests into `out`.
// The grammars live outside this folder for other editors to use, so they are copied in.
import { build } from "esbuild";
import { cp, rm } from "node:fs/promises";

const release = process.argv.includes("--release");
const common = { bundle: true, platform: "node", format: "cjs", sourcemap: !release, minify: release, logLevel: "warning" };

await Promise.all([
  rm("dist", { recursive: true, force: true }),
  rm("out", { recursive: true, force: true }),
]);
await Promise.all([
  build({ ...common, target: "node20", entryPoints: ["src/main.ts"], external: ["vscode"], outfile: "dist/main.js" }),
  cp("../../grammars", "dist/grammars", { recursive: true, filter: (file) => !/[/\\]test$/.test(file) }),
  release ||
    build({
      ...common,
      target: "node22",
      entryPoints: { host: "test/host/suite.ts", "run-host": "test/host/run.ts", "run-browser": "test/browser/run.ts" },
      external: ["vscode", "playwright-core"],
      outdir: "out",
    }),
]);
