/** Where a page asks for the card: only what a person would see counts, and words without end hold nobody up. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cardFieldsOf, isPrivateLine } from "../../src/worker/checkout/card-fields.ts";
import type { PageField } from "../../src/worker/checkout/document-view.ts";
import { purposeOf } from "../../src/worker/checkout/field-purposes.ts";
import { snapshotPage } from "../../src/worker/checkout/page-snapshot.ts";
import { type SharedWorkerBrowser, sharedWorkerBrowser } from "./shared-worker-browser.ts";

const FIELDS = `<input autocomplete="cc-number"><input autocomplete="cc-exp"><input autocomplete="cc-csc">`;
const PAGES: Record<string, string> = {
  "/all": FIELDS,
  "/number": `<input autocomplete="cc-number"><input autocomplete="cc-exp">`,
};

let browser: SharedWorkerBrowser;
let server: Server;
let port = 0;
let content = "";
beforeAll(async () => {
  browser = await sharedWorkerBrowser();
  server = createServer(({ url = "" }, response) =>
    response.setHeader("content-type", "text/html").end(`<!doctype html><body>${PAGES[url] ?? content}`),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server?.close();
});

/** `purpose host`, of each field that would get the card. */
async function fieldsOn(html: string): Promise<string[]> {
  content = html;
  const context = await browser.openContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    const view = await snapshotPage(page);
    const fields = view ? await cardFieldsOf(view, null) : [];
    return fields.map(({ purpose, view: { url } }) => `${purpose} ${new URL(url).hostname}`);
  } finally {
    await context.close();
  }
}

const frame = (host: string, path: string, style = "width:400px;height:120px") =>
  `<iframe src="http://${host}.localhost:${port}${path}" style="border:0;${style}"></iframe>`;
const OWN = ["card_number pay.localhost", "card_expiry pay.localhost"];

it.each([
  ["beside the page", "width:400px;height:120px;position:absolute;left:-900px"],
  ["of no size", "width:2px;height:2px"],
  ["that is transparent", "width:400px;height:120px;opacity:0"],
  ["that is cut off", null],
])("a frame %s gets no card", async (_what, style) => {
  const hidden = style
    ? frame("ad", "/all", style)
    : `<div style="height:0;overflow:hidden">${frame("ad", "/all")}</div>`;
  expect(await fieldsOn(hidden + frame("pay", "/number"))).toEqual(OWN);
});

it("a frame below what is seen now, in a part that is scrolled, gets it", async () => {
  const part = `<div style="height:300px;overflow:auto">${frame("pay", "/number")}</div>`;
  expect(await fieldsOn(`<div style="height:3000px"></div>${part}`)).toEqual(OWN);
});

it("a code is asked for by whoever asks for the number, or by the page", async () => {
  const stranger = frame("ad", "/all").replace("/all", "/code");
  PAGES["/code"] = `<input autocomplete="cc-csc">`;
  expect(await fieldsOn(frame("pay", "/number") + stranger)).toEqual(OWN);
  expect(await fieldsOn(`${frame("pay", "/number")}<input autocomplete="cc-csc">`)).toEqual([
    ...OWN,
    "card_security_code 127.0.0.1",
  ]);
});

it.each([
  ["https://shop.example/pay", true],
  ["http://hosiery.localhost:4100/pay", true],
  ["http://127.0.0.1:4100/pay", true],
  ["http://[::1]:4100/pay", true],
  ["http://shop.example/pay", false],
  ["http://127.0.0.1.shop.example/pay", false],
  ["http://localhost.example/pay", false],
  ["about:srcdoc", false],
])("what is typed at %s stays private: %s", (url, isPrivate) => {
  expect(isPrivateLine(url)).toBe(isPrivate);
});

it("labels made to be slow to read are not", () => {
  const bare = { type: "text", autocomplete: "", placeholder: "", name: "", id: "" };
  const startedAtMs = performance.now();
  for (const label of ["exp".repeat(100), "valid".repeat(60), "exp a b ".repeat(37), "card 1 ".repeat(42)]) {
    for (let count = 0; count < 100; count += 1) purposeOf({ ...bare, label } as PageField);
  }
  expect(performance.now() - startedAtMs).toBeLessThan(2_000);
});
