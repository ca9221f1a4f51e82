import { useQuery } from "urql";
import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { Button } from "../../components/button.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import { DiscardMailDraftDocument, type MailDraftRowFragment, MailDraftsDocument } from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure, useOperation } from "../../graphql/use-operation.ts";

const PAGE_SIZE = 20;

/** Letters that were begun, by the person or by the agent. */
export function Drafts() {
  const pages = usePages();
  const [{ data, error }, refresh] = useQuery({
    query: MailDraftsDocument,
    variables: { first: PAGE_SIZE, after: pages.after },
    requestPolicy: "cache-and-network",
  });
  const drafts = data?.viewer?.mailbox?.drafts;
  const failure = error && !drafts && !isSignedOut(error) ? transportFailure(error) : null;
  const again = () => refresh({ requestPolicy: "network-only" });
  return (
    <section aria-label="Drafts">
      <FailureNotice failure={failure} onRetry={again} />
      {!drafts && !failure && <SkeletonRows count={2} className="h-16" />}
      {drafts?.edges.length === 0 && <Empty>No letter was begun and left.</Empty>}
      {drafts && drafts.edges.length > 0 && (
        <ul className="divide-y divide-line border-y border-line">
          {drafts.edges.map(({ node }) => (
            <DraftEntry key={node.id} draft={node} onDiscarded={again} />
          ))}
        </ul>
      )}
      <Pager pages={pages} pageInfo={drafts?.pageInfo} />
    </section>
  );
}

function DraftEntry({
  draft,
  onDiscarded,
}: {
  readonly draft: MailDraftRowFragment;
  readonly onDiscarded: () => void;
}) {
  const toast = useToast();
  const discard = useOperation(DiscardMailDraftDocument);
  const title = draft.subject || "Without a subject";
  async function throwAway() {
    const { error } = await discard.run({ input: { draftId: draft.draftId } });
    if (error) return;
    toast("The draft is gone.");
    onDiscarded();
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-2 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <Link
          href={`${PATHS.newMail}?${new URLSearchParams({ draft: draft.id })}`}
          className="block truncate text-leather underline underline-offset-3"
        >
          {title}
        </Link>
        <p className="truncate text-small text-muted">
          {draft.to.length > 0 ? `To ${draft.to.join(", ")}` : "To nobody yet"}
          {draft.answersMessageId && ", an answer"}
        </p>
        <FailureNotice failure={discard.failure} />
      </div>
      <span className="text-small text-muted">
        <Time at={String(draft.updatedAt)} />
      </span>
      <Button
        look="quiet"
        size="small"
        isBusy={discard.isRunning}
        aria-label={`Throw away ${title}`}
        onClick={() => void throwAway()}
      >
        Throw away
      </Button>
    </li>
  );
}
