import { describe, expect, it } from "vitest";
import { completesKubernetes, withManifestKeys } from "./yaml-schemas";

describe("the schemas of YAML by Red Hat", () => {
  it("complete manifests where they are for every file", () => {
    for (const patterns of ["*.yaml", "/*.yaml", ["a.yaml", "**/*.yml"], "*", "**/*.{yaml,yml}"]) {
      expect(completesKubernetes({ kubernetes: patterns }), String(patterns)).toBe(true);
    }
    expect(completesKubernetes({ Kubernetes: "*.yaml" })).toBe(true);
  });

  it("do not where they may leave out a policy", () => {
    const others = [undefined, null, {}, { kubernetes: "deploy/*.yaml" }, { kubernetes: [] }, { kubernetes: 1 }, { other: "*" }];
    for (const schemas of others) {
      expect(completesKubernetes(schemas), JSON.stringify(schemas)).toBe(false);
    }
  });
});

describe("the choice of the user", () => {
  it("is replaced only if it is automatic", () => {
    const keys = (choice: string | undefined, elsewhere: boolean) =>
      (withManifestKeys({ completion: { manifestKeys: choice } }, elsewhere) as { completion: unknown }).completion;
    expect(keys("auto", true)).toEqual({ manifestKeys: "off" });
    expect(keys(undefined, false)).toEqual({ manifestKeys: "on" });
    expect(keys("on", true)).toEqual({ manifestKeys: "on" });
    expect(withManifestKeys(null, true)).toBe(null);
    expect(withManifestKeys({ rules: {} }, true)).toEqual({ rules: {}, completion: { manifestKeys: "off" } });
  });
});
