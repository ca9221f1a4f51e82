import type { Scope } from "../../generated/graphql.ts";

const LABELS: Readonly<Record<Scope, string>> = {
  PAYMENTS_SIGN: "make payments",
  BALANCE_READ: "read your balance",
  TRANSACTIONS_READ: "read your transactions",
  EMAIL_READ: "read and send email in your agent’s mailbox",
  AGENT_READ: "read your agent’s identity",
  ORDERS_WRITE: "order from merchants by card",
  TRADE_EXECUTE: "swap your tokens",
  EMAIL_SEND: "send email from your agent’s mailbox",
  ACCOUNT_READ: "read your account, tokens and connected apps",
  CARDS_READ: "read your saved cards without their numbers",
  ACCOUNT_MANAGE: "manage your account",
};

const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Returns scopes as a phrase, for example "Can make payments and read your balance". */
export function describeScopes(scopes: readonly Scope[], verb = "Can"): string {
  const known = Object.entries(LABELS).filter(([scope]) => scopes.includes(scope as Scope));
  return `${verb} ${list.format(known.map(([, label]) => label))}`;
}
