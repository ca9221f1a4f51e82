/** Explores one merchant: its name, products and checkout. Never requests a card and never submits personal data. */

import { taxPolicyOf } from "../../checkout/merchant-pages/tax-policy.ts";
import type { Exploration, FoundProduct } from "../../checkout/worker-protocol/exploration.ts";
import type { ExplorationJob } from "../../checkout/worker-protocol/job.ts";
import { CheckoutEndedError, TIMING, type Timing } from "../checkout/ending.ts";
import { merchantOriginsOf } from "../checkout/merchant-origins.ts";
import { type Navigation, openPage, snapshotUnblocked } from "../checkout/navigation.ts";
import type { FrameView } from "../checkout/page-snapshot.ts";
import { followPage, type PageTrail } from "../checkout/page-trail.ts";
import { watchTraffic } from "../checkout/traffic.ts";
import type { DriveResult, WorkerSession } from "../session.ts";
import { explorationCauseOf } from "./exploration-cause.ts";
import { type Catalogue, rankByGoal, readCatalogue } from "./read-catalogue.ts";
import { type CheckoutFacts, readCheckout } from "./read-checkout.ts";
import { resolveUrl } from "./resolve-url.ts";
import { countryOf, logoOf, merchantNameOf } from "./site-facts.ts";

/** Time limit of an exploration; spec section 8 allows two minutes. The catalogue may use the first part. */
const EXPLORATION_MS = 110_000;
const CATALOGUE_MS = 50_000;
const MAX_PRODUCTS_TRIED = 3;
const MAX_RESOLUTIONS = 3;
/** Shorter navigation timeout than for a purchase, because slow pages would exceed the total limit. */
const EXPLORATION_TIMING: Timing = { ...TIMING, navigationMs: 20_000 };

/** Drives an exploration. @throws the signal's reason, or the browser's error after its pages closed */
export async function driveExploration(
  session: WorkerSession<ExplorationJob>,
  {
    timing = EXPLORATION_TIMING,
    withinMs = EXPLORATION_MS,
  }: { readonly timing?: Timing; readonly withinMs?: number } = {},
): Promise<DriveResult> {
  const traffic = watchTraffic(session.context, timing);
  const trail = followPage(session.page, { closesPopups: true });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new CheckoutEndedError("time_spent", "Time limit exceeded")), withinMs);
  try {
    const navigation = { page: session.page, traffic, timing };
    const exploring = explore(session, navigation, trail);
    return { cause: "explored", exploration: await Promise.race([exploring, late.promise]) };
  } catch (error) {
    if (session.signal.aborted || !(error instanceof CheckoutEndedError)) throw error;
    await session.step("Stop", { outcome: error.message, screenshot: true });
    return { cause: explorationCauseOf(error.cause) };
  } finally {
    clearTimeout(timer);
    trail.stop();
    traffic.stop();
  }
}

async function explore(
  session: WorkerSession<ExplorationJob>,
  navigation: Navigation,
  trail: PageTrail,
): Promise<Exploration> {
  const { merchantUrl, goal, currency: preferredCurrency } = session.job.request;
  const { page } = navigation;
  const untilMs = performance.now() + CATALOGUE_MS;
  const landing = await openMerchant(session, navigation, { merchantUrl, trail });
  const { origin, host, hostname } = new URL(landing.url);
  await session.step("Open the merchant's site", { outcome: await page.title(), screenshot: true });
  const catalogue = await readCatalogue(page, { landing: landing.url, goal, preferredCurrency, untilMs });
  if (new URL(page.url()).origin !== origin)
    throw new CheckoutEndedError("exploration_failed", "The merchant's page led to another site");
  const { products, pages } = catalogue;
  const [{ currency } = { currency: "" }] = products;
  if (currency === "") throw new CheckoutEndedError("not_a_shop", "No product with a price was found");
  await session.step("Read the catalogue", { outcome: `found ${products.length} products` });
  const checkout = await tryCheckout(session, navigation, { catalogue, trail, origin });
  const { shipsTo, chosenCountry: chosen, supportsPickup, recipe } = checkout ?? factsWithoutCheckout(origin);
  return {
    ...{ url: origin, name: merchantNameOf(pages, host), currency, shipsTo: [...shipsTo], supportsPickup, recipe },
    countryCode: countryOf(pages, { hostname, currency, shipsTo, chosen }),
    taxPolicy: taxPolicyOf(pages, [...(checkout?.texts ?? []), landing.text]),
    logoUrl: logoOf(pages, origin),
    products: [...products],
    isWhole: catalogue.isWhole,
  };
}

