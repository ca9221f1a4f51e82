interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
}

/** Type of a connection's nodes. */
export type NodeOf<Of> = NonNullable<Of> extends Connection<infer Node> ? Node : never;

/** Returns the nodes of a connection; none if it failed to load. */
export function nodesOf<Node>(connection: Connection<Node> | null | undefined): Node[] {
  return connection?.edges.map(({ node }) => node) ?? [];
}
