/** Replies of 32 forms of mail clients in 30 languages: no new word is lost, and at least 95 % of the quotes are removed. */
import { expect, it } from "vitest";
import { readContent } from "../../src/mail/incoming/message-text.ts";
import { REPLY_LANGUAGES, type ReplyLanguage } from "./reply-languages.ts";

const QUOTE = "Is the parcel on its way?";
const SUBJECT = "Order 4471";
const AT = new Date("2026-11-24T09:30:00Z");
const AGENT = "Agent <agent@agents.example>";

interface Body {
  readonly plain: string;
  readonly html: string;
}
type Client = (language: ReplyLanguage, text: string) => Body;

const toHtml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const when = ({ code }: ReplyLanguage) =>
  new Intl.DateTimeFormat(code, { dateStyle: "full", timeStyle: "short", timeZone: "UTC" }).format(AT);
const attribution = (language: ReplyLanguage) => `${when(language)}, ${AGENT} ${language.wrote}`;
const header = (language: ReplyLanguage) => {
  const [from, sent, to, subject] = language.fields;
  return [
    `${from}: ${AGENT}`,
    `${sent}: ${when(language)}`,
    `${to}: Order desk <orders@shop.example>`,
    `${subject}: ${SUBJECT}`,
  ];
};
/** An attribution without an address, as of Thunderbird and Roundcube. */
const byName = (language: ReplyLanguage) =>
  `${when(language)}, Agent ${language.code === "ja" ? "さんは書きました:" : language.wrote}`;
const bold = (language: ReplyLanguage) =>
  header(language).map((field) => toHtml(field).replace(/^([^:]*:)/u, "<b><span>$1</span></b>"));
const plain = (text: string): Body => ({ plain: text, html: "" });
const html = (text: string): Body => ({ plain: "", html: text });
const lines = (text: string) => `<div>${toHtml(text).replaceAll("\n", "<br>")}</div>`;

