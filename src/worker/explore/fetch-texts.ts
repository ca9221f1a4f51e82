/** Fetches pages of a merchant's site from within an open page, with its cookies and the browser's own network stack. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { z } from "zod";

export interface FetchedText {
  /** Final URL after redirects. */
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

const FETCH_TEXTS = readFileSync(join(import.meta.dirname, "in-page", "fetch-texts.js"), "utf8")
  .trim()
  .replace(/;$/, "");
const MAX_CHARACTERS = 2_000_000;
const PAGE_MS = 10_000;
/** Time limit for a batch, in case the page overrides `fetch` or `AbortSignal.timeout`. */
const BATCH_MS = 15_000;

const FetchedTexts = z.array(
  z.object({ url: z.string(), status: z.number(), text: z.string().max(MAX_CHARACTERS) }).nullable(),
);

/**
 * Fetches `urls`, all of one origin, at which the page must be. Entries are null for responses that failed or left the origin.
 * All are null if the page is elsewhere, because that page could invent them.
 */
export async function fetchTexts(page: Page, urls: readonly string[], origin: string): Promise<(FetchedText | null)[]> {
  const parameters = { urls, maxCharacters: MAX_CHARACTERS, timeoutMs: PAGE_MS };
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), BATCH_MS);
  const read = await Promise.race([
    page.evaluate(`(${FETCH_TEXTS})(${JSON.stringify(parameters)})`).catch(() => null),
    late,
  ]);
  clearTimeout(timer);
  // The evaluation fails if the page navigates, so the URL belongs to the document that fetched.
  if (URL.parse(page.url())?.origin !== origin) return urls.map(() => null);
  const fetched = FetchedTexts.safeParse(read).data ?? [];
  return urls.map((_, at) => {
    const entry = fetched[at];
    return entry && URL.parse(entry.url)?.origin === origin ? entry : null;
  });
}
