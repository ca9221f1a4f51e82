/** A worker with the real service and a real browser at an untrusted merchant. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PurchaseJob } from "../../src/checkout/worker-protocol/job.ts";
import { createLogger } from "../../src/platform/observability/logger.ts";
import { loadWorkerConfig } from "../../src/worker/config.ts";
import type { DriveResult, WorkerSession } from "../../src/worker/session.ts";
import { inThisProcess } from "../../src/worker/this-process.ts";
import { startWorker, type Worker } from "../../src/worker/worker.ts";
import { openStreamClient } from "../checkout/live/stream-client.ts";
import { WORKER_TOKEN } from "../checkout/orders/worker-client.ts";
import { CODE, openRuntimeFixture, type RuntimeFixture } from "./runtime-fixture.ts";

type Session = WorkerSession<PurchaseJob>;

let fixture: RuntimeFixture;
let worker: Worker;
let drive: (session: Session) => Promise<DriveResult>;
const log: string[] = [];

beforeAll(async () => {
  fixture = await openRuntimeFixture();
  worker = await startWorker({
    config: loadWorkerConfig({ SERVICE_URL: fixture.stack.baseUrl, EGRESS_ALLOW_LOOPBACK: "1" }),
    token: WORKER_TOKEN,
    logger: createLogger("trace", { write: (line) => log.push(line) }),
    orders: inThisProcess({
      purchase: (session) => drive(session),
      exploration: async () => ({ cause: "exploration_failed" }),
      dryRun: async () => ({ cause: "exploration_failed" }),
    }),
  });
});
afterAll(async () => {
  await worker?.stop();
  await fixture?.stop();
});

const NUMBERS = ["4242424242424242", "4000056655665556"] as const;
const PICTURES_MS = 300;

/** Drives an order with the given function and returns it with its evidence once it has ended. */
async function driveOrder(
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
  const { id } = await fixture.addOrder(cardNumber);
  await expect.poll(async () => (await fixture.readOrder(id)).completedAt, { timeout: 40_000 }).not.toBeNull();
  if (broken) throw broken;
  return { ...(await fixture.readOrder(id)), ...(await fixture.readEvidence(id)) };
}

const openPay = ({ page, job }: Session) => page.goto(job.basketUrl ?? "");
const CONFIRMED: DriveResult = {
  cause: "confirmed",
  confirmation: { orderNumber: "S-1", amountChargedMinor: 2_895, currency: "GBP" },
};
const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");

