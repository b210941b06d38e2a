// Builds the extension into `dist` and its editor tests into `out`.
// The grammars live outside this folder for other editors to use, so they are copied in.
import { build } from "esbuild";
import { cp, rm } from "node:fs/promises";

const release = process.argv.includes("--release");
const common = { bundle: true, platform: "node", sourcemap: !release, minify: release, logLevel: "warning" };
// The extension host loads CommonJS; what runs outside of it is a module.
const inHost = { ...common, format: "cjs", target: "node20", external: ["vscode"] };
const outside = { ...common, format: "esm", target: "node20", external: ["playwright-core"], outExtension: { ".js": ".mjs" } };

await Promise.all(["dist", "out"].map((folder) => rm(folder, { recursive: true, force: true })));
await Promise.all([
  build({ ...inHost, entryPoints: ["src/main.ts"], outdir: "dist" }),
  cp("../../grammars", "dist/grammars", { recursive: true, filter: (file) => !/[/\\]test$/.test(file) }),
]);
if (!release) {
  await Promise.all([
    build({ ...inHost, entryPoints: { host: "test/host/suite.ts" }, outdir: "out" }),
    build({ ...outside, entryPoints: { "run-host": "test/host/run.ts", "run-browser": "test/browser/run.ts" }, outdir: "out" }),
  ]);
}
