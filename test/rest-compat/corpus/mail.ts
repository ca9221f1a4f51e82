/** The agent's mailbox, its messages and their files. */
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Mailbox } from "../../../generated/prisma/client.ts";
import { PARSER_VERSION } from "../../../src/mail/incoming/parser-version.ts";
import { storeRawMessage } from "../../../src/mail/raw-message.ts";
import { newId } from "../../../src/platform/ids.ts";
import { activateAgent, createMailbox, storeAttachment, storeMessage } from "../../mail/fixtures.ts";
import type { TestAccount } from "../../support/stack.ts";
import { createScopedAccount, exhaust, recordEvent, reopenKey, type Scenario } from "./scenario.ts";

const ALIAS = "GET /api/agent/email";
const CREATE = "POST /api/agent/email";
const SEND = "POST /api/agent/email/send";
const REPLY = "POST /api/agent/email/reply";
const INBOX = "GET /api/agent/email/inbox";
const MESSAGE = "GET /api/agent/email/messages/{id}";
const UPLOAD = "POST /api/agent/email/attachments";
const DOWNLOAD = "GET /api/agent/email/attachments/{id}";
const RAW = "GET /api/agent/email/messages/{id}/raw";
const DOCUMENT = "GET /mail/messages/{id}/html";
/** Above the ids that the sandbox's registry assigns. */
const AGENT_ID = 700_001;

export async function recordMail(scenario: Scenario): Promise<void> {
  const { stack, send } = scenario;
  const account = await stack.account();
  const { token } = account;
  await send(ALIAS, "200 no mailbox", { token });
  await send(CREATE, "400 no active agent", { token });
  await send(INBOX, "404 no mailbox", { token });
  await send(MESSAGE, "404 no mailbox", { token, path: { id: "aem_1_none" } });
  await send(SEND, "404 no mailbox", {
    token,
    body: { to: "jane@merchant.example", subject: "Hello", body: "Hello." },
  });
  await activateAgent(stack, account, AGENT_ID);
  await send(CREATE, "200 created", { token });
  await send(CREATE, "200 renamed", { token, body: { displayName: "Ada's agent" } });
  await send(CREATE, "400 display name", { token, body: { displayName: "<a@b.example>" } });
  await send(CREATE, "413 too large", { token, body: { displayName: "x".repeat(2 ** 20) } });
  await send(ALIAS, "200", { token });
  const scoped = await createScopedAccount(stack, []);
  await createMailbox(stack, scoped, AGENT_ID + 1);
  for (const [route, request] of [
    [ALIAS, {}],
    [CREATE, { body: {} }],
    [INBOX, {}],
    [MESSAGE, { path: { id: "aem_1_none" } }],
    [SEND, { body: { to: "jane@merchant.example", subject: "Hello", body: "Hello." } }],
    [REPLY, { body: { messageId: "aem_1_none", body: "Hello." } }],
    [UPLOAD, { query: { filename: "a.txt" }, body: "text", headers: { "content-type": "text/plain" } }],
    [DOWNLOAD, { path: { id: "mat_1_none" } }],
    [RAW, { path: { id: "aem_1_none" } }],
    [DOCUMENT, { path: { id: "aem_1_none" } }],
  ] as const) {
    await send(route, "403 scope", { token: scoped.token, ...request });
  }
  const mailbox = await stack.service.deps.db.prisma.mailbox.findFirstOrThrow({
    where: { accountId: account.accountId },
  });
  await recordSending(scenario, account, mailbox);
  await recordReading(scenario);
  await recordFiles(scenario, account);
}

