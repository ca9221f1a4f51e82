import { existsSync } from "node:fs";

/** The process's variables, with those of `.env` in the working folder for what is not set. */
export function readEnvironment(): NodeJS.ProcessEnv {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return process.env;
}
