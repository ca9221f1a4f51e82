import { deleteRows, type RetentionRule } from "../platform/retention/rule.ts";

const DAY_SECONDS = 86_400;

export const ACCOUNT_RETENTION: readonly RetentionRule[] = [
  {
    ...deleteRows({ name: "sign-in-attempts", table: "sign_in_attempts", key: ["id"], time: "expires_at" }),
    data: "Sign-in attempts with the email address",
    since: "expiry",
    period: { seconds: DAY_SECONDS },
  },
  {
    ...deleteRows({ name: "sessions", table: "sessions", key: ["id"], time: "least(expires_at, revoked_at)" }),
    data: "Sessions with the browser and IP address",
    since: "expiry or sign-out",
    period: { seconds: 30 * DAY_SECONDS },
  },
];
