/** Pages of lists and texts. The size of a page is bounded, and the cursor continues after what fitted. */
import { z } from "zod";
import { endOfText, jsonBytes, MAX_PAGE_BYTES, shorten } from "./result-size.ts";

/** An argument with the `next_cursor` of a page here: an offset. */
export const OFFSET_CURSOR = z
  .string()
  .regex(/^\d{1,8}$/, "must be the next_cursor of the previous result")
  .meta({ description: "next_cursor of the previous page." });

/** Items that fit a page, and the number of them. */
function fitItems<Item>(items: readonly Item[], maxBytes: number): readonly Item[] {
  const page: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = jsonBytes(item) + 1;
    if (page.length > 0 && bytes + size > maxBytes) break;
    page.push(size > maxBytes ? shorten(item, maxBytes) : item);
    bytes += size;
  }
  return page;
}

/** Returns the items from the cursor that fit a page. An item that is larger than a page is shortened. */
export function pageOfItems<Item>(
  items: readonly Item[],
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): { readonly items: readonly Item[]; readonly next_cursor: string | null } {
  const offset = Number(cursor ?? 0);
  const page = fitItems(items.slice(offset, offset + limit), MAX_PAGE_BYTES);
  const end = offset + page.length;
  return { items: page, next_cursor: end < items.length ? String(end) : null };
}

/** The part of a connection that a page needs. */
interface Connection<Node> {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean };
}

/** Returns the items of a connection that fit a page. The cursor is that of the last one, so that none is left out. */
export function pageOfConnection<Node, Item>(
  connection: Connection<Node> | null | undefined,
  toItem: (node: Node) => Item,
): { readonly items: readonly Item[]; readonly next_cursor: string | null } {
  const { edges, pageInfo } = connection ?? { edges: [], pageInfo: { hasNextPage: false } };
  const items = fitItems(
    edges.map(({ node }) => toItem(node)),
    MAX_PAGE_BYTES,
  );
  const isCut = items.length < edges.length;
  return { items, next_cursor: isCut || pageInfo.hasNextPage ? (edges[items.length - 1]?.cursor ?? null) : null };
}

/** Returns the part of a text from the cursor that fits a page. */
export function pageOfText(
  text: string,
  cursor: string | undefined,
): { readonly text: string; readonly next_cursor: string | null } {
  const { text: page, next_cursor } = pageOfTextAndItems(text, [], cursor);
  return { text: page, next_cursor };
}

/**
 * Returns a page of a text that is followed by items, such as the attachments of an email. An offset within the text counts its
 * characters, and one after it the items.
 */
export function pageOfTextAndItems<Item>(
  text: string,
  items: readonly Item[],
  cursor: string | undefined,
): { readonly text: string; readonly items: readonly Item[]; readonly next_cursor: string | null } {
  const offset = Number(cursor ?? 0);
  const start = Math.min(offset, text.length);
  const end = endOfText(text, start, MAX_PAGE_BYTES);
  const page = text.slice(start, end);
  if (end < text.length) return { text: page, items: [], next_cursor: String(end) };
  const from = Math.max(0, offset - text.length);
  const maxBytes = MAX_PAGE_BYTES - jsonBytes(page);
  const rest = items.slice(from);
  // Items begin on the next page if the text fills this one.
  const isFull = page !== "" && rest.length > 0 && jsonBytes(rest[0]) > maxBytes;
  const fitting = isFull ? [] : fitItems(rest, maxBytes);
  const next = text.length + from + fitting.length;
  return { text: page, items: fitting, next_cursor: fitting.length < rest.length ? String(next) : null };
}
