import { deleteRows, type RetentionRule } from "../retention/rule.ts";

/** Clients retry soon. Later, the ledger's own keys still prevent a second payment. */
export const IDEMPOTENCY_RETENTION: readonly RetentionRule[] = [
  {
    ...deleteRows({
      name: "idempotency-records",
      table: "idempotency_records",
      key: ["account_id", "key"],
      // `leased_until` is never earlier; the condition on `created_at` makes the statement use its index.
      time: "created_at",
      where: "leased_until < now() - make_interval(secs => $1::float8)",
      // A response may have 256 KiB.
      batch: 500,
    }),
    data: "Responses stored for an `Idempotency-Key`",
    since: "end of the request",
    period: { seconds: 86_400 },
  },
];
