import { useState } from "react";
import { Button } from "./button.tsx";

/** State of a pager over a Relay connection: the cursors of the pages before the current one. */
export function usePages() {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return {
    /** Value of the `after` argument. */
    after: cursors.at(-1) ?? null,
    isFirst: cursors.length === 0,
    older: (endCursor: string) => setCursors([...cursors, endCursor]),
    newer: () => setCursors(cursors.slice(0, -1)),
    reset: () => setCursors([]),
  };
}

export type PageInfo = { readonly hasNextPage: boolean; readonly endCursor?: string | null };

/** Buttons for newer and older pages. Renders nothing if there is only one page. */
export function Pager({
  pages,
  pageInfo,
}: {
  readonly pages: ReturnType<typeof usePages>;
  readonly pageInfo: PageInfo | undefined;
}) {
  const { hasNextPage = false, endCursor } = pageInfo ?? {};
  if (pages.isFirst && !hasNextPage) return null;
  return (
    <div className="mt-4 flex justify-between gap-3">
      <Button size="small" disabled={pages.isFirst} onClick={pages.newer}>
        Newer
      </Button>
      <Button size="small" disabled={!hasNextPage || !endCursor} onClick={() => endCursor && pages.older(endCursor)}>
        Older
      </Button>
    </div>
  );
}
