/** Text of every charset, labelled, mislabelled and unlabelled, in bodies, header fields and file names: no character is lost. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import iconv from "iconv-lite";
import { afterAll, describe, expect, it } from "vitest";
import { decodeText } from "../../src/mail/incoming/charset/decode-text.ts";
import { parseMessage } from "../../src/mail/incoming/parse-message.ts";

const folder = mkdtempSync(join(tmpdir(), "charsets-"));
afterAll(() => rmSync(folder, { recursive: true }));

let count = 0;
async function parse(...parts: (string | Buffer)[]) {
  const path = join(folder, `${count++}.eml`);
  const bytes = parts.map((part) =>
    typeof part === "string" ? Buffer.from(part.replaceAll("\n", "\r\n"), "latin1") : part,
  );
  writeFileSync(path, Buffer.concat(bytes));
  return await parseMessage(path, `${path}.parts`, "orders@shop.example");
}

const KOREAN = "주문하신 상품은 내일 도착합니다.";
const SENTENCES: readonly (readonly [string, string])[] = [
  ["windows-1252", "Le café ouvre à 9 h. Petit déjeuner : 5 €."],
  ["iso-8859-1", "Grüße aus München, Straße 5, und schöne Tage"],
  ["iso-8859-15", "Le déjeuner coûte 5 € à l'hôtel, dîner non compris"],
  ["windows-1250", "Zażółć gęślą jaźń, zamówienie wysłane zostało dzisiaj rano"],
  ["iso-8859-2", "Zażółć gęślą jaźń, zamówienie wysłane zostało dzisiaj rano"],
  ["windows-1251", "Ваш заказ отправлен и прибудет завтра"],
  ["koi8-r", "Ваш заказ отправлен и прибудет завтра"],
  ["windows-1253", "Η παραγγελία σας θα φτάσει αύριο το πρωί"],
  ["windows-1254", "Siparişiniz yarın ulaşacak, teşekkür ederiz"],
  ["windows-1255", "ההזמנה שלך נשלחה היום ותגיע אליך מחר בבוקר"],
  ["shift_jis", "ご注文の商品は明日届きます。"],
  ["euc-jp", "ご注文の商品は明日届きます。"],
  ["euc-kr", KOREAN],
  ["gb18030", "您的订单已发货，明天送达。"],
  ["big5", "您的訂單已出貨，明天送達。"],
];
/** Charsets that detection does not find without a label, or that have no bytes above 127. */
const LABELLED: readonly (readonly [string, string])[] = [
  ...SENTENCES,
  ["windows-1256", "ستصل طلبيتك غدا صباحا"],
  ["windows-874", "คำสั่งซื้อของคุณจะมาถึงพรุ่งนี้"],
  ["cp437", "Grüße und 5 ½ Stück"],
  ["cp850", "Größe: 5 ½"],
  ["ibm866", "Ваш заказ отправлен"],
  ["macintosh", "Le café ouvre à 9 h."],
  ["utf-7", "Grüße aus München"],
  ["utf-16", "\ufeffGrüße 您好"],
  ["utf-16le", "Grüße 您好"],
  ["utf-16be", "Grüße 您好"],
  ["utf-32le", "Grüße 您好"],
  ["cp949", KOREAN],
  ["ks_c_5601-1987", KOREAN],
  ["gb2312", "您的订单已发货"],
];

function encode(text: string, charset: string): Buffer {
  const name = charset === "ks_c_5601-1987" ? "cp949" : charset;
  return iconv.encode(text.replace("\ufeff", ""), name, { addBOM: text.startsWith("\ufeff") });
}

/** Seven-bit form: the bytes of the eight-bit charset between shifts. */
function encodeShifted(text: string, charset: string, [head, open, close]: [string, string, string]): Buffer {
  const parts = text.split(/([\u3000-\uffff]+)/).map((part, index) => {
    if (index % 2 === 0) return part;
    const low = [...encode(part, charset)].map((byte) => String.fromCharCode(byte & 0x7f)).join("");
    return open + low + close;
  });
  return Buffer.from(head + parts.join(""), "latin1");
}
const KR: [string, string, string] = ["\x1b$)C", "\x0e", "\x0f"];
const HZ: [string, string, string] = ["", "~{", "~}"];

describe("labelled text", () => {
  it.each(LABELLED)("%s in a body", async (charset, text) => {
    const head = `Subject: x\nContent-Type: text/plain; charset=${charset}\nContent-Transfer-Encoding: base64\n\n`;
    const { bodyText } = await parse(head, encode(text, charset).toString("base64"));
    expect(bodyText.trim()).toBe(text.replace("\ufeff", ""));
  });

  it.each(SENTENCES)("%s in encoded words", async (charset, text) => {
    const words = `=?${charset}?B?${encode(text, charset).toString("base64")}?=`;
    const { subject, from } = await parse(`Subject: ${words}\nFrom: ${words} <orders@shop.example>\n\nx`);
    expect([subject, from]).toEqual([text, { name: text, address: "orders@shop.example" }]);
  });

  it("ISO-2022-KR and HZ in a body and in encoded words", async () => {
    const kr = encodeShifted(KOREAN, "euc-kr", KR);
    const words = `=?iso-2022-kr?B?${kr.toString("base64")}?=`;
    const one = await parse(`Subject: ${words}\nContent-Type: text/plain; charset=ISO-2022-KR\n\n`, kr);
    expect([one.subject, one.bodyText.trim()]).toEqual([KOREAN, KOREAN]);
    const chinese = "订单 ~ 已发货";
    const hz = encodeShifted(chinese.replace("~", "~~"), "gb18030", HZ);
    const two = await parse("Subject: x\nContent-Type: text/plain; charset=hz-gb-2312\n\n", hz);
    expect(two.bodyText.trim()).toBe(chinese);
  });
});