/** Opens the requested page, or the home page if that page does not exist. Returns its document. */
async function openMerchant(
  session: WorkerSession<ExplorationJob>,
  navigation: Navigation,
  { merchantUrl, trail }: { readonly merchantUrl: string; readonly trail: PageTrail },
): Promise<FrameView> {
  const root = new URL("/", merchantUrl).href;
  for (const url of new Set([new URL(merchantUrl).href, root])) {
    try {
      return await openResolved(session, navigation, { requestedUrl: url, trail });
    } catch (error) {
      const isGone = error instanceof CheckoutEndedError && /^(?:shop_unavailable|out_of_stock)$/.test(error.cause);
      if (!isGone || url === root) throw error;
    }
  }
  throw new CheckoutEndedError("shop_unavailable", "The merchant's site did not respond");
}

/**
 * Opens the page to which a URL leads. Pages that redirect are opened in a separate context only, because they could affect
 * the merchant's pages later, for example through a popup.
 */
async function openResolved(
  session: WorkerSession<ExplorationJob>,
  navigation: Navigation,
  { requestedUrl, trail }: { readonly requestedUrl: string; readonly trail: PageTrail },
): Promise<FrameView> {
  let url = requestedUrl;
  for (let count = 0; count < MAX_RESOLUTIONS; count += 1) {
    const resolvedUrl = await resolveUrl(session, navigation.timing, url);
    await openPage(navigation, resolvedUrl);
    await navigation.traffic.waitUntilSettled(navigation.page);
    const { main } = await snapshotUnblocked(navigation);
    if (new URL(main.url).origin === new URL(resolvedUrl).origin) return main;
    // The page that led elsewhere ran in the exploration's own context. Its popup could move the merchant's pages.
    if (trail.hasPopup)
      throw new CheckoutEndedError("exploration_failed", "The URL leads to another site and opens a popup");
    ({ url } = main);
  }
  throw new CheckoutEndedError("exploration_failed", "The URL leads to another site at each visit");
}

/**
 * Tries to reach the checkout with the best match, then with the most expensive product, then with others. A product may be
 * sold out or below the minimum order value. Returns null if no tried product can be ordered.
 */
async function tryCheckout(
  session: WorkerSession<ExplorationJob>,
  navigation: Navigation,
  { catalogue, trail, origin }: { readonly catalogue: Catalogue; readonly trail: PageTrail; readonly origin: string },
): Promise<CheckoutFacts | null> {
  const ranked = rankByGoal(catalogue.products, session.job.request.goal).filter(({ available }) => available);
  const byPrice = ranked.toSorted((one, other) => other.priceMinor - one.priceMinor);
  const candidates = new Set<FoundProduct>([...ranked.slice(0, 1), ...byPrice.slice(0, 1), ...ranked]);
  for (const product of [...candidates].slice(0, MAX_PRODUCTS_TRIED)) {
    try {
      const facts = await readCheckout(navigation, product, { trail, merchantOrigins: merchantOriginsOf(origin, []) });
      if (!facts) {
        await session.step("Open the checkout", { outcome: "Not led there by the merchant's own page" });
        return null;
      }
      const { cardFrameOrigins } = facts.recipe;
      const outcome = cardFrameOrigins === null ? "No card form of one origin found" : "The page requests a card";
      await session.step("Open the checkout", { outcome, screenshot: true });
      return facts;
    } catch (error) {
      const isOtherProductWorthTrying =
        error instanceof CheckoutEndedError && /^(?:out_of_stock|form_rejected)$/.test(error.cause);
      if (!isOtherProductWorthTrying) throw error;
      await session.step("Try a product", { outcome: error.message });
    }
  }
  return null;
}

function factsWithoutCheckout(origin: string): CheckoutFacts {
  const unknown = { basketUrl: null, cardFrameOrigins: null, payPath: null };
  return {
    ...{ shipsTo: [], chosenCountry: null, supportsPickup: false, texts: [] },
    recipe: { format: 1, checkoutOrigins: [origin], ...unknown, fields: {}, controls: {} },
  };
}
