/** Acts of administrators that TWO_PERSON_ACTS can make subject to the confirmation of a second administrator. */
export const TWO_PERSON_ACTS = [
  "oauth_clients.approve",
  "oauth_clients.reject",
  "oauth_clients.revoke",
  "merchants.vet",
  "accounts.end_sessions",
  "accounts.revoke_credentials",
  "accounts.start_recovery",
  "accounts.unfreeze",
  "service.unfreeze",
] as const;
export type TwoPersonAct = (typeof TWO_PERSON_ACTS)[number];
