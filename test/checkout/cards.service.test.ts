/** The card vault: authorization, exposed fields, and absence of card numbers in storage, logs and responses. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findHomeAddress } from "../../src/checkout/cards/billing-address.ts";
import { openCard } from "../../src/checkout/cards/card-vault.ts";
import { createBrowserClient } from "../support/browser-client.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { type AccountOwner, addCard, HOME, NEXT_YEAR, openAccountOwner, VISA } from "./account-owner.ts";

const MASTERCARD = "5555555555554444";
const AMEX = "378282246310005";
const log: string[] = [];
const responses: string[] = [];
let stack: OwnStack;
let owner: AccountOwner;

beforeAll(async () => {
  stack = await startStack({ env: { CARD_SECURITY_CODE: "keep" }, onLog: (line) => void log.push(line) });
});
afterAll(() => stack.stop());
beforeEach(async () => {
  owner = await openAccountOwner(stack);
  const { request } = owner.visitor;
  Object.assign(owner.visitor, {
    request: async (...parameters: Parameters<typeof request>) => {
      const response = await request(...parameters);
      responses.push(response.text);
      return response;
    },
  });
});

const deps = () => stack.service.deps;
const ERROR = "... on Error { code message } ... on InvalidRequestError { field }";
const mutateCard = async (name: string, input: object, by = owner) => {
  const pascal = name[0]?.toUpperCase() + name.slice(1);
  const fields =
    name === "removeCard"
      ? "deletedId viewer { cards(first: 1) { edges { node { cardId isDefault } } } }"
      : "card { cardId nickname status expYear isDefault billingCountry }";
  const query = `mutation ($input: ${pascal}Input!) { ${name}(input: $input) { ... on ${pascal}Success { ${fields} } ${ERROR} } }`;
  return (await by.visitor.graphql(query, { input }))[name];
};
const listCards = async (by = owner) => (await stack.rest(by.token, "GET", "/api/autofill/cards")).json.cards;

it("adds a card, lists it without its number and decrypts it for the worker", async () => {
  const { card } = await addCard(owner);
  expect(card).toMatchObject({
    brand: "visa",
    last4: "4242",
    isDefault: true,
    hasSecurityCode: true,
    status: "ACTIVE",
  });
  expect(card.billingAddress).toEqual({ postalCode: "SW1Y 4JH", company: null });
  expect(await listCards()).toEqual([
    {
      id: card.cardId,
      brand: "visa",
      last4: "4242",
      exp_month: 4,
      exp_year: NEXT_YEAR,
      funding: "unknown",
      cardholder_name: "Ada Lovelace",
      nickname: null,
      billing_country: "GB",
      is_default: true,
      status: "active",
    },
  ]);
  const { accountId } = owner;
  expect(await openCard(deps(), { cardId: card.cardId, accountId })).toMatchObject({
    number: "4242424242424242",
    securityCode: "739",
    brand: "visa",
  });
  const other = await openAccountOwner(stack);
  expect(await openCard(deps(), { cardId: card.cardId, accountId: other.accountId })).toBeNull();
  expect(await findHomeAddress(deps().db, accountId)).toMatchObject({ ...HOME, company: null });
});

describe("authorization", () => {
  it("rejects adding a card with an API token or a session that is not recent", async () => {
    const ADD = "mutation ($input: AddCardInput!) { addCard(input: $input) { ... on Error { code } } }";
    const { json } = await stack.graphql(owner.token, ADD, { input: VISA });
    expect(json.data.addCard).toEqual({ code: "FORBIDDEN" });
    const { session } = deps().db.prisma;
    const authenticatedAt = new Date(Date.now() - 11 * 60_000);
    await session.updateMany({ where: { accountId: owner.accountId }, data: { authenticatedAt } });
    expect(await addCard(owner)).toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });
    expect(await listCards()).toEqual([]);
    const oldSession = createBrowserClient(stack.baseUrl);
    await expect(addCard({ visitor: oldSession })).rejects.toThrow("unauthorized");
  });

  it("hides another account's cards, and billing addresses from agents", async () => {
    const { card } = await addCard(owner);
    const other = await openAccountOwner(stack);
    expect(await mutateCard("removeCard", { id: card.id }, other)).toMatchObject({ code: "NOT_FOUND" });
    expect(await mutateCard("updateCard", { id: card.id, nickname: "x" }, other)).toMatchObject({ code: "NOT_FOUND" });
    expect(await listCards(other)).toEqual([]);
    const NODE = "query ($id: ID!) { node(id: $id) { ... on PaymentCard { last4 billingAddress { city } } } }";
    expect((await stack.graphql(other.token, NODE, { id: card.id })).json.data.node).toBeNull();
    expect((await stack.graphql(owner.token, NODE, { id: card.id })).json.data.node).toEqual({
      last4: "4242",
      billingAddress: null,
    });
  });
});

it.each([
  [{ number: "4242424242424241" }, "number"],
  [{ number: "42424242" }, "number"],
  [{ number: "4242424242424242".repeat(9) }, "number"],
  [{ number: "pan 4242424242424242" }, "number"],
  [{ expYear: 2020 }, "expYear"],
  [{ expYear: 27 }, "expYear"],
  [{ expMonth: 13 }, "expMonth"],
  [{ securityCode: "12" }, "securityCode"],
  [{ securityCode: null }, "securityCode"],
  [{ number: AMEX, securityCode: "739" }, "securityCode"],
  [{ cardholderName: "4242424242424242" }, "cardholderName"],
  [{ nickname: "my 4242 4242 4242 4242" }, "nickname"],
  [{ billingAddress: { ...HOME, postalCode: "" } }, "billingAddress.postalCode"],
])("rejects %j, names the field and stores no card", async (invalid, field) => {
  const rejected = await addCard(owner, invalid);
  expect(rejected).toMatchObject({ code: "INVALID_REQUEST", field });
  expect(rejected.message).not.toMatch(/\d{6}/);
  expect(await listCards()).toEqual([]);
});

it("omits values of the wrong type from GraphQL error messages", async () => {
  for (const invalid of [
    { number: 4242424242424242 },
    { expMonth: null },
    { expMonth: "4242424242424242" },
    { x: 1 },
  ]) {
    await expect(addCard(owner, invalid)).rejects.toThrow("got an invalid value");
  }
});

describe("several cards", () => {
  it("lists the default first, promotes the newest card after a removal and erases the removed number", async () => {
    const visa = (await addCard(owner)).card;
    const mastercard = (await addCard(owner, { number: MASTERCARD, nickname: "Work" })).card;
    const amex = (await addCard(owner, { number: AMEX, securityCode: "7391" })).card;
    const listLast4 = async () => (await listCards()).map(({ last4 }: { last4: string }) => last4);
    expect(await listLast4()).toEqual(["4242", "0005", "4444"]);
    expect(await mutateCard("setDefaultCard", { id: mastercard.id })).toMatchObject({ card: { isDefault: true } });
    expect(await listLast4()).toEqual(["4444", "0005", "4242"]);
    expect(await mutateCard("removeCard", { id: mastercard.id })).toEqual({
      deletedId: mastercard.id,
      viewer: { cards: { edges: [{ node: { cardId: amex.cardId, isDefault: true } }] } },
    });
    expect(await listLast4()).toEqual(["0005", "4242"]);
    const row = await deps().db.prisma.paymentCard.findUniqueOrThrow({ where: { id: mastercard.cardId } });
    expect([row.sealedCard.length, row.fingerprint.length, row.defaultSlot]).toEqual([0, 0, null]);
    expect(await openCard(deps(), { cardId: mastercard.cardId, accountId: owner.accountId })).toBeNull();
    expect(await mutateCard("setDefaultCard", { id: mastercard.id })).toMatchObject({ code: "NOT_FOUND" });
    expect([visa.isDefault, mastercard.isDefault, amex.isDefault]).toEqual([true, false, false]);
    // A removed card can be added again.
    expect(await addCard(owner, { number: MASTERCARD })).toMatchObject({ card: { isDefault: false } });
  });

  it("stores one of eight identical cards added concurrently", async () => {
    const results = await Promise.all(Array.from({ length: 8 }, () => addCard(owner)));
    expect(results.filter(({ card }) => card)).toHaveLength(1);
    expect(results.filter(({ field }) => field === "number")).toHaveLength(7);
    expect(await addCard(await openAccountOwner(stack))).toHaveProperty("card");
  });

  it("leaves one default after concurrent changes", async () => {
    const ids = [(await addCard(owner)).card.id, (await addCard(owner, { number: MASTERCARD })).card.id];
    await Promise.all(Array.from({ length: 8 }, (_, index) => mutateCard("setDefaultCard", { id: ids[index % 2] })));
    expect((await listCards()).map((card: { is_default: boolean }) => card.is_default)).toEqual([true, false]);
  });
});

it("updates a card without changing its number", async () => {
  const { id, cardId } = (await addCard(owner)).card;
  const input = { id, nickname: "Home", expYear: NEXT_YEAR + 1, securityCode: "937", isEnabled: false };
  expect(await mutateCard("updateCard", input)).toEqual({
    card: {
      cardId,
      nickname: "Home",
      status: "DISABLED",
      expYear: NEXT_YEAR + 1,
      isDefault: true,
      billingCountry: "GB",
    },
  });
  expect(await openCard(deps(), { cardId, accountId: owner.accountId })).toBeNull();
  await mutateCard("updateCard", { id, isEnabled: true, nickname: "" });
  expect(await openCard(deps(), { cardId, accountId: owner.accountId })).toMatchObject({
    number: "4242424242424242",
    securityCode: "937",
    expYear: NEXT_YEAR + 1,
  });
  expect(await mutateCard("updateCard", { id, expYear: 2020 })).toMatchObject({ field: "expYear" });
});

it("rejects a security code when storage of codes is disabled", async () => {
  const stackWithoutCodes = await startStack({ env: { CARD_SECURITY_CODE: "ask" } });
  try {
    const otherOwner = await openAccountOwner(stackWithoutCodes);
    expect(await addCard(otherOwner)).toMatchObject({ field: "securityCode" });
    const { card } = await addCard(otherOwner, { securityCode: null });
    expect(card.hasSecurityCode).toBe(false);
    const opened = await openCard(stackWithoutCodes.service.deps, {
      cardId: card.cardId,
      accountId: otherOwner.accountId,
    });
    expect(opened).toMatchObject({ number: "4242424242424242", securityCode: null });
  } finally {
    await stackWithoutCodes.stop();
  }
});

it("stores no card number in plain text in the database, logs or responses", async () => {
  await addCard(owner, { securityCode: "739" });
  const { db } = deps();
  const name = (tables: { rows: unknown[] }) => tables.rows.map((row) => (row as { name: string }).name);
  const tables = name(await db.executeSql("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'"));
  const dumped: string[] = [];
  for (const table of tables) {
    const { rows } = await db.executeSql(`SELECT t::text AS line FROM "${table}" t`);
    dumped.push(...rows.map((row) => (row as { line: string }).line));
  }
  expect(dumped.some((line) => line.startsWith("(card_"))).toBe(true);
  expect(log.length).toBeGreaterThan(10);
  expect(responses.length).toBeGreaterThan(10);
  for (const digits of ["4242424242424242", "4242424242424241", MASTERCARD, AMEX]) {
    // As text, with gaps, in bytea's hexadecimal, and in base64.
    const hex = Buffer.from(digits).toString("hex");
    const gaps = new RegExp([...digits].join("[ -]?"));
    for (const line of [...dumped, ...log, ...responses]) {
      expect(gaps.test(line) || line.includes(hex), `${digits} in ${line.slice(0, 300)}`).toBe(false);
    }
  }
});
