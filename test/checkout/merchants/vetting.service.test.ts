/** Reviewers admit explored merchants to the pool. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { TestAccount } from "../../support/stack.ts";
import { type DispatchFixture, openDispatchFixture } from "../dispatch/dispatch-fixture.ts";
import { createExploration, createProduct, createRecipe, exploreAs } from "./explored.ts";

const ADMIN_TOKEN = "operator-token-of-thirty-two-characters";
let fixture: DispatchFixture;
let explorer: TestAccount;
let other: TestAccount;
beforeAll(async () => {
  fixture = await openDispatchFixture({ ADMIN_TOKEN });
  [explorer, other] = [await fixture.stack.account(), await fixture.stack.account()];
});
afterAll(() => fixture?.stop());

const operator = { authorization: `Bearer ${ADMIN_TOKEN}` };
const send = (
  query: string,
  variables: object,
  headers: Record<string, string> = operator,
  token: string | null = null,
) => fixture.stack.rest(token, "POST", "/graphql", { query, variables }, headers);

const LIST = `{ exploredMerchants(first: 20) { edges { node {
  id accountId name domain url countryCode currency isPooled readAt productCount cardEntry { pageOrigins frameOrigins } } } } }`;
const VET = `mutation ($input: VetMerchantInput!) { vetMerchant(input: $input) {
  ... on VetMerchantSuccess { merchant { merchantId } } ... on Error { code message } } }`;

async function findExplored(domain: string) {
  const { json, text } = await send(LIST, {});
  if (!json.data) throw new Error(text);
  return json.data.exploredMerchants.edges
    .map(({ node }: { node: { domain: string } }) => node)
    .find((node: { domain: string }) => node.domain === domain);
}
const vet = async (input: object) => (await send(VET, { input })).json.data.vetMerchant;
const read = (account: TestAccount, path: string) => fixture.stack.rest(account.token, "GET", `/api/autofill/${path}`);

it("makes a merchant, its catalogue and its recipe available to every account", async () => {
  const url = "http://127.0.0.1:31";
  const recipe = createRecipe(url, { checkoutOrigins: [url, "https://pay.example"] });
  const own = await exploreAs(fixture, other, createExploration(url, { name: "Former Name" }));
  const { merchant_id: id } = await exploreAs(fixture, explorer, createExploration(url, { recipe }));
  const explored = await findExplored("127.0.0.1:31");
  expect(explored).toMatchObject({
    ...{ accountId: explorer.accountId, name: "Hammer & Chisel", url, countryCode: "GB", currency: "GBP" },
    ...{ isPooled: false, productCount: 1 },
    cardEntry: { pageOrigins: [url, "https://pay.example"], frameOrigins: null },
  });
  expect((await read(other, `merchants/${id}`)).status).toBe(404);
  expect(await vet({ id: explored.id, ifReadAt: explored.readAt })).toEqual({ merchant: { merchantId: id } });
  const { json } = await read(other, `merchants/${id}`);
  expect(json).toMatchObject({ is_pooled: true, name: "Hammer & Chisel" });
  expect(json.catalogue).toHaveLength(1);
  // The account's own record of the same host is replaced.
  expect((await read(other, `merchants/${own.merchant_id}`)).status).toBe(404);
  // Later explorations change neither facts nor recipe.
  const poison = createRecipe(url, { checkoutOrigins: [url, "https://evil.example"] });
  await exploreAs(fixture, other, createExploration(url, { name: "Evil", recipe: poison }));
  expect((await read(explorer, `merchants/${id}`)).json.name).toBe("Hammer & Chisel");
  const { prisma } = fixture.stack.service.deps.db;
  const newest = { where: { merchantId: id, accountId: null }, orderBy: { version: "desc" } } as const;
  expect((await prisma.checkoutRecipe.findFirst(newest))?.definition).toEqual(recipe);
  expect(await vet({ id: explored.id, ifReadAt: explored.readAt }), "vetted").toMatchObject({ code: "NOT_FOUND" });
});

it("admits catalogue and origins for a merchant that the pool already has", async () => {
  const url = fixture.findStoreUrl("bindery");
  const id = await fixture.findMerchantId("bindery");
  const recipe = createRecipe(url, { cardFrameOrigins: ["https://pay.example"] });
  for (const priceMinor of [900, 950]) {
    const products = [createProduct(url, "NB", priceMinor)];
    await exploreAs(fixture, explorer, createExploration(url, { name: "Evil", recipe, products }));
    const explored = await findExplored(new URL(url).host);
    expect(explored.isPooled).toBe(true);
    expect(await vet({ id: explored.id, ifReadAt: explored.readAt })).toEqual({ merchant: { merchantId: id } });
    const { json } = await read(other, `merchants/${id}`);
    expect(json).toMatchObject({ name: "The Bindery", catalogue: [{ sku: "NB", price_minor: priceMinor }] });
  }
});

it("is refused for a merchant that changed, looks like a pooled one, or is unknown", async () => {
  const url = "http://127.0.0.1:32";
  await exploreAs(fixture, explorer, createExploration(url, { name: "Changing" }));
  const seen = await findExplored("127.0.0.1:32");
  await exploreAs(fixture, explorer, createExploration(url, { name: "Changed" }));
  expect(await vet({ id: seen.id, ifReadAt: seen.readAt })).toMatchObject({ code: "MERCHANT_CHANGED" });
  const { prisma } = fixture.stack.service.deps.db;
  await prisma.merchant.updateMany({ where: { domain: "127.0.0.1:32" }, data: { name: "Harbour Outfitters" } });
  const { readAt } = await findExplored("127.0.0.1:32");
  expect(await vet({ id: seen.id, ifReadAt: readAt })).toMatchObject({ code: "INVALID_REQUEST" });
  const id = Buffer.from("ExploredMerchant:cat_none").toString("base64");
  expect(await vet({ id, ifReadAt: readAt })).toMatchObject({ code: "NOT_FOUND" });
  const { merchants } = (await read(other, "merchants")).json;
  expect(merchants.map(({ domain }: { domain: string }) => domain)).not.toContain("127.0.0.1:32");
});

it("requires a reviewer", async () => {
  const url = "http://127.0.0.1:33";
  await exploreAs(fixture, explorer, createExploration(url, { name: "Unvetted" }));
  const { id, readAt } = await findExplored("127.0.0.1:33");
  const refused = await send(VET, { input: { id, ifReadAt: readAt } }, {}, explorer.token);
  expect(refused.json.data.vetMerchant).toMatchObject({ code: "FORBIDDEN" });
  const listed = await send(LIST, {}, {}, explorer.token);
  expect(listed.json.errors[0].extensions.code).toBe("forbidden");
  const query = `query ($id: ID!) { node(id: $id) { ... on ExploredMerchant { name } } }`;
  expect((await send(query, { id }, {}, explorer.token)).json.data?.node ?? null).toBeNull();
  expect((await send(query, { id })).json.data.node.name).toBe("Unvetted");
});

it("happens once for concurrent requests", async () => {
  const url = "http://127.0.0.1:34";
  await exploreAs(fixture, explorer, createExploration(url, { name: "Vetted Once" }));
  const { id, readAt } = await findExplored("127.0.0.1:34");
  const results = await Promise.all(Array.from({ length: 6 }, () => vet({ id, ifReadAt: readAt })));
  expect(results.filter(({ merchant }) => merchant)).toHaveLength(1);
  expect(results.filter(({ code }) => code === "NOT_FOUND")).toHaveLength(5);
});

it("leaves a merchant blocked for a policy that blocked another record of it", async () => {
  const url = "http://127.0.0.1:35";
  const buyer = await fixture.openBuyer();
  const own = await exploreAs(fixture, buyer, createExploration(url, { name: "Blocked Here" }));
  await buyer.signPolicy({ blockedMerchantIds: [own.merchant_id] });
  const { merchant_id: id } = await exploreAs(fixture, explorer, createExploration(url, { name: "Blocked Here" }));
  const explored = (await findAllExplored()).find(({ accountId }) => accountId === explorer.accountId);
  expect(await vet({ id: explored?.id, ifReadAt: explored?.readAt })).toEqual({ merchant: { merchantId: id } });
  const cart = { merchant_id: id, items: [{ sku: "HAM-2" }], fulfillment_option_id: undefined };
  const { json } = await buyer.quote(cart);
  const placed = await buyer.dispatch(fixture.createDispatch({ ...cart, amount_minor: json.expected_amount_minor }));
  expect([placed.status, placed.json.reason]).toEqual([202, "merchant_blocked"]);

  async function findAllExplored(): Promise<{ id: string; accountId: string; readAt: string }[]> {
    const list = await send(LIST, {});
    const nodes = list.json.data.exploredMerchants.edges.map(({ node }: { node: object }) => node);
    return nodes.filter(({ domain }: { domain: string }) => domain === "127.0.0.1:35");
  }
});
