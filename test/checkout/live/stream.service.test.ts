/** The live view's stream: who is let in, what goes through to whom, and what never does. */
import { SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { newId } from "../../../src/platform/ids.ts";
import { openVisitor, SESSION_COOKIE } from "../../support/visitor.ts";
import { WORKER_TOKEN } from "../orders/worker.ts";
import { type LiveWorker, numberOf, picture } from "./live-worker.ts";
import { type LiveRoom, openLiveRoom } from "./room.ts";

const HELLO = { type: "hello", mayAct: false };
const CLICK = { type: "pointer", event: "down", x: 0.5, y: 0.25, button: "left" };

let room: LiveRoom;
let worker: LiveWorker;
const lines: string[] = [];

beforeAll(async () => {
  room = await openLiveRoom((line) => lines.push(line));
}, 60_000);
afterAll(() => room?.stop());
beforeEach(async () => {
  worker = await room.startWorker();
});
afterEach(() => room.clear());

const deps = () => room.stack.service.deps;

async function signToken(purpose: "live_view" | "login_token", subject: string, secondsLeft: number, audience: string) {
  const { kid, privateKey } = await deps().signingKeys.current(purpose);
  return await new SignJWT({ act: true })
    .setProtectedHeader({ alg: "ES256", kid, typ: "live-view+jwt" })
    .setIssuer(room.stack.baseUrl)
    .setSubject(subject)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime(Math.floor(Date.now() / 1_000) + secondsLeft)
    .sign(privateKey);
}

it("shows what the worker shows, and tells what it says, under the worker's own token", async () => {
  const order = await room.driven();
  worker.say({ type: "size", width: 1280, height: 800 });
  const watcher = await room.watching(await room.urlOf(order));
  expect(worker.asked).toEqual([{ path: `/live/${order.workerJobId}`, authorization: `Bearer ${WORKER_TOKEN}` }]);
  worker.show(picture(7));
  worker.show(Buffer.from("<html>this is no picture</html>"));
  worker.say({ type: "person-needed", for: "three_d_secure", secret: "left out" });
  worker.say({ type: "nonsense" });
  worker.say({ type: "resumed" });
  await expect.poll(() => watcher.words.length).toBe(4);
  expect(watcher.words).toEqual([
    HELLO,
    { type: "size", width: 1280, height: 800 },
    { type: "person-needed", for: "three_d_secure" },
    { type: "resumed" },
  ]);
  expect(watcher.pictures.map(numberOf)).toEqual([7]);
});

it("lets nobody in without a token of this very order, of this purpose, in its time", async () => {
  const order = await room.driven();
  const other = await room.driven();
  const good = new URL(await room.urlOf(order));
  const token = good.searchParams.get("token") ?? "";
  const [head, body = "", signature = ""] = token.split(".");
  const forged = Buffer.from(body, "base64url").toString().replace('"act":false', '"act":true');
  const sign = (purpose: "live_view" | "login_token", secondsLeft: number, audience: string) =>
    signToken(purpose, order.id, secondsLeft, audience);
  const bad = {
    "of another order": new URL(await room.urlOf(other)).searchParams.get("token") ?? "",
    "none at all": "",
    "with other claims": `${head}.${Buffer.from(forged).toString("base64url")}.${signature}`,
    "with no algorithm": `${Buffer.from('{"alg":"none"}').toString("base64url")}.${body}.`,
    "whose time is over": await sign("live_view", -1, "live-view"),
    "of another purpose": await sign("login_token", 60, "live-view"),
    "for another audience": await sign("live_view", 60, "purchase-token"),
    "with a strange key": token.replace(
      head ?? "",
      Buffer.from('{"alg":"ES256","kid":"\\u0000"}').toString("base64url"),
    ),
    "too long": "a".repeat(5_000),
  };
  for (const [what, given] of Object.entries(bad)) {
    const watcher = room.tried(
      `${good.origin.replace("http", "ws")}${good.pathname}?token=${encodeURIComponent(given)}`,
    );
    expect(await watcher.closed, what).toMatchObject({ code: 4401 });
    expect(watcher.words, what).toEqual([]);
  }
  expect(worker.asked).toEqual([]);
  await room.watching(good.href);
});

it("ends with the token's time", async () => {
  const order = await room.driven();
  const url = new URL(await room.urlOf(order));
  url.searchParams.set("token", await signToken("live_view", order.id, 6, "live-view"));
  const watcher = await room.watching(url.href);
  expect(await watcher.closed).toMatchObject({ code: 4403, reason: "The link has expired" });
  await expect.poll(() => worker.lines.size).toBe(0);
});

it("refuses pages of other sites and unknown paths before anything is looked at", async () => {
  const url = await room.urlOf(await room.driven(), true);
  for (const origin of ["https://evil.example", "null", "http://127.0.0.1:1"]) {
    expect(await room.tried(url, { origin }).closed).toMatchObject({ code: 403 });
  }
  expect(await room.tried(url.replace("/stream", "/elsewhere")).closed).toMatchObject({ code: 404 });
  expect(worker.asked).toEqual([]);
  await room.watching(url, { origin: new URL(deps().site.browserUrl()).origin });
});

it("takes input from the owner's own session only, and only what it waits for", async () => {
  const order = await room.driven();
  const stranger = await room.stack.account();
  const mine = await room.sessionOf(room.account.accountId);
  const acting = await room.urlOf(order, true);
  const onlooker = await room.watching(await room.urlOf(order), mine);
  const withoutSession = await room.watching(acting);
  const withToken = await room.watching(acting, { "x-service-token": room.account.token });
  const strangers = await room.watching(acting, await room.sessionOf(stranger.accountId));
  const owner = await room.watching(acting, mine);
  await expect.poll(() => owner.words[0]).toEqual({ type: "hello", mayAct: true });

  // Nobody is needed yet.
  owner.send(CLICK);
  owner.send({ type: "security-code", code: "739" });
  await owner.handled();
  worker.say({ type: "person-needed", for: "three_d_secure" });
  const everybody = [onlooker, withoutSession, withToken, strangers, owner];
  for (const { words } of everybody) await expect.poll(() => words.at(-1)).toMatchObject({ for: "three_d_secure" });
  for (const watcher of [onlooker, withoutSession, withToken, strangers]) {
    expect(watcher.words[0]).toEqual(HELLO);
    watcher.send(CLICK);
    watcher.send({ type: "text", text: "mallory" });
    watcher.send({ type: "security-code", code: "666" });
    await watcher.handled();
  }
  owner.send({ type: "security-code", code: "739" });
  owner.send(CLICK);
  owner.send({ type: "text", text: "1234" });
  owner.send({ type: "key", event: "down", key: "Enter" });
  await expect.poll(() => worker.heard.length).toBe(3);
  worker.say({ type: "person-needed", for: "security_code" });
  await expect.poll(() => owner.words.at(-1)).toMatchObject({ for: "security_code" });
  owner.send(CLICK);
  owner.send({ type: "security-code", code: "739" });
  await expect.poll(() => worker.heard.length).toBe(4);
  worker.say({ type: "person-needed", for: null });
  await expect.poll(() => owner.words.at(-1)).toMatchObject({ for: null });
  owner.send({ type: "security-code", code: "739" });
  await owner.handled();
  worker.say({ type: "resumed" });
  await expect.poll(() => owner.words.at(-1)).toEqual({ type: "resumed" });
  expect(worker.heard.map((word) => JSON.parse(word))).toEqual([
    CLICK,
    { type: "text", text: "1234" },
    { type: "key", event: "down", key: "Enter" },
    { type: "security-code", code: "739" },
  ]);
});

it("closes what says anything else, or too much, and what a session opened when that ends", async () => {
  const order = await room.driven();
  const url = await room.urlOf(order, true);
  for (const word of [
    "{",
    "[]",
    '{"type":"text","text":""}',
    '{"type":"pointer","event":"down","x":2,"y":0}',
    '{"type":"key","event":"down","key":"Enter","more":1}',
    '{"type":"security-code","code":"12345"}',
  ]) {
    const watcher = await room.watching(url);
    watcher.socket.send(word);
    expect(await watcher.closed, word).toMatchObject({ code: 4400 });
    await expect.poll(() => worker.lines.size).toBe(0);
  }
  const loud = await room.watching(url);
  loud.send({ type: "text", text: "x".repeat(5_000) });
  expect(await loud.closed).toMatchObject({ code: 1009 });
  const fast = await room.watching(url);
  for (let i = 0; i < 600; i++) fast.send(CLICK);
  expect(await fast.closed).toMatchObject({ code: 4429 });

  const headers = await room.sessionOf(room.account.accountId);
  const owner = await room.watching(url, headers);
  const visitor = openVisitor(room.stack.baseUrl);
  visitor.cookies.set(SESSION_COOKIE, headers["cookie"]?.split("=")[1] ?? "");
  await visitor.graphql("mutation { signOut { __typename } }");
  expect(await owner.closed).toMatchObject({ code: 4403 });
});

it("waits for a worker, comes back to one that was away, and ends with the order", async () => {
  const order = await room.driven({ status: "pending", workerUrl: null, workerJobId: null, leasedUntil: null });
  const watcher = room.tried(await room.urlOf(order));
  await expect.poll(() => watcher.words).toEqual([HELLO, { type: "waiting" }]);
  const workerJobId = newId("wjb");
  await room.move(order, "leased", { told: { workerJobId, workerUrl: worker.url, startedAt: new Date() } });
  await expect.poll(() => worker.lines.size).toBe(1);
  worker.show(picture(1));
  await expect.poll(() => watcher.pictures.length).toBe(1);

  const port = Number(new URL(worker.url).port);
  await worker.stop();
  await expect.poll(() => watcher.words.length).toBeGreaterThan(2);
  expect(watcher.words.at(-1)).toEqual({ type: "waiting" });
  worker = await room.startWorker(port);
  await expect.poll(() => worker.lines.size, { timeout: 10_000 }).toBe(1);
  worker.show(picture(2));
  await expect.poll(() => watcher.pictures.map(numberOf)).toEqual([1, 2]);
  // The worker's word is not the order's end.
  worker.say({ type: "ended" });
  await room.move(order, "worker_crashed", { lease: workerJobId });
  expect(await watcher.closed).toMatchObject({ code: 1000 });
  expect(watcher.words.at(-1)).toEqual({ type: "ended" });
  expect(watcher.words.filter(({ type }) => type === "ended")).toHaveLength(1);
  await expect.poll(() => worker.lines.size).toBe(0);

  const late = room.tried(await room.urlOf(order));
  expect(await late.closed).toMatchObject({ code: 1000 });
  expect(late.words).toEqual([HELLO, { type: "ended" }]);
});

it("never shows a picture while the stream is paused, nor one of another order", async () => {
  const order = await room.driven();
  const other = await room.driven({ workerJobId: newId("wjb") });
  const watcher = await room.watching(await room.urlOf(order));
  const elsewhere = await room.watching(await room.urlOf(other));
  const [mine] = worker.lines;
  mine?.send(picture(1));
  await expect.poll(() => watcher.pictures.length).toBe(1);
  worker.say({ type: "paused", reason: "security_code" });
  worker.show(picture(2));
  worker.say({ type: "resumed" });
  mine?.send(picture(3));
  await expect.poll(() => watcher.pictures.map(numberOf)).toEqual([1, 3]);
  await expect.poll(() => elsewhere.words.at(-1)).toEqual({ type: "resumed" });
  expect(elsewhere.pictures).toEqual([]);
});

it("skips pictures for who looks slowly, and shows the newest", async () => {
  const watcher = await room.watching(await room.urlOf(await room.driven()));
  watcher.send({ type: "shown" });
  worker.show(picture(0));
  await expect.poll(() => watcher.pictures.length).toBe(1);
  for (let i = 1; i <= 50; i++) worker.show(picture(i));
  worker.say({ type: "resumed" });
  await expect.poll(() => watcher.words.at(-1)).toEqual({ type: "resumed" });
  expect(watcher.pictures.length).toBeLessThanOrEqual(3);
  watcher.send({ type: "shown" });
  await expect.poll(() => numberOf(watcher.pictures.at(-1) ?? picture(0))).toBe(50);
  expect(watcher.pictures.length).toBeLessThanOrEqual(4);
});

it("has few places for each order, and its owner's are their own", async () => {
  const order = await room.driven();
  const url = await room.urlOf(order);
  const first = await room.watching(url);
  for (let i = 1; i < 8; i++) await room.watching(url);
  expect(await room.tried(url).closed).toMatchObject({ code: 4429 });
  await room.watching(await room.urlOf(order, true), await room.sessionOf(room.account.accountId));
  first.socket.close();
  await expect.poll(() => worker.lines.size).toBe(8);
  await room.watching(url);
});

it("writes neither tokens nor codes into the log", async () => {
  const url = await room.urlOf(await room.driven(), true);
  const token = new URL(url).searchParams.get("token") ?? "";
  const headers = await room.sessionOf(room.account.accountId);
  const owner = await room.watching(url, headers);
  worker.say({ type: "person-needed", for: "security_code" });
  await expect.poll(() => owner.words.length).toBe(2);
  owner.send({ type: "security-code", code: "9173" });
  await expect.poll(() => worker.heard.length).toBe(1);
  const page = await fetch(url.replace(/^ws/, "http").replace("/stream", ""), { redirect: "manual" });
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(lines.join("")).not.toContain(token.split(".")[2] ?? "none");
  expect(lines.join("")).not.toMatch(/9173|security-code/);
});
