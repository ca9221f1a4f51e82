/** The one place where the environment becomes the configuration. What can be set is in `config/schema.ts`. */
import { existsSync } from "node:fs";
import type { z } from "zod";
import { contradictionsIn, unsafeInProduction } from "./rules.ts";
import { type Config, configSchema } from "./schema.ts";

export type { Config };

type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration is unusable; `problems` names every variable at fault. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/**
 * Reads the configuration, collecting every problem.
 * @throws {ConfigError} naming each variable at fault, and each setting that is unsafe in production.
 */
export function loadConfig(environment: Environment): Config {
  const isGiven = (name: keyof Config) => !isAbsent(environment[name]);
  const config = parseEnvironment(configSchema, environment);
  const isProduction = config.NODE_ENV === "production";
  if (isProduction && !isGiven("SANDBOX")) config.SANDBOX = false;
  const problems = [...contradictionsIn(config), ...(isProduction ? unsafeInProduction(config, isGiven) : [])];
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** @throws {ConfigError} naming each variable that is not as `schema` says */
export function parseEnvironment<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Environment,
): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => !isAbsent(value)));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
}

/** An empty variable is an absent one: `.env` files list what they do not set. */
function isAbsent(value: string | undefined): boolean {
  return value === undefined || value === "";
}

/** The process's variables, with those of `.env` in the working folder for what is not set. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}
