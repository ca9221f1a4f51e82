import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { defaultSender } from "../../../src/platform/email/mailer.ts";
import { createTestMailer, openMailServer, type ReceivedEmail } from "../../support/mail-server.ts";

const EMAIL = { to: "ada@example.com", subject: "Your code", text: "It is 481516." };

describe("an email", () => {
  it("arrives unchanged, from the configured sender, marked as auto-generated", async () => {
    const server = await openMailServer();
    const { mailer } = createTestMailer(server.url);
    const { messageId } = await mailer.send({
      ...EMAIL,
      subject: "Grüße – 5,00 €",
      html: "<p>It is <b>481516</b>.</p>",
    });
    const [{ mail, recipients }] = server.received as [ReceivedEmail];
    expect(recipients).toEqual(["ada@example.com"]);
    expect(mail).toMatchObject({ messageId, subject: "Grüße – 5,00 €", html: "<p>It is <b>481516</b>.</p>" });
    expect(mail.text?.trim()).toBe("It is 481516.");
    expect(mail.from?.text).toBe('"Satchel" <no-reply@satchel.example>');
    expect(mail.headers.get("auto-submitted")).toBe("auto-generated");
  });

  it("cannot inject headers or recipients", async () => {
    const server = await openMailServer();
    const { mailer } = createTestMailer(server.url);
    await mailer.send(EMAIL);
    const usual = headersOf(server.received.pop());
    const hostile = fc.array(
      fc.constantFrom("\r\n", "\n", "\r", "Bcc: eve@evil.example", "X-Own: 1", "\0", "\u2028", "é", " "),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (parts) => {
        await mailer.send({ ...EMAIL, subject: `a${parts.join("")}`, idempotencyKey: parts.join("") });
        const arrived = server.received.pop();
        expect(headersOf(arrived)).toEqual(usual);
        expect(arrived?.recipients).toEqual(["ada@example.com"]);
      }),
      { numRuns: 40 },
    );
  });

  it.each([
    "ada@example.com, eve@evil.example",
    "ada@example.com\r\nBcc: eve@evil.example",
    "Ada <ada@example.com>",
    "ada@example.com> SIZE=1\r\nRCPT TO:<eve@evil.example",
    "ada",
    "",
  ])("is rejected unless `to` is one address: %j", async (to) => {
    const server = await openMailServer();
    const { mailer } = createTestMailer(server.url);
    await expect(mailer.send({ ...EMAIL, to })).rejects.toMatchObject({ code: "invalid_request", field: "to" });
    expect(server.counts.connections).toBe(0);
  });

  it("has the same Message-ID for the same key, without revealing the key", async () => {
    const server = await openMailServer();
    const { mailer } = createTestMailer(server.url);
    for (const idempotencyKey of ["grant-7", "grant-7", "grant-8"]) await mailer.send({ ...EMAIL, idempotencyKey });
    const [first, second, third] = server.received.map(({ mail }) => mail.messageId);
    expect(first).toBe(second);
    expect(third).not.toBe(first);
    expect(first).toMatch(/^<[0-9a-f]{40}@satchel\.example>$/);
  });

  it("shares a small pool of connections", async () => {
    const server = await openMailServer();
    const { mailer } = createTestMailer(server.url);
    await Promise.all(Array.from({ length: 25 }, () => mailer.send(EMAIL)));
    expect(server.received).toHaveLength(25);
    expect(server.counts.connections).toBeLessThanOrEqual(5);
  });
});

