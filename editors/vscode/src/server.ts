/**
 * Finds the server program. The order is: the setting, the program inside the extension, `PATH`.
 *
 * Nothing here uses the `vscode` API, so that the order is tested without an editor.
 */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join, resolve } from "node:path";

/** The context of the search. */
export interface ServerSearch {
  /** The setting `admissible.server.path`; empty when it is not set. */
  readonly configured: string;
  /** The folder of the extension. Its `server` folder may contain the program. */
  readonly extensionFolder: string;
  /** The first folder of the workspace, if there is one. */
  readonly workspaceFolder: string | undefined;
  /** The home folder of the user. */
  readonly homeFolder: string;
  /** The value of `PATH`. */
  readonly path: string;
  /** As in `process.platform`. */
  readonly platform: NodeJS.Platform;
  /** Returns whether a file exists and can be run. */
  readonly isProgram: (file: string) => boolean;
}

/** The program, or the reason why there is none, for the user. */
export type ServerLocation =
  | { readonly found: true; readonly program: string }
  | { readonly found: false; readonly reason: string };

/** Finds the server program. A setting that does not name a program is an error: nothing else is tried. */
export function findServer(search: ServerSearch): ServerLocation {
  const configured = search.configured.trim();
  if (configured !== "") {
    return configuredServer(configured, search);
  }
  const name = search.platform === "win32" ? "admissible.exe" : "admissible";
  const folders = [join(search.extensionFolder, "server"), ...pathFolders(search.path)];
  const program = folders.map((folder) => join(folder, name)).find(search.isProgram);
  if (program !== undefined) {
    return { found: true, program };
  }
  return {
    found: false,
    reason:
      "The program 'admissible' is not on PATH, and this build of the extension does not contain it. " +
      "Install it, or set 'admissible.server.path' to its path.",
  };
}

function configuredServer(configured: string, search: ServerSearch): ServerLocation {
  const program = expand(configured, search);
  if (search.isProgram(program)) {
    return { found: true, program };
  }
  const shown = program === configured ? `'${program}'` : `'${configured}' ('${program}')`;
  return {
    found: false,
    reason: `The setting 'admissible.server.path' is ${shown}. There is no program at this path. Correct the setting, or clear it.`,
  };
}

function expand(configured: string, search: ServerSearch): string {
  const base = search.workspaceFolder ?? search.homeFolder;
  const expanded = configured
    .replace(/^~(?=$|[/\\])/, () => search.homeFolder)
    .replaceAll("${workspaceFolder}", () => base);
  return isAbsolute(expanded) ? expanded : resolve(base, expanded);
}

function pathFolders(path: string): string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder));
}

/** Returns whether `file` is a file that this user can run. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
