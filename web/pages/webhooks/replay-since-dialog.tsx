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
  [1, "Last hour"],
  [24, "Last 24 hours"],
  [72, "Last 3 days"],
  [168, "Last 7 days"],
  [720, "Last 30 days"],
];

/** Dialog to replay past events, for example after an outage or to a new webhook. */
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
    toast(value.count === 1 ? "1 event queued." : `${value.count} events queued.`);
    onReplayed();
    onClose();
  }
  return (
    <Dialog
      isOpen
      title="Replay events"
      description="Resends subscribed events that were not delivered to this webhook."
      onClose={onClose}
      mayDismiss={!replay.isRunning}
    >
      <form onSubmit={(event) => void submit(event)} className="grid gap-5">
        <SelectField label="Period" name="hours" defaultValue="24">
          {SPANS.map(([hours, text]) => (
            <option key={hours} value={hours}>
              {text}
            </option>
          ))}
        </SelectField>
        <Checkbox name="includeDelivered" label="Include delivered events" />
        <FailureNotice failure={replay.failure} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={replay.isRunning}>
            Replay
          </Button>
        </Actions>
      </form>
    </Dialog>
  );
}
