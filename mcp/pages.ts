/** Pages of lists and texts that a tool has as a whole: an offset is the cursor, and the size of a page is bounded. */
import { z } from "zod";

/** Characters of JSON in a page. Its tokens stay below 25,000 for any content. */
const MAX_PAGE_CHARS = 24 * 1024;

/** An argument with the `next_cursor` of a page here. */
export const OFFSET_CURSOR = z
  .string()
  .regex(/^\d{1,8}$/, "must be the next_cursor of the previous result")
  .meta({ description: "next_cursor of the previous page." });

/** Returns the items from the cursor that fit a page; at least one. */
export function pageOfItems<Item>(
  items: readonly Item[],
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): { readonly items: readonly Item[]; readonly next_cursor: string | null } {
  const offset = Number(cursor ?? 0);
  let end = offset;
  for (let chars = 0; end < Math.min(items.length, offset + limit); end++) {
    chars += JSON.stringify(items[end]).length;
    if (chars > MAX_PAGE_CHARS && end > offset) break;
  }
  return { items: items.slice(offset, end), next_cursor: end < items.length ? String(end) : null };
}

/** Returns the part of a text from the cursor that fits a page. */
export function pageOfText(
  text: string,
  cursor: string | undefined,
): { readonly text: string; readonly next_cursor: string | null } {
  const offset = Number(cursor ?? 0);
  let end = Math.min(text.length, offset + MAX_PAGE_CHARS);
  // A page does not end within a surrogate pair.
  if (end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1))) end -= 1;
  return { text: text.slice(offset, end), next_cursor: end < text.length ? String(end) : null };
}
