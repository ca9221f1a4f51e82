/** Event source of checkout orders. */
import type { OrderEventData } from "../../events/event-data.ts";
import { defineSource, type SourceRow } from "../../events/event-source.ts";

interface OrderRow extends SourceRow {
  readonly id: string;
  readonly merchant_id: string | null;
  readonly kind: string;
  readonly status: string;
  readonly amount_minor: bigint | null;
  readonly amount_charged_minor: bigint | null;
  readonly currency: string | null;
  readonly is_test: boolean;
  readonly retryable: boolean | null;
  readonly retry_action: string | null;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly merchant_order_number: string | null;
  readonly created_at: Date;
  readonly completed_at: Date | null;
}

/** Orders that require approval, were dispatched to a worker, or have ended. */
export const orderEvents = defineSource<OrderRow, OrderEventData>({
  name: "orders",
  channel: "order",
  sql: `SELECT o.account_id, o.id AS row_id, o.id AS subject_id, moment.type, moment.occurred_at, o.updated_at,
      o.id, o.merchant_id, o.kind, o.status, o.amount_minor, o.amount_charged_minor, o.currency, o.is_test, o.retryable,
      o.retry_action, o.error_code, o.error_message, o.merchant_order_number, o.created_at, o.completed_at
    FROM checkout_orders o LEFT JOIN checkout_approvals a ON a.order_id = o.id CROSS JOIN LATERAL (VALUES
      ('order.approval_required', a.created_at),
      ('order.dispatched', o.started_at),
      ('order.succeeded', CASE WHEN o.status = 'succeeded' THEN o.completed_at END),
      ('order.explored', CASE WHEN o.status = 'explored' THEN o.completed_at END),
      ('order.failed', CASE WHEN o.status NOT IN ('succeeded', 'explored') THEN o.completed_at END)
    ) AS moment (type, occurred_at) WHERE moment.occurred_at IS NOT NULL`,
  dataOf: (row) => ({
    id: row.id,
    merchantId: row.merchant_id,
    kind: row.kind,
    status: row.status,
    amountMinor: toNumber(row.amount_minor),
    amountChargedMinor: toNumber(row.amount_charged_minor),
    currency: row.currency,
    test: row.is_test,
    retryable: row.retryable,
    retryAction: row.retry_action,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    merchantOrderNumber: row.merchant_order_number,
    createdAt: row.created_at.toISOString(),
    completedAt: row.completed_at?.toISOString() ?? null,
  }),
});

function toNumber(amount: bigint | null): number | null {
  return amount === null ? null : Number(amount);
}
