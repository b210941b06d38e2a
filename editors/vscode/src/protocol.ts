/** What the server adds to the Language Server Protocol, as far as it is used here: see `server/docs/protocol.md`. */
import type { ClientCapabilities, StaticFeature } from "vscode-languageclient";

/** The commands of the server. */
export const serverCommand = {
  evaluate: "admissible.evaluate",
  selectInput: "admissible.selectInput",
  hideValues: "admissible.hideValues",
  liveValues: "admissible.liveValues",
  showMutation: "admissible.showMutation",
  createInput: "admissible.createInput",
} as const;

/** The result of `evaluate`. The values in the text are inlay hints, which the editor asks for by itself. */
export interface Evaluation {
  readonly report: string;
}

/** What the policy says about an input. */
export type Decision = "allowed" | "denied" | "error" | "skipped";

/** An input among the result of `selectInput`. */
export interface InputChoice {
  readonly label: string;
  readonly decision: Decision;
  readonly messages: readonly string[];
  readonly chosen: boolean;
  /** The name of the input, which goes back to the server as it came. */
  readonly input: { readonly path: string };
}

/** The result of `liveValues`. */
export interface LiveValues {
  readonly on: boolean;
}

/** The result of `showMutation`. */
export interface Mutation {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly errors: readonly string[];
}

/** Tells the server that the results of its commands are shown, so that it sends no messages about them. */
export const showsResults: StaticFeature = {
  fillClientCapabilities(capabilities: ClientCapabilities): void {
    const others = capabilities.experimental as object | undefined;
    capabilities.experimental = { ...others, admissible: { showsResults: true } };
  },
  initialize: () => undefined,
  getState: () => ({ kind: "static" }),
  clear: () => undefined,
};
