import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Cell, Row, Table } from "../../components/list.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { Time } from "../../components/time.tsx";
import { Verbatim } from "../../components/verbatim.tsx";
import { type DeliveryRowFragment, ReplayWebhookDeliveryDocument } from "../../generated/graphql.ts";
import { useOperation } from "../../graphql/use-operation.ts";
import { EVENT_LABELS, eventName } from "./event-labels.ts";

export const DELIVERY_STATUSES = {
  PENDING: { tone: "caution", text: "Pending" },
  DELIVERED: { tone: "good", text: "Delivered" },
  FAILED: { tone: "bad", text: "Failed" },
} as const;

export function DeliveryTable({
  rows,
  isStale,
  canReplay,
  onReplayed,
}: {
  readonly rows: readonly DeliveryRowFragment[];
  readonly isStale: boolean;
  readonly canReplay: boolean;
  readonly onReplayed: () => void;
}) {
  const replay = useOperation(ReplayWebhookDeliveryDocument);
  return (
    <div aria-busy={isStale}>
      <FailureNotice failure={replay.failure} />
      <Table caption="Deliveries, newest first" columns={["Date", "Event", "Status", ""]}>
        {rows.map((row) => (
          <Row key={row.id}>
            <Cell className="md:w-40">
              <Time at={row.createdAt} withDate />
            </Cell>
            <Cell className="md:max-w-96">
              <EventCell row={row} />
            </Cell>
            <Cell>
              <Outcome row={row} />
            </Cell>
            <Cell className="max-md:pt-1">
              {canReplay && (
                <Button
                  size="small"
                  aria-label={`Resend ${row.eventId}`}
                  onClick={() => void replay.run({ input: { id: row.id } }).then(onReplayed)}
                >
                  Resend
                </Button>
              )}
            </Cell>
          </Row>
        ))}
      </Table>
    </div>
  );
}

function EventCell({ row: { event, eventId } }: { readonly row: DeliveryRowFragment }) {
  if (!event) return <span className="font-mono text-small">{eventId}</span>;
  const { type, createdAt, payload } = event;
  const body = JSON.stringify({ id: eventId, type: eventName(type), createdAt, data: payload }, null, 2);
  return (
    <>
      {EVENT_LABELS[type]}
      <details className="text-small">
        <summary className="cursor-pointer text-muted">Request body</summary>
        <Verbatim text={body} label={`Request body of ${eventId}`} isWrapped />
      </details>
    </>
  );
}

function Outcome({ row }: { readonly row: DeliveryRowFragment }) {
  const { status, attempts, failureReason, nextAttemptAt } = row;
  const { tone, text } = DELIVERY_STATUSES[status];
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {failureReason && <span className="block text-small text-muted">{failureReason}</span>}
      <span className="block text-small text-muted">
        {attempts === 1 ? "1 attempt" : `${attempts} attempts`}
        {status === "PENDING" && attempts > 0 && nextAttemptAt && (
          <>
            , next <Time at={nextAttemptAt} />
          </>
        )}
      </span>
    </>
  );
}
