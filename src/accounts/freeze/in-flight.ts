/** Operations that began before a freeze. Each domain lists its own, with what can still happen. */

export const IN_FLIGHT_KINDS = {
  payment: "An X402 payment, or the payment of a model call.",
  transfer: "A withdrawal from the wallet.",
  trade: "A trade.",
  order: "An order at a merchant.",
  email: "An email from the agent's mailbox.",
} as const satisfies Record<string, string>;
export type InFlightKind = keyof typeof IN_FLIGHT_KINDS;

export const IN_FLIGHT_OUTLOOKS = {
  may_settle: "The seller has the signature and can settle the payment until `until`.",
  may_draw: "The seller has an `upto` permit and can draw up to the amount. The service revokes the permit.",
  cost_is_charged: "The model call was made. Its actual cost, at most the amount, is charged when it ends.",
  may_be_mined: "The transaction was sent to the network and can be mined.",
  expires_unsent: "It is not sent again. The amount is released after `until` if the network has not mined it.",
  never_signed: "Nothing was signed or sent. The reserved amount is released.",
  may_be_charged: "The card was submitted to the merchant, which can charge it.",
  ends_uncharged: "The card was not submitted. The order ends without a charge.",
  may_be_delivered: "The email is being delivered to the mail server and cannot be recalled.",
  waits: "It waits, and continues when the freeze ends.",
} as const satisfies Record<string, string>;
export type InFlightOutlook = keyof typeof IN_FLIGHT_OUTLOOKS;

/** An operation in flight. */
export interface InFlight {
  readonly kind: InFlightKind;
  readonly id: string;
  readonly accountId: string;
  readonly outlook: InFlightOutlook;
  /** The maximum amount in micro-USD, or null: an order's amount is in another currency, an email has none. */
  readonly amountMicroUsd: bigint | null;
  /** Seller, recipient or merchant. */
  readonly counterparty: string | null;
  /** When the outcome is certain at the latest, if that is known. */
  readonly until: Date | null;
}

/** Operations of each kind that are listed. */
export const MAX_IN_FLIGHT = 200;
