import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { linkUrls } from "../../sandbox/mail/html.ts";
import { openMailbox } from "../../sandbox/mail/mailbox.ts";
import { parseMail } from "../../sandbox/mail/parse.ts";

it("deletes the oldest messages above the mailbox's limit", async () => {
  const folder = mkdtempSync(join(tmpdir(), "sandbox-mailbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const mailbox = openMailbox(folder, { maxMessages: 3 });
  const raw = Buffer.from("Subject: One of many\r\n\r\nHello.\r\n");
  const content = await parseMail(raw, 1_000);
  const envelope = { from: "", to: ["a@example.com"] };
  await Promise.all(Array.from({ length: 5 }, () => mailbox.add(envelope, content, raw)));
  const ids = () =>
    openMailbox(folder)
      .list(undefined, 10)
      .map(({ id }) => id);
  expect(ids()).toEqual(["5", "4", "3"]);
  expect(await mailbox.read("1")).toBeUndefined();
  expect(await mailbox.readRaw("3")).toEqual(raw);
});

describe("links in plain text", () => {
  it("are created only for HTTP and HTTPS URLs, and other text is escaped", () => {
    const parts = fc.constantFrom(
      "https://a.example/?q=1&r=",
      "http://",
      "javascript:alert(1)",
      '"',
      "'",
      "<b>",
      "<script>",
      "&amp;",
      ".",
      ")",
      " ",
      "\n",
      "ü",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 12 }), (some) => {
        const text = some.join("");
        const shown = linkUrls(text).safeHtml;
        const withoutLinks = shown.replace(/<a href="https?:\/\/[^"<>']*" rel="noopener noreferrer">|<\/a>/g, "");
        expect(withoutLinks).not.toMatch(/[<>"']/);
        expect(withoutLinks.replace(/&(lt|gt|quot|#39|amp);/g, (_all, name: string) => ENTITIES[name] ?? "")).toBe(
          text,
        );
      }),
    );
    expect(linkUrls("See (https://a.example/x?y=1&z=2).").safeHtml).toBe(
      'See (<a href="https://a.example/x?y=1&amp;z=2" rel="noopener noreferrer">https://a.example/x?y=1&amp;z=2</a>).',
    );
  });
  const ENTITIES: Record<string, string> = { lt: "<", gt: ">", quot: '"', "#39": "'", amp: "&" };
});
