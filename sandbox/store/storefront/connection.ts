/** A Relay connection. Cursors are positions. */
export interface Connection<Node> {
  nodes: Node[];
  edges: { node: Node; cursor: string }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
  totalCount: number;
}

const MAX_PAGE_SIZE = 250;

/** Returns a page of items. @throws Error with the Storefront API's message if `first` is missing or out of range */
export function connection<Node>(
  items: Node[],
  args: { first?: number | null; after?: string | null },
): Connection<Node> {
  const { first, after } = args;
  if (first == null) throw new Error("you must provide one of first or last");
  if (first < 0 || first > MAX_PAGE_SIZE) throw new Error(`first must be between 0 and ${MAX_PAGE_SIZE}`);
  const start = after ? Number(Buffer.from(after, "base64url").toString()) || 0 : 0;
  const nodes = items.slice(start, start + first);
  const edges = nodes.map((node, index) => ({
    node,
    cursor: Buffer.from(String(start + index + 1)).toString("base64url"),
  }));
  return {
    nodes,
    edges,
    pageInfo: { hasNextPage: start + first < items.length, endCursor: edges.at(-1)?.cursor ?? null },
    totalCount: items.length,
  };
}
