/** Generated messages, ordinary and malformed. The same seed generates the same messages. */
import fc from "fast-check";
import { HOSTILE_HTML } from "./hostile-html.ts";
import { CRLF, file, html, message, multipart, plain, type TestMessage } from "./message-parts.ts";

const WORDS = [
  "order",
  "shipped",
  "Grüße",
  "発送",
  "invoice",
  "pocket",
  "naïve",
  "на",
  "refund",
  "🙂",
  "tomorrow",
  "--",
  ">",
  "From:",
];

const line = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 14 }).map((words) => words.join(" "));
const text = fc.array(line, { minLength: 0, maxLength: 30 }).map((lines) => lines.join(CRLF));
const anyBytes = fc.uint8Array({ minLength: 0, maxLength: 4_000 }).map((bytes) => Buffer.from(bytes));
/** Bytes without CR and LF: SMTP clients escape lines with a dot but cannot send a bare CR. */
const bytesOfLines = anyBytes.map((bytes) =>
  Buffer.from(bytes.map((byte) => (byte === 0x0d || byte === 0x0a ? 0x20 : byte))),
);
const token = fc.stringMatching(/^[a-z0-9]{6,12}$/);
const subject = fc.oneof(
  line.map((words) => `=?utf-8?B?${Buffer.from(words).toString("base64")}?=`),
  line.map((words) => `=?utf-8?Q?${words.replace(/[^a-z]/gi, "_")}?=`),
  fc.constant("=?utf-8?B?SGVsbG8NCkJjYzogZXZlQGV2ZS5leGFtcGxl?="),
  fc.constant("=?iso-2022-jp?B?GyRCJUYlOSVIGyhC?= =?broken?X?..?= =?utf-8?B?////?="),
  fc.constant(`=?utf-8?Q?${"=00".repeat(30)}?=`),
  line,
);
const from = fc.constantFrom(
  "Ada <ada@corpus.example>",
  '"Ada, \\"the first\\"" <ada@corpus.example>',
  "=?utf-8?B?QWRhIDxwYXlAYmFuay5leGFtcGxlPg==?= <ada@corpus.example>",
  "ada@corpus.example, eve@corpus.example",
  "undisclosed:;",
  "<>",
  "not an address",
  `${"a".repeat(400)}@corpus.example`,
  "Ada <ada@bücher.example>",
);

/** Input on which many regular expressions need quadratic time or worse. */
const SLOW_TEXTS = [
  "On ".repeat(15_000),
  `${"On a ".repeat(5_000)}wrote`,
  `Op ${"schreef\n".repeat(8_000)}`,
  `${"> ".repeat(20_000)}`,
  `${"<".repeat(30_000)}${">".repeat(30_000)}`,
  `From: ${" ".repeat(50_000)}[`,
  `${"-".repeat(60_000)}Original Message`,
  "a@".repeat(30_000),
];

const ordinary = fc.tuple(token, from, subject, text).map(([id, author, about, words]) =>
  message(
    "plain",
    id,
    [
      ["From", author],
      ["Subject", about],
      ["Content-Type", "text/plain; charset=utf-8"],
    ],
    words,
  ),
);
const eightBit = fc
  .tuple(
    token,
    bytesOfLines,
    fc.constantFrom(
      "utf-8",
      "iso-8859-1",
      "utf-16",
      "iso-2022-jp",
      "gb18030",
      "utf-7",
      "no-such-charset",
      "",
      "ks_c_5601-1987",
    ),
  )
  .map(([id, body, charset]) =>
    message(
      `8-bit ${charset}`,
      id,
      [
        ["From", "ada@corpus.example"],
        ["Subject", "\u00ff\u00fe 8-bit"],
        ["Content-Type", `text/plain; charset=${charset}`],
        ["Content-Transfer-Encoding", "8bit"],
      ],
      body,
    ),
  );
