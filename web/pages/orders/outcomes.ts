/** Texts for each end of an order: by its cause, because orders with the same status differ in what happened to the money. */
import type { CheckoutOrderErrorCode, OrderRowFragment } from "../../generated/graphql.ts";

/** Texts of the order page for one end. */
export interface Outcome {
  readonly badge: { readonly tone: "good" | "bad" | "caution" | "muted"; readonly text: string };
  /** What happened. */
  readonly title: string;
  /** Describes the displayed amount. Null for explorations. */
  readonly amountNote: string | null;
  /** Label of the card. */
  readonly cardLabel: string;
  /** The next step; null if there is none. */
  readonly next: string | null;
}

type Ended = Pick<OrderRowFragment, "kind" | "status" | "retryable" | "approval" | "amountCharged"> & {
  readonly errorCode: CheckoutOrderErrorCode | null;
};

const AGAIN = "To order again, request a new quote from your agent.";
const ON_SITE = "You can complete the purchase on the merchant’s site.";
const CHECK_STATEMENT =
  "Check your card statement and your email for a confirmation. Do not order again before that. If unsure, contact the merchant with the evidence below.";

const failed = (text: string, title: string, next: string, cardLabel = "Card (not charged)"): Outcome => ({
  badge: { tone: "bad", text: `Failed: ${text}` },
  title,
  amountNote: "Approved, not charged",
  cardLabel,
  next,
});
const unconfirmed = (title: string): Outcome => ({
  badge: { tone: "caution", text: "Charge unconfirmed" },
  title,
  amountNote: "Approved, charge not confirmed",
  cardLabel: "Card (charge unconfirmed)",
  next: CHECK_STATEMENT,
});

const SUCCEEDED: Outcome = {
  badge: { tone: "good", text: "Purchased" },
  title: "The merchant confirmed the order.",
  amountNote: "Charged, as reported by the merchant",
  cardLabel: "Paid with",
  next: null,
};

const EXPIRED: Outcome = {
  badge: { tone: "muted", text: "Approval expired" },
  title: "The approval expired without a decision. No card was used.",
  amountNote: "Requested, not approved",
  cardLabel: "Card (not used)",
  next: AGAIN,
};

/** Ends of purchases, and `null` for a confirmed one. */
const OF_PURCHASES: Readonly<Partial<Record<CheckoutOrderErrorCode, Outcome>>> = {
  APPROVAL_DENIED: {
    badge: { tone: "muted", text: "Denied by you" },
    title: "You denied this purchase. No card was used.",
    amountNote: "Requested, denied by you",
    cardLabel: "Card (not used)",
    next: "To buy the product after all, have your agent place a new order.",
  },
  APPROVAL_EXPIRED: EXPIRED,
  NEVER_TAKEN: failed("not started", "No checkout worker was available in time.", AGAIN),
  PRICE_CHANGED: failed(
    "price changed",
    "The merchant’s total exceeds the approved amount. The order ended before the card was used.",
    AGAIN,
  ),
  OUT_OF_STOCK: failed(
    "out of stock",
    "The product is out of stock.",
    "Have your agent choose another product or retry later.",
  ),
  SHOP_UNAVAILABLE: failed("merchant unavailable", "The merchant’s site was unavailable.", AGAIN),
  FORM_REJECTED: failed("details rejected", "The merchant’s checkout rejected the details.", ON_SITE),
  GUEST_CHECKOUT_UNAVAILABLE: failed(
    "account required",
    "The merchant sells only to customers with an account.",
    ON_SITE,
  ),
  CARD_DECLINED: failed(
    "card declined",
    "The card was declined.",
    "Ask your bank for the reason. You can complete the purchase on the merchant’s site, or have your agent use another card.",
    "Declined card",
  ),
  CAPTCHA: failed("captcha", "The merchant requires a captcha.", ON_SITE),
  LOGIN_REQUIRED: failed("sign-in required", "The merchant requires a sign-in.", ON_SITE),
  BOT_WALL: failed("blocked by merchant", "The merchant blocks automated checkouts.", ON_SITE),
  THREE_D_SECURE_FAILED: failed(
    "3-D Secure",
    "3-D Secure authentication failed or was cancelled. The bank did not authorise the charge.",
    ON_SITE,
  ),
  THREE_D_SECURE_ABANDONED: unconfirmed("3-D Secure authentication was not completed."),
  WORKER_CRASHED: failed("checkout interrupted", "The checkout was interrupted before the card was submitted.", AGAIN),
  CARD_UNAVAILABLE: failed(
    "card removed",
    "The card was removed or disabled before it was used.",
    "Have your agent order again with another card.",
    "Card (removed or disabled)",
  ),
  ACCOUNT_FROZEN: failed(
    "frozen",
    "Your account or the service was frozen before the card was submitted.",
    "After the freeze ends, request a new quote from your agent.",
  ),
  MISSING_FIELD: failed(
    "details missing",
    "The merchant’s checkout requires something that the order does not contain.",
    AGAIN,
  ),
  PAYMENT_NOT_SENT: failed("payment not sent", "The merchant’s page sent no payment.", AGAIN),
  RECIPE_BROKEN: failed(
    "checkout not supported",
    "The merchant’s checkout failed twice in a row.",
    "The operator of this installation must review the checkout of this merchant.",
  ),
  TIME_SPENT: failed("timed out", "The checkout exceeded its time limit before the card was submitted.", AGAIN),
  OUTCOME_UNKNOWN: unconfirmed("The merchant’s response to the payment was lost."),
  OVERCHARGED: {
    badge: { tone: "caution", text: "Purchased, charged more than approved" },
    title: "The purchase succeeded, but the merchant charged more than the approved amount.",
    amountNote: "Charged, as reported by the merchant",
    cardLabel: "Paid with",
    next: "Contact the merchant. The evidence below shows both amounts.",
  },
};

