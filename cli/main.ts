/** `npm run cli`: the command line client. It uses only the service's HTTP API. */
import { parseArgs } from "node:util";
import { chooseBaseUrl } from "./base-url.ts";
import { exitIfOutputClosed } from "./closed-output.ts";
import { COMMANDS } from "./commands.ts";
import { COMMON_OPTIONS } from "./common-options.ts";
import { readLastUsedBaseUrl } from "./credentials.ts";
import { CliError, UsageError } from "./errors.ts";
import { formatHelp } from "./help.ts";
import { createOutput } from "./output.ts";
import { suggest } from "./suggestion.ts";
import { PROGRAM, VERSION } from "./version.ts";

process.stdout.on("error", exitIfOutputClosed);

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  createOutput(process.argv.includes("--json")).error(error.message, error.code);
  process.exitCode = error.exitCode;
}

async function run(args: readonly string[]): Promise<void> {
  const [name = "", ...rest] = args;
  if (name === "" || name === "help" || name.startsWith("-")) return runWithoutCommand(args);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command)
    throw new UsageError(`Unknown command ${name}.${suggest(name, Object.keys(COMMANDS))} Run: ${PROGRAM} --help`);
  const { values, positionals } = parseOptions(rest, { ...COMMON_OPTIONS, ...command.options });
  if (values["help"]) return void process.stdout.write(formatHelp(name, command));
  if (positionals.length !== command.operands.length) {
    throw new UsageError(`Usage: ${PROGRAM} ${[name, ...command.operands].join(" ")} [OPTIONS]`);
  }
  const baseUrl = chooseBaseUrl(values["base-url"] as string | undefined, await readLastUsedBaseUrl());
  await command.run({ baseUrl, values, positionals, output: createOutput(values["json"] === true) });
}

/** Handles calls without a command: `help`, `--help` and `--version`. */
function runWithoutCommand(args: readonly string[]): void {
  const { values } = parseOptions(
    args.filter((word) => word !== "help"),
    COMMON_OPTIONS,
  );
  if (values["version"]) process.stdout.write(`${VERSION}\n`);
  else if (args.length === 0 || values["help"] || args[0] === "help") process.stdout.write(formatHelp());
  else throw new UsageError(`A command is missing. Run: ${PROGRAM} --help`);
}

function parseOptions(
  args: readonly string[],
  options: NonNullable<Parameters<typeof parseArgs>[0]>["options"] & object,
) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (error) {
    if (!(error instanceof TypeError && "code" in error)) throw error;
    const [, unknown] = /^Unknown option '--([^'=]+)/.exec(error.message) ?? [];
    if (unknown !== undefined) {
      const names = Object.keys(options).map((name) => `--${name}`);
      throw new UsageError(`Unknown option --${unknown}.${suggest(`--${unknown}`, names)}`);
    }
    // Messages of `parseArgs` are written for users.
    throw new UsageError(error.message);
  }
}
