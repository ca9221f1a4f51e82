/** Transfers and trades of an account together (spec section 8). */
export const SENDS_PER_MINUTE = 30;
