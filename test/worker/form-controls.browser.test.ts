/** Filling of forms with the controls of real checkouts: shadow roots, lists drawn by scripts, masks, suggestions, dialogs. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addressValues } from "../../src/worker/checkout/buyer.ts";
import { click } from "../../src/worker/checkout/click.ts";
import { fillForm, findUnapprovedFields } from "../../src/worker/checkout/fill-form.ts";
import { fillMissingField } from "../../src/worker/checkout/fill-missing-field.ts";
import { dismissOverlay } from "../../src/worker/checkout/overlays.ts";
import { snapshotPage } from "../../src/worker/checkout/page-snapshot.ts";
import { missingRequiredFields } from "../../src/worker/checkout/required-fields.ts";
import { sharedWorkerBrowser } from "./shared-worker-browser.ts";

let page: Page;
beforeAll(async () => {
  const browser = await sharedWorkerBrowser();
  page = await (await browser.openContext()).newPage();
});
afterAll(() => page?.context().close());

const HOME = {
  ...{ firstName: "Ada", lastName: "Lovelace", company: null, address1: "12 Market Street", address2: null },
  ...{ city: "San Francisco", provinceCode: "CA", postalCode: "94105", countryCode: "US", phone: "+1 415 555 0132" },
};
const VALUES = { ...addressValues(HOME), email: "ada@example.com" };
const OPTIONS = { values: VALUES, billing: null, recipe: null };

async function open(html: string) {
  await page.setContent(`<!doctype html><html lang="en"><body>${html}</body></html>`);
}
async function snapshot() {
  const view = await snapshotPage(page);
  if (!view) throw new Error("no view");
  return view;
}
/** Fills in the page until nothing changes. */
async function fill() {
  const attempts = new Map<string, number>();
  for (let round = 0; round < 4; round += 1)
    if ((await fillForm((await snapshot()).main, { ...OPTIONS, attempts })).length === 0) break;
  return (await snapshot()).main;
}
const valuesOf = () =>
  page.evaluate(`(() => {
    const values = {};
    const read = (root) => root.querySelectorAll("*").forEach((element) => {
      if (element.shadowRoot) read(element.shadowRoot);
      if (element.name) values[element.name] = element.type === "checkbox" ? element.checked : element.value;
    });
    read(document);
    return values;
  })()`);

const STATES = ["Alabama", "California", "Texas"];

it("fills in a form in nested shadow roots, whose components name their fields", async () => {
  await open(`<x-form></x-form><script>
    customElements.define("x-field", class extends HTMLElement {
      connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = '<label>' + this.getAttribute("label") + '<input name="' + this.getAttribute("name") + '" ' + (this.hasAttribute("required") ? "required" : "") + '></label>'; }
    });
    customElements.define("x-form", class extends HTMLElement {
      connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = '<x-field label="First name" name="a" required></x-field><x-field label="House number" name="b" required></x-field><x-field label="Street" name="c" required></x-field><x-field label="Date of birth" name="d" required></x-field><button><slot></slot>Pay now</button><p>Total $31.40</p>'; }
    });</script>`);
  const view = await fill();
  expect(await valuesOf()).toMatchObject({ a: "Ada", b: "12", c: "Market Street", d: "" });
  expect(missingRequiredFields(view).map(({ purpose, kind }) => `${purpose} ${kind}`)).toEqual(["birth_date text"]);
  expect(view.controls.map(({ text }) => text)).toEqual(["Pay now"]);
  const [birthDate] = missingRequiredFields(view);
  expect(birthDate && (await fillMissingField(view, birthDate, "1815-12-10"))).toBe(true);
  expect(await valuesOf()).toMatchObject({ d: "1815-12-10" });
  expect(view.totals).toEqual(["Total $31.40"]);
});

