// Builds the extension into `dist` and its editor tests into `out`.
// The grammars live outside this folder for other editors to use, so they are copied in.
import { build } from "esbuild";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const release = process.argv.includes("--release");
const common = { bundle: true, platform: "node", sourcemap: !release, minify: release, logLevel: "warning" };
// The extension host loads CommonJS; what runs outside of it is a module.
const inHost = { ...common, format: "cjs", target: "node20", external: ["vscode"] };
const outside = { ...common, format: "esm", target: "node20", external: ["playwright-core"], outExtension: { ".js": ".mjs" } };

await Promise.all(["dist", "out"].map((folder) => rm(folder, { recursive: true, force: true })));
const [{ metafile }] = await Promise.all([
  build({ ...inHost, entryPoints: ["src/main.ts"], outdir: "dist", metafile: true }),
  cp("../../grammars", "dist/grammars", { recursive: true, filter: (file) => /(grammars|\.tmLanguage\.json)$/.test(file) }),
]);
await writeFile("dist/third-party-licenses.txt", await licenses(Object.keys(metafile.inputs)));
if (!release) {
  const tests = { "run-host": "test/host/run.ts", "run-browser": "test/browser/run.ts", installed: "test/browser/installed.ts", pictures: "test/browser/pictures.ts", recording: "test/browser/recording.ts", "run-tokens": "test/grammars/tokens.ts" };
  await Promise.all([
    build({ ...inHost, entryPoints: { host: "test/host/suite.ts", cold: "test/host/cold.ts", beside: "test/host/beside.ts" }, outdir: "out" }),
    build({ ...outside, entryPoints: tests, outdir: "out" }),
  ]);
}

/** The licenses of the packages that these files come from, which their copies have to carry. */
async function licenses(files) {
  const packages = files.map((file) => /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  const texts = [...new Set(packages)].filter((folder) => folder !== undefined).sort().map(async (folder) => {
    const { name, version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const license = (await readdir(folder)).find((file) => /^licen[cs]e/i.test(file));
    if (license === undefined) {
      throw new Error(`${name} has no license file`);
    }
    return `${name} ${version}\n\n${await readFile(join(folder, license), "utf8")}`;
  });
  return (await Promise.all(texts)).join("\n----\n\n");
}
