const WORDS: Readonly<Record<string, string>> = {
  "payments:sign": "pay for you",
  "balance:read": "see what your wallet holds",
  "transactions:read": "see your payments",
  "email:read": "read and send mail in your agent’s mailbox",
  "agent:read": "see your agent’s identity",
};

const list = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** "May pay for you and see what your wallet holds" */
export function inWords(scopes: readonly string[]): string {
  const known = Object.keys(WORDS).filter((scope) => scopes.includes(scope));
  return `May ${list.format(known.map((scope) => WORDS[scope] ?? scope))}`;
}
