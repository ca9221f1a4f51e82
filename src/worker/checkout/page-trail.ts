/** Follows how a page reached its current site. */
import type { Frame, Page } from "playwright-core";
import type { MerchantOrigins } from "./merchant-origins.ts";

export interface PageTrail {
  /**
   * Whether only the merchant's own pages led to the current page, which may be of another origin. False after any page
   * opened a popup, because a popup can move its opener.
   */
  isLedBy(merchantOrigins: MerchantOrigins): boolean;
  /** Whether any page opened a popup. */
  readonly hasPopup: boolean;
  stop(): void;
}

/** Follows the page's documents. @param closesPopups whether popups are closed, which a checkout may need for the bank */
export function followPage(page: Page, { closesPopups }: { readonly closesPopups: boolean }): PageTrail {
  /** URLs of the documents at which the page changed its origin, in order. */
  const entries: string[] = [];
  let hasPopup = false;
  const onNavigated = (frame: Frame) => {
    if (frame !== page.mainFrame()) return;
    if (originOf(frame.url()) !== originOf(entries.at(-1) ?? "")) entries.push(frame.url());
  };
  const context = page.context();
  const onPage = (popup: Page) => {
    hasPopup = true;
    if (closesPopups) void popup.close().catch(() => {});
  };
  page.on("framenavigated", onNavigated);
  context.on("page", onPage);
  return {
    get hasPopup() {
      return hasPopup;
    },
    isLedBy(merchantOrigins) {
      const [first, ...others] = entries;
      const current = originOf(page.url());
      if (hasPopup || first === undefined || !merchantOrigins.has(first)) return false;
      return others.every((url) => merchantOrigins.has(url) || originOf(url) === current);
    },
    stop() {
      page.off("framenavigated", onNavigated);
      context.off("page", onPage);
    },
  };
}

const originOf = (url: string) => URL.parse(url)?.origin ?? "";
