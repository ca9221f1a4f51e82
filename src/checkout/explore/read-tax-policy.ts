/** Whether a merchant's prices include tax, by the statement of its pages. The Storefront API does not say. */
import { readBounded } from "../../platform/egress/body.ts";
import type { Egress } from "../../platform/egress/egress.ts";
import { readPage } from "../merchant-pages/read-page.ts";
import { readVisibleText } from "../merchant-pages/read-visible-text.ts";
import { taxPolicyOf } from "../merchant-pages/tax-policy.ts";
import { alternativeDomains } from "../merchants/merchants.ts";

const PAGE_TIMEOUT_MS = 10_000;
const MAX_PAGE_BYTES = 4 * 1_048_576;
const MAX_REDIRECTS = 3;

/** Returns the policy that the first of the pages states; `unknown` if none does. */
export async function readTaxPolicy(
  egress: Egress,
  urls: readonly string[],
): Promise<"included" | "added" | "unknown"> {
  for (const url of urls) {
    const html = await readHtml(egress, url);
    const policy = html === null ? "unknown" : taxPolicyOf([readPage(html)], [readVisibleText(html)]);
    if (policy !== "unknown") return policy;
  }
  return "unknown";
}

/** Returns the HTML of a page; null if it cannot be read, or belongs to another site. */
async function readHtml(egress: Egress, url: string): Promise<string | null> {
  try {
    const headers = { accept: "text/html,application/xhtml+xml" };
    const limits = { timeoutMs: PAGE_TIMEOUT_MS, maxRedirects: MAX_REDIRECTS };
    const response = await egress.request({ url, method: "GET", headers, ...limits });
    const isOwn = alternativeDomains(new URL(url).host).includes(new URL(response.url).host);
    if (response.status === 200 && isOwn) return await readBounded(response.body, MAX_PAGE_BYTES);
    response.body.destroy();
    return null;
  } catch {
    // Any failure here originates at the merchant, and the policy is then unknown.
    return null;
  }
}
