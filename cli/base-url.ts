/** Which service is meant. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CliError, EXIT } from "./errors.ts";

const USUAL = "http://127.0.0.1:4000";
const SANDBOX_FILE = join(".data", "sandbox.json");

/**
 * The first there is of: `--base-url`, `SATCHEL_URL`, the sandbox that runs from this folder, the service signed in to
 * last, this machine's port 4000.
 * @throws {CliError} when it is no https address; http is for this machine alone, since tokens would travel readable
 */
export function chooseBaseUrl(flag: string | undefined, lastUsed: string | null): string {
  const chosen = flag ?? (process.env["SATCHEL_URL"] || null) ?? sandboxUrl() ?? lastUsed ?? USUAL;
  const url = URL.canParse(chosen) ? new URL(chosen) : null;
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.search || url.hash) {
    throw new CliError(
      `${chosen} is not the address of a service, such as https://satchel.example.`,
      EXIT.usage,
      "usage",
    );
  }
  if (url.protocol === "http:" && !isLoopback(url)) {
    throw new CliError(
      `${url.origin} must be reached over https: your tokens would travel readable.`,
      EXIT.usage,
      "usage",
    );
  }
  return url.href.replace(/\/+$/, "");
}

export function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

function sandboxUrl(): string | null {
  try {
    const { baseUrl } = JSON.parse(readFileSync(SANDBOX_FILE, "utf8")) as { baseUrl?: unknown };
    return typeof baseUrl === "string" ? baseUrl : null;
  } catch {
    return null;
  }
}