describe("an order", () => {
  it("is driven to its end, with steps, pictures and traffic as evidence", async () => {
    const order = await driveOrder(async (session) => {
      await openPay(session);
      await session.step("open the cart", { outcome: "one item", screenshot: true });
      await Promise.all([session.page.waitForResponse(/track/), session.page.locator("#ask").click()]);
      await session.step("look", { selector: "#email", outcome: `said 4242 4242-4242 4242, and ${"x".repeat(600)}` });
      return { cause: "out_of_stock" };
    });
    expect(order).toMatchObject({ status: "out_of_stock", retryAction: "re_preview" });
    expect(order.browserVersion).toMatch(/^\d+\./);
    expect(order.steps).toMatchObject([
      { action: "open the cart", outcome: "one item", urlOrigin: fixture.merchant.url },
      { action: "look", selector: "#email" },
    ]);
    expect(order.steps[1]?.outcome).toMatch(/^said \[card number\], and x+$/);
    const [picture, har] = order.artifacts;
    expect(picture).toMatchObject({ id: order.steps[0]?.screenshotId, kind: "screenshot", contentType: "image/jpeg" });
    expect([...(picture?.bytes.subarray(0, 3) ?? [])]).toEqual([0xff, 0xd8, 0xff]);
    expect(har).toMatchObject({ kind: "har", redactions: ["bodies", "cookies", "headers", "query_values"] });
    const text = toText(har?.bytes ?? new Uint8Array());
    const { entries } = JSON.parse(text).log;
    const track = entries.find(({ request }: { request: { method: string } }) => request.method === "POST");
    expect(track.request.url).toBe(`${fixture.merchant.url}/track?cart=&step=`);
    expect(text).not.toMatch(/secret/);
  });

  it("whose driver fails before the submission is retryable, and its evidence shows the last step", async () => {
    const order = await driveOrder(
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
    // The card is released, so no screenshot is stored.
    expect(order.steps).toMatchObject([{ action: "Stop", outcome: "worker_crashed", screenshotId: null }]);
    expect(order.artifacts.map(({ kind }) => kind)).toEqual(["har"]);
  });

  it("whose driver fails after the submission has an unknown outcome", async () => {
    const order = await driveOrder(
      async (session) => {
        await session.releaseCard();
        await session.recordSubmission();
        throw new Error("lost");
      },
      { breaksOff: true },
    );
    expect(order).toMatchObject({ status: "payment_unconfirmed", retryable: null, retryAction: "contact_support" });
  });

  it("that was ended elsewhere is abandoned immediately", async () => {
    const seen: unknown[] = [];
    const order = await driveOrder(async (session) => {
      const { prisma } = fixture.stack.service.deps.db;
      const ended = { status: "timeout", completedAt: new Date() };
      await prisma.checkoutOrder.update({ where: { id: session.job.orderId }, data: ended });
      session.signal.addEventListener("abort", () => seen.push(session.signal.reason.name));
      await session.step("look", { outcome: "nothing" });
      await session.page.goto(`${fixture.merchant.url}/hang`).catch(() => seen.push("closed"));
      await session.recordSubmission().catch((error: Error) => seen.push(error.name));
      return CONFIRMED;
    });
    expect(order).toMatchObject({ status: "timeout", submittedAt: null, merchantOrderNumber: null });
    await expect.poll(() => seen).toEqual(["LeaseLostError", "closed", "LeaseLostError"]);
  });

  it("requests its card once and stores none of its data", async () => {
    const errorNames: string[] = [];
    const order = await driveOrder(async (session) => {
      await openPay(session);
      const card = await session.releaseCard();
      expect(card).toMatchObject({ number: NUMBERS[0], securityCode: CODE });
      await session.step(`typed ${card.number}`, { selector: `#${card.number}`, outcome: `code ${card.securityCode}` });
      await session.recordSubmission();
      await session.page.goto(`${fixture.merchant.url}/paid/${card.number}?n=${card.number}`);
      await session.step("paid", { outcome: "ok" });
      await session.recordSubmission().catch((error: Error) => errorNames.push(error.name));
      return {
        ...CONFIRMED,
        confirmation: {
          orderNumber: "4111 1111 1111 1111",
          amountChargedMinor: 1,
          currency: "GBP",
          url: `${fixture.merchant.url}/o/4242424242424242`,
        },
        merchantResponse: { httpStatus: 200, textExcerpt: `Paid with 4242 4242 4242 4242 (${card.securityCode})` },
      };
    });
    expect(errorNames).toEqual(["LeaseLostError"]);
    const stored = JSON.stringify([order, order.artifacts.map(({ bytes }) => toText(bytes))], (_key, value) =>
      typeof value === "bigint" ? String(value) : value instanceof Uint8Array ? null : value,
    );
    expect(stored).not.toMatch(/4242.?4242.?4242.?4242/);
    expect(stored).not.toContain(`code ${CODE}`);
    expect(order.steps[0]).toMatchObject({ action: "typed [card number]", outcome: "code [security code]" });
  });
});

describe("pictures", () => {
  const createScreenshot = async (number: string, email = "ada@example.com") => {
    const { artifacts, steps } = await driveOrder(
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
        // A blinking caret would change the picture.
        await frame.locator("#t").blur();
        await session.step("typed", { outcome: "all", screenshot: true });
        await session.recordSubmission();
        await session.step("submitted", { outcome: "all", screenshot: true });
        return { cause: "outcome_unknown" };
      },
      { cardNumber: number },
    );
    expect(steps.map(({ screenshotId }) => screenshotId !== null)).toEqual([false, true]);
    return Buffer.from(artifacts.find(({ kind }) => kind === "screenshot")?.bytes ?? []);
  };

  it("do not depend on the card in fields, frames, shadow trees and page text", async () => {
    const pictures = [await createScreenshot(NUMBERS[0]), await createScreenshot(NUMBERS[1])];
    expect(pictures[0]?.length).toBeGreaterThan(5_000);
    expect(pictures[0]?.equals(pictures[1] ?? Buffer.alloc(0))).toBe(true);
    // Other data remains visible.
    expect(pictures[0]?.equals(await createScreenshot(NUMBERS[0], "eve@example.com"))).toBe(false);
  });
});

