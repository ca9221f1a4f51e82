/** The SMTP listener: refusals, their reply codes, and robustness against malformed clients. */
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { createTransport } from "nodemailer";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Mailbox } from "../../generated/prisma/client.ts";
import { selfSigned } from "../../sandbox/app/self-signed.ts";
import { newId } from "../../src/platform/ids.ts";
import { type OwnStack, startStack } from "../support/stack.ts";
import { createMailbox } from "./fixtures.ts";
import { listenerOf, openSender, send, sendRaw, sendSmtpLines } from "./senders.ts";

const MAX_BYTES = 100_000;
let stack: OwnStack;
let mailbox: Mailbox;

beforeAll(async () => {
  const env = {
    AGENT_MAIL_DOMAIN: "agents.example",
    MAIL_MAX_MESSAGE_BYTES: String(MAX_BYTES),
    MAIL_PER_SENDER_PER_MINUTE: "20",
  };
  stack = await startStack({ networks: [], env });
  mailbox = await createMailbox(stack, await stack.account());
});
afterAll(() => stack?.stop());

const count = (of: Mailbox = mailbox) =>
  stack.service.deps.db.prisma.mailMessage.count({ where: { mailboxId: of.id } });
const rule = async (of: Mailbox, action: "allow" | "block", pattern: string) => {
  await stack.service.deps.db.prisma.mailRule.create({ data: { id: newId("mrl"), mailboxId: of.id, action, pattern } });
};
const freshMailbox = async () => createMailbox(stack, await stack.account());
const mailTo = ({ address }: Mailbox, from = "ada@ada.example") => ({ from, to: address, subject: "x", text: "x" });

it("accepts only agent mailboxes and does not relay", async () => {
  for (const to of [
    "agent-999999@agents.example",
    "ada@elsewhere.example",
    "agents.example@x.example",
    mailbox.address.replace("agents.example", "agents.example.elsewhere.example"),
  ]) {
    await expect(send(stack, mailTo({ ...mailbox, address: to }))).rejects.toMatchObject({ responseCode: 550 });
  }
  const replies = await sendSmtpLines(stack, [
    "EHLO x.example",
    "MAIL FROM:<a@x.example>",
    "RCPT TO:<unknown@agents.example>",
    "DATA",
  ]);
  expect(replies[3]).toBe("550 5.1.1 The mailbox does not exist.");
  expect(replies[4]).toMatch(/^503/);
});

it("refuses mail to a revoked agent", async () => {
  const closed = await freshMailbox();
  await stack.service.deps.db.prisma.agent.update({ where: { id: closed.agentId }, data: { status: "revoked" } });
  await expect(send(stack, mailTo(closed))).rejects.toMatchObject({
    responseCode: 550,
    response: expect.stringContaining("5.2.1"),
  });
});

it("refuses an oversized message, with or without SIZE, and continues on the same connection", async () => {
  const large = { ...mailTo(mailbox), text: "x".repeat(MAX_BYTES) };
  await expect(send(stack, large)).rejects.toMatchObject({ responseCode: 552 });
  const replies = await sendSmtpLines(stack, ["EHLO x.example", `MAIL FROM:<a@x.example> SIZE=${MAX_BYTES + 1}`]);
  expect(replies[2]).toMatch(/^552/);
  // One connection: the next message is accepted.
  const transport = createTransport({ ...listenerOf(stack), ignoreTLS: true, pool: true, maxConnections: 1 });
  const before = await count();
  const [first, second] = await Promise.allSettled([transport.sendMail(large), transport.sendMail(mailTo(mailbox))]);
  transport.close();
  expect([first?.status, second?.status]).toEqual(["rejected", "fulfilled"]);
  expect(await count()).toBe(before + 1);
});

describe("rules", () => {
  it("refuse a blocked sender in the envelope or in From", async () => {
    const own = await freshMailbox();
    await rule(own, "block", "spam.example");
    await rule(own, "block", "eve@ada.example");
    for (const from of ["a@spam.example", "a@mail.spam.example", "Eve@ADA.example"]) {
      await expect(send(stack, mailTo(own, from))).rejects.toMatchObject({ responseCode: 550 });
    }
    const disguised = { ...mailTo(own, "a@spam.example"), envelope: { from: "a@innocent.example", to: own.address } };
    await expect(send(stack, disguised)).rejects.toMatchObject({ responseCode: 550 });
    await send(stack, mailTo(own));
    expect(await count(own)).toBe(1);
  });

  it("with an allow rule, accept only authenticated mail of allowed senders", async () => {
    const own = await freshMailbox();
    await rule(own, "allow", "friend.example");
    const friend = await openSender(stack, "friend.example");
    await expect(send(stack, mailTo(own))).rejects.toMatchObject({ responseCode: 550 });
    const forged = { ...mailTo(own, "a@friend.example"), envelope: { from: "eve@eve.example", to: own.address } };
    await expect(send(stack, forged)).rejects.toMatchObject({ responseCode: 550 });
    await friend.send(mailTo(own, "a@friend.example"));
    expect(await count(own)).toBe(1);
  });
});

it("limits the rate of one sender without affecting others", async () => {
  const own = await freshMailbox();
  const results = [];
  for (let n = 0; n < 25; n++)
    results.push(
      await send(stack, mailTo(own, "much@ada.example")).then(
        () => 250,
        ({ responseCode }) => responseCode,
      ),
    );
  expect(results.filter((code) => code === 250)).toHaveLength(20);
  expect(results.filter((code) => code === 450)).toHaveLength(5);
  await send(stack, mailTo(own, "other@ada.example"));
  expect(await count(own)).toBe(21);
});

