/** Reads pages of a shop through the browser that already has one of them open: with its cookies, and as its own visitor. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { z } from "zod";

export interface FetchedText {
  /** Where it was found, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly text: string;
}

const FETCH_TEXTS = readFileSync(join(import.meta.dirname, "in-page", "fetch-texts.js"), "utf8")
  .trim()
  .replace(/;$/, "");
const MOST_CHARACTERS = 2_000_000;
const PAGE_MS = 10_000;
/** A page that overrides what it is asked with is waited for no longer than this. */
const BATCH_MS = 15_000;

const answer = z.array(
  z.object({ url: z.string(), status: z.number(), text: z.string().max(MOST_CHARACTERS) }).nullable(),
);

/** What could be read of `urls`, all of them the open page's origin's; null where it could not. */
export async function fetchTexts(page: Page, urls: readonly string[]): Promise<(FetchedText | null)[]> {
  const { origin } = new URL(page.url());
  const told = { urls, mostCharacters: MOST_CHARACTERS, timeoutMs: PAGE_MS };
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), BATCH_MS);
  const read = await Promise.race([page.evaluate(`(${FETCH_TEXTS})(${JSON.stringify(told)})`).catch(() => null), late]);
  clearTimeout(timer);
  const fetched = answer.safeParse(read).data ?? [];
  return urls.map((_, at) => {
    const one = fetched[at];
    return one && URL.parse(one.url)?.origin === origin ? one : null;
  });
}
