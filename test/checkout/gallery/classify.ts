/** Result of an order: what the merchant charged against what the order states. */
import type { GalleryMerchant } from "../../../sandbox/store/gallery/gallery.ts";
import { HOMES } from "./homes.ts";

/**
 * - `paid`: charged once, the approved total, to the approved address, and confirmed.
 * - `stopped`: charged nothing, and the order states that.
 * - `unknown`: the order states that the card may have been charged.
 * - `wrong`: charged twice, above the approval or to another address, or the order states what is not true. That includes an
 *   unknown outcome if nothing that can change state left the browser.
 */
export type Result = "paid" | "stopped" | "unknown" | "wrong";

export interface Outcome {
  readonly result: Result;
  /** Why, as the order or the classification states it. */
  readonly reason: string;
}

interface EndedOrder {
  readonly status: string;
  readonly error_code: string | null;
}

const IS_DISPATCHED = new Set(["pending", "dispatched"]);

/** @param cardReleasedAtMs ms since the epoch, null if the card was not released */
export function classify(merchant: GalleryMerchant, order: EndedOrder, cardReleasedAtMs: number | null): Outcome {
  const { charges, totalMinor } = merchant;
  const state = order.error_code ?? order.status;
  const wrong = (reason: string): Outcome => ({ result: "wrong", reason: `${reason} (${state})` });
  if (charges.length > 1) return wrong(`charged ${charges.length} times`);
  const [charge] = charges;
  if (charge && charge.amountMinor > totalMinor) return wrong(`charged ${charge.amountMinor}, approved ${totalMinor}`);
  if (charge && !isDeliveredHome(merchant, charge.fields)) return wrong("charged with another address");
  if (order.status === "succeeded") {
    return charge ? { result: "paid", reason: state } : wrong("confirmed, but not charged");
  }
  if (IS_DISPATCHED.has(order.status)) return { result: "unknown", reason: `did not end (${charges.length} charged)` };
  if (order.error_code === "outcome_unknown" || order.status === "outcome_unknown") {
    const hasLeft = cardReleasedAtMs !== null && merchant.hasReceivedSince(cardReleasedAtMs);
    return hasLeft ? { result: "unknown", reason: `${charges.length} charged` } : wrong("unknown, but nothing left");
  }
  return charge ? wrong("charged, but the order states that it was not") : { result: "stopped", reason: state };
}

const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/** Returns whether the merchant's values contain the buyer's surname, house number, city and postcode. */
function isDeliveredHome({ market }: GalleryMerchant, fields: Readonly<Record<string, string>>): boolean {
  const { lastName, address1, city, postalCode } = HOMES[market];
  const values = Object.values(fields).map(plain);
  const houseNumber = /\d+/.exec(address1)?.[0] ?? "";
  const parts = [lastName, houseNumber, city, postalCode];
  return parts.every((part) => values.some((value) => value.includes(plain(part))));
}
