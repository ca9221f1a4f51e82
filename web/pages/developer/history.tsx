import { Time } from "../../components/time.tsx";
import type { ClientHistoryFragment, OAuthClientDetailsFragment } from "../../generated/graphql.ts";
import { nodesOf } from "../../graphql/nodes.ts";
import { ClientStatusBadge } from "./client-status.tsx";

/** An app with its history. */
export type ClientWithHistory = OAuthClientDetailsFragment & {
  readonly reviews: ClientHistoryFragment | null;
};

/** Status changes of an app, oldest first. */
export function History({ reviews }: { readonly reviews: ClientHistoryFragment | null }) {
  return (
    <ol className="divide-y divide-line border-y border-line">
      {nodesOf(reviews).map((entry) => (
        <li key={`${entry.createdAt} ${entry.toStatus}`} className="flex flex-wrap justify-between gap-x-6 py-2.5">
          <span className="min-w-0">
            {entry.fromStatus === entry.toStatus ? "URLs changed" : <ClientStatusBadge status={entry.toStatus} />}
            {entry.reason && <span className="block text-small break-words whitespace-pre-line">{entry.reason}</span>}
          </span>
          <span className="text-small text-muted">
            <Time at={entry.createdAt} />
          </span>
        </li>
      ))}
    </ol>
  );
}
