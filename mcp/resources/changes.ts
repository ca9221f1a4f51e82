/** Changes of resources on a stream of `subscriptions/listen` (revision 2026-07-28), from the subscriptions of GraphQL. */
import type { ServerResponse } from "node:http";
import type { ServerNotifier } from "@modelcontextprotocol/server";
import { LRUCache } from "lru-cache";
import type { SubscriptionListener } from "../../src/platform/graphql/open-subscriptions.ts";
import type { ResourceEntry } from "./kinds.ts";
import { formatUri, parseUri } from "./uri.ts";

/** URIs that one stream may watch. */
export const MAX_WATCHED_URIS = 200;
/** Ids of objects that a stream stores as known. An evicted one is reported as new again, and the client lists again. */
const MAX_KNOWN_OBJECTS = 1_000;
/** Difference between the clocks of the nodes and the database. */
const CLOCK_SKEW_MS = 5_000;

/** The parameters of `subscriptions/listen`. */
interface Filter {
  readonly resourcesListChanged?: unknown;
  readonly resourceSubscriptions?: unknown;
}

/** What a stream watches. */
export interface Watched {
  /** The kinds whose changes can be on the stream. */
  readonly entries: readonly ResourceEntry[];
  /** The filter without resources that the caller may not read. The acknowledgement states it. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly uriCount: number;
}

/** Reads the filter of a stream. A malformed filter remains unchanged, for the SDK to reject. */
export function readWatched(filter: Filter, readable: readonly ResourceEntry[]): Watched {
  const { resourceSubscriptions: given, resourcesListChanged } = filter;
  if (given !== undefined && !(Array.isArray(given) && given.every((uri) => typeof uri === "string"))) {
    return { entries: [], filter: { ...filter }, uriCount: 0 };
  }
  const uris = new Set<string>((given ?? []).filter((uri: string) => isWatchable(uri, readable)));
  const named = new Set([...uris].map((uri) => parseUri(uri)?.name));
  return {
    entries: readable.filter(({ kind }) => resourcesListChanged === true || named.has(kind.name)),
    filter: { ...filter, ...(given === undefined ? {} : { resourceSubscriptions: [...uris] }) },
    uriCount: uris.size,
  };
}

/** Returns whether the URI is the one that notifications have: of a list or an object, without parameters. */
function isWatchable(text: string, readable: readonly ResourceEntry[]): boolean {
  const uri = parseUri(text);
  const isReadable = readable.some(({ kind }) => kind.name === uri?.name);
  return uri !== null && isReadable && formatUri(uri.name, uri.id) === text;
}

/**
 * Creates the listener that writes changes to a stream. While the client reads slowly, notifications of one resource become one, so
 * that the backlog is limited.
 * @param end ends the stream; the client then subscribes and reads again
 */
export function createChangeListener(
  entries: readonly ResourceEntry[],
  notify: ServerNotifier,
  response: ServerResponse,
  end: () => void,
): SubscriptionListener {
  const openedAtMs = Date.now();
  const known = new LRUCache<string, true>({ max: MAX_KNOWN_OBJECTS });
  const delayed = new Map<string, () => void>();
  const send = (key: string, write: () => void) => {
    if (!response.writableNeedDrain) return write();
    if (delayed.size === 0) response.once("drain", flush);
    delayed.set(key, write);
  };
  const flush = () => {
    const writes = [...delayed.values()];
    delayed.clear();
    for (const write of writes) write();
  };
  return {
    onResult({ data, errors }, index) {
      const kind = entries[index]?.kind;
      // The caller may have lost the scope.
      if (!kind || errors || !data) return end();
      const changed = kind.readChange(data);
      if (!changed) return;
      const { id, createdAt } = changed;
      for (const uri of [formatUri(kind.name, id), formatUri(kind.name)]) {
        send(uri, () => notify.resourceUpdated(uri));
      }
      if (known.has(id) || Date.parse(createdAt) < openedAtMs - CLOCK_SKEW_MS) return;
      known.set(id, true);
      send("list", () => notify.resourcesChanged());
    },
    onEnd: end,
  };
}
