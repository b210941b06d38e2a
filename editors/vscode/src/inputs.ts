/** The list of the inputs of a policy, each with what the policy says about it. */
import * as vscode from "vscode";
import type { Decision, InputChoice } from "./protocol";

const icons: Record<Decision, string> = {
  allowed: "pass",
  denied: "error",
  error: "warning",
  skipped: "circle-slash",
};

const openFile: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon("go-to-file"), tooltip: "Open the file" };

interface Item extends vscode.QuickPickItem {
  readonly choice: InputChoice;
}

/** Lets the user choose. `undefined`: the user does not. */
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
    description: [decision, place, ...(chosen ? ["chosen"] : [])].join(" · "),
    detail: messages.join(" "),
    buttons: [openFile],
    choice,
  };
}
