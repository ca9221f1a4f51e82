/** Sanitised hostile HTML is harmless in a real browser, also after it is serialised and parsed again. */
import fc from "fast-check";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sanitiseHtml } from "../../src/mail/incoming/sanitise-html.ts";
import { getSharedBrowser } from "../support/browser.ts";
import { HOSTILE_HTML } from "./hostile-html.ts";

/** CPU time, because other files run in parallel. Each input needs far less than a second unless the time is quadratic. */
const SANITISING_MS = 10_000;
const ALLOWED = /^(?:https?:\/\/|mailto:|tel:|cid:|data:image\/(?:png|gif|jpe?g|webp);base64,)/i;

let browser: Browser;
let page: Page;
const requested: string[] = [];

beforeAll(async () => {
  browser = await getSharedBrowser();
  page = await browser.newPage();
  await page.route("**/*", (route) => {
    requested.push(route.request().url());
    return route.abort();
  });
  await page.goto("about:blank");
});
afterAll(() => page?.close());

interface Found {
  readonly ran: boolean;
  readonly tags: string[];
  readonly handlers: string[];
  readonly addresses: string[];
  readonly urls: string[];
}

/** Renders the HTML in a page and in a frame, and returns its scripts' effects and its elements. */
async function show(html: string): Promise<Found> {
  return await page.evaluate(async (given) => {
    const scope = globalThis as unknown as { __ran?: number };
    delete scope.__ran;
    document.body.innerHTML = given;
    // Repeated serialising and parsing triggers mutation XSS.
    for (let round = 0; round < 3; round++) {
      const written = document.body.innerHTML;
      document.body.innerHTML = written;
    }
    const frame = document.createElement("iframe");
    frame.srcdoc = given;
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
    document.body.append(frame);
    await loaded;
    const roots = [document.body, frame.contentDocument?.body ?? document.body];
    const elements = roots.flatMap((root) => [...root.querySelectorAll("*")]).filter((element) => element !== frame);
    const attributes = elements.flatMap((element) => [...element.attributes]);
    const isAddress = ({ name }: Attr) =>
      ["href", "src", "action", "formaction", "background", "srcset", "poster", "data"].includes(name);
    return {
      ran: scope.__ran !== undefined || (frame.contentWindow as unknown as { __ran?: number })?.__ran !== undefined,
      tags: [...new Set(elements.map(({ localName }) => localName))],
      handlers: attributes.filter(({ name }) => name.startsWith("on")).map(({ name }) => name),
      addresses: attributes.filter(isAddress).map(({ value }) => value),
      urls: attributes
        .filter(({ name, value }) => name === "style" && /url|expression|\(.*\(|@import|position/i.test(value))
        .map(({ value }) => value),
    };
  }, html);
}

const FORBIDDEN = [
  "script",
  "style",
  "svg",
  "math",
  "iframe",
  "object",
  "embed",
  "form",
  "input",
  "button",
  "meta",
  "link",
  "base",
  "template",
  "noscript",
  "video",
  "audio",
];

function expectHarmless(found: Found, html: string): void {
  expect({ html, ran: found.ran, handlers: found.handlers, urls: found.urls }).toEqual({
    html,
    ran: false,
    handlers: [],
    urls: [],
  });
  expect(found.tags.filter((tag) => FORBIDDEN.includes(tag))).toEqual([]);
  expect(found.addresses.filter((address) => !ALLOWED.test(address))).toEqual([]);
}

describe("known sanitiser bypasses", () => {
  it.each(HOSTILE_HTML.map((html) => [html.slice(0, 80), html]))("%s", async (_name, html) => {
    const before = process.cpuUsage();
    const clean = sanitiseHtml(html) ?? "";
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(SANITISING_MS);
    expectHarmless(await show(clean), html);
    // Only image URLs may be requested, and none of the hostile ones.
    expect(requested.splice(0).filter((url) => url.includes("127.0.0.1:9"))).toEqual([]);
  });
});

it("makes combinations of bypasses harmless", async () => {
  const pieces = HOSTILE_HTML.filter((html) => html.length < 300);
  const cut = fc
    .tuple(fc.constantFrom(...pieces), fc.nat(120), fc.nat(120))
    .map(([html, from, to]) => html.slice(Math.min(from, to), Math.max(from, to) + 1));
  const soup = fc.array(
    fc.oneof(
      fc.constantFrom(...pieces),
      cut,
      fc.constantFrom("<b>", "</p>", "<table>", "<td>", "<!--", "-->", "\0", '"', "'", "`", "</style>", "<![CDATA["),
    ),
    { minLength: 2, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(soup, async (parts) => {
      const html = parts.join("");
      expectHarmless(await show(sanitiseHtml(html) ?? ""), html);
    }),
    { numRuns: 150 },
  );
});

it("preserves tables, text styles, links and images", () => {
  const original = `<table width="600" bgcolor="#fff"><tr><td align="right" style="color:#333; font-size:14px">12.50&nbsp;€</td></tr></table><p>See <a href="https://store.example/o?a=1&amp;b=2">your order</a>, <img src="cid:logo@mail" alt="Logo"> <img src="https://store.example/p.png"></p>`;
  const clean = sanitiseHtml(original) ?? "";
  for (const preserved of [
    'width="600"',
    'bgcolor="#fff"',
    "color:#333",
    "font-size:14px",
    'href="https://store.example/o?a=1&amp;b=2"',
    'src="cid:logo@mail"',
    'src="https://store.example/p.png"',
    "12.50",
    'rel="noopener noreferrer nofollow"',
  ]) {
    expect(clean).toContain(preserved);
  }
  expect(sanitiseHtml("<script>1</script>")).toBeNull();
});
