import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fault } from "../../sandbox/store/gallery/faults.ts";
import { type Gallery, type GalleryMerchant, loadShapes, openGallery } from "../../sandbox/store/gallery/gallery.ts";

const shapes = await loadShapes();
let gallery: Gallery;

beforeAll(async () => {
  gallery = await openGallery();
});
afterAll(async () => {
  await gallery?.stop();
});

/** A browser without scripts: stores the cookie and posts forms. */
async function openBuyer({ url }: GalleryMerchant) {
  const entry = await fetch(`${url}/cart/900011:1`, { redirect: "manual" });
  const cookie = entry.headers.get("set-cookie")?.split(";")[0] ?? "";
  const request = async (path: string, body?: Record<string, string>) => {
    const response = await fetch(new URL(path, url), {
      headers: { cookie },
      redirect: "manual",
      ...(body ? { method: "POST", body: new URLSearchParams(body) } : {}),
    });
    return { status: response.status, location: response.headers.get("location"), text: await response.text() };
  };
  return { first: entry.headers.get("location") ?? "", request };
}

const CARD = { card_number: "4242 4242 4242 4242", card_expiry: "04 / 39", card_code: "123", card_name: "Ada" };

async function openShape(name: string, fault: Fault | null = null) {
  const shape = shapes.get(name);
  if (!shape) throw new Error(`The gallery has no shape ${name}.`);
  return await gallery.open(name, shape, fault);
}

describe("gallery of checkouts", () => {
  it("has at least 60 shapes with a title and a public source, of which 20 are held back", () => {
    expect(shapes.size).toBeGreaterThanOrEqual(60);
    for (const [name, { title, source }] of shapes) {
      expect(title, name).toMatch(/^.{20,}\.$/);
      expect(source, name).toMatch(/^https:\/\//);
    }
    expect([...shapes.values()].filter(({ isHeldBack }) => isHeldBack)).toHaveLength(20);
  });

  it.each([...shapes.keys()])("shows every page of %s, with its widgets", async (name) => {
    const merchant = await openShape(name);
    const { first, request } = await openBuyer(merchant);
    const paths = [first, ...(shapes.get(name)?.pages.map(({ path }) => path) ?? [])];
    for (const path of paths) {
      const { status, text } = await request(path);
      expect(status, path).toBe(200);
      for (const [, asset = ""] of text.matchAll(/(?:src|href)="(\/vendor\/[^"]+)"/g)) {
        expect((await request(asset)).status, asset).toBe(200);
      }
    }
    expect(merchant.charges).toEqual([]);
  });

  it("records each payment that a merchant receives", async () => {
    const merchant = await openShape("plain-one-page");
    const { request } = await openBuyer(merchant);
    const paid = await request("/checkout", { lastName: "Lovelace", delivery: "standard", ...CARD });
    expect(paid).toMatchObject({ status: 303, location: "/thanks" });
    expect((await request("/thanks")).text).toContain("GAL-1001");
    await request("/checkout", { delivery: "express", ...CARD });
    expect(merchant.charges).toMatchObject([
      { amountMinor: 3_140, cardLast4: "4242", fields: { lastName: "Lovelace" } },
      { amountMinor: 3_940 },
    ]);
    expect(JSON.stringify(merchant.charges)).not.toContain("4242 4242");
  });

  it("charges one payment for requests with the same idempotency value", async () => {
    const merchant = await openShape("square-web-payments");
    const token = await fetch(`${gallery.processorUrl}/tokens`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ number: "4242424242424242", expiry: "04/39", code: "123" }),
    });
    const { token: sourceId } = (await token.json()) as { token: string };
    const { request } = await openBuyer(merchant);
    const pay = (idempotencyKey: string) => request("/payments", { sourceId, idempotencyKey });
    await Promise.all([pay("one"), pay("one"), pay("two")]);
    expect(merchant.charges).toHaveLength(2);
  });

  it.each([
    ["declined", "Your card was declined"],
    ["price-rise", "The price of an item has changed"],
    ["out-of-stock", "out of stock"],
    ["http-500", "Internal Server Error"],
  ] as const)("charges nothing when the payment has the fault %s", async (kind, text) => {
    const merchant = await openShape("plain-one-page", { step: "payment", kind });
    const { request } = await openBuyer(merchant);
    expect((await request("/checkout", { delivery: "standard", ...CARD })).text).toContain(text);
    expect(merchant.charges).toEqual([]);
  });

  it("deletes the session at the step of that fault", async () => {
    const merchant = await openShape("plain-five-steps", { step: "delivery", kind: "session-lost" });
    const { request } = await openBuyer(merchant);
    expect((await request("/checkout", { lastName: "Lovelace" })).location).toBe("/checkout/delivery");
    expect((await request("/checkout/delivery", { delivery: "standard" })).location).toBe("/cart");
    expect((await request("/cart")).text).toContain("Your session has expired");
  });

  it("charges before the confirmation fails", async () => {
    const merchant = await openShape("plain-one-page", { step: "confirmation", kind: "http-500" });
    const { request } = await openBuyer(merchant);
    await request("/checkout", { delivery: "standard", ...CARD });
    expect((await request("/thanks")).status).toBe(500);
    expect(merchant.charges).toHaveLength(1);
  });
});
