// Packs the built extension and a program into a file that VS Code installs:
//   node package.mjs PROGRAM TARGET FILE [--store]
// With --store nothing is compressed, which tests need not wait for.
// TARGET is a platform of VS Code, such as linux-x64. A file of this kind is a zip archive with the
// extension in one folder and two pages about it.
import { strToU8, zipSync } from "fflate";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";

const [program, target, file] = process.argv.slice(2);
if (program === undefined || target === undefined || file === undefined) {
  throw new Error("usage: node package.mjs PROGRAM TARGET FILE [--store]");
}
const about = JSON.parse(await readFile("package.json", "utf8"));
const unix = 3;
const mode = (bits) => ({ os: unix, attrs: (0o100000 | bits) << 16 });

const archive = {
  "[Content_Types].xml": strToU8(contentTypes()),
  "extension.vsixmanifest": strToU8(manifest()),
  [`extension/server/${basename(program)}`]: [await readFile(program), mode(0o755)],
};
for (const path of ["package.json", "README.md", "cel.language-configuration.json", ...(await filesIn("dist"))]) {
  archive[`extension/${path}`] = [await readFile(path), mode(0o644)];
}
for (const license of ["LICENSE-APACHE", "LICENSE-MIT"]) {
  archive[`extension/${license}.txt`] = [await readFile(join("../..", license)), mode(0o644)];
}
await writeFile(file, zipSync(archive, { level: process.argv.includes("--store") ? 0 : 6 }));

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replaceAll("\\", "/"))
    .sort();
}

function manifest() {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${xml(about.name)}" Version="${xml(about.version)}" Publisher="${xml(about.publisher)}" TargetPlatform="${xml(target)}" />
    <DisplayName>${xml(about.displayName)}</DisplayName>
    <Description xml:space="preserve">${xml(about.description)}</Description>
    <Tags>${xml(about.keywords.join(","))}</Tags>
    <Categories>${xml(about.categories.join(","))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${xml(about.engines.vscode)}" />
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace" />
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

function contentTypes() {
  const types = { json: "application/json", js: "application/javascript", map: "application/json", md: "text/markdown", txt: "text/plain", vsixmanifest: "text/xml" };
  const defaults = Object.entries(types).map(([end, type]) => `<Default Extension="${end}" ContentType="${type}" />`);
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${defaults.join("")}</Types>
`;
}

function xml(text) {
  return text.replace(/[<>&"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
