/** Cards in the vault: who may add them, what is shown of them, and that their digits are nowhere. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { homeAddress } from "../../src/checkout/cards/billing-address.ts";
import { openCard } from "../../src/checkout/cards/card-vault.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { openVisitor } from "../support/visitor.ts";
import { addCard, HOME, NEXT_YEAR, openPerson, type Person, VISA } from "./person.ts";

const MASTERCARD = "5555555555554444";
const AMEX = "378282246310005";
const log: string[] = [];
const answers: string[] = [];
let stack: OwnStack;
let person: Person;

beforeAll(async () => {
  stack = await startStack({ env: { CARD_SECURITY_CODE: "keep" }, onLog: (line) => void log.push(line) });
});
afterAll(() => stack.stop());
beforeEach(async () => {
  person = await openPerson(stack);
  const { request } = person.visitor;
  Object.assign(person.visitor, {
    request: async (...given: Parameters<typeof request>) => {
      const answer = await request(...given);
      answers.push(answer.text);
      return answer;
    },
  });
});

const deps = () => stack.service.deps;
const ERROR = "... on Error { code message } ... on InvalidRequestError { field }";
const change = async (name: string, input: object, by = person) => {
  const pascal = name[0]?.toUpperCase() + name.slice(1);
  const shown =
    name === "removeCard" ? "removedId" : "card { cardId nickname status expYear isDefault billingCountry }";
  const query = `mutation ($input: ${pascal}Input!) { ${name}(input: $input) { ... on ${pascal}Success { ${shown} } ${ERROR} } }`;
  return (await by.visitor.graphql(query, { input }))[name];
};
const listed = async (by = person) => (await stack.rest(by.token, "GET", "/api/autofill/cards")).json.cards;

it("a card is added by its owner, shown without its number, and opened for the worker", async () => {
  const { card } = await addCard(person);
  expect(card).toMatchObject({
    brand: "visa",
    last4: "4242",
    isDefault: true,
    hasSecurityCode: true,
    status: "ACTIVE",
  });
  expect(card.billingAddress).toEqual({ postalCode: "SW1Y 4JH", company: null });
  expect(await listed()).toEqual([
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
  const { accountId } = person;
  expect(await openCard(deps(), { cardId: card.cardId, accountId })).toMatchObject({
    number: "4242424242424242",
    securityCode: "739",
    brand: "visa",
  });
  const other = await openPerson(stack);
  expect(await openCard(deps(), { cardId: card.cardId, accountId: other.accountId })).toBeNull();
  expect(await homeAddress(deps().db, accountId)).toMatchObject({ ...HOME, company: null });
});

describe("nobody else", () => {
  it("adds one: not an agent's token, not an old session", async () => {
    const ADD = "mutation ($input: AddCardInput!) { addCard(input: $input) { ... on Error { code } } }";
    const { json } = await stack.graphql(person.token, ADD, { input: VISA });
    expect(json.data.addCard).toEqual({ code: "forbidden" });
    const { session } = deps().db.prisma;
    const authenticatedAt = new Date(Date.now() - 11 * 60_000);
    await session.updateMany({ where: { accountId: person.accountId }, data: { authenticatedAt } });
    expect(await addCard(person)).toMatchObject({ code: "reauthentication_required" });
    expect(await listed()).toEqual([]);
    const stranger = openVisitor(stack.baseUrl);
    await expect(addCard({ visitor: stranger })).rejects.toThrow("unauthorized");
  });

  it("sees or touches another's, and an agent sees no address", async () => {
    const { card } = await addCard(person);
    const other = await openPerson(stack);
    expect(await change("removeCard", { id: card.id }, other)).toMatchObject({ code: "not_found" });
    expect(await change("updateCard", { id: card.id, nickname: "x" }, other)).toMatchObject({ code: "not_found" });
    expect(await listed(other)).toEqual([]);
    const NODE = "query ($id: ID!) { node(id: $id) { ... on PaymentCard { last4 billingAddress { city } } } }";
    expect((await stack.graphql(other.token, NODE, { id: card.id })).json.data.node).toBeNull();
    expect((await stack.graphql(person.token, NODE, { id: card.id })).json.data.node).toEqual({
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
])("%j is refused by its name, and nothing is kept", async (wrong, field) => {
  const refused = await addCard(person, wrong);
  expect(refused).toMatchObject({ code: "invalid_request", field });
  expect(refused.message).not.toMatch(/\d{6}/);
  expect(await listed()).toEqual([]);
});

it("what GraphQL refuses by type is not repeated", async () => {
  for (const wrong of [{ number: 4242424242424242 }, { expMonth: null }, { expMonth: "4242424242424242" }, { x: 1 }]) {
    await expect(addCard(person, wrong)).rejects.toThrow("got an invalid value");
  }
});

describe("several cards", () => {
  it("the default first; the newest of the rest takes a removed one's place, whose number is destroyed", async () => {
    const visa = (await addCard(person)).card;
    const mastercard = (await addCard(person, { number: MASTERCARD, nickname: "Work" })).card;
    const amex = (await addCard(person, { number: AMEX, securityCode: "7391" })).card;
    const order = async () => (await listed()).map(({ last4 }: { last4: string }) => last4);
    expect(await order()).toEqual(["4242", "0005", "4444"]);
    expect(await change("setDefaultCard", { id: mastercard.id })).toMatchObject({ card: { isDefault: true } });
    expect(await order()).toEqual(["4444", "0005", "4242"]);
    expect(await change("removeCard", { id: mastercard.id })).toEqual({ removedId: mastercard.cardId });
    expect(await order()).toEqual(["0005", "4242"]);
    const row = await deps().db.prisma.paymentCard.findUniqueOrThrow({ where: { id: mastercard.cardId } });
    expect([row.sealedCard.length, row.fingerprint.length, row.defaultSlot]).toEqual([0, 0, null]);
    expect(await openCard(deps(), { cardId: mastercard.cardId, accountId: person.accountId })).toBeNull();
    expect(await change("setDefaultCard", { id: mastercard.id })).toMatchObject({ code: "not_found" });
    expect([visa.isDefault, mastercard.isDefault, amex.isDefault]).toEqual([true, false, false]);
    // What was removed may come back.
    expect(await addCard(person, { number: MASTERCARD })).toMatchObject({ card: { isDefault: false } });
  });

  it("of the same card added eight times at once, one is kept", async () => {
    const added = await Promise.all(Array.from({ length: 8 }, () => addCard(person)));
    expect(added.filter(({ card }) => card)).toHaveLength(1);
    expect(added.filter(({ field }) => field === "number")).toHaveLength(7);
    expect(await addCard(await openPerson(stack))).toHaveProperty("card");
  });

  it("of many made the default at once, one is", async () => {
    const ids = [(await addCard(person)).card.id, (await addCard(person, { number: MASTERCARD })).card.id];
    await Promise.all(Array.from({ length: 8 }, (_, index) => change("setDefaultCard", { id: ids[index % 2] })));
    expect((await listed()).map((card: { is_default: boolean }) => card.is_default)).toEqual([true, false]);
  });
});

it("a card is changed, with its number where it was", async () => {
  const { id, cardId } = (await addCard(person)).card;
  const input = { id, nickname: "Home", expYear: NEXT_YEAR + 1, securityCode: "937", isEnabled: false };
  expect(await change("updateCard", input)).toEqual({
    card: {
      cardId,
      nickname: "Home",
      status: "DISABLED",
      expYear: NEXT_YEAR + 1,
      isDefault: true,
      billingCountry: "GB",
    },
  });
  expect(await openCard(deps(), { cardId, accountId: person.accountId })).toBeNull();
  await change("updateCard", { id, isEnabled: true, nickname: "" });
  expect(await openCard(deps(), { cardId, accountId: person.accountId })).toMatchObject({
    number: "4242424242424242",
    securityCode: "937",
    expYear: NEXT_YEAR + 1,
  });
  expect(await change("updateCard", { id, expYear: 2020 })).toMatchObject({ field: "expYear" });
});

it("where codes are not kept, one that is sent is refused, and a card has none", async () => {
  const asking = await startStack({ env: { CARD_SECURITY_CODE: "ask" } });
  try {
    const owner = await openPerson(asking);
    expect(await addCard(owner)).toMatchObject({ field: "securityCode" });
    const { card } = await addCard(owner, { securityCode: null });
    expect(card.hasSecurityCode).toBe(false);
    const opened = await openCard(asking.service.deps, { cardId: card.cardId, accountId: owner.accountId });
    expect(opened).toMatchObject({ number: "4242424242424242", securityCode: null });
  } finally {
    await asking.stop();
  }
});

it("the digits are nowhere in the database, the log or any answer", async () => {
  await addCard(person, { securityCode: "739" });
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
  expect(answers.length).toBeGreaterThan(10);
  for (const digits of ["4242424242424242", "4242424242424241", MASTERCARD, AMEX]) {
    // As text, with gaps, in bytea's hexadecimal, and in base64.
    const hex = Buffer.from(digits).toString("hex");
    const gaps = new RegExp([...digits].join("[ -]?"));
    for (const line of [...dumped, ...log, ...answers]) {
      expect(gaps.test(line) || line.includes(hex), `${digits} in ${line.slice(0, 300)}`).toBe(false);
    }
  }
});
