import { deleteRows, type RetentionRule } from "../platform/retention/rule.ts";
import { REFRESH_GRACE_SECONDS, UNUSED_CLIENT_RETENTION_SECONDS, USED_CODE_RETENTION_SECONDS } from "./lifetimes.ts";

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
    data: "Authorization requests with their login hint or the address of their device",
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
    ...deleteRows({
      name: "oauth-pushed-requests",
      table: "oauth_pushed_requests",
      key: ["uri_hash"],
      time: "expires_at",
      batch: BATCH,
    }),
    data: "Pushed authorization requests with their login hint",
    since: "expiry",
    period: { seconds: 0 },
  },
  {
    // The clock of the node that accepted the proof may be behind that of the database.
    ...deleteRows({ name: "dpop-proofs", table: "dpop_proofs", key: ["id"], time: "expires_at", batch: BATCH }),
    data: "Used proofs of applications' keys",
    since: "expiry",
    period: { seconds: HOUR_SECONDS },
  },
  {
    ...deleteRows({
      name: "oauth-client-documents",
      table: "oauth_client_documents",
      key: ["url"],
      time: "expires_at",
      batch: BATCH,
    }),
    data: "Cached client ID metadata documents",
    since: "expiry",
    period: { seconds: 0 },
  },
  {
    ...deleteRows({
      name: "oauth-unused-clients",
      table: "oauth_clients",
      key: ["id"],
      time: "refreshed_at",
      where: `registration <> 'owner' AND NOT EXISTS (SELECT FROM oauth_grants g WHERE g.client_id = oauth_clients.id)
        AND NOT EXISTS (SELECT FROM oauth_client_reviews r WHERE r.client_id = oauth_clients.id)`,
    }),
    data: "Applications that registered themselves and that no user authorized or administrator reviewed",
    since: "registration, or the last retrieval of the metadata document",
    period: { seconds: UNUSED_CLIENT_RETENTION_SECONDS },
  },
  {
    // Used refresh tokens are retained until they expire, to detect their reuse. An access token with a short life is
    // retained for the grace period of the refresh token it succeeded, which ends when one of the pair is used.
    ...deleteRows({ name: "oauth-tokens", table: "oauth_tokens", key: ["id"], time: "expires_at", batch: BATCH }),
    data: "Access and refresh tokens",
    since: "expiry",
    period: { seconds: REFRESH_GRACE_SECONDS },
  },
];
