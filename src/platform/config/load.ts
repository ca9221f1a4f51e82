/** Reads the configuration from the environment. `config/schema.ts` lists the settings. */
import { existsSync } from "node:fs";
import type { z } from "zod";
import { OperatorError } from "../operator-error.ts";
import { findContradictions, findUnsafeSettings } from "./rules.ts";
import { type Config, configSchema } from "./schema.ts";

export type { Config };

type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration is invalid. Each problem starts with the name of the variable at fault. */
export class ConfigError extends OperatorError {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/**
 * Reads the configuration.
 * @param userId effective user id of this process; undefined on platforms without user ids
 * @throws {ConfigError} listing every invalid variable, and in production every unsafe setting
 */
export function loadConfig(environment: Environment, userId = process.geteuid?.()): Config {
  const isGiven = (name: keyof Config) => !isAbsent(environment[name]);
  const config = parseEnvironment(configSchema, environment);
  const isProduction = config.NODE_ENV === "production";
  if (isProduction && !isGiven("SANDBOX")) config.SANDBOX = false;
  const problems = [
    ...findContradictions(config),
    ...(isProduction ? findUnsafeSettings(config, isGiven, userId) : []),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** @throws {ConfigError} listing every variable that `schema` rejects */
export function parseEnvironment<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment,
): z.output<Schema> {
  const setVariables = Object.fromEntries(Object.entries(environment).filter(([, value]) => !isAbsent(value)));
  const parsed = schema.safeParse(setVariables);
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
}

/** An empty variable counts as absent: `.env` files list unset variables without a value. */
function isAbsent(value: string | undefined): boolean {
  return value === undefined || value === "";
}

/** Returns the environment variables. A `.env` file in the working folder supplies those that are not set. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}
