/**
 * Automatic correspondents of the sandbox, at correspondent.example. `echo` replies with the message's text, like a human sender.
 * `holiday` sends an out-of-office reply. `bounce` does not exist: its mail is accepted and then bounces.
 */
import { createPrivateKey, createPublicKey, generateKeyPair } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { Zone } from "../dns/zone.ts";
import { createBounce } from "./bounce.ts";
import { CORRESPONDENT_DOMAIN } from "./domain.ts";
import type { Envelope, Message } from "./mailbox.ts";

const SELECTOR = "sandbox";

export interface Correspondents {
  /** Returns the reply of the correspondent at `to`; null when there is no such correspondent or no reply. */
  reply(message: Message, to: string, raw: Buffer): Promise<{ envelope: Envelope; raw: Buffer } | null>;
}

/** Creates the correspondents. @param zone receives their DKIM key when it is loaded */
export function createCorrespondents(dataDir: string, zone: Zone): Correspondents {
  let key: Promise<string> | undefined;

  /** Loads or generates the DKIM key. Called for the first reply, because generation is slow. */
  async function openKey(): Promise<string> {
    const path = join(dataDir, "mail-dkim.pem");
    const privateKey = await readFile(path, "utf8").catch(async () => {
      const generated = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
      const pem = generated.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
      await writeFile(path, pem, { mode: 0o600 });
      return pem;
    });
    const publicKey = createPublicKey(createPrivateKey(privateKey)).export({ type: "spki", format: "der" });
    const name = `${SELECTOR}._domainkey.${CORRESPONDENT_DOMAIN}`;
    zone.set([{ name, type: "TXT", data: `v=DKIM1; k=rsa; p=${publicKey.toString("base64")}` }]);
    return privateKey;
  }

  async function renderMail(mail: SendMailOptions): Promise<Buffer> {
    key ??= openKey();
    const dkim = { domainName: CORRESPONDENT_DOMAIN, keySelector: SELECTOR, privateKey: await key };
    const { message } = await createTransport({
      streamTransport: true,
      buffer: true,
      newline: "windows",
      dkim,
    }).sendMail(mail);
    return message as Buffer;
  }

  return {
    async reply(message, to, raw) {
      const [name = "", domain] = to.toLowerCase().split("@");
      const sender = message.envelope.from;
      // Never reply to a bounce or to a correspondent, to prevent mail loops.
      if (domain !== CORRESPONDENT_DOMAIN || sender === "" || sender.toLowerCase().endsWith(`@${domain}`)) return null;
      const references = [...message.references, ...(message.messageId ? [message.messageId] : [])];
      const common: SendMailOptions = {
        to: sender,
        subject: /^re:/i.test(message.subject) ? message.subject : `Re: ${message.subject}`,
        ...(message.messageId ? { inReplyTo: message.messageId, references } : {}),
      };
      if (name === "echo") {
        const text = `You wrote to me:\r\n\r\n${message.text.trim()}\r\n\r\nOn ${new Date(message.receivedAt).toUTCString()}, ${sender} wrote:\r\n${quoteText(message.text)}\r\n\r\n-- \r\nEcho`;
        const from = `Echo <echo@${domain}>`;
        return { envelope: { from: `echo@${domain}`, to: [sender] }, raw: await renderMail({ ...common, from, text }) };
      }
      if (name === "holiday") {
        const headers = { "Auto-Submitted": "auto-replied", Precedence: "bulk" };
        const subject = `Automatic reply: ${message.subject}`;
        const text = "I am on holiday. This is an automatic reply.";
        const from = `Holiday <holiday@${domain}>`;
        const autoReply = await renderMail({ ...common, subject, from, text, headers });
        return { envelope: { from: "", to: [sender] }, raw: autoReply };
      }
      if (name !== "bounce") return null;
      const refusal = `550 5.1.1 <${to}>: Recipient address rejected: user unknown`;
      return { envelope: { from: "", to: [sender] }, raw: createBounce(sender, to, refusal, raw) };
    },
  };
}

function quoteText(text: string): string {
  return text
    .trim()
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join("\r\n");
}
