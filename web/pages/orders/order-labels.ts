/** Labels of order statuses, order titles and required actions. */
import type { CheckoutOrderStatus, OrderRowFragment } from "../../generated/graphql.ts";
import { findOutcome } from "./outcomes.ts";

const LIVE = {
  PENDING: { tone: "caution", text: "Queued" },
  APPROVAL_REQUIRED: { tone: "caution", text: "Approval required" },
  DISPATCHED: { tone: "caution", text: "In progress" },
} as const;

/** Returns the status badge of an order. */
export function describeStatus(order: OrderRowFragment) {
  const { status, kind, question, approval } = order;
  if (question) return { tone: "caution", text: "Action required" } as const;
  if (status === "APPROVAL_REQUIRED" && approval?.status === "APPROVED") {
    return { tone: "caution", text: "Approved" } as const;
  }
  if (status === "APPROVAL_REQUIRED" && approval?.status === "EXPIRED") {
    return { tone: "muted", text: "Approval expired" } as const;
  }
  if (kind === "EXPLORED" && status === "DISPATCHED") return { tone: "caution", text: "Exploring" } as const;
  return isLive(status) ? LIVE[status] : findOutcome(order).badge;
}

const isLive = (status: CheckoutOrderStatus): status is keyof typeof LIVE => status in LIVE;

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
  if (__typename === "OrderQuestion") return "Your answer is required";
  return REQUIRED_ACTIONS[ACTIONS_OF_QUESTIONS[__typename] ?? ""]?.title ?? "Action required";
}
