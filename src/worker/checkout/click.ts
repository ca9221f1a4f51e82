/** Clicks so that the click is known to have been taken. */
import type { ElementHandle } from "playwright-core";
import { withTimeout } from "./with-timeout.ts";

const ACTION_MS = 5_000;
const MAX_CLICKS = 3;
const RECEIVED_MS = 800;
const FRAMES_DRAWN_MS = 1_000;
const POLL_INTERVAL_MS = 30;
/** Two frames of the picture, or a moment where none is drawn. */
const FRAMES_DRAWN = `new Promise((resolve) => {
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
  for (let count = 0; count < MAX_CLICKS; count += 1) {
    const clickState = await element.evaluateHandle(listenForClick).catch(() => null);
    if (!clickState) return false;
    const frame = await element.ownerFrame();
    await withTimeout(frame?.evaluate(FRAMES_DRAWN) ?? Promise.resolve(), FRAMES_DRAWN_MS).catch(() => {});
    const untilMs = performance.now() + ACTION_MS;
    // What Playwright says of it repeats what the page says.
    const clicked = element.click({ timeout: ACTION_MS }).then(
      () => "done" as const,
      () => "failed" as const,
    );
    for (;;) {
      const state = await withTimeout(clicked, POLL_INTERVAL_MS);
      // A document that has gone was clicked, and led on; one that does not answer is on its way.
      const isReceived = await withTimeout(
        clickState.evaluate(({ isClicked }) => isClicked).catch(() => true),
        RECEIVED_MS,
      );
      if (isReceived) return true;
      if (isReceived === null && performance.now() > untilMs) return true;
      if (isReceived === null) continue;
      if (state === "failed" || performance.now() > untilMs) break;
      if (state === "done" && performance.now() > untilMs - ACTION_MS + RECEIVED_MS) break;
    }
  }
  return false;
}

/** Runs in the page. */
function listenForClick(element: unknown): { isClicked: boolean } {
  const clickState = { isClicked: false };
  const onClick = () => {
    clickState.isClicked = true;
  };
  (element as EventTarget).addEventListener("click", onClick, { capture: true, once: true });
  return clickState;
}
