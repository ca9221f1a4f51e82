/** `npm run cli`: the command line client. It knows the service by HTTP alone. */
import { parseArgs } from "node:util";
import { chooseBaseUrl } from "./base-url.ts";
import { COMMANDS } from "./commands.ts";
import { lastUsedBaseUrl } from "./credentials.ts";
import { CliError, UsageError } from "./errors.ts";
import { helpText } from "./help.ts";
import { createOutput } from "./output.ts";
import { PROGRAM, VERSION } from "./version.ts";

const COMMON_OPTIONS = {
  "base-url": { type: "string" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean" },
} as const;

// Whoever reads the answer may stop before its end, as `head` does.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CliError)) throw error;
  createOutput(process.argv.includes("--json")).error(error.message, error.code);
  process.exitCode = error.exitCode;
}

async function run(given: readonly string[]): Promise<void> {
  const [name = "", ...rest] = given;
  if (name === "" || name === "help" || name.startsWith("-")) return early(given);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`There is no command ${name}. Run: ${PROGRAM} --help`);
  const { values, positionals } = read(rest, { ...COMMON_OPTIONS, ...command.options });
  if (values["help"]) return void process.stdout.write(helpText(name, command));
  if (positionals.length !== command.operands.length) {
    throw new UsageError(`Usage: ${PROGRAM} ${[name, ...command.operands].join(" ")} [OPTIONS]`);
  }
  const baseUrl = chooseBaseUrl(values["base-url"] as string | undefined, await lastUsedBaseUrl());
  await command.run({ baseUrl, values, positionals, output: createOutput(values["json"] === true) });
}

/** No command, or an option before any. */
function early(given: readonly string[]): void {
  const { values } = read(
    given.filter((word) => word !== "help"),
    COMMON_OPTIONS,
  );
  if (values["version"]) process.stdout.write(`${VERSION}\n`);
  else if (given.length === 0 || values["help"] || given[0] === "help") process.stdout.write(helpText());
  else throw new UsageError(`Name a command first. Run: ${PROGRAM} --help`);
}

function read(args: readonly string[], options: NonNullable<Parameters<typeof parseArgs>[0]>["options"] & object) {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (error) {
    // What `parseArgs` throws is worded for whoever typed it.
    if (error instanceof TypeError && "code" in error) throw new UsageError(error.message);
    throw error;
  }
}
