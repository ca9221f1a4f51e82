import { useDeferredValue, useEffect, useState } from "react";
import { useQuery } from "urql";
import { Checkbox, TextField } from "../../components/field.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { MailThreadsDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure } from "../../graphql/use-operation.ts";
import { ThreadEntry } from "./thread-entry.tsx";

const PAGE_SIZE = 20;

/** The mailbox's threads, the newest first; what is looked for narrows them while it is typed. */
export function Threads({ version }: { readonly version: number }) {
  const [typed, setTyped] = useState("");
  const [isUnread, setIsUnread] = useState(false);
  const q = useDeferredValue(typed).trim();
  const pages = usePages();
  const [{ data, error, stale }, refresh] = useQuery({
    query: MailThreadsDocument,
    variables: {
      filter: { ...(q ? { q } : {}), ...(isUnread ? { unread: true } : {}) },
      first: PAGE_SIZE,
      after: pages.after,
    },
    requestPolicy: "cache-and-network",
  });
  useEffect(() => {
    if (version > 0) refresh({ requestPolicy: "network-only" });
  }, [version, refresh]);
  const mailbox = data?.viewer?.mailbox;
  const failure = error && !mailbox && !isSignedOut(error) ? transportFailure(error) : null;
  const rows = mailbox?.threads.edges.map(({ node }) => node);
  return (
    <section aria-label="Letters">
      <search className="mb-4 flex flex-wrap items-end gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-64 sm:max-w-md">
          <TextField
            type="search"
            label="Search"
            placeholder="Words, a name, an address"
            maxLength={200}
            autoComplete="off"
            value={typed}
            onChange={({ target }) => {
              pages.reset();
              setTyped(target.value);
            }}
          />
        </div>
        <Checkbox
          label="Not read yet"
          className="mb-1.5"
          checked={isUnread}
          onChange={({ target }) => {
            pages.reset();
            setIsUnread(target.checked);
          }}
        />
      </search>
      <FailureNotice failure={failure} onRetry={() => refresh({ requestPolicy: "network-only" })} />
      {!rows && !failure && <SkeletonRows count={4} className="h-20" />}
      {rows?.length === 0 && (
        <Empty>
          {q || isUnread
            ? "No letter is like that."
            : "Nothing has come yet. A letter to this address appears here by itself."}
        </Empty>
      )}
      {mailbox && rows && rows.length > 0 && (
        <ul aria-busy={stale} className="divide-y divide-line border-y border-line">
          {rows.map((row) => (
            <ThreadEntry key={row.id} thread={row} own={mailbox.address} />
          ))}
        </ul>
      )}
      <Pager pages={pages} pageInfo={mailbox?.threads.pageInfo} />
    </section>
  );
}
