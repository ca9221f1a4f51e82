/** Matches requests against profiles. */
import { operationIn } from "../request-key.ts";
import type { Permit } from "./facts.ts";
import type { PermittedRequest, Profile } from "./profile.ts";

interface MatchedRequest {
  readonly url: URL;
  readonly method: string;
  readonly body: string;
}

/** Returns what the first matching profile permits the request as; null without a match. */
export function permitFor(profiles: readonly Profile[], request: MatchedRequest): Permit | null {
  const permits = profiles.flatMap(({ permits }) => permits);
  return permits.find((permitted) => isMatch(permitted, request))?.as ?? null;
}

/** Returns the idempotency values that profiles name in a body. They are long enough to be random, and no encrypted data. */
export function idempotencyValuesIn(profiles: readonly Profile[], body: string): string[] {
  const names = profiles.flatMap(({ idempotency = [] }) => idempotency);
  return names.flatMap((name) => {
    const [, value] =
      new RegExp(`(?:"${escapeText(name)}"\\s*:\\s*"|(?:^|&)${escapeText(name)}=)([\\w-]{16,64})(?:"|&|$)`).exec(
        body,
      ) ?? [];
    return value === undefined ? [] : [`${name}=${value}`];
  });
}

function isMatch(permitted: PermittedRequest, { url, method, body }: MatchedRequest): boolean {
  const { host, path, query = {}, operation } = permitted;
  return (
    method === (permitted.method ?? "POST") &&
    (host === undefined || isHostMatch(host, url.hostname)) &&
    (path === undefined || isPathMatch(path, url.pathname)) &&
    Object.entries(query).every(([name, value]) => url.searchParams.get(name) === value) &&
    (operation === undefined || operationIn(body) === operation || url.searchParams.get("operationName") === operation)
  );
}

const isHostMatch = (pattern: string, host: string) =>
  pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;

/** Compares a path with a pattern in which `*` matches one segment. */
function isPathMatch(pattern: string, path: string): boolean {
  const parts = pattern.split("/");
  const actual = path.split("/");
  return parts.length === actual.length && parts.every((part, index) => part === "*" || part === actual[index]);
}

const escapeText = (text: string) => text.replaceAll(/[^\w]/g, String.raw`\$&`);
