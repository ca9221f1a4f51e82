/** Explored merchants belong to the account that explored them, and the pool belongs to the operator. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestAccount } from "../../support/stack.ts";
import type { Buyer } from "../dispatch/buyer.ts";
import { type DispatchFixture, openDispatchFixture } from "../dispatch/dispatch-fixture.ts";
import { createExploration, createProduct, createRecipe, exploreAs } from "./explored.ts";

let fixture: DispatchFixture;
let buyer: Buyer;
let explorer: TestAccount;
beforeAll(async () => {
  fixture = await openDispatchFixture();
  buyer = await fixture.openBuyer();
  explorer = await fixture.stack.account();
});
afterAll(() => fixture?.stop());

const prisma = () => fixture.stack.service.deps.db.prisma;
const get = ({ token }: Pick<TestAccount, "token">, path: string) =>
  fixture.stack.rest(token, "GET", `/api/autofill/${path}`);
const listNames = async (account: Pick<TestAccount, "token">): Promise<string[]> =>
  (await get(account, "merchants")).json.merchants.map(({ name }: { name: string }) => name);
const explore = (account: Pick<TestAccount, "token">, exploration: { readonly url: string }) =>
  exploreAs(fixture, account, exploration);

const createCart = (merchantId: string, sku = "HAM-2") => ({ merchant_id: merchantId, items: [{ sku }] });

/** Quotes a cart, and dispatches it at the quoted amount. */
async function dispatchCart(cart: object) {
  const { json } = await buyer.quote(cart);
  const amount_minor = json.expected_amount_minor;
  return await buyer.dispatch(fixture.createDispatch({ fulfillment_option_id: undefined, ...cart, amount_minor }));
}

/** Approves a dispatch with the passkey and repeats it with its approval token. */
async function dispatchApproved(cart: object) {
  const { json } = await buyer.quote(cart);
  const amount_minor = json.expected_amount_minor;
  const body = fixture.createDispatch({ fulfillment_option_id: undefined, ...cart, amount_minor });
  const pending = await buyer.dispatch(body);
  expect(pending.status, pending.text).toBe(202);
  await buyer.approve(pending);
  return await buyer.dispatch({ ...body, approval_token: pending.json.approval_token });
}

describe("a merchant that another account explored", () => {
  it("is in no other account's list, search, look-up, quote, dispatch or node", async () => {
    const url = "http://127.0.0.1:11";
    const { merchant_id: id } = await explore(explorer, createExploration(url, { name: "Elsewhere Tools" }));
    expect(await listNames(explorer)).toContain("Elsewhere Tools");
    expect((await get(explorer, `merchants/${id}`)).json).toMatchObject({ is_pooled: false, name: "Elsewhere Tools" });
    expect(await listNames(buyer)).not.toContain("Elsewhere Tools");
    expect((await get(buyer, "merchants?q=elsewhere")).json.merchants).toEqual([]);
    expect((await get(buyer, `merchants/${id}`)).status).toBe(404);
    expect((await buyer.quote(createCart(id))).status).toBe(404);
    const dispatched = await buyer.dispatch(fixture.createDispatch(createCart(id)));
    expect(dispatched.status).toBe(404);
    const nodeId = Buffer.from(`Merchant:${id}`).toString("base64");
    const query = `query ($id: ID!) { node(id: $id) { ... on Merchant { name } } }`;
    const node = await fixture.stack.rest(buyer.token, "POST", "/graphql", { query, variables: { id: nodeId } });
    expect(node.json.data.node).toBeNull();
  });

  it("is a separate record for an account that explores it too", async () => {
    const url = "http://127.0.0.1:12";
    const poison = createRecipe(url, { checkoutOrigins: [url, "https://evil.example"], cardFrameOrigins: [] });
    const other = await explore(explorer, createExploration(url, { recipe: poison, name: "Their Own Name" }));
    const own = await explore(buyer, createExploration(url));
    expect(own.merchant_id).not.toBe(other.merchant_id);
    expect((await get(buyer, `merchants/${own.merchant_id}`)).json.name).toBe("Hammer & Chisel");
    await dispatchApproved(createCart(own.merchant_id));
    const job = await fixture.worker.claimNext();
    expect(job["cardEntry"]).toEqual({ pageOrigins: [url], frameOrigins: null });
    expect(job["recipe"].definition).toEqual(createRecipe(url));
    await fixture.worker.send(job.lease, "finish", { cause: "out_of_stock" });
  });
});

