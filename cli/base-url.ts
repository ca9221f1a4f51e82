/** Selection of the service's base URL. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readEnvironmentToken } from "./environment-token.ts";
import { CliError, EXIT } from "./errors.ts";

const DEFAULT_URL = "http://127.0.0.1:4000";
const SANDBOX_FILE = join(".data", "sandbox.json");

/**
 * Returns the first available of these: `--base-url`, `SATCHEL_URL`, the sandbox in the current folder, the service of the
 * last sign-in, port 4000 on this machine. With `SATCHEL_TOKEN` the folder is ignored: its file could send the token elsewhere.
 *
 * @throws {CliError} if it is not an https URL. http sends tokens unencrypted and is allowed only for loopback addresses.
 */
export function chooseBaseUrl(flag: string | undefined, lastUsed: string | null): string {
  const chosen =
    flag ??
    (process.env["SATCHEL_URL"] || null) ??
    (readEnvironmentToken() ? null : readSandboxUrl()) ??
    lastUsed ??
    DEFAULT_URL;
  const url = URL.canParse(chosen) ? new URL(chosen) : null;
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.search || url.hash) {
    throw new CliError(
      `${chosen} is not a valid service URL. Use a URL such as https://satchel.example.`,
      EXIT.usage,
      "usage",
    );
  }
  if (url.protocol === "http:" && !isLoopback(url)) {
    throw new CliError(`${url.origin} must use https: http would send your tokens unencrypted.`, EXIT.usage, "usage");
  }
  return url.href.replace(/\/+$/, "");
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function readSandboxUrl(): string | null {
  try {
    const { baseUrl } = JSON.parse(readFileSync(SANDBOX_FILE, "utf8")) as { baseUrl?: unknown };
    return typeof baseUrl === "string" ? baseUrl : null;
  } catch {
    return null;
  }
}
