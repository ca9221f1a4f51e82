/** Results stay within their size for any content, and pages lose nothing. */
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { pageOfConnection, pageOfItems, pageOfTextAndItems } from "../../mcp/pages.ts";
import { readBodyPage } from "../../mcp/relayed-body.ts";
import { createErrorResult, createResult } from "../../mcp/result.ts";
import { jsonBytes, MAX_PAGE_BYTES, MAX_RESULT_BYTES, shorten } from "../../mcp/result-size.ts";
import { ToolError } from "../../mcp/tool-error.ts";
import { untrusted } from "../../mcp/untrusted.ts";

const MAX_TOKENS = 25_000;
/** Repeated, each is expensive in another way: no token of its own, escaped in JSON, or several units a character. */
const PIECES = ["word ", "\u0001", "\ud800", "ꀀꀁ", "𒀀", '"\\', "\n", "👩‍👩‍👧 ", "\u2028"];
const anyText = fc
  .tuple(fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }), fc.integer({ min: 0, max: 12_000 }))
  .map(([pieces, times]) => pieces.join("").repeat(times).slice(0, 60_000));

it("pages of a text and items have at most their size, and together all of it", () => {
  const property = fc.property(anyText, fc.array(fc.string({ maxLength: 2_000 }), { maxLength: 40 }), (text, items) => {
    let [read, cursor]: [string, string | undefined] = ["", undefined];
    const seen: string[] = [];
    do {
      const page: ReturnType<typeof pageOfTextAndItems<string>> = pageOfTextAndItems(text, items, cursor);
      expect(jsonBytes(page.text) + jsonBytes(page.items)).toBeLessThanOrEqual(MAX_PAGE_BYTES + 100);
      read += page.text;
      seen.push(...page.items);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect([read === text, seen]).toEqual([true, items]);
  });
  fc.assert(property, { numRuns: 40 });
});

it("pages of lists continue after the last item that fitted", () => {
  const nodes = Array.from({ length: 50 }, (_, id) => ({ id, text: "ꀀ".repeat(600) }));
  const edges = nodes.map((node) => ({ node, cursor: `c${node.id}` }));
  const first = pageOfConnection({ edges, pageInfo: { hasNextPage: false } }, (node) => node);
  expect(first.next_cursor).toBe(`c${first.items.length - 1}`);
  expect(first.items.length).toBeLessThan(50);
  const last = pageOfConnection({ edges: edges.slice(45), pageInfo: { hasNextPage: false } }, (node) => node);
  expect([last.items.length, last.next_cursor]).toEqual([5, null]);
  const [huge] = pageOfItems([{ name: "tool", description: "ꀀ".repeat(100_000) }], { limit: 20 }).items;
  expect(huge?.name).toBe("tool");
  expect(jsonBytes(huge)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
});

it("a body is paged without loss, and none of its pages is too large", async () => {
  const property = fc.asyncProperty(anyText, async (text) => {
    const body = Buffer.from(text);
    const parts: Buffer[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const page = await readBodyPage(body.toString(), { offset, timeoutMs: 1_000, type: "text/plain" });
      expect(jsonBytes(page.content)).toBeLessThanOrEqual(MAX_PAGE_BYTES + 100);
      parts.push(Buffer.from((page.content as { text: string }).text));
      offset = page.nextOffset;
    }
    expect(Buffer.concat(parts).equals(body)).toBe(true);
  });
  await fc.assert(property, { numRuns: 40 });
  const numbers = `[${"1e20,".repeat(4_000)}1]`;
  const expanding = await readBodyPage(numbers, { offset: 0, timeoutMs: 1_000, type: "application/json" });
  expect(expanding.content).toHaveProperty("text");
});

it("shortens texts and lists to a size, and nothing that fits", () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(json, fc.integer({ min: 200, max: 5_000 }), (value, maxBytes) => {
      const shortened = shorten(value, maxBytes);
      if (jsonBytes(value) <= maxBytes) expect(shortened).toBe(value);
      else expect(jsonBytes(shortened)).toBeLessThanOrEqual(maxBytes);
    }),
  );
});

it("has at most 25,000 tokens for any untrusted content and any error", () => {
  const property = fc.property(anyText, (text) => {
    const results = [
      createResult({
        id: "x",
        content: untrusted({ text, list: Array.from({ length: 300 }, () => text.slice(0, 500)) }),
      }),
      createErrorResult(new ToolError({ code: "provider_refused", message: text }, { nearest: [text, { text }] }), {
        money: "This call made no payment.",
      }),
    ];
    for (const { content } of results) {
      const [{ text: json }] = content as unknown as [{ text: string }];
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(MAX_RESULT_BYTES);
      expect(countTokens(json)).toBeLessThanOrEqual(MAX_TOKENS);
      JSON.parse(json);
    }
  });
  fc.assert(property, { numRuns: 12 });
});

it("leaves out no member of an email while a list of it can be shorter", () => {
  const to = Array.from({ length: 20 }, (_, n) => `${n}@${"a".repeat(95)}`);
  const email = { id: "aem_1", a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, to, created_at: "2026-01-01" };
  const shortened = shorten(email, 1_000);
  expect([Object.keys(shortened), shortened.created_at]).toEqual([Object.keys(email), email.created_at]);
});
