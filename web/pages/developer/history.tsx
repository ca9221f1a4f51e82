import { Time } from "../../components/time.tsx";
import type { OAuthClientDetailsFragment } from "../../generated/graphql.ts";
import { ClientStatusBadge } from "./client-status.tsx";

type Entry = OAuthClientDetailsFragment["reviews"][number];

/** Status changes of an app, oldest first. */
export function History({ reviews }: { readonly reviews: readonly Entry[] }) {
  return (
    <ol className="divide-y divide-line border-y border-line">
      {reviews.map((entry) => (
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
