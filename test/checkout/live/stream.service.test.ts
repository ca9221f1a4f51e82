/** The live view's stream: authorization, relayed messages and input. */
import { SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { newId } from "../../../src/platform/ids.ts";
import { createBrowserClient, SESSION_COOKIE } from "../../support/browser-client.ts";
import { WORKER_TOKEN } from "../orders/worker-client.ts";
import { type LiveFixture, openLiveFixture } from "./live-fixture.ts";
import { createPicture, type LiveWorker, readPictureNumber } from "./live-worker.ts";

const HELLO = { type: "hello", mayAct: false };
const PAGE = {
  type: "page",
  origin: "https://store.example",
  party: "merchant",
  certificateHost: "*.store.example",
  frame: { origin: "https://acs.example", party: "issuer" },
};
const CLICK = { type: "pointer", event: "down", x: 0.5, y: 0.25, button: "left" };

let fixture: LiveFixture;
let worker: LiveWorker;
const logLines: string[] = [];

beforeAll(async () => {
  fixture = await openLiveFixture((line) => logLines.push(line));
}, 60_000);
afterAll(() => fixture?.stop());
beforeEach(async () => {
  worker = await fixture.startWorker();
});
afterEach(() => fixture.reset());

const deps = () => fixture.stack.service.deps;

async function signToken(purpose: "live_view" | "login_token", subject: string, secondsLeft: number, audience: string) {
  const { kid, privateKey } = await deps().signingKeys.current(purpose);
  return await new SignJWT({ act: true })
    .setProtectedHeader({ alg: "ES256", kid, typ: "live-view+jwt" })
    .setIssuer(fixture.stack.baseUrl)
    .setSubject(subject)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1_000) + secondsLeft)
    .sign(privateKey);
}

it("relays the worker's pictures and known messages, authenticated with the worker token", async () => {
  const order = await fixture.addDrivenOrder();
  worker.sendMessage({ type: "size", width: 1280, height: 800 });
  const client = await fixture.connectToWorker(await fixture.createStreamUrl(order));
  expect(worker.upgradeRequests).toEqual([
    { path: `/live/${order.workerJobId}`, authorization: `Bearer ${WORKER_TOKEN}` },
  ]);
  worker.sendPicture(createPicture(7));
  worker.sendPicture(Buffer.from("<html>this is no picture</html>"));
  worker.sendMessage({ type: "person-needed", for: "three_d_secure", secret: "left out" });
  worker.sendMessage({ type: "nonsense" });
  worker.sendMessage({ ...PAGE, secret: "left out" });
  for (const invalid of [
    { origin: `https://${"a".repeat(300)}.example` },
    { origin: "javascript:alert(1)" },
    { certificateHost: "a".repeat(256) },
    { party: "friend" },
    { frame: { origin: "https://acs.example" } },
  ]) {
    worker.sendMessage({ ...PAGE, ...invalid });
  }
  worker.sendMessage({ type: "resumed" });
  await expect.poll(() => client.messages.length).toBe(5);
  expect(client.messages).toEqual([
    HELLO,
    { type: "size", width: 1280, height: 800 },
    { type: "person-needed", for: "three_d_secure" },
    PAGE,
    { type: "resumed" },
  ]);
  expect(client.pictures.map(readPictureNumber)).toEqual([7]);
});

