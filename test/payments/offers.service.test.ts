// @module-tag postgresql
/** Offers as sellers of X402 version 2 send them: what a payment echoes, and what is refused before it is signed. */
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { NETWORKS } from "../../src/wallet/networks.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";

let stack: Stack;
let account: TestAccount;
beforeAll(async () => {
  stack = await sharedStack();
});
beforeEach(async () => {
  account = await stack.account();
});

const ENTRY = {
  scheme: "exact",
  network: "eip155:84532",
  amount: "1000",
  asset: NETWORKS["base-sepolia"].usdc.address,
  payTo: "0x1111111111111111111111111111111111111111",
  maxTimeoutSeconds: 60,
  extra: { name: "USDC", version: "2" },
};
const IDENTIFIER = { "payment-identifier": { info: { required: true }, schema: { type: "object" } } };
/** A description of inputs and outputs, as the extension `bazaar` has it. */
const bazaar = (members: number) => ({
  bazaar: {
    info: { input: { type: "http", method: "GET" }, output: { type: "json", example: { high: "9 °C" } } },
    schema: {
      type: "object",
      properties: Object.fromEntries(
        Array.from({ length: members }, (_, n) => [
          `member_${n}`,
          { type: "string", description: "Value of the day as text, followed by its unit in the metric system." },
        ]),
      ),
    },
  },
});

interface Seller {
  readonly url: string;
  /** Decoded payments, in order, and the headers they were decoded from. */
  readonly payments: { readonly [member: string]: never }[];
  readonly headers: string[];
  /** Status of the response to a payment. */
  status: number;
}

