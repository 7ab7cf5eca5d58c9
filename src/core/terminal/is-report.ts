/** What a terminal emulator answers by itself when a program asks it something. A copy of the screen must not answer for the screen. */

const REPORT =
  /^(?:\x1b\[[?>=]?[\d;]*[cnR]|\x1b\[[\d;]*t|\x1b\[\?[\d;]*(?:\$y|u)|\x1b\](?:4|1\d|52);[^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP[^\x1b]*\x1b\\|\x1b\[[IO])+$/;

export function isReport(data: string): boolean {
  return REPORT.test(data);
}
