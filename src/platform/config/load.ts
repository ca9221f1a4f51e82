/** Reads the configuration from the environment. `config/schema.ts` lists the settings. */
import { existsSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import type { z } from "zod";
import { OperatorError } from "../operator-error.ts";
import { findContradictions, findUnsafeSettings } from "./rules.ts";
import { type Config, configSchema } from "./schema.ts";
import { isRemoteDatabase } from "./this-machine.ts";
import { findUnknownSettings } from "./unknown-settings.ts";

export type { Config };

type Environment = Readonly<Record<string, string | undefined>>;

const ENV_FILE = ".env";

/** The configuration is invalid. Each problem starts with the name of the variable at fault. */
export class ConfigError extends OperatorError {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

interface LoadOptions {
  /** Effective user id of this process; undefined on platforms without user ids. */
  readonly userId?: number | undefined;
  /** Names in the `.env` file, all of which must be settings. */
  readonly fileNames?: readonly string[];
  /** Whether a command reads the configuration, which never starts a sandbox. */
  readonly isCommand?: boolean;
}

/**
 * Reads the configuration from the environment variables. A `.env` file in the working folder supplies those that are not set.
 * @throws {ConfigError} as `loadConfig`
 */
export function readConfig({ isCommand = false }: { readonly isCommand?: boolean } = {}): Config {
  const fileNames = existsSync(ENV_FILE) ? Object.keys(parseEnv(readFileSync(ENV_FILE, "utf8"))) : [];
  return loadConfig(readEnvironment(), { fileNames, isCommand });
}

/** @throws {ConfigError} listing every invalid or unknown variable and contradiction, and in production every unsafe setting */
export function loadConfig(
  environment: Environment,
  { userId = process.geteuid?.(), fileNames = [], isCommand = false }: LoadOptions = {},
): Config {
  const isGiven = (name: keyof Config) => !isAbsent(environment[name]);
  const { config, problems } = parseSettings(configSchema, environment);
  const isProduction = config.NODE_ENV === "production";
  // The sandbox's demo account is an administrator.
  const isRemote = isRemoteDatabase(config.DATABASE_URL);
  if ((isProduction || isRemote) && !isGiven("SANDBOX")) config.SANDBOX = false;
  const names = Object.keys(environment).filter((name) => !isAbsent(environment[name]));
  const rules = [
    ...findUnknownSettings(names, fileNames),
    ...(isRemote && !isCommand && !isGiven("NODE_ENV") ? [UNKNOWN_ENVIRONMENT] : []),
    ...findContradictions(config),
    ...(isProduction ? findUnsafeSettings(config, isGiven, userId) : []),
  ];
  // A setting with an invalid value has its default here, about which rules would be wrong.
  const invalid = new Set(problems.map(nameOf));
  const all = [...problems, ...rules.filter((problem) => !invalid.has(nameOf(problem)))];
  if (all.length > 0) throw new ConfigError(all);
  return config;
}

const UNKNOWN_ENVIRONMENT =
  "NODE_ENV: must be set, since DATABASE_URL names a server on another machine; production, or development if its data may be lost";

const nameOf = (problem: string) => problem.split(":")[0];

/** @throws {ConfigError} listing every variable that `schema` rejects */
export function parseEnvironment<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment,
): z.output<Schema> {
  const { config, problems } = parseSettings(schema, environment);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Parses each setting. One that is invalid has a problem, and its default. */
function parseSettings<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment,
): { config: z.output<Schema>; problems: string[] } {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<z.ZodType>(schema.shape)) {
    const value = environment[name];
    const parsed = setting.safeParse(isAbsent(value) ? undefined : value);
    if (!parsed.success) problems.push(...parsed.error.issues.map(({ message }) => `${name}: ${message}`));
    config[name] = parsed.success ? parsed.data : setting.safeParse(undefined).data;
  }
  return { config: config as z.output<Schema>, problems };
}

/** An empty variable counts as absent: `.env` files list unset variables without a value. */
function isAbsent(value: string | undefined): boolean {
  return value === undefined || value === "";
}

/** Returns the environment variables. A `.env` file in the working folder supplies those that are not set. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
  return process.env;
}
