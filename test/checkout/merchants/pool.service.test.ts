/** The configured pool: its facts and card origins are the operator's, and can be withdrawn. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type PoolEntry, readPool, savePool } from "../../../src/checkout/merchants/pool.ts";
import { findRecipe, saveRecipe } from "../../../src/checkout/merchants/recipes.ts";
import type { RecipeDefinition } from "../../../src/checkout/worker-protocol/recipe.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";
import { createRecipe } from "./explored.ts";

let fresh: TestDatabase;
beforeAll(async () => {
  fresh = await createTestDatabase();
});
afterAll(() => fresh?.close());

const createEntry = (url: string, more: object = {}): PoolEntry[] =>
  readPool(JSON.stringify([{ url, name: "Hats", country: "GB", currency: "GBP", rail: "worker", ...more }]));
const findMerchant = (domain: string) =>
  fresh.db.prisma.merchant.findUniqueOrThrow({ where: { pooledDomain: domain } });
async function readOrigins(domain: string) {
  const recipe = await findRecipe(fresh.db.prisma, await findMerchant(domain));
  const { checkoutOrigins, cardFrameOrigins } = (recipe?.definition ?? {}) as Partial<RecipeDefinition>;
  return [checkoutOrigins, cardFrameOrigins];
}

it("withdraws facts and origins that the configuration no longer has", async () => {
  const [url, domain] = ["https://hats.example", "hats.example"];
  const origins = { checkoutOrigins: ["https://pay.example"], cardFrameOrigins: ["https://frames.example"] };
  await savePool(fresh.db, createEntry(url, { ...origins, taxPolicy: "included", shipsTo: ["GB"] }));
  expect(await readOrigins(domain)).toEqual([[url, "https://pay.example"], ["https://frames.example"]]);
  expect(await findMerchant(domain)).toMatchObject({ taxPolicy: "included", shipsTo: ["GB"] });
  await savePool(fresh.db, createEntry(url));
  expect(await readOrigins(domain)).toEqual([[url], null]);
  expect(await findMerchant(domain)).toMatchObject({ taxPolicy: "unknown", shipsTo: [] });
});

it("retains a vetted recipe unless the configuration states origins", async () => {
  const [url, domain] = ["https://caps.example", "caps.example"];
  await savePool(fresh.db, createEntry(url));
  const owner = { merchantId: (await findMerchant(domain)).id, accountId: null };
  const vetted = createRecipe(url, { checkoutOrigins: [url, "https://vetted.example"] }) as RecipeDefinition;
  await fresh.db.prisma.$transaction((tx) => saveRecipe(tx, owner, vetted));
  await savePool(fresh.db, createEntry(url));
  expect(await readOrigins(domain)).toEqual([[url, "https://vetted.example"], null]);
  await savePool(fresh.db, createEntry(url, { checkoutOrigins: ["https://pay.example"] }));
  expect(await readOrigins(domain)).toEqual([[url, "https://pay.example"], null]);
});

it("has one merchant for a host with and without www", async () => {
  await savePool(fresh.db, createEntry("https://www.boots.example"));
  const { id } = await findMerchant("www.boots.example");
  await savePool(fresh.db, createEntry("https://boots.example"));
  expect((await findMerchant("boots.example")).id).toBe(id);
  expect(await fresh.db.prisma.merchant.count({ where: { domain: { endsWith: "boots.example" } } })).toBe(1);
});