it("refuses a message in a mail loop", async () => {
  const hops = "Received: by x.example; Tue, 01 Dec 2026 10:00:00 +0000\r\n".repeat(101);
  await expect(sendRaw(stack, mailbox.address, `${hops}Subject: round\r\n\r\nAnd round.\r\n`)).rejects.toMatchObject({
    responseCode: 554,
  });
});

/** Sends lines, each after a reply, and closes the connection after the last. */
async function disconnectAfter(lines: readonly string[]): Promise<void> {
  const { host, port } = listenerOf(stack);
  const socket = connect(port, host).on("error", () => {});
  for (const line of lines) {
    await new Promise((resolve) => socket.once("data", resolve));
    socket.write(`${line}\r\n`);
  }
  socket.destroy();
}

it("survives clients that disconnect, send garbage or smuggle a second message", async () => {
  const { host, port } = listenerOf(stack);
  const before = await count();
  const lines = ["EHLO x.example", "MAIL FROM:<a@x.example>", `RCPT TO:<${mailbox.address}>`, "DATA"];
  const garbage = [
    Buffer.alloc(70_000, "A"),
    Buffer.from([0, 255, 10, 13, 10]),
    "\r\n".repeat(1_000),
    "DATA\r\nRCPT\r\nMAIL FROM:<\r\n",
    `EHLO ${"x".repeat(20_000)}\r\n`,
  ];
  await Promise.all([
    ...garbage.map(
      (bytes) =>
        new Promise<void>((resolve) => {
          const socket = connect(port, host, () => socket.end(bytes));
          socket
            .on("data", () => {})
            .on("error", () => {})
            .on("close", () => resolve());
        }),
    ),
    disconnectAfter([...lines, "Subject: half\r\n\r\nhalf"]),
  ]);
  // After a bare LF, a smuggled second message remains text of the first.
  const smuggled = "Subject: smuggled\r\n\r\nOne.\n.\nMAIL FROM:<eve@eve.example>\r\n";
  await sendRaw(stack, mailbox.address, smuggled);
  expect(await count()).toBe(before + 1);
});

it("replies 421 to a host with too many connections", async () => {
  const { host, port } = listenerOf(stack);
  const sockets = Array.from({ length: 60 }, () => connect(port, host));
  const greetings = await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<string>((resolve) => {
          socket.once("data", (data) => resolve(data.toString().slice(0, 3)));
          socket.on("error", () => resolve("error"));
        }),
    ),
  );
  for (const socket of sockets) socket.destroy();
  expect(greetings.filter((code) => code === "220")).toHaveLength(50);
  expect(greetings.filter((code) => code === "421")).toHaveLength(10);
  await expect
    .poll(() =>
      send(stack, mailTo(mailbox, "after@ada.example")).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
});

/** Returns the certificate that the listener offers. */
async function readCertificateOf(of: OwnStack) {
  const { host, port } = listenerOf(of);
  const plain = connect(port, host);
  try {
    for (const line of [null, "EHLO x.example", "STARTTLS"]) {
      if (line !== null) plain.write(`${line}\r\n`);
      for (let text = ""; !/^\d{3} .*\r\n/m.test(text); ) text += String((await once(plain, "data"))[0]);
    }
    const socket = connectTls({ socket: plain, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    return socket.getPeerCertificate();
  } finally {
    plain.destroy();
  }
}

it("offers STARTTLS only with a certificate, and never AUTH", async () => {
  const replies = await sendSmtpLines(stack, ["EHLO x.example", "STARTTLS", "AUTH PLAIN AGEAYg=="]);
  expect(replies.slice(2).every((reply) => /^50\d/.test(reply))).toBe(true);

  const certificate = selfSigned("mx.example");
  const folder = mkdtempSync(join(tmpdir(), "mail-tls-"));
  const files = { MAIL_TLS_CERT_FILE: join(folder, "cert.pem"), MAIL_TLS_KEY_FILE: join(folder, "key.pem") };
  writeFileSync(files.MAIL_TLS_CERT_FILE, certificate.cert);
  writeFileSync(files.MAIL_TLS_KEY_FILE, certificate.key);
  const logged: string[] = [];
  const secured = await startStack({
    env: { MAIL_LISTEN_PORT: "0", MAIL_DNS_SERVERS: stack.sandbox?.dnsServer ?? "", ...files },
    onLog: (line) => logged.push(line),
  });
  try {
    const own = await createMailbox(secured, await secured.account());
    const transport = createTransport({ ...listenerOf(secured), requireTLS: true, tls: { rejectUnauthorized: false } });
    await transport.sendMail(mailTo(own));
    transport.close();
    expect(await secured.service.deps.db.prisma.mailMessage.count({ where: { mailboxId: own.id } })).toBe(1);

    const renewed = selfSigned("renewed.example");
    // The key follows its certificate later, as when a program writes both.
    writeFileSync(files.MAIL_TLS_CERT_FILE, renewed.cert);
    writeFileSync(files.MAIL_TLS_KEY_FILE, renewed.key);
    const offered = async () => (await readCertificateOf(secured)).subject["CN"];
    await expect.poll(offered, { timeout: 30_000, interval: 500 }).toBe("renewed.example");
    writeFileSync(files.MAIL_TLS_CERT_FILE, "not a certificate");
    await expect.poll(() => logged.join("\n"), { timeout: 30_000 }).toContain("the previous one remains");
    expect(await offered()).toBe("renewed.example");
  } finally {
    await secured.stop();
    rmSync(folder, { recursive: true });
  }
});