const CLIENTS: Readonly<Record<string, Client>> = {
  "Gmail, plain": (language, text) => plain(`${text}\n\n${attribution(language)}\n\n> ${QUOTE}\n`),
  "Gmail, HTML": (language, text) =>
    html(
      `<div dir="ltr">${lines(text)}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">${toHtml(attribution(language))}<br></div><blockquote class="gmail_quote">${QUOTE}</blockquote></div>`,
    ),
  "Outlook, plain": (language, text) => plain(`${text}\n\n${header(language).join("\n")}\n\n${QUOTE}\n`),
  "Outlook, ruled": (language, text) =>
    plain(`${text}\n\n________________________________\n${header(language).join("\n")}\n\n${QUOTE}\n`),
  "Outlook, HTML": (language, text) =>
    html(
      `${lines(text)}<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr">${header(language).map(toHtml).join("<br>")}</div><div>${QUOTE}</div>`,
    ),
  "Apple Mail": (language, text) =>
    html(
      `${lines(text)}<div><br><blockquote type="cite"><div>${toHtml(attribution(language))}</div><div>${QUOTE}</div></blockquote></div>`,
    ),
  Thunderbird: (language, text) =>
    html(
      `<p>${lines(text)}</p><div class="moz-cite-prefix">${toHtml(attribution(language))}<br></div><blockquote type="cite" cite="mid:x"><p>${QUOTE}</p></blockquote>`,
    ),
  Yahoo: (language, text) =>
    html(
      `${lines(text)}<div id="yahoo_quoted_1" class="yahoo_quoted"><div>${toHtml(attribution(language))}</div><div>${QUOTE}</div></div>`,
    ),
  Zoho: (language, text) =>
    html(
      `${lines(text)}<div class="zmail_extra"><div>---- ${toHtml(attribution(language))} ----</div><blockquote id="blockquote_zmail">${QUOTE}</blockquote></div>`,
    ),
  Proton: (language, text) =>
    html(
      `${lines(text)}<div class="protonmail_quote">${toHtml(attribution(language))}<br><blockquote type="cite">${QUOTE}</blockquote></div>`,
    ),
  "Gmail, earlier": (language, text) =>
    html(
      `${lines(text)}<div class="gmail_extra"><br><br><div class="gmail_quote">${toHtml(`${when(language)}, Agent `)}<span dir="ltr">&lt;<a href="mailto:agent@agents.example">agent@agents.example</a>&gt;</span> ${language.wrote}<br><blockquote class="gmail_quote" style="margin:0 0 0 .8ex">${QUOTE}</blockquote></div></div>`,
    ),
  "Thunderbird, plain": (language, text) => plain(`${text}\n\n${byName(language)}\n> ${QUOTE}\n`),
  "Roundcube, HTML": (language, text) =>
    html(
      `${lines(text)}<div id="reply-intro">${toHtml(byName(language))}</div><blockquote type="cite">${QUOTE}</blockquote>`,
    ),
  "Evolution, blank line": (language, text) => plain(`${text}\n\n${byName(language)}\n\n> ${QUOTE}\n`),
  Spark: (language, text) =>
    html(
      `${lines(text)}<div name="messageReplySection">${toHtml(attribution(language))}<br/><blockquote type="cite" style="border-left-color:#1abc9c">${QUOTE}</blockquote></div>`,
    ),
  "Mail.ru": (language, text) =>
    html(
      `${lines(text)}<br><blockquote style="border-left:1px solid #0857A6;margin:10px"></blockquote>${toHtml(`${when(language)}, ${AGENT}`)}:<br><blockquote style="border-left:1px solid #0857A6">${QUOTE}</blockquote>`,
    ),
  Yandex: (language, text) =>
    html(
      `${lines(text)}<div> </div><div>${toHtml(`${when(language)}, "Agent" <agent@agents.example>`)}:</div><blockquote><p>${QUOTE}</p></blockquote>`,
    ),
  Zimbra: (language, text) =>
    html(
      `${lines(text)}<hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__">${bold(language).join("<br>")}<br></div><div data-marker="__QUOTED_TEXT__">${QUOTE}</div>`,
    ),
  Hotmail: (language, text) =>
    html(`${lines(text)}<div><hr id="stopSpelling">${header(language).map(toHtml).join("<br>")}<br><br>${QUOTE}</div>`),
  "Windows Mail": (language, text) =>
    html(
      `${lines(text)}<div style="padding-top:5px;border-top:1px solid rgb(229,229,229)"><div>${bold(language).join("<br>")}</div></div><div>${QUOTE}</div>`,
    ),
  "Outlook Express": (language, text) =>
    html(
      `${lines(text)}<blockquote style="padding-left:5px;margin-left:5px;border-left:#000000 2px solid"><div style="font:10pt arial">----- Original Message ----- </div>${bold(
        language,
      )
        .map((field) => `<div>${field}</div>`)
        .join("")}<div><br></div>${QUOTE}</blockquote>`,
    ),
  "Outlook 2003": (language, text) =>
    html(
      `${lines(text)}<div class="MsoNormal" align="center"><hr size="2" width="100%" align="center"></div><p class="MsoNormal">${bold(language).join("<br>")}</p><p class="MsoNormal">${QUOTE}</p>`,
    ),
  "Outlook, many recipients": (language, text) => {
    const [from = "", sent = "", to = "", subject = ""] = header(language);
    const others = Array.from({ length: 20 }, (_, n) => `Person ${n} <person-${n}@agents.example>`);
    const list = language.code.length > 2 || language.text.length % 2 ? others.join("; ") : others.join(";\n  ");
    return plain(`${text}\n\n${[from, sent, `${to}; ${list}`, subject].join("\n")}\n\n${QUOTE}\n`);
  },
  "Outlook, title": (language, text) => {
    const [from, sent, to] = language.fields;
    const fields = [`${from}: Agent`, `${sent}: ${when(language)}`, `${to}: Orders`];
    return plain(`${text}\n\n-----${language.original}-----\n${fields.join("\n")}\n\n${QUOTE}\n`);
  },
  "Outlook, external": (language, text) => {
    const [from = "", sent = "", to = ""] = header(language);
    const fields = [from, sent, to, `${language.fields[3]}: RE: [EXTERNAL] ${SUBJECT}`];
    return plain(`${text}\n\n${fields.join("\n")}\n\n${QUOTE}\n`);
  },
  "Outlook for Mac": (language, text) =>
    html(
      `${lines(text)}<span id="OLK_SRC_BODY_SECTION"><div>${bold(language).join("<br>")}</div><div>${QUOTE}</div></span>`,
    ),
  GMX: (language, text) =>
    html(
      `${lines(text)}<div name="quote" style="margin:10px 5px;border-left:2px solid #C3D9E5"><div>${bold(language).join("<br>")}</div><div name="quoted-content">${QUOTE}</div></div>`,
    ),
  "Gmail, without blockquote": (language, text) =>
    html(`${lines(text)}<div class="gmail_quote">${toHtml(attribution(language))}<br>${QUOTE}</div>`),
  "eM Client": (language, text) =>
    plain(`${text}\n\n------ Original Message ------\n${header(language).join("\n")}\n\n${QUOTE}\n`),
  "Zoho, plain": (language, text) =>
    plain(`${text}\n\n\n---- ${when(language)} ${AGENT} ${language.wrote.replace(/:$/, "")} ----\n\n${QUOTE}\n`),
  "Proton, plain": (language, text) =>
    plain(`${text}\n\n‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐\n${attribution(language)}\n\n> ${QUOTE}\n`),
  Phone: (language, text) => plain(`${text}\n\n${language.phone}\n\n${attribution(language)}\n> ${QUOTE}\n`),
};

