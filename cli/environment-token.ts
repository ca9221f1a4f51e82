import { UsageError } from "./errors.ts";

/**
 * Returns the token in `SATCHEL_TOKEN`; null if it is not set. It is never stored or printed.
 * @throws {UsageError} if it cannot be sent in a header, whose error would print it
 */
export function readEnvironmentToken(): string | null {
  const token = process.env["SATCHEL_TOKEN"]?.trim() ?? "";
  if (token === "") return null;
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UsageError("SATCHEL_TOKEN must be an API token or access token without spaces.");
}
