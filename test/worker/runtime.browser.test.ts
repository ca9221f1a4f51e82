/** A worker on the real service, with a real browser, at a shop whose pages are not to be trusted. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PurchaseJob } from "../../src/checkout/worker-protocol/job.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { loadWorkerConfig } from "../../src/worker/config.ts";
import type { DriveResult, WorkerSession } from "../../src/worker/session.ts";
import { startWorker, type Worker } from "../../src/worker/worker.ts";
import { watch } from "../checkout/live/watcher.ts";
import { WORKER_TOKEN } from "../checkout/orders/worker.ts";
import { CODE, openRuntimeRoom, type RuntimeRoom } from "./runtime-room.ts";

type Session = WorkerSession<PurchaseJob>;

let room: RuntimeRoom;
let worker: Worker;
let drive: (session: Session) => Promise<DriveResult>;
const log: string[] = [];

beforeAll(async () => {
  room = await openRuntimeRoom();
  worker = await startWorker({
    config: loadWorkerConfig({ SERVICE_URL: room.stack.baseUrl, EGRESS_ALLOW_LOOPBACK: "1" }),
    token: WORKER_TOKEN,
    logger: createLogger("trace", { write: (line) => log.push(line) }),
    drivers: { purchase: (session) => drive(session), exploration: async () => ({ cause: "exploration_failed" }) },
  });
});
afterAll(async () => {
  await worker?.stop();
  await room?.stop();
});

const NUMBERS = ["4242424242424242", "4000056655665556"] as const;
const PICTURES_MS = 300;

/** Has the worker drive an order so, and answers it once it has ended. */
async function driven(
  how: (session: Session) => Promise<DriveResult>,
  { cardNumber, breaksOff = false }: { cardNumber?: string; breaksOff?: boolean } = {},
) {
  let broken: unknown;
  drive = async (session) => {
    try {
      return await how(session);
    } catch (error) {
      if (!breaksOff) broken = error;
      throw error;
    }
  };
  const { id } = await room.order(cardNumber);
  await expect.poll(async () => (await room.read(id)).completedAt, { timeout: 40_000 }).not.toBeNull();
  if (broken) throw broken;
  return { ...(await room.read(id)), ...(await room.evidence(id)) };
}

const openPay = ({ page, job }: Session) => page.goto(job.basketUrl ?? "");
const CONFIRMED: DriveResult = {
  cause: "confirmed",
  confirmation: { orderNumber: "S-1", amountChargedMinor: 2_895, currency: "GBP" },
};
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");

