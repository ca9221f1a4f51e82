/** The mask over card numbers: what it covers, and that it leaves the rest of a page readable. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { snapshotPage } from "../../src/worker/checkout/page-snapshot.ts";
import { maskPages } from "../../src/worker/evidence/mask.ts";
import { sharedWorkerBrowser } from "./shared-worker-browser.ts";

let page: Page;
beforeAll(async () => {
  const context = await (await sharedWorkerBrowser()).openContext();
  await maskPages(context, []);
  page = await context.newPage();
});
afterAll(() => page?.context().close());

async function open(html: string): Promise<void> {
  await page.route("http://127.0.0.1:9/**", (route) =>
    route.fulfill({ contentType: "text/html", body: `<!doctype html><html lang="en"><body>${html}</body></html>` }),
  );
  await page.goto("http://127.0.0.1:9/page");
}
const isMasked = (selector: string) =>
  page.locator(selector).evaluate((element: Element) => element.closest("[data-satchel-mask]") !== null);
const textsOfControls = async () => (await snapshotPage(page))?.main.controls.map(({ text }) => text);

it("covers a number in the text, also if it is split across elements", async () => {
  await open(`<p id="whole">4242 4242 4242 4242</p><p id="parts"><b>4242</b> <b>4242</b> <b>4242</b> <b>4242</b></p>`);
  expect(await isMasked("#whole")).toBe(true);
  expect(await isMasked("#parts")).toBe(true);
});

it("covers a number in an option of a list", async () => {
  await open(`<select id="cards"><option>4242424242424242</option></select><p id="other">Visa</p>`);
  expect(await isMasked("#cards")).toBe(true);
  expect(await isMasked("#other")).toBe(false);
});

it("treats neither the years of an expiry date nor numbers of a script as a card number", async () => {
  const years = Array.from({ length: 12 }, (_, index) => `<option>${2026 + index}</option>`).join("");
  await open(
    `<div><label>Year <select id="year">${years}</select></label><script>const order = 4242424242424242;</script><button id="next">Continue</button></div>`,
  );
  expect(await isMasked("#next")).toBe(false);
  expect(await isMasked("#year")).toBe(false);
  expect(await textsOfControls()).toEqual(["Continue"]);
});

it("leaves the text of a control beside a number readable for the worker", async () => {
  await open(`<div>4242 4242 <span>4242 4242</span> <button id="pay">Pay now</button></div>`);
  expect(await isMasked("#pay")).toBe(true);
  expect(await textsOfControls()).toEqual(["Pay now"]);
});
