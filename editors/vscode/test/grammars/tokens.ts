/**
 * Compares the TextMate grammars with the lexer of the server, on every valid expression of the conformance
 * cases and the examples: alone, and in a policy in each scalar style that can hold it as it is.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { required } from "../workbench";
import { createOnigScanner, createOnigString, loadWASM } from "vscode-oniguruma";
import { INITIAL, parseRawGrammar, Registry, type IGrammar } from "vscode-textmate";

/** The kinds of token that the lexer has, and the scope that each character of one must have. */
const scopes = {
  comment: /^(comment|punctuation\.definition\.comment)\./,
  constant: /^constant\.language\./,
  in: /^keyword\.operator\.word\.in\./,
  name: /^(entity|invalid\.illegal\.reserved-word|support|variable)\./,
  number: /^constant\.numeric\./,
  sign: /^(entity\.name\.type\.message|keyword\.operator\.(?!word)|punctuation)/,
  space: /^(?!comment|constant|invalid|string)/,
  string: /^(constant\.character|punctuation\.definition\.string|storage\.type\.string|string)\./,
};

interface Expression {
  readonly text: string;
  readonly valid: boolean;
  readonly tokens: readonly (readonly [keyof typeof scopes, string])[];
}

/** A scalar style: a document with the expression, whose lines begin after `indent`. */
interface Style {
  readonly name: string;
  readonly grammar: string;
  /** Whether the style can hold an expression without changing it. */
  readonly holds: (expression: Expression) => boolean;
  readonly before: string;
  readonly indent: string;
  readonly after: string;
  /** Whether the first space of the expression is a line break, which YAML folds. */
  readonly isFolded?: boolean;
  /** One in so many expressions is enough, since the style only differs in its beginning. */
  readonly oneIn?: number;
}

