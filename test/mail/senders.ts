/** SMTP clients for tests: nodemailer, raw sockets, and DNS records for sender authentication. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { createClient } from "graphql-ws";
import { createTransport, type SendMailOptions } from "nodemailer";
import WebSocket from "ws";
import type { Stack, TestAccount } from "../support/stack.ts";

export interface Sender {
  readonly domain: string;
  /** Sends an email signed with the domain's key to the service's listener. */
  send(mail: SendMailOptions): Promise<{ messageId: string; response: string }>;
}

/** Sets up a domain whose SPF permits this host, with a published DKIM key and the DMARC policy `reject`. */
export async function openSender(stack: Stack, domain: string, spf = "v=spf1 ip4:127.0.0.1 -all"): Promise<Sender> {
  // A unique selector, because the service caches keys of the same domain from other test files.
  const keySelector = `test-${randomBytes(4).toString("hex")}`;
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = publicKey.export({ type: "spki", format: "der" }).toString("base64");
  await setDns(stack, [
    { name: domain, type: "TXT", data: spf },
    { name: `${keySelector}._domainkey.${domain}`, type: "TXT", data: `v=DKIM1; k=rsa; p=${key}` },
    { name: `_dmarc.${domain}`, type: "TXT", data: "v=DMARC1; p=reject" },
  ]);
  const dkim = {
    domainName: domain,
    keySelector,
    privateKey: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
  return { domain, send: (mail) => send(stack, { dkim, ...mail }) };
}

export async function setDns({ sandbox }: Stack, records: { name: string; type: string; data: string }[]) {
  const response = await fetch(`${sandbox?.adminUrl}/mail/dns`, {
    method: "PUT",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(records),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Sends an email to the service's listener. */
export async function send(stack: Stack, mail: SendMailOptions) {
  const transport = createTransport({ ...listenerOf(stack), ignoreTLS: true });
  try {
    return await transport.sendMail(mail);
  } finally {
    transport.close();
  }
}

/** Sends an unmodified message with the given envelope. Returns the final reply. */
export async function sendRaw(stack: Stack, to: string, raw: string | Buffer, from = "sender@elsewhere.example") {
  const { response } = await send(stack, { envelope: { from, to: [to] }, raw });
  return response;
}

export function listenerOf({ service }: Stack): { host: string; port: number } {
  if (!service.incomingMail) throw new Error("The service has no SMTP listener.");
  return service.incomingMail;
}

/** Sends SMTP lines, each after the reply to the one before. Returns the greeting and the replies. */
export async function sendSmtpLines(stack: Stack, lines: readonly string[]): Promise<string[]> {
  const { host, port } = listenerOf(stack);
  const socket = connect(port, host);
  await once(socket, "connect");
  const replies: string[] = [];
  let text = "";
  for (const line of [null, ...lines]) {
    if (line !== null) socket.write(`${line}\r\n`);
    while (!/^\d{3} .*\r\n/m.test(text)) {
      const [chunk] = (await Promise.race([once(socket, "data"), once(socket, "close").then(() => [""])])) as [Buffer];
      if (chunk.length === 0) break;
      text += chunk.toString();
    }
    replies.push(text.trim().split("\r\n").at(-1) ?? "");
    text = "";
  }
  socket.destroy();
  return replies;
}

const FIELDS = `messageId direction status from fromName to subject bodyText extractedText bodyHtml automated internetMessageId
  authentication { spf dkim dmarc } attachments { attachmentId filename contentType sizeBytes } thread { threadId } createdAt`;

// biome-ignore lint/suspicious/noExplicitAny: has the shape of `FIELDS`.
export type ReceivedMessage = any;

/** Subscribes to an account's mail. Messages so far are in `seen`. */
export async function watchMail(stack: Stack, { token }: TestAccount, field = "mailReceived") {
  const client = createClient({
    url: `${stack.baseUrl.replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { "X-Service-Token": token },
    lazy: false,
    // The server can stop before the client.
    onNonLazyError: () => {},
    retryAttempts: 0,
  });
  const seen: { message: ReceivedMessage }[] = [];
  const query = `subscription { ${field} { message { ${FIELDS} } } }`;
  const reading = (async () => {
    for await (const { data, errors } of client.iterate<Record<string, { message: ReceivedMessage }>>({ query })) {
      if (errors) throw new Error(JSON.stringify(errors));
      const message = data?.[field]?.message;
      if (message) seen.push({ message });
    }
  })();
  reading.catch(() => {});
  return {
    seen,
    stop: async () => {
      await client.dispose();
      await reading.catch(() => {});
    },
  };
}