it("requires an unexpired token of this order and purpose", async () => {
  const order = await fixture.addDrivenOrder();
  const other = await fixture.addDrivenOrder();
  const good = new URL(await fixture.createStreamUrl(order));
  const token = good.searchParams.get("token") ?? "";
  const [head, body = "", signature = ""] = token.split(".");
  const forged = Buffer.from(body, "base64url").toString().replace('"act":false', '"act":true');
  const sign = (purpose: "live_view" | "login_token", secondsLeft: number, audience: string) =>
    signToken(purpose, order.id, secondsLeft, audience);
  const invalidTokens = {
    "of another order": new URL(await fixture.createStreamUrl(other)).searchParams.get("token") ?? "",
    "none at all": "",
    "with other claims": `${head}.${Buffer.from(forged).toString("base64url")}.${signature}`,
    "with no algorithm": `${Buffer.from('{"alg":"none"}').toString("base64url")}.${body}.`,
    "that has expired": await sign("live_view", -1, "live-view"),
    "of another purpose": await sign("login_token", 60, "live-view"),
    "for another audience": await sign("live_view", 60, "purchase-token"),
    "with an unknown key": token.replace(
      head ?? "",
      Buffer.from('{"alg":"ES256","kid":"\\u0000"}').toString("base64url"),
    ),
    "too long": "a".repeat(5_000),
  };
  for (const [what, invalidToken] of Object.entries(invalidTokens)) {
    const client = fixture.connect(
      `${good.origin.replace("http", "ws")}${good.pathname}?token=${encodeURIComponent(invalidToken)}`,
    );
    expect(await client.closed, what).toMatchObject({ code: 4401 });
    expect(client.messages, what).toEqual([]);
  }
  expect(worker.upgradeRequests).toEqual([]);
  await fixture.connectToWorker(good.href);
});

it("closes when the token expires", async () => {
  const order = await fixture.addDrivenOrder();
  const url = new URL(await fixture.createStreamUrl(order));
  url.searchParams.set("token", await signToken("live_view", order.id, 6, "live-view"));
  const client = await fixture.connectToWorker(url.href);
  expect(await client.closed).toMatchObject({ code: 4403, reason: "The link has expired" });
  await expect.poll(() => worker.connections.size).toBe(0);
});

it("rejects other origins and unknown paths before it contacts the worker", async () => {
  const url = await fixture.createStreamUrl(await fixture.addDrivenOrder(), true);
  for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1"]) {
    expect(await fixture.connect(url, { origin }).closed).toMatchObject({ code: 403 });
  }
  expect(await fixture.connect(url.replace("/stream", "/elsewhere")).closed).toMatchObject({ code: 404 });
  expect(worker.upgradeRequests).toEqual([]);
  await fixture.connectToWorker(url, { origin: new URL(deps().site.browserUrl()).origin });
});

it("accepts only the input that the order requires, and only from the owner's session", async () => {
  const order = await fixture.addDrivenOrder();
  const otherAccount = await fixture.stack.account();
  const ownerHeaders = await fixture.createSessionHeaders(fixture.account.accountId);
  const actingUrl = await fixture.createStreamUrl(order, true);
  const watchOnlyClient = await fixture.connectToWorker(await fixture.createStreamUrl(order), ownerHeaders);
  const withoutSession = await fixture.connectToWorker(actingUrl);
  const withToken = await fixture.connectToWorker(actingUrl, { "x-service-token": fixture.account.token });
  const otherAccountClient = await fixture.connectToWorker(
    actingUrl,
    await fixture.createSessionHeaders(otherAccount.accountId),
  );
  const owner = await fixture.connectToWorker(actingUrl, ownerHeaders);
  await expect.poll(() => owner.messages[0]).toEqual({ type: "hello", mayAct: true });

  // No action is required yet.
  owner.send(CLICK);
  owner.send({ type: "security-code", code: "739" });
  await owner.waitUntilProcessed();
  worker.sendMessage({ type: "person-needed", for: "three_d_secure" });
  const allClients = [watchOnlyClient, withoutSession, withToken, otherAccountClient, owner];
  for (const { messages } of allClients)
    await expect.poll(() => messages.at(-1)).toMatchObject({ for: "three_d_secure" });
  for (const client of [watchOnlyClient, withoutSession, withToken, otherAccountClient]) {
    expect(client.messages[0]).toEqual(HELLO);
    client.send(CLICK);
    client.send({ type: "text", text: "mallory" });
    client.send({ type: "security-code", code: "666" });
    await client.waitUntilProcessed();
  }
  owner.send({ type: "security-code", code: "739" });
  owner.send(CLICK);
  owner.send({ type: "text", text: "1234" });
  owner.send({ type: "key", event: "down", key: "Enter" });
  await expect.poll(() => worker.receivedMessages.length).toBe(3);
  worker.sendMessage({ type: "person-needed", for: "security_code" });
  await expect.poll(() => owner.messages.at(-1)).toMatchObject({ for: "security_code" });
  owner.send(CLICK);
  owner.send({ type: "security-code", code: "739" });
  await expect.poll(() => worker.receivedMessages.length).toBe(4);
  worker.sendMessage({ type: "person-needed", for: null });
  await expect.poll(() => owner.messages.at(-1)).toMatchObject({ for: null });
  owner.send({ type: "security-code", code: "739" });
  await owner.waitUntilProcessed();
  worker.sendMessage({ type: "resumed" });
  await expect.poll(() => owner.messages.at(-1)).toEqual({ type: "resumed" });
  expect(worker.receivedMessages.map((message) => JSON.parse(message))).toEqual([
    CLICK,
    { type: "text", text: "1234" },
    { type: "key", event: "down", key: "Enter" },
    { type: "security-code", code: "739" },
  ]);
});

