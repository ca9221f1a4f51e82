import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Message } from "../../sandbox/mail/mailbox.ts";
import { type Sandbox, startSandbox } from "../../sandbox/start.ts";
import { getSharedBrowser } from "../support/browser.ts";

const dataDir = mkdtempSync(join(tmpdir(), "sandbox-mail-"));
const closing: (() => unknown)[] = [];
let sandbox: Sandbox;
let mailUrl: string;

beforeAll(() => start());
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  await sandbox.stop();
  rmSync(dataDir, { recursive: true });
});

/** Starts a sandbox without chains, which mail does not need. */
async function start(): Promise<void> {
  sandbox = await startSandbox({ dataDir, networks: [] });
  mailUrl = sandbox.endpoints.mailUrl;
}

async function send(mail: SendMailOptions): Promise<{ id: string; messageId: string }> {
  const transport = createTransport({ ...sandbox.endpoints.smtp, auth: { user: "any", pass: "thing" } });
  const { response, messageId } = await transport.sendMail({ from: "Ada <ada@example.com>", text: "Hello.", ...mail });
  return { id: /message (\d+)$/.exec(response)?.[1] ?? "", messageId };
}

async function get<Body>(path: string): Promise<Body> {
  const response = await fetch(mailUrl + path);
  expect(response.status).toBe(200);
  return (await response.json()) as Body;
}

const messagesTo = async (to: string) =>
  (await get<{ messages: Message[] }>(`/messages?to=${encodeURIComponent(to)}`)).messages;

/** Subscribes to the event stream. Resolves when it is connected, to an iterator of the `mail` events. */
async function listen(headers: Record<string, string> = {}): Promise<AsyncGenerator<Record<string, unknown>>> {
  const { body } = await fetch(`${mailUrl}/events`, { headers });
  return (async function* () {
    let text = "";
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
        const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
        text = text.slice(end + 2);
        if (data) yield JSON.parse(data);
      }
    }
  })();
}

describe("the mail server", () => {
  it("stores each message for all its recipients and lists newest first", async () => {
    const first = await send({ to: "one@example.com, two@example.com", bcc: "secret@example.com", subject: "First" });
    const attachment = { filename: "list.csv", content: "a,b", contentType: "text/csv" };
    const inReplyTo = first.messageId;
    await send({
      to: "ONE@example.com",
      subject: "Re: First – ü",
      inReplyTo,
      references: inReplyTo,
      attachments: [attachment],
    });
    const [newest, oldest, ...others] = await messagesTo("one@Example.com");
    expect(others).toEqual([]);
    expect(newest).toMatchObject({
      subject: "Re: First – ü",
      from: '"Ada" <ada@example.com>',
      text: "Hello.",
      html: null,
      inReplyTo,
      references: [inReplyTo],
      attachments: [{ filename: "list.csv", contentType: "text/csv", sizeBytes: 3 }],
      envelope: { from: "ada@example.com", to: ["ONE@example.com"] },
    });
    expect(oldest).toEqual(await get(`/messages/${first.id}`));
    expect((await messagesTo("secret@example.com")).map(({ id }) => id)).toEqual([first.id]);
    expect(await messagesTo("unknown@example.com")).toEqual([]);
    const raw = await (await fetch(`${mailUrl}/messages/${first.id}/raw`)).text();
    expect(raw).toContain(`Message-ID: ${first.messageId}\r\n`);
    for (const path of [
      "/messages/999",
      "/messages/..%2fports",
      "/messages/999/raw",
      "/message/999",
      `/message/${first.id}/html`,
    ]) {
      expect((await fetch(mailUrl + path)).status, path).toBe(404);
    }
  });

  it("publishes each message, and missed messages after a reconnect", async () => {
    const stream = await listen();
    const { id } = await send({ to: "live@example.com", subject: "One" });
    const later = await send({ to: "live@example.com", subject: "Two" });
    const { value: first } = await stream.next();
    expect(first).toMatchObject({ id, subject: "One", envelope: { to: ["live@example.com"] } });
    expect(first).not.toHaveProperty("text");
    expect((await stream.next()).value).toMatchObject({ id: later.id });
    await stream.return(undefined);

    const again = await listen({ "last-event-id": id });
    expect((await again.next()).value).toMatchObject({ id: later.id, subject: "Two" });
    await again.return(undefined);
  });

  it("rejects a message that is too large and accepts the next one", async () => {
    const envelope = { from: "ada@example.com", to: "a@example.com" };
    const tooLarge = send({ envelope, raw: Buffer.alloc(37 * 1024 * 1024, `${"x".repeat(76)}\r\n`) });
    await expect(tooLarge).rejects.toMatchObject({ responseCode: 552 });
    expect((await send({ to: "a@example.com" })).id).toMatch(/^\d+$/);
  });

  it("retains its endpoints and its messages after a restart", async () => {
    const { id } = await send({ to: "kept@example.com", subject: "Kept", html: "<p>Hello.</p>" });
    const before = { endpoints: sandbox.endpoints, message: await get(`/messages/${id}`) };
    await sandbox.stop();
    await start();
    expect(sandbox.endpoints).toEqual(before.endpoints);
    expect(await messagesTo("kept@example.com")).toEqual([before.message]);
    expect(Number((await send({ to: "kept@example.com" })).id)).toBe(Number(id) + 1);
  });

  it("listens on another port if its previous one is in use", async () => {
    const { port } = sandbox.endpoints.smtp;
    await sandbox.stop();
    const other = createServer();
    other.listen(port, "127.0.0.1");
    await once(other, "listening");
    await start();
    expect(sandbox.endpoints.smtp.port).not.toBe(port);
    await send({ to: "moved@example.com" });
    await new Promise((resolve) => other.close(resolve));
  });
});

