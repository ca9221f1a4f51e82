/**
 * Verifies hidden text by the pixels that Chromium paints, with scripts and network off: text without a visible pixel is never
 * body text. Each text is replaced by other characters of the same width, so only its pixels change.
 */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readContent } from "../../src/mail/incoming/message-text.ts";
import { getSharedBrowser } from "../support/browser.ts";
import { HIDING_STYLES, HIDING_TEMPLATES, SHOWING_STYLES, SHOWING_TEMPLATES } from "./hiding-html.ts";

let browser: Browser;
let context: BrowserContext;
let page: Page;
let comparer: Page;

beforeAll(async () => {
  browser = await getSharedBrowser();
  context = await browser.newContext({
    javaScriptEnabled: false,
    offline: true,
    viewport: { width: 800, height: 400 },
  });
  page = await context.newPage();
  comparer = await browser.newPage();
});
afterAll(async () => {
  await context?.close();
  await comparer?.close();
});

/** Ways in which a style reaches an element. */
const DELIVERIES: readonly ((style: string, text: string) => string)[] = [
  (style, text) => `<div style="${style}">${text}</div>`,
  (style, text) => `<style>.q{${style}}</style><p class="q">${text}</p>`,
  (style, text) => `<style>@media (min-width:1px){#q{${style}}}</style><span id="q" style="color:#111">${text}</span>`,
  (style, text) =>
    `<style>[data-q]>p{${style.replaceAll(";", "!important;")}}</style><div data-q><p style="display:block;opacity:1;color:#111">${text}</p></div>`,
  (style, text) =>
    `<style>div{& .q{${style}} @media not print{& .r{top:0}}}</style><div><b class="q r">${text}</b></div>`,
  (style, text) => `<style><!-- /* x */ td:not(.z):is(.q,.y){${style}} --></style><table><td class="q">${text}</table>`,
];

const WORDS = ["mwmwmwmw", "wmwmwmwm"];

/** Returns the number of pixels that clearly differ between the document with one word and with another of equal width. */
async function countPixels(html: string): Promise<number> {
  const shots: string[] = [];
  for (const word of WORDS) {
    await page.setContent(`<body style="font-family:monospace;margin:8px">${html.replaceAll("WORD", word)}`);
    shots.push((await page.screenshot({ fullPage: true })).toString("base64"));
  }
  if (shots[0] === shots[1]) return 0;
  return await comparer.evaluate(async (images) => {
    const read = async (base64: string) => {
      const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
      const bitmap = await createImageBitmap(blob);
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      canvas?.drawImage(bitmap, 0, 0);
      return canvas?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? new Uint8ClampedArray();
    };
    const [one, other] = await Promise.all(images.map(read));
    let count = 0;
    for (let at = 0; at < (one?.length ?? 0); at += 4) {
      const differs = [0, 1, 2].some(
        (channel) => Math.abs((one?.[at + channel] ?? 0) - (other?.[at + channel] ?? 0)) > 40,
      );
      if (differs) count += 1;
    }
    return count;
  }, shots);
}

const isShown = (html: string) => readContent("", html.replaceAll("WORD", "mwmwmwmw")).bodyText.includes("mwmwmwmw");

const deliverAll = (styles: readonly string[], deliveries = DELIVERIES) =>
  styles.flatMap((style) => deliveries.map((deliver) => deliver(`${style};`, "WORD")));
const nest = (style: string) =>
  `<div style="${style}"><table><tr><td><p><a href="https://a.example">WORD</a></p></table></div>`;

it("never includes text in the body of which Chromium paints no legible pixel", { timeout: 400_000 }, async () => {
  const cases = [...deliverAll(HIDING_STYLES), ...HIDING_STYLES.map(nest), ...HIDING_TEMPLATES];
  const wrong: string[] = [];
  let hidden = 0;
  for (const html of cases) {
    // Only body text needs to be verified.
    if (!isShown(html)) hidden += 1;
    else if ((await countPixels(html)) < 12) wrong.push(html);
  }
  expect(wrong).toEqual([]);
  // All but the few that a delivery makes visible.
  expect(hidden / cases.length).toBeGreaterThan(0.9);
});

it("includes text in the body that Chromium shows", { timeout: 400_000 }, async () => {
  for (const html of [...deliverAll(SHOWING_STYLES, DELIVERIES.slice(0, 2)), ...SHOWING_TEMPLATES]) {
    expect(isShown(html), html).toBe(true);
    expect(await countPixels(html), html).toBeGreaterThan(12);
  }
});
