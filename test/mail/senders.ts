/** Real senders of mail: nodemailer, sockets, and the name server's records that vouch for them. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { createClient } from "graphql-ws";
import { createTransport, type SendMailOptions } from "nodemailer";
import WebSocket from "ws";
import type { Stack, TestAccount } from "../support/stack.ts";

export interface Sender {
  readonly domain: string;
  /** Signed with the domain's key, straight to the service's own listener. */
  send(mail: SendMailOptions): Promise<{ messageId: string; response: string }>;
}

/** A domain whose SPF names this machine, whose DKIM key is published and whose DMARC asks to reject all else. */
export async function openSender(stack: Stack, domain: string, spf = "v=spf1 ip4:127.0.0.1 -all"): Promise<Sender> {
  // A selector of its own: the service caches the keys of a sender that another file opened.
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

/** As any program sends mail, to the service's own listener. */
export async function send(stack: Stack, mail: SendMailOptions) {
  const transport = createTransport({ ...listenerOf(stack), ignoreTLS: true });
  try {
    return await transport.sendMail(mail);
  } finally {
    transport.close();
  }
}

/** Bytes as they are, with the envelope said. @returns the last answer */
export async function sendRaw(stack: Stack, to: string, raw: string | Buffer, from = "sender@elsewhere.example") {
  const { response } = await send(stack, { envelope: { from, to: [to] }, raw });
  return response;
}

export function listenerOf({ service }: Stack): { host: string; port: number } {
  if (!service.incomingMail) throw new Error("The service takes no mail.");
  return service.incomingMail;
}

/** Says lines to the listener, each after an answer to the one before; answers them with the greeting first. */
export async function converse(stack: Stack, lines: readonly string[]): Promise<string[]> {
  const { host, port } = listenerOf(stack);
  const socket = connect(port, host);
  await once(socket, "connect");
  const answers: string[] = [];
  let text = "";
  for (const line of [null, ...lines]) {
    if (line !== null) socket.write(`${line}\r\n`);
    while (!/^\d{3} .*\r\n/m.test(text)) {
      const [chunk] = (await Promise.race([once(socket, "data"), once(socket, "close").then(() => [""])])) as [Buffer];
      if (chunk.length === 0) break;
      text += chunk.toString();
    }
    answers.push(text.trim().split("\r\n").at(-1) ?? "");
    text = "";
  }
  socket.destroy();
  return answers;
}

const FIELDS = `messageId direction status from fromName to subject bodyText extractedText bodyHtml automated internetMessageId
  authentication { spf dkim dmarc } attachments { attachmentId filename contentType sizeBytes } thread { threadId } createdAt`;

// biome-ignore lint/suspicious/noExplicitAny: of the shape that was asked for.
export type Arrived = any;

/** Listens to what comes; resolves once it hears. */
export async function watchMail(stack: Stack, { token }: TestAccount, field = "mailReceived") {
  const client = createClient({
    url: `${stack.baseUrl.replace(/^http/, "ws")}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { "X-Service-Token": token },
    lazy: false,
    // The server goes away before it.
    onNonLazyError: () => {},
    retryAttempts: 0,
  });
  const seen: { message: Arrived }[] = [];
  const query = `subscription { ${field} { message { ${FIELDS} } } }`;
  const reading = (async () => {
    for await (const { data, errors } of client.iterate<Record<string, { message: Arrived }>>({ query })) {
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
