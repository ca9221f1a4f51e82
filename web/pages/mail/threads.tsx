import { useDeferredValue, useState } from "react";
import { Checkbox, TextField } from "../../components/field.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { MailThreadsDocument } from "../../generated/graphql.ts";
import { ThreadEntry } from "./thread-entry.tsx";

/** Threads of the mailbox, newest first, filtered by the search text as the user types. */
export function Threads({ version }: { readonly version: number }) {
  const [typed, setTyped] = useState("");
  const [isUnread, setIsUnread] = useState(false);
  const q = useDeferredValue(typed).trim();
  const filter = { ...(q ? { q } : {}), ...(isUnread ? { isUnread: true } : {}) };
  const list = usePagedList(MailThreadsDocument, { filter }, ({ viewer }) => viewer?.mailbox?.threads, { version });
  const { pages } = list;
  return (
    <section aria-label="Threads">
      <search className="mb-4 flex flex-wrap items-end gap-x-6 gap-y-2">
        <div className="min-w-0 flex-1 basis-64 sm:max-w-md">
          <TextField
            type="search"
            label="Search"
            placeholder="Text, name or address"
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
          label="Unread only"
          className="mb-1.5"
          checked={isUnread}
          onChange={({ target }) => {
            pages.reset();
            setIsUnread(target.checked);
          }}
        />
      </search>
      <ListOf
        list={list}
        awaited={{ count: 4, className: "h-20" }}
        empty={
          q || isUnread
            ? "No matching messages."
            : "No messages yet. Messages to the agent's address appear here automatically."
        }
      >
        {(rows) => (
          <ul aria-busy={list.isStale} className="divide-y divide-line border-y border-line">
            {rows.map((row) => (
              <ThreadEntry key={row.id} thread={row} ownAddress={list.data?.viewer?.mailbox?.address ?? ""} />
            ))}
          </ul>
        )}
      </ListOf>
    </section>
  );
}
