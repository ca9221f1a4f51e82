/** What a client takes, from its Accept header. */
export type Accepted = {
  /** The JSON media type to answer in, or null when none is acceptable. */
  json: "application/graphql-response+json" | "application/json" | null;
  /** Whether it takes an event stream. */
  eventStream: boolean;
};

const MAX_REMEMBERED = 100;
const remembered = new Map<string, Accepted>();

/**
 * Reads an Accept header: the JSON type it wants most (RFC 9110, section 12.4.2), of several the first. Without one, or
 * when anything will do, the answer is `application/json`, which every client reads.
 */
export function readAccept(header: string | undefined): Accepted {
  const text = header ?? "*/*";
  const known = remembered.get(text);
  if (known) return known;
  const accepted: Accepted = { json: null, eventStream: false };
  let wanted = 0;
  for (const part of text.toLowerCase().split(",")) {
    const [type = "", ...params] = part.split(";").map((piece) => piece.trim());
    const weight = weightOf(params);
    if (weight === 0) continue;
    if (type === "text/event-stream") accepted.eventStream = true;
    const json = jsonTypeOf(type);
    if (json === null || weight <= wanted) continue;
    accepted.json = json;
    wanted = weight;
  }
  if (remembered.size < MAX_REMEMBERED) remembered.set(text, accepted);
  return accepted;
}

/** From 0 to 1; 1 where there is none, or none that can be read. */
function weightOf(params: readonly string[]): number {
  const given = params.find((param) => param.startsWith("q="))?.slice(2) ?? "";
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(given) ? Number(given) : 1;
}

function jsonTypeOf(type: string): Accepted["json"] {
  if (type === "application/graphql-response+json") return type;
  return type === "application/json" || type === "application/*" || type === "*/*" ? "application/json" : null;
}
