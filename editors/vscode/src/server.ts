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
  /** Whether the user trusts the workspace. */
  readonly isTrusted: boolean;
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
  const program = programIn([join(search.extensionFolder, "server"), ...pathFolders(search.path)], "admissible", search);
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
  const setting = (value: string) => `The setting 'admissible.server.path' is ${value}.`;
  if (!/[/\\~$]/.test(configured)) {
    const program = programIn(pathFolders(search.path), configured, search);
    const reason = `${setting(`'${configured}'`)} There is no program with this name on PATH. Correct the setting, or clear it.`;
    return program === undefined ? { found: false, reason } : { found: true, program };
  }
  const { base, program } = expand(configured, search);
  // The setting of a user would otherwise run a program of any workspace that is opened.
  if (base === search.workspaceFolder && !search.isTrusted) {
    const reason = `${setting(`'${configured}'`)} It names a program in the workspace, which is not trusted. Trust the workspace, or set an absolute path.`;
    return { found: false, reason };
  }
  if (search.isProgram(program)) {
    return { found: true, program };
  }
  const shown = program === configured ? `'${program}'` : `'${configured}' ('${program}')`;
  return {
    found: false,
    reason: `${setting(shown)} There is no program at this path. Correct the setting, or clear it.`,
  };
}

/** Returns the path of the configured program, and the folder to which the setting is relative, if any. */
function expand(configured: string, search: ServerSearch): { base: string | undefined; program: string } {
  const base = search.workspaceFolder ?? search.homeFolder;
  const atHome = configured.replace(/^~(?=$|[/\\])/, () => search.homeFolder);
  const program = atHome.replaceAll("${workspaceFolder}", () => base);
  const isIndependent = program === atHome && isAbsolute(program);
  return { base: isIndependent ? undefined : base, program: resolve(base, program) };
}

/** Returns the program with this name in the first folder that has it. */
function programIn(folders: string[], name: string, search: ServerSearch): string | undefined {
  const file = search.platform === "win32" && !name.endsWith(".exe") ? `${name}.exe` : name;
  return folders.map((folder) => join(folder, file)).find(search.isProgram);
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
