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
  {
    ...deleteRows({ name: "account-recoveries", table: "account_recoveries", key: ["id"], time: "ended_at" }),
    data: "Account recoveries with the email addresses",
    since: "end of the recovery",
    period: { seconds: 90 * DAY_SECONDS },
  },
  ...["acts", "proposals"].map(
    (kind): RetentionRule => ({
      ...deleteRows({
        name: `administrator-${kind}`,
        table: `administrator_${kind}`,
        key: ["id"],
        time: "created_at",
      }),
      data: kind === "acts" ? "Acts of administrators" : "Proposals of acts that require two administrators",
      since: kind === "acts" ? "act" : "proposal",
      period: { setting: "LEDGER_DAYS" },
    }),
  ),
];
