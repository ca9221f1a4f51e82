/** Picks the way of delivery that was approved, or where none was, the cheapest that sends it to the buyer. */
import type { JobFulfillment, PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import { type Choice, type ChoiceSet, choiceSetsOf } from "./choices.ts";
import { CheckoutEndedError } from "./ending.ts";
import type { FrameView } from "./page-snapshot.ts";
import { amountsOf } from "./read-money.ts";

const PICKUP = /pick[ -]?up|collect|in[ -]store|abhol|retrait|\bretirer|recog|ritir|afhal|受け?取り?に|店舗/i;
const SHIPPING =
  /\bship|deliver|\bsend|\bpost\b|courier|versand|liefer|livraison|expédi|envío|enviar|sped|bezorg|verzend|配送|発送/i;
const DELIVERY = new RegExp(`${PICKUP.source}|${SHIPPING.source}|fulfil|zustell`, "i");
const PAYMENT =
  /payment|paypal|klarna|credit card|debit card|apple ?pay|google ?pay|bank transfer|invoice|zahlung|kreditkarte|paiement|carte bancaire|\bpago\b|tarjeta|pagamento|betaal|支払/i;
const CARD = /card|karte|\bcarte\b|tarjeta|\bcarta\b|kaart|カード/i;

export interface DeliveryPick {
  /** Null: nothing had to be changed. */
  readonly chosen: string | null;
  /** The approved way stands on the page, and is or was picked. */
  readonly isFound: boolean;
  /** Ways to get it that are offered, none of which is the approved one. */
  readonly otherCount: number;
}

/** One thing at a time: what is picked may change the page. */
export async function pickDelivery(
  view: FrameView,
  { fulfillment, request, currency }: Pick<PurchaseJob, "fulfillment" | "request" | "currency">,
): Promise<DeliveryPick> {
  const pickupName = fulfillment?.pickupLocation?.name ?? request.pickupLocation;
  const isCollected = fulfillment
    ? isCollection(fulfillment)
    : pickupName !== null || request.pickupLocationId !== null;
  const sets = choiceSetsOf(view).filter((set) => !isOfPayment(set));
  for (const set of sets) {
    const mode = deliveryModeOf(set, isCollected, fulfillment);
    if (mode && !mode.isChosen && (await mode.choose())) {
      return { chosen: isCollected ? "to be collected" : "to be delivered", isFound: false, otherCount: 0 };
    }
  }
  let otherCount = 0;
  for (const set of sets.filter((one) => deliveryModeOf(one, isCollected, fulfillment) === null)) {
    if (!isOfDelivery(set, fulfillment, pickupName)) continue;
    const best = fulfillment
      ? approvedIn(set, fulfillment, currency)
      : isCollected
        ? matchingPlace(set, pickupName)
        : cheapestIn(set, currency);
    if (!best) {
      otherCount += set.choices.length;
      continue;
    }
    if (best.isChosen) return { chosen: null, isFound: true, otherCount: 0 };
    if (await best.choose()) return { chosen: best.text, isFound: true, otherCount: 0 };
  }
  return { chosen: null, isFound: false, otherCount };
}

/** Picks the card where a page asks how to pay. Answers whether it changed anything. */
export async function pickCardPayment(view: FrameView): Promise<boolean> {
  for (const set of choiceSetsOf(view)) {
    if (!isOfPayment(set)) continue;
    const card = set.choices.find(({ text }) => CARD.test(text) && !/gift|geschenk|cadeau/i.test(text));
    if (card && !card.isChosen) return await card.choose();
  }
  return false;
}

function isCollection({ type }: JobFulfillment): boolean {
  return type === "pickup" || type === "pickup_point";
}

/** The choice between being sent it and collecting it, where a page makes one before it lists the ways. */
function deliveryModeOf(
  { choices }: ChoiceSet,
  isCollected: boolean,
  fulfillment: JobFulfillment | null,
): Choice | null {
  if (choices.length < 2 || choices.length > 3) return null;
  const pickups = choices.filter(({ text }) => PICKUP.test(text));
  const shipments = choices.filter(({ text }) => SHIPPING.test(text) && !PICKUP.test(text));
  const [pickup] = pickups;
  const [shipment] = shipments;
  if (pickups.length !== 1 || shipments.length !== 1 || !pickup || !shipment) return null;
  const isApproved = fulfillment && choices.some(({ text }) => containsTitle(text, fulfillment.title));
  return isApproved ? null : isCollected ? pickup : shipment;
}

function isOfPayment({ title, choices }: ChoiceSet): boolean {
  return PAYMENT.test(title) || choices.some(({ text }) => PAYMENT.test(text));
}

function isOfDelivery(
  { title, choices }: ChoiceSet,
  fulfillment: JobFulfillment | null,
  place: string | null,
): boolean {
  if (choices.length === 0) return false;
  const names = [fulfillment?.title, place].filter((name) => name !== undefined && name !== null);
  if (choices.some(({ text }) => names.some((name) => containsTitle(text, name)))) return true;
  return DELIVERY.test(title) && choices.some(({ text }) => /\d/.test(text) || DELIVERY.test(text));
}

/** By its title first; where shops name it otherwise at checkout, by its price when only one has that. */
function approvedIn({ choices }: ChoiceSet, { title, amountMinor }: JobFulfillment, currency: string): Choice | null {
  const costs = ({ text }: Choice) => amountsOf(text, currency).includes(amountMinor);
  const same = choices.filter(({ text }) => containsTitle(text, title));
  const [exact] = same.filter(costs);
  const [other] = same;
  if (exact) return exact;
  if (other) {
    const shown = amountsOf(other.text, currency).at(-1);
    if (shown !== undefined && shown > amountMinor) {
      throw new CheckoutEndedError("price_changed", "the approved delivery costs more than approved");
    }
    return other;
  }
  const [only, second] = choices.filter(costs);
  return only && !second ? only : null;
}

function matchingPlace({ choices }: ChoiceSet, place: string | null): Choice | null {
  const same = place === null ? [] : choices.filter(({ text }) => containsTitle(text, place));
  return same[0] ?? (choices.length === 1 ? (choices[0] ?? null) : null);
}

/** Of those that send it. */
function cheapestIn({ choices }: ChoiceSet, currency: string): Choice | null {
  const priced = choices
    .filter(({ text }) => !PICKUP.test(text))
    .map((choice) => ({ choice, amountMinor: amountsOf(choice.text, currency).at(-1) ?? Number.POSITIVE_INFINITY }))
    .toSorted((one, other) => one.amountMinor - other.amountMinor);
  return priced[0]?.choice ?? null;
}

function containsTitle(text: string, title: string): boolean {
  const foldedTitle = folded(title);
  return foldedTitle !== "" && folded(text).includes(foldedTitle);
}

const folded = (text: string) =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
