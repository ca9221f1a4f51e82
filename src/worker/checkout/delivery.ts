/** Selects the approved delivery option, or the cheapest shipping option if none was approved. */
import type { JobFulfillment, PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import { type Choice, type ChoiceSet, choiceSetsOf } from "./choices.ts";
import { deliveryButtonsOf, pricedControlsOf } from "./delivery-buttons.ts";
import { containsTitle, DELIVERY, PAYMENT, PICKUP, SHIPPING } from "./delivery-words.ts";
import { CheckoutEndedError } from "./ending.ts";
import { chooseOption } from "./fill-field.ts";
import type { FrameView } from "./page-snapshot.ts";
import type { Choose } from "./pick-from-list.ts";
import { amountsOf } from "./read-money.ts";

const CARD = /card|karte|\bcarte\b|tarjeta|\bcarta\b|kaart|\bkart[aąy]\b|kort\b|cartão|カード/i;

export interface DeliveryPick {
  /** Text of the option just selected. Null if nothing was changed. */
  readonly chosen: string | null;
  /** Whether the approved option is offered and selected. */
  readonly isFound: boolean;
  /** Number of delivery options offered, if none of them is the approved one. */
  readonly otherCount: number;
}

/**
 * Makes at most one selection per call, because each selection may change the page.
 * @param pressed texts of the options whose own buttons were pressed; extended
 */
export async function pickDelivery(
  view: FrameView,
  { fulfillment, request, currency }: Pick<PurchaseJob, "fulfillment" | "request" | "currency">,
  pressed: Set<string> = new Set(),
): Promise<DeliveryPick> {
  const pickupName = fulfillment?.pickupLocation?.name ?? request.pickupLocation;
  const isCollected = fulfillment
    ? isCollection(fulfillment)
    : pickupName !== null || request.pickupLocationId !== null;
  const title = fulfillment?.title ?? null;
  const sets = [
    ...choiceSetsOf(view),
    ...deliveryButtonsOf(view, title, pressed),
    ...pricedControlsOf(view, title, pressed),
  ].filter((set) => !isOfPayment(set));
  for (const set of sets) {
    const mode = deliveryModeOf(set, isCollected, fulfillment);
    if (mode && !mode.isChosen && (await mode.choose())) {
      return { chosen: isCollected ? "Pickup" : "Shipping", isFound: false, otherCount: 0 };
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
  const listed = fulfillment && (await pickFromLists(view, { fulfillment, currency, pressed }));
  return listed ?? { chosen: null, isFound: false, otherCount };
}

/** Chooses the approved delivery in a list whose options may not exist before it is opened. Null without such a list. */
async function pickFromLists(
  view: FrameView,
  {
    fulfillment,
    currency,
    pressed,
  }: { readonly fulfillment: JobFulfillment; readonly currency: string; readonly pressed: Set<string> },
): Promise<DeliveryPick | null> {
  const lists = view.fields.filter(
    ({ type, disabled, label, group, nearby, name }) =>
      type === "combobox" && !disabled && DELIVERY.test(`${label} ${group} ${nearby} ${name}`),
  );
  for (const field of lists) {
    if (containsTitle(field.value ?? "", fulfillment.title)) return { chosen: null, isFound: true, otherCount: 0 };
    const key = `list ${field.label}`;
    if (pressed.has(key)) continue;
    pressed.add(key);
    const choose: Choose = (options) => {
      const choices = options.map(({ text }) => ({ text, isChosen: false, choose: async () => false }));
      const approved = approvedIn({ title: "", form: -1, choices }, fulfillment, currency);
      return approved ? (options[choices.indexOf(approved)] ?? null) : null;
    };
    if (await chooseOption(view, field, choose, fulfillment.title))
      return { chosen: fulfillment.title, isFound: true, otherCount: 0 };
  }
  return null;
}

/** Selects payment by card where a page offers several methods. Returns whether the selection changed. */
export async function pickCardPayment(view: FrameView): Promise<boolean> {
  for (const set of choiceSetsOf(view)) {
    if (!isOfPayment(set)) continue;
    const card = set.choices.find(({ text }) => isCardChoice(text));
    if (card && !card.isChosen) return await card.choose();
  }
  return false;
}

/** Whether a payment method is a payment by card. */
export function isCardChoice(text: string): boolean {
  return CARD.test(text) && !/gift|geschenk|cadeau|regalo|presentkort|podarunkow/i.test(text);
}

function isCollection({ type }: JobFulfillment): boolean {
  return type === "pickup" || type === "pickup_point";
}

/** Returns the choice of shipping or pickup on pages that offer it before the individual options. */
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

/** Whether a page requests the payment method with these choices. */
export function isOfPayment({ title, choices }: ChoiceSet): boolean {
  return PAYMENT.test(title) || choices.some(({ text }) => PAYMENT.test(text));
}

/** Whether the caption or at least two of the choices name a delivery. */
export function namesDelivery({ title, choices }: ChoiceSet): boolean {
  return DELIVERY.test(title) || choices.filter(({ text }) => DELIVERY.test(text)).length > 1;
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

/** Finds the approved option by title, otherwise by price if exactly one option has the approved price. */
function approvedIn({ choices }: ChoiceSet, { title, amountMinor }: JobFulfillment, currency: string): Choice | null {
  const costs = ({ text }: Choice) => amountsOf(text, currency).includes(amountMinor);
  const same = choices.filter(({ text }) => containsTitle(text, title));
  const [exact] = same.filter(costs);
  const [other] = same;
  if (exact) return exact;
  if (other) {
    const shown = amountsOf(other.text, currency).at(-1);
    if (shown !== undefined && shown > amountMinor) {
      throw new CheckoutEndedError("price_changed", "The approved delivery option costs more than approved");
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

/** Returns the cheapest shipping option. */
function cheapestIn({ choices }: ChoiceSet, currency: string): Choice | null {
  const priced = choices
    .filter(({ text }) => !PICKUP.test(text))
    .map((choice) => ({ choice, amountMinor: amountsOf(choice.text, currency).at(-1) ?? Number.POSITIVE_INFINITY }))
    .toSorted((one, other) => one.amountMinor - other.amountMinor);
  return priced[0]?.choice ?? null;
}
