import type { EndingCause } from "../checkout/ending.ts";

/** Causes of an exploration, by the cause of a purchase. */
const CAUSES: Partial<Record<EndingCause, EndingCause>> = {
  captcha: "exploration_walled",
  bot_wall: "exploration_walled",
  login_required: "exploration_walled",
  guest_checkout_unavailable: "exploration_walled",
  missing_field: "missing_field",
  time_spent: "time_spent",
  not_a_shop: "not_a_shop",
};

/** Returns the cause with which an exploration ends; `exploration_failed` for causes of purchases alone. */
export function explorationCauseOf(cause: EndingCause): EndingCause {
  return CAUSES[cause] ?? "exploration_failed";
}
