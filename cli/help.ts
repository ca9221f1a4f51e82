import type { Command } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT } from "./errors.ts";
import { PROGRAM } from "./version.ts";

const COMMON = [
  ["--base-url URL", "base URL of the service; default: SATCHEL_URL, otherwise the sandbox in this folder"],
  ["--json", "print JSON"],
  ["--help", "print this help"],
  ["--version", "print the version"],
] as const;

const EXIT_CODES = [
  ["0", "success"],
  [String(EXIT.failed), "failed; nothing was paid unless the message says so"],
  [String(EXIT.usage), "invalid arguments"],
  [String(EXIT.notSignedIn), "not signed in, or the sign-in has ended"],
  [String(EXIT.timedOut), "sign-in timed out"],
] as const;

/** Returns the help text of the program, or of one command. */
export function formatHelp(name?: string, command?: Command): string {
  if (!name || !command) {
    return [
      "Use a Satchel wallet from the command line.",
      "",
      `Usage  ${PROGRAM} COMMAND [OPTIONS]`,
      "",
      ...formatColumns(
        Object.entries(COMMANDS).map(([key, { summary, operands }]) => [[key, ...operands].join(" "), summary]),
      ),
      "",
      ...formatColumns(COMMON),
      "",
      "Exit codes",
      ...formatColumns(EXIT_CODES),
      "",
    ].join("\n");
  }
  return [
    `${command.summary}.`,
    "",
    `Usage  ${PROGRAM} ${[name, ...command.operands].join(" ")} [OPTIONS]`,
    "",
    ...formatColumns([...command.optionHelp, ...COMMON]),
    "",
  ].join("\n");
}

function formatColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
