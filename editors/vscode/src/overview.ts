/**
 * The view "Admissible": the policies of the workspace, each with its bindings, their parameters, and its tests.
 */
import * as vscode from "vscode";
import { serverCommand, type ListedBinding, type ListedPolicy, type Parameter } from "./protocol";
import type { ListedTest, PolicyTests } from "./tests";

/** How long nothing has to change before the view is updated, in milliseconds. */
const pause = 300;

/** A line of the view. */
type Entry =
  | { readonly kind: "policy"; readonly policy: ListedPolicy }
  | { readonly kind: "binding"; readonly binding: ListedBinding }
  | { readonly kind: "parameter"; readonly parameter: Parameter }
  | { readonly kind: "test"; readonly test: ListedTest };

/** The content of the view. */
export class Overview implements vscode.TreeDataProvider<Entry>, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<undefined>();
  readonly onDidChangeTreeData = this.changes.event;
  private timer: NodeJS.Timeout | undefined;
  private readonly view = vscode.window.createTreeView("admissible.overview", { treeDataProvider: this });
  private readonly registrations: vscode.Disposable;

  constructor(private readonly tests: PolicyTests) {
    const changed = () => this.refresh();
    this.registrations = vscode.Disposable.from(
      this.view,
      this.changes,
      tests.onDidList(changed),
      vscode.languages.onDidChangeDiagnostics(changed),
      vscode.workspace.onDidChangeTextDocument(({ contentChanges }) => (contentChanges.length > 0 ? changed() : undefined)),
      vscode.commands.registerCommand("admissible.refreshOverview", () => tests.list()),
      { dispose: () => clearTimeout(this.timer) },
    );
  }

  dispose(): void {
    this.registrations.dispose();
  }

  /** Updates the view soon, if it is visible. A view that becomes visible requests its content itself. */
  refresh(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.view.visible ? this.changes.fire(undefined) : undefined), pause);
  }

  async getChildren(entry?: Entry): Promise<Entry[]> {
    switch (entry?.kind) {
      case undefined:
        await this.tests.listOnce();
        return (await listPolicies()).map((policy) => ({ kind: "policy", policy }));
      case "policy":
        return this.childrenOf(entry.policy);
      case "binding":
        return entry.binding.parameters.map((parameter) => ({ kind: "parameter", parameter }));
      default:
        return [];
    }
  }

  getTreeItem(entry: Entry): vscode.TreeItem {
    switch (entry.kind) {
      case "policy":
        return policyItem(entry.policy, this.childrenOf(entry.policy).length > 0);
      case "binding":
        return bindingItem(entry.binding);
      case "parameter":
        return parameterItem(entry.parameter);
      case "test":
        return testItem(entry.test);
    }
  }

  private childrenOf(policy: ListedPolicy): Entry[] {
    const bindings = policy.bindings.map((binding): Entry => ({ kind: "binding", binding }));
    const tests = this.tests.of(vscode.Uri.parse(policy.location.uri), policy.name);
    return [...bindings, ...tests.map((test): Entry => ({ kind: "test", test }))];
  }
}

/** The policies by name. None while the server does not run. */
async function listPolicies(): Promise<ListedPolicy[]> {
  try {
    const policies = await vscode.commands.executeCommand<ListedPolicy[]>(serverCommand.listPolicies);
    return [...policies].sort((a, b) => a.name.localeCompare(b.name));
  } catch {
    return [];
  }
}

function policyItem({ kind, name, location }: ListedPolicy, hasChildren: boolean): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(name, hasChildren ? Collapsed : None);
  const findings = findingsAt(vscode.Uri.parse(location.uri));
  item.id = `${kind} ${name} ${location.uri} ${location.range.start.line}`;
  item.description = [kind === "MutatingAdmissionPolicy" ? "mutating" : "validating", findings.text].join(" · ");
  item.iconPath = findings.icon ?? new vscode.ThemeIcon("shield");
  return opening(item, kind, location);
}

function bindingItem({ kind, name, location, parameters }: ListedBinding): vscode.TreeItem {
  const { Collapsed, None } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(name, parameters.length > 0 ? Collapsed : None);
  item.description = "binding";
  item.iconPath = new vscode.ThemeIcon("link");
  return opening(item, kind, location);
}

function parameterItem({ kind, name, namespace, uri }: Parameter): vscode.TreeItem {
  const item = new vscode.TreeItem(namespace === "" ? name : `${namespace}/${name}`);
  item.description = kind;
  item.iconPath = new vscode.ThemeIcon("symbol-parameter");
  const start = { line: 0, character: 0 };
  return opening(item, kind, { uri, range: { start, end: start } });
}

function testItem({ result, uri, range }: ListedTest): vscode.TreeItem {
  const item = new vscode.TreeItem(result.name);
  const failed = result.status !== "passed";
  item.description = failed ? `${result.outcome ?? "error"}, not as expected` : (result.outcome ?? "");
  item.iconPath = failed
    ? new vscode.ThemeIcon("error", new vscode.ThemeColor("testing.iconFailed"))
    : new vscode.ThemeIcon("pass", new vscode.ThemeColor("testing.iconPassed"));
  item.tooltip = [result.name, ...result.failures.map(({ message }) => message), result.error].filter(Boolean).join("\n");
  item.command = { title: "Open", command: "vscode.open", arguments: [uri, range && { selection: range }] };
  return item;
}

/** The item with a command that opens its place. */
function opening(item: vscode.TreeItem, kind: string, { uri, range }: ListedPolicy["location"]): vscode.TreeItem {
  const place = vscode.Uri.parse(uri);
  const { start } = range;
  const selection = new vscode.Range(start.line, start.character, range.end.line, range.end.character);
  item.tooltip = `${kind} in ${vscode.workspace.asRelativePath(place)}`;
  item.command = { title: "Open", command: "vscode.open", arguments: [place, { selection }] };
  return item;
}

/** The findings in the file of a policy, in words and as an icon. */
function findingsAt(uri: vscode.Uri): { readonly text: string; readonly icon: vscode.ThemeIcon | undefined } {
  const found = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === "admissible");
  const count = (severity: vscode.DiagnosticSeverity, one: string) => {
    const { length } = found.filter((finding) => finding.severity === severity);
    return length === 0 ? [] : [`${length} ${one}${length === 1 ? "" : "s"}`];
  };
  const errors = count(vscode.DiagnosticSeverity.Error, "error");
  const warnings = count(vscode.DiagnosticSeverity.Warning, "warning");
  const icon = (id: string) => new vscode.ThemeIcon(id, new vscode.ThemeColor(`list.${id}Foreground`));
  return {
    text: [...errors, ...warnings].join(", ") || "no findings",
    icon: errors.length > 0 ? icon("error") : warnings.length > 0 ? icon("warning") : undefined,
  };
}
