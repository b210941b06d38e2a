import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findServer, isProgram, type ServerSearch } from "./server";

function search(programs: string[], changes: Partial<ServerSearch> = {}): ServerSearch {
  return {
    configured: "",
    extensionFolder: "/ext",
    workspaceFolder: "/work space",
    isTrusted: true,
    homeFolder: "/home/me",
    path: ["/first/bin", "relative", "", "/later/bin"].join(delimiter),
    platform: "linux",
    isProgram: (file) => programs.includes(file),
    ...changes,
  };
}

describe("the order of the search", () => {
  const bundled = "/ext/server/admissible";
  const early = "/first/bin/admissible";
  const late = "/later/bin/admissible";

  it("takes the setting before anything else", () => {
    const found = findServer(search(["/mine/admissible", bundled, early], { configured: "/mine/admissible" }));
    expect(found).toEqual({ found: true, program: "/mine/admissible" });
  });

  it("takes the program in the extension before PATH", () => {
    expect(findServer(search([late, bundled, early]))).toEqual({ found: true, program: bundled });
  });

  it("takes the first program on PATH", () => {
    expect(findServer(search([late, early]))).toEqual({ found: true, program: early });
  });

  it("never runs a program from a relative folder on PATH", () => {
    expect(findServer(search(["relative/admissible", "admissible"])).found).toBe(false);
  });

  it("looks for admissible.exe on Windows", () => {
    const program = "/ext/server/admissible.exe";
    expect(findServer(search([program], { platform: "win32" }))).toEqual({ found: true, program });
  });
});

describe("the setting", () => {
  it.each([
    ["~/bin/admissible", "/home/me/bin/admissible"],
    ["${workspaceFolder}/target/debug/admissible", "/work space/target/debug/admissible"],
    ["target/debug/admissible", "/work space/target/debug/admissible"],
    ["  /a/admissible ", "/a/admissible"],
  ])("%s is %s", (configured, program) => {
    expect(findServer(search([program], { configured }))).toEqual({ found: true, program });
  });

  it("is searched for on PATH if it is only a name", () => {
    const configured = "admissible-1.2";
    const program = "/later/bin/admissible-1.2";
    expect(findServer(search(["/work space/admissible-1.2", program], { configured }))).toEqual({ found: true, program });
    expect(findServer(search(["/work space/admissible-1.2"], { configured })).found).toBe(false);
  });

  it("leaves a ~ inside a name alone", () => {
    expect(findServer(search(["/a~/admissible"], { configured: "/a~/admissible" })).found).toBe(true);
  });
});

describe("an untrusted workspace", () => {
  const untrusted = (configured: string) => {
    const programs = ["/work space/bin/admissible", "/home/me/bin/admissible", "/a/admissible", "/first/bin/admissible"];
    return findServer(search(programs, { configured, isTrusted: false }));
  };

  it.each(["bin/admissible", "./bin/admissible", "${workspaceFolder}/bin/admissible", "/a/..${workspaceFolder}/bin/admissible"])(
    "does not run %s",
    (configured) => {
      expect(untrusted(configured)).toEqual({
        found: false,
        reason:
          `The setting 'admissible.server.path' is '${configured}'. It names a program in the workspace, ` +
          "which is not trusted. Trust the workspace, or set an absolute path.",
      });
    },
  );

  it.each([
    ["~/bin/admissible", "/home/me/bin/admissible"],
    ["/a/admissible", "/a/admissible"],
    ["admissible", "/first/bin/admissible"],
  ])("runs %s", (configured, program) => {
    expect(untrusted(configured)).toEqual({ found: true, program });
  });

  it("does not matter without a folder", () => {
    const changes = { configured: "bin/admissible", isTrusted: false, workspaceFolder: undefined };
    expect(findServer(search(["/home/me/bin/admissible"], changes)).found).toBe(true);
  });
});

describe("the reason when there is no program", () => {
  it("says what to do when nothing is installed", () => {
    const location = findServer(search([]));
    expect(location).toEqual({
      found: false,
      reason:
        "The program 'admissible' is not on PATH, and this build of the extension does not contain it. " +
        "Install it, or set 'admissible.server.path' to its path.",
    });
  });

  it("names the setting and does not fall back, so that a typing error is seen", () => {
    const location = findServer(search(["/ext/server/admissible"], { configured: "~/admisible" }));
    expect(location).toEqual({
      found: false,
      reason:
        "The setting 'admissible.server.path' is '~/admisible' ('/home/me/admisible'). " +
        "There is no program at this path. Correct the setting, or clear it.",
    });
  });
});

describe("a program", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "admissible-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it("is a file that can be run", () => {
    const file = join(folder, "admissible");
    writeFileSync(file, "");
    chmodSync(file, 0o755);
    expect(isProgram(file)).toBe(true);
  });

  it.skipIf(process.platform === "win32")("is not a file without the right to run it", () => {
    const file = join(folder, "admissible");
    writeFileSync(file, "");
    chmodSync(file, 0o644);
    expect(isProgram(file)).toBe(false);
  });

  it("is not a folder, and not a name without a file", () => {
    mkdirSync(join(folder, "admissible"));
    expect(isProgram(join(folder, "admissible"))).toBe(false);
    expect(isProgram(join(folder, "none"))).toBe(false);
  });
});
