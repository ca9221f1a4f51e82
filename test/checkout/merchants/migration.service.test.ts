// @module-tag postgresql
/** The migration that gives merchants, catalogues and recipes to the accounts that explored them first. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

const FOLDER = join(import.meta.dirname, "../../../prisma/migrations");
const MIGRATION = "20261126013000_merchants_of_accounts";
const [ADA, BOB, EVE] = ["a", "b", "e"].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

const readMigration = (name: string) => readFile(join(FOLDER, name, "migration.sql"), "utf8");

const merchant = (id: string, domain: string, more: { isPooled?: boolean; name?: string } = {}) =>
  `INSERT INTO merchants (id, name, domain, url, rail, currency, country_code, ships_to, tax_policy, is_pooled, onboarded_at)
   VALUES ('${id}', '${more.name ?? id}', '${domain}', 'https://${domain}', 'worker', 'GBP', 'GB', '{GB}', 'added',
     ${more.isPooled ?? false}, now());
   INSERT INTO merchant_products (merchant_id, sku, product_id, title, price_minor, currency, available, product_url)
   VALUES ('${id}', 'A', '1', 'Hat', 100, 'GBP', true, 'https://${domain}/1');
   INSERT INTO checkout_recipes (id, merchant_id, version, definition) VALUES ('rcp_${id}', '${id}', 1, '{}');`;

/** Adds an order `seconds` after the first. */
const order = (
  id: string,
  accountId: string | undefined,
  merchantId: string,
  seconds: number,
  more = "'explored', 'explored'",
) =>
  `INSERT INTO checkout_orders (id, account_id, credential_id, merchant_id, kind, status, dispatch_sha256, request, created_at)
   VALUES ('${id}', '${accountId}', 'tok', '${merchantId}', ${more}, decode(md5('${id}'), 'hex'), '{}',
     timestamptz '2026-11-20' + interval '${seconds} seconds');`;

const RESULT = `SELECT
  (SELECT json_agg(m ORDER BY m.domain, m.account_id) FROM former.merchants m) AS merchants,
  (SELECT json_agg(c ORDER BY c.merchant_id) FROM former.merchant_catalogues c) AS catalogues,
  (SELECT json_agg(p) FROM former.merchant_products p) AS products,
  (SELECT json_agg(r ORDER BY r.id) FROM former.checkout_recipes r) AS recipes,
  (SELECT json_agg(o ORDER BY o.id) FROM former.checkout_orders o) AS orders,
  (SELECT json_agg(a ORDER BY a.id) FROM former.checkout_approvals a) AS approvals`;

it("assigns each merchant, and expires approvals that do not name the card's origins", async () => {
  const names = (await readdir(FOLDER)).filter((name) => /^\d/.test(name) && name < MIGRATION).sort();
  const former = await Promise.all(names.map(readMigration));
  const rows = [
    ...[ADA, BOB, EVE].map((id) => `INSERT INTO accounts (id, email) VALUES ('${id}', '${id}@example.test');`),
    merchant("mer_pool", "pool.example", { isPooled: true }),
    merchant("mer_ada", "ada.example"),
    merchant("mer_both", "both.example"),
    merchant("mer_none", "none.example"),
    order("ord_1", EVE, "mer_pool", 1),
    order("ord_2", ADA, "mer_ada", 2),
    order("ord_3", EVE, "mer_both", 4),
    order("ord_4", ADA, "mer_both", 3),
    order("ord_5", BOB, "mer_ada", 5, "'purchase', 'approval_required'"),
    order("ord_6", BOB, "mer_none", 6, "'purchase', 'succeeded'"),
    `INSERT INTO checkout_approvals (id, order_id, account_id, credential_id, token_hash, dispatch_sha256, reason, document, status, expires_at)
     VALUES ('apr_1', 'ord_5', '${BOB}', 'tok', '\\x01', '\\x01', 'no_policy', '{}', 'approved', now() + interval '1 hour');`,
  ];
  const script = [
    "CREATE SCHEMA former; SET search_path TO former, public;",
    ...former,
    ...rows,
    await readMigration(MIGRATION),
    "SET search_path TO public;",
  ].join("\n");
  await database.db.executeSql(script);
  // biome-ignore lint/suspicious/noExplicitAny: rows of several tables, as JSON.
  const [result] = (await database.db.executeSql(RESULT)).rows as any[];
  const { merchants, catalogues, products, recipes, orders, approvals } = result;
  const [copyOfAda] = merchants.filter(
    (one: { account_id: string; domain: string }) => one.account_id === BOB && one.domain === "ada.example",
  );
  const summary = merchants.map((one: Record<string, unknown>) => [
    one["domain"],
    one["account_id"],
    one["pooled_domain"],
    one["onboarded_at"] !== null,
  ]);
  expect(summary).toEqual([
    ["ada.example", ADA, null, true],
    ["ada.example", BOB, null, false],
    ["both.example", ADA, null, true],
    ["both.example", EVE, null, false],
    ["none.example", BOB, null, false],
    ["none.example", null, null, false],
    ["pool.example", null, "pool.example", false],
  ]);
  const pooled = merchants.at(-1);
  expect(pooled).toMatchObject({ ships_to: [], tax_policy: "unknown", supports_pickup: false, logo_url: null });
  expect(catalogues.map((one: Record<string, unknown>) => [one["merchant_id"], one["account_id"]])).toEqual([
    ["mer_ada", ADA],
    ["mer_both", ADA],
    ["mer_pool", EVE],
  ]);
  expect(products).toHaveLength(3);
  // Of the pooled merchant: a proposal that no order uses. Of a merchant that two accounts explored: none.
  expect(recipes.map((one: Record<string, unknown>) => [one["merchant_id"], one["account_id"]])).toEqual([
    ["mer_ada", ADA],
    ["mer_pool", EVE],
  ]);
  expect(orders.find(({ id }: { id: string }) => id === "ord_5")).toMatchObject({
    merchant_id: copyOfAda.id,
    card_entry: { pageOrigins: ["https://ada.example"], frameOrigins: null },
  });
  expect(copyOfAda.id).toMatch(/^mer_\d{13}_[0-9a-f]{12}$/);
  expect(orders.find(({ id }: { id: string }) => id === "ord_2")).toMatchObject({
    merchant_id: "mer_ada",
    card_entry: null,
  });
  expect(new Date(approvals[0].expires_at).getTime()).toBeLessThanOrEqual(Date.now());
});
