/** Orders in words: how far they are, what was bought where, and what comes next. */
import type { CheckoutOrderStatus, OrderDetailsFragment, OrderRowFragment } from "../../generated/graphql.ts";

const STATUSES = {
  pending: { tone: "caution", text: "Waiting for a checkout" },
  approval_required: { tone: "caution", text: "Waiting for you" },
  dispatched: { tone: "caution", text: "Being placed" },
  succeeded: { tone: "good", text: "Bought" },
  merchant_error: { tone: "bad", text: "Not bought: the shop refused or failed" },
  worker_error: { tone: "bad", text: "Not bought: the checkout broke off" },
  price_changed: { tone: "bad", text: "Not bought: the price changed" },
  out_of_stock: { tone: "bad", text: "Not bought: sold out" },
  payment_unconfirmed: { tone: "caution", text: "Unclear: perhaps charged" },
  payment_gate_hit: { tone: "bad", text: "Not bought: stopped on the way" },
  timeout: { tone: "bad", text: "Not bought: took too long" },
  explored: { tone: "good", text: "Explored" },
} as const satisfies Record<CheckoutOrderStatus, { tone: "good" | "bad" | "caution"; text: string }>;

/** The status in words, of this very order: causes share a status, and mean different things to a person. */
export function statusOf(order: OrderRowFragment) {
  const { status, kind, personNeededFor, retryable, isTerminal, retryAction, approval } = order;
  if (personNeededFor !== null) return { tone: "caution", text: "Needs you now" } as const;
  if (status === "approval_required" && approval?.status === "APPROVED") {
    return { tone: "caution", text: "Approved" } as const;
  }
  if (status === "approval_required" && approval?.status === "EXPIRED") {
    return { tone: "muted", text: "Not bought: its time is over" } as const;
  }
  if (kind === "explored" && status === "dispatched") return { tone: "caution", text: "Being explored" } as const;
  if (kind === "explored" && isTerminal && status !== "explored") {
    return { tone: "bad", text: "Could not be explored" } as const;
  }
  if (status === "payment_gate_hit" && retryable === null) return STATUSES.payment_unconfirmed;
  if (status === "payment_gate_hit" && retryAction === "none") return { tone: "muted", text: "You denied it" } as const;
  if (status === "succeeded" && retryAction === "contact_support") {
    return { tone: "caution", text: "Bought, for more than approved" } as const;
  }
  return STATUSES[status];
}

/** Whether it waits for its person: to be approved, or to do what the checkout asks. */
export function waitsForPerson({ status, personNeededFor, approval }: OrderRowFragment): boolean {
  return personNeededFor !== null || (status === "approval_required" && approval?.status === "PENDING");
}

/** "Kettle, Red and 2 more"; of an exploration, that it is one. */
export function whatOf({ kind, lines }: Pick<OrderRowFragment, "kind" | "lines">): string {
  if (kind === "explored") return "A first look at the shop";
  const [first, ...others] = lines;
  if (!first) return "An order";
  const name = [first.title, first.variantTitle].filter(Boolean).join(", ");
  return others.length === 0 ? name : `${name} and ${others.length} more`;
}

export function shopOf({ merchant, merchantUrl }: Pick<OrderRowFragment, "merchant" | "merchantUrl">): string {
  if (merchant) return merchant.name;
  return merchantUrl && URL.canParse(merchantUrl) ? new URL(merchantUrl).host : "A shop not known yet";
}

/** What the person is asked to do. */
export const NEEDS: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  three_d_secure: {
    title: "Your bank asks you to confirm the payment",
    text: "Answer it below, where the bank’s page is shown. It waits for five minutes at most.",
  },
  security_code: {
    title: "The shop asks for your card’s security code",
    text: "It is not kept with the card, so it is asked for with each order.",
  },
};

/** What to do now, by `retryAction`; null while there is nothing. */
export function nextStepOf(order: OrderDetailsFragment): string | null {
  const { status, kind, retryAction, retryable, errorCode } = order;
  switch (retryAction) {
    case "poll":
      return null;
    case "re_preview":
      if (status === "explored") return "It can be bought from now. Ask your agent for a price.";
      if (kind === "explored") return "Ask your agent to explore the shop again, or do it from the shops’ page.";
      if (retryable === false) return "Ask your agent for something else, or to look again later.";
      return "If you still want it, ask your agent for a fresh price. Nothing was charged, so ordering again is safe.";
    case "handoff":
      return "If you still want it, finish it yourself on the shop’s own page. Nothing was charged here.";
    case "contact_support":
      if (errorCode === "overcharged") {
        return "Compare the charge with what you approved, and ask the shop why it is higher. The evidence below shows both.";
      }
      if (retryable === null) {
        return "Look whether your card was charged and whether the shop wrote to you; if in doubt ask the shop, with the evidence below.";
      }
      return "This shop’s checkout has to be looked at by whoever runs this installation. Nothing was charged.";
    case "none":
      return status === "succeeded" ? null : "There is nothing to do.";
  }
}
