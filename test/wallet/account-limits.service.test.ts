// @module-tag postgresql
/** Limits of the account: who may set them, and their effect on later reservations. Credit pays, because no chain is reachable. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createOffer } from "../security/seller.ts";
import { type Browser, createClient, obtainTokens, openSignedInBrowser } from "../support/oauth.ts";
import { type SignInStack, startSignInStack } from "../support/sign-in-stack.ts";
import type { TestAccount, TestResponse } from "../support/stack.ts";

let services: SignInStack;
let account: TestAccount;
let owner: Browser;

beforeAll(async () => {
  services = await startSignInStack({ env: { RPC_URL_BASE_SEPOLIA: "http://127.0.0.1:1" } });
});
afterAll(() => services?.stop());
beforeEach(async () => {
  account = await services.stack.account();
  owner = await openSignedInBrowser(services.stack, account.accountId);
});

const prisma = () => services.stack.service.deps.db.prisma;
const SET = `mutation ($input: SetAccountLimitsInput!) { setAccountLimits(input: $input) { __typename
  ... on SetAccountLimitsSuccess { account { spending { perTransactionLimitUsd day { limitUsd remainingUsd } month { limitUsd } } } }
  ... on Error { code message } } }`;
const resultOf = ({ json }: Pick<TestResponse, "json">) => json.data.setAccountLimits;
const set = async (input: object, by = owner) => resultOf(await by.graphql(SET, { input }));
const setByToken = async (input: object, token = account.token) =>
  resultOf(await services.stack.graphql(token, SET, { input }));

/** Pays 0.001 USD. */
const pay = (token = account.token) =>
  services.stack.rest(token, "POST", "/api/sign-payment", {
    paymentRequirements: createOffer(),
    requestData: { url: "http://shop.test/", method: "GET" },
  });

async function limits() {
  const budget = await prisma().budget.findUniqueOrThrow({ where: { id: account.accountId } });
  return [budget.perTransactionLimitMicroUsd, budget.dailyLimitMicroUsd, budget.monthlyLimitMicroUsd];
}

/** Moves the owner's sign-in to a time before the limit for a recent proof. */
const expireProof = () =>
  prisma().session.updateMany({
    where: { accountId: account.accountId },
    data: { authenticatedAt: new Date(Date.now() - 601_000) },
  });

