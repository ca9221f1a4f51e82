/** Clicks an element and verifies that it received the click. */
import type { ElementHandle } from "playwright-core";
import { withTimeout } from "./with-timeout.ts";

const ACTION_MS = 5_000;
const MAX_CLICKS = 3;
const RECEIVED_MS = 800;
const FRAMES_DRAWN_MS = 1_000;
const POLL_INTERVAL_MS = 30;
/** Resolves after two animation frames, or after 500 ms if none is drawn. */
const FRAMES_DRAWN = `new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(resolve));
  setTimeout(resolve, 500);
})`;

/**
 * Clicks an element, and clicks again if the element did not receive the event. After scrolling, Chromium may send a click
 * to a frame at the old position: it locates cross-process frames by the last drawn picture. The function therefore waits
 * for two animation frames first.
 * @returns false if the element did not receive the click or no longer exists
 */
export async function click(element: ElementHandle<HTMLElement>): Promise<boolean> {
  await element.scrollIntoViewIfNeeded({ timeout: ACTION_MS }).catch(() => {});
  for (let count = 0; count < MAX_CLICKS; count += 1) {
    if (count > 0) await withTimeout(element.evaluate(uncover), RECEIVED_MS).catch(() => {});
    const clickState = await element.evaluateHandle(listenForClick).catch(() => null);
    if (!clickState) return false;
    const frame = await element.ownerFrame();
    await withTimeout(frame?.evaluate(FRAMES_DRAWN) ?? Promise.resolve(), FRAMES_DRAWN_MS).catch(() => {});
    const untilMs = performance.now() + ACTION_MS;
    // Playwright's errors are dropped, because they quote page content.
    const clicked = element.click({ timeout: ACTION_MS }).then(
      () => "done" as const,
      () => "failed" as const,
    );
    for (;;) {
      const state = await withTimeout(clicked, POLL_INTERVAL_MS);
      // A document that no longer exists received the click and navigated. One that does not respond is about to navigate.
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

/** The members of DOM elements used below. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
interface PageElement {
  readonly parentElement: PageElement | null;
  readonly style: { setProperty(name: string, value: string, priority: string): void };
  readonly ownerDocument: {
    readonly defaultView: { getComputedStyle(element: PageElement): { readonly position: string } };
  };
  readonly localName: string;
  contains(other: PageElement): boolean;
  matches(selector: string): boolean;
  scrollIntoView(options: object): void;
  getBoundingClientRect(): Box;
  getRootNode(): { readonly host?: PageElement; elementFromPoint?(x: number, y: number): PageElement | null };
}

/** Hides boxes that stay in place over the element, such as a sticky bar. Runs in the page. */
function uncover(target: unknown): void {
  const element = target as PageElement;
  element.scrollIntoView({ block: "center", behavior: "instant" });
  for (let count = 0; count < 3; count += 1) {
    const { left, top, width, height } = element.getBoundingClientRect();
    const cover = element.getRootNode().elementFromPoint?.(left + width / 2, top + height / 2) ?? null;
    if (!cover || cover === element || element.contains(cover) || cover.contains(element)) return;
    let box: PageElement | null = cover;
    const isFixed = (at: PageElement) =>
      /^(?:fixed|sticky)$/.test(at.ownerDocument.defaultView.getComputedStyle(at).position) ||
      at.matches("dialog, [role=dialog], [aria-modal=true]");
    while (box && !isFixed(box)) box = box.parentElement ?? box.getRootNode().host ?? null;
    if (!box || box.contains(element) || box.localName === "body") return;
    box.style.setProperty("display", "none", "important");
  }
}
