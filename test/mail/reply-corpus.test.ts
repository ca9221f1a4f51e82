/** Replies of eight mail clients in 30 languages: no new word is lost, and at least 95 % of the quotes are removed. */
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
  Phone: (language, text) => plain(`${text}\n\n${language.phone}\n\n${attribution(language)}\n> ${QUOTE}\n`),
};

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
