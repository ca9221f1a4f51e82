import { useEffect, useState } from "react";
import { Button } from "../../components/button.tsx";
import { FilterChoice } from "../../components/filter-choice.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { ListOf, usePagedList } from "../../components/paged-list.tsx";
import { Section } from "../../components/section.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  SendTestEventDocument,
  WebhookDeliveriesDocument,
  type WebhookDeliveryStatus,
  WebhookEventsDocument,
  type WebhookRowFragment,
} from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { useResumableSubscription } from "../../graphql/use-resumable-subscription.ts";
import { DELIVERY_STATUSES, DeliveryTable } from "./delivery-table.tsx";
import { ReplaySinceDialog } from "./replay-since-dialog.tsx";

/** Polling interval while deliveries are pending, in milliseconds. */
const POLL_INTERVAL_MS = 1_500;
const OPTIONS = Object.entries(DELIVERY_STATUSES).map(([status, { text }]) => [status, text] as const);

/** Deliveries of a webhook with live updates, newest first. */
export function Deliveries({
  webhook,
  onChanged,
}: {
  readonly webhook: WebhookRowFragment;
  readonly onChanged: () => void;
}) {
  const [status, setStatus] = useState<WebhookDeliveryStatus | null>(null);
  const [isReplaying, setIsReplaying] = useState(false);
  const toast = useToast();
  const test = useOperation(SendTestEventDocument);
  const list = usePagedList(
    WebhookDeliveriesDocument,
    { id: webhook.id, filter: { statuses: status && [status] } },
    (data) => data.webhook?.deliveries,
  );
  const { again, pages } = list;
  useResumableSubscription(WebhookEventsDocument, {
    onEvent({ accountEventOccurred: { cursor } }) {
      again();
      return cursor;
    },
    onLost: again,
  });
  const hasPending = list.shown?.some((row) => row.status === "PENDING") ?? false;
  useEffect(() => {
    if (!hasPending) return;
    const timer = setInterval(() => {
      again();
      onChanged();
    }, POLL_INTERVAL_MS);
    return () => clearInterval(timer);
  }, [hasPending, again, onChanged]);

  async function sendTest() {
    const { value } = await test.run({ input: { webhookId: webhook.id } });
    if (!value) return;
    toast("Test event queued.");
    again();
  }

  return (
    <Section
      title="Deliveries"
      hint="Up to ten attempts within three days."
      aside={
        <div className="flex flex-wrap gap-3">
          <Button size="small" disabled={!webhook.isEnabled} isBusy={test.isRunning} onClick={() => void sendTest()}>
            Send test event
          </Button>
          <Button size="small" disabled={!webhook.isEnabled} onClick={() => setIsReplaying(true)}>
            Replay events…
          </Button>
        </div>
      }
    >
      <FailureNotice failure={test.failure} />
      <div className="mb-4 sm:max-w-64">
        <FilterChoice
          label="Status"
          all="All"
          options={OPTIONS}
          value={status}
          onChoose={(value) => {
            pages.reset();
            setStatus((value || null) as WebhookDeliveryStatus | null);
          }}
        />
      </div>
      <ListOf
        list={list}
        awaited={{ count: 3, className: "h-16" }}
        empty={status ? "No matching deliveries." : "No deliveries yet. Send a test event to check the endpoint."}
      >
        {(rows) => (
          <DeliveryTable rows={rows} isStale={list.isStale} canReplay={webhook.isEnabled} onReplayed={again} />
        )}
      </ListOf>
      {isReplaying && (
        <ReplaySinceDialog webhookId={webhook.id} onClose={() => setIsReplaying(false)} onReplayed={again} />
      )}
    </Section>
  );
}
