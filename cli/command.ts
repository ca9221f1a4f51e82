import type { ParseArgsOptionsConfig } from "node:util";
import type { Output } from "./output.ts";

/** What a command is called with. */
export interface CommandContext {
  readonly baseUrl: string;
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
  readonly output: Output;
}

export interface Command {
  readonly summary: string;
  /** What stands behind the command's name, such as `URL`. */
  readonly operands: readonly string[];
  readonly options: ParseArgsOptionsConfig;
  /** A line for each option: as it is written, and what it does. */
  readonly optionHelp: readonly (readonly [written: string, meaning: string])[];
  run(context: CommandContext): Promise<void>;
}
