import type { FormEvent } from "react";
import { Button } from "../../components/button.tsx";
import { Actions, Dialog } from "../../components/dialog.tsx";
import { Checkbox, SelectField } from "../../components/field.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { useToast } from "../../components/toasts.tsx";
import { ReplayEventsSinceDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";

const HOUR_MS = 3_600_000;
const SPANS: readonly [hours: number, text: string][] = [
  [1, "the last hour"],
  [24, "the last day"],
  [72, "the last three days"],
  [168, "the last week"],
  [720, "the last 30 days"],
];

/** Sends again what happened in some time: after an outage, or to a webhook that is new. */
export function ReplaySinceDialog({
  webhookId,
  onClose,
  onReplayed,
}: {
  readonly webhookId: string;
  readonly onClose: () => void;
  readonly onReplayed: () => void;
}) {
  const replay = useOperation(ReplayEventsSinceDocument);
  const toast = useToast();
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const since = new Date(Date.now() - Number(form.get("hours")) * HOUR_MS).toISOString();
    const includeDelivered = form.get("includeDelivered") !== null;
    const { value } = await replay.run({ input: { webhookId, since, includeDelivered } });
    if (!value) return;
    toast(value.count === 1 ? "1 event is on its way." : `${value.count} events are on their way.`);
    onReplayed();
    onClose();
  }
  return (
    <Dialog
      isOpen
      title="Send again"
      description="What it was not told of or did not take, of the things it is told of."
      onClose={onClose}
      mayDismiss={!replay.isRunning}
    >
      <form onSubmit={(event) => void submit(event)} className="grid gap-5">
        <SelectField label="What happened in" name="hours" defaultValue="24">
          {SPANS.map(([hours, text]) => (
            <option key={hours} value={hours}>
              {text}
            </option>
          ))}
        </SelectField>
        <Checkbox name="includeDelivered" label="Also what it took before" />
        <FailureNotice failure={replay.failure} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={replay.isRunning}>
            Send again
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
