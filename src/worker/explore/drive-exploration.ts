/** Explores one shop: who it is, what it sells, and how its checkout begins. Never asks for a card, and tells the shop nothing. */

import type { Exploration, FoundProduct } from "../../checkout/worker-protocol/exploration.ts";
import type { ExplorationJob } from "../../checkout/worker-protocol/job.ts";
import { type Course, lookPastWalls, open } from "../checkout/course.ts";
import { CheckoutEndedError, type EndingCause, TIMING, type Timing } from "../checkout/ending.ts";
import { watchTraffic } from "../checkout/traffic.ts";
import type { DriveResult, WorkerSession } from "../session.ts";
import { byGoal, type Catalogue, readCatalogue } from "./read-catalogue.ts";
import { type CheckoutFacts, readCheckout } from "./read-checkout.ts";
import { countryOf, logoOf, shopNameOf } from "./site-facts.ts";
import { taxPolicyOf } from "./tax-policy.ts";

/** Spec section 8: up to two minutes, for all of it; reading pages gets the first part. */
const EXPLORATION_MS = 110_000;
const CATALOGUE_MS = 50_000;
const MOST_TRIED = 3;
/** A shop with less patience than this for a page is not explored in time. */
const EXPLORING: Timing = { ...TIMING, navigationMs: 20_000 };

/** What a purchase calls it, and what an exploration does. */
const CAUSES: Partial<Record<EndingCause, EndingCause>> = {
  captcha: "exploration_walled",
  bot_wall: "exploration_walled",
  login_required: "exploration_walled",
  guest_checkout_unavailable: "exploration_walled",
  missing_field: "missing_field",
  time_spent: "time_spent",
  not_a_shop: "not_a_shop",
};

/** @throws the signal's reason, and what the browser throws once its pages are closed */
export async function driveExploration(
  session: WorkerSession<ExplorationJob>,
  { timing = EXPLORING, withinMs = EXPLORATION_MS }: { readonly timing?: Timing; readonly withinMs?: number } = {},
): Promise<DriveResult> {
  const traffic = watchTraffic(session.context, timing);
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new CheckoutEndedError("time_spent", "the time is spent")), withinMs);
  try {
    const course = { page: session.page, traffic, timing };
    return { cause: "explored", exploration: await Promise.race([explore(session, course), late.promise]) };
  } catch (error) {
    if (session.signal.aborted || !(error instanceof CheckoutEndedError)) throw error;
    await session.step("stop", { outcome: error.message, screenshot: true });
    return { cause: CAUSES[error.cause] ?? "exploration_failed" };
  } finally {
    clearTimeout(timer);
    traffic.stop();
  }
}

async function explore(session: WorkerSession<ExplorationJob>, course: Course): Promise<Exploration> {
  const { merchantUrl, goal } = session.job.request;
  const { page } = course;
  const untilMs = performance.now() + CATALOGUE_MS;
  const landingText = await openShop(course, merchantUrl);
  const { origin, host, hostname } = new URL(page.url());
  await session.step("open the shop", { outcome: await page.title(), screenshot: true });
  const catalogue = await readCatalogue(page, { goal, untilMs });
  const { products, pages } = catalogue;
  const [{ currency } = { currency: "" }] = products;
  if (currency === "") throw new CheckoutEndedError("not_a_shop", "nothing with a price was found");
  await session.step("read the catalogue", { outcome: `found ${products.length} products` });
  const till = await tryCheckout(session, course, catalogue);
  const { shipsTo, chosenCountry: chosen, supportsPickup, recipe } = till ?? withoutTill(origin);
  return {
    ...{ url: origin, name: shopNameOf(pages, host), currency, shipsTo: [...shipsTo], supportsPickup, recipe },
    countryCode: countryOf(pages, { hostname, currency, shipsTo, chosen }),
    taxPolicy: taxPolicyOf(pages, [...(till?.texts ?? []), landingText]),
    logoUrl: logoOf(pages, origin),
    products: [...products],
    isWhole: catalogue.isWhole,
  };
}

/** The page that was asked for; where there is nothing, the shop's first. Answers what it says. */
async function openShop(course: Course, merchantUrl: string): Promise<string> {
  const root = new URL("/", merchantUrl).href;
  for (const url of new Set([new URL(merchantUrl).href, root])) {
    try {
      await open(course, url);
      return (await lookPastWalls(course)).main.text;
    } catch (error) {
      const isGone = error instanceof CheckoutEndedError && /^(?:shop_unavailable|out_of_stock)$/.test(error.cause);
      if (!isGone || url === root) throw error;
    }
  }
  throw new CheckoutEndedError("shop_unavailable", "the shop does not answer");
}

/**
 * Tries what fits best, and where the shop has no more of it or takes no order so small, what costs most. Null: nothing of
 * what it shows can be bought now.
 */
async function tryCheckout(
  session: WorkerSession<ExplorationJob>,
  course: Course,
  { products }: Catalogue,
): Promise<CheckoutFacts | null> {
  const fitting = byGoal(products, session.job.request.goal).filter(({ available }) => available);
  const dearest = fitting.toSorted((one, other) => other.priceMinor - one.priceMinor);
  const tried = new Set<FoundProduct>([...fitting.slice(0, 1), ...dearest.slice(0, 1), ...fitting]);
  for (const product of [...tried].slice(0, MOST_TRIED)) {
    try {
      const facts = await readCheckout(course, product);
      const { cardFrameOrigins } = facts.recipe;
      const card = cardFrameOrigins === null ? "asks who buys before it asks for a card" : "asks for a card";
      await session.step("open the checkout", { outcome: `the page ${card}`, screenshot: true });
      return facts;
    } catch (error) {
      const isElse = error instanceof CheckoutEndedError && /^(?:out_of_stock|form_rejected)$/.test(error.cause);
      if (!isElse) throw error;
      await session.step("try a product", { outcome: error.message });
    }
  }
  return null;
}

function withoutTill(origin: string): CheckoutFacts {
  const unseen = { basketUrl: null, cardFrameOrigins: null, payPath: null };
  return {
    ...{ shipsTo: [], chosenCountry: null, supportsPickup: false, texts: [] },
    recipe: { format: 1, checkoutOrigins: [origin], ...unseen, fields: {}, controls: {} },
  };
}
