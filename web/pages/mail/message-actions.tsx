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

type Asked = "delete" | "block" | null;

/** What can be done with one letter, besides answering. */
export function MessageActions({
  message: { messageId, direction, from, status },
  onChanged,
}: {
  readonly message: MailMessageViewFragment;
  readonly onChanged: () => void;
}) {
  const [asked, setAsked] = useState<Asked>(null);
  const toast = useToast();
  const mark = useOperation(MarkMailReadDocument);
  const remove = useOperation(DeleteMailDocument);
  const block = useOperation(SetMailRuleDocument);
  async function markUnread() {
    const { value } = await mark.run({ input: { messageIds: [messageId], isRead: false } });
    if (value) toast("Marked as not read.");
  }
  async function removeIt() {
    const { value } = await remove.run({ input: { messageIds: [messageId] } });
    setAsked(null);
    if (!value) return;
    toast("The letter is gone.");
    onChanged();
  }
  async function blockSender() {
    const { value } = await block.run({ input: { action: "block", pattern: from } });
    setAsked(null);
    if (value) toast(`${from} is blocked: its letters are refused from now on.`);
  }
  return (
    <div className="border-t border-line pt-2">
      <div className="flex flex-wrap gap-x-5">
        {direction === "inbound" && (
          <>
            <Button look="quiet" size="small" isBusy={mark.isRunning} onClick={() => void markUnread()}>
              Mark as not read
            </Button>
            <Button look="quiet" size="small" onClick={() => setAsked("block")}>
              Block the sender
            </Button>
          </>
        )}
        {status !== "queued" && (
          <Button look="quiet" size="small" onClick={() => setAsked("delete")}>
            Delete
          </Button>
        )}
      </div>
      <FailureNotice failure={mark.failure ?? remove.failure ?? block.failure} />
      <ConfirmDialog
        title="Delete this letter?"
        description="It goes for good, with its files. The other letters of the thread stay."
        confirmText="Delete the letter"
        isOpen={asked === "delete"}
        isBusy={remove.isRunning}
        onClose={() => setAsked(null)}
        onConfirm={() => void removeIt()}
      />
      <ConfirmDialog
        title={`Block ${from}?`}
        description="Letters from this address are refused from now on. Those that are here stay."
        confirmText="Block the sender"
        isOpen={asked === "block"}
        isBusy={block.isRunning}
        onClose={() => setAsked(null)}
        onConfirm={() => void blockSender()}
      />
    </div>
  );
}
