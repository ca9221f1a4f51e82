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
 * Reads an Accept header: the first JSON type it names, as clients list them by preference. Without one, or when
 * anything will do, the answer is `application/json`, which every client reads.
 */
export function readAccept(header: string | undefined): Accepted {
  const text = header ?? "*/*";
  const known = remembered.get(text);
  if (known) return known;
  const accepted: Accepted = { json: null, eventStream: false };
  for (const part of text.toLowerCase().split(",")) {
    const [type = "", ...params] = part.split(";").map((piece) => piece.trim());
    if (params.some((param) => /^q=0(\.0*)?$/.test(param))) continue;
    if (type === "text/event-stream") accepted.eventStream = true;
    else if (type === "application/graphql-response+json") accepted.json ??= type;
    else if (type === "application/json" || type === "application/*" || type === "*/*") {
      accepted.json ??= "application/json";
    }
  }
  if (remembered.size < MAX_REMEMBERED) remembered.set(text, accepted);
  return accepted;
}
