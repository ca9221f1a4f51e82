import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/dialog.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  DeleteMailDocument,
  type MailMessageViewFragment,
  MarkMailReadDocument,
  SetMailRuleDocument,
} from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

type Confirmation = "delete" | "block" | null;

/** Actions on one message, apart from replying. */
export function MessageActions({
  message: { messageId, direction, from, status, rawUrl },
  onChanged,
}: {
  readonly message: MailMessageViewFragment;
  readonly onChanged: () => void;
}) {
  const [confirmation, setConfirmation] = useState<Confirmation>(null);
  const toast = useToast();
  const mark = useOperation(MarkMailReadDocument);
  const remove = useOperation(DeleteMailDocument);
  const block = useOperation(SetMailRuleDocument);
  async function markUnread() {
    const { value } = await mark.run({ input: { messageIds: [messageId], isRead: false } });
    if (value) toast("Marked as unread.");
  }
  async function deleteMessage() {
    const { value } = await remove.run({ input: { messageIds: [messageId] } });
    setConfirmation(null);
    if (!value) return;
    toast("Message deleted.");
    onChanged();
  }
  async function blockSender() {
    const { value } = await block.run({ input: { action: "BLOCK", pattern: from } });
    setConfirmation(null);
    if (value) toast(`${from} is blocked. Its messages are rejected from now on.`);
  }
  return (
    <div className="border-t border-line pt-2">
      <div className="flex flex-wrap gap-x-5">
        {direction === "INBOUND" && (
          <>
            <Button look="quiet" size="small" isBusy={mark.isRunning} onClick={() => void markUnread()}>
              Mark as unread
            </Button>
            <Button look="quiet" size="small" onClick={() => setConfirmation("block")}>
              Block sender
            </Button>
            {rawUrl && (
              <a
                href={`/api/agent/email/messages/${messageId}/raw`}
                download={`${messageId}.eml`}
                className="inline-flex min-h-8 items-center text-small text-leather underline underline-offset-3"
              >
                Download original
              </a>
            )}
          </>
        )}
        {status !== "QUEUED" && (
          <Button look="quiet" size="small" onClick={() => setConfirmation("delete")}>
            Delete
          </Button>
        )}
      </div>
      <FailureNotice failure={mark.failure ?? remove.failure ?? block.failure} />
      <ConfirmDialog
        title="Delete this message?"
        description="The message and its attachments are deleted permanently. Other messages in the thread remain."
        confirmText="Delete message"
        isOpen={confirmation === "delete"}
        isBusy={remove.isRunning}
        onClose={() => setConfirmation(null)}
        onConfirm={() => void deleteMessage()}
      />
      <ConfirmDialog
        title={`Block ${from}?`}
        description="Messages from this address are rejected from now on. Existing messages remain."
        confirmText="Block sender"
        isOpen={confirmation === "block"}
        isBusy={block.isRunning}
        onClose={() => setConfirmation(null)}
        onConfirm={() => void blockSender()}
      />
    </div>
  );
}
