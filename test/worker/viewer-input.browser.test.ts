/** Viewer input reaches the bank's challenge only, also while another frame of the page holds the focus. */
import type { BrowserContext, Frame, Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Party } from "../../src/checkout/worker-protocol/live-messages.ts";
import { VIEWPORT } from "../../src/worker/browser.ts";
import { createViewerInput, type ViewerInput } from "../../src/worker/live/viewer-input.ts";
import { type SharedWorkerBrowser, sharedWorkerBrowser } from "./shared-worker-browser.ts";

const STORE = "https://store.example";
const BANK = "https://acs.example";
const AD = "https://ad.example";
const FIELD = `<input style="width:280px;height:80px"><script>
  const field = document.querySelector("input");
  keys = [];
  addEventListener("keydown", ({ key }) => keys.push(key));
</script>`;
const HOLDER = `${FIELD}<script>holding = setInterval(() => field.focus(), 1)</script>`;
const createFrame = (url: string) => `<iframe src="${url}" style="border:0;width:300px;height:100px"></iframe>`;
const PARTIES: Readonly<Record<string, Party>> = { [STORE]: "merchant", "https://issuer.example": "issuer" };

let browser: SharedWorkerBrowser;
let context: BrowserContext;
let page: Page;
let input: ViewerInput;
beforeAll(async () => {
  browser = await sharedWorkerBrowser();
});
beforeEach(async () => {
  context = await browser.openContext();
  page = await context.newPage();
  input = createViewerInput(page, (url) => PARTIES[new URL(url).origin] ?? "unknown");
});
afterEach(() => context.close());

/** Opens the first page. @param pages HTML by URL */
async function open(pages: Readonly<Record<string, string>>): Promise<void> {
  await context.route(
    (url) => url.href in pages,
    (route) =>
      route.fulfill({ contentType: "text/html", body: `<!doctype html><body>${pages[route.request().url()]}` }),
  );
  await page.goto(Object.keys(pages)[0] ?? "");
}

function frameAt(url: string): Frame {
  const frame = page.frames().find((one) => one.url() === url);
  if (!frame) throw new Error(`The page has no frame of ${url}`);
  return frame;
}
const valueAt = (url: string) => frameAt(url).evaluate<string>("field.value");
const keysAt = (url: string) => frameAt(url).evaluate<string[]>("keys");

/** Clicks the field of a frame. */
async function pointAt(url: string): Promise<void> {
  const box = await (await frameAt(url).$("input"))?.boundingBox();
  const place = { x: ((box?.x ?? 0) + 5) / VIEWPORT.width, y: ((box?.y ?? 0) + 5) / VIEWPORT.height };
  input.accept({ type: "pointer", event: "down", ...place, button: "left" });
  input.accept({ type: "pointer", event: "up", ...place, button: "left" });
}
async function clickField(url: string): Promise<void> {
  await pointAt(url);
  await expect.poll(() => frameAt(url).evaluate("document.activeElement === field")).toBe(true);
}

function type(text: string, keys: readonly string[] = []): void {
  if (text !== "") input.accept({ type: "text", text });
  for (const key of keys) {
    input.accept({ type: "key", event: "down", key });
    input.accept({ type: "key", event: "up", key });
  }
}

it("enters text and keys into the challenge's frame", async () => {
  await open({ [`${STORE}/`]: createFrame(`${BANK}/`), [`${BANK}/`]: FIELD });
  input.setChallengeFrame(frameAt(`${BANK}/`));
  input.allow();
  await clickField(`${BANK}/`);
  type("12", ["3", "4", "5", "Backspace"]);
  await expect.poll(() => keysAt(`${BANK}/`)).toEqual(["3", "4", "5", "Backspace"]);
  await expect.poll(() => valueAt(`${BANK}/`)).toBe("1234");
});

it("enters nothing into a frame that holds the focus", async () => {
  await open({
    [`${STORE}/`]: createFrame(`${BANK}/`) + createFrame(`${AD}/`),
    ...{ [`${BANK}/`]: FIELD, [`${AD}/`]: HOLDER },
  });
  input.setChallengeFrame(frameAt(`${BANK}/`));
  input.allow();
  type("12", ["3", "Enter", "4"]);
  await pointAt(`${BANK}/`);
  type("12", ["3", "Enter", "4"]);
  await frameAt(`${AD}/`).evaluate("clearInterval(holding)");
  await clickField(`${BANK}/`);
  type("5");
  await expect.poll(() => valueAt(`${BANK}/`)).toMatch(/5/);
  expect([await valueAt(`${AD}/`), await keysAt(`${AD}/`)]).toEqual(["", []]);
});