const alternative = fc
  .tuple(token, text, fc.constantFrom(...HOSTILE_HTML), fc.boolean())
  .map(([id, words, markup, isClosed]) => {
    const [type, body] = multipart("alternative", [plain(words), html(markup)], `b-${id}`, isClosed);
    return message(
      "hostile html",
      id,
      [
        ["From", "ada@corpus.example"],
        ["Subject", "alternative"],
        ["MIME-Version", "1.0"],
        ["Content-Type", type],
      ],
      body,
    );
  });
const htmlOnly = fc.tuple(token, fc.constantFrom(...HOSTILE_HTML)).map(([id, markup]) =>
  message(
    "html only",
    id,
    [
      ["From", "ada@corpus.example"],
      ["Subject", "html"],
      ["Content-Type", "text/html"],
    ],
    markup,
  ),
);
const nested = fc
  .tuple(token, fc.integer({ min: 2, max: 1_500 }), fc.constantFrom("mixed", "related", "alternative", "digest"))
  .map(([id, depth, type]) => {
    let body = plain("innermost part");
    for (let level = 0; level < depth; level++) {
      const boundary = `n${level}`;
      body = `Content-Type: multipart/${type}; boundary=${boundary}${CRLF}${CRLF}--${boundary}${CRLF}${body}${CRLF}--${boundary}--`;
    }
    const fields = `From: ada@corpus.example${CRLF}Message-ID: <${id}@corpus.example>${CRLF}Subject: nested ${depth}${CRLF}`;
    return { kind: "nested", raw: Buffer.from(fields + body) };
  });
const embedded = fc.tuple(token, fc.integer({ min: 1, max: 300 })).map(([id, depth]) => {
  let inner = `Subject: innermost${CRLF}${CRLF}Hello`;
  for (let level = 0; level < depth; level++)
    inner = `Subject: level ${level}${CRLF}Content-Type: message/rfc822${CRLF}${CRLF}${inner}`;
  return {
    kind: "message in message",
    raw: Buffer.from(`From: ada@corpus.example${CRLF}Message-ID: <${id}@corpus.example>${CRLF}${inner}`),
  };
});
const files = fc
  .tuple(
    token,
    fc.array(
      fc.tuple(
        fc.constantFrom(
          "../../etc/passwd",
          "a\\b.exe",
          "invoice\u202efdp.exe",
          "",
          "x".repeat(2_000),
          "NUL\0.txt",
          "=?utf-8?B?8J+Zgg==?=.png",
        ),
        fc.base64String({ maxLength: 3_000 }),
      ),
      { maxLength: 6 },
    ),
  )
  .map(([id, all]) => {
    const [type, body] = multipart(
      "mixed",
      [plain("see attached"), ...all.map(([name, content]) => file(name, content))],
      `f-${id}`,
    );
    return message(
      "files",
      id,
      [
        ["From", "ada@corpus.example"],
        ["Subject", "files"],
        ["Content-Type", type],
      ],
      body,
    );
  });