describe("an order", () => {
  it("is driven to its end, with steps, pictures and traffic as evidence", async () => {
    const order = await driven(async (session) => {
      await openPay(session);
      await session.step("open the basket", { outcome: "one item", screenshot: true });
      await Promise.all([session.page.waitForResponse(/track/), session.page.locator("#ask").click()]);
      await session.step("look", { selector: "#email", outcome: `said 4242 4242-4242 4242, and ${"x".repeat(600)}` });
      return { cause: "out_of_stock" };
    });
    expect(order).toMatchObject({ status: "out_of_stock", retryAction: "re_preview" });
    expect(order.browserVersion).toMatch(/^\d+\./);
    expect(order.steps).toMatchObject([
      { action: "open the basket", outcome: "one item", urlOrigin: room.shop.url },
      { action: "look", selector: "#email" },
    ]);
    expect(order.steps[1]?.outcome).toMatch(/^said \[card number\], and x+$/);
    const [picture, har] = order.artifacts;
    expect(picture).toMatchObject({ id: order.steps[0]?.screenshotId, kind: "screenshot", contentType: "image/jpeg" });
    expect([...(picture?.bytes.subarray(0, 3) ?? [])]).toEqual([0xff, 0xd8, 0xff]);
    expect(har).toMatchObject({ kind: "har", redactions: ["bodies", "cookies", "headers", "query_values"] });
    const text = textOf(har?.bytes ?? new Uint8Array());
    const { entries } = JSON.parse(text).log;
    const track = entries.find(({ request }: { request: { method: string } }) => request.method === "POST");
    expect(track.request.url).toBe(`${room.shop.url}/track?cart=&step=`);
    expect(text).not.toMatch(/secret/);
  });

  it("whose driver breaks off before the card is safe to try again, and shows where it stood", async () => {
    const order = await driven(
      async (session) => {
        await openPay(session);
        const { number } = await session.releaseCard();
        await session.page.locator("#number").fill(number);
        await session.page.locator(`input[value="${number}"]`).click({ timeout: 200 });
        return CONFIRMED;
      },
      { breaksOff: true },
    );
    expect(order).toMatchObject({ status: "worker_error", errorCode: "worker_crashed", retryable: true });
    // The card is out: nobody sees the page any more.
    expect(order.steps).toMatchObject([{ action: "Stop", outcome: "worker_crashed", screenshotId: null }]);
    expect(order.artifacts.map(({ kind }) => kind)).toEqual(["har"]);
  });

  it("whose driver breaks off after the card was submitted has an unknown outcome", async () => {
    const order = await driven(
      async (session) => {
        await session.releaseCard();
        await session.submitting();
        throw new Error("lost");
      },
      { breaksOff: true },
    );
    expect(order).toMatchObject({ status: "payment_unconfirmed", retryable: null, retryAction: "contact_support" });
  });

  it("that somebody else ended is left at once", async () => {
    const seen: unknown[] = [];
    const order = await driven(async (session) => {
      const { prisma } = room.stack.service.deps.db;
      const ended = { status: "timeout", completedAt: new Date() };
      await prisma.checkoutOrder.update({ where: { id: session.job.orderId }, data: ended });
      session.signal.addEventListener("abort", () => seen.push(session.signal.reason.name));
      await session.step("look", { outcome: "nothing" });
      await session.page.goto(`${room.shop.url}/hang`).catch(() => seen.push("closed"));
      await session.submitting().catch((error: Error) => seen.push(error.name));
      return CONFIRMED;
    });
    expect(order).toMatchObject({ status: "timeout", submittedAt: null, merchantOrderNumber: null });
    await expect.poll(() => seen).toEqual(["LeaseLostError", "closed", "LeaseLostError"]);
  });

  it("asks for its card once, and has nothing of it on record", async () => {
    const refused: string[] = [];
    const order = await driven(async (session) => {
      await openPay(session);
      const card = await session.releaseCard();
      expect(card).toMatchObject({ number: NUMBERS[0], securityCode: CODE });
      await session.step(`typed ${card.number}`, { selector: `#${card.number}`, outcome: `code ${card.securityCode}` });
      await session.submitting();
      await session.page.goto(`${room.shop.url}/paid/${card.number}?n=${card.number}`);
      await session.step("paid", { outcome: "ok" });
      await session.submitting().catch((error: Error) => refused.push(error.name));
      return {
        ...CONFIRMED,
        confirmation: {
          orderNumber: "4111 1111 1111 1111",
          amountChargedMinor: 1,
          currency: "GBP",
          url: `${room.shop.url}/o/4242424242424242`,
        },
        merchantResponse: { httpStatus: 200, textExcerpt: `Paid with 4242 4242 4242 4242 (${card.securityCode})` },
      };
    });
    expect(refused).toEqual(["LeaseLostError"]);
    const kept = JSON.stringify([order, order.artifacts.map(({ bytes }) => textOf(bytes))], (_key, value) =>
      typeof value === "bigint" ? String(value) : value instanceof Uint8Array ? null : value,
    );
    expect(kept).not.toMatch(/4242.?4242.?4242.?4242/);
    expect(kept).not.toContain(`code ${CODE}`);
    expect(order.steps[0]).toMatchObject({ action: "typed [card number]", outcome: "code [security code]" });
  });
});

describe("pictures", () => {
  const pictureWith = async (number: string, email = "ada@example.com") => {
    const { artifacts, steps } = await driven(
      async (session) => {
        await openPay(session);
        const { page } = session;
        const card = await session.releaseCard();
        const frame = page.frameLocator("#card");
        const fields = [
          page.locator("#number"),
          page.locator("#marked"),
          page.locator("#deep"),
          frame.locator("#n"),
          frame.locator("#t"),
        ];
        await session.maskField(page.locator("#number"));
        await session.maskField(page.locator("#deep"));
        await page.locator("#email").fill(email);
        for (const field of fields) await field.fill(card.number);
        // A caret blinks.
        await frame.locator("#t").blur();
        await session.step("typed", { outcome: "all", screenshot: true });
        await session.submitting();
        await session.step("submitted", { outcome: "all", screenshot: true });
        return { cause: "outcome_unknown" };
      },
      { cardNumber: number },
    );
    expect(steps.map(({ screenshotId }) => screenshotId !== null)).toEqual([false, true]);
    return Buffer.from(artifacts.find(({ kind }) => kind === "screenshot")?.bytes ?? []);
  };

  it("are the same whatever the card: in marked fields, others, frames, shadow trees, and where the page writes it out", async () => {
    const pictures = [await pictureWith(NUMBERS[0]), await pictureWith(NUMBERS[1])];
    expect(pictures[0]?.length).toBeGreaterThan(5_000);
    expect(pictures[0]?.equals(pictures[1] ?? Buffer.alloc(0))).toBe(true);
    // What is not the card's is to be seen.
    expect(pictures[0]?.equals(await pictureWith(NUMBERS[0], "eve@example.com"))).toBe(false);
  });
});

