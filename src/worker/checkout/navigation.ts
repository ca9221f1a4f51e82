/** Navigates through a merchant's pages and waits for the results. */
import type { ElementHandle, Page } from "playwright-core";
import { blockerOf } from "./blockers.ts";
import { click } from "./click.ts";
import { CheckoutEndedError, type Timing } from "./ending.ts";
import { dismissOverlay } from "./overlays.ts";
import { type PageView, snapshotPage } from "./page-snapshot.ts";
import type { Traffic } from "./traffic.ts";

export interface Navigation {
  readonly page: Page;
  readonly traffic: Traffic;
  readonly timing: Timing;
}

/** Opens a URL. @throws {CheckoutEndedError} the page did not load */
export async function openPage({ page, timing }: Navigation, url: string): Promise<void> {
  await page
    .goto(url, { waitUntil: "domcontentloaded", timeout: timing.navigationMs })
    .catch((error: Error) => Promise.reject(page.isClosed() ? error : unavailable(url)));
}

/** Clicks, then waits for a navigation or until the page has settled. Returns false if the click had no effect. */
export async function clickThrough(
  { page, traffic, timing }: Navigation,
  element: ElementHandle<HTMLElement>,
): Promise<boolean> {
  const navigated = Promise.withResolvers<void>();
  const onNavigated = (frame: object) => {
    if (frame === page.mainFrame()) navigated.resolve();
  };
  page.on("framenavigated", onNavigated);
  try {
    if (!(await click(element))) return false;
    await Promise.race([navigated.promise, traffic.waitUntilSettled(page)]);
    await page.waitForLoadState("load", { timeout: timing.navigationMs }).catch(() => {});
    return true;
  } finally {
    page.off("framenavigated", onNavigated);
  }
}

/** Reads the current page. @throws {CheckoutEndedError} the page is blocked, for example by a captcha or an error */
export async function snapshotUnblocked({ page, traffic }: Navigation): Promise<PageView> {
  const view = await snapshotPage(page);
  if (!view) throw new CheckoutEndedError("shop_unavailable", "The page does not respond");
  const blocker = blockerOf(view, traffic.statusOf(view.main.url));
  if (blocker) throw new CheckoutEndedError(blocker.cause, blocker.reason);
  return view;
}

const MAX_OVERLAYS = 3;

/** Reads the current page as `snapshotUnblocked`, after the dialogs over it are closed. */
export async function snapshotUncovered(navigation: Navigation): Promise<PageView> {
  const tried = new Set<string>();
  for (let count = 0; ; count += 1) {
    const view = await snapshotUnblocked(navigation);
    if (count === MAX_OVERLAYS || (await dismissOverlay(view, tried)) === null) return view;
    await navigation.traffic.waitUntilSettled(navigation.page);
  }
}

function unavailable(url: string): CheckoutEndedError {
  return new CheckoutEndedError("shop_unavailable", `${new URL(url).origin} did not respond`);
}
