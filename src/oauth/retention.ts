import { deleteRows, type RetentionRule } from "../platform/retention/rule.ts";
import { USED_CODE_RETENTION_SECONDS } from "./lifetimes.ts";

const HOUR_SECONDS = 3_600;
const BATCH = 2_000;

export const OAUTH_RETENTION: readonly RetentionRule[] = [
  {
    ...deleteRows({
      name: "oauth-requests",
      table: "oauth_requests",
      key: ["id"],
      time: "expires_at",
      batch: BATCH,
    }),
    data: "Authorization requests with their login hint",
    since: "expiry",
    period: { seconds: HOUR_SECONDS },
  },
  {
    ...deleteRows({ name: "oauth-codes", table: "oauth_codes", key: ["code_hash"], time: "expires_at", batch: BATCH }),
    data: "Authorization codes",
    since: "expiry",
    period: { seconds: USED_CODE_RETENTION_SECONDS },
  },
  {
    // Used refresh tokens are retained until they expire, to detect their reuse.
    ...deleteRows({ name: "oauth-tokens", table: "oauth_tokens", key: ["id"], time: "expires_at", batch: BATCH }),
    data: "Access and refresh tokens",
    since: "expiry",
    period: { seconds: 0 },
  },
];
