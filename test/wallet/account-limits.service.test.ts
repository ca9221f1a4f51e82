// @module-tag postgresql
/** The account's own limits: who may set them, and that whatever is reserved meets them at once. No chain answers: credit pays. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { offer } from "../security/shop.ts";
import { type Browser, createClient, signedIn, tokensOf } from "../support/oauth.ts";
import { type SignInStack, startSignInStack } from "../support/sign-in-stack.ts";
import type { Answer, TestAccount } from "../support/stack.ts";

let room: SignInStack;
let account: TestAccount;
let person: Browser;

beforeAll(async () => {
  room = await startSignInStack({ env: { RPC_URL_BASE_SEPOLIA: "http://127.0.0.1:1" } });
});
afterAll(() => room?.stop());
beforeEach(async () => {
  account = await room.stack.account();
  person = await signedIn(room.stack, account.accountId);
});

const prisma = () => room.stack.service.deps.db.prisma;
const SET = `mutation ($input: SetAccountLimitsInput!) { setAccountLimits(input: $input) { __typename
  ... on SetAccountLimitsSuccess { account { spending { perTransactionLimitUsd day { limitUsd remainingUsd } month { limitUsd } } } }
  ... on Error { code message } } }`;
const resultOf = ({ json }: Pick<Answer, "json">) => json.data.setAccountLimits;
const set = async (input: object, by = person) => resultOf(await by.graphql(SET, { input }));
const setByToken = async (input: object, token = account.token) =>
  resultOf(await room.stack.graphql(token, SET, { input }));

/** Costs 0.001 USD. */
const pay = (token = account.token) =>
  room.stack.rest(token, "POST", "/api/sign-payment", {
    paymentRequirements: offer(),
    requestData: { url: "http://shop.test/", method: "GET" },
  });

async function limits() {
  const budget = await prisma().budget.findUniqueOrThrow({ where: { id: account.accountId } });
  return [budget.perTransactionLimitMicroUsd, budget.dailyLimitMicroUsd, budget.monthlyLimitMicroUsd];
}

/** As if they had signed in long ago. */
const letProofAge = () =>
  prisma().session.updateMany({
    where: { accountId: account.accountId },
    data: { authenticatedAt: new Date(Date.now() - 601_000) },
  });

describe("a person", () => {
  it("sets them, and the next payment and every statement meet them", async () => {
    expect((await pay()).status).toBe(200);
    expect(await set({ perTransactionLimitUsd: "0.001", dailyLimitUsd: "0.002", monthlyLimitUsd: null })).toEqual({
      __typename: "SetAccountLimitsSuccess",
      account: {
        spending: {
          perTransactionLimitUsd: "0.001",
          day: { limitUsd: "0.002", remainingUsd: "0.001" },
          month: { limitUsd: null },
        },
      },
    });
    expect((await pay()).status).toBe(200);
    expect((await pay()).json).toMatchObject({ error: "spending_limit_exceeded", limit: 0.002, remaining: 0 });
    expect(await set({ perTransactionLimitUsd: "0.000999" })).toMatchObject({ __typename: "SetAccountLimitsSuccess" });
    expect((await pay()).json).toMatchObject({ error: "spending_limit_exceeded", limit: 0.000999 });
  });

  it("leaves alone what they do not say, and takes a limit away with null", async () => {
    await set({ perTransactionLimitUsd: "1", dailyLimitUsd: "2", monthlyLimitUsd: "3" });
    await set({ dailyLimitUsd: null });
    expect(await limits()).toEqual([1_000_000n, null, 3_000_000n]);
    await set({});
    expect(await limits()).toEqual([1_000_000n, null, 3_000_000n]);
  });

  it("may set less than is spent, and nothing more is paid until that is over", async () => {
    await pay();
    expect(await set({ monthlyLimitUsd: "0" })).toMatchObject({
      account: { spending: { month: { limitUsd: "0.00" } } },
    });
    expect((await pay()).json).toMatchObject({ error: "spending_limit_exceeded", limit: 0, remaining: 0 });
  });

  it.each([
    ["raise one", { dailyLimitUsd: "2.000001" }],
    ["remove one", { dailyLimitUsd: null }],
    ["raise one and lower another", { dailyLimitUsd: "3", monthlyLimitUsd: "1" }],
  ])("proves who they are when they %s, and their address is told", async (_what, wider) => {
    await set({ dailyLimitUsd: "2", monthlyLimitUsd: "9" });
    await letProofAge();
    expect(await set(wider)).toMatchObject({ code: "reauthentication_required" });
    expect(await limits()).toEqual([null, 2_000_000n, 9_000_000n]);
    expect(await set({ dailyLimitUsd: "1.5", monthlyLimitUsd: "9" })).toMatchObject({ account: expect.anything() });
    const { email } = await prisma().account.findUniqueOrThrow({ where: { id: account.accountId } });
    const letters = () => room.mail.arrived.filter(({ recipients }) => recipients.includes(email ?? ""));
    person = await signedIn(room.stack, account.accountId);
    expect(letters()).toEqual([]);
    expect(await set(wider)).toMatchObject({ account: expect.anything() });
    await expect
      .poll(() => letters().map(({ mail }) => mail.subject))
      .toEqual(["A limit of your Satchel account was raised or removed"]);
  });

  it("is told once a minute when they raise them again and again, or others' letters would wait behind theirs", async () => {
    await set({ dailyLimitUsd: "1" });
    for (const dailyLimitUsd of ["2", "3", "4", "5"]) await set({ dailyLimitUsd });
    const { email } = await prisma().account.findUniqueOrThrow({ where: { id: account.accountId } });
    const { rows } = await room.stack.service.deps.db.executeSql(
      "SELECT id FROM jobs.job WHERE name = 'letters' AND data ->> 'to' = $1",
      [email],
    );
    // Two where a minute begins in between.
    expect([1, 2]).toContain(rows.length);
  });
});

