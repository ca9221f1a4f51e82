/** The response formats that a client's Accept header allows. */
export type Accepted = {
  /** JSON media type of the response; null if none is acceptable. */
  json: "application/graphql-response+json" | "application/json" | null;
  /** Whether the client accepts an event stream. */
  eventStream: boolean;
};

const MAX_CACHED = 100;
const cache = new Map<string, Accepted>();

/**
 * Parses an Accept header. Chooses the JSON type with the highest weight (RFC 9110, section 12.4.2), the first of equals. An
 * absent header or a wildcard means `application/json`, which every client supports.
 */
export function readAccept(header: string | undefined): Accepted {
  const text = header ?? "*/*";
  const cached = cache.get(text);
  if (cached) return cached;
  const accepted: Accepted = { json: null, eventStream: false };
  let bestWeight = 0;
  for (const part of text.toLowerCase().split(",")) {
    const [type = "", ...params] = part.split(";").map((piece) => piece.trim());
    const weight = weightOf(params);
    if (weight === 0) continue;
    if (type === "text/event-stream") accepted.eventStream = true;
    const json = jsonTypeOf(type);
    if (json === null || weight <= bestWeight) continue;
    accepted.json = json;
    bestWeight = weight;
  }
  if (cache.size < MAX_CACHED) cache.set(text, accepted);
  return accepted;
}

/** Returns the `q` parameter, from 0 to 1; 1 if it is absent or malformed. */
function weightOf(params: readonly string[]): number {
  const given = params.find((param) => param.startsWith("q="))?.slice(2) ?? "";
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given) : 1;
}

function jsonTypeOf(type: string): Accepted["json"] {
  if (type === "application/graphql-response+json") return type;
  return type === "application/json" || type === "application/*" || type === "*/*" ? "application/json" : null;
}
