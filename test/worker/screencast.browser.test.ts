/** The pictures of a page, in a real browser: whoever looks slowly still ends with the page as it stands. */
import type { Browser } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { createScreencast } from "../../src/worker/live/screencast.ts";
import { sharedBrowser } from "../support/browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

it("ends with the page as it stands, though what was drawn meanwhile was left out", async () => {
  const page = await browser.newPage();
  const eye = await browser.newPage();
  const { promise: isTaken, resolve: take } = Promise.withResolvers<void>();
  let last: Buffer | null = null;
  const screencast = createScreencast(page, async (jpeg) => {
    last = jpeg;
    await isTaken;
  });
  await screencast.start();
  await expect.poll(() => last).not.toBeNull();
  for (const colour of ["red", "blue", "black", "orange", "purple", "green"]) {
    await page.evaluate(`new Promise((drawn) => {
      document.documentElement.style.background = "${colour}";
      requestAnimationFrame(() => requestAnimationFrame(drawn));
    })`);
  }
  take();
  // In the middle of the picture: red, green, blue.
  const seen = () =>
    eye.evaluate(
      `fetch("data:image/jpeg;base64,${last?.toString("base64")}").then((picture) => picture.blob()).then(createImageBitmap)
        .then((bitmap) => {
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
          context.drawImage(bitmap, 0, 0);
          return [...context.getImageData(bitmap.width / 2, bitmap.height / 2, 1, 1).data.slice(0, 3)].map((part) => part > 64);
        })`,
    );
  await expect.poll(seen).toEqual([false, true, false]);
  await screencast.stop();
  await page.close();
  await eye.close();
});