describe("a program", () => {
  it("lowers them where it may change the account, and never raises them", async () => {
    await set({ dailyLimitUsd: "2" });
    expect(await setByToken({ dailyLimitUsd: "1" })).toMatchObject({ __typename: "SetAccountLimitsSuccess" });
    for (const wider of ["1.000001", null]) {
      expect(await setByToken({ dailyLimitUsd: wider })).toMatchObject({
        code: "forbidden",
        message: "Only a person who is signed in may raise or remove a limit.",
      });
    }
    const { token } = await room.stack.account({ token: { scopes: ["payments:sign"] } });
    expect(await setByToken({ dailyLimitUsd: "1" }, token)).toMatchObject({ code: "forbidden" });
    const app = await tokensOf(room.stack, person, await createClient(room.stack), {
      decision: { dailyLimitUsd: "1" },
    });
    const bearer = { authorization: `Bearer ${app.access_token}` };
    const byApp = await room.stack.graphql(null, SET, { input: { dailyLimitUsd: "0.5" } }, bearer);
    expect(resultOf(byApp)).toMatchObject({ code: "forbidden" });
    expect((await room.stack.graphql(null, SET, { input: {} })).json.errors[0].extensions.code).toBe("unauthorized");
    expect(await limits()).toEqual([null, 1_000_000n, null]);
  });
});

describe("at the same moment", () => {
  it("as payments, nothing is reserved beyond the new limit", async () => {
    const usedMicroUsd = async () =>
      (await prisma().budget.findUniqueOrThrow({ where: { id: account.accountId } })).dayUsedMicroUsd;
    const paying = Array.from({ length: 60 }, () => pay());
    await Promise.race(paying);
    expect(await set({ dailyLimitUsd: "0.02" })).toMatchObject({ __typename: "SetAccountLimitsSuccess" });
    const usedThen = await usedMicroUsd();
    await Promise.all(paying);
    await Promise.all(Array.from({ length: 20 }, () => pay()));
    expect(await usedMicroUsd()).toBe(usedThen > 20_000n ? usedThen : 20_000n);
  });

  it("as one another, what would lower the old limit never raises the new one", async () => {
    for (let round = 0; round < 15; round++) {
      await set({ dailyLimitUsd: "10" });
      await Promise.all([setByToken({ dailyLimitUsd: "5" }), set({ dailyLimitUsd: "1" })]);
      expect(await limits()).toEqual([null, 1_000_000n, null]);
    }
  });
});
