/** Card data as a merchant or processor receives it. */
export interface Card {
  readonly number: string;
  readonly expiry: string;
  readonly code: string;
}

/** Result of a payment. */
export type Paid = { readonly orderNumber: string } | { readonly error: string };
