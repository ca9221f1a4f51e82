import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { defaultSender } from "../../../src/platform/email/mailer.ts";
import { type Arrived, openMailer, openMailServer } from "../../support/mail-server.ts";

const LETTER = { to: "ada@example.com", subject: "Your code", text: "It is 481516." };

describe("a letter", () => {
  it("arrives whole, from the sender, marked as sent by a machine", async () => {
    const server = await openMailServer();
    const { mailer } = openMailer(server.url);
    const { messageId } = await mailer.send({
      ...LETTER,
      subject: "Grüße – 5,00 €",
      html: "<p>It is <b>481516</b>.</p>",
    });
    const [{ mail, recipients }] = server.arrived as [Arrived];
    expect(recipients).toEqual(["ada@example.com"]);
    expect(mail).toMatchObject({ messageId, subject: "Grüße – 5,00 €", html: "<p>It is <b>481516</b>.</p>" });
    expect(mail.text?.trim()).toBe("It is 481516.");
    expect(mail.from?.text).toBe('"Satchel" <no-reply@satchel.example>');
    expect(mail.headers.get("auto-submitted")).toBe("auto-generated");
  });

  it("cannot bring headers or recipients of its own", async () => {
    const server = await openMailServer();
    const { mailer } = openMailer(server.url);
    await mailer.send(LETTER);
    const usual = headersOf(server.arrived.pop());
    const hostile = fc.array(
      fc.constantFrom("\r\n", "\n", "\r", "Bcc: eve@evil.example", "X-Own: 1", "\0", "\u2028", "é", " "),
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (parts) => {
        await mailer.send({ ...LETTER, subject: `a${parts.join("")}`, idempotencyKey: parts.join("") });
        const arrived = server.arrived.pop();
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
  ])("goes to one address only, which %j is not", async (to) => {
    const server = await openMailServer();
    const { mailer } = openMailer(server.url);
    await expect(mailer.send({ ...LETTER, to })).rejects.toMatchObject({ code: "invalid_request", field: "to" });
    expect(server.seen.connections).toBe(0);
  });

  it("with the same key has the same Message-ID, which tells nothing of the key", async () => {
    const server = await openMailServer();
    const { mailer } = openMailer(server.url);
    for (const idempotencyKey of ["grant-7", "grant-7", "grant-8"]) await mailer.send({ ...LETTER, idempotencyKey });
    const [first, second, third] = server.arrived.map(({ mail }) => mail.messageId);
    expect(first).toBe(second);
    expect(third).not.toBe(first);
    expect(first).toMatch(/^<[0-9a-f]{40}@satchel\.example>$/);
  });

  it("shares a few connections with the others", async () => {
    const server = await openMailServer();
    const { mailer } = openMailer(server.url);
    await Promise.all(Array.from({ length: 25 }, () => mailer.send(LETTER)));
    expect(server.arrived).toHaveLength(25);
    expect(server.seen.connections).toBeLessThanOrEqual(5);
  });
});

describe("when it cannot be sent", () => {
  it("says that there is no server", async () => {
    const { mailer } = openMailer(undefined);
    expect(mailer.isConfigured).toBe(false);
    await expect(mailer.send(LETTER)).rejects.toMatchObject({ code: "mail_not_configured" });
  });

  it.each([
    [550, true],
    [451, false],
  ])("a recipient refused with %i: for good is %s", async (responseCode, isPermanent) => {
    const server = await openMailServer({ refuse: () => [responseCode, "5.7.1 no"] });
    const { mailer, log } = openMailer(server.url);
    await expect(mailer.send(LETTER)).rejects.toMatchObject({ code: "mail_failed", isPermanent });
    expect(JSON.parse(log[0] ?? "")).toMatchObject({ code: "EENVELOPE", responseCode, enhancedCode: "5.7.1" });
  });

  it("gives up on a server that does not speak, and on none at all", async () => {
    const deaf = createServer();
    deaf.listen(0, "127.0.0.1");
    await once(deaf, "listening");
    const { port } = deaf.address() as AddressInfo;
    const waiting = openMailer(`smtp://127.0.0.1:${port}`, { timeoutMs: 100 }).mailer.send(LETTER);
    await expect(waiting).rejects.toMatchObject({ code: "mail_failed", isPermanent: false });
    await new Promise((resolve) => deaf.close(resolve));
    const refused = openMailer(`smtp://127.0.0.1:${port}`).mailer.send(LETTER);
    await expect(refused).rejects.toMatchObject({ code: "mail_failed", isPermanent: false });
  });

  it("never shows the credentials or the letter, even when the server repeats them", async () => {
    const password = "correct horse";
    const repeat = `535 ${password} ${Buffer.from(`\0relay\0${password}`).toString("base64")} is wrong`;
    const guarded = await openMailServer({
      authOptional: false,
      onAuth: (_auth, _session, done) => done(Object.assign(new Error(repeat), { responseCode: 535 })),
    });
    const gossiping = await openMailServer({ refuse: () => [550, `refused: ${LETTER.text} ${LETTER.to}`] });
    for (const { port } of [guarded, gossiping]) {
      const { mailer, log } = openMailer(
        `smtp://relay:${encodeURIComponent(password)}@127.0.0.1:${port}?debug=true&logger=true`,
      );
      const printed = vi.spyOn(console, "log");
      const error = await mailer.send(LETTER).catch((thrown: Error) => thrown);
      const shown = [log, String(error), JSON.stringify(error), (error as Error).stack, printed.mock.calls]
        .flat(3)
        .join("\n");
      expect(shown).toContain("MailFailedError");
      // Wrong credentials are mended here; a refused recipient is not.
      expect(error).toMatchObject({ isPermanent: port === gossiping.port });
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
  // 0.0.0.0 reaches this machine and is not one of its loopback names.
  it("is required of other hosts before any credential is sent, unless the URL says otherwise", async () => {
    const server = await openMailServer();
    const away = (query: string) =>
      openMailer(`smtp://relay:secret@0.0.0.0:${server.port}${query}`).mailer.send(LETTER);
    await expect(away("")).rejects.toMatchObject({ code: "mail_failed" });
    expect(server.seen).toEqual({ connections: 1, authentications: 0 });
    await away("?requireTLS=false");
    await away("?ignoreTLS=true");
    expect(server.arrived).toHaveLength(2);
  });

  it("needs a certificate that can be trusted, unless the URL says otherwise", async () => {
    const { port, arrived } = await openMailServer({ secure: true, disabledCommands: [] });
    const over = (query: string) => openMailer(`smtps://127.0.0.1:${port}${query}`).mailer.send(LETTER);
    await expect(over("")).rejects.toMatchObject({ code: "mail_failed" });
    expect(arrived).toEqual([]);
    await over("?tls.rejectUnauthorized=false");
    expect(arrived).toHaveLength(1);
  });
});

it("the usual sender is at the service's own name", () => {
  expect(defaultSender("https://satchel.example:8443/x")).toBe("Satchel <no-reply@satchel.example>");
  for (const baseUrl of [undefined, "http://127.0.0.1:4000", "http://[::1]:4000"]) {
    expect(defaultSender(baseUrl)).toBe("Satchel <no-reply@satchel.localhost>");
  }
});

/** Names and values of a letter's headers, without those that differ from letter to letter. */
function headersOf(arrived: Arrived | undefined): string[] {
  const names = arrived?.mail.headerLines.map(({ key }) => key) ?? [];
  expect(names).toContain("subject");
  return names.toSorted();
}