async function recordSending({ relay, ...scenario }: Scenario, account: TestAccount, mailbox: Mailbox) {
  const { stack, send, bare, sendToBare } = scenario;
  const { token } = account;
  const body = { to: "jane@merchant.example", subject: "My order", body: "Where is it?" };
  const key = { "idempotency-key": "sent-once" };
  await send(SEND, "200", { token, body: { ...body, cc: ["bob@merchant.example"] }, headers: key });
  await recordEvent({ relay, ...scenario }, account, "mail.sent");
  await send(SEND, "422 another request with the key", { token, body, headers: key });
  await reopenKey(stack, account, key["idempotency-key"]);
  await send(SEND, "409 the key's first request is in flight", {
    token,
    body: { ...body, cc: ["bob@merchant.example"] },
    headers: key,
  });
  const stored = await storeMessage(stack, mailbox, { messageIdHeader: "<1@merchant.example>" });
  const replyKey = { "idempotency-key": "replied-once" };
  const reply = { messageId: stored.id, body: "Thank you." };
  await send(REPLY, "200", { token, body: reply, headers: replyKey });
  await send(REPLY, "422 another request with the key", { token, body: { ...reply, body: "No." }, headers: replyKey });
  await reopenKey(stack, account, replyKey["idempotency-key"]);
  await send(REPLY, "409 the key's first request is in flight", { token, body: reply, headers: replyKey });
  const automated = await storeMessage(stack, mailbox, { automated: "bulk", messageIdHeader: "<2@merchant.example>" });
  await send(REPLY, "400 automated", { token, body: { ...reply, messageId: automated.id } });
  await send(REPLY, "200 forced, to all", {
    token,
    body: { ...reply, messageId: automated.id, force: true, replyAll: true },
  });
  await send(REPLY, "400 no text", { token, body: { messageId: stored.id } });
  await send(REPLY, "404", { token, body: { messageId: "aem_1_none", body: "Hello." } });
  await send(SEND, "400 recipient", { token, body: { ...body, to: "nobody" } });
  await send(SEND, "400 subject", { token, body: { ...body, subject: "a\nb" } });
  await send(SEND, "400 attachment", { token, body: { ...body, attachmentIds: ["mat_1_none"] } });
  for (const [route, request] of [
    [SEND, body],
    [REPLY, reply],
  ] as const) {
    await send(route, "413 too large", { token, body: { ...request, body: "x".repeat(2 ** 21) } });
    relay.refuse(() => [550, "No such user"]);
    await send(route, "502 refused", { token, body: request });
    relay.refuse(() => [451, "Try later"]);
    await send(route, "502 queued", { token, body: { ...request, body: "Again?" } });
    relay.refuse(null);
    const inactive = await stack.account();
    const old = await createMailbox(stack, inactive, AGENT_ID + (route === SEND ? 2 : 3));
    const received = await storeMessage(stack, old);
    await stack.service.deps.db.prisma.agent.updateMany({
      where: { accountId: inactive.accountId },
      data: { status: "revoked" },
    });
    const request2 = route === REPLY ? { ...request, messageId: received.id } : request;
    await send(route, "400 no active agent", { token: inactive.token, body: request2 });
    const sender = await bare.account();
    const own = await createMailbox(bare, sender, AGENT_ID + (route === SEND ? 2 : 3));
    const original = await storeMessage(bare, own);
    const request3 = route === REPLY ? { ...request, messageId: original.id } : request;
    await sendToBare(route, "503 mail is not configured", { token: sender.token, body: request3 });
    const busy = await stack.account();
    const full = await createMailbox(stack, busy, AGENT_ID + (route === SEND ? 4 : 5));
    const { id } = await storeMessage(stack, full);
    await exhaust(stack, "mail-send", busy.accountId, 60);
    await send(route, "429", { token: busy.token, body: route === REPLY ? { ...request, messageId: id } : request });
  }
}

/** Records the inbox with messages of each status, verdict and kind of automation, from stored rows. */
const REPORTS = [
  ["bounce", "failed"],
  ["delivery_delay", "delayed"],
  ["delivery_receipt", "delivered"],
  ["delivery_receipt", "relayed"],
  ["delivery_receipt", "expanded"],
  ["read_receipt", null],
  ["complaint", "complained"],
] as const;
const DELIVERY_STATUSES = ["queued", "deferred", "accepted", "delivered", "failed", "bounced", "complained"];

const addressOf = (status: string) => `${status}@merchant.example`;

/** Returns a report that is not verified; of a reader if there is no action. */
function createReport(action: string | null) {
  const recipient = { address: "bob@merchant.example", action, status: "5.1.1", reason: "550 No such user" };
  return { isVerified: false, recipients: action === null ? [] : [recipient] };
}

