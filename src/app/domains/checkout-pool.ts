/** The pool of merchants that checkout may buy from: the configured ones, or the sandbox stores. */
import type { SandboxEndpoints } from "../../../sandbox/endpoints.ts";
import { type PoolEntry, readPool, savePool } from "../../checkout/merchants/pool.ts";
import type { Platform } from "../platform.ts";

/**
 * Stores the pool in the database.
 * @throws {ConfigError}
 */
export async function saveConfiguredPool({
  config: { CHECKOUT_POOL: configured },
  sandbox,
  db,
}: Pick<Platform, "config" | "sandbox" | "db">): Promise<void> {
  await savePool(db, configured === undefined ? sandboxPool(sandbox) : readPool(configured));
}

/** Returns the sandbox stores as pool entries. All with the Storefront API are onboarded, except the last. */
function sandboxPool(sandbox: SandboxEndpoints | null): PoolEntry[] {
  const shopify = sandbox?.stores.filter(({ kind }) => kind === "shopify") ?? [];
  const unexplored = shopify.length > 1 ? shopify.at(-1) : undefined;
  return (sandbox?.stores ?? []).map((store) => ({
    url: store.url,
    name: store.title,
    country: store.country,
    currency: store.currency,
    rail: store.kind,
    isTest: true,
    shipsTo: store.shipsTo,
    supportsPickup: store.collects,
    taxPolicy: store.tax,
    logoUrl: null,
    ...{ checkoutOrigins: [], cardFrameOrigins: null },
    onboarded: store.kind === "shopify" && store !== unexplored,
  }));
}
