/** The pay gate recognises a payment by what it carries: the card, or a token that stands for it. */
import { afterEach, describe, expect, it } from "vitest";
import { WRONG_PROFILES } from "../checkout/gallery/wrong-profiles.ts";
import { CARD_NUMBER, type GatedPage, openGatedPage, TOKEN } from "./gate-fixture.ts";

let gated: GatedPage;
afterEach(() => gated.close());

/** Posts from the page and returns the status, or `lost` without a response. */
const post = (url: string, body: string) =>
  gated.page.evaluate(
    `fetch(${JSON.stringify(url)}, { method: "POST", body: ${body} }).then((it) => it.status, () => "lost")`,
  );
const get = (url: string) => gated.page.evaluate(`fetch(${JSON.stringify(url)}).then((it) => it.status, () => "lost")`);
const text = (value: string) => JSON.stringify(value);

describe("the card", () => {
  it.each([
    ["a member more", "/pay", `number=${CARD_NUMBER}&retry=1`],
    ["another value", "/pay", `number=${CARD_NUMBER}&attempt=2`],
    ["another query", "/pay?attempt=2", `number=${CARD_NUMBER}&attempt=1`],
    ["another path and encoding", "/again", JSON.stringify({ data: Buffer.from(CARD_NUMBER).toString("base64") })],
  ])("leaves once when the page repeats it with %s before the response", async (_change, path, body) => {
    gated = await openGatedPage({ payMs: 400 });
    const sent = await Promise.all([post("/pay", text(`number=${CARD_NUMBER}&attempt=1`)), post(path, text(body))]);
    expect(sent).toEqual([200, "lost"]);
    expect(gated.received).toEqual([`POST /pay number=${CARD_NUMBER}&attempt=1`]);
    expect(gated.events).toEqual(["commit", "/pay"]);
  });

  it("leaves once when the page repeats the same request, and both receive the response", async () => {
    gated = await openGatedPage({ payMs: 400 });
    const body = text(`number=${CARD_NUMBER}`);
    expect(await Promise.all([post("/pay", body), post("/pay", body)])).toEqual([200, 200]);
    expect(gated.received).toHaveLength(1);
  });

  it("leaves in no query, beacon, file or socket after it left", async () => {
    gated = await openGatedPage({ before: `window.socket = new WebSocket(location.origin.replace("http", "ws"))` });
    await gated.page.waitForFunction("socket.readyState === 1");
    expect(await post("/pay", text(`number=${CARD_NUMBER}`))).toBe(200);
    expect(await get(`/track?n=${CARD_NUMBER}`)).toBe("lost");
    expect(await get(`${gated.processorUrl}/track?n=${[...CARD_NUMBER].reverse().join("")}`)).toBe("lost");
    expect(await post("/pay", `new Blob(["4242 4242 4242 4242"])`)).toBe("lost");
    await gated.page.evaluate(`navigator.sendBeacon("/track", "${CARD_NUMBER}")`);
    await gated.page.evaluate(`socket.send("${CARD_NUMBER}")`);
    await expect.poll(() => gated.gate.refused).toBe(5);
    expect(gated.received).toHaveLength(1);
  });

  it("does not reach the merchant before the press", async () => {
    gated = await openGatedPage({ isPressed: false });
    expect(await post("/autosave", text(`number=${CARD_NUMBER}`))).toBe("lost");
    expect(gated.events).toEqual([]);
    expect(gated.gate.hasLeft).toBe(false);
  });
});

describe("a token", () => {
  it.each([
    ["a post", () => post("/pay", text(`source=${TOKEN}`)), "POST"],
    ["a GET", () => get(`/pay?source=${TOKEN}`), "GET"],
    ["JSON in Base64", () => post("/pay", text(Buffer.from(JSON.stringify({ t: TOKEN })).toString("base64"))), "POST"],
  ])("pays once with %s", async (_how, pay, method) => {
    gated = await openGatedPage();
    expect(await post(`${gated.processorUrl}/tokens`, text(`number=${CARD_NUMBER}`))).toBe(200);
    expect(await pay()).toBe(200);
    expect(await post("/pay/again", text(`source=${TOKEN}&retry=1`))).toBe("lost");
    expect(await get(`/pay/again?source=${TOKEN}`)).toBe("lost");
    expect(await post("/pay/other", text("attempt=2"))).toBe("lost");
    expect(gated.received.map((line) => line.split("?")[0]?.split(" ").slice(0, 2).join(" "))).toEqual([
      "POST /tokens",
      `${method} /pay`,
    ]);
  });
});

