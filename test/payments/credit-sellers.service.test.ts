/** Hosts and recipients that the operator permits for free credit. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOffer, OTHER_SELLER, SELLER } from "../security/seller.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { fetchWithToken, openTarget, respondWith402 } from "./purchase-token.ts";

const INSUFFICIENT = { status: 402, json: { error: "insufficient_balance" } };

const startWith = (env: Record<string, string>) => {
  const started: { stack: OwnStack | null } = { stack: null };
  beforeAll(async () => {
    started.stack = await startStack({ networks: ["base-sepolia"], env });
  });
  afterAll(() => started.stack?.stop());
  return async () => {
    const { stack } = started;
    if (!stack) throw new Error("The stack is not started.");
    const { token } = await stack.account();
    const target = (payTo: string) =>
      openTarget((_request, response, isPaid) => {
        if (isPaid) response.end("sold");
        else respondWith402(response, { payTo });
      });
    const sign = (payTo: string, url: string) => {
      const body = { paymentRequirements: createOffer({ payTo }), requestData: { url, method: "GET" } };
      return stack.rest(token, "POST", "/api/sign-payment", body);
    };
    return { target, sign, fetch: (url: string) => fetchWithToken(stack, token, url) };
  };
};

describe("with permitted recipients", () => {
  const open = startWith({ FREE_CREDIT_PAYEES: SELLER });

  it("credit pays these, and the empty wallet pays no other", async () => {
    const { target, fetch, sign } = await open();
    expect((await fetch((await target(SELLER)).origin)).text).toBe("sold");
    expect(await fetch((await target(OTHER_SELLER)).origin)).toMatchObject(INSUFFICIENT);
    expect((await sign(SELLER, "http://shop.test/")).status).toBe(200);
    expect(await sign(OTHER_SELLER, "http://shop.test/")).toMatchObject(INSUFFICIENT);
  });
});

describe("with permitted hosts", () => {
  const open = startWith({ FREE_CREDIT_HOSTS: "127.0.0.1,shop.test" });

  it("credit pays these through the proxy, and nothing that is presented elsewhere", async () => {
    const { target, fetch, sign } = await open();
    const { origin } = await target(OTHER_SELLER);
    expect((await fetch(origin)).text).toBe("sold");
    expect(await fetch(origin.replace("127.0.0.1", "localhost"))).toMatchObject(INSUFFICIENT);
    expect(await sign(SELLER, "http://shop.test/")).toMatchObject(INSUFFICIENT);
  });
});
