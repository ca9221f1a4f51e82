import { UsageError } from "./errors.ts";

/** Reads an option that counts something. @throws {UsageError} when it is no whole number from `min` to `max` */
export function wholeNumber(given: unknown, option: string, min: number, max: number): number | undefined {
  if (given === undefined) return undefined;
  const value = typeof given === "string" && /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN;
  if (!(value >= min && value <= max)) throw new UsageError(`${option} must be a whole number from ${min} to ${max}.`);
  return value;
}

/** Reads an address to call. @throws {UsageError} when it is none */
export function webAddress(given: string | undefined): string {
  const protocol = given !== undefined && URL.canParse(given) ? new URL(given).protocol : null;
  if (given === undefined || (protocol !== "https:" && protocol !== "http:")) {
    throw new UsageError("URL must be an address that begins with https:// or http://.");
  }
  return given;
}

/** Reads JSON from the command line, or with `-` from standard input. @throws {UsageError} when it is none */
export async function jsonValue(given: string | undefined, option: string): Promise<unknown> {
  if (given === undefined) return undefined;
  const text = given === "-" ? await readStandardInput() : given;
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

/** What fees are paid in on a network. */
export function coinOf(network: string): string {
  if (network.startsWith("solana")) return "SOL";
  return network === "avalanche" ? "AVAX" : "ETH";
}
