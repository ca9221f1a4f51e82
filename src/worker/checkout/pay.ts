/** The page that pays: the price is read, the card asked for and typed, and the payment sent, once. */
import type { PurchaseJob } from "../../checkout/worker-protocol/job.ts";
import type { RecipeDefinition } from "../../checkout/worker-protocol/recipe.ts";
import type { DriveResult, WorkerSession } from "../session.ts";
import { awaitAnswer } from "./await-answer.ts";
import { fillBilling } from "./billing.ts";
import { cardFieldsOf, isPrivateLine, pinsOf } from "./card-fields.ts";
import { click } from "./click.ts";
import { findControl, submitOfForm } from "./controls.ts";
import { lookPastWalls } from "./course.ts";
import type { PageControl } from "./document-view.ts";
import { CheckoutEndedError } from "./ending.ts";
import { fillCard, lackingOf } from "./fill-card.ts";
import { documentsOf, type PageView } from "./page-snapshot.ts";
import { installPayGate } from "./pay-gate.ts";
import type { PaymentPage, Walk } from "./reach-payment.ts";
import type { ShopOrigins } from "./shop-origins.ts";
import { totalOf } from "./total.ts";

interface Paying extends Walk {
  readonly session: WorkerSession<PurchaseJob>;
  /** Called once the card counts as submitted. */
  readonly onSubmitted: () => void;
}

/** @throws {CheckoutEndedError} before the card is submitted only */
export async function pay(paying: Paying, till: PaymentPage): Promise<DriveResult> {
  const { session, course, shop, recipe } = paying;
  const { job, signal } = session;
  await course.traffic.settled(course.page);
  if (course.traffic.isRefused) throw new CheckoutEndedError("form_rejected", "the shop refuses what was filled in");
  const before = await lookPastWalls(course);
  assertWithin(paying, before);
  const fields = await cardFieldsOf(before, recipe);
  const lacking = lackingOf(fields);
  if (lacking) throw new CheckoutEndedError("missing_field", lacking);
  const pins = pinsOf(fields, recipe, shop);
  if (fields.some(({ view }) => !pins.has(new URL(view.url).origin))) {
    throw new CheckoutEndedError("missing_field", "the card is asked for in a frame that may not have it");
  }
  const payUrl = (await payControl(before, recipe))?.posts ?? till.pay.posts;
  const lines = [before.main.url, ...fields.map(({ view }) => view.url), ...(payUrl === null ? [] : [payUrl])];
  if (!lines.every(isPrivateLine)) {
    throw new CheckoutEndedError("missing_field", "the card would go over a line that others can read");
  }
  const gate = await installPayGate(session.context, {
    shopOrigins: shop.met,
    isPayment: (url) => (payUrl !== null && url.split("#")[0] === payUrl.split("#")[0]) || isPayPath(recipe, url),
    seen: course.traffic.seen,
    answerMs: course.timing.answerMs,
  });
  try {
    await session.step("read the price", { outcome: "within what was approved", screenshot: true });
    signal.throwIfAborted();
    const card = await session.releaseCard();
    await fillCard(session, fields, card, pins);
    await fillBilling(paying, card.billingAddress);
    await course.traffic.settled(course.page);
    const ready = await lookPastWalls(course);
    assertWithin(paying, ready);
    const control = await payControl(ready, recipe);
    const element = control && (await ready.main.element(control.index));
    if (!element) throw new CheckoutEndedError("missing_field", "the button that pays is gone");
    signal.throwIfAborted();
    await session.submitting();
    paying.onSubmitted();
    gate.open();
    const isClicked = await click(element);
    await session.step("pay", {
      selector: `${control.tag}:label("${control.text}")`,
      outcome: isClicked ? "sent once" : "the click was not taken",
      screenshot: false,
    });
    const { timing, traffic } = course;
    const known = new Set(documentsOf(ready).flatMap(({ alerts }) => alerts));
    return await awaitAnswer({ session, gate, traffic, timing, shop, pins, currency: job.currency, known });
  } finally {
    // For as long as the pages live: what they send later pays nothing.
    gate.close();
  }
}

/** @throws {CheckoutEndedError} the total is above what was approved, or in another currency, or not to be read */
function assertWithin(
  { session: { job }, shop }: { session: Pick<Paying["session"], "job">; shop: ShopOrigins },
  view: PageView,
): void {
  const total = totalOf(view, job.currency, ({ url }) => shop.has(url));
  if (!total) throw new CheckoutEndedError("missing_field", "the total cannot be read");
  if (total.currency !== job.currency)
    throw new CheckoutEndedError("price_changed", `the total is in ${total.currency}`);
  const mostMinor = Math.min(job.amountMinor, job.request.constraints?.maxTotalMinor ?? job.amountMinor);
  if (total.amountMinor > mostMinor)
    throw new CheckoutEndedError("price_changed", "the total is above what was approved");
}

async function payControl({ main }: PageView, recipe: RecipeDefinition | null): Promise<PageControl | null> {
  return (await findControl(main, "pay", recipe)) ?? submitOfForm(main);
}

/** `*` stands for one segment of the path. */
function isPayPath(recipe: RecipeDefinition | null, url: string): boolean {
  if (!recipe?.payPath) return false;
  const wanted = recipe.payPath.split("/");
  const given = new URL(url).pathname.split("/");
  return wanted.length === given.length && wanted.every((part, index) => part === "*" || part === given[index]);
}
