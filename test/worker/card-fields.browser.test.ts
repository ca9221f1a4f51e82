/** Detection of card fields: only visible fields count, and adversarial labels are parsed in bounded time. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findCardFields, isPrivateConnection } from "../../src/worker/checkout/card-receivers.ts";
import type { PageField } from "../../src/worker/checkout/document-view.ts";
import { purposeOf } from "../../src/worker/checkout/field-purposes.ts";
import { merchantOriginsOf } from "../../src/worker/checkout/merchant-origins.ts";
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
    response
      .setHeader("content-type", "text/html")
      .end(`<!doctype html><body>${PAGES[url] ?? `${content}<button>Pay</button>`}`),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => {
  server?.close();
});

/** Returns `purpose host` of each field that would receive card data. */
async function findFields(html: string): Promise<string[]> {
  content = html;
  const context = await browser.openContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    const view = await snapshotPage(page);
    if (!view) return [];
    const merchantUrl = `http://127.0.0.1:${port}`;
    const cardEntry = { pageOrigins: [merchantUrl], frameOrigins: null };
    const job = { cardEntry, processorOrigins: [`http://pay.localhost:${port}`] };
    const rules = { session: { job }, merchantOrigins: merchantOriginsOf(merchantUrl, []), recipe: null };
    const control = await page.$("button");
    const { fields, objection } = await findCardFields(view, control, rules);
    if (objection !== null) return [objection.replaceAll(`:${port}`, "")];
    return fields.map(({ purpose, view: { url } }) => `${purpose} ${new URL(url).hostname}`);
  } finally {
    await context.close();
  }
}

const createFrame = (host: string, path: string, style = "width:400px;height:120px") =>
  `<iframe src="http://${host}.localhost:${port}${path}" style="border:0;${style}"></iframe>`;
const REFUSED_PROCESSOR = "The card may not be entered at http://pay.localhost";
const PROCESSOR_FIELDS = ["card_number pay.localhost", "card_expiry pay.localhost"];

it.each([
  ["left of the page", "width:400px;height:120px;position:absolute;left:-900px"],
  ["of minimal size", "width:2px;height:2px"],
  ["that is transparent", "width:400px;height:120px;opacity:0"],
  ["that is clipped", null],
])("ignores a frame %s", async (_what, style) => {
  const hidden = style
    ? createFrame("ad", "/all", style)
    : `<div style="height:0;overflow:hidden">${createFrame("ad", "/all")}</div>`;
  expect(await findFields(hidden + createFrame("pay", "/number"))).toEqual(PROCESSOR_FIELDS);
});

it("accepts a frame below the viewport in a scrollable element", async () => {
  const part = `<div style="height:300px;overflow:auto">${createFrame("pay", "/number")}</div>`;
  expect(await findFields(`<div style="height:3000px"></div>${part}`)).toEqual(PROCESSOR_FIELDS);
});

it("accepts a code field only in the frame of the number or in the page", async () => {
  const otherFrame = createFrame("ad", "/all").replace("/all", "/code");
  PAGES["/code"] = `<input autocomplete="cc-csc">`;
  expect(await findFields(createFrame("pay", "/number") + otherFrame)).toEqual(PROCESSOR_FIELDS);
  expect(await findFields(`${createFrame("pay", "/number")}<input autocomplete="cc-csc">`)).toEqual([
    ...PROCESSOR_FIELDS,
    "card_security_code 127.0.0.1",
  ]);
});

const PAY_FRAME = createFrame.bind(null, "pay", "/number");

it.each<[what: string, createContent: () => string, found: string[]]>([
  [
    "number fields of two origins",
    () => createFrame("ad", "/all") + PAY_FRAME(),
    ["Card fields of several origins: http://ad.localhost, http://pay.localhost"],
  ],
  [
    "an unknown processor's frame",
    () => createFrame("unknown", "/all"),
    ["The card may not be entered at http://unknown.localhost"],
  ],
  ["a processor's frame in another frame", () => createFrame("ad", "/nested"), [REFUSED_PROCESSOR]],
  [
    "a processor's frame outside the paying form",
    () => `${PAY_FRAME()}<form><button>Pay</button></form>`,
    [REFUSED_PROCESSOR],
  ],
  [
    "a processor's frame in the paying form",
    () => `<form><p>${PAY_FRAME()}</p><button>Pay</button></form>`,
    PROCESSOR_FIELDS,
  ],
  [
    "a processor's frame in the form to which the control refers",
    () => `<button form="f">Pay</button><form id="f">${PAY_FRAME()}</form>`,
    PROCESSOR_FIELDS,
  ],
])("finds %s", async (_what, createContent, found) => {
  PAGES["/nested"] = PAY_FRAME();
  expect(await findFields(createContent())).toEqual(found);
});

it.each([
  ["https://merchant.example/pay", true],
  ["http://hosiery.localhost:4100/pay", true],
  ["http://127.0.0.1:4100/pay", true],
  ["http://[::1]:4100/pay", true],
  ["http://merchant.example/pay", false],
  ["http://127.0.0.1.merchant.example/pay", false],
  ["http://localhost.example/pay", false],
  ["about:srcdoc", false],
])("treats the connection to %s as private: %s", (url, isPrivate) => {
  expect(isPrivateConnection(url)).toBe(isPrivate);
});

it("parses adversarial labels in bounded time", () => {
  const emptyField = { type: "text", autocomplete: "", placeholder: "", name: "", id: "" };
  const startedAtMs = performance.now();
  for (const label of ["exp".repeat(100), "valid".repeat(60), "exp a b ".repeat(37), "card 1 ".repeat(42)]) {
    for (let count = 0; count < 100; count += 1) purposeOf({ ...emptyField, label } as PageField);
  }
  expect(performance.now() - startedAtMs).toBeLessThan(2_000);
});