describe("a profile", () => {
  it.each(Object.entries(WRONG_PROFILES))("permits no second payment (%s)", async (_name, profiles) => {
    gated = await openGatedPage({ profiles });
    expect(await post("/orders", text("create=1"))).toBe(200);
    expect(await post(`${gated.processorUrl}/tokens`, text(`number=${CARD_NUMBER}`))).toBe(200);
    expect(await post("/pay", text(`source=${TOKEN}&email=ada-lovelace-example`))).toBe(200);
    for (const change of ["&retry=1", "&attempt=2"]) {
      await post("/pay", text(`source=${TOKEN}&email=ada-lovelace-example${change}`));
      await post(`/pay?again${change}`, text(`source=${TOKEN}`));
    }
    expect(gated.received.filter((line) => line.includes(TOKEN))).toHaveLength(1);
  });
});

/** Opens a socket and sends a message, so that its kind is known before the release. */
const OPEN_SOCKET = `new Promise((resolve) => {
  window.socket = new WebSocket(location.origin.replace("http", "ws"));
  socket.onopen = () => resolve(socket.send('{"type":"ping"}'));
})`;

describe("a payment by a socket", () => {
  it("is sent once, after the submission is recorded", async () => {
    gated = await openGatedPage({
      before: OPEN_SOCKET,
    });
    await expect.poll(() => gated.received.length).toBe(1);
    await gated.page.evaluate(`for (const attempt of [1, 2]) socket.send(JSON.stringify({ type: "pay", card: "${CARD_NUMBER}", attempt }));
      socket.send('{"type":"ping"}')`);
    await expect.poll(() => gated.received.length).toBe(3);
    expect(gated.received[1]).toContain(`"attempt":1`);
    expect(gated.received[2]).toContain("ping");
    expect(gated.events).toEqual(["commit"]);
  });
});

describe("a worker", () => {
  it("starts after the release without workers and sockets of its own", async () => {
    gated = await openGatedPage();
    const source = `postMessage([typeof Worker, typeof WebSocket, typeof fetch])`;
    const types = await gated.page.evaluate(
      `new Promise((resolve) => { new Worker(URL.createObjectURL(new Blob([${text(source)}]))).onmessage = ({ data }) => resolve(data); })`,
    );
    expect(types).toEqual(["undefined", "undefined", "function"]);
  });

  it("loses its workers and sockets at the release", async () => {
    const source = `onmessage = () => postMessage([typeof Worker, typeof WebSocket])`;
    gated = await openGatedPage({
      before: `window.early = new Worker(URL.createObjectURL(new Blob([${text(source)}])))`,
    });
    const types = await gated.page.evaluate(
      `new Promise((resolve) => { early.onmessage = ({ data }) => resolve(data); early.postMessage(0); })`,
    );
    expect(types).toEqual(["undefined", "undefined"]);
  });
});

describe("the submission", () => {
  it("is recorded before anything leaves, and nothing leaves without it", async () => {
    gated = await openGatedPage({ commit: () => Promise.reject(new Error("The lease is lost.")) });
    expect(await post("/pay", text(`number=${CARD_NUMBER}`))).toBe("lost");
    expect(await post(`${gated.processorUrl}/tokens`, text(`number=${CARD_NUMBER}`))).toBe("lost");
    expect(gated.received).toEqual([]);
    expect(gated.gate).toMatchObject({ hasLeft: false, isCommitted: true });
    expect(gated.gate.failure?.message).toBe("The lease is lost.");
  });

  it("has left nothing where no connection exists, and the page may try again", async () => {
    gated = await openGatedPage();
    expect(await post("http://127.0.0.1:9/pay", text(`number=${CARD_NUMBER}`))).toBe("lost");
    expect(gated.gate).toMatchObject({ hasLeft: false, isLost: false, isCommitted: true });
    expect(gated.gate.sent).toMatchObject([{ state: "unsent" }]);
    expect(await post("/pay", text(`number=${CARD_NUMBER}`))).toBe(200);
    expect(gated.gate.hasLeft).toBe(true);
  });
});

describe("a read by a script after the press", () => {
  it("is recorded and leaves once, because it may pay with a card that is stored", async () => {
    gated = await openGatedPage();
    expect(await get("/place?attempt=1")).toBe(200);
    expect(await get("/place?attempt=2")).toBe("lost");
    expect(gated.received).toEqual(["GET /place?attempt=1 "]);
    expect(gated.events).toEqual(["commit", "/place?attempt=1"]);
    expect(gated.gate.hasLeft).toBe(true);
  });

  it("is not recorded if the page read the same before", async () => {
    gated = await openGatedPage({ isPressed: false });
    expect(await get("/cart?at=1")).toBe(200);
    gated.gate.press(null);
    expect(await get("/cart?at=2")).toBe(200);
    expect(await get("/cart?at=3")).toBe(200);
    expect(gated.gate.hasLeft).toBe(false);
  });
});
