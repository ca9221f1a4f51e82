/** New content of replies in the quoting styles of the larger mail clients, and linear time on hostile input. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readContent } from "../../src/mail/incoming/message-text.ts";
import { splitReplyText } from "../../src/mail/incoming/reply/split-text.ts";

const stripQuotedText = (text: string, subject = "The engine") =>
  splitReplyText(text, { isReply: true, subject }).newText;

const REPLIES: readonly (readonly [client: string, text: string])[] = [
  ["Gmail", "Yes.\n\nOn Mon, Nov 16, 2026 at 9:12 AM Agent <agent-0@agents.example> wrote:\n\n> Does it\n> weave?\n"],
  [
    "Gmail, wrapped",
    "Yes.\n\nOn Mon, Nov 16, 2026 at 9:12 AM Agent with a long name\n<agent-0@agents.example> wrote:\n> Does it?\n",
  ],
  ["Gmail, German", "Yes.\n\nAm Mo., 16. Nov. 2026 um 09:12 Uhr schrieb Agent <agent-0@agents.example>:\n> Geht es?\n"],
  ["Apple Mail, French", "Yes.\n\nLe 16 nov. 2026 à 09:12, Agent <a@b.example> a écrit :\n> Ça va ?\n"],
  ["Gmail, Spanish", "Yes.\n\nEl lun, 16 nov 2026 a las 9:12, Agent (<a@b.example>) escribió:\n> ¿Qué?\n"],
  ["Gmail, Dutch", "Yes.\n\nOp ma 16 nov 2026 om 09:12 schreef Agent <a@b.example>:\n> Wat?\n"],
  ["Gmail, Chinese", "Yes.\n\nAgent <a@b.example> 于2026年11月16日周一 09:12写道：\n> 什么\n"],
  [
    "Outlook",
    "Yes.\n\nFrom: Agent <agent-0@agents.example>\nSent: Monday, November 16, 2026 9:12 AM\nTo: Ada <ada@ada.example>\nSubject: The engine\n\nDoes it weave?\n",
  ],
  [
    "Outlook on the web",
    "Yes.\n\n________________________________\nFrom: Agent <a@b.example>\nSent: Monday\nTo: Ada\nSubject: The engine\n\nDoes it?\n",
  ],
  [
    "Outlook, German",
    "Yes.\n\nVon: Agent <a@b.example>\nGesendet: Montag, 16. November 2026 09:12\nAn: Ada\nBetreff: The engine\n\nGeht es?\n",
  ],
  [
    "an older Outlook",
    "Yes.\n\n-----Original Message-----\nFrom: Agent\nSent: Monday\nTo: Ada\nSubject: The engine\n\nDoes it?\n",
  ],
  ["quoted without marks", "Yes.\n\nOn 16 Nov 2026, Agent <a@b.example> wrote:\nDoes it weave?\n"],
  ["a phone", "Yes.\n\nSent from my iPhone\n\n> On 16 Nov 2026, at 9:12, Agent <a@b.example> wrote:\n> \n> Does it?\n"],
  ["an address without brackets", "Yes.\n\n2026-11-16 9:12 GMT+01:00 agent@agents.example:\n\n> Does it?\n"],
  ["Persian", "Yes.\n\n16 Nov 2026, Agent نوشت:\n> Does it?\n"],
  ["a signature", "Yes.\n\n-- \nAda Lovelace\n+44 20 7946 0000\n"],
  ["quotes above", "On Monday, Agent wrote:\n> Does it?\n\nYes.\n"],
];

describe("stripQuotedText", () => {
  it.each(REPLIES)("finds the new content: %s", (_client, text) => expect(stripQuotedText(text)).toBe("Yes."));

  it("preserves replies between quotes", () => {
    expect(stripQuotedText("On Monday, Agent wrote:\n> One?\nYes.\n> Two?\nNo.\n")).toBe("Yes.\nNo.");
  });

  it("returns a text without quotes unchanged", () => {
    const text = "From here it is 10 < 20 miles.\nOn it goes: slowly.\n\nIt costs 5 -- no more.";
    expect(stripQuotedText(text)).toBe(text);
  });

  it.each([
    [
      "a request with an address and a time",
      "Yes.\nPlease send these to jane@acme.example before 15:30:\n- tea\n- coffee",
    ],
    ["the same above a quote", "Please send these to jane@acme.example before 15:30:\n> tea"],
    ["fields with the subject", "See:\nSubject: The engine\nFrom: Berlin\nContact: bob@b.example\n\nDo you agree?"],
    ["a name and a day", "As on Monday 16, Agent wrote:\nit weaves."],
    ["a title", "--- Details ---\nFrom: Riverside\nTo: Hillview"],
  ])("retains %s", (_name, text) => {
    expect(stripQuotedText(text)).toBe(text.replace(/\n> tea$/, ""));
  });

  it("retains new content below a quote that follows the signature", () => {
    const text = "Yes.\n-- \nAda\n\nOn 16 Nov 2026, Agent <a@b.example> wrote:\n> Does it?\n\nIt does.\n> Sure?\n";
    expect(splitReplyText(text, { isReply: true, subject: "x" })).toMatchObject({
      newText: "Yes.\n\nIt does.",
      signature: "Ada",
    });
  });

  it("returns a forward in a message that is no reply unchanged", () => {
    const text =
      "See below.\n\n________________________________\nFrom: Eve <eve@eve.example>\nDate: 24 Nov 2026\nSubject: Hi\n\nHello.";
    expect(splitReplyText(text, { isReply: false, subject: "Fwd: Hi" }).newText).toBe(text);
  });

  it("returns a forward without new content unchanged", () => {
    const text =
      "---------- Forwarded message ---------\nFrom: Eve <eve@eve.example>\nDate: Monday\nSubject: Hi\n\nHello.";
    expect(stripQuotedText(text)).toBe(text);
  });
});

it("needs linear time on hostile input", () => {
  const pieces = [
    "On ",
    "a ",
    "> ",
    "wrote:",
    "\n",
    "<",
    ">",
    "From: ",
    "-----Original Message",
    "_".repeat(30),
    "Am ",
    " schrieb ",
    "@",
    ":",
    " ".repeat(50),
  ];
  const text = fc
    .array(fc.tuple(fc.constantFrom(...pieces), fc.integer({ min: 1, max: 20_000 })), { minLength: 1, maxLength: 6 })
    .map((runs) =>
      runs
        .map(([piece, count]) => piece.repeat(count))
        .join("")
        .slice(0, 1_000_000),
    );
  fc.assert(
    fc.property(text, (given) => {
      const startedMs = performance.now();
      expect(stripQuotedText(given).length).toBeLessThanOrEqual(given.length);
      // Milliseconds if each line is read once; minutes if the time is quadratic.
      expect(performance.now() - startedMs).toBeLessThan(30_000);
    }),
    { numRuns: 60 },
  );
});

it.each([
  ["empty quotes", "<blockquote></blockquote>"],
  ["flat quotes", "<blockquote type=cite>a</blockquote>"],
  ["nested quotes", "<blockquote type=cite>a"],
  ["nested headers", '<div style="border-top:1px solid">From: a<br>'],
  ["attributions", "2026 &lt;a@b.cc&gt; wrote:<br><blockquote>x</blockquote>"],
])("needs linear time on %s", (_name, piece) => {
  const html = piece.repeat(Math.floor(600_000 / piece.length));
  const startedMs = performance.now();
  readContent("", html, { isReply: true, subject: "Re: x" });
  // About a second; a minute if the time is quadratic.
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});
