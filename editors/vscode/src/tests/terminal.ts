/**
 * Text for the output of a test run, which is a terminal.
 *
 * Names of files and messages come from the workspace: their control characters would be commands of the terminal.
 */

/** Returns the string with the line breaks of a terminal and every other control character as `\u{FFFD}`. */
export function terminalText(text: string): string {
  return text.replace(/[^\n\P{Cc}]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "\ufffd").replaceAll("\n", "\r\n");
}
