import { useEffect } from "react";
import { useQuery } from "urql";
import { Link } from "wouter";
import type { PageProps } from "../../app/page-props.ts";
import { PATHS } from "../../app/paths.ts";
import { FailureNotice } from "../../components/notice.tsx";
import { PageTitle } from "../../components/page-title.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { MailThreadDocument, type MailThreadQuery, MarkMailReadDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { nodesOf } from "../../graphql/nodes.ts";
import { transportFailure, useOperation } from "../../graphql/use-operation.ts";
import { Message } from "./message.tsx";
import { Reply } from "./reply.tsx";
import { useMailUpdates } from "./use-mail-updates.ts";

/** Maximum number of messages shown. Longer threads show the newest. */
const MAX_MESSAGES = 40;

type ShownMailbox = NonNullable<NonNullable<MailThreadQuery["viewer"]>["mailbox"]>;
type Thread = NonNullable<MailThreadQuery["mailThread"]>;

/** One thread with live updates, oldest message first, and the reply form. */
export default function ThreadPage({ params: { threadId = "" } }: PageProps) {
  const [{ data, error, fetching }, refresh] = useQuery({
    query: MailThreadDocument,
    variables: { threadId, last: MAX_MESSAGES },
    requestPolicy: "cache-and-network",
  });
  const again = () => refresh({ requestPolicy: "network-only" });
  useMailUpdates((threadIds) => (threadIds.size === 0 || threadIds.has(threadId)) && again());
  const mailbox = data?.viewer?.mailbox;
  const thread = data?.mailThread;
  if (mailbox && thread) return <ShownThread mailbox={mailbox} thread={thread} onChanged={again} />;
  if (error && !data && !isSignedOut(error)) {
    return (
      <>
        <PageTitle>Mail</PageTitle>
        <FailureNotice failure={transportFailure(error)} onRetry={again} />
      </>
    );
  }
  if (fetching || !data) return <PageSkeleton />;
  return (
    <>
      <PageTitle>Thread not found</PageTitle>
      <p className="mt-2">
        Its messages were deleted or are older than 30 days. <BackToMail />
      </p>
    </>
  );
}

function BackToMail() {
  return (
    <Link href={PATHS.mail} className="text-small text-leather underline underline-offset-3">
      Inbox
    </Link>
  );
}

function ShownThread({
  mailbox,
  thread,
  onChanged,
}: {
  readonly mailbox: ShownMailbox;
  readonly thread: Thread;
  readonly onChanged: () => void;
}) {
  const messages = nodesOf(thread.messages);
  useMarkAsRead(messages);
  const last = messages.at(-1);
  const replyTarget = messages.findLast(({ direction }) => direction === "INBOUND") ?? last;
  const hidden = thread.messageCount - messages.length;
  return (
    <>
      <BackToMail />
      <PageTitle>{thread.subject || "No subject"}</PageTitle>
      {hidden > 0 && (
        <p className="mt-1 text-muted">
          The newest {MAX_MESSAGES} messages are shown. Earlier messages: {hidden}.
        </p>
      )}
      <ol aria-label="Messages, oldest first" className="mt-6 grid gap-4">
        {messages.map((message) => (
          <Message
            key={message.id}
            message={message}
            ownAddress={mailbox.address}
            isOpenAtFirst={message === last || message.id === replyTarget?.id || !message.isRead}
            onChanged={onChanged}
          />
        ))}
      </ol>
      {mailbox.isActive && replyTarget && (
        <Reply key={replyTarget.id} message={replyTarget} ownAddress={mailbox.address} onSent={onChanged} />
      )}
    </>
  );
}

/** Marks displayed messages as read. A message that the user marks as unread remains so until the thread is opened again. */
function useMarkAsRead(messages: readonly { readonly messageId: string; readonly isRead: boolean }[]) {
  const { run } = useOperation(MarkMailReadDocument);
  const ids = messages.map(({ messageId }) => messageId).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: marks a message once when it arrives, not when it changes
  useEffect(() => {
    const unread = messages.filter(({ isRead }) => !isRead).map(({ messageId }) => messageId);
    if (unread.length > 0) void run({ input: { messageIds: unread, isRead: true } });
  }, [ids, run]);
}
