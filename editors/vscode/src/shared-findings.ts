/**
 * The errors in the syntax of YAML that YAML by Red Hat reports, too: each is shown once.
 *
 * A finding is left out only where the other extension has one on the same line, so an error that only Kubernetes
 * rejects stays.
 */
import * as vscode from "vscode";
import { DocumentDiagnosticRequest, type LanguageClient } from "vscode-languageclient/node";

/** The rules whose errors a parser of YAML reports. */
const RULES: ReadonlySet<unknown> = new Set(["yaml-syntax", "duplicate-key"]);

/** The source of the errors of YAML by Red Hat. */
const OTHER = "YAML";

/** Returns the findings that no other extension reports for the document. */
export function withoutShared(uri: vscode.Uri, findings: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
  const lines = otherLines(uri);
  return findings.filter((it) => !(RULES.has(ruleOf(it)) && lines.has(it.range.start.line)));
}

/** Requests the findings of a document again when those of the other extension have changed. */
export function followShared(client: LanguageClient): vscode.Disposable {
  const known = new Map<string, string>();
  return vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const uri of uris) {
      const lines = [...otherLines(uri)].join();
      if (lines !== (known.get(uri.toString()) ?? "")) {
        known.set(uri.toString(), lines);
        refresh(client, uri);
      }
    }
  });
}

function refresh(client: LanguageClient, uri: vscode.Uri): void {
  const document = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri.toString());
  if (document !== undefined && client.isRunning()) {
    const feature = client.getFeature(DocumentDiagnosticRequest.method);
    feature.getProvider(document)?.onDidChangeDiagnosticsEmitter.fire();
  }
}

function otherLines(uri: vscode.Uri): Set<number> {
  const others = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === OTHER);
  return new Set(others.map((it) => it.range.start.line));
}

function ruleOf({ code }: vscode.Diagnostic): unknown {
  return typeof code === "object" ? code.value : code;
}
