/** Recurring job that reads merchants' public catalogues into the search index, in short slices of one pass per merchant. */
import { Prisma } from "../../../generated/prisma/client.ts";
import type { Database } from "../../platform/database/connection.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import { ServiceError } from "../../platform/errors.ts";
import type { Logger } from "../../platform/observability/logger.ts";
import { MerchantThrottledError } from "../errors.ts";
import { LONG_TRANSACTION } from "../orders/deps.ts";
import { Cursor, type Step, type StepContext } from "./catalogue-step.ts";
import { type ClaimedIndex, claimIndexes, releaseIndex } from "./claim-indexes.ts";
import { openHostReader } from "./host-reader.ts";
import { readPagesStep } from "./read-pages.ts";
import { PRODUCTS_JSON_START, readProductsJsonStep } from "./read-products-json.ts";
import { readStorefrontStep, STOREFRONT_START } from "./read-storefront.ts";
import { LeaseLostError, saveStep } from "./save-step.ts";

export interface IndexingDeps {
  readonly db: Database;
  readonly egress: Egress;
  readonly logger: Logger;
}

export interface IndexingSettings {
  /** Minimum time between the starts of two requests at one merchant. */
  readonly delayMs: number;
  /** Time from the end of one pass to the start of the next. */
  readonly refreshMs: number;
  /** Maximum number of products indexed per merchant. */
  readonly maxProducts: number;
  /** Maximum number of merchants read concurrently by this node. */
  readonly concurrency: number;
}

/** A slice is short, because the service waits for it when it stops. */
const SLICE_MS = 5_000;
/** Pages in sequence that may be unusable, before the merchant is left alone. */
const MAX_UNUSABLE = 5;
const FIRST_RETRY_MS = 60_000;
const MAX_RETRY_MS = 6 * 3_600_000;
const REFUSED_RETRY_MS = 86_400_000;

/** Reads one slice of each of the catalogues that have waited longest. Returns their number. */
export async function indexCatalogues(deps: IndexingDeps, settings: IndexingSettings): Promise<number> {
  const claimed = await claimIndexes(deps.db, settings.concurrency);
  await Promise.all(claimed.map((index) => indexCatalogue(deps, settings, index)));
  return claimed.length;
}

async function indexCatalogue(deps: IndexingDeps, settings: IndexingSettings, index: ClaimedIndex): Promise<void> {
  const { db, logger } = deps;
  try {
    await readSlice(deps, settings, index);
  } catch (error) {
    if (error instanceof LeaseLostError) return;
    if (!(error instanceof ServiceError)) logger.error({ err: error, host: index.host }, "Catalogue not read");
    const failureCount = index.failureCount + 1;
    const backOffMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(failureCount - 1, 12), MAX_RETRY_MS);
    const retryAfterMs = error instanceof MerchantThrottledError ? (error.retryAfterMs ?? 0) : 0;
    await releaseIndex(db.prisma, index, {
      ...{ status: "failing", failureCount, failureReason: error instanceof ServiceError ? error.message : "internal" },
      dueAt: new Date(Date.now() + Math.min(Math.max(backOffMs, retryAfterMs), REFUSED_RETRY_MS)),
    });
  }
}

/** Reads steps until the slice or the pass ends. */
async function readSlice(deps: IndexingDeps, settings: IndexingSettings, index: ClaimedIndex): Promise<void> {
  const { db, egress } = deps;
  const host = await openHostReader(egress, index.url, settings);
  const context = createContext(deps, index, host);
  const untilMs = performance.now() + SLICE_MS;
  let cursor = readCursor(index);
  let productCount = await countRead(db, index);
  let unusableCount = 0;
  while (performance.now() < untilMs) {
    const step = await readStep(context, cursor);
    await saveStep(db, index, step, cursor.source);
    if (step.next === "refused") return await endRefused(db, index);
    productCount += Array.isArray(step.page?.products) ? step.page.products.length : 0;
    if (step.next === null || productCount >= settings.maxProducts) return await endPass(db, index, settings);
    unusableCount = step.wasUnusable ? unusableCount + 1 : 0;
    if (unusableCount >= MAX_UNUSABLE) throw new MerchantThrottledError(null);
    cursor = step.next;
  }
  await releaseIndex(db.prisma, index, { status: "reading", failureCount: 0, failureReason: null });
}

function readCursor({ cursor, rail }: ClaimedIndex): Cursor {
  return Cursor.safeParse(cursor).data ?? (rail === "shopify" ? STOREFRONT_START : PRODUCTS_JSON_START);
}

async function readStep(context: StepContext, cursor: Cursor): Promise<Step> {
  if (cursor.source === "storefront") return await readStorefrontStep(context, cursor);
  if (cursor.source === "products_json") return await readProductsJsonStep(context, cursor);
  return await readPagesStep(context, cursor);
}

function createContext(
  { db, egress }: IndexingDeps,
  { id: indexId, currency, pass }: ClaimedIndex,
  host: StepContext["host"],
): StepContext {
  const { cataloguePage, indexedProduct } = db.prisma;
  const select = { url: true, etag: true, lastModified: true } as const;
  return {
    ...{ egress, host, currency },
    findUnread: async (after) =>
      await cataloguePage.findFirst({
        where: { indexId, listedPass: pass, readPass: { lt: pass }, url: { gt: after } },
        orderBy: { url: "asc" },
        select,
      }),
    async findValidators(url) {
      const page = await cataloguePage.findUnique({ where: { indexId_url: { indexId, url } }, select });
      const hasProducts =
        page && (await indexedProduct.findFirst({ where: { indexId, page: url }, select: { id: true } }));
      return hasProducts ? page : undefined;
    },
    countListed: async () => await cataloguePage.count({ where: { indexId, listedPass: pass } }),
  };
}

const countRead = async (db: Database, { id: indexId, pass }: ClaimedIndex) =>
  await db.prisma.indexedProduct.count({ where: { indexId, pass } });

/** Removes what the pass did not find, and makes the catalogue count as read at the start of the pass. */
async function endPass(db: Database, index: ClaimedIndex, { refreshMs }: IndexingSettings): Promise<void> {
  const { id: indexId, pass } = index;
  await db.prisma.$transaction(async (tx) => {
    const isHolder = await releaseIndex(tx, index, {
      ...{ status: "read", cursor: Prisma.DbNull, failureCount: 0, failureReason: null },
      ...{ readAt: index.passStartedAt, dueAt: new Date(Date.now() + refreshMs) },
    });
    if (!isHolder) throw new LeaseLostError();
    await tx.indexedProduct.deleteMany({ where: { indexId, pass: { lt: pass } } });
    await tx.cataloguePage.deleteMany({ where: { indexId, listedPass: { lt: pass } } });
    const productCount = await tx.indexedProduct.count({ where: { indexId, market: "" } });
    await tx.catalogueIndex.update({ where: { id: indexId }, data: { productCount } });
  }, LONG_TRANSACTION);
}

/** Removes the catalogue of a merchant whose robots.txt does not permit reading it. */
async function endRefused(db: Database, index: ClaimedIndex): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const isHolder = await releaseIndex(tx, index, {
      ...{ status: "refused", cursor: Prisma.DbNull, readAt: null, productCount: 0 },
      ...{
        failureReason: "The merchant's robots.txt permits no reading.",
        dueAt: new Date(Date.now() + REFUSED_RETRY_MS),
      },
    });
    if (isHolder) await tx.indexedProduct.deleteMany({ where: { indexId: index.id } });
  }, LONG_TRANSACTION);
}
