import { Link } from "wouter";
import { PATHS } from "../../app/paths.ts";
import { Button } from "../../components/button.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toasts.tsx";
import { DiscardMailDraftDocument, type MailDraftRowFragment, MailDraftsDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

/** List of drafts by the user or the agent. */
export function Drafts() {
  const list = usePagedList(MailDraftsDocument, {}, ({ viewer }) => viewer?.mailbox?.drafts);
  return (
    <section aria-label="Drafts">
      <ListOf
        list={list}
        awaited={{ count: 2, className: "h-16" }}
        empty="No drafts yet. Save a message as a draft to see it here."
      >
        {(drafts) => (
          <ul className="divide-y divide-line border-y border-line">
            {drafts.map((draft) => (
              <DraftEntry key={draft.id} draft={draft} onDiscarded={list.again} />
            ))}
          </ul>
        )}
      </ListOf>
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
  const title = draft.subject || "No subject";
  async function discardDraft() {
    const { error } = await discard.run({ input: { id: draft.draftId } });
    if (error) return;
    toast("Draft discarded.");
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
          {draft.to.length > 0 ? `To ${draft.to.join(", ")}` : "No recipient"}
          {draft.inReplyTo && ", a reply"}
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
        aria-label={`Discard ${title}`}
        onClick={() => void discardDraft()}
      >
        Discard
      </Button>
    </li>
  );
}