it("chooses options of comboboxes and of widgets in place of a select", async () => {
  await open(`<form><label>Address <input name="address"></label>
    <p id="l">Country</p><div role="combobox" tabindex="0" id="country" aria-labelledby="l" aria-expanded="false">Select…</div>
    <p><label>State *</label> <select name="state" required style="position:absolute;width:1px;height:1px;clip-path:inset(50%)"><option></option>${STATES.map((name, index) => `<option value="${index}">${name}</option>`).join("")}</select><span class="widget" tabindex="0" style="display:inline-block;width:200px;height:30px">Pick</span></p>
    <p>Salutation *</p><button type="button" aria-haspopup="listbox" aria-label="Salutation *" id="sal">Choose</button></form>
    <script>
      const openList = (box, texts, done) => box.addEventListener("click", () => {
        const list = Object.assign(document.createElement("ul"), { role: "listbox" });
        setTimeout(() => { document.body.append(list); list.innerHTML = texts.map((text) => '<li role="option">' + text + '</li>').join(""); }, 50);
        list.addEventListener("click", ({ target }) => { done(target.textContent); list.remove(); });
      });
      openList(country, ["Canada", "United States"], (text) => { country.textContent = text; });
      openList(sal, ["Mr", "Ms", "Prefer not to say"], (text) => { sal.textContent = text; });
      const widget = document.querySelector(".widget"), state = document.querySelector("select");
      openList(widget, ${JSON.stringify(STATES)}, (text) => { widget.textContent = text; state.value = [...state.options].find((one) => one.text === text).value; });
    </script>`);
  await fill();
  expect(await page.textContent("#country")).toBe("United States");
  expect(await page.textContent(".widget")).toBe("California");
  expect(await valuesOf()).toMatchObject({ state: "1", address: "12 Market Street" });
  expect(await page.textContent("#sal")).toBe("Prefer not to say");
});

it("retains the approved address despite suggestions and masks, and notices when a page changes it", async () => {
  await open(`<form><label>Address <input name="address" aria-expanded="false"></label><label>Phone <input type="tel" name="phone" maxlength="14" required pattern="\\(\\d{3}\\) \\d{3}-\\d{4}"></label>
    <label>City <input name="city"></label><label><input type="checkbox" name="news" checked> Send me the newsletter</label>
    <label><input type="checkbox" name="terms" required> I agree to the terms</label></form>
    <div id="box" style="position:absolute;top:30px;width:500px;height:260px;background:#fff" hidden>12 Market Lane</div>
    <script>
      const [address, phone, city] = document.querySelectorAll("input");
      address.addEventListener("input", () => { box.hidden = false; });
      address.addEventListener("keydown", ({ key }) => { if (key === "Escape") box.hidden = true; });
      city.addEventListener("input", () => { city.value = "Oakland"; });
    </script>`);
  const view = await fill();
  expect(await valuesOf()).toMatchObject({
    address: "12 Market Street",
    phone: "(415) 555-0132",
    news: false,
    terms: true,
  });
  expect(await page.isHidden("#box")).toBe(true);
  expect((await findUnapprovedFields(view, OPTIONS)).map(({ label }) => label)).toEqual(["City"]);
});

it.each([
  [
    "rejects where it can",
    `<div role="dialog" style="position:fixed;inset:0"><p>We use cookies</p><button>Accept all</button><button>Settings</button><button>Reject all</button></div>`,
    "Reject all",
  ],
  [
    "rejects in German, in a shadow root",
    `<div id="usercentrics-root"></div><script>document.getElementById("usercentrics-root").attachShadow({ mode: "open" }).innerHTML = '<div style="position:fixed;bottom:0">Wir verwenden Cookies <button>Alle akzeptieren</button><button>Nur notwendige</button></div>';</script>`,
    "Nur notwendige",
  ],
  [
    "hides a bar that can only be accepted",
    `<div style="position:fixed;bottom:0;width:100%;height:160px">We use cookies <button>Accept</button></div>`,
    "Hidden without a choice",
  ],
  [
    "closes an advertisement",
    `<div role="dialog" aria-modal="true" style="position:fixed;inset:0">10% off with our newsletter <input type="email"><button>Sign up</button><button aria-label="Close">×</button></div>`,
    "Close ×",
  ],
  [
    "retains the approved address when another is proposed",
    `<div role="dialog">Verify your address <button>Use suggested address</button><button>Use address as entered</button></div>`,
    "Use address as entered",
  ],
  [
    "leaves a fixed bar with the pay button",
    `<div style="position:fixed;bottom:0">Cookies <button>Pay now</button><button>Close</button></div>`,
    null,
  ],
  [
    "leaves a dialog with the form",
    `<div role="dialog">Newsletter <label>Address <input></label><button>Close</button></div>`,
    null,
  ],
])("%s", async (_what, html, closed) => {
  await open(html);
  expect(await dismissOverlay(await snapshot(), new Set())).toBe(closed);
});

it("uncovers a control that a sticky bar hides", async () => {
  await open(`<button onclick="this.dataset.pressed = 1" style="position:fixed;bottom:20px">Pay now</button>
    <div style="position:fixed;bottom:0;width:100%;height:90px;background:#fff">Install our app</div>`);
  const { main } = await snapshot();
  const control = await main.element(main.controls[0]?.index ?? -1);
  expect(control && (await click(control))).toBe(true);
  expect(await page.getAttribute("button", "data-pressed")).toBe("1");
}, 20_000);
