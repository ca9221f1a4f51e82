import { UsageError } from "./errors.ts";

/** Parses a whole number. @throws {UsageError} if it is not a whole number from `min` to `max`. */
export function parseWholeNumber(input: unknown, option: string, min: number, max: number): number | undefined {
  if (input === undefined) return undefined;
  const value = typeof input === "string" && /^\d{1,15}$/.test(input) ? Number(input) : Number.NaN;
  if (!(value >= min && value <= max)) throw new UsageError(`${option} must be a whole number from ${min} to ${max}.`);
  return value;
}

/** Parses an http or https URL. @throws {UsageError} if it is not one. */
export function parseUrl(input: string | undefined): string {
  const protocol = input !== undefined && URL.canParse(input) ? new URL(input).protocol : null;
  if (input === undefined || (protocol !== "https:" && protocol !== "http:")) {
    throw new UsageError("URL must begin with https:// or http://.");
  }
  return input;
}

/** Parses JSON from an option, or from standard input for `-`. @throws {UsageError} if it is not JSON. */
export async function parseJson(input: string | undefined, option: string): Promise<unknown> {
  if (input === undefined) return undefined;
  const text = input === "-" ? await readStandardInput() : input;
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${option} must be JSON, or - for JSON on standard input.`);
  }
}

async function readStandardInput(): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

/** Returns the symbol of a network's native token. */
export function getNativeSymbol(network: string): string {
  if (network.startsWith("solana")) return "SOL";
  return network === "avalanche" ? "AVAX" : "ETH";
}