describe("setAccountLimits by a signed-in owner", () => {
  it("applies the new limits to the next payment and reports them", async () => {
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

  it("preserves omitted limits and removes a limit that is null", async () => {
    await set({ perTransactionLimitUsd: "1", dailyLimitUsd: "2", monthlyLimitUsd: "3" });
    await set({ dailyLimitUsd: null });
    expect(await limits()).toEqual([1_000_000n, null, 3_000_000n]);
    await set({});
    expect(await limits()).toEqual([1_000_000n, null, 3_000_000n]);
  });

  it("accepts a limit below the amount spent and then rejects payments", async () => {
    await pay();
    expect(await set({ monthlyLimitUsd: "0" })).toMatchObject({
      account: { spending: { month: { limitUsd: "0.00" } } },
    });
    expect((await pay()).json).toMatchObject({ error: "spending_limit_exceeded", limit: 0, remaining: 0 });
  });

  it.each([
    ["raise a limit", { dailyLimitUsd: "2.000001" }],
    ["remove a limit", { dailyLimitUsd: null }],
    ["raise a limit and lower another", { dailyLimitUsd: "3", monthlyLimitUsd: "1" }],
  ])("requires a recent proof of identity to %s, and notifies the owner by email", async (_change, raised) => {
    await set({ dailyLimitUsd: "2", monthlyLimitUsd: "9" });
    await expireProof();
    expect(await set(raised)).toMatchObject({ code: "REAUTHENTICATION_REQUIRED" });
    expect(await limits()).toEqual([null, 2_000_000n, 9_000_000n]);
    expect(await set({ dailyLimitUsd: "1.5", monthlyLimitUsd: "9" })).toMatchObject({ account: expect.anything() });
    const { email } = await prisma().account.findUniqueOrThrow({ where: { id: account.accountId } });
    const emails = () => services.mail.received.filter(({ recipients }) => recipients.includes(email ?? ""));
    owner = await openSignedInBrowser(services.stack, account.accountId);
    expect(emails()).toEqual([]);
    expect(await set(raised)).toMatchObject({ account: expect.anything() });
    await expect
      .poll(() => emails().map(({ mail }) => mail.subject))
      .toEqual(["A limit of your Satchel account was raised or removed"]);
  });

  it("queues one email a minute for repeated raises, so that other accounts' emails are not delayed", async () => {
    await set({ dailyLimitUsd: "1" });
    for (const dailyLimitUsd of ["2", "3", "4", "5"]) await set({ dailyLimitUsd });
    const { email } = await prisma().account.findUniqueOrThrow({ where: { id: account.accountId } });
    const { rows } = await services.stack.service.deps.db.executeSql(
      "SELECT id FROM jobs.job WHERE name = 'letters' AND data ->> 'to' = $1",
      [email],
    );
    // Two if a new minute begins during the test.
    expect([1, 2]).toContain(rows.length);
  });
});

describe("setAccountLimits by a token or application", () => {
  it("lowers limits with permission to manage the account, and never raises them", async () => {
    await set({ dailyLimitUsd: "2" });
    expect(await setByToken({ dailyLimitUsd: "1" })).toMatchObject({ __typename: "SetAccountLimitsSuccess" });
    for (const raised of ["1.000001", null]) {
      expect(await setByToken({ dailyLimitUsd: raised })).toMatchObject({
        code: "FORBIDDEN",
        message: expect.stringContaining("Only a signed-in user can raise or remove a limit."),
      });
    }
    const { token } = await services.stack.account({ token: { scopes: ["payments:sign"] } });
    expect(await setByToken({ dailyLimitUsd: "1" }, token)).toMatchObject({ code: "FORBIDDEN" });
    const app = await obtainTokens(services.stack, owner, await createClient(services.stack), {
      decision: { dailyLimitUsd: "1" },
    });
    const bearer = { authorization: `Bearer ${app.access_token}` };
    const byApp = await services.stack.graphql(null, SET, { input: { dailyLimitUsd: "0.5" } }, bearer);
    expect(resultOf(byApp)).toMatchObject({ code: "FORBIDDEN" });
    expect((await services.stack.graphql(null, SET, { input: {} })).json.errors[0].extensions.code).toBe(
      "unauthorized",
    );
    expect(await limits()).toEqual([null, 1_000_000n, null]);
  });
});

describe("a concurrent change of limits", () => {
  it("prevents pending payments from exceeding the new limit", async () => {
    const usedMicroUsd = async () =>
      (await prisma().budget.findUniqueOrThrow({ where: { id: account.accountId } })).dayUsedMicroUsd;
    const paying = Array.from({ length: 60 }, () => pay());
    await Promise.race(paying);
    expect(await set({ dailyLimitUsd: "0.02" })).toMatchObject({ __typename: "SetAccountLimitsSuccess" });
    const usedAtChange = await usedMicroUsd();
    await Promise.all(paying);
    await Promise.all(Array.from({ length: 20 }, () => pay()));
    expect(await usedMicroUsd()).toBe(usedAtChange > 20_000n ? usedAtChange : 20_000n);
  });

  it("never raises the limit that another change has set to a lower value", async () => {
    for (let round = 0; round < 15; round++) {
      await set({ dailyLimitUsd: "10" });
      await Promise.all([setByToken({ dailyLimitUsd: "5" }), set({ dailyLimitUsd: "1" })]);
      expect(await limits()).toEqual([null, 1_000_000n, null]);
    }
  });
});
