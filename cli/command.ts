import type { ParseArgsOptionsConfig } from "node:util";
import type { Output } from "./output.ts";

/** Arguments of a command. */
export interface CommandContext {
  readonly baseUrl: string;
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
  readonly output: Output;
}

export interface Command {
  readonly summary: string;
  /** Names of the positional arguments, such as `URL`. */
  readonly operands: readonly string[];
  readonly options: ParseArgsOptionsConfig;
  /** Help lines for the options: syntax and meaning. */
  readonly optionHelp: readonly (readonly [syntax: string, meaning: string])[];
  run(context: CommandContext): Promise<void>;
}
