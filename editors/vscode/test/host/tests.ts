/** The cases about the Test Explorer. What a run shows is recorded, since no API returns it. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Exports } from "../../src/main";
import type { PolicyTests } from "../../src/tests";
import { only, open, typeOver, until } from "./editor";

/** What a run has shown about its tests. */
interface Recorded {
  readonly passed: string[];
  readonly failed: { readonly name: string; readonly message: vscode.TestMessage }[];
  readonly coverage: vscode.FileCoverage[];
  ended: boolean;
}

export const explorer: Record<string, () => Promise<void>> = {
  "the tests of a policy are listed at their expectations": async () => {
    // A run saves what other cases have left unsaved.
    for (const { uri } of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await open(vscode.workspace.asRelativePath(uri));
    }
    await open("limit.inputs.yaml");
    await until(listed, ["limit.yaml: small 9, large 20"]);
  },

  "a run shows which tests pass": async () => {
    const run = await recorded(() => vscode.commands.executeCommand("testing.runAll"));
    assert.deepEqual([run.passed, run.failed], [["small", "large"], []]);
  },

  "a test that fails has the difference at its expectation": async () => {
    const editor = await open("limit.yaml");
    await typeOver(editor, "<= 5", "<= 2");
    assert(await editor.document.save());
    try {
      const run = await recorded(() => vscode.commands.executeCommand("testing.runAll"));
      assert.deepEqual(run.passed, ["large"]);
      const [failure, ...others] = run.failed;
      assert(failure !== undefined && others.length === 0);
      const { message, expectedOutput, actualOutput, location } = failure.message;
      assert.deepEqual([expectedOutput, actualOutput], ["allow", "denied"]);
      assert.match(String(message), /but the request is denied[^]*spec\.validations\[0\]\.expression[^]*object\.spec\.replicas = 3/);
      assert.deepEqual([location?.uri.path.split("/").at(-1), location?.range.start.line], ["limit.inputs.yaml", 10]);
    } finally {
      await typeOver(editor, "<= 2", "<= 5");
      assert(await editor.document.save());
    }
  },

  "a continuous run follows what is saved": async () => {
    const editor = await open("limit.yaml");
    const stop = new vscode.CancellationTokenSource();
    const { run } = tests();
    try {
      const again = await recorded(async () => {
        await run.runHandler(new vscode.TestRunRequest(undefined, undefined, run, true), stop.token);
        await typeOver(editor, "<= 5", "<= 4");
        assert(await editor.document.save());
      });
      assert.deepEqual(again.passed, ["small", "large"]);
    } finally {
      stop.cancel();
      await typeOver(editor, "<= 4", "<= 5");
      assert(await editor.document.save());
    }
  },

  "a run with coverage shows which expressions no test evaluates": async () => {
    const run = await recorded(() => vscode.commands.executeCommand("testing.coverageAll"));
    const counts = run.coverage.map(({ uri, statementCoverage: { covered, total } }) => {
      return `${uri.path.split("/").at(-1)} ${covered}/${total}`;
    });
    assert.deepEqual(counts.sort(), ["limit.yaml 1/1", "owner.yaml 0/1", "pods.yaml 0/1", "replicas.json 0/1", "replicas.yaml 0/4"]);
    const pods = run.coverage.find(({ uri }) => uri.path.endsWith("/pods.yaml"));
    assert(pods);
    const { document } = await open("pods.yaml");
    const [statement] = await (pods as unknown as { details(): Promise<vscode.StatementCoverage[]> }).details();
    assert.equal(statement?.executed, false);
    assert.deepEqual(statement?.location, only(document, "has(object.spec.priorityClassName)"));
  },
};

function tests(): PolicyTests {
  const extension = vscode.extensions.getExtension<Exports>("admissible.admissible");
  assert(extension?.isActive);
  return extension.exports.tests;
}

/** The files with their tests, and the lines of these, counted from 0. */
function listed(): string[] {
  const files: string[] = [];
  tests().controller.items.forEach((file) => {
    const places: string[] = [];
    file.children.forEach(({ label, range }) => places.push(`${label} ${range?.start.line}`));
    files.push(`${file.label}: ${places.join(", ")}`);
  });
  return files;
}

/** Does `step` and returns what the next run of tests shows until it ends. */
async function recorded(step: () => Thenable<unknown>): Promise<Recorded> {
  const { controller } = tests();
  const create = controller.createTestRun;
  const all: Recorded = { passed: [], failed: [], coverage: [], ended: false };
  controller.createTestRun = (...args) => {
    const run = create.apply(controller, args);
    return Object.assign(Object.create(run) as vscode.TestRun, {
      started: (item: vscode.TestItem) => run.started(item),
      skipped: (item: vscode.TestItem) => run.skipped(item),
      appendOutput: (text: string) => run.appendOutput(text),
      errored: (item: vscode.TestItem, message: vscode.TestMessage) => run.errored(item, message),
      passed: (item: vscode.TestItem, time?: number) => {
        all.passed.push(item.label);
        run.passed(item, time);
      },
      failed: (item: vscode.TestItem, messages: vscode.TestMessage[], time?: number) => {
        all.failed.push(...messages.map((message) => ({ name: item.label, message })));
        run.failed(item, messages, time);
      },
      addCoverage: (coverage: vscode.FileCoverage) => {
        all.coverage.push(coverage);
        run.addCoverage(coverage);
      },
      end: () => {
        run.end();
        all.ended = true;
      },
    });
  };
  try {
    await step();
    await until(() => all.ended, true);
  } finally {
    controller.createTestRun = create;
  }
  return all;
}
