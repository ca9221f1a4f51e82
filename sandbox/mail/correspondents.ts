/**
 * Who answers mail in the sandbox, all at correspondent.example: `echo` repeats what it was told, as a person would; `holiday`
 * is away and has a machine say so; `bounce` does not exist, which shows only after its mail was taken.
 */
import { createPrivateKey, createPublicKey, generateKeyPair } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createTransport, type SendMailOptions } from "nodemailer";
import type { Zone } from "../dns/zone.ts";
import { bounceOf } from "./bounce.ts";
import { CORRESPONDENT_DOMAIN } from "./domain.ts";
import type { Envelope, Message } from "./mailbox.ts";

const SELECTOR = "sandbox";

export interface Correspondents {
  /** What whoever lives at `to` sends back; null when nobody does, or has nothing to say. */
  answer(message: Message, to: string, raw: Buffer): Promise<{ envelope: Envelope; raw: Buffer } | null>;
}

/** @param zone told the key their mail is signed with (DKIM), once there is one */
export function createCorrespondents(dataDir: string, zone: Zone): Correspondents {
  let key: Promise<string> | undefined;

  /** Made with the first letter: it takes longer than all else here. */
  async function openKey(): Promise<string> {
    const path = join(dataDir, "mail-dkim.pem");
    const privateKey = await readFile(path, "utf8").catch(async () => {
      const made = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
      const pem = made.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
      await writeFile(path, pem, { mode: 0o600 });
      return pem;
    });
    const publicKey = createPublicKey(createPrivateKey(privateKey)).export({ type: "spki", format: "der" });
    const name = `${SELECTOR}._domainkey.${CORRESPONDENT_DOMAIN}`;
    zone.set([{ name, type: "TXT", data: `v=DKIM1; k=rsa; p=${publicKey.toString("base64")}` }]);
    return privateKey;
  }

  async function written(mail: SendMailOptions): Promise<Buffer> {
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
    async answer(message, to, raw) {
      const [name = "", domain] = to.toLowerCase().split("@");
      const sender = message.envelope.from;
      // A bounce, or one of them: no circles.
      if (domain !== CORRESPONDENT_DOMAIN || sender === "" || sender.toLowerCase().endsWith(`@${domain}`)) return null;
      const references = [...message.references, ...(message.messageId ? [message.messageId] : [])];
      const reply: SendMailOptions = {
        to: sender,
        subject: /^re:/i.test(message.subject) ? message.subject : `Re: ${message.subject}`,
        ...(message.messageId ? { inReplyTo: message.messageId, references } : {}),
      };
      if (name === "echo") {
        const text = `You wrote to me:\r\n\r\n${message.text.trim()}\r\n\r\nOn ${new Date(message.receivedAt).toUTCString()}, ${sender} wrote:\r\n${quoted(message.text)}\r\n\r\n-- \r\nEcho`;
        const from = `Echo <echo@${domain}>`;
        return { envelope: { from: `echo@${domain}`, to: [sender] }, raw: await written({ ...reply, from, text }) };
      }
      if (name === "holiday") {
        const headers = { "Auto-Submitted": "auto-replied", Precedence: "bulk" };
        const subject = `Automatic reply: ${message.subject}`;
        const text = "I am on holiday. A machine wrote this.";
        const from = `Holiday <holiday@${domain}>`;
        return { envelope: { from: "", to: [sender] }, raw: await written({ ...reply, subject, from, text, headers }) };
      }
      if (name !== "bounce") return null;
      const refusal = `550 5.1.1 <${to}>: Recipient address rejected: nobody of that name lives here`;
      return { envelope: { from: "", to: [sender] }, raw: bounceOf(sender, to, refusal, raw) };
    },
  };
}

function quoted(text: string): string {
  return text
    .trim()
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join("\r\n");
}