const failedExploration = (title: string, next: string): Outcome => ({
  badge: { tone: "bad", text: "Exploration failed" },
  title,
  amountNote: null,
  cardLabel: "Card",
  next,
});
const EXPLORE_AGAIN = "Have your agent explore the merchant again, or start it on the Merchants page.";

const EXPLORED: Outcome = {
  badge: { tone: "good", text: "Explored" },
  title: "The merchant was explored.",
  amountNote: null,
  cardLabel: "Card",
  next: "Your agent can now buy from this merchant. Request a quote from your agent.",
};

const OF_EXPLORATIONS: Readonly<Partial<Record<CheckoutOrderErrorCode, Outcome>>> = {
  NEVER_TAKEN: failedExploration("No checkout worker was available in time.", EXPLORE_AGAIN),
  WORKER_CRASHED: failedExploration("The exploration was interrupted.", EXPLORE_AGAIN),
  MISSING_FIELD: failedExploration("The merchant’s checkout could not be read.", EXPLORE_AGAIN),
  TIME_SPENT: failedExploration("The exploration exceeded its time limit.", EXPLORE_AGAIN),
  EXPLORATION_FAILED: failedExploration("The merchant’s site could not be read.", EXPLORE_AGAIN),
  EXPLORATION_WALLED: failedExploration(
    "The merchant blocks automated browsers or requires an account.",
    "You can buy on the merchant’s site.",
  ),
  ACCOUNT_FROZEN: failedExploration(
    "Your account or the service was frozen during the dry run.",
    "After the freeze ends, have your agent start the dry run again.",
  ),
  POLICY_ENDED: failedExploration(
    "The standing policy ended during the dry run.",
    "Create a policy, then have your agent start the dry run again.",
  ),
  NAME_NOT_ALLOWED: failedExploration(
    "The site uses the name of a merchant in the approved pool.",
    "Have your agent buy from the pooled merchant, or explore another site.",
  ),
  NOT_A_SHOP: failedExploration(
    "The page offers no products for sale.",
    "Have your agent explore the URL of a product page.",
  ),
};

/** Returns the texts of an ended order. A cause of a newer service version is described by what is known about the charge. */
export function findOutcome(order: Ended): Outcome {
  const { kind, status, errorCode, approval, amountCharged, retryable } = order;
  if (kind === "EXPLORED") {
    if (status === "EXPLORED") return EXPLORED;
    return (
      (errorCode && OF_EXPLORATIONS[errorCode]) ??
      failedExploration("The exploration ended without a result.", EXPLORE_AGAIN)
    );
  }
  if (errorCode === "APPROVAL_EXPIRED" && approval?.decidedAt) {
    return {
      ...EXPIRED,
      title: "You approved the purchase, but the order was not placed in time. No card was used.",
      amountNote: "Approved, not placed in time",
    };
  }
  const known = errorCode && OF_PURCHASES[errorCode];
  if (known) return known;
  if (status === "SUCCEEDED") {
    return amountCharged ? SUCCEEDED : { ...SUCCEEDED, amountNote: "Approved. The merchant reported no charge" };
  }
  return retryable === null
    ? unconfirmed("The order ended with an unknown outcome.")
    : failed("not purchased", "The order ended without a purchase.", AGAIN);
}