/** New content in elements that also mark quotes. */
const CITATIONS: readonly (readonly [name: string, html: string, isReply: boolean])[] = [
  ["a citation in a first message", "<p>As Ada said:</p><blockquote>It weaves.</blockquote><p>Agreed?</p>", false],
  ["a citation in a reply", "<p>As Ada said:</p><blockquote>It weaves.</blockquote><p>Agreed?</p>", true],
  [
    "a ticket",
    '<p>See:</p><div style="border-top:1px solid"><p>Customer: a@b.example</p><p>Created: 12.05.2026 14:00</p><p>State: open</p></div><p>It weaves.</p>',
    true,
  ],
  ["an element named quote", '<p>See:</p><div name="quote">It weaves.</div>', true],
  ["a dated citation", "<p>In 2020, Ada wrote:</p><blockquote>It weaves.</blockquote>", false],
  ["Gmail's button", 'See:<blockquote class="gmail_quote" style="margin:0 0 0 40px">It weaves.</blockquote>', false],
  [
    "a forward of Apple Mail",
    'See:<div><blockquote type="cite"><div>Begin forwarded message:</div><div><b>From: </b>Ada</div><div>It weaves.</div></blockquote></div>',
    false,
  ],
];

it.each(CITATIONS)("loses no word of %s", (_name, given, isReply) => {
  const { extractedText, quotedText } = readContent("", given, { isReply, subject: "Re: The engine" });
  expect(extractedText).toContain("It weaves.");
  expect(extractedText).toMatch(/Ada|See/);
  expect(quotedText).toBeNull();
});

it("retains what precedes the attribution in its block", () => {
  const given = `Yes, at 9:30.<br>On Tue, 24 Nov 2026, <b>Ada</b> &lt;ada@ada.example&gt; wrote:<br><blockquote type="cite">Ready?</blockquote>No.`;
  const read = readContent("", given, { isReply: true, subject: "Re: The engine" });
  expect(read.extractedText).toBe("Yes, at 9:30.\n\nNo.");
  expect(read.quotedText).toBe("On Tue, 24 Nov 2026, Ada <ada@ada.example> wrote:\nReady?");
});

it("removes what a client cites in a message that does not name the one replied to", () => {
  const given = '<p>It has left.</p><blockquote type="cite">Where is it?</blockquote>';
  const read = readContent("", given, { isReply: false, subject: "The engine" });
  expect([read.extractedText, read.quotedText]).toEqual(["It has left.", "Where is it?"]);
});

const compact = (text: string) => text.replace(/\s+/gu, "");
/** New content that looks like quotes, signatures and headers. */
const MORE = [
  "\nFrom: Riverside\nTo: Hillview\nDate: 9 March",
  '\nOn Tuesday the depot wrote:\n"Leave it."',
  "\n--\nA: 1\n--\nDone.",
];

it("loses no new word and removes the quotes of all clients in 30 languages", () => {
  const rates: Record<string, string> = {};
  const lost: string[] = [];
  const remaining: string[] = [];
  let total = 0;
  for (const [client, write] of Object.entries(CLIENTS)) {
    let removed = 0;
    let count = 0;
    for (const [at, language] of REPLY_LANGUAGES.entries()) {
      // Each language without, and with one kind of other new content.
      for (const more of ["", MORE[at % MORE.length] ?? ""]) {
        count += 1;
        const text = `${language.text}${more}`;
        const body = write(language, text);
        const read = readContent(body.plain, body.html, { isReply: true, subject: `Re: ${SUBJECT}` });
        const name = `${client}, ${language.code}${more ? ", more" : ""}: ${read.extractedText}`;
        if (!compact(read.extractedText).startsWith(compact(text))) lost.push(name);
        if (compact(read.extractedText) === compact(text)) removed += 1;
        else remaining.push(name);
        expect(read.quotedText ?? read.bodyText).toContain(QUOTE);
        total += 1;
      }
    }
    rates[client] = `${((100 * removed) / count).toFixed(1)} %`;
  }
  process.stdout.write(`${JSON.stringify({ total, lost: lost.length, removed: rates })}\n`);
  expect(lost).toEqual([]);
  for (const client of Object.keys(CLIENTS))
    expect(remaining.filter((name) => name.startsWith(`${client},`)).length, client).toBeLessThanOrEqual(0.05 * 60);
});