const METHODS = ["publish", "request", "reply", "add", "cancel", "refresh", "counter", "declinecounter"];
const PARTICIPATIONS = ["needs_action", "accepted", "declined", "tentative", "delegated"];

/** Returns an invitation for each method, with attendees of each status. */
function createInvitations() {
  const jane = { address: "jane@merchant.example", name: "Jane" };
  const statuses = ["tentative", "confirmed", "cancelled"];
  return METHODS.map((method, at) => ({
    ...{
      method,
      uid: `${method}@merchant.example`,
      sequence: 0,
      recurrenceId: null,
      description: "",
      location: "Porto",
    },
    ...{ summary: "Fitting", organizer: jane, attendees: PARTICIPATIONS.map((status) => ({ ...jane, status })) },
    ...{ start: "2026-12-01T10:00:00", end: "2026-12-01T11:00:00", timeZone: "UTC", isAllDay: false },
    ...{ startAt: "2026-12-01T10:00:00.000Z", endAt: "2026-12-01T11:00:00.000Z", recurrenceRule: null },
    status: statuses[at] ?? null,
  }));
}

/** Stores the bytes as the raw form of a message. */
async function storeRaw({ service: { deps } }: Scenario["stack"], id: string, accountId: string, raw: string) {
  const path = join(tmpdir(), `${id}.eml`);
  await writeFile(path, raw);
  const sealer = await deps.mailVault.sealerOf(accountId);
  await deps.db.prisma.$transaction((tx) => storeRawMessage(tx, sealer, id, path));
  await rm(path);
  const data = { parserVersion: PARSER_VERSION, sizeBytes: Buffer.byteLength(raw) };
  await deps.db.prisma.mailMessage.update({ where: { id }, data });
}

const createDeliveryOf = (accountId: string, status: string) => ({
  ...{ id: newId("mdl"), accountId, returnKey: randomBytes(8).toString("hex") },
  ...{ address: addressOf(status), status },
});

