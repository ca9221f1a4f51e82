/**
 * Gate of a dry run, shut from the first page. The browser has no card. The gate also refuses what could order without one.
 * These are requests that place an order, messages to processors and banks, and changes at the payment page.
 */
import type { BrowserContext, Request, Route } from "playwright-core";
import { isOriginMatch } from "../../checkout/worker-protocol/card-entry.ts";
import type { DryRunJob } from "../../checkout/worker-protocol/job.ts";
import { contentsOf } from "./gate/request-facts.ts";
import { guardSockets } from "./gate/sockets.ts";
import { guardWorkers } from "./gate/workers.ts";
import type { MerchantOrigins } from "./merchant-origins.ts";
import { isSafe } from "./request-key.ts";

export interface DryRunGate {
  /** Number of refused requests. */
  readonly refusedCount: number;
  /** Refuses every further request that may change state. Call it at the payment page. */
  shut(): void;
}

export interface DryRunGateOptions {
  readonly merchantOrigins: Pick<MerchantOrigins, "has">;
  readonly job: Pick<DryRunJob, "processorOrigins" | "issuerOrigins">;
  /** Whether a URL certainly receives the payment, by the recipe. */
  readonly isPayPath: (url: string) => boolean;
}

/** Names by which merchants place an order: the last segments of a path, a query parameter, or the operation of a GraphQL body. */
const PLACES_ORDER =
  /(?:place|submit|create|complete|confirm|process|finali[sz]e)[-_]?(?:the[-_]?)?(?:orders?|payments?|checkout|purchase)|submit[-_]?for[-_]?completion|wc-ajax=checkout(?:&|$)|payment-information(?:\?|$)|\/wc\/store(?:\/v\d+)?\/checkout(?:\/|\?|$)|\/checkouts?\/[^/?]+\/orders?(?:\/|\?|$)|\/(?:orders?|pay|charges?|purchase)\/?(?:\?|$)/i;
/** Start of a body that is searched: names of operations and of form buttons. */
const MAX_BODY_LENGTH = 20_000;
const NAMES_ORDER =
  /place[-_]?order|\bmutation\b[\s\S]{0,4000}?(?:complet|submit[-_]?(?:order|payment|for[-_]?completion)|create[-_]?(?:payment|order))/i;

/** Installs the gate. Call it before the first page is opened. */
export async function installDryRunGate(context: BrowserContext, options: DryRunGateOptions): Promise<DryRunGate> {
  let isShut = false;
  let refusedCount = 0;
  const handle = async (route: Route, request: Request) => {
    if (mayLeave(request, options, isShut)) return await route.fallback();
    refusedCount += 1;
    await route.abort("failed").catch(() => {});
  };
  guardSockets(context, async () => {
    refusedCount += 1;
    return false;
  });
  await guardWorkers(context);
  await context.route(() => true, handle);
  return {
    get refusedCount() {
      return refusedCount;
    },
    shut() {
      isShut = true;
    },
  };
}

function mayLeave(request: Request, { merchantOrigins, job, isPayPath }: DryRunGateOptions, isShut: boolean): boolean {
  const url = request.url();
  const isOf = (patterns: readonly string[]) => patterns.some((pattern) => isOriginMatch(pattern, url));
  const isMerchants = merchantOrigins.has(url);
  if (isSafe(request.method())) {
    const isPage = request.isNavigationRequest();
    // A form may use GET, and a link may place an order. Pages of processors and banks follow an order.
    if (isPage && (isShut || isPayPath(url) || isOf(job.issuerOrigins))) return false;
    return !(isMerchants && isPage && PLACES_ORDER.test(url));
  }
  if (isShut || !isMerchants || isPayPath(url)) return false;
  const { body } = contentsOf(request);
  return !PLACES_ORDER.test(url) && !NAMES_ORDER.test(body.slice(0, MAX_BODY_LENGTH));
}
