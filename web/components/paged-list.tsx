import type { ReactNode } from "react";
import type { TypedDocumentNode } from "urql";
import { type Reading, useReading } from "../graphql/use-reading.ts";
import { Empty, FailureNotice } from "./notice.tsx";
import { type PageInfo, Pager, usePages } from "./pager.tsx";
import { SkeletonRows } from "./skeleton.tsx";

interface Connection<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: PageInfo;
}
type PageVariables = "first" | "after";

/** A page of a Relay connection, `shown` as its rows. */
export interface PagedList<Node, Data = unknown> extends Reading<readonly Node[], Data> {
  readonly pages: ReturnType<typeof usePages>;
  readonly pageInfo: PageInfo | undefined;
}

/**
 * A list, read page by page; `pages.reset()` whenever what is asked for changes.
 * @param variables of the document, but for the page's own
 * @param version asked for again whenever it changes
 */
export function usePagedList<
  Data,
  Variables extends { readonly first: number; readonly after?: string | null | undefined },
  Node,
>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables, PageVariables>,
  pick: (data: Data) => Connection<Node> | null | undefined,
  { size = 20, version = 0 }: { readonly size?: number; readonly version?: number } = {},
): PagedList<Node, Data> {
  const pages = usePages();
  const asked = { ...variables, first: size, after: pages.after } as unknown as Variables;
  const reading = useReading({ query, variables: asked }, (data) => pick(data) ?? undefined, version);
  return { ...reading, shown: reading.shown?.edges.map(({ node }) => node), pages, pageInfo: reading.shown?.pageInfo };
}

/** The rows, or what stands in their place: what went wrong, rows on their way, why there are none. Below it the other pages. */
export function ListOf<Row>({
  list,
  awaited,
  empty,
  children,
}: {
  readonly list: Reading<readonly Row[]> & Partial<Pick<PagedList<Row>, "pages" | "pageInfo">>;
  /** The size of what is on its way. */
  readonly awaited: { readonly count: number; readonly className?: string };
  /** What would be here, and how it gets here. */
  readonly empty: ReactNode;
  readonly children: (rows: readonly Row[]) => ReactNode;
}) {
  const { shown, failure, again, pages, pageInfo } = list;
  return (
    <>
      <FailureNotice failure={failure} onRetry={again} />
      {!shown && !failure && <SkeletonRows {...awaited} />}
      {shown?.length === 0 && <Empty>{empty}</Empty>}
      {shown && shown.length > 0 && children(shown)}
      {pages && <Pager pages={pages} pageInfo={pageInfo} />}
    </>
  );
}
