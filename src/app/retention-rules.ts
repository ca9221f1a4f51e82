/** All retention rules. `docs/retention.md` lists them. */
import { ACCOUNT_RETENTION } from "../accounts/retention.ts";
import { CHECKOUT_RETENTION } from "../checkout/retention.ts";
import { EVENT_RETENTION } from "../events/retention.ts";
import { GATEWAY_RETENTION } from "../gateway/provider-ids.ts";
import { MAIL_RETENTION } from "../mail/retention.ts";
import { OAUTH_RETENTION } from "../oauth/retention.ts";
import { PAYMENT_RETENTION } from "../payments/retention.ts";
import { PERSONAL_DATA_RETENTION } from "../personal-data/retention.ts";
import { IDEMPOTENCY_RETENTION } from "../platform/idempotency/retention.ts";
import type { RetentionRule } from "../platform/retention/rule.ts";

export const RETENTION_RULES: readonly RetentionRule[] = [
  ...ACCOUNT_RETENTION,
  ...OAUTH_RETENTION,
  ...IDEMPOTENCY_RETENTION,
  ...PAYMENT_RETENTION,
  ...GATEWAY_RETENTION,
  ...MAIL_RETENTION,
  ...EVENT_RETENTION,
  ...CHECKOUT_RETENTION,
  ...PERSONAL_DATA_RETENTION,
];
