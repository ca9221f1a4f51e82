/** Terms of a reservation with only payer, payee and amount. */
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
