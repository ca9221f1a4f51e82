/** Reading of totals in common notations: never less than the amount due. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfirmation } from "../../src/worker/checkout/confirmation.ts";
import { snapshotPage } from "../../src/worker/checkout/page-snapshot.ts";
import { totalOf } from "../../src/worker/checkout/total.ts";
import { sharedWorkerBrowser } from "./shared-worker-browser.ts";

let page: Page;
beforeAll(async () => {
  const browser = await sharedWorkerBrowser();
  page = await (await browser.openContext()).newPage();
});
afterAll(() => page?.context().close());

async function readView(html: string) {
  await page.setContent(`<!doctype html><body><h1>Checkout</h1>${html}<button>Continue</button></body>`);
  const view = await snapshotPage(page);
  if (!view) throw new Error("no view");
  return view;
}

async function readTotal(html: string, currency = "GBP") {
  const total = totalOf(await readView(html), currency, () => true);
  return total && `${total.amountMinor} ${total.currency}`;
}

const createRows = (...labelled: readonly (readonly [string, string])[]) =>
  labelled.map(([label, amount]) => `<div class="line"><span>${label}</span><span>${amount}</span></div>`).join("");

it.each([
  [
    "an offer of free delivery",
    `<p>Free express delivery when your total exceeds £100.00.</p><p>Spend £50.00 more to make your total qualify for free shipping today</p><table><tr><th>Total</th><td>£31.40</td></tr></table>`,
    "3140 GBP",
  ],
  [
    "a former total, struck out by style or said to be before the discount",
    `<p>Total <span style="text-decoration:line-through">£46.40</span> £31.40</p><p>Total before discount: £46.40</p>`,
    "3140 GBP",
  ],
  [
    "instalments",
    `<div><span>Total</span><span>£31.40</span></div><p>Total to pay in 3 instalments of £10.47 with Klarna.</p><button>Pay in 3 from £10.47</button>`,
    "3140 GBP",
  ],
  [
    "an approximate amount in another currency",
    `<p>Total <b>£31.40</b> <small>(approx. US$42.10)</small></p>`,
    "3140 GBP",
  ],
  ["another currency, not said to be approximate", `<p>Total <b>£31.40</b> (US$42.10)</p>`, "4210 USD"],
  [
    "a shadow root",
    `<div id="host"></div><script>host.attachShadow({ mode: "open" }).innerHTML = "<dl><dt>Total</dt><dd>£31.40</dd></dl>";</script>`,
    "3140 GBP",
  ],
  [
    "a German threshold",
    `<p>Versandkostenfrei ab einem Gesamtbetrag von mehr als £50.00</p><p>Gesamtsumme: £31.40</p>`,
    "3140 GBP",
  ],
  [
    "tax in the header of its row",
    `<div role="row"><div role="rowheader"><strong>Total</strong><div><p>Including £8.00 in taxes</p></div></div><div role="cell"><div><abbr>GBP</abbr> <strong>£480.00</strong></div></div></div>`,
    "48000 GBP",
  ],
  [
    "tax in the header without roles",
    `<section><p>2 items</p><div><div><strong>Total</strong><div>Including £8.00 in taxes</div></div><div>£480.00</div></div></section>`,
    "48000 GBP",
  ],
  [
    "tax in the header of a table row",
    `<table><tr><th>Total <small>(incl. £8.00 VAT)</small></th><td>£48.00</td></tr></table>`,
    "4800 GBP",
  ],
  [
    "tax after the total",
    `<table><tr><th>Total</th><td><strong><bdi><span>£</span>48.00</bdi></strong> <small>(includes <bdi><span>£</span>8.00</bdi> VAT)</small></td></tr></table>`,
    "4800 GBP",
  ],
  [
    "tax between label and amount",
    `<div><span>Total</span><small>(incl. £8.00 VAT)</small><b>£48.00</b></div>`,
    "4800 GBP",
  ],
  ["tax before a plain text amount", `<div><b>Total</b> <small>(incl. £8.00 VAT)</small> £48.00</div>`, "4800 GBP"],
  ["a crossed-out amount", `<div>Total <s>£8.00</s> £48.00</div>`, "4800 GBP"],
  ["a higher crossed-out price", `<div>Total <s>£60.00</s> £48.00</div>`, "4800 GBP"],
  ["a saving in the same line", `<div><span>Total</span> <em>You saved £5.00</em> <b>£48.00</b></div>`, "4800 GBP"],
  ["a saving on a separate line", `<p>Total</p><p>You saved £5.00</p><p>£48.00</p>`, "4800 GBP"],
  ["two prices", `<p>Total</p><p>£5.00</p><p>£48.00</p>`, "4800 GBP"],
  ["an item count", `<div><span>Total (2 items)</span><span>2</span><span>£48.00</span></div>`, "4800 GBP"],
  [
    "a description list",
    `<dl><dt>Subtotal</dt><dd>£50.00</dd><dt>Total</dt><dd>incl. £8.00 VAT</dd><dd>£48.00</dd><dt>Next time</dt><dd>£99.00</dd></dl>`,
    "4800 GBP",
  ],
  [
    "rows, with a discount",
    createRows(["Subtotal", "£50.00"], ["Discount", "−£2.00"], ["Total", "£48.00"]),
    "4800 GBP",
  ],
  ["flat text", `Subtotal £50.00<br>Total<br>£48.00<br>Saved for next time<br>£99.00`, "4800 GBP"],
  ["an additional net total", createRows(["Total (net)", "£40.00"], ["Total incl. VAT", "£48.00"]), "4800 GBP"],
  ["only a total including tax", `<p>Total inc VAT £48.00</p>`, "4800 GBP"],
  ["tax after the label", createRows(["Total, VAT included", "£48.00"]), "4800 GBP"],
  ["a total with an item count in the label", createRows(["Order total for 2 items", "£48.00"]), "4800 GBP"],
  [
    "many totals before the last one",
    `${createRows(["Total", "£1.00"]).repeat(40)}${createRows(["Total", "£48.00"])}`,
    "4800 GBP",
  ],
  ["a currency sign between two numbers", `<p>Total 2 £ 48.00</p>`, "4800 GBP"],
])("reads a total with %s", async (_what, html, expected) => {
  expect(await readTotal(html)).toBe(expected);
});

it.each([
  [
    "in a separate element of the cell",
    `<table><tr><td>Gesamtsumme<div>inkl. 7,66 € MwSt.</div></td><td>48,00 €</td></tr></table>`,
  ],
  ["in the label", `<div><p>Gesamtsumme inkl. 7,66 € MwSt.</p><p>48,00 €</p></div>`],
  ["in one text", `<p>Gesamtsumme 48,00 € inkl. 7,66 € MwSt.</p>`],
])("reads a German total with tax %s", async (_where, html) => {
  expect(await readTotal(html, "EUR")).toBe("4800 EUR");
});

it.each([
  ["a row without an amount yet", createRows(["Subtotal", "£40.00"], ["Total", "–"])],
  [
    "a table row without an amount yet",
    `<table><tr><td>Tea</td><td>£40.00</td></tr><tr><td>Total</td><td>–</td></tr></table>`,
  ],
  [
    "other rows with the word total",
    createRows(["Total savings", "£5.00"], ["Total VAT", "£8.00"], ["Subtotal incl. VAT", "£40.00"]),
  ],
])("finds no total in %s", async (_what, html) => {
  expect(await readTotal(html)).toBeNull();
});

it("returns the charged amount in another currency than the order's", async () => {
  expect(await readTotal(`<p>Total £28.90 (you are charged $36.10 USD)</p>`)).toBe("3610 USD");
});

it("reads the charged amount of a confirmation in the same way", async () => {
  const view = await readView(
    `<h1>Thank you for your order</h1><p>Order number: A-1001</p><div role="row"><div role="rowheader">Total<div>Including £8.00 in taxes</div></div><div role="cell">£480.00</div></div>`,
  );
  expect(readConfirmation(view, "GBP", () => true)).toMatchObject({
    orderNumber: "A-1001",
    amountChargedMinor: 48_000,
  });
});
