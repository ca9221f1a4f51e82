import { useEffect, useState } from "react";
import { useQuery } from "urql";
import { Button } from "../../components/button.tsx";
import { FilterChoice } from "../../components/filter-choice.tsx";
import { Empty, FailureNotice } from "../../components/notice.tsx";
import { Pager, usePages } from "../../components/pager.tsx";
import { Section } from "../../components/section.tsx";
import { SkeletonRows } from "../../components/skeleton.tsx";
import { useToast } from "../../components/toasts.tsx";
import {
  SendTestEventDocument,
  WebhookDeliveriesDocument,
  type WebhookDeliveryStatus,
  WebhookEventsDocument,
  type WebhookRowFragment,
} from "../../generated/graphql.ts";
import { isSignedOut } from "../../graphql/client.ts";
import { transportFailure, useOperation } from "../../graphql/use-operation.ts";
import { useResumed } from "../../graphql/use-resumed.ts";
import { DELIVERY_STATUSES, DeliveryTable } from "./delivery-table.tsx";
import { ReplaySinceDialog } from "./replay-since-dialog.tsx";

const PAGE_SIZE = 20;
/** While something is on its way, what became of it is asked for this often. */
const LOOK_EVERY_MS = 1_500;
const OPTIONS = Object.entries(DELIVERY_STATUSES).map(([status, { text }]) => [status, text] as const);

/** What was sent there and what is on its way, newest first, as it moves. */
export function Deliveries({
  webhook,
  onChanged,
}: {
  readonly webhook: WebhookRowFragment;
  readonly onChanged: () => void;
}) {
  const [status, setStatus] = useState<WebhookDeliveryStatus | null>(null);
  const [isReplaying, setIsReplaying] = useState(false);
  const pages = usePages();
  const toast = useToast();
  const test = useOperation(SendTestEventDocument);
  const [{ data, error, stale }, refresh] = useQuery({
    query: WebhookDeliveriesDocument,
    variables: { id: webhook.id, filter: { status }, first: PAGE_SIZE, after: pages.after },
    requestPolicy: "cache-and-network",
  });
  const again = () => refresh({ requestPolicy: "network-only" });
  useResumed(WebhookEventsDocument, {
    onEvent({ accountEventOccurred: { cursor } }) {
      again();
      return cursor;
    },
    onLost: again,
  });
  const connection = data?.node?.__typename === "Webhook" ? data.node.deliveries : undefined;
  const rows = connection?.edges.map(({ node }) => node);
  const isUnderWay = rows?.some((row) => row.status === "PENDING") ?? false;
  useEffect(() => {
    if (!isUnderWay) return;
    const timer = setInterval(() => {
      refresh({ requestPolicy: "network-only" });
      onChanged();
    }, LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isUnderWay, refresh, onChanged]);

  async function sendTest() {
    const { value } = await test.run({ input: { webhookId: webhook.id } });
    if (!value) return;
    toast("A test is on its way.");
    again();
  }

  const failure = error && !rows && !isSignedOut(error) ? transportFailure(error) : null;
  return (
    <Section
      title="Deliveries"
      hint="Each is tried ten times in three days."
      aside={
        <div className="flex flex-wrap gap-3">
          <Button size="small" disabled={!webhook.isEnabled} isBusy={test.isRunning} onClick={() => void sendTest()}>
            Send a test
          </Button>
          <Button size="small" disabled={!webhook.isEnabled} onClick={() => setIsReplaying(true)}>
            Send again since…
          </Button>
        </div>
      }
    >
      <FailureNotice failure={test.failure ?? failure} onRetry={again} />
      <div className="mb-4 sm:max-w-64">
        <FilterChoice
          label="Which"
          all="All of them"
          options={OPTIONS}
          value={status}
          onChoose={(value) => {
            pages.reset();
            setStatus((value || null) as WebhookDeliveryStatus | null);
          }}
        />
      </div>
      {!rows && !failure && <SkeletonRows count={3} className="h-16" />}
      {rows?.length === 0 && (
        <Empty>{status ? "No delivery is like that." : "Nothing was sent yet. A test shows whether it works."}</Empty>
      )}
      {rows && rows.length > 0 && (
        <DeliveryTable rows={rows} isStale={stale} mayReplay={webhook.isEnabled} onReplayed={again} />
      )}
      <Pager pages={pages} pageInfo={connection?.pageInfo} />
      {isReplaying && (
        <ReplaySinceDialog webhookId={webhook.id} onClose={() => setIsReplaying(false)} onReplayed={again} />
      )}
    </Section>
  );
}