describe("the mail page", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await getSharedBrowser();
  });

  it("adds a new message to the list without a reload", async () => {
    const page = await browser.newPage();
    const opened = page.waitForResponse((response) => response.url().endsWith("/events"));
    await page.goto(mailUrl);
    await opened;
    await send({ to: "live@example.com", subject: "<i>Fresh</i>" });
    await page.getByRole("link", { name: "<i>Fresh</i>" }).waitFor();
    await expect.poll(() => page.getByRole("status").textContent()).toBe("New message: <i>Fresh</i>");
    await page.getByLabel("Recipient").fill("unknown@example.com");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByText("No messages to unknown@example.com.").waitFor();
    await page.close();
  });

  it("blocks scripts, external resources and navigation in an HTML part", async () => {
    const calls: string[] = [];
    const trap = createHttpServer((request, response) => {
      calls.push(request.url ?? "");
      response.end();
    });
    trap.listen(0, "127.0.0.1");
    await once(trap, "listening");
    closing.push(() => trap.close());
    const away = `http://127.0.0.1:${(trap.address() as AddressInfo).port}`;
    const { id } = await send({
      to: "victim@example.com",
      subject: `</title><script src="${away}/subject"></script>`,
      from: { name: `<img src=${away}/from>`, address: "eve@example.com" },
      text: `<script src="${away}/text"></script> ${away}/link`,
      html: `<p>Shown</p><img src="${away}/img"><script>fetch("${away}/inline")</script><script src="${away}/script"></script>
        <img src="data:," onerror="fetch('${away}/onerror')"><link rel="stylesheet" href="${away}/css">
        <meta http-equiv="refresh" content="0;url=${away}/refresh"><iframe src="${away}/frame"></iframe>
        <style>@import "${away}/import"; p { background: url(${away}/background) }</style>
        <form action="${away}/form"><button>Go</button></form><a href="${away}/navigate" target="_self">Leave</a>`,
    });
    const page = await browser.newPage();
    const consoleTexts: string[] = [];
    page.on("console", (message) => consoleTexts.push(message.text()));
    await page.goto(`${mailUrl}/message/${id}`, { waitUntil: "networkidle" });
    const frame = page.frameLocator("iframe");
    await expect.poll(() => frame.getByText("Shown").isVisible()).toBe(true);
    await frame.getByRole("button").click();
    await frame.getByRole("link").click();
    await expect.poll(() => consoleTexts.join("\n")).toMatch(/Framing .* violates .* "frame-src 'self'"/);
    const links = page.locator("pre a");
    expect(await links.evaluateAll((all) => all.map((one) => one.getAttribute("href")))).toEqual([
      `${away}/text`,
      `${away}/link`,
    ]);
    expect(new URL(page.url()).pathname).toBe(`/message/${id}`);

    // The HTML part has the same restrictions when it is opened directly.
    await page.goto(`${mailUrl}/message/${id}/html`, { waitUntil: "networkidle" });
    await expect.poll(() => page.getByText("Shown").isVisible()).toBe(true);
    await page.close();
    expect(calls).toEqual([]);
    expect(consoleTexts.join("\n")).toMatch(/Blocked script execution/);
    expect(consoleTexts.join("\n")).toMatch(
      /violates the following Content Security Policy directive: "(img|style)-src/,
    );
  });
});
