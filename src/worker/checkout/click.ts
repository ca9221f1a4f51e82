/** Clicks so that the click is known to have been taken. */
import type { ElementHandle } from "playwright-core";
import { withTimeout } from "./with-timeout.ts";

const ACTION_MS = 5_000;
const MOST_CLICKS = 3;
const TAKEN_MS = 800;
const DRAWN_MS = 1_000;
const LOOK_AGAIN_MS = 30;
/** Two frames of the picture, or a moment where none is drawn. */
const DRAWN = `new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(resolve));
  setTimeout(resolve, 500);
})`;

/**
 * Where a page was scrolled a moment ago, Chromium may give the click to a frame that was there before: frames of other sites
 * are processes of their own, and it tells them apart by the picture that was drawn last. So the picture is waited for, and a
 * click that the element did not get is done again. False: it was not taken, or the element is gone.
 */
export async function click(element: ElementHandle<HTMLElement>): Promise<boolean> {
  await element.scrollIntoViewIfNeeded({ timeout: ACTION_MS }).catch(() => {});
  for (let count = 0; count < MOST_CLICKS; count += 1) {
    const heard = await element.evaluateHandle(listen).catch(() => null);
    if (!heard) return false;
    const frame = await element.ownerFrame();
    await withTimeout(frame?.evaluate(DRAWN) ?? Promise.resolve(), DRAWN_MS).catch(() => {});
    const untilMs = performance.now() + ACTION_MS;
    // What Playwright says of it repeats what the page says.
    const clicked = element.click({ timeout: ACTION_MS }).then(
      () => "done" as const,
      () => "failed" as const,
    );
    for (;;) {
      const state = await withTimeout(clicked, LOOK_AGAIN_MS);
      // A document that has gone was clicked, and led on; one that does not answer is on its way.
      const isTaken = await withTimeout(
        heard.evaluate(({ isClicked }) => isClicked).catch(() => true),
        TAKEN_MS,
      );
      if (isTaken) return true;
      if (isTaken === null && performance.now() > untilMs) return true;
      if (isTaken === null) continue;
      if (state === "failed" || performance.now() > untilMs) break;
      if (state === "done" && performance.now() > untilMs - ACTION_MS + TAKEN_MS) break;
    }
  }
  return false;
}

/** Runs in the page. */
function listen(element: unknown): { isClicked: boolean } {
  const heard = { isClicked: false };
  const onClick = () => {
    heard.isClicked = true;
  };
  (element as EventTarget).addEventListener("click", onClick, { capture: true, once: true });
  return heard;
}