describe("a failed email", () => {
  it("is rejected if no mail server is configured", async () => {
    const { mailer } = createTestMailer(undefined);
    expect(mailer.isConfigured).toBe(false);
    await expect(mailer.send(EMAIL)).rejects.toMatchObject({ code: "mail_not_configured" });
  });

  it.each([
    [550, true],
    [451, false],
  ])("with reply code %i for the recipient has isPermanent %s", async (responseCode, isPermanent) => {
    const server = await openMailServer({ refuse: () => [responseCode, "5.7.1 no"] });
    const { mailer, log } = createTestMailer(server.url);
    await expect(mailer.send(EMAIL)).rejects.toMatchObject({ code: "mail_failed", isPermanent });
    expect(JSON.parse(log[0] ?? "")).toMatchObject({ code: "EENVELOPE", responseCode, enhancedCode: "5.7.1" });
  });

  it("times out at a silent server, and fails at a closed port", async () => {
    const silent = createServer();
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const waiting = createTestMailer(`smtp://127.0.0.1:${port}`, { timeoutMs: 100 }).mailer.send(EMAIL);
    await expect(waiting).rejects.toMatchObject({ code: "mail_failed", isPermanent: false });
    await new Promise((resolve) => silent.close(resolve));
    const refused = createTestMailer(`smtp://127.0.0.1:${port}`).mailer.send(EMAIL);
    await expect(refused).rejects.toMatchObject({ code: "mail_failed", isPermanent: false });
  });

  it("reveals neither credentials nor content, even if the server repeats them", async () => {
    const password = "correct horse";
    const repeat = `535 ${password} ${Buffer.from(`\0relay\0${password}`).toString("base64")} is wrong`;
    const guarded = await openMailServer({
      authOptional: false,
      onAuth: (_auth, _session, done) => done(Object.assign(new Error(repeat), { responseCode: 535 })),
    });
    const repeating = await openMailServer({ refuse: () => [550, `refused: ${EMAIL.text} ${EMAIL.to}`] });
    for (const { port } of [guarded, repeating]) {
      const { mailer, log } = createTestMailer(
        `smtp://relay:${encodeURIComponent(password)}@127.0.0.1:${port}?debug=true&logger=true`,
      );
      const printed = vi.spyOn(console, "log");
      const error = await mailer.send(EMAIL).catch((thrown: Error) => thrown);
      const shown = [log, String(error), JSON.stringify(error), (error as Error).stack, printed.mock.calls]
        .flat(3)
        .join("\n");
      expect(shown).toContain("MailFailedError");
      // Wrong credentials are a configuration error, so a retry may succeed; a rejected recipient is permanent.
      expect(error).toMatchObject({ isPermanent: port === repeating.port });
      for (const secret of [
        password,
        Buffer.from(password).toString("base64").slice(0, 12),
        "481516",
        "ada@example.com",
      ]) {
        expect(shown).not.toContain(secret);
      }
    }
  });
});

describe("encryption", () => {
  // 0.0.0.0 connects to this machine but is not a loopback name.
  it("is required of other hosts before credentials are sent, unless the URL disables it", async () => {
    const server = await openMailServer();
    const sendToOtherHost = (query: string) =>
      createTestMailer(`smtp://relay:secret@0.0.0.0:${server.port}${query}`).mailer.send(EMAIL);
    await expect(sendToOtherHost("")).rejects.toMatchObject({ code: "mail_failed" });
    expect(server.counts).toEqual({ connections: 1, authentications: 0 });
    await sendToOtherHost("?requireTLS=false");
    await sendToOtherHost("?ignoreTLS=true");
    expect(server.received).toHaveLength(2);
  });

  it("requires a trusted certificate, unless the URL disables verification", async () => {
    const { port, received: arrived } = await openMailServer({ secure: true, disabledCommands: [] });
    const over = (query: string) => createTestMailer(`smtps://127.0.0.1:${port}${query}`).mailer.send(EMAIL);
    await expect(over("")).rejects.toMatchObject({ code: "mail_failed" });
    expect(arrived).toEqual([]);
    await over("?tls.rejectUnauthorized=false");
    expect(arrived).toHaveLength(1);
  });
});

it("defaultSender uses the host name of the service", () => {
  expect(defaultSender("https://satchel.example:8443/x")).toBe("Satchel <no-reply@satchel.example>");
  for (const baseUrl of [undefined, "http://127.0.0.1:4000", "http://[::1]:4000"]) {
    expect(defaultSender(baseUrl)).toBe("Satchel <no-reply@satchel.localhost>");
  }
});

/** Returns the sorted header names of an email. */
function headersOf(arrived: ReceivedEmail | undefined): string[] {
  const names = arrived?.mail.headerLines.map(({ key }) => key) ?? [];
  expect(names).toContain("subject");
  return names.toSorted();
}