it("closes connections on invalid, oversized or excessive messages and when their session ends", async () => {
  const order = await fixture.addDrivenOrder();
  const url = await fixture.createStreamUrl(order, true);
  for (const message of [
    "{",
    "[]",
    '{"type":"text","text":""}',
    '{"type":"pointer","event":"down","x":2,"y":0}',
    '{"type":"key","event":"down","key":"Enter","more":1}',
    '{"type":"security-code","code":"12345"}',
  ]) {
    const client = await fixture.connectToWorker(url);
    client.socket.send(message);
    expect(await client.closed, message).toMatchObject({ code: 4400 });
    await expect.poll(() => worker.connections.size).toBe(0);
  }
  const oversized = await fixture.connectToWorker(url);
  oversized.send({ type: "text", text: "x".repeat(5_000) });
  expect(await oversized.closed).toMatchObject({ code: 1009 });
  const fast = await fixture.connectToWorker(url);
  for (let i = 0; i < 600; i++) fast.send(CLICK);
  expect(await fast.closed).toMatchObject({ code: 4429 });

  const headers = await fixture.createSessionHeaders(fixture.account.accountId);
  const owner = await fixture.connectToWorker(url, headers);
  const visitor = createBrowserClient(fixture.stack.baseUrl);
  visitor.cookies.set(SESSION_COOKIE, headers["cookie"]?.split("=")[1] ?? "");
  await visitor.graphql("mutation { signOut { __typename } }");
  expect(await owner.closed).toMatchObject({ code: 4403 });
});

it("waits for a worker, reconnects after an outage and ends with the order", async () => {
  const order = await fixture.addDrivenOrder({
    status: "pending",
    workerUrl: null,
    workerJobId: null,
    leasedUntil: null,
  });
  const client = fixture.connect(await fixture.createStreamUrl(order));
  await expect.poll(() => client.messages).toEqual([HELLO, { type: "waiting" }]);
  const workerJobId = newId("wjb");
  await fixture.transition(order, "leased", { columns: { workerJobId, workerUrl: worker.url, startedAt: new Date() } });
  await expect.poll(() => worker.connections.size).toBe(1);
  worker.sendPicture(createPicture(1));
  await expect.poll(() => client.pictures.length).toBe(1);

  const port = Number(new URL(worker.url).port);
  await worker.stop();
  await expect.poll(() => client.messages.length).toBeGreaterThan(2);
  expect(client.messages.at(-1)).toEqual({ type: "waiting" });
  worker = await fixture.startWorker(port);
  await expect.poll(() => worker.connections.size, { timeout: 10_000 }).toBe(1);
  worker.sendPicture(createPicture(2));
  await expect.poll(() => client.pictures.map(readPictureNumber)).toEqual([1, 2]);
  // An "ended" message of the worker does not end the order.
  worker.sendMessage({ type: "ended" });
  await fixture.transition(order, "worker_crashed", { lease: workerJobId });
  expect(await client.closed).toMatchObject({ code: 1000 });
  expect(client.messages.at(-1)).toEqual({ type: "ended" });
  expect(client.messages.filter(({ type }) => type === "ended")).toHaveLength(1);
  await expect.poll(() => worker.connections.size).toBe(0);

  const late = fixture.connect(await fixture.createStreamUrl(order));
  expect(await late.closed).toMatchObject({ code: 1000 });
  expect(late.messages).toEqual([HELLO, { type: "ended" }]);
});

