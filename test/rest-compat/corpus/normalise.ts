/** Replaces values that differ between runs by placeholders that state their form: ids, times, tokens, digests and hosts. */
import { KNOWN_TOKENS } from "../../../src/trade/tokens.ts";
import { NETWORKS } from "../../../src/wallet/networks.ts";

/** Converts one value of an exchange; `<tx:1>` in a response is the same id as `<tx:1>` in its request. */
export type Normalise = (value: unknown) => unknown;

const CONTRACTS = new Set(
  [
    ...Object.values(NETWORKS).map(({ usdc }) => usdc.address),
    ...KNOWN_TOKENS.map(({ address }) => address),
    "0x8004A818BFB912233c491871b3d84c89A494BD9e",
  ].map((address) => address.toLowerCase()),
);

/** Patterns of texts, in order. A numbered placeholder identifies equal values of one exchange. */
const PATTERNS: readonly (readonly [pattern: RegExp, kind: string, isNumbered: boolean])[] = [
  [/eyJ[\w-]+\.[\w-]*\.[\w-]+(?:~[\w-]*)+(?:\.[\w-]+)*(?:~[\w-]*)*/g, "sd-jwt", true],
  [/eyJ[\w-]+\.[\w-]*\.[\w-]+/g, "jwt", true],
  [/eyJ[A-Za-z0-9+/]{60,}={0,2}/g, "base64-json", true],
  [/whsec_[A-Za-z0-9+/]{40,}=*/g, "whsec", true],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "uuid", true],
  [/0x[0-9a-f]{130}\b/gi, "signature", true],
  [/0x[0-9a-f]{64}\b/gi, "bytes32", true],
  [/0x[0-9a-f]{40}\b/gi, "address", true],
  [/\b[0-9a-f]{64}\b/g, "sha256", true],
  [/\bfo_[\w-]{22}(?![\w-])/g, "fo", true],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, "time", false],
  [/\b[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}\b/g, "user-code", true],
  [/(?<=Retry in )\d+(?= s\b)/g, "seconds", false],
  // Credentials, the left part of a Message-ID, and 32 bytes such as an authorization code.
  [/(?<=^Basic )[\w+/]{40,}=*/g, "base64", true],
  [/\b[0-9a-f]{36}(?=@)/g, "hex", true],
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, "base64url", true],
];

/** Members whose numbers differ between runs, with the form of their value. */
const NUMBERS: Readonly<Record<string, string>> = {
  iat: "epoch",
  client_id_issued_at: "epoch",
  exp: "epoch",
  expires_in: "seconds",
  "retry-after": "seconds",
  "ratelimit-reset": "seconds",
  validAfter: "epoch",
  validBefore: "epoch",
  deadline: "epoch",
};

/** Opaque members, whose form is not part of the contract. */
const OPAQUE = new Set(["cursor", "nextCursor", "after", "x-payment-response", "request_id"]);

/**
 * Creates the conversion for one exchange.
 * @param hosts names of the origins that listen on loopback, by `host:port`
 * @param volatile further members whose values differ between runs, such as prices of a market
 */
export function createNormalise(hosts: ReadonlyMap<string, string>, volatile: readonly string[] = []): Normalise {
  const numbered = new Map<string, string>();
  const counts = new Map<string, number>();
  const placeholder = (kind: string, value: string): string => {
    const known = numbered.get(`${kind} ${value}`);
    if (known) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    numbered.set(`${kind} ${value}`, `<${kind}:${count}>`);
    return `<${kind}:${count}>`;
  };

  function normaliseText(text: string): string {
    let replaced = text
      .replaceAll(/\bsatchel_([a-z]{2,3})_[0-9A-Za-z_-]{20,}/g, (token, kind) => placeholder(`satchel_${kind}`, token))
      .replaceAll(/\b([a-z]{2,4})_(\d{10}|\d{13})_\w{6,}/g, (id, kind) => placeholder(kind, id))
      .replaceAll(/(?:127\.0\.0\.1|localhost)(?::|%3A)(\d{4,5})/g, (host, port) =>
        hosts.has(port) ? `<${hosts.get(port)}>` : placeholder("host", host),
      );
    for (const [pattern, kind, isNumbered] of PATTERNS) {
      replaced = replaced.replaceAll(pattern, (found) => {
        if (kind === "address" && CONTRACTS.has(found.toLowerCase())) return found;
        return isNumbered ? placeholder(kind, found) : `<${kind}>`;
      });
    }
    return replaced;
  }

  function normaliseMember(name: string, value: unknown): unknown {
    if (value === null || typeof value === "boolean") return value;
    if (typeof value !== "object") {
      const form = NUMBERS[name];
      if (form && /^\d+$/.test(String(value))) return `<${typeof value === "string" ? "text of " : ""}${form}>`;
      if (OPAQUE.has(name) && typeof value === "string") return value === "" ? value : placeholder(name, value);
      if (volatile.includes(name)) return `<${typeof value}: ${/^\d+$/.test(String(value)) ? "digits" : "decimal"}>`;
    }
    return normalise(value);
  }

  function normalise(value: unknown): unknown {
    if (typeof value === "string") return normaliseText(value);
    if (Array.isArray(value)) return value.map(normalise);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [normaliseText(name), normaliseMember(name, inner)]),
    );
  }
  return normalise;
}
