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

/** One page of a Relay connection. `shown` contains its rows. */
export interface PagedList<Node, Data = unknown> extends Reading<readonly Node[], Data> {
  readonly pages: ReturnType<typeof usePages>;
  readonly pageInfo: PageInfo | undefined;
}

/**
 * Queries a list page by page. Call `pages.reset()` when the variables change.
 * @param variables variables of the document, except those of the page
 * @param version the list is queried again when it changes
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
  const pageVariables = { ...variables, first: size, after: pages.after } as unknown as Variables;
  const reading = useReading({ query, variables: pageVariables }, (data) => pick(data) ?? undefined, version);
  return { ...reading, shown: reading.shown?.edges.map(({ node }) => node), pages, pageInfo: reading.shown?.pageInfo };
}

/** List with its error, loading and empty states, and a pager below. */
export function ListOf<Row>({
  list,
  awaited,
  empty,
  children,
}: {
  readonly list: Reading<readonly Row[]> & Partial<Pick<PagedList<Row>, "pages" | "pageInfo">>;
  /** Number and size of the skeleton rows shown while loading. */
  readonly awaited: { readonly count: number; readonly className?: string };
  /** Text of the empty state: what will appear and how to make it appear. */
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