it("relays no picture while the stream is paused, nor one of another order", async () => {
  const order = await fixture.addDrivenOrder();
  const other = await fixture.addDrivenOrder({ workerJobId: newId("wjb") });
  const client = await fixture.connectToWorker(await fixture.createStreamUrl(order));
  const elsewhere = await fixture.connectToWorker(await fixture.createStreamUrl(other));
  const [ownerHeaders] = worker.connections;
  ownerHeaders?.send(createPicture(1));
  await expect.poll(() => client.pictures.length).toBe(1);
  worker.sendMessage({ type: "paused", reason: "security_code" });
  worker.sendPicture(createPicture(2));
  worker.sendMessage({ type: "resumed" });
  ownerHeaders?.send(createPicture(3));
  await expect.poll(() => client.pictures.map(readPictureNumber)).toEqual([1, 3]);
  await expect.poll(() => elsewhere.messages.at(-1)).toEqual({ type: "resumed" });
  expect(elsewhere.pictures).toEqual([]);
});

it("drops pictures for a slow client and delivers the newest", async () => {
  const client = await fixture.connectToWorker(await fixture.createStreamUrl(await fixture.addDrivenOrder()));
  client.send({ type: "shown" });
  worker.sendPicture(createPicture(0));
  await expect.poll(() => client.pictures.length).toBe(1);
  for (let i = 1; i <= 50; i++) worker.sendPicture(createPicture(i));
  worker.sendMessage({ type: "resumed" });
  await expect.poll(() => client.messages.at(-1)).toEqual({ type: "resumed" });
  expect(client.pictures.length).toBeLessThanOrEqual(3);
  client.send({ type: "shown" });
  await expect.poll(() => readPictureNumber(client.pictures.at(-1) ?? createPicture(0))).toBe(50);
  expect(client.pictures.length).toBeLessThanOrEqual(4);
});

it("limits connections per order, with separate capacity for the owner", async () => {
  const order = await fixture.addDrivenOrder();
  const url = await fixture.createStreamUrl(order);
  const first = await fixture.connectToWorker(url);
  for (let i = 1; i < 8; i++) await fixture.connectToWorker(url);
  expect(await fixture.connect(url).closed).toMatchObject({ code: 4429 });
  await fixture.connectToWorker(
    await fixture.createStreamUrl(order, true),
    await fixture.createSessionHeaders(fixture.account.accountId),
  );
  first.socket.close();
  await expect.poll(() => worker.connections.size).toBe(8);
  await fixture.connectToWorker(url);
});

it("logs neither tokens nor security codes", async () => {
  const url = await fixture.createStreamUrl(await fixture.addDrivenOrder(), true);
  const token = new URL(url).searchParams.get("token") ?? "";
  const headers = await fixture.createSessionHeaders(fixture.account.accountId);
  const owner = await fixture.connectToWorker(url, headers);
  worker.sendMessage({ type: "person-needed", for: "security_code" });
  await expect.poll(() => owner.messages.length).toBe(2);
  owner.send({ type: "security-code", code: "9173" });
  await expect.poll(() => worker.receivedMessages.length).toBe(1);
  const page = await fetch(url.replace(/^ws/, "http").replace("/stream", ""), { redirect: "manual" });
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(logLines.join("")).not.toContain(token.split(".")[2] ?? "none");
  expect(logLines.join("")).not.toMatch(/9173|security-code/);
});
