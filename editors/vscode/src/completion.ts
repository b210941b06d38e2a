/** Completion: the list opens again where an accepted item expects a field. */
import * as vscode from "vscode";
import type { ProvideCompletionItemsSignature } from "vscode-languageclient";

const suggestAgain: vscode.Command = { command: "editor.action.triggerSuggest", title: "Suggest Fields" };

/** Requests completion items. An item such as `all(c, c.)` leaves the cursor after a dot. */
export async function provideCompletionItem(
  document: vscode.TextDocument,
  position: vscode.Position,
  context: vscode.CompletionContext,
  token: vscode.CancellationToken,
  next: ProvideCompletionItemsSignature,
): Promise<vscode.CompletionItem[] | vscode.CompletionList | null | undefined> {
  const found = await next(document, position, context, token);
  const items = Array.isArray(found) ? found : (found?.items ?? []);
  for (const item of items) {
    const { insertText } = item;
    if (insertText instanceof vscode.SnippetString && /\.\$(0|\{0\})/u.test(insertText.value)) {
      item.command ??= suggestAgain;
    }
  }
  return found;
}
