import type { Command } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { EXIT } from "./errors.ts";
import { PROGRAM } from "./version.ts";

const COMMON = [
  ["--base-url URL", "the service; default: SATCHEL_URL, else the sandbox that runs from this folder"],
  ["--json", "answer in JSON"],
  ["--help", "show this"],
  ["--version", "show the version"],
] as const;

const EXIT_CODES = [
  ["0", "done"],
  [String(EXIT.failed), "refused or failed; nothing was paid unless it says so"],
  [String(EXIT.usage), "called in a way it does not understand"],
  [String(EXIT.notSignedIn), "not signed in, or not any more"],
  [String(EXIT.timedOut), "nobody answered in the browser in time"],
] as const;

/** What `--help` shows: of everything, or of one command. */
export function helpText(name?: string, command?: Command): string {
  if (!name || !command) {
    return [
      "Pay and look after a Satchel wallet from the command line.",
      "",
      `Usage  ${PROGRAM} COMMAND [OPTIONS]`,
      "",
      ...columns(
        Object.entries(COMMANDS).map(([key, { summary, operands }]) => [[key, ...operands].join(" "), summary]),
      ),
      "",
      ...columns(COMMON),
      "",
      "Exit codes",
      ...columns(EXIT_CODES),
      "",
    ].join("\n");
  }
  return [
    `${command.summary}.`,
    "",
    `Usage  ${PROGRAM} ${[name, ...command.operands].join(" ")} [OPTIONS]`,
    "",
    ...columns([...command.optionHelp, ...COMMON]),
    "",
  ].join("\n");
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
