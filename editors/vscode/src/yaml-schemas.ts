/** Whether YAML by Red Hat already completes the keys of Kubernetes manifests. */

/** The name that YAML by Red Hat has for the schemas of all kinds. */
const KUBERNETES = "kubernetes";

/** The patterns that match every YAML file. A narrower one may leave out policies, whose keys nobody would complete. */
const EVERYTHING = /^\/?(\*\*\/)?\*(\.(yaml|yml|\{ya?ml, ?ya?ml\}))?$/;

/** Returns whether `yaml.schemas` assigns the schemas of Kubernetes to every YAML file. */
export function completesKubernetes(schemas: unknown): boolean {
  const patterns = typeof schemas === "object" && schemas !== null ? Object.entries(schemas) : [];
  const ofKubernetes = patterns.find(([schema]) => schema.toLowerCase() === KUBERNETES)?.[1];
  return [ofKubernetes].flat().some((pattern) => typeof pattern === "string" && EVERYTHING.test(pattern));
}

/** Returns the settings of the server with a choice instead of `auto`. */
export function withManifestKeys(settings: unknown, isCompletedElsewhere: boolean): unknown {
  if (typeof settings !== "object" || settings === null) {
    return settings;
  }
  const completion = (settings as { completion?: { manifestKeys?: string } }).completion;
  if ((completion?.manifestKeys ?? "auto") !== "auto") {
    return settings;
  }
  return { ...settings, completion: { ...completion, manifestKeys: isCompletedElsewhere ? "off" : "on" } };
}