describe("unlabelled text", () => {
  const none = ["", "unknown-8bit", "x-unknown", "us-ascii", "utf-8", "no-such-charset"];
  it.each(SENTENCES.flatMap(([charset, text]) => none.map((label) => [charset, label, text] as const)))(
    "%s labelled %j in a body",
    async (charset, label, text) => {
      const type = label === "" ? "text/plain" : `text/plain; charset=${label}`;
      const { bodyText } = await parse(`Content-Type: ${type}\n\n`, encode(text, charset));
      // The two charsets of Polish differ in six characters; the currency sign of ISO-8859-15 is another one in its superset.
      if (charset === "iso-8859-15") expect(bodyText.trim()).toBe(text.replace("€", "¤"));
      else expect(bodyText.trim()).toBe(text);
    },
  );

  it.each(SENTENCES)("HTML in %s with the charset in meta, and its plain alternative", async (charset, text) => {
    for (const meta of [
      `<meta charset="${charset}">`,
      `<META HTTP-EQUIV='Content-Type' CONTENT='text/html; charset=${charset}'>`,
    ]) {
      const head = `Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n`;
      const html = `\n--b\nContent-Type: text/html\n\n<html><head>${meta}</head><body><p>`;
      const bytes = encode(text, charset);
      const message = await parse(head, bytes, html, bytes, "</p></body></html>\n--b--\n");
      expect([message.bodyText.trim(), message.warnings]).toEqual([text, []]);
    }
  });

  it.each(SENTENCES)("%s in header fields and a file name", async (charset, text) => {
    const bytes = encode(text, charset);
    const type = "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/pdf\n";
    const { subject, attachments } = await parse(
      "Subject: ",
      bytes,
      `\n${type}Content-Disposition: attachment; filename="`,
      bytes,
      '.pdf"\n\nx\n--b--\n',
    );
    const expected = charset === "iso-8859-15" ? text.replace("€", "¤") : text;
    expect([subject, attachments[0]?.filename]).toEqual([expected, `${expected.replaceAll(/[:/\\]/g, "_")}.pdf`]);
  });

  it("encoded words and file names in unknown-8bit", async () => {
    const part =
      "Content-Type: application/pdf\nContent-Disposition: attachment; filename*=unknown-8bit''Entr%E9e%20au%20caf%E9.pdf";
    const type = "Content-Type: multipart/mixed; boundary=b\n\n--b\n";
    const subject = "=?unknown-8bit?Q?Entr=E9e_gratuite_au_?= =?unknown-8bit?Q?caf=E9?=";
    const message = await parse(`Subject: ${subject}\n${type}${part}\n\nx\n--b--\n`);
    expect(message.subject).toBe("Entrée gratuite au café");
    expect(message.attachments[0]?.filename).toBe("Entrée au café.pdf");
  });

  it("ISO-2022-JP and ISO-2022-KR by their escape sequences", async () => {
    const japanese = Buffer.from("\x1b$B%F%9%H\x1b(B.", "latin1");
    expect((await parse("Subject: ", japanese, "\n\n", japanese)).bodyText.trim()).toBe("テスト.");
    expect((await parse("Subject: ", japanese, "\n\n", japanese)).subject).toBe("テスト.");
    expect((await parse("\n\n", encodeShifted(KOREAN, "euc-kr", KR))).bodyText.trim()).toBe(KOREAN);
  });

  it("UTF-16 with and without a byte order mark", () => {
    for (const [charset, text] of [
      ["utf-16le", "Grüße 您好"],
      ["utf-16be", "Grüße 您好"],
    ] as const) {
      expect(decodeText(encode(text, charset), { label: null })).toBe(text);
      expect(decodeText(encode(`\ufeff${text}`, charset), { label: "iso-8859-1" })).toBe(text);
    }
  });
});

describe("mislabelled text", () => {
  it("decodes UTF-8 that is labelled as a Western charset or UTF-16", () => {
    for (const label of ["iso-8859-1", "windows-1252", "us-ascii", "utf-16"]) {
      expect(decodeText(Buffer.from("Grüße, 您好"), { label })).toBe("Grüße, 您好");
    }
  });

  it("decodes each part of a text in two charsets", () => {
    const bytes = Buffer.concat([Buffer.from("Grüße, schöne Tage in München. "), encode("café", "windows-1252")]);
    expect(decodeText(bytes, { label: "utf-8" })).toBe("Grüße, schöne Tage in München. café");
  });

  it("retains damaged text in its charset", () => {
    const bytes = Buffer.concat([
      encode("ご注文の商品は明日届きます。", "shift_jis"),
      Buffer.from([0xff]),
      Buffer.from(" ok"),
    ]);
    expect(decodeText(bytes, { label: "shift_jis" })).toBe("ご注文の商品は明日届きます。\ufffd ok");
  });

  it("never loses a byte of an unknown charset", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const text = decodeText(bytes, { label: null });
    expect(new Set(text).size).toBe(256);
    expect(text).not.toContain("\ufffd");
  });
});
