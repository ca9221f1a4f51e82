const LABELS: Readonly<Record<string, string>> = {
  "payments:sign": "make payments",
  "balance:read": "read your balance",
  "transactions:read": "read your transactions",
  "email:read": "read and send email in your agent’s mailbox",
  "agent:read": "read your agent’s identity",
};

const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** Returns scopes as a phrase, for example "Can make payments and read your balance". */
export function describeScopes(scopes: readonly string[]): string {
  const known = Object.keys(LABELS).filter((scope) => scopes.includes(scope));
  return `Can ${list.format(known.map((scope) => LABELS[scope] ?? scope))}`;
}
