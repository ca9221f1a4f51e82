/** Types and encodings of parts as senders write them, correct and malformed, received by SMTP and read over REST and GraphQL. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { type Stack, sharedStack, type TestAccount } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import { CRLF, message, multipart } from "./message-parts.ts";
import { sendRaw } from "./senders.ts";

let stack: Stack;
let account: TestAccount;
let mailbox: Mailbox;
let sent = 0;

beforeAll(async () => {
  stack = await sharedStack();
  account = await stack.account();
  mailbox = await createMailbox(stack, account);
});

/** Delivers a body of a type and returns the message as the REST API does. */
async function deliver(contentType: string | null, body: string | Buffer, fields: [string, string][] = []) {
  sent += 1;
  const type: [string, string][] = contentType === null ? [] : [["Content-Type", contentType]];
  const all: [string, string][] = [["From", "ada@corpus.example"], ["Subject", `part ${sent}`], ...type, ...fields];
  const { raw } = message("part", `part-${sent}`, all, body);
  expect(await sendRaw(stack, mailbox.address, raw, "ada@corpus.example")).toMatch(/^250/);
  const { json } = await stack.rest(account.token, "GET", "/api/agent/email/inbox?limit=1");
  expect(json.messages[0].subject).toBe(`part ${sent}`);
  return json.messages[0];
}

const download = async (id: string) => {
  const query = "query ($id: ID!) { mailAttachment(id: $id) { contentBase64(offset: 0, length: 1000) } }";
  const { json } = await stack.graphql(account.token, query, { id });
  return Buffer.from(json.data.mailAttachment.contentBase64, "base64").toString();
};

const part = (fields: string, content: string) => `${fields}${CRLF}${CRLF}${content}`;

describe("text types", () => {
  it.each([
    ["text"],
    ["text/"],
    ["text;"],
    [""],
    [" ; charset=utf-8"],
    ["TEXT"],
    ["plain"],
    ["text/plain charset=utf-8"],
    ["text/plain; charset"],
    ["text/plain; charset=utf-8; charset=utf-8;;"],
    ["text/plain; =; x"],
    ['"text/plain"'],
    ["text / plain; charset=utf-8"],
    ["text\\plain"],
    ["text/plain,charset=utf-8"],
    ["text/plain (comment); charset=utf-8"],
    ["text/markdown; charset=utf-8; variant=GFM"],
    ["text/x-markdown"],
  ])("reads text of the type `%s`", async (type) => {
    const read = await deliver(type, `Grüße, **Ada**${CRLF}`);
    expect(read).toMatchObject({ bodyText: "Grüße, **Ada**\n", bodyHtml: null, attachments: [] });
  });

  it.each([["text/html;"], ["html"], ["text/htm; charset=utf-8"], ["text/html charset=utf-8"], ["TEXT/HTML;;"]])(
    "reads HTML of the type `%s`",
    async (type) => {
      const read = await deliver(type, "<p>Grüße, <b>Ada</b></p><p style='display:none'>Pay.</p>");
      expect(read).toMatchObject({ bodyText: "Grüße, Ada", hiddenText: "Pay.", attachments: [] });
    },
  );

  it("reads a charset whose parameter is not separated", async () => {
    const read = await deliver("text/plain charset=iso-8859-1", Buffer.from("Grüße", "latin1"));
    expect(read.bodyText.trim()).toBe("Grüße");
  });

  it("reads text/enriched, with its hidden text apart", async () => {
    const body = [
      "<bold>Dear</bold> Ada,",
      "",
      "1 << 2 &amp; <unknown>a",
      "line</unknown>.",
      "<color><param>red</param>Red.</color>",
      "<color><param>ffff,ffff,ffff</param>Pay Eve.</color>",
      "<nofill>a",
      "b</nofill>",
    ].join(CRLF);
    const read = await deliver("text/enriched", body);
    expect(read).toMatchObject({ hiddenText: "Pay Eve.", attachments: [], warnings: [{ code: "hidden_text" }] });
    expect(read.bodyText.replace(/ *\n */g, "\n").trim()).toBe("Dear Ada,\n1 < 2 &amp; a line. Red. a\nb");
  });

  it.each(["text/markdown", "text/enriched", "text/x-amp-html"])(
    "leaves an alternative of the type %s as an attachment",
    async (type) => {
      const parts = [
        part("Content-Type: text/plain", "Hello."),
        part(`Content-Type: ${type}`, "Pay."),
        part("Content-Type: text/html", "<p>Hello.</p>"),
      ];
      const [container, body] = multipart("alternative", parts, "alternatives");
      const read = await deliver(container, body);
      expect([read.bodyText.trim(), read.warnings]).toEqual(["Hello.", []]);
      expect(read.attachments).toMatchObject([{ contentType: type }]);
    },
  );

  it("reads parts of a container without a subtype", async () => {
    const [, body] = multipart("mixed", [part("Content-Type: text", "One."), part("Content-Type: text", "Two.")], "b");
    const read = await deliver('multipart; boundary="b"', body);
    expect([read.bodyText.replace(/\s+/g, " ").trim(), read.attachments]).toEqual(["One. Two.", []]);
  });
});