describe("the live view", () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const connectLive = (lease: string, token = WORKER_TOKEN) =>
    openStreamClient(`${worker.url.replace(/^http/, "ws")}/live/${lease}`, bearer(token));
  const last = (messages: readonly { type: string }[]) => messages.at(-1)?.type;

  it("requires the worker token and an order in progress", async () => {
    const codes: number[] = [];
    await driveOrder(async ({ job }) => {
      codes.push((await connectLive(job.lease, "wrong").closed).code, (await connectLive("wjb_1_other").closed).code);
      return { cause: "out_of_stock" };
    });
    expect(codes).toEqual([401, 404]);
  });

  it("streams the page except while the card is typed, and accepts input only while an action is required", async () => {
    let client: ReturnType<typeof connectLive> | undefined;
    const order = await driveOrder(async (session) => {
      const { page, job } = session;
      await openPay(session);
      client = connectLive(job.lease);
      const { messages, pictures, send } = client;
      await expect.poll(() => pictures.length).toBeGreaterThan(0);
      const merchantPage = {
        ...{ type: "page", origin: fixture.merchant.url, party: "merchant", certificateHost: null, frame: null },
      };
      expect(messages.slice(0, 2)).toEqual([{ type: "size", width: 1280, height: 900 }, merchantPage]);
      // No action is required.
      await page.locator("#email").focus();
      send({ type: "text", text: "unexpected" });

      const card = await session.releaseCard();
      await expect.poll(() => last(messages)).toBe("paused");
      const seen = pictures.length;
      for (const name of ["#number", "#marked"]) await page.locator(name).fill(card.number);
      send({ type: "security-code", code: "999" });
      const codeRequest = session.securityCode();
      await expect.poll(() => last(messages)).toBe("person-needed");
      await expect.poll(async () => (await fixture.readOrder(job.orderId)).personNeededUntil).not.toBeNull();
      send({ type: "security-code", code: "12" });
      send({ type: "security-code", code: "1234" });
      expect(await codeRequest).toBe("1234");
      await page.waitForTimeout(PICTURES_MS);
      expect(pictures.length).toBe(seen);

      await session.recordSubmission();
      await session.maskField(page.locator("#number"));
      await session.setRequiredAction("three_d_secure");
      await expect.poll(async () => (await fixture.readOrder(job.orderId)).personNeededFor).toBe("three_d_secure");
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

      // On another origin no action is required until it is requested again.
      await page.locator("#away").click();
      await page.waitForURL(/bank/);
      const unknownPage = { ...merchantPage, origin: fixture.merchant.processorUrl, party: "unknown" };
      await expect.poll(() => messages).toContainEqual(unknownPage);
      send({ type: "text", text: "late" });
      await expect.poll(() => pictures.length).toBeGreaterThan(seen + 1);
      await page.waitForTimeout(PICTURES_MS);
      await expect.poll(() => page.locator("#otp").inputValue()).toBe("");
      await session.setRequiredAction("three_d_secure");
      await page.locator("#otp").focus();
      send({ type: "text", text: "1234" });
      await expect.poll(() => page.locator("#otp").inputValue()).toBe("1234");
      await session.setRequiredAction(null);
      send({ type: "text", text: "5678" });
      await page.waitForTimeout(PICTURES_MS);
      await expect.poll(() => page.locator("#otp").inputValue()).toBe("1234");
      return CONFIRMED;
    });
    expect(order).toMatchObject({ status: "succeeded", personNeededFor: null });
    await expect.poll(() => last(client?.messages ?? [])).toBe("ended");
    expect((await client?.closed)?.code).toBe(1000);
  });
});

it("blocks requests of a page to private networks", async () => {
  await driveOrder(async (session) => {
    await openPay(session);
    const fetchInPage = (url: string) =>
      session.page.evaluate(
        (address) =>
          fetch(address, { mode: "no-cors" }).then(
            () => "reached",
            () => "refused",
          ),
        url,
      );
    for (const host of ["10.0.0.1", "169.254.169.254", "[::ffff:10.0.0.1]", "192.168.0.1:8080"]) {
      expect(await fetchInPage(`http://${host}/`)).toBe("refused");
    }
    return { cause: "out_of_stock" };
  });
});

it("logs no card numbers", () => {
  expect(log.length).toBeGreaterThan(5);
  for (const number of NUMBERS) expect(log.join("")).not.toContain(number);
});
