/** Events and webhooks. Rows are erased in this order. */
import { DELETE, OWN_ROWS, type TablePlan } from "../table-plan.ts";

export const EVENTS_TABLES: readonly TablePlan[] = [
  {
    table: "webhook_deliveries",
    owner: "t.endpoint_id IN (SELECT id FROM webhook_endpoints WHERE account_id = $1::uuid)",
    exported: [
      "id",
      "endpoint_id",
      "event_id",
      "event_type",
      "status",
      "attempts",
      "last_attempt_at",
      "response_status",
      "failure_reason",
      "created_at",
      "delivered_at",
    ],
    withheld: { next_attempt_at: "Internal state" },
    deletion: DELETE,
  },
  {
    table: "webhook_endpoints",
    owner: OWN_ROWS,
    exported: [
      "id",
      "account_id",
      "url",
      "description",
      "event_types",
      "disabled_at",
      "disabled_reason",
      "failing_since",
      "created_at",
    ],
    withheld: {
      sealed_secrets: "Ciphertext",
      wrapped_data_key: "Ciphertext",
      kek_id: "Ciphertext",
      is_account_bound: "Ciphertext",
      failed_attempts: "Internal state",
      retry_at: "Internal state",
    },
    deletion: DELETE,
  },
  {
    table: "account_events",
    owner: OWN_ROWS,
    exported: ["id", "account_id", "type", "subject_id", "payload", "created_at", "recorded_at"],
    withheld: {},
    deletion: DELETE,
  },
  {
    table: "event_feeds",
    owner: OWN_ROWS,
    exported: ["account_id", "collected_until", "last_recorded_at", "read_at"],
    withheld: {},
    deletion: DELETE,
  },
];
