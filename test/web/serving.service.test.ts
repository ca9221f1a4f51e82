/** How the pages are served, without a browser: addresses, headers, caches, sizes. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { PATHS } from "../../web/app/paths.ts";
import { DIST, ensureBuilt, firstLoad } from "../../web/build.ts";
import { formatExact, movePoint, sumUsd } from "../../web/components/exact.ts";
import { withUpdates } from "../../web/graphql/live-transactions.ts";
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
  it("answer with the application, kept by no cache, under a policy without anything inline", async () => {
    for (const path of Object.values(PATHS)) {
      const answer = await get(path.replace(":clientId", "cl_1"));
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect([path, answer.status, answer.headers.get("cache-control")]).toEqual([path, 200, "no-store"]);
      expect(policy).toContain("script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ws://");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain("unsafe");
      expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
      const html = await answer.text();
      expect(html).not.toMatch(/<style|\sstyle=|<script(?![^>]*\ssrc=)|\son\w+=/i);
    }
  });

  it("let a window that another site opened answer to it only where that is what it is for", async () => {
    const opener = async (path: string) => (await get(path)).headers.get("cross-origin-opener-policy");
    expect(await opener("/consent?request=oar_1")).toBe("unsafe-none");
    expect(await opener("/sign-in")).toBe("unsafe-none");
    expect(await opener("/dashboard")).toBe("same-origin");
    expect(await opener("/buy")).toBe("same-origin");
  });

  it("are shown under the name that passkeys and cookies belong to", async () => {
    expect((await get("/")).headers.get("location")).toBe("/dashboard");
    const elsewhere = await fetch(new URL("/dashboard?a=b", stack.baseUrl), { redirect: "manual" });
    expect([elsewhere.status, elsewhere.headers.get("location")]).toEqual([303, `${origin}/dashboard?a=b`]);
  });
});

describe("what is unknown", () => {
  it("is a page for people and JSON for programs", async () => {
    const page = await get("/nowhere");
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    for (const [path, accept] of [
      ["/nowhere", "*/*"],
      ["/api/nowhere", "text/html"],
      ["/oauth/nowhere", "text/html"],
    ] as const) {
      const answer = await get(path, { accept });
      expect([answer.status, (await answer.json()) as unknown]).toEqual([
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

describe("files", () => {
  it("are kept for good, compressed beforehand, each as its name says", async () => {
    const names = (await readdir(join(DIST, "assets"))).filter((name) => !/\.(br|gz)$/.test(name));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const plain = await get(`/assets/${name}`, { "accept-encoding": "identity" });
      expect([plain.status, plain.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
      expect(plain.headers.get("x-content-type-options")).toBe("nosniff");
      expect(await plain.text(), `${name} is built for production`).not.toContain("jsxDEV");
    }
    const [name = ""] = names.filter((one) => one.endsWith(".js"));
    // `fetch` decodes by itself; the length tells what was sent.
    for (const [encoding, decode] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync],
    ] as const) {
      const answer = await get(`/assets/${name}`, { "accept-encoding": encoding });
      const { readFile } = await import("node:fs/promises");
      const sent = await readFile(join(DIST, "assets", `${name}.${encoding === "br" ? "br" : "gz"}`));
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      expect(Number(answer.headers.get("content-length"))).toBe(sent.byteLength);
      expect(await answer.text()).toBe(decode(sent).toString());
      expect(answer.headers.get("vary")).toContain("accept-encoding");
    }
  });

  it("are those of the build and no others", async () => {
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

  it("are small: under 200 KB of script before the heaviest page shows", async () => {
    const { scriptBytes, styleBytes } = await firstLoad();
    expect(scriptBytes).toBeGreaterThan(30_000);
    expect(scriptBytes).toBeLessThan(200_000);
    expect(styleBytes).toBeLessThan(20_000);
  });
});

describe("amounts", () => {
  const micro = fc.bigInt(0n, 10n ** 15n);
  const written = (amount: bigint) => `${amount / 1_000_000n}.${String(amount % 1_000_000n).padStart(6, "0")}`;

  it("are written with every digit, and read back the same", () => {
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

  it("keep every digit when their point moves", () => {
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

  it("add up exactly", () => {
    fc.assert(
      fc.property(fc.array(micro), (amounts) => {
        expect(sumUsd(amounts.map((amount) => formatExact(written(amount)).replaceAll(",", "")))).toBe(
          written(amounts.reduce((a, b) => a + b, 0n)),
        );
      }),
    );
  });
});

describe("a page of the ledger that moves", () => {
  const row = (id: string, minute: number, status = "settled") =>
    ({
      id,
      status,
      type: "x402",
      network: "base",
      createdAt: `2026-11-20T10:${String(minute).padStart(2, "0")}:00.000Z`,
    }) as never as Parameters<typeof withUpdates>[0][number];
  const ids = (rows: readonly { id: string; status: string }[]) => rows.map(({ id, status }) => `${id} ${status}`);
  const rows = [row("b", 20, "signed"), row("a", 10)];
  const updates = new Map(
    [row("b", 20), row("d", 40), row("c", 30, "signed"), row("old", 5)].map((one) => [one.id, one]),
  );

  it("takes new rows on top, in their order, and what became of those it has", () => {
    expect(ids(withUpdates(rows, updates, {}, true))).toEqual(["d settled", "c signed", "b settled", "a settled"]);
  });

  it("lets in what the filter does, and keeps a row whose state moved on", () => {
    expect(ids(withUpdates(rows, updates, { status: "signed" }, true))).toEqual(["c signed", "b settled", "a settled"]);
    expect(ids(withUpdates(rows, updates, { network: "solana" }, true))).toEqual(["b settled", "a settled"]);
  });

  it("adds nothing to an older page", () => {
    expect(ids(withUpdates(rows, updates, {}, false))).toEqual(["b settled", "a settled"]);
  });
});
