/** Invitations as typed events, received by SMTP and read over GraphQL, REST and MCP. A malformed calendar never affects its message. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { readCalendar } from "../../src/mail/incoming/parts/calendar.ts";
import { connect } from "../mcp/clients.ts";
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

const EVENT = [
  "BEGIN:VEVENT",
  "UID:meeting-1@shop.example",
  "SEQUENCE:2",
  "SUMMARY:Fitting\\, second",
  "DESCRIPTION:Bring the coat.\\nRing twice.",
  "LOCATION:Main Street 1",
  'ORGANIZER;CN="Lovelace, Ada":mailto:ada@shop.example',
  "ATTENDEE;CN=Bob;PARTSTAT=ACCEPTED:mailto:bob@shop.example",
  "ATTENDEE;PARTSTAT=NEEDS-ACTION;RSVP=TRUE:MAILTO:agent@shop.example",
  "DTSTART;TZID=Europe/Berlin:20261201T100000",
  "DTEND;TZID=Europe/Berlin:20261201T113000",
  "RRULE:FREQ=WEEKLY;COUNT=3",
  "STATUS:CONFIRMED",
  ...["BEGIN:VALARM", "SUMMARY:not the summary", "END:VALARM"],
  "END:VEVENT",
];
const calendar = (method: string, lines: readonly string[]) =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", `METHOD:${method}`, ...lines, "END:VCALENDAR", ""].join(CRLF);

const FIELDS = `calendarEvents { method uid sequence recurrenceId summary description location organizer { address name }
  attendees { address name status } startLocal endLocal startAt endAt timeZone isAllDay recurrenceRule status }`;

/** Delivers a message with a calendar as a part of its text and as a file. Returns it as REST and GraphQL do. */
async function deliver(text: string | Buffer, type = "text/calendar; charset=utf-8", isFileOnly = false) {
  sent += 1;
  const part = `Content-Type: ${type}${CRLF}Content-Transfer-Encoding: base64${CRLF}${CRLF}${Buffer.from(text).toString("base64")}`;
  const [alternative, parts] = multipart(
    "alternative",
    [`Content-Type: text/plain${CRLF}${CRLF}You are invited.`, ...(isFileOnly ? [] : [part])],
    "inner",
  );
  const file = part.replace(CRLF, `${CRLF}Content-Disposition: attachment; filename="invite.ics"${CRLF}`);
  const [mixed, body] = multipart("mixed", [`Content-Type: ${alternative}${CRLF}${CRLF}${parts}`, file], "outer");
  const subject = `invitation ${sent}`;
  const { raw } = message(
    "calendar",
    `calendar-${sent}`,
    [
      ["From", "ada@shop.example"],
      ["Subject", subject],
      ["Content-Type", mixed],
    ],
    body,
  );
  expect(await sendRaw(stack, mailbox.address, raw, "ada@shop.example")).toMatch(/^250/);
  const { json } = await stack.rest(account.token, "GET", "/api/agent/email/inbox?limit=1");
  const [rest] = json.messages;
  expect(rest).toMatchObject({ subject, bodyText: expect.stringContaining("You are invited.") });
  const query = `query ($id: ID!) { mailMessage(id: $id) { ${FIELDS} } }`;
  const read = await stack.graphql(account.token, query, { id: rest.id });
  return { rest, events: read.json.data.mailMessage.calendarEvents };
}

