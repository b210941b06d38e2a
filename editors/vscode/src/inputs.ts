/** The list of the inputs of a policy, each with the decision of the policy. */
import * as vscode from "vscode";
import type { Decision, InputChoice } from "./protocol";

const icons: Record<Decision, string> = {
  allowed: "pass",
  denied: "error",
  error: "warning",
  rejected: "error",
  skipped: "circle-slash",
};

const openFile: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("go-to-file"), tooltip: "Open File" };

interface Item extends vscode.QuickPickItem {
  readonly choice: InputChoice;
}

/** Lets the user select an input. `undefined` if the user cancels. */
export function pickInput(choices: readonly InputChoice[]): Promise<InputChoice | undefined> {
  const list = vscode.window.createQuickPick<Item>();
  list.title = "Select an input to evaluate the policy against";
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  list.items = choices.map(item);
  list.activeItems = list.items.filter(({ choice }) => choice.chosen);
  return new Promise((resolve) => {
    list.onDidTriggerItemButton(({ item }) => {
      list.hide();
      void vscode.window.showTextDocument(vscode.Uri.file(item.choice.input.path));
    });
    list.onDidAccept(() => {
      resolve(list.selectedItems[0]?.choice);
      list.hide();
    });
    list.onDidHide(() => {
      resolve(undefined);
      list.dispose();
    });
    list.show();
  });
}

function item(choice: InputChoice): Item {
  const { label, decision, messages, chosen, input } = choice;
  const place = vscode.workspace.asRelativePath(input.path);
  return {
    label: `$(${icons[decision]}) ${label}`,
    description: [decision, place, ...(chosen ? ["selected"] : [])].join(" · "),
    detail: messages.join(" "),
    buttons: [openFile],
    choice,
  };
}
