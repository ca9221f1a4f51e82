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
import { transportFailure, useOperation } from "../../graphql/use-operation.ts";
import { Message } from "./message.tsx";
import { Reply } from "./reply.tsx";
import { useMailUpdates } from "./use-mail-updates.ts";

/** Longer threads show their newest letters. */
const SHOWN = 40;

type ShownMailbox = NonNullable<NonNullable<MailThreadQuery["viewer"]>["mailbox"]>;
type Thread = NonNullable<ShownMailbox["thread"]>;

/** One thread, oldest letter first, with new ones as they come, and the way to answer. */
export default function ThreadPage({ params: { threadId = "" } }: PageProps) {
  const [{ data, error, fetching }, refresh] = useQuery({
    query: MailThreadDocument,
    variables: { threadId, last: SHOWN },
    requestPolicy: "cache-and-network",
  });
  const again = () => refresh({ requestPolicy: "network-only" });
  useMailUpdates((threadIds) => (threadIds.size === 0 || threadIds.has(threadId)) && again());
  const mailbox = data?.viewer?.mailbox;
  if (mailbox?.thread) return <ShownThread mailbox={mailbox} thread={mailbox.thread} onChanged={again} />;
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
      <PageTitle>There is no such thread</PageTitle>
      <p className="mt-2">
        Its letters were deleted, or came more than 30 days ago. <BackToMail />
      </p>
    </>
  );
}

function BackToMail() {
  return (
    <Link href={PATHS.mail} className="text-small text-leather underline underline-offset-3">
      All letters
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
  const messages = thread.messages.edges.map(({ node }) => node);
  useMarkedRead(messages);
  const last = messages.at(-1);
  const answered = messages.findLast(({ direction }) => direction === "inbound") ?? last;
  const hidden = thread.messageCount - messages.length;
  return (
    <>
      <BackToMail />
      <PageTitle>{thread.subject || "Without a subject"}</PageTitle>
      {hidden > 0 && (
        <p className="mt-1 text-muted">
          The newest {SHOWN} letters; earlier ones: {hidden}.
        </p>
      )}
      <ol aria-label="Letters, oldest first" className="mt-6 grid gap-4">
        {messages.map((message) => (
          <Message
            key={message.id}
            message={message}
            own={mailbox.address}
            isOpenAtFirst={message === last || message.id === answered?.id || !message.isRead}
            onChanged={onChanged}
          />
        ))}
      </ol>
      {mailbox.isActive && answered && (
        <Reply key={answered.id} message={answered} own={mailbox.address} onSent={onChanged} />
      )}
    </>
  );
}

/** What stands on the screen is read; a letter that was marked as not read by hand stays so until it is opened anew. */
function useMarkedRead(messages: readonly { readonly messageId: string; readonly isRead: boolean }[]) {
  const { run } = useOperation(MarkMailReadDocument);
  const ids = messages.map(({ messageId }) => messageId).join(" ");
  // biome-ignore lint/correctness/useExhaustiveDependencies: marked once for each letter that comes, not whenever one moves
  useEffect(() => {
    const unread = messages.filter(({ isRead }) => !isRead).map(({ messageId }) => messageId);
    if (unread.length > 0) void run({ input: { messageIds: unread, isRead: true } });
  }, [ids, run]);
}