const brokenHeads = fc.tuple(token, fc.nat(11), bytesOfLines).map(([id, which, noise]): TestMessage => {
  const known = `Message-ID: <${id}@corpus.example>${CRLF}`;
  const heads: (string | Buffer)[] = [
    `${known}From ada@corpus.example Tue Dec  1${CRLF}no colon here${CRLF}: no name${CRLF}${CRLF}body`,
    `${known}Subject: no end of the head`,
    `${CRLF}${CRLF}no head at all ${id}`,
    `${known}Subject: ${"folded\r\n ".repeat(5_000)}${CRLF}${CRLF}body`,
    `${known}X-Large: ${"y".repeat(900_000)}${CRLF}${CRLF}body`,
    `${known}X-Too-Large: ${"y".repeat(1_200_000)}${CRLF}${CRLF}body`,
    `${known}To: ${Array.from({ length: 5_000 }, (_, n) => `p${n}@corpus.example`).join(", ")}${CRLF}${CRLF}body`,
    `${known}${"DKIM-Signature: v=1; a=rsa-sha256; d=corpus.example; s=x; l=1; h=from; bh=AA==; b=AA==\r\n".repeat(400)}${CRLF}body`,
    `Message-ID: <${"i".repeat(3_000)}-${id}@corpus.example>${CRLF}In-Reply-To: <${"r".repeat(3_000)}@x>${CRLF}References: ${"<a@b> ".repeat(4_000)}${CRLF}${CRLF}body`,
    Buffer.concat([Buffer.from(known), Buffer.from("Subject: "), noise, Buffer.from(`${CRLF}${CRLF}body`)]),
    `${known}Content-Type: multipart/mixed; boundary=""${CRLF}${CRLF}--${CRLF}${CRLF}x${CRLF}----${CRLF}`,
    `${known}Content-Type: multipart/mixed; boundary=x${CRLF}Content-Type: text/html${CRLF}Content-Transfer-Encoding: nonsense${CRLF}${CRLF}<b>two types`,
  ];
  return { kind: `broken head ${which}`, raw: Buffer.from(heads[which] ?? "") };
});
const slow = fc.tuple(token, fc.constantFrom(...SLOW_TEXTS)).map(([id, words]) =>
  message(
    "slow text",
    id,
    [
      ["From", "ada@corpus.example"],
      ["Subject", "Re: slow"],
      ["Content-Type", "text/plain; charset=utf-8"],
    ],
    words,
  ),
);
const manyParts = fc.tuple(token, fc.constantFrom(250, 400, 1_500)).map(([id, count]) => {
  const [type, body] = multipart(
    "mixed",
    Array.from({ length: count }, (_, n) => file(`f${n}.bin`, "AAAA")),
    `m-${id}`,
  );
  return message(
    `${count} parts`,
    id,
    [
      ["From", "ada@corpus.example"],
      ["Subject", "many parts"],
      ["Content-Type", type],
    ],
    body,
  );
});
const reports = fc.tuple(token, text, bytesOfLines).map(([id, words, noise]) => {
  const status = `Content-Type: message/delivery-status${CRLF}${CRLF}Action: failed${CRLF}Diagnostic-Code: ${noise.toString("latin1")}${CRLF}`;
  const original = `Content-Type: message/rfc822${CRLF}${CRLF}Message-ID: <gone@agents.example>${CRLF}${CRLF}${words}`;
  const [type, body] = multipart(`report; report-type=delivery-status`, [plain(words), status, original], `r-${id}`);
  return message(
    "report",
    id,
    [
      ["From", "mailer-daemon@corpus.example"],
      ["Subject", "failure"],
      ["Content-Type", type],
    ],
    body,
  );
});
const noise = fc
  .tuple(token, anyBytes)
  .map(([id, bytes]) => ({ kind: "noise", raw: Buffer.concat([Buffer.from(`X-Id: ${id}\r\n`), bytes]) }));

const anyMessage = fc.oneof(
  { weight: 30, arbitrary: ordinary },
  { weight: 10, arbitrary: eightBit },
  { weight: 20, arbitrary: alternative },
  { weight: 8, arbitrary: htmlOnly },
  { weight: 10, arbitrary: files },
  { weight: 6, arbitrary: brokenHeads },
  { weight: 3, arbitrary: nested },
  { weight: 3, arbitrary: embedded },
  { weight: 3, arbitrary: slow },
  { weight: 1, arbitrary: manyParts },
  { weight: 3, arbitrary: reports },
  { weight: 3, arbitrary: noise },
);

/** Generates distinct messages, including those without a Message-ID. */
export function generateMessages(count: number, seed: number): TestMessage[] {
  return fc.sample(anyMessage, { seed, numRuns: count }).map(({ kind, raw }, index) => ({
    kind,
    raw: Buffer.concat([Buffer.from(`X-Corpus: ${seed}-${index}\r\n`), withUniqueId(raw, `z${seed}-${index}-`)]),
  }));
}

/** Prefixes the Message-ID, because `fast-check` can generate the same id twice. */
function withUniqueId(raw: Buffer, prefix: string): Buffer {
  const mark = Buffer.from("Message-ID: <");
  const at = raw.indexOf(mark);
  if (at < 0) return raw;
  const end = at + mark.length;
  return Buffer.concat([raw.subarray(0, end), Buffer.from(prefix), raw.subarray(end)]);
}
