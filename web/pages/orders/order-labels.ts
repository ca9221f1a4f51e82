/** Labels of order statuses, order titles and next steps. */
import type { CheckoutOrderStatus, OrderDetailsFragment, OrderRowFragment } from "../../generated/graphql.ts";

const STATUSES = {
  PENDING: { tone: "caution", text: "Queued" },
  APPROVAL_REQUIRED: { tone: "caution", text: "Approval required" },
  DISPATCHED: { tone: "caution", text: "In progress" },
  SUCCEEDED: { tone: "good", text: "Purchased" },
  MERCHANT_ERROR: { tone: "bad", text: "Failed: merchant error" },
  WORKER_ERROR: { tone: "bad", text: "Failed: checkout interrupted" },
  PRICE_CHANGED: { tone: "bad", text: "Failed: price changed" },
  OUT_OF_STOCK: { tone: "bad", text: "Failed: out of stock" },
  PAYMENT_UNCONFIRMED: { tone: "caution", text: "Charge unconfirmed" },
  PAYMENT_GATE_HIT: { tone: "bad", text: "Failed: checkout stopped" },
  TIMEOUT: { tone: "bad", text: "Failed: timed out" },
  EXPLORED: { tone: "good", text: "Explored" },
} as const satisfies Record<CheckoutOrderStatus, { tone: "good" | "bad" | "caution"; text: string }>;

/** Returns the status badge of an order. Orders with the same status can have different causes, which need different labels. */
export function describeStatus(order: OrderRowFragment) {
  const { status, kind, question, retryable, isTerminal, retryAction, approval } = order;
  if (question) return { tone: "caution", text: "Action required" } as const;
  if (status === "APPROVAL_REQUIRED" && approval?.status === "APPROVED") {
    return { tone: "caution", text: "Approved" } as const;
  }
  if (status === "APPROVAL_REQUIRED" && approval?.status === "EXPIRED") {
    return { tone: "muted", text: "Approval expired" } as const;
  }
  if (kind === "EXPLORED" && status === "DISPATCHED") return { tone: "caution", text: "Exploring" } as const;
  if (kind === "EXPLORED" && isTerminal && status !== "EXPLORED") {
    return { tone: "bad", text: "Exploration failed" } as const;
  }
  if (status === "PAYMENT_GATE_HIT" && retryable === null) return STATUSES.PAYMENT_UNCONFIRMED;
  if (status === "PAYMENT_GATE_HIT" && retryAction === "NONE") return { tone: "muted", text: "Denied by you" } as const;
  if (status === "SUCCEEDED" && retryAction === "CONTACT_SUPPORT") {
    return { tone: "caution", text: "Purchased, charged more than approved" } as const;
  }
  return STATUSES[status];
}

/** Returns true if the order needs the account owner, to approve it or to act in the checkout. */
export function needsAccountOwner({ status, question, approval }: OrderRowFragment): boolean {
  return question !== null || (status === "APPROVAL_REQUIRED" && approval?.status === "PENDING");
}

/** Returns the title of an order, for example "Kettle, Red and 2 more". */
export function orderTitle({ kind, lines }: Pick<OrderRowFragment, "kind" | "lines">): string {
  if (kind === "EXPLORED") return "Merchant exploration";
  const [first, ...others] = lines;
  if (!first) return "Order";
  const name = [first.title, first.variantTitle].filter(Boolean).join(", ");
  return others.length === 0 ? name : `${name} and ${others.length} more`;
}

export function merchantName({ merchant, merchantUrl }: Pick<OrderRowFragment, "merchant" | "merchantUrl">): string {
  if (merchant) return merchant.name;
  return merchantUrl && URL.canParse(merchantUrl) ? new URL(merchantUrl).host : "Unknown merchant";
}

/** Actions that a checkout can require from the cardholder, by their names in the live view. */
export const REQUIRED_ACTIONS: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  three_d_secure: {
    title: "3-D Secure confirmation required",
    text: "Check the address below. Within five minutes, confirm the payment only on a page that you trust.",
  },
  security_code: {
    title: "Security code required",
    text: "The merchant requires the security code of your card. Satchel does not store it, so each order needs it.",
  },
};

const ACTIONS_OF_QUESTIONS: Readonly<Record<string, string>> = {
  ThreeDSecureQuestion: "three_d_secure",
  SecurityCodeQuestion: "security_code",
};

/** Returns the title of an order's question. */
export function questionTitle({ __typename }: NonNullable<OrderRowFragment["question"]>): string {
  return REQUIRED_ACTIONS[ACTIONS_OF_QUESTIONS[__typename] ?? ""]?.title ?? "Action required";
}

/** Returns the next step for the account owner by `retryAction`, or null if there is none. */
export function findNextStep(order: OrderDetailsFragment): string | null {
  const { status, kind, retryAction, retryable, errorCode } = order;
  switch (retryAction) {
    case "POLL":
      return null;
    case "RE_PREVIEW":
      if (status === "EXPLORED") return "Your agent can now buy from this merchant. Request a quote from your agent.";
      if (kind === "EXPLORED") return "Have your agent explore the merchant again, or start it on the Merchants page.";
      if (retryable === false) return "Have your agent choose another product or retry later.";
      return "Your card was not charged. To order again, request a new quote from your agent.";
    case "HANDOFF":
      return "Your card was not charged. You can complete the purchase on the merchant’s site.";
    case "CONTACT_SUPPORT":
      if (errorCode === "OVERCHARGED") {
        return "The charge is higher than you approved. Contact the merchant. The evidence below shows both amounts.";
      }
      if (retryable === null) {
        return "Check your card statement and your email for a confirmation. If unsure, contact the merchant with the evidence below.";
      }
      return "Your card was not charged. The operator of this installation must review the checkout of this merchant.";
    case "NONE":
      return status === "SUCCEEDED" ? null : "No action required.";
  }
}
