/** The extensions of the Language Server Protocol that are used here: see `server/docs/protocol.md`. */
import type { ClientCapabilities, Location, Range, StaticFeature } from "vscode-languageclient";

/** The commands of the server. */
export const serverCommand = {
  evaluate: "admissible.evaluate",
  selectInput: "admissible.selectInput",
  hideValues: "admissible.hideValues",
  liveValues: "admissible.liveValues",
  showMutation: "admissible.showMutation",
  createInput: "admissible.createInput",
  documentStatus: "admissible.documentStatus",
  listPolicies: "admissible.listPolicies",
} as const;

/** The result of `evaluate`. The values are inlay hints, which the editor requests itself. */
export interface Evaluation {
  readonly path: string;
  readonly range: Range;
  readonly input: { readonly label: string };
  readonly value: string | null;
  readonly error: string | null;
  readonly cost: number;
  /** The parts, each after the one that contains it. */
  readonly trace: readonly TracePart[];
}

/** A part of an expression, in one line. */
export interface TracePart {
  readonly range: Range;
  readonly text: string;
  readonly depth: number;
  readonly value: string | null;
  readonly error: string | null;
  /** Whether it determines the value of the expression. */
  readonly decided: boolean;
}

/** The decision of a policy for an input. */
export type Decision = "allowed" | "denied" | "error" | "rejected" | "skipped";

/** An input in the result of `selectInput`. */
export interface InputChoice {
  readonly label: string;
  readonly decision: Decision;
  readonly messages: readonly string[];
  readonly chosen: boolean;
  /** The identity of the input, which is sent back to the server unchanged. */
  readonly input: { readonly path: string };
}

/** The result of `liveValues`. */
export interface LiveValues {
  readonly on: boolean;
}

/** The result of `documentStatus`. */
export interface DocumentState {
  /** The target versions. `null` if there are none. */
  readonly kubernetes: string | null;
  /** Whether `admissible.toml` excludes the document. */
  readonly excluded: boolean;
  readonly liveValues: boolean;
}

/** A policy in the result of `listPolicies`. */
export interface ListedPolicy {
  readonly kind: string;
  readonly name: string;
  readonly location: Location;
  readonly bindings: readonly ListedBinding[];
}

/** A binding of a policy. */
export interface ListedBinding {
  readonly kind: string;
  readonly name: string;
  readonly location: Location;
  readonly parameters: readonly Parameter[];
}

/** An object that a binding selects by name. */
export interface Parameter {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
  readonly uri: string;
}

/** The result of `showMutation`. */
export interface Mutation {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly errors: readonly string[];
}

/**
 * Announces that the results of commands are shown, so that the server does not send them as messages, and that the
 * page of a rule opens in an editor.
 */
export const announcements: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const others = capabilities.experimental as object | undefined;
    capabilities.experimental = { ...others, admissible: { showsResults: true, opensRulePages: true } };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};
