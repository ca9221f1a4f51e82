/** Terms of a reservation that says nothing beside who pays whom how much. */
export const PLAIN_TERMS = {
  resource: null,
  description: null,
  authorization: {},
  nonce: null,
  permitSlot: null,
  purchaseTokenId: null,
  validBefore: null,
  idempotencyKey: null,
} as const;
