import { Link } from "wouter";
import { Badge } from "../../components/badge.tsx";
import { Time } from "../../components/time.tsx";
import type { MailThreadRowFragment } from "../../generated/graphql.ts";
import { AUTOMATIONS, STATUSES, threadPath } from "./mail-labels.ts";
import { VerdictBadge } from "./sender-check.tsx";

/** Thread in the inbox: participants, subject, preview of the last message and warnings. */
export function ThreadEntry({
  thread,
  ownAddress,
}: {
  readonly thread: MailThreadRowFragment;
  readonly ownAddress: string;
}) {
  const { subject, lastMessage, lastMessageAt, messageCount, unreadCount } = thread;
  const isNew = unreadCount > 0;
  const files = lastMessage?.attachments.filter(({ isInline }) => !isInline).length ?? 0;
  const state = lastMessage && STATUSES[lastMessage.status];
  const verdict = lastMessage?.authentication?.verdict;
  return (
    <li>
      <Link
        href={threadPath(thread.threadId)}
        className={`grid gap-x-4 gap-y-0.5 px-2 py-3 hover:bg-soft sm:grid-cols-[minmax(0,13rem)_minmax(0,1fr)_auto] ${isNew ? "border-l-3 border-leather" : "border-l-3 border-transparent"}`}
      >
        <span className={`flex min-w-0 items-baseline gap-2 ${isNew ? "font-semibold" : ""}`}>
          <span className="truncate">{participantNames(thread, ownAddress)}</span>
          {messageCount > 1 && (
            <span className="figures text-small font-normal text-muted">
              {messageCount}
              <span className="sr-only"> messages</span>
            </span>
          )}
        </span>
        <span className="min-w-0">
          <span className={`block truncate ${isNew ? "font-semibold" : ""}`}>
            {subject || "No subject"}
            {isNew && <span className="sr-only">, {unreadCount} unread</span>}
          </span>
          <span className="block truncate text-small text-muted">
            {lastMessage?.direction === "OUTBOUND" && "You: "}
            {lastMessage?.preview || "No text"}
          </span>
        </span>
        <span className="flex flex-wrap items-center gap-x-3 text-small text-muted max-sm:mt-1 sm:flex-col sm:items-end">
          <Time at={String(lastMessageAt)} />
          {verdict === "SUSPICIOUS" && <VerdictBadge verdict={verdict} />}
          {state && <Badge tone={state.tone}>{state.text}</Badge>}
          {lastMessage?.automated && <span>{AUTOMATIONS[lastMessage.automated]}</span>}
          {files > 0 && <span>{files === 1 ? "1 file" : `${files} files`}</span>}
        </span>
      </Link>
    </li>
  );
}

/** Returns the names of the other participants, or the recipients if only the agent wrote. */
function participantNames({ participants, lastMessage }: MailThreadRowFragment, ownAddress: string): string {
  const others = participants.filter(({ address }) => address !== ownAddress);
  if (others.length > 0) return others.map(({ address, name }) => name || address).join(", ");
  return `To ${lastMessage?.to.join(", ") || "undisclosed recipients"}`;
}
