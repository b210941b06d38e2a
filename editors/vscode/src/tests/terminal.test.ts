import { expect, it } from "vitest";
import { terminalText } from "./terminal";

it("breaks lines as a terminal does", () => {
  expect(terminalText("a\nb\n")).toBe("a\r\nb\r\n");
});

it("replaces the control characters of names", () => {
  expect(terminalText("\u001b]0;a\u0007\u009b31mb\r.yaml: no")).toBe("\ufffd]0;a\ufffd\ufffd31mb\ufffd.yaml: no");
  expect(terminalText("a\u202eb\t")).toBe("a\ufffdb\ufffd");
});

it("keeps everything else", () => {
  expect(terminalText("policies/ä-😀.yaml")).toBe("policies/ä-😀.yaml");
});
