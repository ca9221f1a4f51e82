/**
 * `POST /api/autofill/explore` (spec section 4.8): discovers a merchant's products and checkout. Charges nothing and submits
 * nothing.
 */
import { code as currencyOf } from "currency-codes";
import { requireAccount, requireScope, type Viewer } from "../../accounts/viewer.ts";
import { InvalidRequestError } from "../../platform/errors.ts";
import { canonicalDigest } from "../canonical-digest.ts";
import type { ExploreDeps } from "../deps.ts";
import { alternativeDomains, findMerchantsByDomain } from "../merchants/merchants.ts";
import type { ExplorationRequest } from "../orders/request.ts";
import { exploreStorefront } from "./explore-storefront.ts";
import { checkMerchantUrl } from "./merchant-url.ts";
import { EXPLORATIONS_PER_HOUR, findExploration, placeExploration } from "./place-exploration.ts";

export interface ExploreInput {
  readonly merchantUrl: string;
  /** Product to find, in words. */
  readonly goal: string;
  /** Fulfilment preference, in words. */
  readonly prefs: string | null;
  readonly currency: string | null;
}

const MAX_TEXT_LENGTH = 2_000;
const HOUR_SECONDS = 3_600;

/**
 * Starts an exploration and returns its order id. Repeating a request in progress returns the id of the existing order. A
 * merchant with the Storefront API is read immediately, any other by a worker.
 * @throws {InvalidRequestError | UrlNotAllowedError | ForbiddenError | RateLimitedError}
 * @throws {CatalogUnavailableError} the merchant is known to have the Storefront API, and it does not respond
 */
export async function exploreMerchant(deps: ExploreDeps, viewer: Viewer | null, input: ExploreInput): Promise<string> {
  const account = requireAccount(viewer);
  requireScope(account, "orders:write");
  const request = parseExplorationRequest(input);
  const exploration = {
    ...{ accountId: account.accountId, credentialId: account.credentialId, request },
    dispatchSha256: canonicalDigest({ kind: "explored", ...request }),
  };
  const inProgress = await findExploration(deps, exploration);
  if (inProgress !== null) return inProgress;
  await deps.rateLimiter.consume("explore", account.accountId, EXPLORATIONS_PER_HOUR, HOUR_SECONDS);
  const { host } = new URL(request.merchantUrl);
  const known = await findMerchantsByDomain(deps.db.prisma, account.accountId, alternativeDomains(host));
  const merchant = known.get(host) ?? [...known.values()][0] ?? null;
  const explored = await exploreStorefront(deps.egress, request, { isKnown: merchant?.rail === "shopify" });
  return await placeExploration(deps, exploration, { merchant, explored });
}

function parseExplorationRequest({ merchantUrl, goal, prefs, currency }: ExploreInput): ExplorationRequest {
  const url = checkMerchantUrl(merchantUrl);
  const code = currency?.trim().toUpperCase() || null;
  if (code !== null && currencyOf(code) === undefined) {
    throw new InvalidRequestError("currency must be an ISO 4217 code such as GBP.", "currency");
  }
  const checkedGoal = checkText(goal, "goal");
  if (checkedGoal === "") throw new InvalidRequestError("goal is missing. Describe what to buy.", "goal");
  return { merchantUrl: url, goal: checkedGoal, prefs: checkText(prefs ?? "", "prefs") || null, currency: code };
}

function checkText(given: string, field: string): string {
  const text = given.trim();
  if (text.length > MAX_TEXT_LENGTH) {
    throw new InvalidRequestError(`${field} must have at most ${MAX_TEXT_LENGTH} characters.`, field);
  }
  return text;
}