describe("a pooled merchant", () => {
  it("retains the operator's facts and card origins after another account's exploration", async () => {
    const url = fixture.findStoreUrl("quarry");
    const id = await fixture.findMerchantId("quarry");
    const before = await prisma().merchant.findUniqueOrThrow({ where: { id } });
    const poison = createRecipe(url, { checkoutOrigins: [url, "https://evil.example"], cardFrameOrigins: [] });
    const facts = { name: "Evil", countryCode: "ZZ", taxPolicy: "unknown", shipsTo: [], recipe: poison };
    await explore(explorer, createExploration(url, { ...facts, products: [createProduct(url, "HAM-2", 1)] }));
    expect(await prisma().merchant.findUniqueOrThrow({ where: { id } })).toEqual(before);
    expect((await get(buyer, `merchants/${id}`)).status, "not explored by this account").toBe(404);
    await explore(buyer, createExploration(url));
    const catalogue = (await get(buyer, `merchants/${id}`)).json.catalogue;
    expect(catalogue.map(({ price_minor }: { price_minor: number }) => price_minor)).toEqual([1_000]);
    await dispatchApproved(createCart(id));
    const job = await fixture.worker.claimNext();
    expect(job).toMatchObject({ cardEntry: { pageOrigins: [url], frameOrigins: null }, recipe: null });
    await fixture.worker.send(job.lease, "finish", { cause: "out_of_stock" });
  });

  it.each([
    "Harbour Outfitters",
    "HARBOUR  OUTFITTERS!",
    "The Official Harbour Outfitters Store",
    "Нarbоur Outfіtters",
    "Harb0ur 0utfltters",
    "Ｈａｒｂｏｕｒ Ｏｕｔｆｉｔｔｅｒｓ",
    "Har\u200bbour Outfitters Ltd.",
    "Hárbour Outfitters",
  ])("shares its name with no explored merchant: %s", async (name) => {
    const order = await explore(explorer, createExploration("http://127.0.0.1:13", { name }));
    expect(order).toMatchObject({ status: "merchant_error", error_code: "name_not_allowed", merchant_id: null });
    expect(await prisma().merchant.count({ where: { domain: "127.0.0.1:13" } })).toBe(0);
  });

  it("leaves other names to explored merchants", async () => {
    const names = ["Harbour Coffee", "港のアウトフィッターズ", "Outfitters"];
    for (const name of names) {
      const order = await explore(explorer, createExploration("http://127.0.0.1:14", { name }));
      expect(order.status, name).toBe("explored");
    }
  });
});

describe("a policy", () => {
  it("with allowed countries does not cover a country that a site states about itself", async () => {
    const url = "http://127.0.0.1:15";
    const { merchant_id: id } = await explore(buyer, createExploration(url, { countryCode: "GB" }));
    await buyer.signPolicy({ allowedCountries: ["GB"] });
    const { status, json } = await dispatchCart(createCart(id));
    expect([status, json.reason]).toEqual([202, "country_not_allowed"]);
    const pooled = fixture.createDispatch();
    await buyer.quoteFor(pooled);
    expect((await buyer.dispatch(pooled)).status).toBe(200);
    await fixture.worker.send((await fixture.worker.claimNext()).lease, "finish", { cause: "out_of_stock" });
  });

  it("covers other card origins of an explored merchant only after an approved purchase there", async () => {
    const url = "http://127.0.0.1:16";
    await buyer.signPolicy();
    const exploration = (origin: string) =>
      createExploration(url, { recipe: createRecipe(url, { checkoutOrigins: [url, origin] }) });
    const { merchant_id: id } = await explore(buyer, exploration("https://pay.example"));
    const first = await dispatchCart(createCart(id));
    expect([first.status, first.json.reason]).toEqual([202, "card_entry_not_approved"]);
    await dispatchApproved(createCart(id));
    const job = await fixture.worker.claimNext();
    expect(job["cardEntry"].pageOrigins).toEqual([url, "https://pay.example"]);
    await fixture.worker.submit(job.lease);
    const confirmation = { orderNumber: "1", amountChargedMinor: 1_000, currency: "GBP" };
    await fixture.worker.send(job.lease, "finish", { cause: "confirmed", confirmation });
    expect((await dispatchCart(createCart(id))).status).toBe(200);
    await fixture.worker.send((await fixture.worker.claimNext()).lease, "finish", { cause: "out_of_stock" });
    await explore(buyer, exploration("https://evil.example"));
    const moved = await dispatchCart(createCart(id));
    expect([moved.status, moved.json.reason]).toEqual([202, "card_entry_not_approved"]);
  });
});

it("an approval signs the card's origins, and a later exploration does not change where the order goes", async () => {
  const url = "http://127.0.0.1:17";
  const exploration = (origin: string) =>
    createExploration(url, { recipe: createRecipe(url, { cardFrameOrigins: [origin] }) });
  const { merchant_id: id } = await explore(buyer, exploration("https://pay.example"));
  const { json } = await buyer.quote(createCart(id));
  const cart = { ...createCart(id), amount_minor: json.expected_amount_minor, fulfillment_option_id: undefined };
  const body = fixture.createDispatch(cart);
  const pending = await buyer.dispatch(body);
  const { document } = await prisma().checkoutApproval.findFirstOrThrow({ where: { orderId: pending.json.order_id } });
  expect(document).toMatchObject({ card_entry: { page_origins: [url], frame_origins: ["https://pay.example"] } });
  await buyer.approve(pending);
  await explore(buyer, exploration("https://evil.example"));
  await buyer.dispatch({ ...body, approval_token: pending.json.approval_token });
  const job = await fixture.worker.claimNext();
  expect(job).toMatchObject({ orderId: pending.json.order_id, cardEntry: { frameOrigins: ["https://pay.example"] } });
  await fixture.worker.send(job.lease, "finish", { cause: "out_of_stock" });
});

it("an order whose card origins differ from the signed ones is not dispatched", async () => {
  const body = fixture.createDispatch();
  await buyer.signPolicy({ perOrderMaxMinor: 1 });
  await buyer.quoteFor(body);
  const pending = await buyer.dispatch(body);
  await buyer.approve(pending);
  const { order_id: id, approval_token } = pending.json;
  const cardEntry = { pageOrigins: ["https://evil.example"], frameOrigins: null };
  await prisma().checkoutOrder.update({ where: { id }, data: { cardEntry } });
  expect((await buyer.dispatch({ ...body, approval_token })).json.error).toBe("shopify_amount_changed");
  expect((await fixture.worker.claim()).json).toEqual({ job: null });
});