async function recordReading(scenario: Scenario) {
  const { stack, send } = scenario;
  const account = await stack.account();
  const { token } = account;
  const mailbox = await createMailbox(stack, account, AGENT_ID + 6);
  const at = (minute: number) => new Date(Date.now() - 3_600_000 + minute * 60_000);
  const createDelivery = (status: string) => createDeliveryOf(account.accountId, status);
  const messages: Parameters<typeof storeMessage>[2][] = [
    { spfResult: "pass", dkimResult: "pass", dmarcResult: "pass", bodyHtml: "<p>Here</p>" },
    {
      ...{ spfResult: "fail", dkimResult: "fail", dmarcResult: "fail", hiddenText: "Pay." },
      warnings: [
        ...["several_authors", "hidden_text", "plain_text_differs", "invisible_characters", "html_not_checked"],
        ...["covered_text", "unsupported_content"],
      ],
    },
    { spfResult: "none", dkimResult: "none", dmarcResult: null, isRead: true },
    { bodyText: "שלום", extractedText: "שלום", calendarEvents: createInvitations() },
    ...["auto_reply", "bulk"].map((automated) => ({ automated })),
    ...REPORTS.map(([automated, action]) => ({ automated, report: createReport(action) })),
    ...["queued", "sent", "failed", "bounced"].map((status) => ({
      direction: "outbound",
      status,
      failureReason: status === "failed" || status === "bounced" ? "550 No such user" : null,
      ccAddresses: ["bob@merchant.example"],
    })),
    {
      direction: "outbound",
      toAddresses: DELIVERY_STATUSES.map(addressOf),
      deliveries: { create: DELIVERY_STATUSES.map(createDelivery) },
    },
  ];
  const ids: string[] = [];
  for (const [minute, fields] of messages.entries()) {
    const subject = `Message ${minute}`;
    ids.push(
      (await storeMessage(stack, mailbox, { createdAt: at(minute), updatedAt: at(minute), subject, ...fields })).id,
    );
  }
  const [first = ""] = ids;
  await storeAttachment(stack, first, {
    filename: "receipt.pdf",
    contentType: "application/pdf",
    bytes: Buffer.from("%PDF"),
  });
  await send(INBOX, "200", { token });
  for (const direction of ["inbound", "outbound"])
    await send(INBOX, `200 ${direction}`, { token, query: { direction } });
  for (const unread of ["true", "false"])
    await send(INBOX, `200 unread ${unread}`, { token, query: { unread, limit: 5 } });
  await send(INBOX, "200 a page", { token, query: { limit: 2, offset: 1 } });
  await send(INBOX, "200 search", { token, query: { q: '"message 2"' } });
  await send(INBOX, "400 limit", { token, query: { limit: 0 } });
  await send(INBOX, "400 unread", { token, query: { unread: "maybe" } });
  await send(INBOX, "400 direction", { token, query: { direction: "sideways" } });
  for (const [at, id] of ids.entries()) await send(MESSAGE, `200 message ${at}`, { token, path: { id } });
  await send(MESSAGE, "404", { token, path: { id: "aem_1_none" } });
  await storeRaw(stack, first, account.accountId, "Subject: Message 0\r\n\r\nHello\r\n");
  await send(RAW, "200", { token, path: { id: first } });
  await send(RAW, "404", { token, path: { id: "aem_1_none" } });
  await send(DOCUMENT, "200", { token, path: { id: first } });
  await send(DOCUMENT, "200 images", { token, path: { id: first }, query: { images: "show" } });
  await send(DOCUMENT, "200 unknown value of images", { token, path: { id: first }, query: { images: "all" } });
  await send(DOCUMENT, "404", { token, path: { id: "aem_1_none" } });
  await stack.service.deps.db.prisma.mailMessage.updateMany({
    where: { status: "queued" },
    data: { status: "failed" },
  });
  for (const [type, fields] of [
    ["mail.received", {}],
    ["mail.failed", { direction: "outbound", status: "failed", failureReason: "550 No such user" }],
    ["mail.bounced", { direction: "outbound", status: "bounced", failureReason: "550 No such user" }],
  ] as const) {
    const other = await stack.account();
    await storeMessage(
      stack,
      await createMailbox(stack, other, AGENT_ID + 10 + type.length + type.charCodeAt(5)),
      fields,
    );
    await recordEvent(scenario, other, type);
  }
  for (const [at, status] of ["deferred", "delivered", "failed", "bounced", "complained"].entries()) {
    const other = await stack.account();
    const deliveries = {
      create: [{ ...createDeliveryOf(other.accountId, status), [`${status}At`]: new Date() }],
    };
    const toAddresses = [addressOf(status)];
    const sender = await createMailbox(stack, other, AGENT_ID + 300 + at);
    await storeMessage(stack, sender, { direction: "outbound", toAddresses, deliveries });
    await recordEvent(scenario, other, `mail.recipient_${status}`);
  }
}

async function recordFiles({ stack, send }: Scenario, { token }: TestAccount) {
  const headers = { "content-type": "text/plain" };
  const query = { filename: "notes.txt" };
  const { json } = await send(UPLOAD, "200", { token, query, body: "Notes", headers });
  await send(UPLOAD, "200 with a media type", {
    token,
    query: { ...query, contentType: "text/csv" },
    body: "a,b",
    headers,
  });
  await send(UPLOAD, "400 no filename", { token, body: "Notes", headers });
  await send(UPLOAD, "413 too large", { token, query, body: new Uint8Array(20 * 2 ** 20 + 1), headers });
  const none = await stack.account();
  await send(UPLOAD, "404 no mailbox", { token: none.token, query, body: "Notes", headers });
  await send(DOWNLOAD, "200", { token, path: { id: json.id } });
  await send(DOWNLOAD, "404", { token, path: { id: "mat_1_none" } });
  const busy = await stack.account();
  await createMailbox(stack, busy, AGENT_ID + 7);
  await exhaust(stack, "mail-upload", busy.accountId, 60);
  await send(UPLOAD, "429", { token: busy.token, query, body: "Notes", headers });
}