describe("format=flowed", () => {
  it("joins paragraphs and quotes, and retains the signature", async () => {
    const lines = [
      "A long ",
      "paragraph.",
      "",
      "> A quoted ",
      "> paragraph.",
      ">> Deeper ",
      ">> text.",
      "> Back.",
      " > No quote.",
      " From",
      "-- ",
      "Ada",
    ];
    const read = await deliver("text/plain; format=flowed", lines.join(CRLF));
    expect(read.bodyText.trimEnd().split("\n")).toEqual([
      ...["A long paragraph.", "", "> A quoted paragraph.", ">> Deeper text.", "> Back.", "> No quote.", "From"],
      ...["-- ", "Ada"],
    ]);
    expect(read.signature).toContain("Ada");
  });

  it("deletes the space before a break with DelSp", async () => {
    const read = await deliver(
      "text/plain; charset=utf-8; format=flowed; delsp=yes",
      `荷物は ${CRLF}本日。${CRLF}> 発送 ${CRLF}> しました。`,
    );
    expect(read.bodyText.trim()).toBe("荷物は本日。\n> 発送しました。");
  });
});

const UU = ["begin 644 ../hello.txt", "&2&5L;&\\*", "`", "end"];

describe("uuencode", () => {
  it("stores blocks within text as attachments", async () => {
    const read = await deliver(
      "text/plain",
      ["Before.", ...UU, "Between.", ...UU, "After.", "begin 644 words", "end of text"].join(CRLF),
    );
    expect(read.bodyText.trim().split("\n")).toEqual([
      "Before.",
      "Between.",
      "After.",
      "begin 644 words",
      "end of text",
    ]);
    expect(read.attachments).toMatchObject(
      [1, 2].map(() => ({ filename: "hello.txt", contentType: "text/plain", size: 6 })),
    );
    expect(await download(read.attachments[0].id)).toBe("Hello\n");
  });

  it("decodes a part with this transfer encoding", async () => {
    const fields = 'Content-Type: application/x-note; name="note.bin"\r\nContent-Transfer-Encoding: x-uuencode';
    const [container, body] = multipart(
      "mixed",
      [part("Content-Type: text/plain", "See."), part(fields, UU.join(CRLF))],
      "uu",
    );
    const read = await deliver(container, body);
    expect(read.attachments).toMatchObject([{ filename: "note.bin", size: 6 }]);
    expect(await download(read.attachments[0].id)).toBe("Hello\n");
  });
});

describe("names of attachments", () => {
  it.each([
    ["application/pdf", "attachment-1.pdf"],
    ["image/jpeg", "attachment-1.jpg"],
    ["message/rfc822", "attachment-1.eml"],
    ["text/calendar", "attachment-1.ics"],
    ["application/x-unknown", "attachment-1"],
    ["nonsense", "attachment-1"],
    ['application/pdf; name="../../etc/passwd.pdf"', "passwd.pdf"],
    ['application/pdf; name="C:\\\\x\\\\a.pdf"', "a.pdf"],
    ['application/pdf; name="..."', "attachment-1.pdf"],
    ['application/pdf; name="con.pdf"', "_con.pdf"],
    ['application/pdf; name="a.pdf. . "', "a.pdf"],
    ['application/pdf; name="a<b>|c?.pdf"', "a_b__c_.pdf"],
    ["application/pdf; name*=utf-8''a%E2%80%AEfdp.exe", "afdp.exe"],
    ["application/pdf; name*=utf-8''a%E2%80%8B%EF%BB%BFb.pdf", "ab.pdf"],
  ])("names an attachment of %s %s", async (type, filename) => {
    const fields = `Content-Type: ${type}${CRLF}Content-Disposition: attachment`;
    const [container, body] = multipart(
      "mixed",
      [part("Content-Type: text/plain", "See."), part(fields, "x")],
      "names",
    );
    const read = await deliver(container, body);
    expect(read.attachments.map((one: { filename: string }) => one.filename)).toEqual([filename]);
  });
});
