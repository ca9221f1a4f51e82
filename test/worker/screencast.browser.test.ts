/** The screencast of a page in a real browser: a slow consumer still receives the final state. */
import type { Browser } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { createScreencast } from "../../src/worker/live/screencast.ts";
import { getSharedBrowser } from "../support/browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await getSharedBrowser();
});

it("delivers the final state of the page and drops intermediate pictures", async () => {
  const page = await browser.newPage();
  const viewerPage = await browser.newPage();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  let last: Buffer | null = null;
  const screencast = createScreencast(page, async (jpeg) => {
    last = jpeg;
    await isReleased;
  });
  await screencast.start();
  await expect.poll(() => last).not.toBeNull();
  for (const colour of ["red", "blue", "black", "orange", "purple", "green"]) {
    await page.evaluate(`new Promise((drawn) => {
      document.documentElement.style.background = "${colour}";
      requestAnimationFrame(() => requestAnimationFrame(drawn));
    })`);
  }
  release();
  // Red, green and blue at the centre of the picture.
  const readColour = () =>
    viewerPage.evaluate(
      `fetch("data:image/jpeg;base64,${last?.toString("base64")}").then((picture) => picture.blob()).then(createImageBitmap)
        .then((bitmap) => {
          const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
          context.drawImage(bitmap, 0, 0);
          return [...context.getImageData(bitmap.width / 2, bitmap.height / 2, 1, 1).data.slice(0, 3)].map((part) => part > 64);
        })`,
    );
  await expect.poll(readColour).toEqual([false, true, false]);
  await screencast.stop();
  await page.close();
  await viewerPage.close();
});
