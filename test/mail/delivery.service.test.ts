// @module-tag postgresql
/** State of each recipient of an email: own retries, verified reports, and the suppression list of an account. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { type OwnStack, startStack, type TestAccount } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import { openRelay, type TestRelay } from "./relay.ts";
import { sendRaw } from "./senders.ts";

const JANE = "jane@merchant.example";
const BOB = "bob@merchant.example";
let relay: TestRelay;
let stack: OwnStack;
let account: TestAccount;
let mailbox: Mailbox;
let emailCount = 0;

beforeAll(async () => {
  relay = await openRelay();
  stack = await startStack({ networks: [], env: { SMTP_URL: relay.url, AGENT_MAIL_DOMAIN: "agents.example" } });
});
afterAll(async () => {
  await stack?.stop();
  await relay?.stop();
});
beforeEach(async () => {
  relay.accepted.length = 0;
  relay.refuse(null);
  account = await stack.account();
  mailbox = await createMailbox(stack, account);
});

const post = (owner: TestAccount, email: object) => stack.rest(owner.token, "POST", "/api/agent/email/send", email);
async function send(more: object = {}, owner = account) {
  emailCount += 1;
  const response = await post(owner, { to: JANE, subject: `Order ${emailCount}`, body: "Where is it?", ...more });
  return response.json as { id: string; messageId: string };
}
const getMessage = async (id: string) =>
  (await stack.rest(account.token, "GET", `/api/agent/email/messages/${id}`)).json;
const statesOf = async (id: string) => {
  const { deliveries } = await getMessage(id);
  return Object.fromEntries(deliveries.map((one: { address: string; status: string }) => [one.address, one.status]));
};
const returnPathOf = (recipient: string) =>
  relay.accepted.findLast(({ recipients }) => recipients.includes(recipient))?.from ?? "";

/** A report as `message/delivery-status`, with the original's Message-ID in a header field of its own kind. */
function createReport(to: string, originalId: string, action: string, status = "5.1.1", more: readonly string[] = []) {
  emailCount += 1;
  return [
    "From: Mail Delivery System <mailer-daemon@mx.merchant.example>",
    `To: ${to}`,
    `Subject: Report ${emailCount}`,
    `Message-ID: <report-${emailCount}@mx.merchant.example>`,
    ...more,
    'Content-Type: multipart/report; report-type=delivery-status; boundary="r"',
    "",
    "--r",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.merchant.example",
    "",
    `Final-Recipient: rfc822; ${JANE}`,
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; 550 ${status} no such user`,
    "",
    "--r",
    "Content-Type: text/rfc822-headers",
    "",
    // Folded, as with long domains (RFC 5322, section 2.2.3).
    originalId === "" ? "Subject: none" : `Message-ID:\r\n ${originalId}`,
    "",
    "--r--",
    "",
  ].join("\r\n");
}

const report = (to: string, originalId: string, action: string, status?: string) =>
  sendRaw(stack, to, createReport(to, originalId, action, status), "");
const findReports = () =>
  stack.service.deps.db.prisma.mailMessage.findMany({
    where: { mailboxId: mailbox.id, direction: "inbound" },
    orderBy: { createdAt: "asc" },
  });

describe("an email to several recipients", () => {
  it("is sent to each with a return path of its own, and only the deferred one is retried", async () => {
    relay.refuse((recipient) => (recipient === BOB ? [450, "4.2.0 try later"] : null));
    const { id } = await send({ cc: [BOB] });
    expect(await getMessage(id)).toMatchObject({ status: "sent", failureReason: expect.stringContaining(BOB) });
    expect(await statesOf(id)).toEqual({ [JANE]: "accepted", [BOB]: "deferred" });
    relay.refuse(null);
    await expect.poll(() => statesOf(id), { timeout: 30_000 }).toEqual({ [JANE]: "accepted", [BOB]: "accepted" });
    expect(relay.accepted.map(({ recipients }) => recipients)).toEqual([[JANE], [BOB]]);
    const paths = relay.accepted.map(({ from }) => from);
    expect(new Set(paths).size).toBe(2);
    for (const path of paths) expect(path).toMatch(/^agent-\d+\+b-[0-9a-f]{36}@agents\.example$/);
    expect(new Set(relay.accepted.map(({ mail }) => mail.messageId)).size).toBe(1);
    expect(await getMessage(id)).toMatchObject({ status: "sent", failureReason: null });
  });

  it("bounces for the recipient whose return path a report reaches, regardless of what else it names", async () => {
    const { id } = await send({ cc: [BOB] });
    await report(returnPathOf(BOB).toUpperCase(), "", "failed", "5.2.2");
    expect(await statesOf(id)).toEqual({ [JANE]: "accepted", [BOB]: "bounced" });
    expect(await getMessage(id)).toMatchObject({ status: "sent", failureReason: expect.stringContaining("5.2.2") });
    await report(returnPathOf(JANE), "", "failed");
    expect(await getMessage(id)).toMatchObject({ status: "bounced" });
    // A full mailbox may accept email later, a missing one does not.
    const query = "{ viewer { mailbox { suppressions { edges { node { id address reason } } } } } }";
    const { json } = await stack.graphql(account.token, query);
    const [suppression, ...others] = json.data.viewer.mailbox.suppressions.edges;
    expect([suppression.node, others]).toEqual([{ id: expect.any(String), address: JANE, reason: "BOUNCE" }, []]);
    const refused = await post(account, { to: JANE, subject: "Again", body: "?" });
    expect([refused.status, refused.json.error, refused.json.message]).toEqual([
      ...[400, "invalid_request", expect.stringContaining("an earlier email to it bounced")],
    ]);
    const other = await stack.account();
    await createMailbox(stack, other);
    expect((await post(other, { to: JANE, subject: "Hello", body: "?" })).status).toBe(200);
    const remove = `mutation ($id: ID!) { removeMailSuppression(input: { id: $id }) { __typename } }`;
    expect((await stack.graphql(other.token, remove, { id: suppression.node.id })).json.data).toEqual({
      removeMailSuppression: { __typename: "NotFoundError" },
    });
    await stack.graphql(account.token, remove, { id: suppression.node.id });
    expect((await post(account, { to: JANE, subject: "Again", body: "?" })).status).toBe(200);
  });
});

describe("a report", () => {
  it("about an address to which the recipient forwards neither undoes a delivery nor suppresses the recipient", async () => {
    const sendToBob = async () => {
      const { id } = await send({ to: BOB });
      return { id, path: returnPathOf(BOB) };
    };
    const delivered = await sendToBob();
    await report(delivered.path, "", "delivered", "2.0.0");
    // It names Jane.
    await report(delivered.path, "", "failed", "5.1.1");
    expect(await statesOf(delivered.id)).toEqual({ [BOB]: "delivered" });
    const accepted = await sendToBob();
    await report(accepted.path, "", "failed", "5.1.1");
    expect(await statesOf(accepted.id)).toEqual({ [BOB]: "bounced" });
    expect((await post(account, { to: BOB, subject: "Again", body: "?" })).status).toBe(200);
  });

  it("without a valid return path joins the thread as unverified and changes nothing", async () => {
    const { id, messageId } = await send();
    const path = returnPathOf(JANE);
    const other = await createMailbox(stack, await stack.account());
    const forged = path.replace(/.(?=@)/, (last) => (last === "0" ? "1" : "0"));
    const [, token = ""] = /(\+b-[0-9a-f]+)@/.exec(path) ?? [];
    for (const to of [mailbox.address, forged]) await report(to, messageId, "failed");
    // The token of another account's mailbox.
    await report(other.address.replace("@", `${token}@`), messageId, "failed");
    expect(await statesOf(id)).toEqual({ [JANE]: "accepted" });
    const threadIds = [await getMessage(id), ...(await findReports())].map((one) => one.threadId);
    expect(new Set(threadIds).size).toBe(1);
    const [first] = await findReports();
    expect((await getMessage(first?.id ?? "")).report).toEqual({
      isVerified: false,
      recipients: [{ address: JANE, action: "failed", statusCode: "5.1.1", reason: "550 5.1.1 no such user" }],
    });
  });

  it.each<[string, (id: string) => string[]]>([
    ["X-Original-Message-ID", (id) => [`X-Original-Message-ID: ${id}`]],
    ["In-Reply-To", (id) => [`In-Reply-To: ${id}`]],
    ["References, folded", (id) => [`References: <a@b.example>\r\n ${id}`]],
  ])("that names the original in %s joins its thread", async (_field, fields) => {
    const { id, messageId } = await send();
    await sendRaw(stack, mailbox.address, createReport(mailbox.address, "", "failed", "5.1.1", fields(messageId)), "");
    const [found] = await findReports();
    expect([found?.threadId, found?.automated]).toEqual([(await getMessage(id)).threadId, "bounce"]);
  });

  it("moves a delivery forward only: delayed, delivered, complained", async () => {
    const { id } = await send();
    const path = returnPathOf(JANE);
    const states: string[] = [];
    for (const [action, status] of [
      ["delayed", "4.4.1"],
      ["relayed", "2.0.0"],
      ["delivered", "2.0.0"],
      ["delayed", "4.4.1"],
    ] as const) {
      await report(path, "", action, status);
      states.push((await statesOf(id))[JANE]);
    }
    expect(states).toEqual(["deferred", "deferred", "delivered", "delivered"]);
    expect((await findReports()).map(({ automated }) => automated)).toEqual([
      ...["delivery_delay", "delivery_receipt", "delivery_receipt", "delivery_delay"],
    ]);
    // A feedback loop sends complaints to the mailbox, and names the return path in the report (RFC 5965).
    const complaint = [
      "From: fbl@provider.example",
      `To: ${mailbox.address}`,
      'Content-Type: multipart/report; report-type=feedback-report; boundary="r"',
      "\r\n--r\r\nContent-Type: message/feedback-report\r\n",
      `Feedback-Type: abuse\r\nOriginal-Mail-From: <${path}>\r\n`,
      "--r\r\nContent-Type: message/rfc822\r\n\r\nSubject: x\r\n\r\n--r--\r\n",
    ].join("\r\n");
    await sendRaw(stack, mailbox.address, complaint.replace(path, mailbox.address));
    expect(await statesOf(id)).toEqual({ [JANE]: "delivered" });
    await sendRaw(stack, mailbox.address, complaint);
    expect(await statesOf(id)).toEqual({ [JANE]: "complained" });
    expect((await getMessage(id)).status).toBe("sent");
    expect(
      (await post(account, { to: BOB, cc: [JANE.toUpperCase()], subject: "x", body: "y" })).json.message,
    ).toContain("reported an earlier email as spam");
  });
});

const CASES = join(import.meta.dirname, "reports");
const readCase = (name: string, to: string, originalId: string) =>
  readFileSync(join(CASES, `${name}.eml`), "utf8")
    .replaceAll("agent@agents.example", to)
    .replaceAll("<original@agents.example>", originalId)
    .replace(/^(Message-ID: <)(?=[\w-]+@(?!agents))/m, `$1${emailCount}-`);

describe("the report of", () => {
  it.each([
    ["dsn-exim", "bounce", "bounced"],
    ["dsn-qmail", "bounce", "bounced"],
    ["dsn-exchange", "bounce", "bounced"],
    ["dsn-folded-message-id", "bounce", "bounced"],
    ["dsn-delayed", "delivery_delay", "deferred"],
    ["mdn-displayed", "read_receipt", "accepted"],
  ])("%s is recognised, joins the thread, and counts only at the return path", async (name, kind, state) => {
    const { id, messageId } = await send();
    await sendRaw(stack, mailbox.address, readCase(name, mailbox.address, messageId), "");
    const [found] = await findReports();
    expect([found?.automated, found?.threadId]).toEqual([kind, (await getMessage(id)).threadId]);
    expect(await statesOf(id)).toEqual({ [JANE]: "accepted" });
    emailCount += 1;
    await sendRaw(stack, returnPathOf(JANE), readCase(name, mailbox.address, messageId), "");
    expect(await statesOf(id)).toEqual({ [JANE]: state });
  });
});

it("gives the subaddress of a received message, and marks as automatic only replies to machines", async () => {
  const to = mailbox.address.replace("@", "+orders@");
  const hand = ["From: jane@merchant.example", `To: ${to}`, "Subject: A", "", "Hello."].join("\r\n");
  await sendRaw(stack, to, hand);
  await sendRaw(stack, to, hand.replace("Subject: A", "Subject: Réponse automatique : A"));
  const [first, second] = await findReports();
  expect(await getMessage(first?.id ?? "")).toMatchObject({ envelopeTo: to, subaddress: "orders", automated: null });
  expect(second?.automated).toBe("auto_reply");
  const reply = (messageId?: string) =>
    stack.rest(account.token, "POST", "/api/agent/email/reply", { messageId, body: "Thanks.", force: true });
  for (const message of [first, second]) expect((await reply(message?.id)).status).toBe(200);
  await send();
  expect(relay.accepted.map(({ mail }) => mail.headers.get("auto-submitted"))).toEqual([
    ...[undefined, "auto-replied", undefined],
  ]);
});

describe("a received message", () => {
  const receive = async (lines: readonly string[]) => {
    emailCount += 1;
    const raw = [`Message-ID: <in-${emailCount}@shop.example>`, `To: ${mailbox.address}`, ...lines, "", "Hello."];
    await sendRaw(stack, mailbox.address, raw.join("\r\n"));
    return (await findReports()).at(-1);
  };

  it("with two From fields is suspicious, and rules that block either author apply", async () => {
    const authors = ["From: Desk <orders@shop.example>", "From: Accounts <accounts@bank.example>"];
    const { verdict } = (await getMessage((await receive(authors))?.id ?? "")).authentication;
    expect(verdict).toBe("suspicious");
    for (const pattern of ["shop.example", "bank.example"]) {
      const set = `mutation ($pattern: String!) { setMailRule(input: { action: BLOCK, pattern: $pattern }) {
        ... on SetMailRuleSuccess { rule { id } } } }`;
      const { json } = await stack.graphql(account.token, set, { pattern });
      await expect(receive(authors)).rejects.toThrow("5.7.1");
      const remove = "mutation ($id: ID!) { removeMailRule(input: { id: $id }) { __typename } }";
      await stack.graphql(account.token, remove, { id: json.data.setMailRule.rule.id });
    }
  });

  it("is replied to at every address in Reply-To", async () => {
    const message = await receive(["From: a@shop.example", `Reply-To: Desk <desk@shop.example>, ${BOB}`]);
    const reply = { messageId: message?.id, body: "Thanks." };
    expect((await stack.rest(account.token, "POST", "/api/agent/email/reply", reply)).status).toBe(200);
    expect(relay.accepted.map(({ recipients }) => recipients.join()).toSorted()).toEqual([BOB, "desk@shop.example"]);
  });

  it.each(["bücher.example", "xn--bcher-kva.example"])(
    "of a blocked domain %s is refused in both forms",
    async (pattern) => {
      const set = `mutation ($pattern: String!) { setMailRule(input: { action: BLOCK, pattern: $pattern }) { __typename } }`;
      const { json } = await stack.graphql(account.token, set, { pattern });
      expect(json.data.setMailRule.__typename).toBe("SetMailRuleSuccess");
      for (const domain of ["bücher.example", "xn--bcher-kva.example", "laden.bücher.example"]) {
        await expect(receive([`From: a@${domain}`])).rejects.toThrow("5.7.1");
      }
    },
  );
});