/** Whether an expression stays the same on one line, where a comment of CEL cannot end. */
const isOnLine = ({ text, tokens }: Expression) => !/[\n\r]/.test(text) && tokens.every(([kind]) => kind !== "comment");
const isPlain = (expression: Expression) => isOnLine(expression) && /^[A-Za-z(0-9.](?!.*(: | #|\t|[: ]$))/.test(expression.text);
const styles: readonly Style[] = [
  { name: "alone", grammar: "source.cel", holds: () => true, before: "", indent: "", after: "" },
  { name: "literal", grammar: "source.yaml", holds: ({ text }) => /^\S/.test(text) && !/\r/.test(text), before: "a:\n- expression: |\n", indent: "    ", after: "\n  b: c" },
  { name: "plain", grammar: "source.yaml", holds: isPlain, before: "a:\n- expression: ", indent: "", after: " # c\n  b: c" },
  { name: "next line", grammar: "source.yaml", holds: isPlain, before: "a:\n- expression:\n", indent: "    ", after: "\n  b: c" },
  { name: "flow", grammar: "source.yaml", holds: (expression) => isPlain(expression) && !/[,[\]{}]/.test(expression.text), before: "a:\n- {expression: ", indent: "", after: ", b: c}" },
  { name: "single-quoted", grammar: "source.yaml", holds: (expression) => isOnLine(expression) && !expression.text.includes("'"), before: "a:\n- expression: '", indent: "", after: "'\n  b: c" },
  { name: "double-quoted", grammar: "source.yaml", holds: (expression) => isOnLine(expression) && !/["\\]/.test(expression.text), before: 'a:\n- {"expression": "', indent: "", after: '", b: c}' },
  { name: "flow, two lines", grammar: "source.yaml", holds: (expression) => isPlain(expression) && !/[,[\]{}]/.test(expression.text), before: "a:\n- {expression:", indent: "    ", after: ", b: c}", isFolded: true },
  { name: "literal, anchored", grammar: "source.yaml", holds: ({ text }) => /^\S/.test(text) && !/\r/.test(text), before: "a:\n- expression: &a |-\n", indent: "    ", after: "\n  b: c", oneIn: 8 },
  { name: "plain, tagged", grammar: "source.yaml", holds: isPlain, before: "a:\n- expression: !!str ", indent: "", after: " # c\n  b: c", oneIn: 8 },
  { name: "double-quoted, anchored and tagged", grammar: "source.yaml", holds: (expression) => isOnLine(expression) && !/["\\]/.test(expression.text), before: 'a:\n- expression: &a !!str "', indent: "", after: '"\n  b: c', oneIn: 8 },
];

const grammars = await load(process.argv[2] ?? "test/grammars.json");
const expressions = JSON.parse(readFileSync(required("ADMISSIBLE_TEST_EXPRESSIONS"), "utf8")) as Expression[];
for (const style of styles) {
  const start = Date.now();
  const valid = expressions.filter((expression) => expression.valid && style.holds(expression));
  const some = valid.filter((_, index) => index % (style.oneIn ?? 1) === 0);
  const held = style.isFolded ? some.flatMap((expression) => folded(expression) ?? []) : some;
  const wrong = held.flatMap((expression) => difference(expression, style) ?? []);
  const passed = wrong.length === 0 && held.length > 500;
  console.log(`${passed ? "ok" : "FAILED"}  ${style.name}: the tokens of ${held.length} expressions (${Date.now() - start} ms)`);
  wrong.slice(0, 10).forEach((why) => console.log(why.replace(/^/gm, "    ")));
  process.exitCode ||= passed ? 0 : 1;
}

/** The grammars of a file as `vscode-tmgrammar-test` reads it, by their scope. */
async function load(config: string): Promise<ReadonlyMap<string, IGrammar>> {
  const contributed = (JSON.parse(readFileSync(config, "utf8")) as Manifest).contributes.grammars;
  const wasm = createRequire(import.meta.url).resolve("vscode-oniguruma/release/onig.wasm");
  await loadWASM(new Uint8Array(readFileSync(wasm)).buffer);
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner, createOnigString }),
    loadGrammar: async (scope) => {
      const file = contributed.find(({ scopeName }) => scopeName === scope)?.path;
      const path = file === undefined ? undefined : join(dirname(config), file);
      return path === undefined ? null : parseRawGrammar(readFileSync(path, "utf8"), path);
    },
    getInjections: (scope) => contributed.filter(({ injectTo }) => injectTo?.includes(scope)).map(({ scopeName }) => scopeName),
  });
  const names = new Set(styles.map(({ grammar }) => grammar));
  const loaded = [...names].map(async (name): Promise<[string, IGrammar]> => {
    const grammar = await registry.loadGrammar(name);
    if (grammar === null) {
      throw new Error(`${config} has no grammar ${name}`);
    }
    return [name, grammar];
  });
  return new Map(await Promise.all(loaded));
}

interface Manifest {
  readonly contributes: {
    readonly grammars: readonly { readonly scopeName: string; readonly path: string; readonly injectTo?: readonly string[] }[];
  };
}

/** The expression on two lines. */
function folded({ valid, tokens }: Expression): Expression | undefined {
  const first = tokens.findIndex(([kind, token]) => kind === "space" && token === " ");
  if (first < 0) {
    return undefined;
  }
  const changed = tokens.map(([kind, token], index) => [kind, index === first ? "\n" : token] as const);
  return { text: changed.map(([, token]) => token).join(""), valid, tokens: changed };
}

/** The first token whose scope is another one than its kind has. */
function difference({ text, tokens }: Expression, style: Style): string | undefined {
  const source = style.before + text.replace(/^(?=.)/gm, style.indent) + style.after;
  const found = characters(source, grammars.get(style.grammar));
  let at = style.before.length;
  let lineStart = true;
  for (const [kind, token] of tokens) {
    for (const character of token.split("")) {
      if (lineStart && character !== "\n") {
        at += style.indent.length;
      }
      const scope = found[at] ?? "";
      if (!/[\n\r]/.test(character) && !scopes[kind].test(scope)) {
        return `${kind} ${token} has the scope ${scope} in\n${source}`;
      }
      lineStart = character === "\n";
      at += 1;
    }
  }
  return undefined;
}

/** The innermost scope of each character. */
function characters(source: string, grammar: IGrammar | undefined): string[] {
  const found: string[] = [];
  let state = INITIAL;
  for (const line of source.split("\n")) {
    const tokenized = grammar?.tokenizeLine(line, state);
    for (const { startIndex, endIndex, scopes } of tokenized?.tokens ?? []) {
      found.push(...Array<string>(Math.min(endIndex, line.length) - startIndex).fill(scopes.at(-1) ?? ""));
    }
    found.push("");
    state = tokenized?.ruleStack ?? state;
  }
  return found;
}