describe("the live view", () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const lineTo = (lease: string, token = WORKER_TOKEN) =>
    watch(`${worker.url.replace(/^http/, "ws")}/live/${lease}`, bearer(token));
  const last = (words: readonly { type: string }[]) => words.at(-1)?.type;

  it("is the bearer's alone, and of orders on their way", async () => {
    const codes: number[] = [];
    await driven(async ({ job }) => {
      codes.push((await lineTo(job.lease, "wrong").closed).code, (await lineTo("wjb_1_other").closed).code);
      return { cause: "out_of_stock" };
    });
    expect(codes).toEqual([401, 404]);
  });

  it("shows the page, but never while the card is typed, and lets a person act only where they are needed", async () => {
    let line: ReturnType<typeof lineTo> | undefined;
    const order = await driven(async (session) => {
      const { page, job } = session;
      await openPay(session);
      line = lineTo(job.lease);
      const { words, pictures, send } = line;
      await expect.poll(() => pictures.length).toBeGreaterThan(0);
      expect(words[0]).toEqual({ type: "size", width: 1280, height: 900 });
      // Nobody is needed.
      await page.locator("#email").focus();
      send({ type: "text", text: "unasked" });

      const card = await session.releaseCard();
      await expect.poll(() => last(words)).toBe("paused");
      const seen = pictures.length;
      for (const name of ["#number", "#marked"]) await page.locator(name).fill(card.number);
      send({ type: "security-code", code: "999" });
      const asked = session.securityCode();
      await expect.poll(() => last(words)).toBe("person-needed");
      await expect.poll(async () => (await room.read(job.orderId)).personNeededUntil).not.toBeNull();
      send({ type: "security-code", code: "12" });
      send({ type: "security-code", code: "1234" });
      expect(await asked).toBe("1234");
      await page.waitForTimeout(PICTURES_MS);
      expect(pictures.length).toBe(seen);

      await session.submitting();
      await session.maskField(page.locator("#number"));
      await session.personNeeded("three_d_secure");
      await expect.poll(async () => (await room.read(job.orderId)).personNeededFor).toBe("three_d_secure");
      await expect.poll(() => pictures.length).toBeGreaterThan(seen);
      const box = await page.locator("#email").boundingBox();
      const at = { x: ((box?.x ?? 0) + 5) / 1280, y: ((box?.y ?? 0) + 5) / 900 };
      send({ type: "pointer", event: "down", ...at });
      send({ type: "pointer", event: "up", ...at });
      send({ type: "key", event: "down", key: "Control" });
      send({ type: "text", text: "asked" });
      send({ type: "key", event: "down", key: "d" });
      send({ type: "key", event: "up", key: "d" });
      send({ type: "pointer", event: "down", x: 2, y: 0 });
      await expect.poll(() => page.locator("#email").inputValue()).toBe("askedd");

      // Elsewhere they are not needed until it is said again.
      await page.locator("#away").click();
      await page.waitForURL(/bank/);
      send({ type: "text", text: "late" });
      await expect.poll(() => pictures.length).toBeGreaterThan(seen + 1);
      await page.waitForTimeout(PICTURES_MS);
      await expect.poll(() => page.locator("#otp").inputValue()).toBe("");
      await session.personNeeded("three_d_secure");
      await page.locator("#otp").focus();
      send({ type: "text", text: "1234" });
      await expect.poll(() => page.locator("#otp").inputValue()).toBe("1234");
      await session.personNeeded(null);
      send({ type: "text", text: "5678" });
      await page.waitForTimeout(PICTURES_MS);
      await expect.poll(() => page.locator("#otp").inputValue()).toBe("1234");
      return CONFIRMED;
    });
    expect(order).toMatchObject({ status: "succeeded", personNeededFor: null });
    await expect.poll(() => last(line?.words ?? [])).toBe("ended");
    expect((await line?.closed)?.code).toBe(1000);
  });
});

it("reaches nothing on private networks, whatever a page asks for", async () => {
  await driven(async (session) => {
    await openPay(session);
    const ask = (url: string) =>
      session.page.evaluate(
        (address) =>
          fetch(address, { mode: "no-cors" }).then(
            () => "reached",
            () => "refused",
          ),
        url,
      );
    for (const host of ["10.0.0.1", "169.254.169.254", "[::ffff:10.0.0.1]", "192.168.0.1:8080"]) {
      expect(await ask(`http://${host}/`)).toBe("refused");
    }
    return { cause: "out_of_stock" };
  });
});

it("logs nothing of cards", () => {
  expect(log.length).toBeGreaterThan(5);
  for (const number of NUMBERS) expect(log.join("")).not.toContain(number);
});