describe("an invitation", () => {
  it("is one typed event over GraphQL and REST", async () => {
    const { rest, events } = await deliver(calendar("REQUEST", EVENT));
    const same = {
      ...{ uid: "meeting-1@shop.example", sequence: 2, recurrenceId: null, summary: "Fitting, second" },
      ...{ description: "Bring the coat.\nRing twice.", location: "Main Street 1" },
      organizer: { address: "ada@shop.example", name: "Lovelace, Ada" },
      ...{ startLocal: "2026-12-01T10:00:00", endLocal: "2026-12-01T11:30:00", timeZone: "Europe/Berlin" },
      ...{ startAt: "2026-12-01T09:00:00.000Z", endAt: "2026-12-01T10:30:00.000Z", isAllDay: false },
      recurrenceRule: "FREQ=WEEKLY;COUNT=3",
    };
    const attendees = (accepted: string, none: string) => [
      { address: "bob@shop.example", name: "Bob", status: accepted },
      { address: "agent@shop.example", name: "", status: none },
    ];
    expect(events).toEqual([
      { ...same, method: "REQUEST", status: "CONFIRMED", attendees: attendees("ACCEPTED", "NEEDS_ACTION") },
    ]);
    expect(rest.calendarEvents).toEqual([
      { ...same, method: "request", status: "confirmed", attendees: attendees("accepted", "needs_action") },
    ]);
    expect(rest.attachments.map((one: { filename: string }) => one.filename)).toEqual([
      "attachment-1.ics",
      "invite.ics",
    ]);
  });

  it.each([
    ["CANCEL", ["STATUS:CANCELLED"], { method: "CANCEL", status: "CANCELLED" }],
    [
      "REPLY",
      ["ATTENDEE;PARTSTAT=DECLINED:mailto:a@b.example"],
      { method: "REPLY", attendees: [{ status: "DECLINED" }] },
    ],
    [
      "COUNTER",
      ["ATTENDEE;PARTSTAT=TENTATIVE:mailto:a@b.example"],
      { method: "COUNTER", attendees: [{ status: "TENTATIVE" }] },
    ],
    [
      "X-OTHER",
      ["ATTENDEE;PARTSTAT=X-OTHER:mailto:a@b.example"],
      { method: null, attendees: [{ status: "NEEDS_ACTION" }] },
    ],
  ])("has the method %s", async (method, lines, expected) => {
    const { events } = await deliver(
      calendar(method, ["BEGIN:VEVENT", "UID:1", "DTSTART:20261201T100000Z", ...lines, "END:VEVENT"]),
    );
    expect(events).toMatchObject([{ uid: "1", timeZone: "UTC", startAt: "2026-12-01T10:00:00.000Z", ...expected }]);
  });

  it.each([
    ["text/calendar; method=REQUEST", true],
    ["application/ics; method=REQUEST", true],
    ["application/octet-stream", true],
  ])("is read from a file of the type %s", async (type, isFileOnly) => {
    const text = calendar("REQUEST", EVENT).replace(
      "METHOD:REQUEST\r\n",
      type.includes("method") ? "" : "METHOD:REQUEST\r\n",
    );
    const { events } = await deliver(text, type, isFileOnly);
    expect(events).toMatchObject([{ method: "REQUEST", uid: "meeting-1@shop.example" }]);
  });

  it("is decoded by the charset of its part", async () => {
    const text = Buffer.from(calendar("REQUEST", ["BEGIN:VEVENT", "UID:1", "SUMMARY:Grüße", "END:VEVENT"]), "latin1");
    expect((await deliver(text, "text/calendar; charset=iso-8859-1")).events).toMatchObject([{ summary: "Grüße" }]);
  });

  it("is reported by the MCP tool", async () => {
    const { rest } = await deliver(calendar("REQUEST", EVENT));
    const client = await connect(`${stack.baseUrl}/mcp`, account.token);
    const { json } = await client.call("get_email", { id: rest.id });
    await client.close();
    expect(json.email.untrusted_content.events).toMatchObject([
      {
        ...{
          method: "request",
          uid: "meeting-1@shop.example",
          sequence: 2,
          time_zone: "Europe/Berlin",
          is_all_day: false,
        },
        ...{
          start: "2026-12-01T10:00:00",
          start_at: "2026-12-01T09:00:00.000Z",
          recurrence_rule: "FREQ=WEEKLY;COUNT=3",
        },
      },
    ]);
  });
});

/** The zone of Outlook. Its name is not that of the IANA database. */
const ZONE = [
  ...["BEGIN:VTIMEZONE", "TZID:W. Europe Standard Time", "BEGIN:STANDARD", "DTSTART:16010101T030000"],
  ...["TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10", "END:STANDARD"],
  ...["BEGIN:DAYLIGHT", "DTSTART:16010101T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200"],
  ...["RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3", "END:DAYLIGHT", "END:VTIMEZONE"],
];
const timesOf = (...lines: string[]) => {
  const [event] = readCalendar(calendar("REQUEST", [...ZONE, "BEGIN:VEVENT", "UID:1", ...lines, "END:VEVENT"]), null);
  return [event?.start, event?.startAt, event?.end, event?.endAt, event?.timeZone, event?.isAllDay];
};

