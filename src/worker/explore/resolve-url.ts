/** Finds the page to which a URL leads, in a browser context that the exploration does not use otherwise. */
import { CheckoutEndedError, type Timing } from "../checkout/ending.ts";
import { openPage } from "../checkout/navigation.ts";
import { followPage } from "../checkout/page-trail.ts";
import { watchTraffic } from "../checkout/traffic.ts";
import type { WorkerSession } from "../session.ts";

/** Returns the page's URL after redirects and the navigations of its scripts. @throws {CheckoutEndedError} it did not load */
export async function resolveUrl(
  session: Pick<WorkerSession, "withSeparateContext">,
  timing: Timing,
  url: string,
): Promise<string> {
  return await session.withSeparateContext(async (context) => {
    const page = await context.newPage();
    const traffic = watchTraffic(context, timing);
    // Closes the page's popups.
    followPage(page, { closesPopups: true });
    await openPage({ page, traffic, timing }, url);
    const untilMs = performance.now() + timing.settleMs;
    for (let origin = ""; origin !== new URL(page.url()).origin && performance.now() < untilMs; ) {
      ({ origin } = new URL(page.url()));
      await traffic.waitUntilSettled(page);
    }
    if (!/^https?:/.test(page.url()))
      throw new CheckoutEndedError("exploration_failed", "The URL leads to no web page");
    return page.url();
  });
}
