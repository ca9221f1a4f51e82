/** Serving of the pages, without a browser: paths, headers, caching and sizes. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { PATHS } from "../../web/app/paths.ts";
import { DIST, ensureBuilt, largestInitialLoad } from "../../web/build.ts";
import { formatExact, movePoint, sumUsd } from "../../web/components/decimal.ts";
import { mergeTransactionUpdates } from "../../web/graphql/merge-transaction-updates.ts";
import { type Stack, sharedStack } from "../support/stack.ts";

let stack: Stack;
let origin: string;
beforeAll(async () => {
  await ensureBuilt(() => {});
  stack = await sharedStack();
  origin = stack.service.deps.site.browserUrl();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, origin), { redirect: "manual", headers: { accept: "text/html,*/*", ...headers } });

describe("pages", () => {
  it("are served uncached, with a content security policy that forbids inline code", async () => {
    for (const path of Object.values(PATHS)) {
      const response = await get(path.replace(":clientId", "cl_1"));
      const policy = response.headers.get("content-security-policy") ?? "";
      expect([path, response.status, response.headers.get("cache-control")]).toEqual([path, 200, "no-store"]);
      expect(policy).toContain("script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ws://");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(response.headers.get("referrer-policy")).toBe("no-referrer");
      const html = await response.text();
      expect(html).not.toMatch(/<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=/i);
    }
  });

  it("allow access to the opener window only during consent and sign-in", async () => {
    const opener = async (path: string) => (await get(path)).headers.get("cross-origin-opener-policy");
    expect(await opener("/consent?request=oar_1")).toBe("unsafe-none");
    expect(await opener("/sign-in")).toBe("unsafe-none");
    expect(await opener("/dashboard")).toBe("same-origin");
    expect(await opener("/buy")).toBe("same-origin");
  });

  it("redirect to the host name that passkeys and cookies are bound to", async () => {
    expect((await get("/")).headers.get("location")).toBe("/dashboard");
    const elsewhere = await fetch(new URL("/dashboard?a=b", stack.baseUrl), { redirect: "manual" });
    expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([303, `${origin}/dashboard?a=b`]);
  });
});

describe("unknown paths", () => {
  it("respond with a page to browsers and with JSON to API clients", async () => {
    const page = await get("/nowhere");
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    for (const [path, accept] of [
      ["/nowhere", "*/*"],
      ["/api/nowhere", "text/html"],
      ["/oauth/nowhere", "text/html"],
    ] as const) {
      const response = await get(path, { accept });
      expect([response.status, (await response.json()) as unknown]).toEqual([
        404,
        expect.objectContaining({ error: "not_found" }),
      ]);
    }
    expect(
      (await fetch(new URL("/nowhere", origin), { method: "POST", headers: { accept: "text/html" } })).headers.get(
        "content-type",
      ),
    ).toContain("json");
  });
});