/** Starts a seller of version 2, with Node's limit of 16 KiB for all request headers. */
async function openSeller(offer: object, sendsBody = false): Promise<Seller> {
  const server = createServer({ maxHeaderSize: 16_384 }, (request, response) => {
    const payment = request.headers["payment-signature"];
    if (typeof payment === "string") {
      seller.headers.push(payment);
      seller.payments.push(JSON.parse(Buffer.from(payment, "base64").toString("utf8")));
      return response.writeHead(seller.status).end("served");
    }
    const document = JSON.stringify({ x402Version: 2, error: "Payment required", ...offer });
    if (sendsBody) return response.writeHead(402, { "content-type": "application/json" }).end(document);
    return response.writeHead(402, { "payment-required": Buffer.from(document).toString("base64") }).end("{}");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/forecast`;
  const seller: Seller = { url, payments: [], headers: [], status: 200 };
  return seller;
}

const pay = (url: string, key?: string, { token }: TestAccount = account) =>
  stack.rest(
    token,
    "POST",
    `/api/x402/fetch?timeout=1000&url=${encodeURIComponent(url)}`,
    undefined,
    key ? { "idempotency-key": key } : {},
  );
const idOf = (seller: Seller, index: number): string =>
  (
    seller.payments[index] as never as {
      extensions: typeof IDENTIFIER & { "payment-identifier": { info: { id: string } } };
    }
  ).extensions["payment-identifier"].info.id;

describe("a payment of version 2", () => {
  it.each([
    ["a bazaar description", { extensions: bazaar(25) }],
    [
      "a resource of more than 1 KiB",
      { resource: { url: "x", description: "Forecast. ".repeat(150), tags: ["b", "a"] } },
    ],
    ["an entry of more than 3 KiB", { accepts: [{ ...ENTRY, outputSchema: bazaar(25).bazaar.schema }] }],
    ["unknown extensions", { extensions: { zulu: { b: 1, a: "°" }, alpha: null, list: [1] } }],
    ["text that PostgreSQL cannot store", { extensions: { odd: "a\0b\ud800" }, resource: { url: "\0" } }],
    ["a resource that is text", { resource: "https://merchant.example/" }],
  ])("repeats %s unchanged", async (_name, members) => {
    const offer = { resource: { url: "https://merchant.example/" }, accepts: [ENTRY], ...members };
    const seller = await openSeller(offer);
    expect(await pay(seller.url)).toMatchObject({ status: 200, text: "served" });
    const { accepts, ...echoed } = offer;
    expect(seller.payments).toMatchObject([{ x402Version: 2, accepted: accepts[0], ...echoed }]);
    expect(Object.keys(seller.payments[0] ?? {})).toEqual([
      "x402Version",
      "resource",
      "accepted",
      "payload",
      ...("extensions" in offer ? ["extensions"] : []),
    ]);
  });

  it("is chosen among many entries, in a header of 100 KiB", async () => {
    const others = Array.from({ length: 300 }, (_, n) => ({ ...ENTRY, network: `eip155:${5_000 + n}` }));
    const seller = await openSeller({ accepts: [...others, ENTRY] });
    expect((await pay(seller.url)).status).toBe(200);
    expect(seller.payments).toMatchObject([{ accepted: ENTRY }]);
  });

  it("is the same to the last byte when a purchase is resumed from the database", async () => {
    const seller = await openSeller({
      resource: { zz: 1, url: "u", a: 2 },
      accepts: [{ zz: 1, ...ENTRY }],
      extensions: { ...IDENTIFIER, b: {}, aaa: [] },
    });
    seller.status = 500;
    const key = randomUUID();
    expect((await pay(seller.url, key)).status).toBe(500);
    seller.status = 200;
    expect((await pay(seller.url, key)).status).toBe(200);
    expect(seller.headers.length).toBeGreaterThan(3);
    expect(new Set(seller.headers).size).toBe(1);
  });

  it("beyond a header is refused before signing, with its size and the limit", async () => {
    const seller = await openSeller({ accepts: [ENTRY], extensions: bazaar(110) });
    const { status, json } = await pay(seller.url);
    expect([status, json.error]).toEqual([402, "no_acceptable_requirement"]);
    expect(json.error_description).toMatch(/ header of up to \d{5} characters\. At most 12288 are sent/);
    expect(seller.payments).toEqual([]);
  });
});

describe("the extension payment-identifier", () => {
  it("has the seller's members and an identifier of account, origin and key", async () => {
    const [seller, other] = await Promise.all(
      [0, 1].map(() => openSeller({ accepts: [ENTRY], extensions: IDENTIFIER })),
    );
    const colleague = await stack.account();
    const key = "order-1";
    for (const target of [seller, other]) {
      if (target) expect((await pay(target.url, target === seller ? key : "order-2")).status).toBe(200);
    }
    expect((await pay(seller?.url ?? "", key, colleague)).status).toBe(200);
    const ids = [idOf(seller as Seller, 0), idOf(seller as Seller, 1), idOf(other as Seller, 0)];
    for (const id of ids) expect(id).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(ids).size).toBe(3);
    expect(seller?.payments[0]).toMatchObject({ extensions: IDENTIFIER });
    const wallet = await stack.service.deps.wallets.ofAccount(account.accountId);
    const text = JSON.stringify(["payment", account.accountId, new URL(seller?.url ?? "").origin, key]);
    const hmac = await stack.service.deps.vault.deriveIdentifier(wallet, text);
    expect(ids[0]).toBe(Buffer.from(hmac).toString("base64url"));
  });

  it("is random for each payment without a key, and the same each time a payment is sent", async () => {
    const seller = await openSeller({ accepts: [ENTRY], extensions: IDENTIFIER });
    seller.status = 503;
    expect((await pay(seller.url)).status).toBe(503);
    seller.status = 200;
    expect((await pay(seller.url)).status).toBe(200);
    expect(seller.payments.length).toBeGreaterThan(2);
    expect(new Set(seller.payments.map((_, index) => idOf(seller, index))).size).toBe(1);
    expect((await pay(seller.url)).status).toBe(200);
    expect(idOf(seller, seller.payments.length - 1)).not.toBe(idOf(seller, 0));
  });

  it("is added by sign-payment too", async () => {
    const paymentRequirements = { x402Version: 2, accepts: [ENTRY], extensions: IDENTIFIER };
    const requestData = { url: "https://merchant.example/forecast", method: "GET" };
    const { status, json } = await stack.rest(account.token, "POST", "/api/sign-payment", {
      paymentRequirements,
      requestData,
    });
    expect(status).toBe(200);
    expect(json.paymentProof.extensions["payment-identifier"]).toEqual({
      ...IDENTIFIER["payment-identifier"],
      info: { required: true, id: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) },
    });
  });
});

describe("a malformed offer is refused with its reason, as the seller's fault", () => {
  const without = (member: keyof typeof ENTRY) =>
    Object.fromEntries(Object.entries(ENTRY).filter(([name]) => name !== member));

  it.each([
    [{ accepts: [without("extra")] }, "extra.name and extra.version are missing"],
    [{ accepts: [without("amount")] }, "response.accepts[0].amount is missing"],
    [{ accepts: [{ ...ENTRY, maxTimeoutSeconds: "60" }] }, "maxTimeoutSeconds must be a positive number of seconds"],
    [{ accepts: [without("maxTimeoutSeconds")] }, "maxTimeoutSeconds is missing"],
    [{ x402Version: "2", accepts: [ENTRY] }, "response.x402Version must be the number 1 or 2"],
    [{ x402Version: 3, accepts: [ENTRY] }, "response.x402Version must be the number 1 or 2"],
    [{ accepts: ENTRY }, "response.accepts must be an array"],
    [{ accepts: [] }, "response.accepts must contain at least one entry"],
    [{ accepts: undefined }, "response.accepts is missing"],
    [{ accepts: Array(1_100).fill(1) }, "response.accepts has more than 1024 entries"],
  ])("(%#)", async (offer, reason) => {
    for (const sendsBody of [false, true]) {
      const seller = await openSeller(offer, sendsBody);
      const { status, json } = await pay(seller.url);
      expect([status, json.error, json.error_description]).toEqual([
        402,
        "no_acceptable_requirement",
        expect.stringContaining(reason),
      ]);
      expect(json.considered).toMatchObject([{ index: 0, explanation: expect.stringContaining(reason) }]);
      expect(seller.payments).toEqual([]);
    }
  });

  it("a response without any offers is target_response_invalid", async () => {
    const server = createServer((_request, response) => response.writeHead(402).end('{"error":"Pay at the counter."}'));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    expect(await pay(url)).toMatchObject({ status: 500, json: { error: "target_response_invalid" } });
  });

  it("is an offer in the query x402Requirements", async () => {
    const seller = await openSeller({ x402Version: "2", accepts: [ENTRY] });
    const query = `query ($url: Url!) { x402Requirements(url: $url) {
      ... on X402RequirementsSuccess { status chosen { index } offers { refusal explanation } } ... on Error { message } } }`;
    const { json } = await stack.graphql(account.token, query, { url: seller.url });
    expect(json.data?.x402Requirements ?? json).toMatchObject({
      status: 402,
      chosen: null,
      offers: [{ refusal: "MALFORMED", explanation: expect.stringContaining("x402Version") }],
    });
  });
});
