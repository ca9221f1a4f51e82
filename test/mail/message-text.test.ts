/** The text of a message as a person reads it: two parts that differ, invisible characters, and limits. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readContent } from "../../src/mail/incoming/message-text.ts";

const codes = (plain: string, html = "") => readContent(plain, html).warnings;

describe("two parts", () => {
  it.each([
    ["the same words", "Hello *Ada*,\n\n12.50 EUR\n", "<p>Hello <b>Ada</b>,</p><p>12.50&nbsp;EUR</p>"],
    ["a link", "See https://a.example/x\n", '<p>See <a href="https://a.example/x">https://a.example/x</a></p>'],
    ["a wrapped line", "one two\nthree", "<p>one two three</p>"],
    ["text of an image", "[image: Logo]\nHello", '<img alt="Logo" src="cid:x"><p>Hello</p>'],
    ["text without spaces", "荷物は本日\n発送しました。", "<p>荷物は本日発送しました。</p>"],
  ])("agree: %s", (_name, plain, html) =>
    expect(readContent(plain, html)).toMatchObject({ warnings: [], hiddenText: null }),
  );

  it("reports each line that the HTML does not show, and only these", () => {
    const html = "<p>Pay 10 EUR.</p><p>Thanks.</p>";
    const read = readContent("Pay 480 EUR.\nThanks.\n", html);
    expect(read).toMatchObject({ hiddenText: "Pay 480 EUR.", warnings: ["plain_text_differs"] });
    expect(read.bodyText).toContain("Pay 10 EUR.");
  });

  it("does not use plain text beside HTML that shows nothing or is too long", () => {
    const only = readContent("Pay.", '<p style="display:none">x</p>');
    expect(only).toMatchObject({ bodyText: "", hiddenText: "x\nPay." });
    const long = readContent("Pay.", `<p>${"word ".repeat(250_000)}</p>`);
    expect(long).toMatchObject({
      bodyText: "",
      bodyHtml: null,
      hiddenText: "Pay.",
      warnings: ["html_not_checked"],
      isTruncated: true,
    });
  });

  it("uses plain text beside an empty HTML part", () => {
    expect(readContent("Hello.", "<html><body></body></html>")).toMatchObject({ bodyText: "Hello.", warnings: [] });
  });

  it("reads HTML with large embedded images", () => {
    const image = `<img src="data:image/png;base64,${"A".repeat(1_100_000)}">`;
    expect(readContent("", `<p>Hello.</p>${image}`)).toMatchObject({ bodyText: "Hello.", warnings: [] });
  });
});

describe("invisible characters", () => {
  const tags = (text: string) =>
    [...text].map((one) => String.fromCodePoint(0xe0000 + (one.codePointAt(0) ?? 0))).join("");

  it.each([
    ["tag characters", `Hello${tags("pay Eve")}.`, "Hello.", "pay Eve"],
    ["reversed text", "Pay \u202eevE\u202c now", "Pay  now", "evE"],
  ])("are reported: %s", (_name, given, bodyText, hiddenText) => {
    for (const read of [readContent(given, ""), readContent("", `<p>${given}</p>`)])
      expect({ ...read, bodyText: read.bodyText.replace(/\s+/g, " ") }).toMatchObject({
        bodyText: bodyText.replace(/\s+/g, " "),
        hiddenText,
        warnings: ["invisible_characters"],
      });
  });

  it.each([
    ["zero-width bits", `a${"\u200b\u200c".repeat(40)}b`, "ab"],
    ["variation selectors", `a\u{1f600}${String.fromCodePoint(0xe0101, 0xe0102, 0xe0103)}b`, null],
    ["a split word", "p\u200ba\u200by", "pay"],
  ])("are removed: %s", (_name, given, text) => {
    const read = readContent(given, "");
    expect(read.bodyText).not.toMatch(/[\u200b\u200c]|[\u{e0102}\u{e0103}]/u);
    if (text !== null) expect(read.bodyText).toBe(text);
  });

  it.each(["می‌خواهم", "क्‍ष", "👨‍👩‍👧", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "❤️", "葛󠄀", "שלום (hello) עולם", "👍🏽", "1️⃣"])(
    "remain where text needs them: %s",
    (text) => {
      expect(readContent(text, "")).toMatchObject({ bodyText: text, hiddenText: null, warnings: [] });
    },
  );

  it("never remain as tags or overrides", () => {
    const unit = fc.constantFrom(
      "a",
      " ",
      "\n",
      "\u202e",
      "\u202c",
      "\u200d",
      "\u{1f3f4}",
      "\u{e0067}",
      "\u{e0062}",
      "\u{e007f}",
      "\ufe0f",
      "\u{e0150}",
    );
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        const { bodyText } = readContent(text, "");
        expect(bodyText).not.toMatch(/[\u202a-\u202e]/u);
        expect(codes(bodyText)).toEqual([]);
      }),
    );
  });
});

describe("content that is not text", () => {
  it.each([
    ["a script", "<script>document.write('Pay.')</script>", null],
    ["a frame", "<iframe src='https://a.example'></iframe>", null],
    ["a document in a frame", "<iframe srcdoc='<p>Pay.</p>'></iframe>", "Pay."],
    ["an object", "<object data='https://a.example/a.pdf'></object>", null],
    ["a video", "<video src='https://a.example/a.mp4'></video>", null],
    ["a form field", "<input value='Pay.'>", "Pay."],
    ["generated text", "<style>body::before{content:'Pay.'}</style>", "Pay."],
    ["generated text with an escaped name", "<style>body::before{con\\74 ent:'P\\61y.'}</style>", "Pay."],
    ["a marker of a list", "<style>li{list-style-type:'Pay.'}</style>", "Pay."],
    ["text of an attribute", "<style>p::after{content:attr(data-x)}</style><p data-x='Pay.'></p>", null],
  ])("causes a warning: %s", (_name, html, hiddenText) => {
    expect(readContent("", html)).toMatchObject({ bodyText: "", hiddenText, warnings: ["unsupported_content"] });
    const both = readContent("Hello.", html);
    expect(both).toMatchObject({ bodyText: "", warnings: ["unsupported_content", "plain_text_differs"] });
    expect(both.hiddenText).toContain("Hello.");
  });

  it.each([
    "<p>Hello.</p><script>track()</script>",
    "<p>Hello.</p><script type='application/ld+json'>{}</script><style>p::before{content:'\\2022'}</style>",
    "<p>Hello.</p><input type=hidden value=x><video src=x></video>",
  ])("causes none beside text: %s", (html) => expect(codes("", html)).toEqual([]));
});

it.each([
  "<style>p{position:relative}p::after{content:'';position:absolute;bottom:0;left:0;width:100%;height:2px;background:red}</style><p>Hello.</p>",
  "<style>a::before{content:'';position:absolute;width:8px;height:8px;background:red}</style><p><a>Hello.</a></p>",
  '<p style="outline:1px solid #ccc">Hello.</p>',
])("does not warn of decorations: %s", (html) => expect(codes("", html)).toEqual([]));

it.each([
  '<p>Hello.</p><div style="position:relative;top:-30px;background:#fff">x</div>',
  '<p>Hello.</p><div style="position:absolute;top:20px;left:5px;width:90px;height:30px;background:#fff"></div>',
  "<style>p{position:relative}p::after{content:'';position:absolute;inset:0;background:#fff}</style><p>Hello.</p>",
  "<style>div:before{content:'';position:fixed;top:0;left:0;width:100%;height:100%;background:red}</style><div>Hello.</div>",
  '<p style="outline:90px solid #fff;outline-offset:-90px">Hello.</p>',
  '<p>Hello.</p><img style="margin-top:-40px" src="https://a.example/a.png">',
  '<div style="display:grid"><p style="grid-area:1/1">Hello.</p><div style="grid-area:1/1;background:#fff"></div></div>',
])("warns of text that may be covered: %s", (html) => {
  expect(readContent("", html)).toMatchObject({ warnings: ["covered_text"] });
});
