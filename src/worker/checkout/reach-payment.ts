/** Walks from the basket to the page that pays, whatever pages a shop puts between: each is read, filled in, and left. */
import type { PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import type { WorkerSession } from "../session.ts";
import type { Values } from "./buyer.ts";
import { type CardField, cardFieldsOf } from "./card-fields.ts";
import { findControl, submitOfForm } from "./controls.ts";
import { type Course, clickThrough, lookPastWalls } from "./course.ts";
import { type DeliveryPick, pickCardPayment, pickDelivery } from "./delivery.ts";
import type { PageControl } from "./document-view.ts";
import { CheckoutEndedError } from "./ending.ts";
import { fillForm, lackingIn, type Tries } from "./fill-form.ts";
import { describe, documentsOf, type FrameView, type PageView } from "./page-snapshot.ts";
import type { ShopOrigins } from "./shop-origins.ts";
import { totalOf } from "./total.ts";
import { isGuestControl } from "./walls.ts";

export interface Walk {
  readonly session: Pick<WorkerSession<PurchaseJob>, "job" | "step" | "signal">;
  readonly course: Course;
  readonly shop: ShopOrigins;
  readonly recipe: RecipeDefinition | null;
  readonly values: Values;
  readonly tries: Tries;
}

/** The page that pays, with all it asks for filled in but the card. */
export interface PaymentPage {
  readonly view: PageView;
  readonly pay: PageControl;
  readonly cardFields: readonly CardField[];
}

const MOST_TURNS = 60;
const MOST_CLICKS = 2;
const LOOK_AGAIN_MS = 100;
const UNDELIVERABLE =
  /(?:cannot|can(?:'|’)t|do not|don(?:'|’)t|unable to|not) (?:be )?(?:deliver|ship|sen[dt])|no (?:shipping|delivery) (?:methods?|options?|rates?)|liefern (?:wir )?nicht|ne livr|no (?:enviamos|entregamos)|non (?:spediamo|consegniamo)/i;

/** @throws {CheckoutEndedError} */
export async function reachPayment(walk: Walk): Promise<PaymentPage> {
  const { session, course, shop } = walk;
  const clicks = new Map<string, number>();
  let isDeliveryPicked = session.job.fulfillment?.type === "digital";
  let restlessSinceMs = performance.now();
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    session.signal.throwIfAborted();
    const view = await lookPastWalls(course);
    if (!shop.has(view.main.url)) throw new CheckoutEndedError("missing_field", "the checkout leads to another site");
    if (await changePage(walk, view)) {
      await course.traffic.settled(course.page);
      restlessSinceMs = performance.now();
      continue;
    }
    const delivery = await pickDelivery(view.main, session.job);
    isDeliveryPicked ||= delivery.isFound;
    if (delivery.chosen !== null) {
      await session.step("choose the delivery", { outcome: delivery.chosen });
      await course.traffic.settled(course.page);
      restlessSinceMs = performance.now();
      continue;
    }
    const isPatient = performance.now() - restlessSinceMs < course.timing.appearMs;
    const till = await tillOf(walk, view);
    if (till && (isDeliveryPicked || (!isPatient && delivery.others === 0))) return till;
    const next = till ? null : await wayOn(walk, view);
    if (next && (isDeliveryPicked || delivery.others === 0)) {
      await goOn(walk, view, next, clicks);
      restlessSinceMs = performance.now();
      continue;
    }
    if (!isPatient) throw stuck(walk, view, delivery);
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  throw new CheckoutEndedError("missing_field", "the checkout does not come to an end");
}

/** One round of filling in; true when something was. */
async function changePage({ session, shop, recipe, values, tries }: Walk, view: PageView): Promise<boolean> {
  const ofShop = documentsOf(view).filter(({ url }) => shop.has(url));
  const filled: string[] = [];
  for (const document of ofShop) filled.push(...(await fillForm(document, { values, billing: null, recipe, tries })));
  if (filled.length > 0) {
    await session.step("fill in", {
      selector: filled.join(", ").slice(0, 500),
      outcome: `filled ${filled.length} fields`,
    });
    return true;
  }
  return await pickCardPayment(view.main);
}

async function tillOf({ recipe, shop, session }: Walk, view: PageView): Promise<PaymentPage | null> {
  const cardFields = await cardFieldsOf(view, recipe);
  const pay =
    cardFields.length === 0 ? null : ((await findControl(view.main, "pay", recipe)) ?? submitOfForm(view.main));
  if (!pay) return null;
  const isPriced = totalOf(view, session.job.currency, ({ url }) => shop.has(url)) !== null;
  return isPriced ? { view, pay, cardFields } : null;
}

/** Guests first; then what is called a way on; then the only button of the form. */
async function wayOn({ recipe, session }: Walk, { main }: PageView): Promise<PageControl | null> {
  const asksPassword = main.fields.some(({ type }) => type === "password");
  const guest = asksPassword
    ? main.controls.find(({ text, disabled }) => !disabled && isGuestControl(text))
    : undefined;
  if (guest) return guest;
  if (await findControl(main, "pay", recipe)) return null;
  session.signal.throwIfAborted();
  return (
    (await findControl(main, "continue", recipe)) ?? (await findControl(main, "checkout", recipe)) ?? submitOfForm(main)
  );
}

/** @throws {CheckoutEndedError} the page stays, and says why */
async function goOn(
  { session, course }: Walk,
  view: PageView,
  control: PageControl,
  clicks: Map<string, number>,
): Promise<void> {
  const key = `${view.main.url} ${control.text}`;
  const count = (clicks.get(key) ?? 0) + 1;
  clicks.set(key, count);
  if (count > MOST_CLICKS) throw refused(view.main);
  const element = await view.main.element(control.index);
  if (!element || !(await clickThrough(course, element))) return;
  const after = await lookPastWalls(course);
  await session.step("go on", {
    selector: describe({ ...control, label: control.text }, control.tag),
    outcome: after.main.title,
    screenshot: true,
  });
  const isSame = signatureOf(after.main) === signatureOf(view.main);
  const complains =
    after.main.alerts.length > view.main.alerts.length || after.main.fields.some(({ invalid }) => invalid);
  if (isSame && complains) throw refused(after.main);
}

function refused(view: FrameView): CheckoutEndedError {
  const lacking = lackingIn(view);
  return lacking.length > 0
    ? new CheckoutEndedError("missing_field", `nobody knows what to fill in here: ${lacking.join(", ").slice(0, 300)}`)
    : new CheckoutEndedError("form_rejected", "the form is not taken");
}

/** Pages that ask for the same are the same, whatever their address. */
function signatureOf({ fields }: FrameView): string {
  return fields.map((field) => `${field.type} ${describe(field)}`).join(";");
}

function stuck({ course, session }: Walk, view: PageView, delivery: DeliveryPick): CheckoutEndedError {
  const { main } = view;
  if (UNDELIVERABLE.test(main.text))
    return new CheckoutEndedError("form_rejected", "the shop does not deliver this there");
  if (delivery.others > 0) {
    return session.job.fulfillment
      ? new CheckoutEndedError("missing_field", "the approved delivery is not among those offered")
      : new CheckoutEndedError("form_rejected", "the shop offers no delivery to the buyer");
  }
  if (course.traffic.isRefused) return new CheckoutEndedError("form_rejected", "the shop refuses what was filled in");
  if (course.traffic.hasBrokenFrame)
    return new CheckoutEndedError("shop_unavailable", "the fields for the card do not come");
  const lacking = lackingIn(main);
  if (lacking.length > 0) return refused(main);
  return new CheckoutEndedError("missing_field", "nothing leads on from here");
}
