import type { Scope } from "../../generated/graphql.ts";

const LABELS: Readonly<Partial<Record<Scope, string>>> = {
  PAYMENTS_SIGN: "make payments",
  BALANCE_READ: "read your balance",
  TRANSACTIONS_READ: "read your transactions",
  EMAIL_READ: "read and send email in your agent’s mailbox",
  AGENT_READ: "read your agent’s identity",
};

const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Returns scopes as a phrase, for example "Can make payments and read your balance". */
export function describeScopes(scopes: readonly Scope[]): string {
  const known = Object.entries(LABELS).filter(([scope]) => scopes.includes(scope as Scope));
  return `Can ${list.format(known.map(([, label]) => label))}`;
}