describe("times", () => {
  it.each([
    [
      ["DTSTART;VALUE=DATE:20261224"],
      ["2026-12-24", "2026-12-24T00:00:00.000Z", "2026-12-25", "2026-12-25T00:00:00.000Z", null, true],
    ],
    [["DTSTART:20261224T090000"], ["2026-12-24T09:00:00", null, "2026-12-24T09:00:00", null, null, false]],
    [
      ["DTSTART;TZID=Nowhere:20261224T090000"],
      ["2026-12-24T09:00:00", null, "2026-12-24T09:00:00", null, "Nowhere", false],
    ],
    [
      ["DTSTART;TZID=/example.org/20260101/America/New_York:20260704T090000", "DURATION:PT90M"],
      [
        "2026-07-04T09:00:00",
        "2026-07-04T13:00:00.000Z",
        "2026-07-04T10:30:00",
        "2026-07-04T14:30:00.000Z",
        "/example.org/20260101/America/New_York",
        false,
      ],
    ],
  ])("are wall-clock times and instants: %j", (lines, expected) => expect(timesOf(...lines)).toEqual(expected));

  it.each([
    ["20260329T015900", "2026-03-29T00:59:00.000Z"],
    ["20260329T030000", "2026-03-29T01:00:00.000Z"],
    ["20260701T100000", "2026-07-01T08:00:00.000Z"],
    ["20261025T040000", "2026-10-25T03:00:00.000Z"],
    ["20270101T000000", "2026-12-31T23:00:00.000Z"],
  ])("follow the zone that the calendar defines: %s", (at, expected) =>
    expect(timesOf(`DTSTART;TZID=W. Europe Standard Time:${at}`)[1]).toBe(expected),
  );
});

const MALFORMED = [
  "",
  "BEGIN:VCALENDAR",
  "END:VEVENT",
  "\u0000\u0001\u0002",
  "BEGIN:VEVENT\r\nDTSTART:never\r\nEND:VEVENT",
  "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:99999999T999999Z\r\nDURATION:PXS\r\nSEQUENCE:-1\r\nRRULE:FREQ=\r\nATTENDEE:nobody\r\nEND:VEVENT",
  "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:00000000\r\nDTEND;TZID=:20260231T250000\r\nORGANIZER:\r\nEND:VEVENT",
  'BEGIN:VEVENT\r\nUID:1\r\nSUMMARY;CN="open:x\r\nEND:VEVENT',
  "BEGIN:VEVENT\r\n".repeat(500),
  "[]",
];

describe("a malformed calendar", () => {
  it.each(MALFORMED)("leaves the message readable: %j", async (text) => {
    const { rest } = await deliver(`BEGIN:VCALENDAR\r\n${text}\r\n`);
    expect(rest.attachments).toHaveLength(2);
  });

  it("retains what can be read", () => {
    const lines = [
      "BEGIN:VEVENT",
      "UID:1",
      "DTSTART:never",
      "RRULE:FREQ=SOMETIMES",
      "garbage",
      "SUMMARY:Fitting",
      "END:VEVENT",
    ];
    expect(readCalendar(calendar("REQUEST", lines), null)).toMatchObject([
      { uid: "1", summary: "Fitting", start: null, recurrenceRule: "FREQ=SOMETIMES" },
    ]);
  });

  it("is bounded", () => {
    const many = calendar(
      "REQUEST",
      Array(500).fill(EVENT.join(CRLF).replace("STATUS", "ATTENDEE:mailto:x@y.example\r\n".repeat(90))),
    );
    const events = readCalendar(many, null);
    expect([events.length, events[0]?.attendees.length]).toEqual([20, 50]);
    const [long] = readCalendar(
      calendar("REQUEST", [
        "BEGIN:VEVENT",
        "UID:1",
        `SUMMARY:${"a".repeat(9_000)}`,
        `DESCRIPTION:${"b".repeat(9_000)}`,
        `RRULE:${"c".repeat(9_000)}`,
        "END:VEVENT",
      ]),
      null,
    );
    expect([long?.summary.length, long?.description.length, long?.recurrenceRule?.length]).toEqual([500, 5_000, 500]);
  });

  it("does not show invisible characters", () => {
    const lines = ["BEGIN:VEVENT", "UID:1", "SUMMARY:A\u202eB\u202c\u{e0070}\u{e0061}\u200bC", "END:VEVENT"];
    expect(readCalendar(calendar("REQUEST", lines), null)).toMatchObject([{ summary: "AC" }]);
  });
});

it.each([
  ["שלום, מה שלומך?", "rtl"],
  ["1. مرحبا Ada", "rtl"],
  ["Hello שלום", "ltr"],
  ["123", "ltr"],
])("states the direction of text: %s", async (text, direction) => {
  sent += 1;
  const fields: [string, string][] = [
    ["From", "ada@shop.example"],
    ["Subject", "1"],
    ["Content-Type", "text/plain; charset=utf-8"],
  ];
  await sendRaw(stack, mailbox.address, message("direction", `direction-${sent}`, fields, text).raw);
  const { json } = await stack.rest(account.token, "GET", "/api/agent/email/inbox?limit=1");
  expect(json.messages[0]).toMatchObject({ bodyText: expect.stringContaining(text), textDirection: direction });
});