describe("assets", () => {
  it("are immutable and precompressed, with the content type of their extension", async () => {
    const names = (await readdir(join(DIST, "assets"))).filter((name) => !/\.(br|gz)$/.test(name));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const plain = await get(`/assets/${name}`, { "accept-encoding": "identity" });
      expect([plain.status, plain.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
      expect(plain.headers.get("x-content-type-options")).toBe("nosniff");
      expect(await plain.text(), `${name} is built for production`).not.toContain("jsxDEV");
    }
    const [name = ""] = names.filter((one) => one.endsWith(".js"));
    // `fetch` decodes the body; content-length is the size of the encoded body.
    for (const [encoding, decode] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const response = await get(`/assets/${name}`, { "accept-encoding": encoding });
      const { readFile } = await import("node:fs/promises");
      const sent = await readFile(join(DIST, "assets", `${name}.${encoding === "br" ? "br" : "gz"}`));
      expect(response.headers.get("content-encoding")).toBe(encoding);
      expect(Number(response.headers.get("content-length"))).toBe(sent.byteLength);
      expect(await response.text()).toBe(decode(sent).toString());
      expect(response.headers.get("vary")).toContain("accept-encoding");
    }
  });

  it("include no file outside the build", async () => {
    for (const path of [
      "/assets/../index.html",
      "/assets/%2e%2e/index.html",
      "/assets/..%2f.vite/manifest.json",
      "/assets/",
      "/assets/.hidden",
      "/assets/nothing.js",
    ]) {
      const { status } = await get(path);
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
    }
  });

  it("need under 200 KB of script for the largest initial load", async () => {
    const { scriptBytes, styleBytes } = await largestInitialLoad();
    expect(scriptBytes).toBeGreaterThan(30_000);
    expect(scriptBytes).toBeLessThan(200_000);
    expect(styleBytes).toBeLessThan(20_000);
  });
});

describe("amounts", () => {
  const micro = fc.bigInt(0n, 10n ** 15n);
  const written = (amount: bigint) => `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, "0")}`;

  it("are formatted without loss of digits", () => {
    fc.assert(
      fc.property(micro, (amount) => {
        const text = formatExact(written(amount));
        expect(text).toMatch(/^\d{1,3}(,\d{3})*\.\d{2,6}$/);
        const [whole = "", fraction = ""] = text.replaceAll(",", "").split(".");
        expect(BigInt(whole + fraction.padEnd(6, "0"))).toBe(amount);
      }),
    );
    expect([formatExact("1234567"), formatExact("-0.5"), formatExact("0.000000000000000001")]).toEqual([
      "1,234,567.00",
      "-0.50",
      "0.000000000000000001",
    ]);
  });

  it("lose no digit when the decimal point is moved", () => {
    fc.assert(
      fc.property(micro, fc.integer({ min: 0, max: 18 }), (amount, places) => {
        const smaller = movePoint(String(amount), -places);
        expect(smaller.split(".")[1]?.length ?? 0).toBe(places);
        expect(movePoint(smaller, places)).toBe(String(amount));
      }),
    );
    expect([movePoint("0.000002", 6), movePoint("0.00000215", 6), movePoint("301668955", -18)]).toEqual([
      "2",
      "2.15",
      "0.000000000301668955",
    ]);
  });

  it("are summed exactly", () => {
    fc.assert(
      fc.property(fc.array(micro), (amounts) => {
        expect(sumUsd(amounts.map((amount) => formatExact(written(amount)).replaceAll(",", "")))).toBe(
          written(amounts.reduce((a, b) => a + b, 0n)),
        );
      }),
    );
  });
});

describe("live updates of a transaction page", () => {
  const row = (id: string, minute: number, status = "SETTLED") =>
    ({
      id,
      status,
      type: "X402",
      network: "base",
      createdAt: `2026-11-20T10:${String(minute).padStart(2, "0")}:00.000Z`,
    }) as never as Parameters<typeof mergeTransactionUpdates>[0][number];
  const ids = (rows: readonly { id: string; status: string }[]) => rows.map(({ id, status }) => `${id} ${status}`);
  const rows = [row("b", 20, "SIGNED"), row("a", 10)];
  const updates = new Map(
    [row("b", 20), row("d", 40), row("c", 30, "SIGNED"), row("old", 5)].map((one) => [one.id, one]),
  );

  it("add new rows at the top in order, and replace existing rows", () => {
    expect(ids(mergeTransactionUpdates(rows, updates, {}, true))).toEqual([
      "d SETTLED",
      "c SIGNED",
      "b SETTLED",
      "a SETTLED",
    ]);
  });

  it("add only rows that pass the filter, and retain a row whose status changed", () => {
    expect(ids(mergeTransactionUpdates(rows, updates, { statuses: ["SIGNED"] }, true))).toEqual([
      "c SIGNED",
      "b SETTLED",
      "a SETTLED",
    ]);
    expect(ids(mergeTransactionUpdates(rows, updates, { networks: ["solana"] }, true))).toEqual([
      "b SETTLED",
      "a SETTLED",
    ]);
  });

  it("add no row to an older page", () => {
    expect(ids(mergeTransactionUpdates(rows, updates, {}, false))).toEqual(["b SETTLED", "a SETTLED"]);
  });
});