it("enters nothing outside the challenge's frame", async () => {
  await open({ [`${STORE}/`]: FIELD + createFrame(`${BANK}/`), [`${BANK}/`]: FIELD });
  input.setChallengeFrame(frameAt(`${BANK}/`));
  input.allow();
  await frameAt(`${STORE}/`).evaluate("field.focus()");
  type("12", ["3", "Enter"]);
  await expect.poll(() => keysAt(`${BANK}/`)).toEqual(["3", "Enter"]);
  expect([await valueAt(`${BANK}/`), await valueAt(`${STORE}/`), await keysAt(`${STORE}/`)]).toEqual(["123", "", []]);
});

/** The bank's page, as a form that is sent with the Enter key, and a page with a control of its own. */
const CODE_FORM = `<form onsubmit="sent = code.value; return false"><label>Name <input name="name"></label>
  <label>Code <input id="code" autocomplete="one-time-code"></label><button>Confirm</button></form><script>sent = ""</script>`;
const CLICKED = `<button style="width:300px;height:60px" onclick="clicks += 1">Cancel order</button><script>clicks = 0</script>`;

it("focuses the field for the code, and sends Enter to the bank while the merchant's button holds the focus", async () => {
  await open({ [`${STORE}/`]: CLICKED + createFrame(`${BANK}/`), [`${BANK}/`]: CODE_FORM });
  input.setChallengeFrame(frameAt(`${BANK}/`));
  input.allow();
  await expect.poll(() => frameAt(`${BANK}/`).evaluate("document.activeElement?.id")).toBe("code");
  await page.evaluate("document.querySelector('button').focus()");
  type("1234", ["Enter"]);
  await expect.poll(() => frameAt(`${BANK}/`).evaluate("sent")).toBe("1234");
  type(" ", ["Tab", "Enter"]);
  await expect.poll(() => frameAt(`${BANK}/`).evaluate("document.activeElement?.localName")).toBe("button");
  expect(await page.evaluate("clicks")).toBe(0);
});

it("focuses the field for the code on each page of the bank, in a frame of it too", async () => {
  const inner = "https://issuer.example/";
  await open({
    ...{ [`${STORE}/`]: createFrame(`${BANK}/`), [`${BANK}/`]: "<p>Loading", [`${BANK}/next`]: createFrame(inner) },
    [inner]: CODE_FORM,
  });
  const frame = frameAt(`${BANK}/`);
  input.setChallengeFrame(frame);
  input.allow();
  await frame.goto(`${BANK}/next`);
  await expect.poll(() => frameAt(inner).evaluate("document.activeElement?.id")).toBe("code");
});

it("clicks nothing outside the challenge's frame, and nothing that covers it", async () => {
  const cover = `<div style="position:absolute;top:110px;left:8px;width:150px;height:50px" onclick="clicks += 1"></div>`;
  await open({ [`${STORE}/`]: `${CLICKED}<br>${createFrame(`${BANK}/`)}${cover}`, [`${BANK}/`]: FIELD });
  input.setChallengeFrame(frameAt(`${BANK}/`));
  input.allow();
  const press = (x: number, y: number) => {
    for (const event of ["down", "up"] as const)
      input.accept({ type: "pointer", event, x: x / VIEWPORT.width, y: y / VIEWPORT.height, button: "left" });
  };
  await frameAt(`${BANK}/`).evaluate("downs = 0; addEventListener('mousedown', () => { downs += 1; })");
  press(50, 30);
  press(50, 130);
  press(250, 130);
  await expect.poll(() => frameAt(`${BANK}/`).evaluate("downs")).toBe(1);
  expect(await page.evaluate("clicks")).toBe(0);
});

it("enters nothing into the challenge's frame after it navigates to another origin", async () => {
  await open({
    ...{ [`${STORE}/`]: createFrame(`${BANK}/`), [`${BANK}/`]: FIELD, [`${AD}/`]: FIELD },
  });
  const frame = frameAt(`${BANK}/`);
  input.setChallengeFrame(frame);
  input.allow();
  await frame.goto(`${AD}/`);
  await clickField(`${AD}/`);
  type("12", ["3", "Enter"]);
  input.setChallengeFrame(frame);
  type("4");
  await expect.poll(() => valueAt(`${AD}/`)).toBe("4");
  expect(await keysAt(`${AD}/`)).toEqual([]);
});

it.each([
  ["the issuer", "https://issuer.example/", "12"],
  ["the challenge's own origin", `${BANK}/inner`, "12"],
  ["another site", `${AD}/`, ""],
])("enters text into a frame of %s in the challenge's page: %s", async (_what, url, value) => {
  await open({ [`${BANK}/`]: FIELD + createFrame(url), [url]: FIELD });
  input.allow();
  await clickField(url);
  type("12");
  await clickField(`${BANK}/`);
  type("3");
  await expect.poll(() => valueAt(`${BANK}/`)).toBe("3");
  expect(await valueAt(url)).toBe(value);
});
