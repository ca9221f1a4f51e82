/**
 * The plan of all tables: which rows belong to an account, which columns its export contains, and what its deletion does.
 * A test compares it with the database, so it has every table and column. `npm run codegen` generates `docs/personal-data.md`.
 */
import { ACCOUNTS_TABLES } from "./plan/accounts.ts";
import { AGENTS_TABLES } from "./plan/agents.ts";
import { CHECKOUT_TABLES } from "./plan/checkout.ts";
import { EVENTS_TABLES } from "./plan/events.ts";
import { MAIL_TABLES } from "./plan/mail.ts";
import { MONEY_TABLES } from "./plan/money.ts";
import { OAUTH_TABLES } from "./plan/oauth.ts";
import type { TablePlan } from "./table-plan.ts";

/** In the order of erasure: rows before those they refer to, and the account last. */
export const PLAN: readonly TablePlan[] = [
  ...MAIL_TABLES,
  ...EVENTS_TABLES,
  ...CHECKOUT_TABLES,
  ...MONEY_TABLES,
  ...AGENTS_TABLES,
  ...OAUTH_TABLES,
  ...ACCOUNTS_TABLES,
];
