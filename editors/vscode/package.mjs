// Packs the built extension into a file that VS Code installs:
//   node package.mjs FILE [TARGET PROGRAM]
// TARGET is a platform of VS Code, such as linux-x64, and PROGRAM the program for it. Without them the
// extension is for every platform and uses the program on PATH.
// vsce packs a folder, so what belongs into the extension is copied into one first.
import vsce from "@vscode/vsce";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const [file, target, program] = process.argv.slice(2);
if (file === undefined || (target === undefined) !== (program === undefined)) {
  throw new Error("usage: node package.mjs FILE [TARGET PROGRAM]");
}
// What vsce warns about would be wrong on the Marketplace, so it is an error here.
delete process.env["GITHUB_ACTIONS"];
const warnings = [];
console.warn = (_, message) => warnings.push(message);

const stage = await mkdtemp(join(tmpdir(), "admissible-"));
try {
  const about = JSON.parse(await readFile("package.json", "utf8"));
  await copyInto(stage, about);
  const pages = (kind) => `${about.homepage.replace("/tree/", `/${kind}/`)}`;
  await vsce.createVSIX({
    cwd: stage,
    packagePath: file,
    ...(target === undefined ? {} : { target }),
    dependencies: false,
    baseContentUrl: pages("blob"),
    baseImagesUrl: pages("raw"),
  });
} finally {
  await rm(stage, { recursive: true });
}
if (warnings.length > 0) {
  await rm(file);
  throw new Error(warnings.join("\n"));
}

/** Copies the files of the extension, without the part of `package.json` that only its build needs. */
async function copyInto(folder, { scripts: _, devDependencies: __, private: ___, ...about }) {
  const files = [...about.files, "LICENSE.txt", ...(program === undefined ? [] : ["server"])];
  await writeFile(join(folder, "package.json"), JSON.stringify({ ...about, files }, undefined, 2));
  for (const name of ["README.md", ...about.files]) {
    await cp(name, join(folder, name), { recursive: true });
  }
  const licenses = ["LICENSE-APACHE", "LICENSE-MIT"].map((name) => readFile(join("../..", name), "utf8"));
  const choice = "Licensed under the MIT License or the Apache License, Version 2.0, at your option.\n";
  await writeFile(join(folder, "LICENSE.txt"), [choice, ...(await Promise.all(licenses))].join("\n----\n\n"));
  if (program !== undefined) {
    const copy = join(folder, "server", basename(program));
    await mkdir(join(folder, "server"));
    await cp(program, copy);
    await chmod(copy, 0o755);
  }
}
